//! The connectors of a server, and checks of credentials before they are stored.

use std::sync::Arc;

use multirail_conformance::bodies::with;
use multirail_conformance::wire::Wire;
use multirail_conformance::{Call, Shop, TestServer};
use multirail_server::config::{Inputs, Setting};
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use serde_json::{Map, Value, json};

use crate::users::Person;

/// Returns an account with just the members that the description of its connector asks for.
fn account_of(connector: &Value) -> Value {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let mut details = json!({ "auth_type": connector["credentials"]["auth_type"] });
    let members = connector["credentials"]["members"].as_array();
    for member in members.expect("members") {
        details[text(&member["name"])] = json!("a key");
    }
    let settings = connector["settings"].as_array().expect("settings").iter();
    let needed = settings.filter(|one| one["needed"] != "never");
    let metadata: Map<String, Value> = needed
        .map(|one| (text(&one["name"]), json!("abc")))
        .collect();
    json!({
        "connector_name": connector["connector_name"],
        "connector_type": connector["connector_types"][0],
        "connector_label": format!("described {}", text(&connector["connector_name"])),
        "connector_account_details": details,
        "metadata": metadata,
    })
}

#[tokio::test]
async fn an_account_needs_just_what_its_connector_describes() {
    let shop = Shop::open().await;
    let list = shop.call("connectors_list").await.ok();
    let list = list.as_array().expect("a list");
    let names: Vec<&str> = list
        .iter()
        .filter_map(|one| one["connector_name"].as_str())
        .collect();
    assert_eq!(names[..3], ["adyen", "checkout", "stripe"]);
    for name in ["fauxpay", "stripe_test", "vgs", "multirail_billing"] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    for connector in list {
        let body = account_of(connector);
        let made = shop.call("connector_accounts_create").json(&body).await;
        assert_eq!(made.ok()["status"], "active", "{body}");
    }
    let viewer = Person::invited(&shop.server, "v", "merchant_view_only", "bookshop").await;
    let shown = viewer.call("connectors_list").await.ok();
    assert_eq!(shown.as_array(), Some(list));
}

#[tokio::test]
async fn the_limits_of_a_type_are_those_that_routing_applies() {
    let shop = Shop::open().await;
    let list = shop.call("connectors_list").await.ok();
    let mut list = list.as_array().expect("a list").iter();
    let simulator = list.find(|one| one["connector_name"] == "fauxpay");
    let methods = &simulator.expect("a simulator")["payment_methods"];
    let mut methods = methods.as_array().expect("methods").iter();
    let redirects = methods.find(|one| one["payment_method"] == "bank_redirect");
    let kinds = &redirects.expect("a method")["payment_method_types"];
    let mut kinds = kinds.as_array().expect("types").iter();
    let ideal = kinds.find(|one| one["payment_method_type"] == "ideal");
    assert_eq!(ideal.expect("a type")["currencies"], json!(["EUR"]));
}

fn check(shop: &Shop, name: &str, api_key: &str, more: Value) -> Call {
    let details = json!({ "auth_type": "HeaderKey", "api_key": api_key });
    let body = json!({ "connector_name": name, "connector_account_details": details });
    shop.call("connectors_check").json(&with(body, more))
}

