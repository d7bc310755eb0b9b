//! Short calls of Stripe's connector.

use std::sync::Arc;
use std::time::Duration;

use multirail_kernel::currency::Currency;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::money::Money;
use multirail_kernel::secret::SecretText;
use multirail_peers::stripe::{Accounts, Stripe};
use multirail_peers::{CardThat, StandIn, TestCard};
use multirail_sdk::connector::Connector;
use multirail_sdk::connector::details::Payer;
use multirail_sdk::connector::{
    Access, AuthorizeRequest, CaptureRequest, Descriptor, Details, Finding, IncrementRequest,
    LookUpRequest, OperationKind, Outcome, RefundRequest, VoidRequest,
};
use multirail_sdk::instrument::{PaymentMethodData, SealedToken};
use multirail_sdk::payer_method::{PayerData, PayerMethod};
use multirail_sdk::payment_method::PaymentMethodType;
use multirail_sdk::wallet::Wallet;

use crate::peers::stand_in::{StandInSubject, card};
use crate::peers::stripe::subject;
use crate::suite::peer::Fault;
use crate::suite::subject::Subject;

pub struct Bench {
    pub subject: StandInSubject<Stripe>,
    pub connector: Arc<dyn Connector>,
    pub access: Access,
}

impl Bench {
    pub async fn new() -> Self {
        let subject = subject().await;
        Bench {
            connector: subject.connector(Duration::from_secs(60)),
            access: subject.access(),
            subject,
        }
    }

    /// Gives access to the stand-in's accounts.
    pub fn peer<T>(&self, ask: impl FnOnce(&mut Accounts) -> T) -> T {
        ask(&mut self.subject.stand_in.accounts())
    }

    /// Takes the list of requests since the last call.
    pub fn seen(&self) -> String {
        self.peer(Accounts::seen)
    }

    pub fn lose_the_next_answer(&self) {
        self.subject.peer().faults().next(Fault::LosesAnswer);
    }

    /// Requests a sale of 65.40 USD.
    pub async fn sale(&self, key: &str, number: &'static str) -> Outcome {
        self.authorize(key, number, 6540, true).await
    }

    /// Requests an authorization of 65.40 USD with manual capture.
    pub async fn reserve(&self, key: &str, number: &'static str) -> Outcome {
        self.authorize(key, number, 6540, false).await
    }

    pub async fn authorize(
        &self,
        key: &str,
        number: &'static str,
        amount: i64,
        capture: bool,
    ) -> Outcome {
        let request = self.request(key, number, amount, capture);
        self.connector.authorize(request).await
    }

    fn request(
        &self,
        key: &str,
        number: &'static str,
        amount: i64,
        capture: bool,
    ) -> AuthorizeRequest {
        AuthorizeRequest {
            key: processor_key(key),
            access: self.access.clone(),
            money: Money::new(amount, Currency::USD),
            capture,
            data: PaymentMethodData::Card(card(TestCard {
                number,
                ..self.subject.stand_in.card(CardThat::IsApproved)
            })),
            return_url: "https://shop.example/back".to_owned(),
            details: Details::default(),
        }
    }

    /// Requests a sale of 65.40 USD with a Google Pay token.
    pub async fn sale_by_google_pay(&self, key: &str, token: &str) -> Outcome {
        let details = serde_json::json!({ "wallet": "google_pay" });
        let mut request = self.request(key, "4242424242424242", 6540, true);
        request.data = PaymentMethodData::Sealed(SealedToken {
            wallet: Wallet::GooglePay,
            text: SecretText::new(serde_json::json!({ "id": token }).to_string()),
            details: serde_json::from_value(details).expect("details"),
        });
        self.connector.authorize(request).await
    }

    /// Requests a payment by a method that the payer finishes elsewhere.
    pub async fn pay_by(
        &self,
        key: &str,
        kind: PaymentMethodType,
        money: Money,
        capture: bool,
        payer: Payer,
    ) -> Outcome {
        let data = PayerMethod::new(kind).into();
        self.pay_with(key, data, money, capture, payer).await
    }

