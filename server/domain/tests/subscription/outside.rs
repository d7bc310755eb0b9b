//! A subscription whose periods an outside billing engine counts.

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

use crate::matrix::{LEGEND, cell, inputs};
use crate::story::*;

fn wanted() -> Create {
    Create {
        merchant_id: MerchantId::parse("bookshop").expect("an id"),
        subscription_id: SubscriptionId::parse("sub_1").expect("an id"),
        profile_id: ProfileId::parse("pro_1").expect("an id"),
        customer_id: CustomerId::parse("cus_1").expect("an id"),
        merchant_reference_id: None,
        plan: plan(monthly()),
        coupon: None,
        invoice_id: InvoiceId::parse("invoice_1").expect("an id"),
        payment_id: PaymentId::parse("pay_1").expect("an id"),
    }
}

/// Made, not confirmed.
fn created() -> Story {
    let mut story = Story::created(monthly());
    let billed = open(&monthly(), "Reader", 1, None, 0, story.now);
    let billed = billed.expect("an invoice").billed;
    let standing = Subscription::create_outside(wanted(), &billed, story.now);
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

/// A year of dates passes: our own engine bills none of them.
#[test]
fn nothing_is_billed_but_what_the_engine_says() {
    let mut story = active();
    story.passes(400);
    assert_eq!(story.invoices.len(), 1);
    let told = story.takes(Input::Command(Command::Pause(When::Now)));
    told.expect("it may");
    story.passes(400);
    assert_eq!(story.invoices.len(), 1);
}

#[test]
fn an_invoice_of_the_engine_is_taken_over_once() {
    let mut story = billed();
    assert_eq!(story.invoices.len(), 2);
    stands(&mut story, SubscriptionStatus::Active, &["in_2"]);
    assert_eq!(story.invoices.len(), 2);
    charged(&mut story, paid());
    assert_eq!(story.invoices[1].status, InvoiceStatus::Paid);
    // The engine hasn't taken note yet, and names it still.
    stands(&mut story, SubscriptionStatus::Active, &["in_2"]);
    does(&mut story, SubscriptionStatus::Active, &["in_2"]);
    assert_eq!(story.invoices.len(), 2);
    assert_eq!(outside(&story).to_record, []);
}

#[test]
fn what_the_engine_does_not_want_any_more_is_not_charged() {
    let mut story = billed();
    // By the time it is charged, the engine's word is old.
    story.now = story.now.plus_seconds(3_600).expect("in range");
    let effects = story.takes(Input::Time).expect("it may");
    assert_eq!(effects, [Effect::LookAtEngine]);
    stands(&mut story, SubscriptionStatus::Active, &[]);
    assert_eq!(story.invoices[1].status, InvoiceStatus::Voided);
    assert_eq!(story.invoices[1].tries, []);
    assert_eq!(story.standing.open, []);

    // A payment under way is waited for: money may have moved.
    let mut story = billed();
    story.takes(Input::Time).expect("it is charged");
    stands(&mut story, SubscriptionStatus::Active, &[]);
    assert_eq!(story.invoices[1].status, InvoiceStatus::PaymentPending);
    // Where the engine says that it wants it, it is charged at once.
    let mut story = billed();
    story.now = story.now.plus_seconds(3_600).expect("in range");
    story.takes(Input::Time).expect("it may");
    stands(&mut story, SubscriptionStatus::Active, &["in_2"]);
    let effects = story.takes(Input::Time).expect("it may");
    assert!(matches!(effects[..], [Effect::Charge(_)]), "{effects:?}");
}

/// One thing is asked after the other, and what was done is told until the engine takes note.
#[test]
fn a_refused_note_is_told_again_and_keeps_nobody_waiting() {
    let mut story = billed();
    charged(&mut story, paid());
    let asked = |story: &Story| {
        let asked = outside(story).asked.clone();
        asked.map(|asked| (asked.wish.operation(), asked.key))
    };
    let (operation, key) = asked(&story).expect("it is told");
    assert_eq!(operation, EngineOperation::Record);
    let refusal = story.takes(Input::Command(Command::Pause(When::Now)));
    assert!(
        matches!(refusal, Err(Refusal::Precondition { .. })),
        "{refusal:?}"
    );
    let input = told(&story, refused());
    story.takes(input).expect("it is never refused");
    assert_eq!(asked(&story), None);
    // Meanwhile the merchant may have his way.
    let mut other = story.clone();
    other.does(Command::Pause(When::Now));
    let (at, due) = story.standing.due().expect("it is told again");
    assert_eq!(due, Due::AskEngine);
    story.now = at;
    assert_eq!(
        story.takes(Input::Time).expect("it may"),
        [Effect::AskEngine]
    );
    let (operation, again) = asked(&story).expect("it is told again");
    assert_eq!(operation, EngineOperation::Record);
    assert_ne!(again, key, "under the same key it would be refused again");
}

#[test]
fn an_answer_that_is_lost_is_asked_for_under_the_same_key() {
    let mut story = active();
    story.does(Command::Pause(When::Now));
    let key = outside(&story).asked.clone().expect("it is asked").key;
    let input = told(&story, unknown());
    assert_eq!(story.takes(input), Ok(vec![]));
    assert_eq!(story.status(), SubscriptionStatus::Active);
    for _ in 0..40 {
        let (at, due) = story.standing.due().expect("it is asked again");
        story.now = at;
        if due == Due::AskEngine {
            assert_eq!(
                story.takes(Input::Time).expect("it may"),
                [Effect::AskEngine]
            );
        } else {
            stands(&mut story, SubscriptionStatus::Active, &[]);
        }
        assert_eq!(outside(&story).asked.clone().expect("it is asked").key, key);
    }
    does(&mut story, SubscriptionStatus::Paused, &[]);
    assert_eq!(story.status(), SubscriptionStatus::Paused);
    // Told once more, or of another request, it changes nothing.
    let before = story.standing.clone();
    does(&mut story, SubscriptionStatus::Active, &[]);
    assert_eq!(story.standing, before);
}

#[test]
fn nobody_pays_for_what_the_engine_bills_otherwise() {
    let mut story = created();
    story.does(Command::Confirm);
    let mut dearer = state(&story, SubscriptionStatus::Pending, &[]);
    dearer.open_invoices = vec![bills("in_1", 1_100)];
    let input = told(&story, EngineOutcome::Done(dearer));
    let effects = story.takes(input).expect("it is never refused");
    assert_eq!(story.status(), SubscriptionStatus::Failed);
    let payment_id = PaymentId::parse("pay_1").expect("an id");
    assert_eq!(
        effects,
        [Effect::CancelPayment(payment_id), Effect::AskEngine]
    );
    let asked = outside(&story).asked.as_ref().expect("it is asked");
    assert_eq!(asked.wish, Wish::End);
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

/// It was paid before it was heard that the engine had made it: what that bills is what was paid.
#[test]
fn nobody_pays_the_first_invoice_twice() {
    let mut story = created();
    story.does(Command::Confirm);
    story.told(paid());
    assert_eq!(outside(&story).to_record.len(), 1);
    does(&mut story, SubscriptionStatus::Pending, &["in_1"]);
    assert_eq!(story.invoices.len(), 1);
    let asked = outside(&story).asked.as_ref().expect("it is told");
    let Wish::Record(record) = &asked.wish else {
        panic!("{asked:?}");
    };
    assert_eq!(record.reference.as_deref(), Some("in_1"));
}

fn key_of(story: &Story) -> Option<ProcessorKey> {
    outside(story).asked.as_ref().map(|asked| asked.key.clone())
}

fn never_happened() -> EngineOutcome {
    EngineOutcome::NeverHappened {
        reason: "busy".to_owned(),
    }
}

/// A request that somebody has taken up again may have been done by them, whatever came of the first try.
#[test]
fn what_was_taken_up_again_is_not_known_never_to_have_happened() {
    let mut story = created();
    story.does(Command::Confirm);
    let mut alone = story.clone();
    let input = told(&alone, never_happened());
    alone.takes(input).expect("it is never refused");
    assert_eq!(key_of(&alone), None, "nobody else asked");

    let key = key_of(&story);
    assert_eq!(story.does(Command::Confirm), [Effect::AskEngine]);
    let input = told(&story, never_happened());
    story.takes(input).expect("it is never refused");
    assert_eq!(key_of(&story), key);
    does(&mut story, SubscriptionStatus::Pending, &["in_1"]);
    assert_eq!(outside(&story).reference.as_deref(), Some("engine_1"));
}

#[test]
fn what_is_collected_after_the_end_is_charged_while_the_engine_wants_it() {
    let mut ended = billed();
    charged(&mut ended, failed(RetryAdvice::MayRetry));
    ended.does(Command::Cancel(Cancel {
        receivables: ReceivablesHandling::SchedulePaymentCollection,
        ..cancel(When::Now)
    }));
    does(&mut ended, SubscriptionStatus::Cancelled, &["in_2"]);
    charged(&mut ended, failed(RetryAdvice::MayRetry));
    let asked_about = |story: &mut Story| {
        let (at, _) = story.standing.due().expect("it is tried again");
        story.now = at;
        let effects = story.takes(Input::Time).expect("it may");
        assert_eq!(effects, [Effect::LookAtEngine]);
    };
    asked_about(&mut ended);
    let mut wanted = ended.clone();
    stands(&mut wanted, SubscriptionStatus::Cancelled, &["in_2"]);
    let effects = wanted.takes(Input::Time).expect("it may");
    assert!(matches!(effects[..], [Effect::Charge(_)]), "{effects:?}");
    // The engine's invoices from after the end are nobody's.
    stands(&mut ended, SubscriptionStatus::Cancelled, &["in_3"]);
    assert_eq!(ended.invoices[1].status, InvoiceStatus::Voided);
    assert_eq!(ended.invoices.len(), 2);
    assert_eq!(ended.standing.due(), None);
}

/// The engine takes no note of one payment, ever: it is told of the others all the same, and of the end.
#[test]
fn a_note_that_is_refused_for_good_holds_nothing_up() {
    let mut story = billed();
    charged(&mut story, paid());
    let mut noted = Vec::new();
    stands(&mut story, SubscriptionStatus::Active, &["in_2", "in_3"]);
    for _ in 0..12 {
        let wish = outside(&story)
            .asked
            .as_ref()
            .map(|asked| asked.wish.clone());
        match wish {
            Some(Wish::Record(record)) if record.reference.as_deref() == Some("in_2") => {
                let input = told(&story, refused());
                story.takes(input).expect("it is never refused");
            }
            Some(Wish::Record(record)) => {
                noted.extend(record.reference);
                does(&mut story, SubscriptionStatus::Active, &["in_2"]);
            }
            Some(other) => panic!("{other:?}"),
            None => {
                let (at, _) = story.standing.due().expect("there is more to tell");
                story.now = at;
                let effects = story.takes(Input::Time).expect("it may");
                if effects.contains(&Effect::LookAtEngine) {
                    stands(&mut story, SubscriptionStatus::Active, &["in_2", "in_3"]);
                } else if matches!(effects[..], [Effect::Charge(_)]) {
                    story.told(paid());
                }
            }
        }
    }
    assert_eq!(noted, ["in_3"]);
}

#[test]
fn what_the_engine_makes_after_the_end_is_ended_there() {
    let mut story = created();
    story.does(Command::Confirm);
    let input = told(&story, unknown());
    story.takes(input).expect("it is never refused");
    story.told(failed(RetryAdvice::MayRetry));
    assert_eq!(story.status(), SubscriptionStatus::Failed);
    does(&mut story, SubscriptionStatus::Pending, &["in_1"]);
    let asked = outside(&story).asked.as_ref().expect("it is asked");
    assert_eq!(asked.wish, Wish::End);
}

#[test]
fn a_state_of_another_subscription_is_not_this_ones() {
    let mut story = active();
    let before = story.standing.clone();
    let mut others = state(&story, SubscriptionStatus::Cancelled, &["in_9"]);
    others.reference = "engine_9".to_owned();
    story
        .takes(Input::EngineState(Box::new(others.clone())))
        .expect("it is never refused");
    assert_eq!(story.standing, before);
    story.does(Command::Pause(When::Now));
    let key = key_of(&story);
    let input = told(&story, EngineOutcome::Done(others));
    story.takes(input).expect("it is never refused");
    assert_eq!(key_of(&story), key, "it isn't known what became of it");
    assert_eq!(story.status(), SubscriptionStatus::Active);
}

#[test]
fn an_invoice_is_remembered_once() {
    let mut story = made();
    stands(&mut story, SubscriptionStatus::Pending, &["in_1"]);
    stands(&mut story, SubscriptionStatus::Pending, &["in_1"]);
    assert_eq!(outside(&story).invoices, ["in_1"]);
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
        ..wanted()
    };
    let refused = Subscription::create_outside(many, &billed, Timestamp::EPOCH);
    assert!(refused.is_err());
}

/// What an answer says is older than what somebody has read since: nothing of it is taken over but that it was done.
#[test]
fn an_old_answer_takes_nothing_back() {
    let mut story = active();
    story.does(Command::Pause(When::Now));
    let old = told(
        &story,
        EngineOutcome::Done(state(&story, SubscriptionStatus::Paused, &[])),
    );
    story.now = story.now.plus_seconds(1).expect("in range");
    stands(&mut story, SubscriptionStatus::Active, &["in_2"]);
    story.takes(old).expect("it is never refused");
    assert_eq!(
        story.invoices[1].status,
        InvoiceStatus::Created,
        "it is still owed"
    );
    assert_eq!(story.status(), SubscriptionStatus::Active);
    assert_eq!(key_of(&story), None);
    assert_eq!(
        outside(&story).look_at,
        Some(story.now),
        "the engine is read once more"
    );
}
