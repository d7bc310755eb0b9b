//! Automatic retries after a refusal: through the next account, or with 3-D Secure.

use std::collections::BTreeSet;
use std::sync::Arc;

use insta::assert_snapshot;
use multirail_domain::operations::error_mapping::advise;
use multirail_domain::payments::payment::CaptureMethod::{Automatic, Manual, ManualMultiple};
use multirail_domain::payments::payment::{
    Attempt, AuthenticationType, AutoRetry, Changes, Command, Effect, Fact, Input, Operation,
    Particulars, Payment, ProfileWishes, Progress,
};
use multirail_sdk::connector::{Decline, DeclineCategory, IssuerWords, Outcome};
use proptest::prelude::*;
use serde_json::json;

use crate::money::{amounts_fit_the_status, is_storable, the_money_adds_up};
use crate::support::outcomes::*;
use crate::support::story::{AUTHORIZE, Story};
use crate::support::{by_token, candidate, purchase, saved, with_card};

/// Builds a refusal of this category, with the advice of the built-in mappings.
fn refused(category: DeclineCategory) -> Outcome {
    let Outcome::Declined(decline) = declined() else {
        unreachable!("a refusal");
    };
    let mut decline = Decline {
        category: Some(category),
        ..decline
    };
    advise(&mut decline, None);
    Outcome::Declined(decline)
}

fn soft() -> Outcome {
    refused(DeclineCategory::DoNotHonor)
}

fn without_authentication() -> Outcome {
    refused(DeclineCategory::AuthenticationRequired)
}

fn hard() -> Outcome {
    refused(DeclineCategory::CardLostOrStolen)
}

/// Builds a soft refusal that the scheme advises not to repeat.
fn never_again() -> Outcome {
    let Outcome::Declined(decline) = soft() else {
        unreachable!("a refusal");
    };
    let issuer = IssuerWords {
        advice_code: Some("03".to_owned()),
        ..IssuerWords::default()
    };
    Outcome::Declined(Decline {
        issuer: Some(Box::new(issuer)),
        ..decline
    })
}

fn accounts() -> Vec<multirail_domain::accounts::connector_account::Candidate> {
    ["stripe_test", "fauxpay", "pretendpay", "phonypay"]
        .iter()
        .enumerate()
        .map(|(place, name)| candidate(name, &format!("mca_{place}"), json!({})))
        .collect()
}

fn retry(story: &Story, at_most: u32) -> Arc<AutoRetry> {
    Arc::new(AutoRetry {
        active: None,
        candidates: story.candidates.clone(),
        dynamic: None,
        routing: story.routing,
        draw: 0,
        wishes: ProfileWishes::default(),
        at_most,
        first_attempt: 1,
    })
}

/// Confirms a payment of a profile with four accounts.
fn confirmed(changes: Changes) -> Story {
    let mut story = Story::create(changes);
    story.candidates = accounts();
    story.manual_retry_enabled = true;
    story.credentials.are_held = true;
    story.confirm();
    story.afresh()
}

/// Answers the newest authorization while the card is at hand.
fn answered(story: &mut Story, outcome: Outcome, at_most: u32) {
    let about = AUTHORIZE.key(&story.payment).expect("an authorization");
    let input = Input::Answer(Fact { about, outcome }, retry(story, at_most));
    story.step("answered", input);
}

fn connectors(story: &Story) -> Vec<&str> {
    let attempts = story.payment.attempts.iter();
    attempts
        .filter_map(|attempt| attempt.connector.as_deref())
        .collect()
}