#[tokio::test]
async fn credentials_are_checked_and_not_stored() {
    let shop = Shop::open().await;
    let before = shop.call("connector_accounts_list").await.ok();
    let check = |api_key: &str| check(&shop, "stripe_test", api_key, json!({}));
    let mut told = Vec::new();
    let mut says = |story: &str, answer: Value| {
        assert_eq!(answer["connector_name"], "stripe_test");
        told.push(format!(
            "{story}: {} {}",
            answer["result"], answer["message"]
        ));
    };
    says("a good key", check("simulator-key").await.ok());
    shop.next_call_meets(ScriptedCall::Account, Fault::FailsBefore(503));
    says("a processor in trouble", check("simulator-key").await.ok());
    says("a refused key", check("refused_key").await.ok());
    insta::assert_snapshot!(told.join("\n"), @r#"
    a good key: "accepted" null
    a processor in trouble: "not_known" "processor_error"
    a refused key: "refused" "DC_14: This API key opens no account"
    "#);
    let after = shop.call("connector_accounts_list").await.ok();
    assert_eq!(after, before);
}

#[tokio::test]
async fn what_an_account_could_not_have_is_not_sent_to_its_processor() {
    let shop = Shop::open().await;
    let check = |name: &str, api_key: &str, more: Value| check(&shop, name, api_key, more);
    let refused = check("stripe_test", "te********ey", json!({})).await;
    let message = refused.refused(422, "IR_06");
    assert!(message.contains("api_key"), "{message}");
    let none =
        json!({ "connector_account_details": { "auth_type": "TemporaryAuth", "api_key": null } });
    let refused = check("stripe_test", "k", none).await;
    refused.refused(422, "IR_05");
    let refused = check("adyen", "k", json!({})).await;
    refused.refused(422, "IR_05");
    let refused = check("checkout", "k", json!({})).await;
    let message = refused.refused(400, "IR_04");
    assert!(message.contains("metadata.endpoint_prefix"), "{message}");
    let elsewhere = json!({ "metadata": { "base_url": "https://evil.example" } });
    let refused = check("stripe", "k", elsewhere).await;
    let message = refused.refused(422, "IR_06");
    assert!(message.contains("metadata.base_url"), "{message}");
    let refused = check("vgs", "k", json!({})).await;
    refused.refused(400, "IR_20");
    let refused = check("zsl", "k", json!({})).await;
    refused.refused(422, "IR_06");
}

#[tokio::test]
async fn an_organization_checks_few_credentials() {
    let shop = Shop::open().await;
    let mut accepted = 0;
    // A token comes each six seconds, so that the limit is reached by any machine.
    while accepted < 100 {
        let answer = check(&shop, "fauxpay", "simulator-key", json!({})).await;
        if answer.status == 429 {
            answer.refused(429, "MR_03");
            break;
        }
        answer.ok();
        accepted += 1;
    }
    assert!((20..100).contains(&accepted), "{accepted}");
    // Neither another key, nor another account, nor stored credentials are a way around it.
    let is_limited = async |call: Call| {
        for _ in 0..100 {
            // A token may have come since.
            if call.clone().await.status == 429 {
                return;
            }
        }
        panic!("no limit");
    };
    let stored = shop.call("connector_accounts_check");
    let stored = stored.at("merchant_connector_id", &shop.connector_account_id);
    is_limited(stored).await;
    let person = Person::invited(&shop.server, "joan", "org_admin", "bookshop").await;
    let body = json!({ "company_name": "Second shop" });
    let second = person.call("users_create_merchant").json(&body).await.ok();
    let elsewhere = person.in_account(&second["merchant_id"]).await;
    let details = json!({ "auth_type": "HeaderKey", "api_key": "simulator-key" });
    let body = json!({ "connector_name": "fauxpay", "connector_account_details": details });
    is_limited(elsewhere.call("connectors_check").json(&body)).await;
    // The operator looks for faults of merchants without this limit.
    let by_operator = shop.server.operator("connector_accounts_check");
    let by_operator = by_operator.at("account_id", "bookshop");
    let by_operator = by_operator.at("merchant_connector_id", &shop.connector_account_id);
    for _ in 0..2 {
        assert_eq!(by_operator.clone().await.ok()["result"], "accepted");
    }
}

/// Without this, refused accounts would be checks without a limit.
#[tokio::test]
async fn a_user_creates_few_accounts_with_checked_credentials() {
    let shop = Shop::open().await;
    let person = Person::invited(&shop.server, "dev", "merchant_developer", "bookshop").await;
    let body = json!({
        "connector_type": "payment_processor", "connector_name": "stripe_test", "check_credentials": true,
        "connector_account_details": { "auth_type": "HeaderKey", "api_key": "refused_key" },
    });
    let create = || {
        let call = person.call("connector_accounts_create").json(&body);
        call.at("account_id", "bookshop")
    };
    let mut refused = 0;
    while refused < 100 {
        let answer = create().await;
        if answer.status == 429 {
            answer.refused(429, "MR_03");
            break;
        }
        answer.refused(422, "IR_06");
        refused += 1;
    }
    assert!((20..100).contains(&refused), "{refused}");
}

#[tokio::test]
async fn a_developer_checks_a_stored_account() {
    let shop = Shop::open().await;
    let person = Person::invited(&shop.server, "dev", "merchant_developer", "bookshop").await;
    let call = person.call("connector_accounts_check");
    let call = call.at("account_id", "bookshop");
    let call = call.at("merchant_connector_id", &shop.connector_account_id);
    assert_eq!(call.await.ok()["result"], "accepted");
}

#[tokio::test]
async fn an_account_shows_the_address_for_its_webhooks() {
    let public = |inputs: Inputs| inputs.with(Setting::PublicUrl, "https://pay.example/");
    let mut server = TestServer::start_with(public).await;
    // Nobody listens at the public address.
    let near = Wire::new(&server.address());
    Arc::get_mut(&mut server).expect("the only one").wire = near;
    let shop = server.shop("bookshop").await;
    let id = &shop.connector_account_id;
    let address = format!("https://pay.example/webhooks/bookshop/{id}");
    let shown = shop.call("connector_accounts_retrieve");
    let shown = shown.at("merchant_connector_id", id).await.ok();
    assert_eq!(shown["connector_webhook_url"], address);
    let body = account_of(&json!({
        "connector_name": "fauxpay", "connector_types": ["payment_processor"], "settings": [],
        "credentials": { "auth_type": "HeaderKey", "members": [{ "name": "api_key" }] },
    }));
    let create = || {
        let call = shop.call("connector_accounts_create").json(&body);
        call.header("idempotency-key", "k")
    };
    let made = create().await.ok();
    assert!(made["connector_webhook_url"].is_string(), "{made}");
    assert_eq!(create().await.ok(), made);
    let vault = json!({
        "connector_type": "vault_processor", "connector_name": "vgs", "connector_account_details": {
            "auth_type": "SignatureKey", "api_key": "a", "key1": "b", "api_secret": "c",
        },
    });
    let vault = shop.call("connector_accounts_create").json(&vault).await;
    assert_eq!(vault.ok().get("connector_webhook_url"), None);
}
