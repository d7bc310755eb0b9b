//! Tests of the worker's turns, over payments and a store in memory.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use multirail_app::fixture::{NOW, base_over, operator};
use multirail_app::platform::base::Base;
use multirail_app::platform::idempotency::{Claim, Commits, Render};
use multirail_app::platform::ports::CommitError;
use multirail_app::platform::ports::idempotency::{KeyRecord, StoredAnswer};
use multirail_app::platform::replays::Replay;
use multirail_app::{AppError, Origin};
use multirail_billing_domain::calendar::{Interval, IntervalUnit, Zone};
use multirail_billing_domain::chargeable::Chargeable;
use multirail_billing_domain::dunning::DunningSchedule;
use multirail_billing_domain::invoice_status::InvoiceStatus;
use multirail_billing_domain::price::Price;
use multirail_billing_domain::subscription::{
    Command, Context, Create, FreshIds, Input, Outcome, Plan, Standing, Subscription,
    SubscriptionStatus, Told, transition,
};
use multirail_domain::payments::payment::create::Create as CreatePayment;
use multirail_domain::payments::payment::{Changes, Payment};
use multirail_kernel::currency::Currency;
use multirail_kernel::idempotency::Fingerprint;
use multirail_kernel::ids::{
    ConnectorAccountId, CustomerId, InvoiceId, ItemId, ItemPriceId, MerchantId, PaymentId,
    PaymentMethodId, ProfileId, SubscriptionId,
};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;

use super::super::replay::SUBSCRIPTION;
use super::super::{Collector, SubscriptionView};
use super::fakes::{Core, Ledger, collector, subscriptions};
use crate::ports::subscriptions::ClaimedSubscription;

const DAY: i64 = 86_400;

fn begin() -> Timestamp {
    Timestamp::from_micros(NOW * 1_000_000)
}

pub(super) fn merchant_id() -> MerchantId {
    MerchantId::parse("shop").expect("an id")
}

/// Ten euros a month.
fn monthly() -> Price {
    Price {
        merchant_id: merchant_id(),
        merchant_connector_id: ConnectorAccountId::parse("mca_1").expect("an id"),
        item_price_id: ItemPriceId::parse("reader_monthly").expect("an id"),
        item_id: ItemId::parse("reader").expect("an id"),
        amount_minor: 1_000,
        currency: Currency::EUR,
        trial_days: 0,
        min_quantity: 1,
        max_quantity: 100,
        taxes: Vec::new(),
        zone: Zone::utc(),
        is_archived: false,
        created_at: Timestamp::EPOCH,
        modified_at: Timestamp::EPOCH,
        interval: Some(Interval::new(IntervalUnit::Month, 1).expect("an interval")),
        billing_cycles: None,
        unread: UnreadMembers::NONE,
    }
}

/// Ids of a subscription that has billed once.
struct Ids;

impl FreshIds for Ids {
    fn invoice_id(&self) -> InvoiceId {
        InvoiceId::parse("invoice_0").expect("an id")
    }

    fn payment_id(&self) -> PaymentId {
        PaymentId::parse("pay_0").expect("an id")
    }
}

/// Makes a subscription whose first payment is being confirmed.
fn confirming() -> Standing {
    let create = Create {
        merchant_id: merchant_id(),
        subscription_id: SubscriptionId::parse("sub_1").expect("an id"),
        profile_id: ProfileId::parse("pro_1").expect("an id"),
        customer_id: CustomerId::parse("cus_1").expect("an id"),
        merchant_reference_id: None,
        plan: Plan {
            name: "Reader".to_owned(),
            price: monthly(),
            quantity: 1,
            unread: UnreadMembers::default(),
        },
        coupon: None,
        invoice_id: InvoiceId::parse("invoice_1").expect("an id"),
        payment_id: PaymentId::parse("pay_1").expect("an id"),
    };
    let created = Subscription::create(create, Chargeable::ANY, begin()).expect("made");
    stepped(&created, Input::Command(Command::Confirm))
}

/// Makes a subscription that has paid its first month.
pub(super) fn active() -> Standing {
    let paid = Outcome::Paid {
        payment_method_id: Some(PaymentMethodId::parse("pm_1").expect("an id")),
    };
    let told = Told {
        invoice_id: InvoiceId::parse("invoice_1").expect("an id"),
        payment_id: PaymentId::parse("pay_1").expect("an id"),
        outcome: paid,
    };
    let paid = stepped(&confirming(), Input::Told(told));
    assert_eq!(paid.subscription.status, SubscriptionStatus::Active);
    paid
}

fn stepped(before: &Standing, input: Input) -> Standing {
    let context = Context {
        now: begin(),
        ids: &Ids,
        dunning: &DunningSchedule::default(),
        taken_back: &[],
        held: &[],
        chargeable: Chargeable::ANY,
    };
    let step = transition(before, input, &context).expect("a step");
    let open = match step.invoices.is_empty() {
        true => before.open.clone(),
        false => step.invoices,
    };
    Standing {
        subscription: step.subscription,
        open,
    }
}

/// A subscription whose second month has begun.
struct Renewal {
    base: Arc<Base>,
    ledger: Arc<Ledger>,
    core: Arc<Core>,
    collector: Arc<Collector>,
}

impl Renewal {
    fn new(core: Core) -> Self {
        let (ledger, core) = (Ledger::new(active()), Arc::new(core));
        let base = base_over(ledger.clone());
        let collector = collector(&base, &ledger, &core);
        base.clock.set_advanced_seconds(32 * DAY);
        Renewal {
            base,
            ledger,
            core,
            collector,
        }
    }

