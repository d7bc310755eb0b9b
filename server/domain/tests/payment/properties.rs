//! Invariants under any requests of merchants and any answers of processors, in any order.

use multirail_domain::payments::payment::{
    AnnouncedStatus, AtHand, Attempt, AttemptStatus, CaptureMethod, Changes, Command, Effect, Fact,
    Input, Operation, Payment, PaymentStatus, PostCaptureVoidStatus, Progress, Step,
};
use multirail_kernel::event::EventType;
use multirail_sdk::connector::{OperationKind, Outcome};
use proptest::prelude::*;

use crate::money::{amounts_fit_the_status, is_storable, the_money_adds_up};
use crate::support::outcomes::*;
use crate::support::story::{Story, effect_words};
use crate::support::{AMOUNT, may_be_raised, purchase, with_card};

#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "a story has few moves, and most of them are answers"
)]
enum Move {
    Confirm,
    Update,
    Capture(Option<i64>),
    Cancel,
    Complete,
    Approve,
    Reject,
    CancelPostCapture,
    Raise(i64),
    Sync,
    /// An answer about one of all operations, counted over every attempt.
    Answer(usize, Outcome),
}

fn amount() -> impl Strategy<Value = i64> {
    prop_oneof![
        3 => Just(1000),
        3 => Just(2540),
        3 => Just(4000),
        2 => Just(AMOUNT),
        1 => Just(AMOUNT + 1),
        1 => Just(7521),
        1 => Just(7522),
        1 => Just(0),
    ]
}

fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        6 => Just(done()),
        1 => amount().prop_map(done_for),
        2 => Just(held_for(AMOUNT)),
        1 => amount().prop_map(held_for),
        2 => Just(done_up_to(7521)),
        1 => Just(done_for(-1)),
        1 => Just(done_for(i64::MAX)),
        1 => Just(done_in(AMOUNT, "EUR")),
        2 => Just(redirect()),
        2 => Just(device_data()),
        3 => Just(declined()),
        1 => Just(gone()),
        2 => Just(taken_back()),
        1 => Just(not_authenticated()),
        3 => Just(pending()),
        4 => Just(never_happened()),
        2 => Just(unknown()),
    ]
}

fn a_move() -> impl Strategy<Value = Move> {
    prop_oneof![
        2 => Just(Move::Confirm),
        1 => Just(Move::Update),
        4 => prop_oneof![amount().prop_map(Some), Just(None)].prop_map(Move::Capture),
        2 => Just(Move::Cancel),
        2 => Just(Move::Complete),
        2 => Just(Move::Approve),
        1 => Just(Move::Reject),
        2 => Just(Move::CancelPostCapture),
        2 => (1..4_i64).prop_map(|times| Move::Raise(times * 1000 + AMOUNT)),
        1 => Just(Move::Sync),
        10 => (0..12_usize, outcome()).prop_map(|(nth, outcome)| Move::Answer(nth, outcome)),
    ]
}

fn beginning() -> impl Strategy<Value = Changes> {
    let method = prop::sample::select(CaptureMethod::ALL);
    let total = prop_oneof![9 => Just(AMOUNT), 1 => Just(0)];
    let wishes = (any::<bool>(), any::<bool>());
    (method, total, wishes).prop_map(|(method, total, (partly, beyond))| Changes {
        amount: Some(total),
        enable_partial_authorization: Some(partly),
        enable_overcapture: Some(
            beyond && !method.is_automatic() && method != CaptureMethod::ManualMultiple,
        ),
        particulars: may_be_raised(),
        ..purchase(method)
    })
}

fn operations(payment: &Payment) -> Vec<(u32, OperationKind, &Operation)> {
    let attempts = payment.attempts.iter();
    let all = attempts.flat_map(|attempt| {
        let operations = attempt.operations();
        operations.map(|(kind, operation)| (attempt.number, kind, operation))
    });
    all.collect()
}

fn input(story: &Story, next: &Move) -> Option<Input> {
    Some(match next {
        Move::Confirm => Input::Command(story.confirm_command(with_card())),
        Move::Update => Input::Command(Command::Update(Box::default())),
        Move::Capture(amount) => Input::Command(Command::Capture {
            amount_to_capture: *amount,
            credentials: AtHand::default(),
        }),
        Move::Cancel => Input::Command(Command::Cancel {
            reason: Some("duplicate".to_owned()),
            credentials: AtHand::default(),
        }),
        Move::Complete => Input::Command(story.complete_command()),
        Move::Approve => Input::Command(Command::Approve {
            credentials: AtHand::default(),
        }),
        Move::Reject => Input::Command(Command::Reject {
            credentials: AtHand::default(),
        }),
        Move::CancelPostCapture => Input::Command(Command::CancelPostCapture {
            reason: Some("charged twice".to_owned()),
            credentials: AtHand::default(),
        }),
        Move::Raise(amount) => Input::Command(story.raise_command(*amount)),
        Move::Sync => Input::Command(Command::Sync { about: None }),
        Move::Answer(nth, outcome) => {
            let all = operations(&story.payment);
            let (_, _, operation) = all.get(nth % all.len().max(1))?;
            Input::Fact(Fact {
                about: operation.key.clone(),
                outcome: outcome.clone(),
            })
        }
    })
}