#[test]
fn a_soft_refusal_goes_on_through_the_next_account() {
    let mut story = confirmed(purchase(Automatic));
    answered(&mut story, soft(), 3);
    answered(&mut story, never_happened(), 3);
    answered(&mut story, done(), 3);
    assert_snapshot!(story.page(), @"
    answered                           processing                                   0 left    0 received  [ask to authorize]
    answered                           processing                                   0 left    0 received  [ask to authorize]
    answered                           succeeded                                    0 left 6540 received  payment_succeeded about pay_1  [forget the card]
    attempt 1: failure, authorize declined; DC_08: Payment declined: Card declined
    attempt 2: failure, authorize never_happened; not_processed: the processor has no trace of this operation: it did not take place (no such operation)
    attempt 3: charged, authorize done
    ");
    assert_eq!(connectors(&story), ["stripe_test", "fauxpay", "pretendpay"]);
}

#[test]
fn it_ends_at_the_limit_and_with_the_accounts() {
    let mut story = confirmed(purchase(Manual));
    for _ in 0..2 {
        answered(&mut story, soft(), 1);
    }
    assert_eq!(story.payment.status.as_str(), "failed");
    assert_eq!(story.payment.attempts.len(), 2);
    let about: Vec<_> = story
        .announced
        .iter()
        .map(|told| told.about.as_str())
        .collect();
    assert_eq!(about, ["pay_1_2"], "one failure is told");

    let mut story = confirmed(purchase(Manual));
    for _ in 0..4 {
        answered(&mut story, soft(), 5);
    }
    assert_eq!(story.payment.status.as_str(), "failed");
    assert_eq!(connectors(&story).len(), 4);
}

#[test]
fn what_is_not_tried_again() {
    let brought = Changes {
        creds_identifier: Some("own".to_owned()),
        ..purchase(Automatic)
    };
    for (why, changes, outcome) in [
        ("a hard refusal", purchase(Automatic), hard()),
        ("nothing is known of it", purchase(Automatic), declined()),
        ("the scheme says so", purchase(Automatic), never_again()),
        ("several captures", purchase(ManualMultiple), soft()),
        ("credentials of its own", brought, soft()),
        ("the payer failed", purchase(Automatic), not_authenticated()),
        ("it was approved first", purchase(Automatic), taken_back()),
    ] {
        let mut story = confirmed(changes);
        answered(&mut story, outcome, 5);
        assert_eq!(story.payment.attempts.len(), 1, "{why}");
        assert_eq!(story.payment.status.as_str(), "failed", "{why}");
    }
    for outcome in [unknown(), pending(), redirect(), device_data(), done_for(1)] {
        let mut story = confirmed(purchase(Automatic));
        answered(&mut story, outcome, 5);
        assert_eq!(story.payment.attempts.len(), 1, "{}", story.page());
        // A later soft refusal doesn't start a retry.
        answered(&mut story, soft(), 5);
        assert_eq!(story.payment.attempts.len(), 1, "{}", story.page());
    }
}

#[test]
fn a_fact_without_the_card_fails_the_payment() {
    let mut story = confirmed(purchase(Automatic));
    story.answer(AUTHORIZE, soft());
    assert_eq!(story.payment.status.as_str(), "failed");
}

#[test]
fn authentication_is_tried_once_and_stays() {
    let mut story = confirmed(purchase(Automatic));
    answered(&mut story, without_authentication(), 3);
    let second = story.payment.active();
    assert_eq!(second.connector.as_deref(), Some("stripe_test"));
    let wanted = story.payment.details(second).authentication.wanted;
    assert_eq!(wanted, Some(AuthenticationType::ThreeDs));
    answered(&mut story, without_authentication(), 3);
    assert_eq!(story.payment.status.as_str(), "failed", "no second time");

    let mut story = confirmed(purchase(Automatic));
    answered(&mut story, without_authentication(), 3);
    answered(&mut story, soft(), 3);
    assert_eq!(
        connectors(&story),
        ["stripe_test", "stripe_test", "fauxpay"]
    );
    let third = story.payment.active();
    assert_eq!(
        story.payment.authentication_type(third),
        AuthenticationType::ThreeDs
    );
}

#[test]
fn an_absent_payer_does_not_authenticate() {
    let away = Changes {
        particulars: Particulars {
            off_session: Some(true),
            ..Particulars::default()
        },
        ..purchase(Automatic)
    };
    let mut story = confirmed(away);
    answered(&mut story, without_authentication(), 3);
    assert_eq!(story.payment.attempts.len(), 1);
}

#[test]
fn a_saved_card_pays_the_next_attempt_too() {
    let by_saved = Changes {
        customer_id: Some("cus_1".parse().expect("an id")),
        instrument: by_token(Some(saved("10", "2035"))),
        ..purchase(Automatic)
    };
    let mut story = Story::create(by_saved.clone());
    story.candidates = accounts();
    story.confirm_with(Changes {
        instrument: multirail_domain::payments::payment::InstrumentInput {
            token_code: Some(multirail_kernel::secret::SecretText::new("737")),
            ..by_saved.instrument
        },
        ..Changes::default()
    });
    answered(&mut story, soft(), 3);
    let method = |attempt: &Attempt| attempt.saved_method().cloned();
    let attempts = &story.payment.attempts;
    assert_eq!(attempts.len(), 2, "{}", story.page());
    assert!(method(&attempts[0]).is_some());
    assert_eq!(method(&attempts[0]), method(&attempts[1]));
}

#[test]
fn money_of_an_earlier_attempt_stops_it() {
    let mut story = confirmed(purchase(Automatic));
    answered(&mut story, soft(), 3);
    // The first processor approved late; its approval is being voided.
    story.answer(AUTHORIZE.of_attempt(1), done());
    answered(&mut story, soft(), 3);
    assert_eq!(story.payment.attempts.len(), 2);
    assert_eq!(story.payment.status.as_str(), "failed");
}

#[derive(Clone, Debug)]
enum Move {
    Confirm,
    Cancel,
    Sync,
    /// An answer to the newest authorization while the card is at hand.
    Answered(Outcome),
    /// News of one of all operations.
    Answer(usize, Outcome),
}

fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        2 => Just(done()),
        1 => Just(done_for(1000)),
        1 => Just(held_for(6540)),
        1 => Just(redirect()),
        1 => Just(device_data()),
        6 => Just(soft()),
        2 => Just(without_authentication()),
        1 => Just(hard()),
        1 => Just(never_again()),
        1 => Just(taken_back()),
        1 => Just(gone()),
        1 => Just(not_authenticated()),
        2 => Just(pending()),
        3 => Just(never_happened()),
        2 => Just(unknown()),
    ]
}

