//! Makes a sale of the demo, or the steps that an interrupted run left out.

use multirail_client::types::{
    AcceptanceType, CaptureMethod, CustomerAcceptance, Dispute, DisputeStatus, FutureUsage,
    NextAction, Payment, PaymentConfirmRequest, PaymentCreateRequest, PaymentStatus, RefundStatus,
};
use multirail_client::{Error, PaysWith, requests};

use super::means::card;
use super::plan::{Answer, Sale, Then};
use super::tally::Tally;
use crate::failure::Failure;
use crate::trigger::payers::{RETURN_URL, decide};
use crate::trigger::payments::{DECLINED, cancel, capture};
use crate::trigger::stage::{APPROVED, Stage, check_status, done};
use crate::trigger::{disputes, mandates, refunds};

/// The code of the refusal of an unknown object.
const UNKNOWN: &str = "HE_02";

/// The code of the refusal of a card that comes too late.
const TOO_LATE: &str = "IR_16";

/// The validity of a payment link: a month, of which the first half permits another card. So a later run can still finish
/// the sale.
const LINK_SECONDS: i32 = 30 * 24 * 60 * 60;

/// A payment whose dispute is decided some seconds of business time later.
pub(super) struct Awaited {
    payment: Payment,
    wanted: DisputeStatus,
}

/// Returns the payment of a sale, if an earlier run made it.
pub(super) async fn find(stage: &Stage<'_>, sale: &Sale) -> Result<Option<Payment>, Failure> {
    let call = stage.client.payments_retrieve();
    let found = call.payment_id(&sale.payment_id).send().await;
    unless_unknown("the look for a payment", found.map_err(Error::from))
        .map(|found| found.map(|payment| payment.into_inner()))
}

fn unless_unknown<T>(what: &str, found: Result<T, Error>) -> Result<Option<T>, Failure> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.code() == Some(UNKNOWN) => Ok(None),
        Err(error) => Err(Failure::call(what, error)),
    }
}

/// Creates the payment of a sale.
pub(super) async fn create(
    stage: &mut Stage<'_>,
    sale: &Sale,
    seed: u64,
) -> Result<Payment, Failure> {
    stage.orders(order(sale, seed)).await
}

fn order(sale: &Sale, seed: u64) -> PaymentCreateRequest {
    let (person, amount) = (sale.person, sale.amount);
    let order = match sale.then {
        Then::Retried => PaymentCreateRequest::new(amount, person.currency.clone())
            .return_url(RETURN_URL)
            .session_expiry(LINK_SECONDS)
            .payment_link(true),
        Then::Saves => sale
            .means
            .order(person, amount)
            .setup_future_usage(FutureUsage::OffSession)
            .customer_acceptance(CustomerAcceptance::new(AcceptanceType::Offline)),
        Then::Agrees => sale
            .means
            .order(person, amount)
            .mandate_data(mandates::consent(amount, person.currency.clone())),
        Then::Rests
        | Then::Sold
        | Then::PayerPays
        | Then::PayerDeclines
        | Then::BankPays
        | Then::BankRefuses
        | Then::BankReturns
        | Then::Holds
        | Then::Captured
        | Then::CapturedInPart
        | Then::Cancelled
        | Then::Refunded
        | Then::RefundedInPart
        | Then::RefundFails
        | Then::Disputed(_) => sale.means.order(person, amount),
    };
    let order = match sale.then.is_captured_later() {
        true => order.capture_method(CaptureMethod::Manual),
        false => order,
    };
    order
        .payment_id(&*sale.payment_id)
        .merchant_order_reference_id(sale.payment_id.replace("demo", "order"))
        .customer_id(person.customer_id(seed))
        .billing(person.billing())
}

/// Takes the steps of a sale after its creation. A payment of an earlier run may have taken them already.
pub(super) async fn go_on(
    stage: &mut Stage<'_>,
    sale: &Sale,
    payment: Payment,
    is_new: bool,
    tally: &mut Tally,
) -> Result<Option<Awaited>, Failure> {
    let Some(wanted) = sale.then.begins_at() else {
        return Ok(None);
    };
    if payment.status != wanted && !is_new {
        return finish(stage, sale, payment).await;
    }
    check_status(&payment, &wanted)?;
    let id = &*payment.payment_id;
    match sale.then {
        Then::Rests | Then::Sold | Then::Saves | Then::Agrees | Then::Holds => {}
        Then::PayerPays => decides(stage, payment, true, &PaymentStatus::Succeeded).await?,
        Then::PayerDeclines => decides(stage, payment, false, &PaymentStatus::Failed).await?,
        Then::BankPays => becomes(stage, id, &PaymentStatus::Succeeded).await?,
        Then::BankRefuses => becomes(stage, id, &PaymentStatus::Failed).await?,
        Then::BankReturns => {
            becomes(stage, id, &PaymentStatus::Succeeded).await?;
            tally.disputes += usize::from(is_new);
            return Ok(Some(Awaited::returned(payment)));
        }
        Then::Retried => {
            confirm(stage, sale, DECLINED, &PaymentStatus::Failed).await?;
            confirm(stage, sale, APPROVED, &PaymentStatus::Succeeded).await?;
        }
        Then::Captured => take(stage, sale, sale.amount, &PaymentStatus::Succeeded).await?,
        Then::CapturedInPart => {
            take(stage, sale, part(sale), &PaymentStatus::PartiallyCaptured).await?;
        }
        Then::Cancelled => cancel(stage, id).await?,
        Then::Refunded => refund(stage, sale, sale.amount, is_new, tally).await?,
        Then::RefundedInPart | Then::RefundFails => {
            refund(stage, sale, part(sale), is_new, tally).await?;
        }
        Then::Disputed(answer) => {
            tally.disputes += usize::from(is_new);
            return dispute(stage, payment, answer).await;
        }
    }
    Ok(None)
}

