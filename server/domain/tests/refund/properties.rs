//! Invariants under any requests of merchants and any answers of processors, in any order.

use multirail_domain::operations::operation::Progress;
use multirail_domain::payments::payment::{AtHand, CaptureMethod, Payment};
use multirail_domain::payments::refund::{
    Command, Create, Effect, Input, Refund, RefundStatus, RefundType, Step,
};
use multirail_kernel::announcement::AnnouncedStatus;
use multirail_sdk::connector::Outcome;
use proptest::prelude::*;

use crate::money::{is_storable, the_status_is_true, the_sums_agree};
use crate::story::Refunds;
use crate::support::AMOUNT;
use crate::support::outcomes::*;
use crate::support::story::{CAPTURE, Story};

#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "a story has few moves, and most of them are answers"
)]
enum Move {
    Create(Option<i64>, RefundType),
    Update,
    Sync(usize),
    /// An answer about one of the refunds.
    Answer(usize, Outcome),
    Wait(i64),
}

fn amount() -> impl Strategy<Value = i64> {
    prop::sample::select(&[0, 1, 1000, 2540, 4000, AMOUNT, AMOUNT + 1])
}

fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        6 => Just(done()),
        1 => amount().prop_map(done_for),
        1 => Just(done_for(-1)),
        1 => Just(done_for(i64::MAX)),
        1 => Just(done_in(AMOUNT, "EUR")),
        1 => Just(redirect()),
        4 => Just(declined()),
        2 => Just(taken_back()),
        3 => Just(pending()),
        4 => Just(never_happened()),
        2 => Just(unknown()),
    ]
}

fn a_move() -> impl Strategy<Value = Move> {
    let kind = || prop::sample::select(RefundType::ALL);
    prop_oneof![
        5 => (prop::option::weighted(0.8, amount()), kind()).prop_map(|(amount, kind)| Move::Create(amount, kind)),
        1 => Just(Move::Update),
        2 => (0..12_usize).prop_map(Move::Sync),
        10 => (0..12_usize, outcome()).prop_map(|(nth, outcome)| Move::Answer(nth, outcome)),
        1 => prop::sample::select(&[1, 60, 3_600, 86_400]).prop_map(Move::Wait),
    ]
}

/// Generates a payment: captured automatically, wholly, or in part.
fn paid() -> impl Strategy<Value = Payment> {
    prop::option::of(prop::sample::select(&[1, 4000, AMOUNT])).prop_map(|captured| {
        let Some(captured) = captured else {
            return Story::approved(CaptureMethod::Automatic).payment;
        };
        let mut story = Story::approved(CaptureMethod::Manual);
        story.capture(Some(captured));
        story.answer(CAPTURE, done());
        story.payment
    })
}

/// Returns the refund that a move concerns, counted from 1, and its input.
fn input(story: &Refunds, next: &Move) -> Option<(usize, Input)> {
    let count = story.refunds.len();
    let nth = |nth: usize| (count > 0).then(|| nth % count.max(1) + 1);
    match next {
        Move::Create(..) | Move::Wait(_) => None,
        Move::Update => {
            let update = Command::Update {
                reason: Some("returned".to_owned()),
                metadata: None,
            };
            Some((nth(0)?, Input::Command(update)))
        }
        Move::Sync(which) => Some((nth(*which)?, Input::Command(Command::Sync))),
        Move::Answer(which, outcome) => {
            let nth = nth(*which)?;
            Some((nth, Input::Fact(story.fact(nth, outcome.clone()))))
        }
    }
}

