//! A refund that goes from step to step through the store.

use multirail_app::accounts::ports::ProfileStore;
use multirail_app::payments::ports::refunds::RefundSums;
use multirail_app::payments::ports::{PaymentChange, PaymentStore, RefundChange, RefundStore};
use multirail_app::platform::ports::{Change, CommitError};
use multirail_domain::accounts::profile::Profile;
use multirail_domain::payments::payment::{AtHand, Payment};
use multirail_domain::payments::refund::{
    Command, Create, Effect, Input, Refund, RefundType, Step, transition,
};
use multirail_kernel::context::{Context, FreshKeys};
use multirail_kernel::ids::{PaymentId, ProcessorKey, RefundId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{Fact, Outcome};

use super::news::{at, shop};
use super::story::{Story, done};
use crate::fixture::{TestStore, changing};

/// The one key that a step needs.
struct Key(String);

impl FreshKeys for Key {
    fn next(&self) -> ProcessorKey {
        ProcessorKey::parse(&self.0).expect("a key")
    }
}

/// A requested refund: instant, with the stored account.
pub(super) struct Wish {
    pub(super) refund_id: &'static str,
    pub(super) amount: i64,
    pub(super) refund_type: RefundType,
    pub(super) credentials: Option<&'static str>,
    /// The time, in seconds.
    pub(super) seconds: i64,
}

pub(super) fn wish(refund_id: &'static str, amount: i64) -> Wish {
    Wish {
        refund_id,
        amount,
        refund_type: RefundType::Instant,
        credentials: None,
        seconds: 100,
    }
}

pub(super) fn id(refund: &str) -> RefundId {
    RefundId::parse(refund).expect("an id")
}

fn context(key: &Key, now: Timestamp) -> Context<'_> {
    Context {
        now,
        keys: key,
        calls_over_until: at(0),
    }
}

/// A payment of 65.40 that was captured. Each step is one server's: it reads, decides and stores.
pub(super) struct Refunding {
    pub(super) payment_id: PaymentId,
}

impl Refunding {
    pub(super) async fn begin(test: &TestStore, payment: &str) -> Refunding {
        let profile = test.merchant("bookshop").await.profiles.remove(0);
        Refunding::with_payment(test, payment, &profile).await
    }

    /// Stores another payment of the same merchant.
    pub(super) async fn on_another_payment(test: &TestStore, payment: &str) -> Refunding {
        let profiles = test.store.profiles(&shop()).await.expect("a list");
        Refunding::with_payment(test, payment, &profiles[0]).await
    }

    async fn with_payment(test: &TestStore, payment: &str, profile: &Profile) -> Refunding {
        let mut story = Story::begin(test, payment, profile).await;
        story.confirm(test).await;
        story.learns(test, done()).await;
        story.capture(test, 6540).await;
        story.learns(test, done()).await;
        Refunding {
            payment_id: story.payment_id,
        }
    }

    pub(super) async fn payment(&self, test: &TestStore) -> Payment {
        let found = test.store.payment(&shop(), &self.payment_id).await;
        found.expect("a read").expect("a payment")
    }

    /// Decides on a refund for the payment as it was read.
    pub(super) fn decide(payment: &Payment, wish: &Wish) -> Step {
        let mut paid = payment.clone();
        if let Some(identifier) = wish.credentials {
            // As if it had been paid with them.
            let attempt = paid.attempts.last_mut().expect("an attempt");
            attempt.merchant_connector_id = None;
            let brought = multirail_domain::payments::payment::BroughtCredentials {
                identifier: identifier.to_owned(),
                are_held: false,
                unread: Default::default(),
            };
            attempt.brought = Some(brought);
        }
        let create = Create {
            refund_id: id(wish.refund_id),
            named_merchant_id: None,
            amount: Some(wish.amount),
            reason: None,
            refund_type: wish.refund_type,
            metadata: None,
            credentials: AtHand {
                given: wish.credentials.map(str::to_owned),
                are_held: false,
            },
        };
        let key = Key(format!("mrk_{}_{}", payment.payment_id, wish.refund_id));
        let made = Refund::create(&paid, create, &context(&key, at(wish.seconds)));
        let mut made = made.expect("a refund");
        made.payment.attempts.clone_from(&payment.attempts);
        made
    }

    pub(super) async fn refund(&self, server: &TestStore, wish: Wish) -> Result<(), CommitError> {
        let payment = self.payment(server).await;
        let step = Refunding::decide(&payment, &wish);
        server
            .commit(changes(payment, None, step, wish.credentials))
            .await
    }

    /// Applies the processor's outcome of a refund.
    pub(super) async fn learns(
        &self,
        server: &TestStore,
        refund: &str,
        seconds: i64,
        outcome: Outcome,
    ) {
        let (payment, before) = (self.payment(server).await, server.refund(refund).await);
        let about = before.operation.key.clone();
        let fact = Input::Fact(Fact { about, outcome });
        self.step(server, payment, before, seconds, fact).await;
    }

    /// Stores a merchant's note on a refund, decided on this payment.
    pub(super) async fn note(&self, server: &TestStore, payment: Payment, refund: &str) {
        let update = Input::Command(Command::Update {
            reason: Some("returned".to_owned()),
            metadata: None,
        });
        let before = server.refund(refund).await;
        self.step(server, payment, before, 200, update).await;
    }

    async fn step(
        &self,
        server: &TestStore,
        payment: Payment,
        before: Refund,
        seconds: i64,
        input: Input,
    ) {
        let key = Key("mrk_unused".to_owned());
        let step = transition(&payment, &before, input, &context(&key, at(seconds)));
        let changes = changes(payment, Some(before), step, None);
        server.commit(changes).await.expect("a commit");
    }
}

/// Returns the changes that the use cases commit for a step.
pub(super) fn changes(
    payment: Payment,
    before: Option<Refund>,
    step: Step,
    brought: Option<&str>,
) -> Vec<Change> {
    let sums = RefundSums {
        refunded: step.payment.refunds_amount(),
        limit: step.payment.refunds_limit(),
    };
    let (merchant_id, refund_id) = (shop(), step.refund.refund_id.clone());
    let after = step.refund.into();
    let refund = match before {
        None => RefundChange::Insert {
            refund: after,
            sums,
        },
        Some(before) => RefundChange::Update {
            before: before.into(),
            after,
            sums,
        },
    };
    let mut changes: Vec<Change> = vec![changing(refund)];
    if payment != step.payment {
        let (before, after) = (payment.into(), step.payment.into());
        changes.push(changing(PaymentChange::Update { before, after }));
    }
    if let Some(credentials) = brought {
        changes.push(changing(RefundChange::HoldCredentials {
            merchant_id: merchant_id.clone(),
            refund_id: refund_id.clone(),
            credentials: SecretText::new(credentials),
        }));
    }
    if step.effects.contains(&Effect::DeleteCredentials) {
        changes.push(changing(RefundChange::DeleteCredentials {
            merchant_id,
            refund_id,
        }));
    }
    changes
}

impl TestStore {
    pub(super) async fn refund(&self, refund: &str) -> Refund {
        let found = self.store.refund(&shop(), &id(refund)).await;
        found.expect("a read").expect("a refund")
    }
}
