//! A subscription whose periods an outside billing engine counts.

mod asking;
mod invoices;

use std::fmt::Write;

use multirail_domain::billing::calendar::Period;
use multirail_domain::billing::dunning::RetryAdvice;
use multirail_domain::billing::invoice::{Line, LineKind};
use multirail_domain::billing::invoice_status::InvoiceStatus;
use multirail_domain::billing::opening::open;
use multirail_domain::connector::UnknownReason;
use multirail_domain::currency::Currency;
use multirail_domain::ids::*;
use multirail_domain::refusal::Refusal;
use multirail_domain::subscription::outside::*;
use multirail_domain::subscription::*;
use multirail_domain::timestamp::Timestamp;
use multirail_domain::unread::UnreadMembers;

use crate::given::*;
use crate::matrix::{LEGEND, cell, inputs};
use crate::story::*;

/// Made, not confirmed.
fn created() -> Story {
    let mut story = Story::created(monthly());
    let billed = open(&monthly(), "Reader", 1, None, 0, story.now);
    let billed = billed.expect("an invoice").billed;
    let standing = Subscription::create_outside(wanted(monthly(), None), &billed, story.now);
    story.standing = standing.expect("one piece");
    story.invoices.clone_from(&story.standing.open);
    story
}

fn outside(story: &Story) -> &Outside {
    let outside = story.standing.subscription.outside.as_ref();
    outside.expect("an outside engine bills it")
}

fn bills(reference: &str, amount: i64) -> EngineInvoice {
    EngineInvoice {
        reference: reference.to_owned(),
        amount,
        currency: Currency::EUR,
        period: None,
        lines: vec![Line {
            kind: LineKind::Subscription,
            description: "Reader".to_owned(),
            quantity: 1,
            unit_amount_minor: amount,
            amount_minor: amount,
            item_price_id: None,
            period: None,
            item_id: None,
            unread: UnreadMembers::NONE,
        }],
    }
}

fn state(story: &Story, status: SubscriptionStatus, open: &[&str]) -> EngineState {
    let next = story.now.plus_seconds(30 * DAY).expect("in range");
    EngineState {
        reference: "engine_1".to_owned(),
        status,
        next_billing_at: status.is_running().then_some(next),
        period: Some(Period {
            start: story.now,
            end: next,
        }),
        paused_at: None,
        pauses_at: None,
        resumes_at: None,
        cancelled_at: None,
        cancels_at: None,
        open_invoices: open
            .iter()
            .map(|reference| bills(reference, 1_000))
            .collect(),
    }
}

fn told(story: &Story, outcome: EngineOutcome) -> Input {
    let asked = outside(story).asked.as_ref();
    let none = || ProcessorKey::parse("mrk_none").expect("a key");
    Input::EngineTold(EngineTold {
        key: asked.map_or_else(none, |asked| asked.key.clone()),
        looked_at: outside(story).looked_at,
        outcome,
    })
}

fn refused() -> EngineOutcome {
    EngineOutcome::Refused {
        code: "DC_18".to_owned(),
        message: "no".to_owned(),
    }
}

fn unknown() -> EngineOutcome {
    EngineOutcome::Unknown(UnknownReason::Timeout)
}

/// The engine does what it was asked for, and the subscription stands so there.
fn does(story: &mut Story, status: SubscriptionStatus, open: &[&str]) -> Vec<Effect> {
    let done = EngineOutcome::Done(state(story, status, open));
    let input = told(story, done);
    story.takes(input).expect("it is never refused")
}

/// The engine is read.
fn stands(story: &mut Story, status: SubscriptionStatus, open: &[&str]) -> Vec<Effect> {
    let state = Box::new(state(story, status, open));
    story
        .takes(Input::EngineState(state))
        .expect("it is never refused")
}

fn made() -> Story {
    let mut story = created();
    assert_eq!(story.does(Command::Confirm), [Effect::AskEngine]);
    does(&mut story, SubscriptionStatus::Pending, &["in_1"]);
    story
}

fn to_be_told() -> Story {
    let mut story = made();
    story.told(paid());
    story
}

fn active() -> Story {
    let mut story = to_be_told();
    does(&mut story, SubscriptionStatus::Active, &[]);
    story
}