    /// Runs one turn of the worker. The payment that it requests fails with `trouble`.
    async fn turn(&self, trouble: AppError) -> Result<(), AppError> {
        self.core.troubles.lock().expect("no panic").push(trouble);
        let claimed = ClaimedSubscription {
            merchant_id: merchant_id(),
            subscription_id: SubscriptionId::parse("sub_1").expect("an id"),
            fence: 1,
        };
        self.collector.work_on(&operator(), &claimed).await
    }

    fn released(&self) -> usize {
        *self.ledger.released.lock().expect("no panic")
    }
}

fn declined() -> AppError {
    Refusal::precondition("the card is refused".to_owned()).into()
}

#[tokio::test(start_paused = true)]
async fn a_renewal_that_conflicts_is_decided_again() {
    let renewal = Renewal::new(Core::default());
    renewal.ledger.refuse(CommitError::Conflict);
    renewal.turn(declined()).await.expect("a turn");
    let invoices = renewal
        .ledger
        .standing
        .lock()
        .expect("no panic")
        .subscription
        .invoices;
    assert_eq!(invoices, 2, "the month is billed once");
    assert_eq!(renewal.core.asked().len(), 1, "and charged once");
    assert_eq!(renewal.released(), 1);
}

#[tokio::test]
async fn a_payment_that_cant_be_found_out_leaves_the_turn_for_later() {
    let renewal = Renewal::new(Core::default());
    let away = AppError::Unavailable("the database is away".to_owned());
    let failed = renewal.turn(away).await;
    assert!(
        matches!(failed, Err(AppError::Unavailable(_))),
        "{failed:?}"
    );
    assert_eq!(
        renewal.released(),
        0,
        "the claim is kept until its lease lapses"
    );
    let invoice = renewal.ledger.invoice(2);
    let current = invoice.current_try().expect("a try under way");
    assert_eq!(renewal.core.asked(), [current.payment_id.as_str()]);

    renewal.base.clock.set_advanced_seconds(33 * DAY);
    renewal.turn(declined()).await.expect("a turn");
    let asked = renewal.core.asked();
    assert_eq!(
        asked,
        [current.payment_id.as_str(), current.payment_id.as_str()]
    );
    assert_eq!(renewal.released(), 1);
}

#[tokio::test]
async fn a_charge_that_is_refused_is_tried_again_by_the_schedule() {
    let renewal = Renewal::new(Core::default());
    renewal.turn(declined()).await.expect("a turn");
    let invoice = renewal.ledger.invoice(2);
    assert_eq!(invoice.status, InvoiceStatus::PaymentFailed);
    let failed = invoice.tries.last().and_then(|it| it.failed.as_ref());
    assert_eq!(
        failed.expect("a failed try").why,
        "not charged: the card is refused"
    );
    let standing = renewal.ledger.standing.lock().expect("no panic").clone();
    let (due, _) = standing.due().expect("due again");
    assert!(due > renewal.base.now(), "{due:?}");
    assert_eq!(standing.subscription.status, SubscriptionStatus::Active);
}

#[tokio::test]
async fn a_redacted_customer_is_not_charged() {
    let renewal = Renewal::new(Core {
        is_redacted: true,
        ..Core::default()
    });
    renewal.turn(declined()).await.expect("a turn");
    renewal.base.clock.set_advanced_seconds(90 * DAY);
    renewal.turn(declined()).await.expect("a turn");
    assert_eq!(renewal.core.asked().len(), 1);
}

#[tokio::test]
async fn a_confirm_that_died_before_its_payment_is_carried_out_by_the_repeat() {
    let ledger = Ledger::new(confirming());
    let untouched = CreatePayment {
        merchant_id: merchant_id(),
        payment_id: PaymentId::parse("pay_1").expect("an id"),
        profile_id: ProfileId::parse("pro_1").expect("an id"),
        publishable_key: "pk_snd_1".to_owned(),
        initiator: None,
        owner: None,
        named_merchant_id: None,
        session_expiry_seconds: 900,
        confirm_at_once: false,
        changes: Changes {
            amount: Some(1_000),
            currency: Some(Currency::EUR),
            ..Changes::default()
        },
    };
    let untouched = Payment::create(untouched, begin()).expect("made").payment;
    let core = Arc::new(Core::default());
    core.payments.lock().expect("no panic").push(untouched);
    let base = base_over(ledger.clone());
    let subscriptions = subscriptions(&collector(&base, &ledger, &core), &core);
    let claim = Claim {
        merchant_id: merchant_id(),
        operation: "subscriptions_confirm",
        key: "key_1".to_owned(),
        fingerprint: Fingerprint::default(),
        commits: Commits::Several {
            of: SUBSCRIPTION,
            is_resumed: true,
        },
        render: Render::object(|_: &SubscriptionView| None),
        is_overtaken: AtomicBool::default(),
        is_answered: AtomicBool::default(),
        resumes: std::sync::OnceLock::new(),
    };
    let record = KeyRecord {
        fingerprint: Fingerprint::default(),
        object_id: "sub_1".to_owned(),
        answer: StoredAnswer::NotYet,
        lease_until: Timestamp::EPOCH,
    };
    base.clock.set_advanced_seconds(120);
    let worker: Origin = operator();
    let answer = subscriptions.replay(&worker, &claim, &record).await;
    assert!(answer.expect("looked").is_none(), "the repeat does it");
    let left = claim.resumes.get().expect("what is left");
    assert_eq!(left.object_id, "sub_1");
    let before = confirming();
    let (due_before, due) = (before.open[0].due_at, ledger.invoice(1).due_at);
    assert!(due > due_before, "the worker looks later: {due:?}");
}
