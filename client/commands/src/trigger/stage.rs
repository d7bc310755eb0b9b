//! The sandbox in which events are made, and the common steps.

use std::fmt::Display;
use std::io::Write;
use std::time::Duration;

use chrono::{DateTime, Utc};
use multirail_client::types::{
    CaptureMethod, Currency, Customer, CustomerCreateRequest, Payment, PaymentCreateRequest,
    PaymentStatus, SandboxClockAdvanceRequest,
};
use multirail_client::{Client, Error, PaysWith, requests};

use crate::access::Access;
use crate::failure::Failure;
use crate::terminal::one_line;

/// A card that is approved.
pub(crate) const APPROVED: &str = "4242424242424242";
/// The amount of a payment, in minor units.
pub(super) const AMOUNT: i64 = 6540;
/// The maximum number of looks at an object that changes by itself, and the pause between two of them: a minute.
const LOOKS: u32 = 240;
const PAUSE: Duration = Duration::from_millis(250);

/// A sandbox, and the output for the ids of everything that is made in it.
pub(crate) struct Stage<'a> {
    pub(crate) access: Access,
    pub(crate) client: Client,
    pub(crate) operator: Option<Client>,
    pub(crate) out: &'a mut dyn Write,
}

impl Stage<'_> {
    /// Prints the id of something that was made.
    pub(super) fn made(&mut self, what: &str, id: &str) -> Result<(), Failure> {
        writeln!(self.out, "{what:<16} {}", one_line(id))?;
        Ok(self.out.flush()?)
    }

    /// Pays 65.40 dollars with a card, once `change` has completed the order.
    pub(super) async fn pays(
        &mut self,
        card: &str,
        change: impl FnOnce(PaymentCreateRequest) -> PaymentCreateRequest,
    ) -> Result<Payment, Failure> {
        let order = PaymentCreateRequest::new(AMOUNT, Currency::Usd)
            .pays_with(requests::card_of(card, "10", "2035", "123"))
            .confirm(true);
        self.orders(change(order)).await
    }

    /// Creates a payment.
    pub(crate) async fn orders(&mut self, order: PaymentCreateRequest) -> Result<Payment, Failure> {
        let call = self.client.payments_create().body(order);
        let payment = done("the payment", call.send().await)?.into_inner();
        self.made("payment", &payment.payment_id)?;
        Ok(payment)
    }

    /// Authorizes 65.40 dollars, and captures nothing.
    pub(super) async fn holds(&mut self, card: &str) -> Result<Payment, Failure> {
        let manual = |order: PaymentCreateRequest| order.capture_method(CaptureMethod::Manual);
        self.pays(card, manual).await
    }

    /// Asks about a payment until it has this status.
    pub(crate) async fn becomes(
        &self,
        payment_id: &str,
        wanted: &PaymentStatus,
    ) -> Result<Payment, Failure> {
        until(&format!("the payment's status {wanted}"), async || {
            let call = self.client.payments_retrieve().payment_id(payment_id);
            let answer = call.force_sync(true).send().await;
            let payment = done("the retrieval", answer)?.into_inner();
            Ok((payment.status == *wanted).then_some(payment))
        })
        .await
    }

    /// Returns the operator's client, which moves the sandbox's clock for this event.
    pub(crate) fn operator_for(&self, event: &str) -> Result<Client, Failure> {
        self.operator.clone().ok_or_else(|| {
            Failure::Usage(format!(
                "{event} moves the sandbox's clock on by days, which takes the operator's key: give it with \
                 --admin-key, MULTIRAIL_ADMIN_API_KEY with MULTIRAIL_URL, or at `multirail login`"
            ))
        })
    }

    /// Moves the sandbox's clock on, and returns its time.
    pub(crate) async fn advance(
        &mut self,
        operator: &Client,
        seconds: i64,
    ) -> Result<DateTime<Utc>, Failure> {
        let call = operator.sandbox_clock_advance();
        let call = call.body(SandboxClockAdvanceRequest::new(seconds)).send();
        let clock = done("the move of the sandbox's clock", call.await)?;
        self.made("sandbox's clock", &clock.now.to_rfc3339())?;
        Ok(clock.now)
    }

    pub(super) async fn customer(&mut self) -> Result<Customer, Failure> {
        let call = self.client.customers_create();
        let call = call.body(CustomerCreateRequest::new());
        let customer = done("the customer", call.send().await)?.into_inner();
        self.made("customer", &customer.customer_id)?;
        Ok(customer)
    }
}

/// Names a call that failed.
pub(crate) fn done<T>(what: &str, answer: Result<T, impl Into<Error>>) -> Result<T, Failure> {
    answer.map_err(|error| Failure::call(what, error))
}

/// Refuses a payment with another status. It was probably routed to an account of another kind.
pub(crate) fn check_status(payment: &Payment, wanted: &PaymentStatus) -> Result<(), Failure> {
    is_as_wanted("payment", &payment.payment_id, &payment.status, wanted)
}

/// Refuses an object with another status than the wanted one.
pub(super) fn is_as_wanted<S: PartialEq + Display>(
    what: &str,
    id: &str,
    status: &S,
    wanted: &S,
) -> Result<(), Failure> {
    if status == wanted {
        return Ok(());
    }
    Err(Failure::Unexpected(format!(
        "the {what} {id} is {status}, not {wanted}: does the profile pay through a simulated processor?"
    )))
}

/// Looks until there is something, four times a second for a minute.
pub(super) async fn until<T>(
    what: &str,
    mut look: impl AsyncFnMut() -> Result<Option<T>, Failure>,
) -> Result<T, Failure> {
    for _ in 0..LOOKS {
        if let Some(found) = look().await? {
            return Ok(found);
        }
        tokio::time::sleep(PAUSE).await;
    }
    Err(Failure::Unexpected(format!(
        "{what} did not come within a minute"
    )))
}