/// Takes the last step of a sale that an earlier run began, if there is still time for it.
async fn finish(
    stage: &Stage<'_>,
    sale: &Sale,
    payment: Payment,
) -> Result<Option<Awaited>, Failure> {
    let is = |then: Then, status: PaymentStatus| sale.then == then && payment.status == status;
    if is(Then::Retried, PaymentStatus::Failed) {
        let retried = confirm(stage, sale, APPROVED, &PaymentStatus::Succeeded).await;
        unless_late(retried)?;
    }
    let is_returned = is(Then::BankReturns, PaymentStatus::Succeeded);
    Ok(is_returned.then(|| Awaited::returned(payment)))
}

/// Leaves a payment declined if its second card comes too late.
fn unless_late(retried: Result<(), Failure>) -> Result<(), Failure> {
    match retried {
        Err(Failure::Call(_, error)) if error.code() == Some(TOO_LATE) => Ok(()),
        retried => retried,
    }
}

/// Returns a third of the amount.
fn part(sale: &Sale) -> i64 {
    sale.amount / 3
}

async fn decides(
    stage: &Stage<'_>,
    payment: Payment,
    is_approved: bool,
    wanted: &PaymentStatus,
) -> Result<(), Failure> {
    let page = payment.next_action.and_then(page);
    decide(page.as_deref(), is_approved).await?;
    becomes(stage, &payment.payment_id, wanted).await
}

/// Returns the page of the simulated processor where the payer decides.
fn page(next: NextAction) -> Option<String> {
    let voucher = next.voucher_details;
    let transfer = next.bank_transfer_steps_and_charges_details;
    next.redirect_to_url
        .or(next.qr_code_url)
        .or_else(|| voucher.and_then(|steps| steps.instructions_url))
        .or_else(|| transfer.and_then(|steps| steps.instructions_url))
}

async fn becomes(stage: &Stage<'_>, id: &str, wanted: &PaymentStatus) -> Result<(), Failure> {
    stage.becomes(id, wanted).await.map(drop)
}

/// Tries a card for the payment of a link.
async fn confirm(
    stage: &Stage<'_>,
    sale: &Sale,
    number: &str,
    wanted: &PaymentStatus,
) -> Result<(), Failure> {
    let body = PaymentConfirmRequest::new().pays_with(card(number, sale.person));
    let call = stage.client.payments_confirm();
    let call = call.payment_id(&sale.payment_id).body(body);
    let payment = done("the confirmation", call.send().await)?;
    check_status(&payment, wanted)
}

async fn take(
    stage: &Stage<'_>,
    sale: &Sale,
    amount: i64,
    wanted: &PaymentStatus,
) -> Result<(), Failure> {
    let payment = capture(stage, &sale.payment_id, amount).await?;
    check_status(&payment, wanted)
}

/// Refunds an amount once.
async fn refund(
    stage: &mut Stage<'_>,
    sale: &Sale,
    amount: i64,
    is_new: bool,
    tally: &mut Tally,
) -> Result<(), Failure> {
    let refund_id = format!("{}_refund", sale.payment_id);
    if !is_new {
        let call = stage.client.refunds_retrieve().refund_id(&refund_id);
        let found = call.send().await.map_err(Error::from);
        if unless_unknown("the look for a refund", found)?.is_some() {
            return Ok(());
        }
    }
    let order = requests::refund(&sale.payment_id)
        .refund_id(refund_id)
        .amount(amount)
        .reason("The customer returned it");
    let wanted = match sale.then == Then::RefundFails {
        true => RefundStatus::Failed,
        false => RefundStatus::Succeeded,
    };
    refunds::send(stage, order, &wanted).await?;
    tally.refunds += 1;
    Ok(())
}

/// Waits for a payment's dispute, and answers it if it is still open.
async fn dispute(
    stage: &Stage<'_>,
    payment: Payment,
    answer: Answer,
) -> Result<Option<Awaited>, Failure> {
    let found: Dispute = disputes::find(stage, &payment, |_| true).await?;
    let is_open = found.dispute_status == DisputeStatus::DisputeOpened;
    let (text, wanted) = match answer {
        Answer::None => return Ok(None),
        Answer::Accepts if is_open => {
            disputes::accept(stage, &found).await?;
            return Ok(None);
        }
        Answer::Accepts => return Ok(None),
        Answer::Wins => (disputes::WINS, DisputeStatus::DisputeWon),
        Answer::Loses => (disputes::LOSES, DisputeStatus::DisputeLost),
    };
    if is_open {
        disputes::answer(stage, &found, text).await?;
    }
    Ok(Some(Awaited { payment, wanted }))
}

impl Awaited {
    /// Expects the loss of the dispute that a returned debit is.
    fn returned(payment: Payment) -> Self {
        let wanted = DisputeStatus::DisputeLost;
        Self { payment, wanted }
    }

    /// Waits until the dispute is decided.
    pub(super) async fn arrives(&self, stage: &Stage<'_>) -> Result<(), Failure> {
        let is_decided = |one: &Dispute| one.dispute_status == self.wanted;
        disputes::find(stage, &self.payment, is_decided)
            .await
            .map(drop)
    }
}