/// A refused capture takes nothing. As long as the authorization exists, the refusal releases nothing and ends nothing.
fn refusals_end_nothing(before: &Payment, after: &Payment, next: &Move) {
    let Move::Answer(nth, Outcome::Declined(decline)) = next else {
        return;
    };
    let all = operations(before);
    let (attempt, kind, _) = all[nth % all.len()];
    let is_of_active = attempt == before.active().number && kind == OperationKind::Capture;
    let voids = !after.active().voids.is_empty();
    let gone = after.active().captures.iter().any(|capture| {
        let decline = capture.operation.decline.as_ref();
        decline.is_some_and(|decline| decline.authorization_gone)
    });
    let gone = gone || after.active().lapsed_at.is_some();
    if is_of_active && !decline.takes_back {
        assert_eq!(before.amounts().received, after.amounts().received);
        // After a completed void, the refusal of an open capture releases exactly that capture's amount.
        let mut of_active = before.active().voids.iter();
        let is_voided = of_active.any(|void| void.progress == Progress::Done);
        let free = |attempt: &Attempt| {
            let kept = attempt.pending_capture_amount();
            attempt.voided_amount() + if is_voided { kept } else { 0 }
        };
        assert_eq!(free(before.active()), free(after.active()));
        if !decline.authorization_gone && !voids && !gone && !before.status.is_terminal() {
            assert!(!after.status.is_terminal(), "{} ended it", decline.code);
        }
    }
}

fn is_post_capture_void(payment: &Payment, nth: usize) -> bool {
    let all = operations(payment);
    let (_, _, operation) = all[nth % all.len()];
    let mut voids = payment.attempts.iter().flat_map(|attempt| {
        let voids = attempt.post_capture_voids.iter();
        voids.map(|void| &void.operation.key)
    });
    voids.any(|key| *key == operation.key)
}

fn endings_stay(before: &Payment, after: &Payment, next: &Move) {
    if !before.status.is_terminal() || before.status == after.status {
        return;
    }
    match next {
        Move::Answer(nth, Outcome::Declined(decline)) if decline.takes_back => {
            let all = operations(before);
            let (_, _, operation) = all[nth % all.len()];
            let was_done = operation.progress == Progress::Done;
            assert!(was_done || after.status == PaymentStatus::Conflicted);
        }
        Move::Answer(nth, Outcome::Done(_)) if is_post_capture_void(before, *nth) => assert!(
            [
                PaymentStatus::CancelledPostCapture,
                PaymentStatus::Conflicted
            ]
            .contains(&after.status),
        ),
        Move::Answer(..) => assert_eq!(after.status, PaymentStatus::Conflicted),
        Move::Confirm => {
            assert_eq!(before.status, PaymentStatus::Failed);
            assert_eq!(before.manual_retry_allowed(), Some(true));
            assert_eq!(after.attempts.len(), before.attempts.len() + 1);
        }
        Move::Update
        | Move::Capture(_)
        | Move::Cancel
        | Move::Complete
        | Move::Approve
        | Move::Reject
        | Move::CancelPostCapture
        | Move::Raise(_)
        | Move::Sync => {
            panic!("{} became {} by {next:?}", before.status, after.status)
        }
    }
}

fn superseded_attempts_are_over(payment: &Payment) {
    let (_, superseded) = payment.attempts.split_last().expect("an attempt");
    for attempt in superseded {
        match attempt.status.payment_status() {
            PaymentStatus::Failed | PaymentStatus::Conflicted => {}
            other => panic!("superseded as {other}"),
        }
    }
}

/// An unwanted approval is being voided, is voided, or is announced as a conflict.
fn no_approval_vanishes(payment: &Payment) {
    for attempt in &payment.attempts {
        let authorization = attempt.authorization.as_ref();
        let approved = authorization.is_some_and(|a| a.progress == Progress::Done);
        let unwanted = matches!(
            attempt.status,
            AttemptStatus::Voided
                | AttemptStatus::Failure
                | AttemptStatus::AuthenticationFailed
                | AttemptStatus::RouterDeclined
        );
        if approved && unwanted {
            let open_or_done = |v: &Operation| v.progress != Progress::Declined;
            assert!(attempt.voids.iter().any(open_or_done));
        }
    }
}

