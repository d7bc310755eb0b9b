use multirail_kernel::money::Money;
use multirail_peers::stripe::CARDS;
use multirail_sdk::connector::{AccountCheck, Finding, OperationKind, Outcome, UnknownReason};

use super::bench::{Bench, reference};
use crate::suite::subject::Subject;

const VISA: &str = "4242424242424242";
const THREE_DS: &str = "4000002760003184";

pub(super) fn amount(outcome: &Outcome) -> Option<i64> {
    match outcome {
        Outcome::Done(done) => done.amount_minor,
        other => panic!("{other:?}"),
    }
}

pub(super) fn code(outcome: &Outcome) -> &str {
    match outcome {
        Outcome::Declined(decline) => &decline.code,
        other => panic!("{other:?}"),
    }
}

fn is_absent(finding: &Finding) -> bool {
    match finding {
        Finding::Absent { .. } => true,
        Finding::Outcome(_) => false,
    }
}

#[tokio::test]
async fn a_payment_takes_one_request_and_is_done_once() {
    let bench = Bench::new().await;
    let sale = bench.sale("a", VISA).await;
    assert_eq!(amount(&sale), Some(6540));
    assert!(
        matches!(&sale, Outcome::Done(done) if done.network_transaction_id.is_some()),
        "{sale:?}"
    );
    assert_eq!(bench.sale("a", VISA).await, sale, "the same key again");
    insta::assert_snapshot!(bench.seen(), @"
    POST /v1/payment_intents a
    POST /v1/payment_intents a
    ");
    let other = bench.authorize("a", VISA, 1, true).await;
    assert_eq!(other, Outcome::Unknown(UnknownReason::ProcessorError));
    let payments = bench.peer(|peer| peer.ledger().payments.len());
    assert_eq!(payments, 1);
}

#[tokio::test]
async fn a_lost_answer_is_asked_for_again_or_searched_for() {
    let bench = Bench::new().await;
    bench.lose_the_next_answer();
    let lost = bench.sale("a", VISA).await;
    assert_eq!(lost, Outcome::Unknown(UnknownReason::ConnectionLost));
    bench.seen();

    let found = bench.look_up(OperationKind::Authorize, "a", None).await;
    insta::assert_snapshot!(bench.seen(), @"
    GET /v1/payment_intents/search
    GET /v1/payment_intents/{intent}
    ");
    let again = bench.sale("a", VISA).await;
    assert_eq!(found, Finding::Outcome(again.clone()));
    assert_eq!(amount(&again), Some(6540));

    bench.peer(|peer| peer.set_search_lags(true));
    let late = bench.look_up(OperationKind::Authorize, "a", None).await;
    assert_eq!(
        late,
        Finding::Outcome(again.clone()),
        "the list of its time has it"
    );
    let payment = reference(&again);
    let by_id = bench
        .look_up(OperationKind::Authorize, "a", Some(&payment))
        .await;
    assert_eq!(by_id, Finding::Outcome(again), "its id is found at once");
}

#[tokio::test]
async fn an_id_that_stripe_does_not_have_proves_nothing() {
    let bench = Bench::new().await;
    for kind in OperationKind::ALL {
        let found = bench
            .look_up(*kind, "a", Some("pi_of_another_account"))
            .await;
        let expected = match kind {
            OperationKind::Authorize
            | OperationKind::Increment
            | OperationKind::Capture
            | OperationKind::Void => {
                Finding::Outcome(Outcome::Unknown(UnknownReason::UnreadableAnswer))
            }
            // An empty list is an answer.
            OperationKind::Refund => Finding::Absent {
                reason: "no refund of pi_of_another_account has this key".to_owned(),
            },
        };
        assert_eq!(found, expected, "{kind}");
    }
}

#[tokio::test]
async fn captures_are_proved_by_their_payment() {
    let bench = Bench::new().await;
    let payment = reference(&bench.reserve("a", VISA).await);
    let look_up = async |key: &str| {
        let found = bench.look_up(OperationKind::Capture, key, Some(&payment));
        found.await
    };
    assert!(is_absent(&look_up("c1").await));
    assert_eq!(
        code(&bench.capture("c0", &payment, 9_999).await),
        "amount_too_large"
    );
    bench.lose_the_next_answer();
    let lost = bench.capture("c1", &payment, 5_000).await;
    assert_eq!(lost, Outcome::Unknown(UnknownReason::ConnectionLost));
    let again = bench.capture("c1", &payment, 5_000).await;
    assert_eq!(amount(&again), Some(5_000));
    assert_eq!(look_up("c1").await, Finding::Outcome(again));
    assert!(is_absent(&look_up("c0").await));
    let second = bench.capture("c2", &payment, 1_000).await;
    assert_eq!(code(&second), "payment_intent_unexpected_state");
}

#[tokio::test]
async fn a_raise_that_the_issuer_refuses_leaves_the_payment_as_it_was() {
    let bench = Bench::new().await;
    let payment = reference(&bench.reserve_to_raise("a", VISA).await);
    let refused = bench.raise("i1", &payment, 1_000_001).await;
    assert_eq!(code(&refused), "insufficient_funds");
    let found = bench.look_up(OperationKind::Increment, "i1", Some(&payment));
    assert!(is_absent(&found.await));
    bench.lose_the_next_answer();
    let lost = bench.raise("i2", &payment, 9_000).await;
    assert_eq!(lost, Outcome::Unknown(UnknownReason::ConnectionLost));
    let found = bench.look_up(OperationKind::Increment, "i2", Some(&payment));
    let Finding::Outcome(found) = found.await else {
        panic!("it took place")
    };
    assert_eq!(amount(&found), Some(9_000));
    assert_eq!(
        amount(&bench.capture("c", &payment, 9_000).await),
        Some(9_000)
    );
}

#[tokio::test]
async fn a_card_that_cannot_be_raised_says_so_when_it_is_approved() {
    let bench = Bench::new().await;
    for (key, number, expected) in [("a", VISA, true), ("b", "3566002020360505", false)] {
        let approved = bench.reserve_to_raise(key, number).await;
        let Outcome::Done(approval) = approved else {
            panic!("{approved:?}")
        };
        let hold = approval.hold.expect("it is held");
        assert_eq!(hold.may_be_raised, Some(expected), "{number}");
    }
}

#[tokio::test]
async fn a_void_cancels_what_was_not_taken() {
    let bench = Bench::new().await;
    let payment = reference(&bench.reserve("a", VISA).await);
    assert!(is_absent(
        &bench
            .look_up(OperationKind::Void, "v", Some(&payment))
            .await
    ));
    let voided = bench.void("v", Some(&payment), false).await;
    assert_eq!(reference(&voided), payment);
    let found = bench
        .look_up(OperationKind::Void, "v", Some(&payment))
        .await;
    assert_eq!(found, Finding::Outcome(voided.clone()));
    assert_eq!(bench.void("v2", Some(&payment), false).await, voided);
    let capture = bench.capture("c", &payment, 100).await;
    assert!(
        matches!(&capture, Outcome::Declined(decline) if decline.authorization_gone),
        "{capture:?}"
    );
}

#[tokio::test]
async fn a_void_finds_the_payment_whose_answer_was_lost() {
    let bench = Bench::new().await;
    let voided = bench.void("v", None, false).await;
    assert!(
        matches!(voided, Outcome::NeverHappened { .. }),
        "{voided:?}"
    );
    let payment = reference(&bench.reserve("a", VISA).await);
    assert_eq!(reference(&bench.void("v", None, false).await), payment);
    let found = bench.look_up(OperationKind::Void, "v", None).await;
    assert!(
        matches!(found, Finding::Outcome(Outcome::Done(_))),
        "{found:?}"
    );
}

#[tokio::test]
async fn a_void_gives_back_what_was_taken_at_once_and_nothing_else() {
    let bench = Bench::new().await;
    let payment = reference(&bench.sale("a", VISA).await);
    bench.seen();
    let voided = bench.void("v", Some(&payment), true).await;
    insta::assert_snapshot!(bench.seen(), @"
    POST /v1/payment_intents/{intent}/cancel v
    POST /v1/refunds v_refund
    ");
    assert_eq!(amount(&voided), Some(6540));
    let found = bench
        .look_up(OperationKind::Void, "v", Some(&payment))
        .await;
    assert_eq!(found, Finding::Outcome(voided.clone()));
    assert_eq!(bench.void("v", Some(&payment), true).await, voided, "once");

    let captured = reference(&bench.reserve("b", VISA).await);
    bench.capture("c", &captured, 5_000).await;
    let refused = bench.void("w", Some(&captured), false).await;
    assert_eq!(code(&refused), "payment_intent_unexpected_state");
    assert!(is_absent(
        &bench
            .look_up(OperationKind::Void, "w", Some(&captured))
            .await
    ));
}

#[tokio::test]
async fn refunds_are_found_in_their_payment() {
    let bench = Bench::new().await;
    let payment = reference(&bench.sale("a", "4000000000007726").await);
    let pending = bench.refund("r1", &payment, 540).await;
    assert!(matches!(pending, Outcome::Pending { .. }), "{pending:?}");
    bench.peer(|peer| peer.ledger().settle_refunds());
    let mut question = bench.question(OperationKind::Refund, "r1", Some(&payment));
    question.reference = Some(reference(&pending));
    let by_id = bench.connector.look_up(question).await;
    let in_list = bench
        .look_up(OperationKind::Refund, "r1", Some(&payment))
        .await;
    assert_eq!(by_id, in_list);
    let Finding::Outcome(done) = in_list else {
        panic!("{in_list:?}")
    };
    assert_eq!(amount(&done), Some(540));
    assert!(is_absent(
        &bench
            .look_up(OperationKind::Refund, "r2", Some(&payment))
            .await
    ));
    assert_eq!(
        code(&bench.refund("r2", &payment, 6_001).await),
        "charge_invalid_parameter"
    );
}

#[tokio::test]
async fn refunds_beyond_one_page_are_found() {
    let bench = Bench::new().await;
    let payment = reference(&bench.sale("a", VISA).await);
    for number in 0..101 {
        bench.refund(&format!("r{number}"), &payment, 1).await;
    }
    bench.seen();
    let oldest = bench
        .look_up(OperationKind::Refund, "r0", Some(&payment))
        .await;
    assert!(
        matches!(oldest, Finding::Outcome(Outcome::Done(_))),
        "{oldest:?}"
    );
    insta::assert_snapshot!(bench.seen(), @"
    GET /v1/refunds
    GET /v1/refunds
    ");
}

#[tokio::test]
async fn the_payer_authenticates_or_does_not() {
    let bench = Bench::new().await;
    for (key, approves) in [("a", true), ("b", false)] {
        let waiting = bench.sale(key, THREE_DS).await;
        let payment = reference(&waiting);
        let ask = async || {
            bench
                .look_up(OperationKind::Authorize, key, Some(&payment))
                .await
        };
        assert_eq!(ask().await, Finding::Outcome(waiting));
        let back = bench.peer(|peer| peer.ledger().authenticate(&payment, approves));
        assert_eq!(back.as_deref(), Some("https://shop.example/back"));
        let Finding::Outcome(outcome) = ask().await else {
            panic!("it is there")
        };
        match outcome {
            Outcome::Done(done) if approves => assert_eq!(done.amount_minor, Some(6540)),
            Outcome::Declined(decline) if !approves => assert!(decline.in_authentication),
            other => panic!("{approves}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn nothing_is_asked_of_a_zero_amount_but_whether_the_card_is_good() {
    let bench = Bench::new().await;
    let checked = bench.authorize("a", VISA, 0, true).await;
    assert_eq!(amount(&checked), Some(0));
    let mut question = bench.question(OperationKind::Authorize, "a", None);
    question.money = Money::zero(question.money.currency);
    assert_eq!(
        bench.connector.look_up(question).await,
        Finding::Outcome(checked.clone())
    );
    let by_id = bench
        .look_up(OperationKind::Authorize, "a", Some(&reference(&checked)))
        .await;
    assert_eq!(by_id, Finding::Outcome(checked.clone()));
    let voided = bench.void("v", Some(&reference(&checked)), true).await;
    assert_eq!(
        reference(&voided),
        reference(&checked),
        "nothing is reserved"
    );

    assert_eq!(
        code(&bench.authorize("b", "4000000000009995", 0, true).await),
        "insufficient_funds"
    );
    let waiting = bench.authorize("c", THREE_DS, 0, true).await;
    assert!(
        matches!(waiting, Outcome::CustomerMustAct { .. }),
        "{waiting:?}"
    );
    bench.peer(|peer| peer.ledger().authenticate(&reference(&waiting), false));
    let refused = bench
        .look_up(OperationKind::Authorize, "c", Some(&reference(&waiting)))
        .await;
    assert!(
        matches!(&refused, Finding::Outcome(Outcome::Declined(decline)) if decline.in_authentication),
        "{refused:?}"
    );
}

#[tokio::test]
async fn a_platform_acts_for_a_connected_account() {
    let mut bench = Bench::new().await;
    let id = "acct_1032D82eZvKYlo2C";
    bench
        .access
        .metadata
        .insert("stripe_account".to_owned(), id.into());
    let sale = bench.sale("a", VISA).await;
    assert_eq!(bench.seen(), format!("POST /v1/payment_intents a {id}"));
    bench.access.metadata.remove("stripe_account");
    let elsewhere = bench.look_up(OperationKind::Authorize, "a", None).await;
    assert!(is_absent(&elsewhere), "{sale:?} is the other account's");
}

#[tokio::test]
async fn a_key_is_checked() {
    let mut bench = Bench::new().await;
    let check = async |bench: &Bench| bench.connector.check(bench.access.clone()).await;
    assert_eq!(check(&bench).await, AccountCheck::Accepted);
    bench.access.credentials = bench.subject.refused_access().credentials;
    let refused = check(&bench).await;
    assert!(
        matches!(refused, AccountCheck::Refused { .. }),
        "{refused:?}"
    );
    let sale = bench.sale("a", VISA).await;
    assert_eq!(code(&sale), "credentials_refused");
    bench.access.credentials = Default::default();
    let unsent = bench.sale("a", VISA).await;
    assert!(
        matches!(unsent, Outcome::NeverHappened { .. }),
        "{unsent:?}"
    );
    bench.seen();
    assert!(matches!(
        bench.look_up(OperationKind::Authorize, "a", None).await,
        Finding::Outcome(Outcome::Unknown(_))
    ));
    assert_eq!(bench.seen(), "", "nobody was asked");
}

#[tokio::test]
async fn every_card_does_what_is_written() {
    let bench = Bench::new().await;
    let documented = include_str!("../../src/stripe/README.md").replace(' ', "");
    let mut rows = Vec::new();
    for (number, _) in CARDS {
        assert!(documented.contains(number), "{number} is not documented");
        let outcome = bench.sale(number, number).await;
        rows.push(match outcome {
            Outcome::Done(_) => format!("{number} approved"),
            Outcome::CustomerMustAct { .. } => format!("{number} the payer must act"),
            Outcome::Declined(decline) => {
                let advice = decline.issuer.and_then(|issuer| issuer.advice_message);
                let advice = advice.map_or(String::new(), |advice| format!(", {advice}"));
                format!("{number} {}{advice}", decline.code)
            }
            other => panic!("{number}: {other:?}"),
        });
    }
    insta::assert_snapshot!(rows.join("\n"), @r"
        4242424242424242 approved
        5555555555554444 approved
        378282246310005 approved
        3566002020360505 approved
        4000000000000002 generic_decline, try_again_later
        4000000000009995 insufficient_funds, try_again_later
        4000000000009987 lost_card, do_not_try_again
        4000000000009979 stolen_card, do_not_try_again
        4000000000006975 card_velocity_exceeded, try_again_later
        4000000000000069 expired_card
        4000000000000127 incorrect_cvc
        4000000000000119 processing_error
        4000002760003184 the payer must act
        4000000000003220 the payer must act
        4000008400001629 the payer must act
        4000000000003055 approved
        4000000000007726 approved
        4000000000005126 approved
        ");
}

#[tokio::test]
async fn google_pay_is_charged_by_its_token() {
    let bench = Bench::new().await;
    let sale = bench.sale_by_google_pay("a", "tok_visa").await;
    assert_eq!(amount(&sale), Some(6540));
    let declined = bench.sale_by_google_pay("b", "tok_chargeDeclined").await;
    assert_eq!(code(&declined), "generic_decline");
    let foreign = bench.sale_by_google_pay("c", "pm_1").await;
    assert!(
        matches!(foreign, Outcome::NeverHappened { .. }),
        "{foreign:?}"
    );
}