fn paused() -> Story {
    let mut story = active();
    story.does(Command::Pause(When::Now));
    does(&mut story, SubscriptionStatus::Paused, &[]);
    story
}

fn billed() -> Story {
    let mut story = active();
    story.now = story.now.plus_seconds(31 * DAY).expect("in range");
    stands(&mut story, SubscriptionStatus::Active, &["in_2"]);
    story
}

/// The payment of the newest invoice ends so.
fn charged(story: &mut Story, outcome: Outcome) -> Vec<Effect> {
    story.takes(Input::Time).expect("it is charged");
    story.told(outcome)
}

fn unpaid() -> Story {
    let mut story = billed();
    charged(&mut story, failed(RetryAdvice::DoNotRetry));
    story
}

fn statuses() -> Vec<(&'static str, Story)> {
    let mut asked = created();
    asked.does(Command::Confirm);
    let mut pausing = active();
    pausing.does(Command::Pause(When::Now));
    let mut cancelled = active();
    cancelled.does(Command::Cancel(cancel(When::Now)));
    does(&mut cancelled, SubscriptionStatus::Cancelled, &[]);
    let mut failing = made();
    failing.told(failed(RetryAdvice::MayRetry));
    vec![
        ("created", created()),
        ("created: the engine is asked to make it", asked),
        ("created: the engine has made it", made()),
        ("pending: the engine is told of the payment", to_be_told()),
        ("active", active()),
        ("active: an invoice is to be charged", billed()),
        ("active: the engine is asked to pause it", pausing),
        ("paused", paused()),
        ("unpaid", unpaid()),
        ("cancelled", cancelled),
        ("failed: the engine is told to end it", failing),
    ]
}

#[test]
fn status_by_input_with_an_outside_engine() {
    let legend = LEGEND.lines().skip(1);
    let mut table = legend.fold(
        "What every input does to a subscription that an outside billing engine bills.\n"
            .to_owned(),
        |table, line| table + line + "\n",
    );
    for (name, story) in statuses() {
        write!(table, "\n{name}\n").expect("a text");
        let is_shared = |name: &str| !name.contains("refund") && !name.starts_with("cancel,");
        let shared = inputs(&story).into_iter();
        let shared = shared.filter(|(name, _)| is_shared(name));
        let done = |status, open: &[&str]| EngineOutcome::Done(state(&story, status, open));
        let read =
            |status, open: &[&str]| Input::EngineState(Box::new(state(&story, status, open)));
        let theirs = [
            (
                "done: pending",
                told(&story, done(SubscriptionStatus::Pending, &["in_1"])),
            ),
            (
                "done: active",
                told(&story, done(SubscriptionStatus::Active, &[])),
            ),
            (
                "done: paused",
                told(&story, done(SubscriptionStatus::Paused, &[])),
            ),
            ("refused", told(&story, refused())),
            ("never happened", told(&story, never_happened())),
            ("unknown", told(&story, unknown())),
            (
                "new invoice",
                read(SubscriptionStatus::Active, &["in_2", "in_3"]),
            ),
            ("paused there", read(SubscriptionStatus::Paused, &[])),
            ("cancelled there", read(SubscriptionStatus::Cancelled, &[])),
        ];
        for (input_name, input) in shared.chain(theirs) {
            let cell = cell(&story, input);
            writeln!(table, "  {input_name:<17}{cell}").expect("a text");
        }
    }
    insta::assert_snapshot!("outside_status_by_input", table);
}

#[test]
fn a_subscription_stays_with_its_billing_account() {
    let mut of_another = monthly();
    of_another.merchant_connector_id = ConnectorAccountId::parse("mca_2").expect("an id");
    for mut story in [active(), Story::active()] {
        let dearer = Box::new(update(of_another.clone()));
        let refused = story.takes(Input::Command(Command::Update(dearer)));
        let refused = refused.expect_err("another account's").to_string();
        assert!(
            refused.contains("mca_1, which bills this subscription"),
            "{refused}"
        );
    }
}

