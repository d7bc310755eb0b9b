use std::sync::Arc;

use multirail_kernel::secret::SecretText;
use multirail_sdk::connector::Payments;
use multirail_sdk::connector::{CREDENTIALS_REFUSED_CODE, OperationKind, Outcome, UnknownReason};
use multirail_simulator::processor::Ledger;

use super::{THREE_DS, VISA, declined, done, unknown};
use crate::simulator::fixture::{Bench, authorize_request};

const OTHER_TERMS: UnknownReason = UnknownReason::ProcessorError;

#[tokio::test]
async fn the_same_key_does_once_and_answers_alike() {
    let bench = Bench::new("stripe_test");
    for number in [
        VISA,
        THREE_DS,
        "4000000000000002",
        "4000000000000994",
        "4000000000000341",
    ] {
        let first = bench.reserve(number, number).await;
        assert_eq!(bench.reserve(number, number).await, first, "{number}");
    }
    let ledger = bench.processor.ledger();
    assert_eq!(ledger.authorizations().expect("a list").len(), 5);

    let first = bench.capture("c", VISA, 6000, false).await;
    assert_eq!(bench.capture("c", VISA, 6000, false).await, first);
    let refused = bench.capture("c2", VISA, 6000, false).await;
    assert_eq!(bench.capture("c2", VISA, 6000, false).await, refused);
    declined(refused);
    assert_eq!(ledger.captures().expect("a list").len(), 2);

    let first = bench.void("v", VISA).await;
    assert_eq!(bench.void("v", VISA).await, first);
    assert_eq!(done(first), 540);
    assert_eq!(ledger.voids().expect("a list").len(), 1);
}

#[tokio::test]
async fn the_same_key_with_other_terms_is_refused_and_changes_nothing() {
    let bench = Bench::new("stripe_test");
    done(bench.reserve("a", VISA).await);
    let before = bench.processor.ledger().authorizations().expect("a list");
    assert_eq!(
        bench.authorize_as("a", VISA, 6541, false).await,
        unknown(OTHER_TERMS)
    );
    assert_eq!(
        bench.authorize_as("a", VISA, 6540, true).await,
        unknown(OTHER_TERMS)
    );
    assert_eq!(
        bench.processor.ledger().authorizations().expect("a list"),
        before
    );

    done(bench.capture("c", "a", 100, false).await);
    assert_eq!(
        bench.capture("c", "a", 101, false).await,
        unknown(OTHER_TERMS)
    );
    assert_eq!(
        bench.capture("c", "a", 100, true).await,
        unknown(OTHER_TERMS)
    );
    done(bench.void("v", "a").await);
    assert_eq!(bench.void("v", "b").await, unknown(OTHER_TERMS));
    assert_eq!(done(bench.look_up(OperationKind::Capture, "c").await), 100);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn captures_at_the_same_time_never_take_more_than_was_approved() {
    let bench = Arc::new(Bench::new("stripe_test"));
    done(bench.reserve("a", VISA).await);
    // Ten keys, each sent three times; 6540 is enough for six of them.
    let mut captures = tokio::task::JoinSet::new();
    for number in 0..30 {
        let bench = Arc::clone(&bench);
        let key = format!("c{}", number % 10);
        captures.spawn(async move { bench.capture(&key, "a", 1000, false).await });
    }
    let outcomes = captures.join_all().await;
    let taken = outcomes
        .iter()
        .filter(|outcome| matches!(outcome, Outcome::Done(_)));
    assert_eq!(taken.count(), 18);
    let ledger = bench.processor.ledger();
    assert_eq!(ledger.captures().expect("a list").len(), 10);
    assert_eq!(ledger.totals().expect("totals")["a"].captured, 6000);
}

#[tokio::test]
async fn the_ledger_survives_its_processor() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("simulator.sqlite");
    let first = Bench::on("stripe_test", Ledger::open(&path).expect("a ledger"));
    let outcome = first.reserve("a", VISA).await;
    // The file isn't closed, as after a killed process.
    std::mem::forget(first);

    let second = Bench::on("stripe_test", Ledger::open(&path).expect("a ledger"));
    assert_eq!(second.look_up(OperationKind::Authorize, "a").await, outcome);
    assert_eq!(second.reserve("a", VISA).await, outcome);
    assert_eq!(done(second.capture("c", "a", 6540, true).await), 6540);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(&path)
            .expect("a file")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[tokio::test]
async fn two_processors_share_one_ledger() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("simulator.sqlite");
    let one = Bench::on("stripe_test", Ledger::open(&path).expect("a ledger"));
    let two = Bench::on("stripe_test", Ledger::open(&path).expect("a ledger"));
    let outcome = one.reserve("a", VISA).await;
    assert_eq!(two.reserve("a", VISA).await, outcome);
    assert_eq!(done(two.capture("c", "a", 6540, true).await), 6540);
    assert_eq!(declined(one.capture("d", "a", 1, true).await).code, "DC_13");
}

#[tokio::test]
async fn without_a_key_nothing_is_sent() {
    let bench = Bench::new("stripe_test");
    let mut request = authorize_request("a", VISA, 6540, true);
    request.access.credentials = SecretText::new(r#"{"auth_type":"TemporaryAuth"}"#);
    let outcome = bench.connector.authorize(request).await;
    assert!(matches!(outcome, Outcome::NeverHappened { .. }));
    let mut request = authorize_request("a", VISA, 6540, true);
    request.access.credentials = SecretText::new(r#"{"auth_type":"HeaderKey","api_key":" "}"#);
    let decline = declined(bench.connector.authorize(request).await);
    assert_eq!(decline.code, CREDENTIALS_REFUSED_CODE);
    assert_eq!(
        decline.reason.as_deref(),
        Some("DC_11: An API key is needed")
    );
    assert_eq!(
        bench.processor.ledger().authorizations().expect("a list"),
        []
    );
}

#[tokio::test]
async fn no_card_number_reaches_the_ledger() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("simulator.sqlite");
    let bench = Bench::on("stripe_test", Ledger::open(&path).expect("a ledger"));
    done(bench.sale("a", VISA).await);
    for entry in std::fs::read_dir(directory.path()).expect("a directory") {
        let bytes = std::fs::read(entry.expect("an entry").path()).expect("a file");
        let found = |text: &str| {
            bytes
                .windows(text.len())
                .any(|part| part == text.as_bytes())
        };
        assert!(!found(VISA));
    }
}
