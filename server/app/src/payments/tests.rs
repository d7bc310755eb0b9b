//! Payments over a store in memory and a processor with scripted answers.

mod bench;
mod idle;
#[path = "../../../domain/tests/support/routing.rs"]
mod routing;
mod shelf;

use multirail_domain::payments::payment::Payment;
use multirail_kernel::refusal::Refusal;
use multirail_sdk::connector::{Decline, Outcome};

use self::bench::{Bench, done};
use crate::AppError;
use crate::platform::ports::{CommitError, StoreFailure};

/// Counts the operations of the payment that have no final answer.
fn open(payment: &Payment) -> usize {
    let operations = payment.active().operations();
    operations.filter(|(_, one)| one.progress.is_open()).count()
}

#[tokio::test(start_paused = true)]
async fn a_confirm_that_meets_a_change_is_decided_again_and_asks_once() {
    let bench = Bench::new();
    let payment_id = bench.creates().await;
    bench.shelf.committed.refuse(CommitError::Conflict);
    bench.shelf.committed.refuse(CommitError::Conflict);
    bench.shelf.will_answer(Some(done()));
    let payment = bench.confirms(&payment_id).await.expect("authorized");
    assert_eq!(payment.status.to_string(), "requires_capture");
    assert_eq!(bench.shelf.asked(), ["authorize after 2 commits"]);
    assert_eq!(bench.shelf.commits(), 3, "the intention and the answer");
    assert_eq!(bench.shelf.stored(), payment);
}

#[tokio::test]
async fn a_confirm_whose_first_commit_fails_calls_no_processor() {
    let bench = Bench::new();
    let payment_id = bench.creates().await;
    let away = StoreFailure::Unavailable("restarting".to_owned());
    bench.shelf.committed.refuse(CommitError::Failed(away));
    bench.shelf.will_answer(Some(done()));
    let failed = bench.confirms(&payment_id).await.expect_err("a failure");
    assert!(matches!(failed, AppError::Unavailable(_)), "{failed}");
    assert_eq!(bench.shelf.asked(), [""; 0]);
    let stored = bench.shelf.stored();
    assert_eq!(stored.status.to_string(), "requires_payment_method");
}

#[tokio::test(start_paused = true)]
async fn a_confirm_that_isnt_answered_in_time_leaves_its_payment_processing() {
    let bench = Bench::new();
    let payment_id = bench.creates().await;
    bench.shelf.will_answer(None);
    let payment = bench.confirms(&payment_id).await.expect("an answer");
    assert_eq!(payment.status.to_string(), "processing");
    let stored = bench.shelf.stored();
    assert_eq!(stored.status.to_string(), "processing");
    assert_eq!(open(&stored), 1, "somebody asks about it later");
    assert_eq!(bench.shelf.asked(), ["authorize after 2 commits"]);
}

#[tokio::test]
async fn a_declined_confirm_leaves_a_failed_payment_with_the_processors_words() {
    let bench = Bench::new();
    let payment_id = bench.creates().await;
    bench.shelf.will_answer(Some(Outcome::Declined(Decline {
        code: "DC_08".to_owned(),
        message: "Payment declined".to_owned(),
        ..Decline::default()
    })));
    let payment = bench.confirms(&payment_id).await.expect("an answer");
    assert_eq!(payment.status.to_string(), "failed");
    let stored = bench.shelf.stored();
    assert_eq!(open(&stored), 0);
    let decline = stored.active().decline.as_ref().expect("its reason");
    assert_eq!(decline.message, "Payment declined");
    assert!(!stored.is_unfinished());
}

#[tokio::test]
async fn a_capture_of_more_than_is_capturable_calls_no_processor() {
    let bench = Bench::new();
    let payment_id = bench.authorizes().await;
    let (commits, asked) = (bench.shelf.commits(), bench.shelf.asked());
    let refused = bench.captures(&payment_id, Some(6541)).await;
    let refused = refused.expect_err("a refusal");
    assert!(matches!(refused, AppError::Refused(_)), "{refused}");
    assert_eq!(bench.shelf.commits(), commits);
    assert_eq!(bench.shelf.asked(), asked);
    bench.shelf.will_answer(Some(done()));
    let payment = bench.captures(&payment_id, Some(6540)).await;
    let payment = payment.expect("captured");
    assert_eq!(payment.status.to_string(), "succeeded");
    assert_eq!(bench.shelf.asked()[1], "capture after 4 commits");
}

#[tokio::test]
async fn a_refusal_comes_before_any_commit_and_any_call() {
    let bench = Bench::new();
    let payment_id = bench.creates().await;
    let early = bench.captures(&payment_id, None).await;
    let early = early.expect_err("not authorized");
    assert!(matches!(early, AppError::Refused(_)), "{early}");
    let merchant_id = bench.shelf.merchant_id();
    let wrong = format!("{payment_id}_secret_of_another");
    let checked = bench
        .payments
        .check_client_secret(&merchant_id, payment_id.as_str(), &wrong)
        .await;
    let checked = checked.expect_err("another secret");
    let mismatch = AppError::Refused(Refusal::ClientSecretMismatch);
    assert_eq!(checked.to_string(), mismatch.to_string());
    assert_eq!(bench.shelf.commits(), 1, "that of the creation");
    assert_eq!(bench.shelf.asked(), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn a_void_that_isnt_answered_in_time_stays_open() {
    let bench = Bench::new();
    let payment_id = bench.authorizes().await;
    bench.shelf.will_answer(None);
    let payment = bench.cancels(&payment_id).await.expect("an answer");
    assert_ne!(payment.status.to_string(), "cancelled");
    assert_eq!(bench.shelf.asked()[1], "void after 4 commits");
    let stored = bench.shelf.stored();
    assert_eq!(open(&stored), 1);
    assert!(stored.is_unfinished(), "the money may still be reserved");
}

#[tokio::test]
async fn a_merchant_with_reserved_money_is_not_deleted() {
    let bench = Bench::new();
    let payment_id = bench.authorizes().await;
    let commits = bench.shelf.commits();
    let refused = bench.deletes_the_merchant().await;
    let refused = refused.expect_err("money is reserved");
    let AppError::Refused(Refusal::OpenPayments(counted)) = &refused else {
        panic!("{refused}");
    };
    assert_eq!((counted.open, counted.was_voiding), (1, false));
    assert_eq!(bench.shelf.commits(), commits);
    bench.shelf.will_answer(Some(done()));
    bench.cancels(&payment_id).await.expect("cancelled");
    bench.deletes_the_merchant().await.expect("deleted");
}