    /// Requests a payment by a method with the payer's text.
    pub async fn pay_with(
        &self,
        key: &str,
        data: PayerData,
        money: Money,
        capture: bool,
        payer: Payer,
    ) -> Outcome {
        let mut request = self.request(key, "4242424242424242", 6540, capture);
        request.money = money;
        request.data = PaymentMethodData::Payer(Box::new(data));
        request.details.payer = payer;
        self.connector.authorize(request).await
    }

    /// Requests an authorization of 65.40 USD that may be raised.
    pub async fn reserve_to_raise(&self, key: &str, number: &'static str) -> Outcome {
        let mut request = self.request(key, number, 6540, false);
        request.details.may_be_raised = true;
        self.connector.authorize(request).await
    }

    pub async fn raise(&self, key: &str, payment: &str, total: i64) -> Outcome {
        let request = IncrementRequest {
            key: processor_key(key),
            access: self.access.clone(),
            authorization_key: processor_key("a"),
            authorization_reference: Some(payment.to_owned()),
            money: Money::new(total, Currency::USD),
            reason: None,
        };
        let raises = self.connector.able(|able| able.raises_authorizations);
        raises.expect("it raises").increment(request).await
    }

    pub async fn capture(&self, key: &str, payment: &str, amount: i64) -> Outcome {
        let request = CaptureRequest {
            key: processor_key(key),
            access: self.access.clone(),
            authorization_key: processor_key("a"),
            authorization_reference: Some(payment.to_owned()),
            money: Money::new(amount, Currency::USD),
            is_final: true,
            descriptor: Descriptor::default(),
        };
        self.connector.capture(request).await
    }

    /// Voids the authorization `a`.
    pub async fn void(&self, key: &str, payment: Option<&str>, captured_at_once: bool) -> Outcome {
        let request = VoidRequest {
            key: processor_key(key),
            access: self.access.clone(),
            authorization_key: processor_key("a"),
            authorization_reference: payment.map(str::to_owned),
            captured_at_once,
            reason: Some("abandoned".to_owned()),
        };
        self.connector.void(request).await
    }

    pub async fn refund(&self, key: &str, payment: &str, amount: i64) -> Outcome {
        let request = RefundRequest {
            key: processor_key(key),
            access: self.access.clone(),
            authorization_key: processor_key("a"),
            authorization_reference: Some(payment.to_owned()),
            money: Money::new(amount, Currency::USD),
            of_excess: false,
            reason: None,
        };
        self.connector.refund(request).await
    }

    /// Returns a look-up of the authorization `a`, or of an operation on it.
    pub fn question(&self, kind: OperationKind, key: &str, payment: Option<&str>) -> LookUpRequest {
        LookUpRequest {
            kind,
            key: processor_key(key),
            access: self.access.clone(),
            authorization_key: processor_key("a"),
            authorization_reference: payment.map(str::to_owned),
            reference: None,
            money: Money::new(6540, Currency::USD),
            started_at: self.subject.now(),
            returned_with: None,
        }
    }

    pub async fn look_up(&self, kind: OperationKind, key: &str, payment: Option<&str>) -> Finding {
        let question = self.question(kind, key, payment);
        self.connector.look_up(question).await
    }
}

pub fn processor_key(text: &str) -> ProcessorKey {
    ProcessorKey::parse(text).expect("a key")
}

/// Returns the processor's reference in an outcome.
pub fn reference(outcome: &Outcome) -> String {
    let reference = match outcome {
        Outcome::Done(done) => done.reference.clone(),
        Outcome::CustomerMustAct { reference, .. }
        | Outcome::DeviceDataNeeded { reference, .. }
        | Outcome::Pending { reference } => reference.clone(),
        other => panic!("{other:?}"),
    };
    reference.expect("Stripe's reference")
}
