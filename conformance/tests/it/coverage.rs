//! No operation without a scenario: the lifecycle that the command tells runs here against a server of this build, and
//! every operation of the document has to have a part in it that goes well.

use multirail_conformance::document::operations;
use multirail_conformance::identity_provider::IdentityProvider;
use multirail_conformance::{TestServer, lifecycle};

use crate::users::oidc::knows;

#[tokio::test]
async fn every_operation_of_the_document_has_its_part_in_the_lifecycle() {
    let provider = IdentityProvider::open().await;
    let with_provider = |inputs| knows(&provider, inputs);
    let server = TestServer::start_with(with_provider).await;
    let report = lifecycle::run_with(&server.wire, server.admin_key(), Some(&provider)).await;
    assert!(report.passed(), "\n{}", report.table());
    assert_eq!(report.untried(), Vec::<&str>::new());
    // What was tried has worked at least once, not only been refused.
    for operation in operations() {
        let worked = report
            .rows
            .iter()
            .any(|row| row.operation == operation.id && row.result.is_ok());
        assert!(worked, "{} never worked", operation.id);
    }
}

#[tokio::test]
async fn a_server_without_an_identity_provider_passes_too() {
    let server = TestServer::start().await;
    let report = lifecycle::run(&server.wire, server.admin_key()).await;
    assert!(report.passed(), "\n{}", report.table());
}

#[tokio::test]
async fn the_lifecycle_notices_a_wrong_key() {
    let server = TestServer::start().await;
    let report = lifecycle::run(&server.wire, "not the key").await;
    assert!(!report.passed());
    assert!(
        report.untried().contains(&"payments_confirm"),
        "{}",
        report.table()
    );
}
