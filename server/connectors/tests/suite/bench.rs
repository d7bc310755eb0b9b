//! Sends requests through a connector and learns their outcomes by the processor's means.

use std::collections::BTreeSet;
use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use multirail_connector_kit::stories::{look_up, send};
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::money::Money;
use multirail_sdk::connector::{
    Access, Connector, Finding, News, OperationKind, Outcome, RawNotice, Recovery, WebhookSecrets,
};

pub use super::expect::{declined, done, done_for, never_happened, unknown};
use super::mishaps::{Met, Mishap, Operation};
use super::peer::Fault;
pub use super::stage::agrees;
use super::subject::{Books, CardThat, Subject};
pub use multirail_connector_kit::stories::{Asked, Authorization, RETURN_URL, What};

/// A deadline that no local peer reaches.
const PATIENCE: Duration = Duration::from_secs(60);
/// A deadline for answers that never arrive.
pub const SOON: Duration = Duration::from_millis(1_500);
/// 65.40 dollars.
pub const PRICE: Money = Money {
    amount_minor: 6540,
    currency: Currency::USD,
};

pub struct Bench {
    pub subject: Box<dyn Subject>,
    pub connector: Arc<dyn Connector>,
    /// The mishaps that operations met and stood.
    pub met: Arc<Mutex<BTreeSet<Met>>>,
    keys: AtomicUsize,
}

/// The price after an increment: 90 dollars.
pub const RAISED: i64 = 9000;

impl Bench {
    pub fn new(subject: Box<dyn Subject>) -> Self {
        Bench {
            connector: subject.connector(PATIENCE),
            subject,
            met: Arc::default(),
            keys: AtomicUsize::new(0),
        }
    }

    /// Notes that an operation stood a fault, for the page of proof.
    pub fn stood(&self, operation: Operation, fault: Fault) {
        if let Some(mishap) = Mishap::of_fault(fault) {
            self.has_met(operation, mishap);
        }
    }

    /// Notes that an operation stood a mishap, for the page of proof.
    pub fn has_met(&self, operation: Operation, mishap: Mishap) {
        let mut met = self.met.lock().expect("no test panics within");
        met.insert((operation, mishap));
    }

    /// Sets a deadline for answers that never arrive. Returns the connector with the long one.
    pub fn loses_patience(&mut self) -> Arc<dyn Connector> {
        let impatient = self.subject.connector(SOON);
        mem::replace(&mut self.connector, impatient)
    }

    pub fn key(&self) -> ProcessorKey {
        let number = self.keys.fetch_add(1, Ordering::SeqCst);
        ProcessorKey::parse(&format!("mrk_{number:024}")).expect("a key")
    }

    pub fn authorize(&self, card: CardThat, money: Money, capture: bool) -> Asked {
        Asked {
            key: self.key(),
            money,
            what: What::Authorize {
                card,
                capture,
                may_be_raised: false,
            },
        }
    }

    /// Returns the request of this authorization.
    pub fn asked_for(&self, authorization: &Authorization) -> Asked {
        Asked {
            key: authorization.key.clone(),
            money: authorization.money,
            what: What::Authorize {
                card: CardThat::IsApproved,
                capture: authorization.captured_at_once,
                may_be_raised: true,
            },
        }
    }

    pub fn raise(&self, of: &Authorization, total: i64) -> Asked {
        Asked {
            key: self.key(),
            money: Money::new(total, of.money.currency),
            what: What::Raise { of: of.clone() },
        }
    }

    pub fn capture(&self, of: &Authorization, amount_minor: i64, is_final: bool) -> Asked {
        Asked {
            key: self.key(),
            money: Money::new(amount_minor, of.money.currency),
            what: What::Capture {
                of: of.clone(),
                is_final,
            },
        }
    }

    pub fn void(&self, of: &Authorization) -> Asked {
        Asked {
            key: self.key(),
            money: of.money,
            what: What::Void { of: of.clone() },
        }
    }

    pub fn refund(&self, of: &Authorization, amount_minor: i64) -> Asked {
        Asked {
            key: self.key(),
            money: Money::new(amount_minor, of.money.currency),
            what: What::Refund { of: of.clone() },
        }
    }

    /// Returns a valid request of each kind that the connector supports.
    pub async fn one_of_each(&self) -> Vec<Asked> {
        let mut asked = vec![
            self.authorize(CardThat::IsApproved, PRICE, true),
            self.capture(&self.reserved().await, PRICE.amount_minor, true),
            self.void(&self.reserved().await),
            self.refund(&self.sold().await, PRICE.amount_minor),
        ];
        let capabilities = &self.subject.description().capabilities;
        if capabilities.raises_authorizations.is_some() {
            asked.push(self.raise(&self.raisable().await, RAISED));
        }
        asked
    }

    /// Authorizes the price with manual capture.
    pub async fn reserved(&self) -> Authorization {
        self.approved(self.authorize(CardThat::IsApproved, PRICE, false))
            .await
    }

    /// Authorizes the price so that it may be raised.
    pub async fn raisable(&self) -> Authorization {
        let what = What::Authorize {
            card: CardThat::IsApproved,
            capture: false,
            may_be_raised: true,
        };
        let key = self.key();
        let money = PRICE;
        self.approved(Asked { key, money, what }).await
    }

    /// Sells at the price, with a capture in the same step.
    pub async fn sold(&self) -> Authorization {
        self.approved(self.authorize(CardThat::IsApproved, PRICE, true))
            .await
    }

    async fn approved(&self, asked: Asked) -> Authorization {
        let approval = done(self.finish(&asked).await);
        Authorization {
            reference: approval.reference,
            ..asked.authorization()
        }
    }