fn announcements_are_true(story: &Story, step: &Step) {
    let events = step.effects.iter().filter_map(|effect| match effect {
        Effect::Announce(announcement) => Some(announcement),
        Effect::Call(_)
        | Effect::LookUp(_)
        | Effect::Method(_)
        | Effect::Mandate(_)
        | Effect::DeleteCard
        | Effect::ReturnExcess(_)
        | Effect::DeleteCredentials { .. } => None,
    });
    for announcement in events {
        let event = announcement.event_type;
        let of_what_came_to_nothing = step.payment.active().captures.iter().any(|capture| {
            let id = step
                .payment
                .capture_id(step.payment.active().number, capture.sequence);
            let progress = capture.operation.progress;
            matches!(progress, Progress::Declined | Progress::NeverHappened)
                && announcement.about.trim_end_matches("_taken_back") == id.to_string()
        });
        let attempt_id = step.payment.attempt_id(step.payment.active().number);
        let name_of_voids = format!("{attempt_id}_void");
        let of_void = announcement.about.starts_with(&name_of_voids);
        let of_post_capture_void = announcement.about.contains("_post_capture_void_");
        if event == EventType::ActionRequired && of_post_capture_void {
            // A later void may be open already.
            let name = announcement.about.trim_end_matches("_taken_back");
            let number = name.rsplit('_').next().and_then(|n| n.parse().ok());
            let place = number.and_then(|number: usize| number.checked_sub(1));
            let void = &step.payment.active().post_capture_voids[place.expect("a number from 1")];
            assert_eq!(void.status(), PostCaptureVoidStatus::Failed);
            let announced = AnnouncedStatus::Payment(step.payment.status);
            assert_eq!(announcement.status, announced);
            continue;
        }
        if event == EventType::ActionRequired && (of_what_came_to_nothing || of_void) {
            let announced = AnnouncedStatus::Payment(step.payment.status);
            assert_eq!(announcement.status, announced);
            assert!(step.payment.amounts().capturable > 0);
            continue;
        }
        let of_conflict = step.payment.attempts.iter().any(|attempt| {
            let id = step.payment.attempt_id(attempt.number);
            attempt.status == AttemptStatus::IntegrityFailure
                && announcement.about == format!("{id}_conflict")
        });
        let status = if of_conflict {
            PaymentStatus::Conflicted
        } else {
            step.payment.status
        };
        let announced = AnnouncedStatus::Payment(status);
        assert_eq!(announcement.status, announced, "{event}");
        assert_eq!(status.event(), Some(event));
        if !event.comes_again() {
            assert!(
                !story
                    .announced
                    .iter()
                    .any(|told| told.event_type == event && told.about == announcement.about),
                "{event} twice"
            );
        }
    }
}

fn calls_name_what_is_stored(step: &Step) {
    for effect in &step.effects {
        let call = match effect {
            Effect::Call(call) | Effect::LookUp(call) => call,
            Effect::Announce(_)
            | Effect::Method(_)
            | Effect::Mandate(_)
            | Effect::DeleteCard
            | Effect::ReturnExcess(_)
            | Effect::DeleteCredentials { .. } => continue,
        };
        let stored = operations(&step.payment)
            .into_iter()
            .any(|(attempt, kind, operation)| {
                (attempt, kind, &operation.key) == (call.attempt, call.kind, &call.key)
            });
        assert!(stored, "{}", effect_words(effect));
    }
}

fn holds(story: &Story, next: &Move, step: &Step) {
    let payment = &step.payment;
    assert_eq!(payment.status, payment.active().payment_status());
    payment.attempts.iter().for_each(is_storable);
    amounts_fit_the_status(payment);
    the_money_adds_up(story.payment.status, payment);
    refusals_end_nothing(&story.payment, payment, next);
    endings_stay(&story.payment, payment, next);
    superseded_attempts_are_over(payment);
    no_approval_vanishes(payment);
    announcements_are_true(story, step);
    calls_name_what_is_stored(step);
    let decided = payment.active().authorized_amount.is_some()
        || (payment.status.is_terminal() && !payment.was_never_processed());
    assert!(
        !(decided && payment.holds_card),
        "a card is held for nothing"
    );
}

fn play(changes: Changes, moves: &[Move]) {
    let mut story = Story::create(changes);
    story.manual_retry_enabled = true;
    for next in moves {
        let Some(given) = input(&story, next) else {
            continue;
        };
        let Ok(step) = story.try_input(given) else {
            continue;
        };
        holds(&story, next, &step);
        let events = step.effects.iter().filter_map(|effect| match effect {
            Effect::Announce(announcement) => Some(announcement.clone()),
            Effect::Call(_)
            | Effect::LookUp(_)
            | Effect::Method(_)
            | Effect::Mandate(_)
            | Effect::DeleteCard
            | Effect::ReturnExcess(_)
            | Effect::DeleteCredentials { .. } => None,
        });
        story.announced.extend(events);
        let again = match next {
            Move::Answer(..) => input(&story, next),
            Move::Confirm
            | Move::Update
            | Move::Capture(_)
            | Move::Cancel
            | Move::Complete
            | Move::Approve
            | Move::Reject
            | Move::CancelPostCapture
            | Move::Raise(_)
            | Move::Sync => None,
        };
        story.payment = step.payment;
        story.now = story.now.plus_seconds(1).expect("a moment");
        if let Some(again) = again {
            let repeated = story.try_input(again).expect("a fact is never refused");
            assert_eq!(repeated.payment, story.payment, "repeated: {next:?}");
            assert!(repeated.effects.is_empty(), "repeated: {next:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn invariants_hold_under_any_moves(changes in beginning(), moves in prop::collection::vec(a_move(), 1..40)) {
        play(changes, &moves);
    }
}
