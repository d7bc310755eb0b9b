//! Users who act for a merchant instead of its key.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, paid_with, with};
use serde_json::{Value, json};

use super::Person;

#[tokio::test]
async fn each_role_does_its_part_in_its_own_account() {
    let shop = Shop::open().await;
    let server = &shop.server;
    let paid = shop.creates(paid_with(APPROVED)).await.ok();
    let person = async |role: &str| Person::invited(server, role, role, "bookshop").await;
    let viewer = person("merchant_view_only").await;
    let at = |who: &Person, operation: &str, merchant_id: &str| {
        let call = who.call(operation);
        call.at("merchant_id", merchant_id)
            .at("account_id", merchant_id)
    };
    // The viewer reads everything that the key or the operator reads.
    let events = at(&viewer, "events_list", "bookshop").json(&json!({}));
    let events = events.await.ok();
    assert_eq!(events["total_count"], 1, "{events}");
    let of_profile = viewer.call("events_profile_list").json(&json!({}));
    assert_eq!(of_profile.await.ok(), events);
    for operation in ["disputes_list", "routing_list"] {
        viewer.call(operation).await.ok();
    }
    let accounts = at(&viewer, "connector_accounts_list", "bookshop").await;
    assert_eq!(accounts.ok()[0]["connector_name"], "fauxpay");
    let payments = viewer.call("payments_list").await.ok();
    assert_eq!(payments["data"][0]["payment_id"], paid["payment_id"]);

    // The viewer reads nothing of another profile or account.
    let second = &shop.second_profile().await;
    let narrowed = viewer.call("events_profile_list").json(&json!({}));
    let narrowed = narrowed.header("x-profile-id", second).await.ok();
    assert_eq!(narrowed["total_count"], 0);
    let named = viewer.call("events_profile_list");
    let named = named.json(&json!({ "profile_id": second }));
    named.await.refused(404, "HE_02");
    let florist = server.shop_without_connector("florist").await;
    for operation in ["events_list", "connector_accounts_list"] {
        let call = at(&viewer, operation, "florist");
        let call = if operation == "events_list" {
            call.json(&json!({}))
        } else {
            call
        };
        call.await.refused(403, "IR_22");
    }
    let narrowed = viewer.call("payments_list");
    let theirs = narrowed.header("x-profile-id", &florist.profile_id);
    theirs.await.refused(404, "HE_02");

    // An operator role may refund, and a developer role may create keys.
    let refund = json!({ "payment_id": paid["payment_id"], "amount": 1 });
    let call = viewer.call("refunds_create").json(&refund);
    call.await.refused(403, "IR_22");
    let operator = person("merchant_operator").await;
    let call = || operator.call("refunds_create").json(&refund);
    let once = call().header("idempotency-key", "k").await.ok();
    let again = call().header("idempotency-key", "k").await.ok();
    assert_eq!(once, again);
    let key = json!({ "name": "till", "expiration": "never" });
    let call = at(&operator, "api_keys_create", "bookshop").json(&key);
    call.await.refused(403, "IR_22");
    let developer = person("merchant_developer").await;
    let call = at(&developer, "api_keys_create", "florist").json(&key);
    call.await.refused(403, "IR_22");
    let reading = json!({ "read_only": true, "operation_groups": ["payments"] });
    let call = at(&developer, "api_keys_create", "bookshop");
    let key = call.json(&with(key, reading)).await.ok();
    let call = shop.call("payments_list");
    let call = call.key(key["api_key"].as_str().expect("a key"));
    call.await.ok();
}

/// A role can't create a key with more permissions than its own, because the key would outlive the role.
#[tokio::test]
async fn a_key_opens_no_more_than_the_role_that_makes_it() {
    let shop = Shop::open().await;
    let server = &shop.server;
    let developer = Person::invited(server, "dev", "merchant_developer", "bookshop").await;
    let admin = Person::invited(server, "adm", "merchant_admin", "bookshop").await;
    let makes = |who: &Person, more: Value| {
        let key = with(json!({ "name": "till", "expiration": "never" }), more);
        who.call("api_keys_create")
            .at("merchant_id", "bookshop")
            .json(&key)
    };
    for beyond in [
        json!({}),
        json!({ "operation_groups": ["refunds"] }),
        json!({ "operation_groups": ["payments"] }),
        json!({ "operation_groups": ["routing", "customers"] }),
        json!({ "read_only": true }),
    ] {
        let refused = makes(&developer, beyond.clone()).await;
        let said = refused.refused(403, "IR_22");
        assert!(said.contains("which your role doesn't"), "{beyond}: {said}");
    }
    for within in [
        json!({ "operation_groups": ["connector_accounts"] }),
        json!({ "read_only": true, "operation_groups": ["payments", "refunds", "subscriptions"] }),
    ] {
        makes(&developer, within).await.ok();
    }
    // The developer can't extend a stronger key of another user, but may revoke it.
    let whole = makes(&admin, json!({})).await.ok();
    let at = |who: &Person, operation: &str| {
        let call = who.call(operation).at("merchant_id", "bookshop");
        call.at("key_id", whole["key_id"].as_str().expect("an id"))
    };
    let longer = json!({ "expiration": "never" });
    let update = at(&developer, "api_keys_update").json(&longer);
    update.await.refused(403, "IR_22");
    at(&admin, "api_keys_update").json(&longer).await.ok();
    at(&developer, "api_keys_revoke").await.ok();
}
