//! Accounts with different keys can't see each other's objects.

use multirail_sdk::connector::{
    Access, AccountCheck, DeclineCategory, OperationKind, Outcome, UnknownReason,
};
use multirail_sdk::connector::{Connector, Payments};
use multirail_simulator::processor::{Ledger, account_of};
use multirail_simulator::scripted::{Call, Fault};
use multirail_simulator_wire::REFUSED_API_KEY;

use super::{VISA, declined, done, unknown};
use crate::simulator::fixture::{Bench, access_with, authorize_request, refund_request};

async fn looked_up(bench: &Bench, api_key: &str, kind: OperationKind, key: &str) -> Outcome {
    bench.look_up_as(access_with(api_key), kind, key).await
}

#[tokio::test]
async fn an_account_cannot_see_anothers_objects() {
    let bench = Bench::new("stripe_test");
    let mut request = authorize_request("a", VISA, 6540, false);
    request.access = access_with("other");
    done(bench.connector.authorize(request).await);
    // The bench uses its own key.
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

    // The same holds for a refund and for its key.
    let mut request = authorize_request("sold", VISA, 6540, true);
    request.access = access_with("other");
    done(bench.connector.authorize(request).await);
    let mut request = refund_request("s", "sold", 100);
    request.access = access_with("other");
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
        drop table notice_endpoints; drop table notices; drop table disputes; drop table increments; \
        alter table authorizations drop column refund_behavior; alter table authorizations drop column is_held; \
        alter table authorizations drop column capture_before; alter table authorizations drop column received; \
        drop table dispute_requests; \
        drop table engine_subscriptions; drop table engine_requests; pragma user_version = 1;";
    connection.execute_batch(back).expect("the first form");
    drop(connection);
    let second = Bench::on("stripe_test", Ledger::open(&path).expect("a ledger"));
    let found = looked_up(&second, "other", OperationKind::Authorize, "a").await;
    assert_eq!(done(found), 6540);
    assert_eq!(done(second.capture("c", "a", 6540, true).await), 6540);
    assert_eq!(done(second.refund("r", "a", 6540).await), 6540);
}

#[tokio::test]
async fn credentials_are_checked_without_moving_money() {
    let bench = Bench::new("fauxpay");
    let check = async |access| bench.connector.check(access).await;
    assert_eq!(check(access_with("sim_key")).await, AccountCheck::Accepted);
    let refused = |message: &str| AccountCheck::Refused {
        message: message.to_owned(),
    };
    assert_eq!(
        check(access_with(" ")).await,
        refused("DC_11: An API key is needed")
    );
    assert_eq!(
        check(access_with(REFUSED_API_KEY)).await,
        refused("DC_14: This API key opens no account")
    );
    assert_eq!(
        check(Access::default()).await,
        refused("the account has no credentials that could be sent")
    );
    let mut request = authorize_request("a", VISA, 6540, true);
    request.access = access_with(REFUSED_API_KEY);
    let declined = declined(bench.connector.authorize(request).await);
    assert_eq!(declined.category, Some(DeclineCategory::InvalidCredentials));
    for (fault, reason) in [
        (Fault::FailsBefore(503), UnknownReason::ProcessorError),
        (Fault::LosesAnswer, UnknownReason::ConnectionLost),
        (Fault::TimesOut, UnknownReason::Timeout),
        (Fault::AnswersNonsense, UnknownReason::UnreadableAnswer),
    ] {
        bench.script().next(Call::Account, fault);
        let checked = check(access_with("sim_key")).await;
        assert_eq!(checked, AccountCheck::NotKnown(reason));
    }
    assert_eq!(bench.script().waiting(), 0);
    assert_eq!(
        bench.processor.ledger().authorizations().expect("a list"),
        []
    );
}