    /// Sends a request and returns the immediate outcome.
    pub async fn ask(&self, asked: &Asked) -> Outcome {
        self.ask_by(&*self.connector, self.subject.access(), asked)
            .await
    }

    pub async fn ask_by(
        &self,
        connector: &dyn Connector,
        access: Access,
        asked: &Asked,
    ) -> Outcome {
        send(connector, access, |wanted| self.subject.card(wanted), asked).await
    }

    /// Sends a request and waits for its final outcome, which some processors report later.
    pub async fn finish(&self, asked: &Asked) -> Outcome {
        let outcome = self.ask(asked).await;
        self.settled(asked, outcome).await
    }

    /// Waits for the end of a request whose outcome is pending.
    pub async fn settled(&self, asked: &Asked, outcome: Outcome) -> Outcome {
        match outcome {
            Outcome::Pending { reference } => {
                let told = self.final_outcome(asked, reference).await;
                told.unwrap_or_else(|| panic!("nothing tells what became of {asked:?}"))
            }
            known => known,
        }
    }

    async fn final_outcome(&self, asked: &Asked, reference: Option<String>) -> Option<Outcome> {
        match self.recovery(asked.kind()) {
            Recovery::LookUp(_) => match self.look_up(asked, reference, None).await {
                Finding::Outcome(outcome) => Some(outcome),
                Finding::Absent { reason } => panic!("{asked:?} is pending and absent: {reason}"),
            },
            Recovery::Repeat { .. } | Recovery::Notice | Recovery::GiveUp { .. } => {
                self.outcome_by_notice(asked).await
            }
        }
    }

    /// Learns the outcome of a request without a usable answer, long after the request. Returns
    /// `None` where no means exists.
    pub async fn learn(&self, asked: &Asked) -> Option<Outcome> {
        let recovery = self.recovery(asked.kind());
        match recovery {
            Recovery::LookUp(_) => {
                let finding = self.look_up(asked, None, None).await;
                Some(self.settled(asked, finding.judge(recovery, i64::MAX)).await)
            }
            Recovery::Repeat { .. } => {
                let outcome = self.ask(asked).await.of_a_repeat();
                Some(self.settled(asked, outcome).await)
            }
            Recovery::Notice | Recovery::GiveUp { .. } => self.outcome_by_notice(asked).await,
        }
    }

    pub fn recovery(&self, kind: OperationKind) -> Recovery {
        self.subject
            .description()
            .capabilities
            .recovery
            .for_operation(kind)
    }

    pub async fn look_up(
        &self,
        asked: &Asked,
        reference: Option<String>,
        returned_with: Option<String>,
    ) -> Finding {
        look_up(self, asked, reference, returned_with).await
    }

    /// Returns the outcome in the processor's notices; the last one counts.
    pub async fn outcome_by_notice(&self, asked: &Asked) -> Option<Outcome> {
        let mut last = None;
        for raw in self.subject.notices().await {
            assert!(self.is_signed(&raw, self.subject.secrets().as_ref()));
            let notices = self.connector.read_notices(&raw, &self.subject.access());
            for notice in notices.expect("a notice of the processor's") {
                match notice.news {
                    News::Outcome { about, outcome }
                        if about.kind == asked.kind() && about.key.as_ref() == Some(&asked.key) =>
                    {
                        last = Some(outcome);
                    }
                    News::Outcome { .. }
                    | News::Hint { .. }
                    | News::Dispute(_)
                    | News::Nothing
                    | News::Unreadable => {}
                }
            }
        }
        last
    }

    /// Checks whether the connector accepts the signature.
    pub fn is_signed(&self, raw: &RawNotice, secrets: Option<&WebhookSecrets>) -> bool {
        self.connector
            .verify_notice(raw, secrets, self.subject.now())
    }

    /// Proves that captures and refunds need the processor's reference, where the processor
    /// requires it.
    pub async fn sends_nothing_without_a_reference(&self) {
        let nameless = Authorization {
            reference: None,
            ..self.reserved().await
        };
        let requests = self.subject.peer().requests();
        let mut requests_of_it = vec![
            self.capture(&nameless, 6540, true),
            self.refund(&nameless, 6540),
        ];
        let capabilities = &self.subject.description().capabilities;
        if capabilities.raises_authorizations.is_some() {
            requests_of_it.push(self.raise(&nameless, RAISED));
        }
        for asked in requests_of_it {
            never_happened(self.ask(&asked).await);
        }
        assert_eq!(self.subject.peer().requests(), requests);
    }

    pub async fn books(&self, authorization: &Authorization) -> Books {
        self.subject.books(&authorization.key).await
    }

    /// Asserts that the processor executed a request exactly once, or not at all.
    pub async fn assert_done(&self, asked: &Asked, is_done: bool) {
        let books = self.books(&asked.authorization()).await;
        let before = match &asked.what {
            What::Raise { of } => of.money.amount_minor,
            What::Authorize { .. }
            | What::Capture { .. }
            | What::Void { .. }
            | What::Refund { .. } => 0,
        };
        let amount = if is_done {
            asked.money.amount_minor
        } else {
            before
        };
        let done = match &asked.what {
            What::Authorize { .. } | What::Raise { .. } => books.authorized,
            What::Capture { .. } => books.captured,
            What::Void { of } if of.captured_at_once => books.given_back,
            What::Void { .. } => books.released,
            What::Refund { .. } => books.given_back,
        };
        assert_eq!(done, amount, "{asked:?}: {books:?}");
    }
}
