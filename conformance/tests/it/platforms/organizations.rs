//! Organizations: created and changed by the operator, and by their admins.

use multirail_conformance::evidence::evidence;
use multirail_conformance::{Call, TestServer};
use serde_json::{Value, json};

use super::{Hall, account, text};
use crate::users::Person;

fn creates(server: &TestServer, body: Value) -> Call {
    server.operator("organizations_create").json(&body)
}

fn at(call: Call, organization: &Value) -> Call {
    call.at("organization_id", text(&organization["organization_id"]))
}

#[tokio::test]
async fn made_by_the_operator_for_accounts_to_come() {
    let server = TestServer::start().await;
    let body = json!({
        "organization_name": " Books Inc. ", "organization_details": { "country": "US" },
        "metadata": { "floor": 2 },
    });
    let made = creates(&server, body.clone()).await.ok();
    insta::assert_snapshot!(serde_json::to_string_pretty(&evidence(&made)).expect("JSON"), @r#"
    {
      "organization_id": "org_[20]",
      "organization_name": "Books Inc.",
      "organization_type": "standard",
      "organization_details": {
        "country": "US"
      },
      "metadata": {
        "floor": 2
      },
      "created_at": "[moment]",
      "modified_at": "[moment]"
    }
    "#);
    let retrieve = at(server.operator("organizations_retrieve"), &made);
    assert_eq!(retrieve.await.ok(), made);
    let again = creates(&server, body).await.ok();
    assert_ne!(again["organization_id"], made["organization_id"]);
    let account = json!({ "merchant_id": "shop", "organization_id": made["organization_id"] });
    let call = server.operator("merchant_accounts_create").json(&account);
    let account = call.await.ok();
    assert_eq!(account["organization_id"], made["organization_id"]);
    assert_eq!(account["merchant_account_type"], "standard");
    for (body, status, code) in [
        (json!({}), 400, "IR_04"),
        (json!({ "organization_name": "  " }), 400, "IR_07"),
        (json!({ "organization_name": "n".repeat(65) }), 422, "IR_05"),
        (json!({ "organization_name": 7 }), 400, "IR_06"),
        (
            json!({ "organization_name": "n", "organization_details": 7 }),
            400,
            "IR_06",
        ),
        (
            json!({ "organization_name": "n", "organization_type": "platform" }),
            400,
            "IR_06",
        ),
    ] {
        creates(&server, body).await.refused(status, code);
    }
}

#[tokio::test]
async fn changed_in_what_is_named() {
    let server = TestServer::start().await;
    let hall = Hall::open(&server, "hall").await;
    let retrieve = server.operator("organizations_retrieve");
    let before = retrieve.at("organization_id", &hall.organization_id);
    let before = before.await.ok();
    assert_eq!(before["organization_type"], "platform");
    let platform = hall.platform.merchant_id.as_str();
    assert_eq!(before["platform_merchant_id"], platform);
    let update = |call: Call, body: Value| at(call, &before).json(&body);
    let by_operator = |body: Value| update(server.operator("organizations_update"), body);
    let long = "n".repeat(64);
    // Blanks around the name don't count, which a schema can't express.
    let named = by_operator(json!({ "organization_name": format!(" {long} ") })).unjudged();
    assert_eq!(named.await.ok()["organization_name"], json!(long));
    let named = by_operator(json!({ "organization_name": "Old hall" }));
    let named = named.await.ok();
    assert_eq!(named["organization_name"], "Old hall");
    let by_admin = hall.admin.call("organizations_update");
    let body = json!({ "metadata": { "floor": 2 }, "platform_merchant_id": platform });
    let noted = update(by_admin, body).await.ok();
    assert_eq!(noted["metadata"], json!({ "floor": 2 }));
    assert_eq!(noted["organization_name"], "Old hall");
    assert_eq!(noted["created_at"], before["created_at"]);
    let untouched = by_operator(json!({})).await.ok();
    assert_eq!(untouched["metadata"], json!({ "floor": 2 }));
    hall.opens("stall", "connected").await.ok();
    let another = by_operator(json!({ "platform_merchant_id": "stall" }));
    let message = another.await.refused(422, "IR_06");
    assert!(message.contains("platform_merchant_id"), "{message}");
    let empty = by_operator(json!({ "organization_name": " " }));
    empty.await.refused(400, "IR_07");
    let unborn = server.operator("organizations_update").json(&json!({}));
    let unborn = unborn.at("organization_id", "org_unborn");
    unborn.await.refused(404, "IR_37");
}

#[tokio::test]
async fn a_users_own_alone() {
    let server = TestServer::start().await;
    let hall = Hall::open(&server, "hall").await;
    hall.opens("stall", "connected").await.ok();
    let grace = Person::new(&server, "grace").await;
    let stall_admin = Person::invited(&server, "stan", "merchant_admin", "stall").await;
    let calls = |who: &Person| {
        let call = |operation: &str| {
            let call = who.call(operation);
            call.at("organization_id", &hall.organization_id)
        };
        [
            call("organizations_retrieve"),
            call("organizations_update").json(&json!({})),
            call("organization_accounts_list"),
        ]
    };
    for call in calls(&hall.admin) {
        call.await.ok();
    }
    for who in [&grace, &stall_admin] {
        for call in calls(who) {
            call.await.refused(403, "IR_22");
        }
    }
    let own = account(&server, "stall").await;
    assert_eq!(own["organization_id"], hall.organization_id.as_str());
}