fn a_move() -> impl Strategy<Value = Move> {
    prop_oneof![
        2 => Just(Move::Confirm),
        1 => Just(Move::Cancel),
        1 => Just(Move::Sync),
        8 => outcome().prop_map(Move::Answered),
        6 => (0..8_usize, outcome()).prop_map(|(nth, outcome)| Move::Answer(nth, outcome)),
    ]
}

fn operations(payment: &Payment) -> Vec<&Operation> {
    let all = payment
        .attempts
        .iter()
        .flat_map(|attempt| attempt.operations());
    all.map(|(_, operation)| operation).collect()
}

/// Returns whether nothing was captured, is held, or may still be.
fn left_nothing(attempt: &Attempt) -> bool {
    let mut operations = attempt.operations().map(|(_, operation)| operation);
    operations.all(|operation| match operation.progress {
        Progress::Declined => operation
            .decline
            .as_ref()
            .is_some_and(|why| !why.takes_back),
        Progress::NeverHappened => true,
        Progress::Started
        | Progress::AwaitingCustomer
        | Progress::Pending
        | Progress::Unknown
        | Progress::Done => false,
    })
}

fn begins(step: &multirail_domain::payments::payment::Step) -> usize {
    let calls = step.effects.iter().filter(|effect| {
        matches!(effect, Effect::Call(call)
            if call.kind == multirail_sdk::connector::OperationKind::Authorize)
    });
    calls.count()
}

fn play(changes: Changes, at_most: u32, moves: &[Move]) {
    let mut story = confirmed(changes);
    let mut first_attempt = 1;
    for next in moves {
        let given = match next {
            Move::Confirm => Input::Command(story.confirm_command(with_card())),
            Move::Cancel => Input::Command(Command::Cancel {
                reason: None,
                credentials: story.credentials.clone(),
            }),
            Move::Sync => Input::Command(Command::Sync { about: None }),
            Move::Answered(outcome) => {
                let Some(about) = AUTHORIZE.key(&story.payment) else {
                    continue;
                };
                let plan = AutoRetry {
                    active: None,
                    first_attempt,
                    ..AutoRetry::clone(&retry(&story, at_most))
                };
                let outcome = outcome.clone();
                Input::Answer(Fact { about, outcome }, Arc::new(plan))
            }
            Move::Answer(nth, outcome) => {
                let all = operations(&story.payment);
                let Some(told) = all.get(nth % all.len().max(1)) else {
                    continue;
                };
                Input::Fact(Fact {
                    about: told.key.clone(),
                    outcome: outcome.clone(),
                })
            }
        };
        let Ok(step) = story.try_input(given) else {
            continue;
        };
        let (before, after) = (&story.payment, &step.payment);
        after.attempts.iter().for_each(is_storable);
        amounts_fit_the_status(after);
        the_money_adds_up(before.status, after);
        let goes_on = after.attempts.len() > before.attempts.len();
        match next {
            Move::Confirm => {
                if begins(&step) > 0 {
                    first_attempt = after.active().number;
                }
            }
            Move::Answered(outcome) => {
                let may = matches!(
                    outcome,
                    Outcome::Declined(_) | Outcome::NeverHappened { .. }
                );
                assert!(
                    may || !goes_on,
                    "{outcome:?} was followed by another attempt"
                );
            }
            Move::Cancel | Move::Sync | Move::Answer(..) => assert!(!goes_on, "{next:?}"),
        }
        if goes_on && !matches!(next, Move::Confirm) {
            let (last, earlier) = after.attempts.split_last().expect("an attempt");
            assert!(earlier.iter().all(left_nothing), "{earlier:#?}");
            assert_eq!(begins(&step), 1);
            assert!(last.number - first_attempt <= at_most);
            let of_confirm = after
                .attempts
                .iter()
                .filter(|one| one.number >= first_attempt);
            let mut through = BTreeSet::new();
            for attempt in of_confirm {
                let account = attempt.merchant_connector_id.clone().expect("an account");
                assert!(
                    through.insert((account.to_string(), attempt.is_stepped_up)),
                    "an account twice"
                );
            }
        }
        let wanted = after.attempts.iter().filter(|one| {
            let authorization = one.authorization.as_ref();
            authorization.is_some_and(|one| one.progress == Progress::Started)
        });
        assert!(wanted.count() <= 1, "two authorizations at once");
        story.payment = step.payment;
        story.now = story.now.plus_seconds(1).expect("a moment");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    /// A payment is never retried after money may have moved.
    #[test]
    fn it_goes_on_only_where_no_money_is(
        method in prop::sample::select(vec![Automatic, Manual]),
        at_most in 0..6_u32,
        moves in prop::collection::vec(a_move(), 1..25),
    ) {
        play(purchase(method), at_most, &moves);
    }
}
