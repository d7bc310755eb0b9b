//! The callers of each operation, and tokens that open nothing.

use multirail_conformance::TestServer;
use multirail_conformance::document::{operation, operations};
use serde_json::json;

use super::Person;

/// Columns: secret key, publishable key with a secret, operator's key, user, ephemeral key. (Facts 6.8)
const TABLE: [(&str, [bool; 5]); 17] = [
    ("events_list", [false, false, true, true, false]),
    ("events_attempts", [false, false, true, true, false]),
    ("events_retry", [false, false, true, true, false]),
    (
        "payments_session_tokens",
        [false, true, false, false, false],
    ),
    ("users_create_platform", [false, false, false, true, false]),
    (
        "dynamic_routing_elimination_create",
        [true, false, false, true, false],
    ),
    ("subscriptions_resume", [true, false, false, false, false]),
    (
        "customer_payment_methods_list",
        [true, true, false, false, true],
    ),
    ("disputes_profile_list", [true, false, false, true, false]),
    ("disputes_accept", [true, false, false, true, false]),
    ("payments_cancel", [true, false, false, false, false]),
    ("payments_capture", [true, false, false, false, false]),
    ("payments_confirm", [true, true, false, false, false]),
    ("payments_retrieve", [true, true, false, false, false]),
    ("payments_update", [true, true, false, false, false]),
    ("routing_list", [true, false, false, true, false]),
    ("connector_accounts_list", [true, false, false, true, false]),
];

/// `principals` checks the server against the document, for every operation and caller.
#[test]
fn the_document_lets_in_whom_the_facts_name() {
    let schemes = [
        "api_key",
        "publishable_key",
        "admin_api_key",
        "bearer",
        "ephemeral_key",
    ];
    for (id, wanted) in TABLE {
        let taken = schemes.map(|scheme| operation(id).takes(scheme));
        assert_eq!(taken, wanted, "{id}");
    }
    for id in [
        "connector_accounts_create",
        "connector_accounts_update",
        "business_profiles_create",
    ] {
        for scheme in ["api_key", "admin_api_key"] {
            assert!(operation(id).takes(scheme), "{id} {scheme}");
        }
    }
}

#[test]
fn the_admin_of_an_organization_may_call_whatever_a_user_may() {
    let mut by_users = operations()
        .iter()
        .filter(|operation| operation.takes("bearer"));
    let shut: Vec<&str> = by_users
        .by_ref()
        .filter(|operation| {
            let roles = operation.text()["x-multirail-roles"].as_array();
            !roles.is_some_and(|roles| roles.contains(&json!("org_admin")))
        })
        .map(|operation| operation.id.as_str())
        .collect();
    assert_eq!(shut, Vec::<&str>::new());
}

#[tokio::test]
async fn tokens_for_one_purpose_open_nothing_else() {
    let server = TestServer::start().await;
    let ada = Person::new(&server, "ada").await;
    let home = ada.details().await;
    let invitation = json!({
        "email": "grace@books.example", "role_id": "org_admin", "merchant_id": home["merchant_id"],
    });
    let invited = server.operator("users_invite").json(&invitation).await.ok();
    let password_token = invited["password_token"].as_str().expect("a token");
    let name = json!({ "organization_name": "Market hall" });
    let call = server.wire.call("users_create_platform").json(&name);
    call.token(password_token).await.refused(401, "IR_17");
    let call = server.wire.call("users_retrieve").token(password_token);
    call.await.refused(401, "IR_17");
}