fn announcements_are_true(story: &Refunds, before: Option<&Refund>, step: &Step) {
    let refund = &step.refund;
    let mut announced = 0;
    for effect in &step.effects {
        let Effect::Announce(announcement) = effect else {
            continue;
        };
        announced += 1;
        assert_eq!(announcement.status, AnnouncedStatus::Refund(refund.status));
        assert_eq!(Some(announcement.event_type), refund.status.event());
        let id = refund.refund_id.as_str();
        let about = if is_taken_back(refund) {
            format!("{id}_taken_back")
        } else {
            id.to_owned()
        };
        assert_eq!(announcement.about, about);
    }
    let is_news = before.is_some_and(|before| before.status != refund.status);
    let is_told = is_news && refund.status.event().is_some();
    assert_eq!(announced, usize::from(is_told), "{}", story.page());
}

fn calls_name_what_is_stored(step: &Step) {
    for effect in &step.effects {
        match effect {
            Effect::Call(key) | Effect::LookUp(key) => {
                assert_eq!(*key, step.refund.operation.key);
                assert_ne!(step.refund.operation.progress, Progress::Done);
            }
            Effect::Announce(_) => {}
            Effect::DeleteCredentials => assert!(!step.refund.holds_credentials()),
        }
    }
}

/// Checks that only the sums of refunds change in the payment.
fn the_payment_stays(before: &Payment, after: &Payment) {
    let expected = Payment {
        refunds: after.refunds.clone(),
        modified_at: after.modified_at,
        ..before.clone()
    };
    assert_eq!(*after, expected);
}

fn is_taken_back(refund: &Refund) -> bool {
    let decline = refund.operation.decline.as_ref();
    decline.is_some_and(|decline| decline.takes_back)
}

fn endings_stay(before: &Refund, after: &Refund) {
    if is_taken_back(before) {
        assert_eq!(after.status, before.status);
        assert!(is_taken_back(after));
    }
    if is_taken_back(after) {
        assert_eq!(after.status, RefundStatus::Failed);
        return;
    }
    if before.operation.progress == Progress::Done {
        assert_eq!(
            (before.status, &before.operation),
            (after.status, &after.operation)
        );
    }
    if before.status == RefundStatus::Succeeded {
        assert_eq!(after.status, RefundStatus::Succeeded);
    }
}

fn play(payment: Payment, moves: &[Move]) {
    let mut story = Refunds::with_payment(payment);
    for next in moves {
        let payment = story.payment.clone();
        match next {
            Move::Create(amount, refund_type) => {
                let create = Create {
                    refund_type: *refund_type,
                    credentials: AtHand::default(),
                    ..story.wish(*amount)
                };
                let refundable = payment.refundable_amount();
                let Ok(step) = story.try_create(create) else {
                    continue;
                };
                assert!(step.refund.amount() <= refundable);
                announcements_are_true(&story, None, &step);
                calls_name_what_is_stored(&step);
                story.refunds.push(step.refund.clone());
                let nth = story.refunds.len();
                story.take("create", nth, step);
            }
            Move::Wait(seconds) => story.wait(*seconds),
            Move::Update | Move::Sync(_) | Move::Answer(..) => {
                let Some((nth, given)) = input(&story, next) else {
                    continue;
                };
                let before = story.refunds[nth - 1].clone();
                let step = story.try_input(nth, given);
                endings_stay(&before, &step.refund);
                announcements_are_true(&story, Some(&before), &step);
                calls_name_what_is_stored(&step);
                story.take(&format!("{next:?}"), nth, step);
                if let (Move::Answer(..), Some((nth, again))) = (next, input(&story, next)) {
                    let repeated = story.try_input(nth, again);
                    assert_eq!(
                        repeated.refund,
                        story.refunds[nth - 1],
                        "repeated: {next:?}"
                    );
                    assert_eq!(repeated.payment, story.payment, "repeated: {next:?}");
                    assert!(repeated.effects.is_empty(), "repeated: {next:?}");
                }
            }
        }
        the_payment_stays(&payment, &story.payment);
        is_storable(&story);
        the_sums_agree(&story);
        story.refunds.iter().for_each(the_status_is_true);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn invariants_hold_under_any_moves(payment in paid(), moves in prop::collection::vec(a_move(), 1..40)) {
        play(payment, &moves);
    }
}