#[test]
fn an_end_at_a_date_is_the_engines() {
    let mut story = active();
    story.does(Command::Cancel(cancel(When::EndOfTerm)));
    let end = story.now.plus_seconds(10 * DAY).expect("in range");
    let mut planned = state(&story, SubscriptionStatus::Active, &[]);
    planned.cancels_at = Some(end);
    let input = told(&story, EngineOutcome::Done(planned));
    story.takes(input).expect("it is never refused");
    assert_eq!(story.status(), SubscriptionStatus::Active);
    let cancelling = story.standing.subscription.cancelling.as_ref();
    assert_eq!(cancelling.map(|it| it.at), Some(end));
    while let Some((at, due)) = story.standing.due().filter(|(at, _)| *at < end) {
        story.now = at;
        assert_eq!(due, Due::LookAtEngine);
        story.takes(Input::Time).expect("it may");
        let mut planned = state(&story, SubscriptionStatus::Active, &[]);
        planned.cancels_at = Some(end);
        let input = Input::EngineState(Box::new(planned));
        story.takes(input).expect("it is never refused");
    }
    let at: Timestamp = story.standing.due().expect("it is looked at").0;
    assert_eq!(at, end);
    story.now = end;
    stands(&mut story, SubscriptionStatus::Cancelled, &[]);
    assert_eq!(story.status(), SubscriptionStatus::Cancelled);
    assert_eq!(story.standing.due(), None);
}

/// Its payer has had nothing, whatever becomes of the payment.
#[test]
fn what_is_cancelled_before_it_began_is_given_back() {
    let mut story = made();
    story.told(Outcome::Pending);
    assert_eq!(story.status(), SubscriptionStatus::Pending);
    story.does(Command::Cancel(cancel(When::Now)));
    let payment_id = PaymentId::parse("pay_1").expect("an id");
    let effects = does(&mut story, SubscriptionStatus::Cancelled, &[]);
    assert_eq!(effects, [Effect::CancelPayment(payment_id)]);
    assert_eq!(story.status(), SubscriptionStatus::Cancelled);
    assert!(story.standing.subscription.cancelled_at.is_some());
    let mut too_late = story.clone();
    too_late.told(paid());
    assert_eq!(outside(&too_late).asked, None, "the engine isn't told");
    assert_eq!(too_late.standing.subscription.credit_to_refund(), 1_000);
    too_late.passes(1);
    assert_eq!(too_late.standing.subscription.refunded(), 1_000);
    story.told(failed(RetryAdvice::DoNotRetry));
    assert_eq!(story.standing.subscription.credit, 0);
    assert_eq!(story.standing.due(), None);
}

/// A first payment may be on its way for days, in which the engine is asked as ever.
#[test]
fn what_the_engine_ends_while_its_first_payment_is_on_its_way_is_called_off() {
    let mut story = made();
    story.told(Outcome::Pending);
    let asked = |story: &mut Story| {
        let due = |story: &Story| story.standing.due().expect("something is due");
        while due(story).1 != Due::LookAtEngine {
            story.now = due(story).0;
            story.takes(Input::Time).expect("it may");
            story.told(Outcome::Pending);
        }
        story.now = due(story).0;
        story.takes(Input::Time).expect("it may")
    };
    for _ in 0..2 {
        assert_eq!(asked(&mut story), [Effect::LookAtEngine]);
        stands(&mut story, SubscriptionStatus::Pending, &["in_1"]);
        assert_eq!(story.status(), SubscriptionStatus::Pending);
    }
    assert_eq!(asked(&mut story), [Effect::LookAtEngine]);
    let payment_id = PaymentId::parse("pay_1").expect("an id");
    let effects = stands(&mut story, SubscriptionStatus::Cancelled, &[]);
    assert_eq!(effects, [Effect::CancelPayment(payment_id)]);
    story.told(paid());
    assert_eq!(outside(&story).asked, None, "the engine isn't told");
    assert_eq!(story.standing.subscription.credit_to_refund(), 1_000);
}

fn never_happened() -> EngineOutcome {
    EngineOutcome::NeverHappened {
        reason: "busy".to_owned(),
    }
}

#[test]
fn a_quantity_that_the_price_does_not_take_is_refused() {
    let billed = open(&monthly(), "Reader", 1, None, 0, Timestamp::EPOCH);
    let billed = billed.expect("an invoice").billed;
    let many = Create {
        plan: Plan {
            quantity: 101,
            ..plan(monthly())
        },
        ..wanted(monthly(), None)
    };
    let refused = Subscription::create_outside(many, &billed, Timestamp::EPOCH);
    assert!(refused.is_err());
}
