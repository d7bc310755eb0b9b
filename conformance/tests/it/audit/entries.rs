//! The callers that leave an entry, and the entry's content.

use multirail_conformance::bodies::{APPROVED, order, order_with, paid_with, with};
use multirail_conformance::response::moment;
use multirail_conformance::{Call, Response, Shop, TestServer};
use serde_json::{Value, json};

use super::is_whole;
use crate::audit_log::{entries_of, exported, log};
use crate::platforms::Hall;
use crate::users::{PASSWORD, Person, sign_in};

const KEY: &str = "idempotency-key";

/// Returns the members of an entry that are the same in every run, and checks the others.
fn stable_members(entry: &Value, answer: &Response) -> Value {
    assert_eq!(
        entry["request_id"].as_str(),
        answer.header("request-id"),
        "{entry}"
    );
    assert_eq!(entry["ip_address"], "127.0.0.1", "{entry}");
    let age = chrono::Utc::now().signed_duration_since(moment(&entry["recorded_at"]));
    assert!(age.num_seconds().abs() < 120, "{entry}");
    json!({
        "who": [entry["principal"], entry["principal_id"]],
        "in": entry["merchant_id"],
        "what": entry["operation"],
        "target": entry["target"],
        "objects": entry["objects"],
    })
}

fn issues(server: &TestServer, merchant_id: &str, more: Value) -> Call {
    let body = with(json!({ "name": "till", "expiration": "never" }), more);
    let call = server.operator("api_keys_create");
    call.at("merchant_id", merchant_id).json(&body)
}

#[tokio::test]
async fn the_operator_leaves_an_entry_without_the_key_that_he_made() {
    let shop = Shop::open().await;
    let answer = issues(&shop.server, &shop.merchant_id, json!({})).await;
    let key = answer.body["api_key"].as_str().expect("the key").to_owned();
    let all = entries_of(&shop.server, "api_keys_create").await;
    let entry = all.last().expect("an entry");
    assert_eq!(
        stable_members(entry, &answer),
        json!({
            "who": ["admin", null],
            "in": shop.merchant_id,
            "what": "api_keys_create",
            "target": [{ "name": "merchant_id", "id": shop.merchant_id }],
            "objects": [{ "name": "api_key", "id": answer.body["key_id"] }],
        })
    );
    let rows = exported(&shop.server, &json!(0)).await;
    assert!(rows.contains(answer.body["key_id"].as_str().expect("an id")));
    for secret in [
        key.as_str(),
        &key[4..20],
        shop.server.admin_key(),
        &shop.api_key,
    ] {
        assert!(!rows.contains(secret), "a secret is in the log");
    }
    is_whole(&shop.server).await;
}

#[tokio::test]
async fn keys_of_a_merchant_leave_theirs_restricted_ones_too() {
    let shop = Shop::open().await;
    let customer = json!({ "customer_id": "cus_ada", "email": "ada@books.example" });
    let call = shop.call("customers_create").json(&customer);
    let answer = call.await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let entry = entries_of(&shop.server, "customers_create").await.remove(0);
    let secret_key = entry["principal_id"].clone();
    assert_eq!(
        stable_members(&entry, &answer),
        json!({
            "who": ["api_key", secret_key],
            "in": shop.merchant_id,
            "what": "customers_create",
            "target": [],
            "objects": [{ "name": "customer", "id": "cus_ada" }],
        })
    );
    assert!(
        !exported(&shop.server, &json!(0))
            .await
            .contains("books.example")
    );

    let payment = shop.creates(paid_with(APPROVED)).await.ok();
    let groups = json!({ "operation_groups": ["refunds"] });
    let clerk = issues(&shop.server, &shop.merchant_id, groups).await.ok();
    let refund = json!({ "payment_id": payment["payment_id"], "amount": 100 });
    let call = shop.call("refunds_create").json(&refund);
    let call = call.key(clerk["api_key"].as_str().expect("the key"));
    let answer = call.await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let entry = entries_of(&shop.server, "refunds_create").await.remove(0);
    assert_ne!(clerk["key_id"], secret_key);
    assert_eq!(
        stable_members(&entry, &answer),
        json!({
            "who": ["api_key", clerk["key_id"]],
            "in": shop.merchant_id,
            "what": "refunds_create",
            "target": [],
            // The entry names the payment of the refund.
            "objects": [
                { "name": "refund", "id": answer.body["refund_id"] },
                { "name": "payment", "id": payment["payment_id"] },
            ],
        })
    );
}

