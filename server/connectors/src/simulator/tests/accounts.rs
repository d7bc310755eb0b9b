//! Accounts with different keys know nothing of one another.

use multirail_app::ports::connector::Connector;
use multirail_domain::connector::{LookUpRequest, OperationKind, Outcome, UnknownReason};
use multirail_domain::ids::ProcessorKey;
use multirail_domain::secret::SecretText;
use multirail_simulator::processor::{Ledger, account_of};

use super::{VISA, declined, done, unknown};
use crate::simulator::fixture::{Bench, authorize_request, refund_request};

fn credentials(api_key: &str) -> SecretText {
    SecretText::new(format!(
        r#"{{"auth_type":"HeaderKey","api_key":"{api_key}"}}"#
    ))
}

async fn looked_up(bench: &Bench, api_key: &str, kind: OperationKind, key: &str) -> Outcome {
    let request = LookUpRequest {
        kind,
        key: ProcessorKey::parse(key).expect("a key"),
        credentials: credentials(api_key),
        authorization_key: ProcessorKey::parse("a").expect("a key"),
        authorization_reference: None,
    };
    bench.connector.look_up(request).await
}

#[tokio::test]
async fn what_one_account_did_is_not_there_for_another() {
    let bench = Bench::new("stripe_test");
    let mut request = authorize_request("a", VISA, 6540, false);
    request.credentials = credentials("other");
    done(bench.connector.authorize(request).await);
    // The bench asks with its own key.
    let missing = bench.look_up(OperationKind::Authorize, "a").await;
    assert!(
        matches!(missing, Outcome::NeverHappened { .. }),
        "{missing:?}"
    );
    assert_eq!(
        declined(bench.capture("c", "a", 6540, true).await).code,
        "DC_01"
    );
    assert_eq!(declined(bench.void("v", "a").await).code, "DC_01");
    assert_eq!(declined(bench.refund("r", "a", 1).await).code, "DC_01");
    let found = looked_up(&bench, "other", OperationKind::Authorize, "a").await;
    assert_eq!(done(found), 6540);
    for (kind, key) in [
        (OperationKind::Capture, "c"),
        (OperationKind::Void, "v"),
        (OperationKind::Refund, "r"),
    ] {
        let missing = looked_up(&bench, "other", kind, key).await;
        assert!(
            matches!(missing, Outcome::NeverHappened { .. }),
            "{missing:?}"
        );
    }
    let filed = bench.processor.ledger().authorizations().expect("a list");
    assert_eq!(filed[0].account, account_of("other"));

    // Nor is a refund that was made, and its key opens nothing either.
    let mut request = authorize_request("sold", VISA, 6540, true);
    request.credentials = credentials("other");
    done(bench.connector.authorize(request).await);
    let mut request = refund_request("s", "sold", 100);
    request.credentials = credentials("other");
    assert_eq!(done(bench.connector.refund(request).await), 100);
    let missing = bench.look_up(OperationKind::Refund, "s").await;
    assert!(
        matches!(missing, Outcome::NeverHappened { .. }),
        "{missing:?}"
    );
    assert_eq!(
        bench.refund("s", "sold", 100).await,
        unknown(UnknownReason::ProcessorError)
    );
    let found = looked_up(&bench, "other", OperationKind::Refund, "s").await;
    assert_eq!(done(found), 100);
}

#[tokio::test]
async fn books_of_the_first_form_belong_to_whoever_asks() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("simulator.sqlite");
    let first = Bench::on("stripe_test", Ledger::open(&path).expect("a ledger"));
    done(first.reserve("a", VISA).await);
    drop(first);
    let connection = rusqlite::Connection::open(&path).expect("a file");
    let back = "alter table authorizations drop column account; alter table captures drop column account; \
        alter table voids drop column account; alter table authorizations drop column details; \
        alter table captures drop column descriptor; alter table voids drop column reason; drop table refunds; \
        alter table authorizations drop column refund_behavior; pragma user_version = 1;";
    connection.execute_batch(back).expect("the first form");
    drop(connection);
    let second = Bench::on("stripe_test", Ledger::open(&path).expect("a ledger"));
    let found = looked_up(&second, "other", OperationKind::Authorize, "a").await;
    assert_eq!(done(found), 6540);
    assert_eq!(done(second.capture("c", "a", 6540, true).await), 6540);
    assert_eq!(done(second.refund("r", "a", 6540).await), 6540);
}