/// The entry stands in the merchant's account, under the platform's key.
#[tokio::test]
async fn a_platform_leaves_its_own_name_at_the_merchant_that_it_acts_for() {
    let server = TestServer::start().await;
    let hall = Hall::open(&server, "hall").await;
    let shop = hall.connects("stall").await;
    let customer = json!({ "customer_id": "cus_ada" });
    let call = shop.call("customers_create").json(&customer);
    let answer = hall.acts("stall", call).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let entry = entries_of(&server, "customers_create").await.remove(0);
    let keys = server.operator("api_keys_list");
    let keys = keys.at("merchant_id", &hall.platform.merchant_id).await;
    assert_eq!(
        stable_members(&entry, &answer),
        json!({
            "who": ["platform", keys.ok()[0]["key_id"]],
            "in": "stall",
            "what": "customers_create",
            "target": [{ "name": "platform", "id": hall.platform.merchant_id }],
            "objects": [{ "name": "customer", "id": "cus_ada" }],
        })
    );
    // Payments that the merchant makes name the merchant as their maker.
    shop.creates(order()).await.ok();
    let paid = hall.acts("stall", shop.creates(order())).await;
    let entries = entries_of(&server, "payments_create").await;
    assert_eq!(entries.len(), 1, "{entries:?}");
    let told = stable_members(&entries[0], &paid);
    assert_eq!(told["who"][0], "platform");
    let made = json!([{ "name": "payment", "id": paid.body["payment_id"] }]);
    assert_eq!(told["objects"], made);
}

#[tokio::test]
async fn users_leave_theirs_from_signing_up_on() {
    let server = TestServer::start().await;
    let ada = Person::new(&server, "ada").await;
    let details = ada.details().await;
    let who = json!(["user", details["user_id"]]);
    let entry = entries_of(&server, "users_sign_up").await.remove(0);
    assert_eq!(json!([entry["principal"], entry["principal_id"]]), who);
    assert_eq!(entry["merchant_id"], details["merchant_id"]);
    let objects = entry["objects"].to_string();
    for made in [
        "organization",
        "merchant_account",
        "business_profile",
        "user",
    ] {
        assert!(objects.contains(&format!("\"{made}\"")), "{objects}");
    }

    let merchant_id = details["merchant_id"].as_str().expect("an id");
    let call = ada.call("api_keys_create").at("merchant_id", merchant_id);
    let call = call.json(&json!({ "name": "till", "expiration": "never" }));
    let answer = call.await;
    let entry = entries_of(&server, "api_keys_create").await.pop();
    let told = stable_members(&entry.expect("an entry"), &answer);
    assert_eq!((&told["who"], &told["in"]), (&who, &json!(merchant_id)));

    // In the merchant account, too, the operator's user acts under their own name.
    let customer = ada.call("customers_create").json(&json!({}));
    customer.await.ok();
    let entry = entries_of(&server, "customers_create").await.remove(0);
    assert_eq!(json!([entry["principal"], entry["principal_id"]]), who);

    let next = json!({ "old_password": PASSWORD, "new_password": "Correct-horse-2" });
    ada.call("users_change_password").json(&next).await.ok();
    sign_in(&server, &ada.email, "Correct-horse-2").await.ok();
    sign_in(&server, &ada.email, PASSWORD)
        .await
        .refused(401, "UR_01");
    ada.call("users_sign_out").await.ok();
    for operation in ["users_change_password", "users_sign_in", "users_sign_out"] {
        let entries = entries_of(&server, operation).await;
        assert_eq!(entries.len(), 1, "{operation}");
        let entry = &entries[0];
        assert_eq!(json!([entry["principal"], entry["principal_id"]]), who);
    }
    let rows = exported(&server, &json!(0)).await;
    for secret in [PASSWORD, "Correct-horse-2", &ada.token, "books.example"] {
        assert!(!rows.contains(secret), "{secret} is in the log");
    }
}

#[tokio::test]
async fn a_chosen_password_is_its_users_doing() {
    let server = TestServer::start().await;
    let shop = server.shop("books").await;
    Person::invited(&server, "ben", "merchant_operator", &shop.merchant_id).await;
    let invited = entries_of(&server, "users_invite").await.remove(0);
    assert_eq!(invited["principal"], "admin");
    let chosen = entries_of(&server, "users_reset_password").await.remove(0);
    let user = json!({ "name": "user", "id": chosen["principal_id"] });
    assert_eq!(chosen["principal"], "user");
    assert!(
        invited["objects"]
            .as_array()
            .expect("a list")
            .contains(&user)
    );
}

#[tokio::test]
async fn refusals_and_reads_leave_no_entry() {
    let shop = Shop::open().await;
    let before = log(&shop.server).await.len();
    let issue = || issues(&shop.server, &shop.merchant_id, json!({}));
    issue().without_key().await.refused(401, "IR_01");
    issue().key(&shop.api_key).await.refused(401, "IR_01");
    issue().key("snd_nobody").await.refused(401, "IR_01");
    let nobody = issues(&shop.server, "nobody", json!({}));
    nobody.await.refused(404, "HE_02");
    let wrong = issue().json(&json!({ "name": 1 }));
    wrong.await.refused(400, "IR_06");
    let unborn = json!({ "payment_id": "unborn" });
    let refund = shop.call("refunds_create").json(&unborn);
    refund.await.refused(404, "HE_02");
    shop.call("payments_list").await.ok();
    shop.server.operator("audit_list").await.ok();
    assert_eq!(log(&shop.server).await.len(), before);
}

/// Payments' calls leave no audit entries, because attempts and events record them. Captures do.
#[tokio::test]
async fn payments_are_not_in_it_and_what_is_decided_about_them_is() {
    let shop = Shop::open().await;
    let before = log(&shop.server).await.len();
    let mut wanted = order_with(APPROVED);
    wanted["capture_method"] = json!("manual");
    let payment = shop.creates(wanted).await.ok();
    let updated = shop.updates(&payment, json!({ "description": "Two books" }));
    updated.await.ok();
    shop.confirms(&payment, json!({})).await.ok();
    assert_eq!(log(&shop.server).await.len(), before);
    shop.captures(&payment, json!({})).await.ok();
    let entries = log(&shop.server).await;
    assert_eq!(entries.len(), before + 1);
    let captured = &entries[before];
    assert_eq!(captured["operation"], "payments_capture");
    let named = |name| json!([{ "name": name, "id": payment["payment_id"] }]);
    assert_eq!(captured["target"], named("payment_id"));
    assert_eq!(captured["objects"], named("payment"));
}

#[tokio::test]
async fn a_repeat_that_is_given_the_answer_of_before_leaves_nothing() {
    let shop = Shop::open().await;
    let creates = || {
        let call = shop.call("customers_create").header(KEY, "once");
        call.json(&json!({ "customer_id": "cus_once" }))
    };
    creates().await.ok();
    let again = creates().await;
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(entries_of(&shop.server, "customers_create").await.len(), 1);
}

/// Only the server knows which of these operations bypass change sets. Each leaves an entry nevertheless.
#[tokio::test]
async fn operations_on_the_service_leave_entries() {
    let shop = Shop::open().await;
    let server = &shop.server;
    let rotate = server.operator("keys_rotate");
    let rotate = rotate.json(&json!({ "change": "data_keys" }));
    rotate.await.ok();
    let replay = server.operator("events_replay");
    let replay = replay.at("merchant_id", &shop.merchant_id);
    let range = json!({ "created_after": "2020-01-01T00:00:00Z" });
    let replayed = replay.json(&range).await;
    assert_eq!(replayed.status, 200, "{}", replayed.body);
    server.time_passes(1).await;
    for operation in ["keys_rotate", "events_replay", "sandbox_clock_advance"] {
        let entries = entries_of(server, operation).await;
        assert_eq!(entries.len(), 1, "{operation}");
        assert_eq!(entries[0]["principal"], "admin");
    }
    is_whole(server).await;
}

#[tokio::test]
async fn a_list_is_narrowed_and_turned_page_by_page() {
    let shop = Shop::open().await;
    let ids = ["one", "two", "three"].map(|name| format!("cus_{name}"));
    for id in &ids {
        let call = shop.call("customers_create");
        call.json(&json!({ "customer_id": id })).await.ok();
    }
    let list = || shop.server.operator("audit_list");
    let customers = |entries: &Value| {
        let entries = entries.as_array().expect("a list").iter();
        let ids = entries.map(|entry| entry["objects"][0]["id"].as_str());
        ids.map(|id| id.expect("an id").to_owned())
            .collect::<Vec<_>>()
    };
    let of_customers = || list().query("operation", "customers_create");
    let first = of_customers().query("limit", 2).await.ok();
    assert_eq!(customers(&first), ["cus_three", "cus_two"]);
    let next = of_customers().query("before", &first[1]["sequence"]);
    assert_eq!(customers(&next.await.ok()), ["cus_one"]);

    let at = first[1]["recorded_at"].as_str().expect("a text");
    let from = of_customers().query("recorded_at.gte", at).await.ok();
    assert!(customers(&from).contains(&"cus_two".to_owned()));
    let until = of_customers().query("recorded_at.lte", at).await.ok();
    assert!(customers(&until).contains(&"cus_two".to_owned()));
    let request_id = first[0]["request_id"].as_str().expect("an id");
    let one = list().query("request_id", request_id).await.ok();
    assert_eq!(customers(&one), ["cus_three"]);
    let by_key = first[0]["principal_id"].as_str().expect("an id");
    let by_key = list().query("principal_id", by_key).await.ok();
    assert_eq!(by_key, list().query("principal", "api_key").await.ok());
    let here = list().query("merchant_id", &shop.merchant_id).await.ok();
    assert!(here.as_array().expect("a list").len() > 3);
    let elsewhere = list().query("merchant_id", "nobody").await.ok();
    assert_eq!(elsewhere, json!([]));
    list().key(&shop.api_key).await.refused(401, "IR_01");
    list().query("limit", 101).await.refused(422, "IR_06");
}
