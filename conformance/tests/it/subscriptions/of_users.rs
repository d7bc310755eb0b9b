//! Subscriptions that signed-in users look after: the operations below `/user/subscriptions`.

use std::sync::Arc;

use multirail_conformance::request_log::logged;
use multirail_conformance::{Call, Shop, TestServer};
use serde_json::{Value, json};

use super::update::lines;
use super::{
    call, id, invoice_becomes, now, offers, on, stand, subscribed, until, wanted,
    with_an_open_invoice, with_credit_left,
};
use crate::audit_log::entries_of;
use crate::users::Person;

const KEY: &str = "idempotency-key";
const CHANGES: [&str; 4] = [
    "user_subscriptions_update",
    "user_subscriptions_pause",
    "user_subscriptions_resume",
    "user_subscriptions_cancel",
];
const SETTLES: [&str; 3] = [
    "user_subscriptions_refund_credit",
    "user_subscriptions_void_invoice",
    "user_subscriptions_collect_invoice",
];

async fn person(server: &Arc<TestServer>, role: &str) -> Person {
    Person::invited(server, role, role, "bookshop").await
}

/// Builds a user's call about a subscription.
fn by(who: &Person, operation: &str, subscription: &Value) -> Call {
    who.call(operation).at("subscription_id", id(subscription))
}

fn invoice_id(subscription: &Value) -> &str {
    subscription["invoice"]["id"].as_str().expect("an id")
}

fn plus() -> Value {
    json!({ "plan_id": "reader_plus", "item_price_id": "reader_plus_monthly" })
}

/// Returns a call with a body that the operation takes.
fn with_body(operation: &str, call: Call) -> Call {
    match operation {
        "user_subscriptions_update" => call.json(&plus()),
        _ => call,
    }
}

/// Asserts that the newest entry of the audit log names the user and the subscription.
async fn names(who: &Person, operation: &str, subscription: &Value) {
    let entry = entries_of(&who.server, operation).await;
    let entry = entry.last().expect("an entry");
    assert_eq!(entry["principal"], "user");
    assert_eq!(entry["principal_id"], who.details().await["user_id"]);
    let target = json!([{ "name": "subscription_id", "id": subscription["id"] }]);
    assert_eq!(entry["target"], target);
}

/// Creates an unpaid subscription under a second profile of the same billing account.
async fn of_second_profile(shop: &Shop) -> (String, Value) {
    let first = shop.call("business_profiles_retrieve");
    let first = first.at("profile_id", &shop.profile_id).await.ok();
    let second = shop.second_profile().await;
    let processor = json!({ "profile_id": second });
    shop.connects("fauxpay", processor).await.ok();
    let update = shop.call("business_profiles_update");
    let billed = json!({ "billing_processor_id": first["billing_processor_id"] });
    update.at("profile_id", &second).json(&billed).await.ok();
    let create = shop.call("subscriptions_create");
    let create = create.header("X-Profile-Id", &second);
    let made = create.json(&wanted("reader_monthly")).await.ok();
    (second, made)
}

#[tokio::test]
async fn a_list_has_the_subscriptions_of_every_profile() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let ada = person(&shop.server, "merchant_view_only").await;
    let active = subscribed(&shop, "reader_monthly").await;
    let (second, created) = of_second_profile(&shop).await;
    let list = || ada.call("user_subscriptions_list");
    let ids = |listed: &Value| {
        let all = listed.as_array().expect("a list").iter();
        all.map(|one| one["id"].clone()).collect::<Vec<Value>>()
    };
    let (older, newer) = (active["id"].clone(), created["id"].clone());
    let all = list().await.ok();
    assert_eq!(ids(&all), [newer.clone(), older.clone()]);
    assert_eq!(all[0]["profile_id"], json!(second));
    assert_eq!(all[0]["client_secret"], "");
    for (filtered, expected) in [
        (list().query("status", "active"), vec![older.clone()]),
        (list().query("status", "paused"), vec![]),
        (list().query("customer_id", "nobody"), vec![]),
        (
            list().query("customer_id", "ada"),
            vec![newer.clone(), older.clone()],
        ),
        (
            list().query("limit", 1).query("offset", 1),
            vec![older.clone()],
        ),
        (list().header("X-Profile-Id", &second), vec![newer]),
    ] {
        assert_eq!(ids(&filtered.await.ok()), expected);
    }
    list().query("status", "gone").await.refused(400, "IR_06");
    list().query("limit", 101).await.refused(422, "IR_06");

    // Without the header each is found, with it only that of the profile.
    for subscription in [&active, &created] {
        let read = by(&ada, "user_subscriptions_retrieve", subscription);
        let read = read.await.ok();
        assert_eq!(read["id"], subscription["id"]);
        assert_eq!(read["invoice"]["id"], subscription["invoice"]["id"]);
        assert_eq!(read["client_secret"], "");
        assert_eq!(read["payment"]["client_secret"], "");
    }
    for operation in [
        "user_subscriptions_retrieve",
        "user_subscriptions_list_invoices",
    ] {
        let read = by(&ada, operation, &active);
        read.clone().await.ok();
        let narrowed = read.header("X-Profile-Id", &second);
        narrowed.await.refused(404, "IR_37");
    }
}

/// The estimate is the invoice that the change then makes.
#[tokio::test]
async fn a_change_is_estimated_first_and_names_the_user() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let ada = person(&shop.server, "merchant_operator").await;
    let active = subscribed(&shop, "reader_monthly").await;
    let before = stand(&shop).await;
    let estimate = |plan: &str, price: &str| {
        let call = by(&ada, "user_subscriptions_estimate", &active);
        call.query("plan_id", plan).query("item_price_id", price)
    };
    for (plan, price, status, code) in [
        ("reader_plus", "reader_monthly", 422, "IR_06"),
        ("reader", "reader_once", 422, "IR_06"),
        ("reader", "none", 404, "HE_02"),
    ] {
        estimate(plan, price).await.refused(status, code);
        let body = json!({ "plan_id": plan, "item_price_id": price });
        let update = by(&ada, "user_subscriptions_update", &active).json(&body);
        update.await.refused(status, code);
    }
    let too_many = estimate("reader", "reader_monthly").query("quantity", 999_999);
    too_many.await.refused(422, "IR_05");
    let same = estimate("reader", "reader_monthly").await.ok();
    assert_eq!(
        (&same["amount"], &same["line_items"]),
        (&json!(0), &json!([]))
    );

    let dearer = estimate("reader_plus", "reader_plus_monthly").await.ok();
    assert_eq!(dearer["amount"], 1_000);
    assert_eq!(dearer["credit_amount"], 0);
    assert_eq!(dearer["next_billing_at"], active["next_billing_at"]);
    assert_eq!(stand(&shop).await, before, "an estimate changes nothing");

    let update = || by(&ada, "user_subscriptions_update", &active).json(&plus());
    let answer = update().header(KEY, "once").await;
    let entry = logged(|operation| shop.call(operation), &answer).await;
    assert_eq!(entry["caller"], "user", "{entry}");
    let changed = answer.ok();
    assert_eq!(changed["item_price_id"], "reader_plus_monthly");
    let again = update().header(KEY, "once").await;
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(again.ok(), changed);
    names(&ada, "user_subscriptions_update", &active).await;
    let second = invoice_becomes(&shop, &active, 2, "invoice_paid").await;
    let estimated = json!({ "amount": dearer["amount"], "lines": dearer["line_items"] });
    assert_eq!(lines(&second), lines(&estimated));
    let listed = by(&ada, "user_subscriptions_list_invoices", &active);
    let listed = listed.await.ok();
    assert_eq!(listed[0]["id"], second["id"]);
    assert_eq!(listed[0]["invoice_link"], "", "its page needs no key");

    let cheaper = estimate("reader", "reader_monthly").await.ok();
    assert_eq!(
        (&cheaper["amount"], &cheaper["credit_amount"]),
        (&json!(0), &json!(1_000))
    );
    // The key's operation still takes no token.
    let by_token = by(&ada, "subscriptions_update", &active).json(&plus());
    let by_token = by_token.header("X-Profile-Id", &shop.profile_id);
    by_token.await.refused(401, "IR_01");
}

#[tokio::test]
async fn a_subscription_is_paused_resumed_and_cancelled() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let ada = person(&shop.server, "merchant_admin").await;
    let active = subscribed(&shop, "reader_monthly").await;
    let ask = |operation: &str, body: Value| by(&ada, operation, &active).json(&body);
    for (operation, option, date) in [
        ("user_subscriptions_pause", "pause_option", "pause_at"),
        ("user_subscriptions_cancel", "cancel_option", "cancel_at"),
    ] {
        let dateless = json!({ option: "specific_date" });
        ask(operation, dateless).await.refused(400, "IR_04");
        let past = json!({ option: "specific_date", date: "2020-01-01T00:00:00Z" });
        ask(operation, past).await.refused(422, "IR_06");
    }
    ask("user_subscriptions_resume", json!({}))
        .await
        .refused(400, "IR_16");
    let at_end = json!({ "pause_option": "end_of_term" });
    let planned = ask("user_subscriptions_pause", at_end).await.ok();
    assert_eq!(planned["status"], "active");
    assert_eq!(planned["paused_at"], active["next_billing_at"]);
    let withdrawn = ask("user_subscriptions_resume", json!({})).await.ok();
    assert_eq!(withdrawn["status"], "active");
    let paused = ask("user_subscriptions_pause", json!({})).await.ok();
    assert_eq!(paused["status"], "paused");
    names(&ada, "user_subscriptions_pause", &active).await;
    let resumed = ask("user_subscriptions_resume", json!({})).await.ok();
    assert_eq!(resumed["status"], "active");
    names(&ada, "user_subscriptions_resume", &active).await;
    let reason = json!({ "cancel_reason_code": "too_expensive" });
    let cancelled = ask("user_subscriptions_cancel", reason).await.ok();
    assert_eq!(cancelled["status"], "cancelled");
    names(&ada, "user_subscriptions_cancel", &active).await;
    let stored = now(&shop, &active).await;
    assert_eq!(stored["cancel_reason_code"], "too_expensive");
    for operation in CHANGES {
        let call = with_body(operation, by(&ada, operation, &active));
        call.await.refused(400, "IR_16");
    }
}

/// An open invoice is voided, a credit refunded, and both only once.
#[tokio::test]
async fn invoices_are_settled_and_credit_is_refunded() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let ada = person(&shop.server, "merchant_operator").await;
    let failed = with_an_open_invoice(&shop).await;
    let open = with_an_open_invoice(&shop).await;
    let settle = |operation: &str, of: &Value| {
        let call = by(&ada, operation, of);
        call.at("invoice_id", invoice_id(of))
    };
    let collect = settle("user_subscriptions_collect_invoice", &failed);
    assert_eq!(collect.await.ok()["id"], failed["invoice"]["id"]);
    let void = || settle("user_subscriptions_void_invoice", &open);
    let other = void().moved("invoice_id", "invoice_none");
    other.await.refused(404, "HE_02");
    assert_eq!(void().await.ok()["status"], "voided");
    void().await.refused(400, "IR_16");
    let collect = settle("user_subscriptions_collect_invoice", &open);
    collect.await.refused(400, "IR_16");
    let entry = entries_of(&shop.server, "user_subscriptions_void_invoice").await;
    let entry = entry.last().expect("an entry");
    assert_eq!(entry["principal_id"], ada.details().await["user_id"]);

    let refund = |of: &Value| by(&ada, "user_subscriptions_refund_credit", of);
    refund(&open).await.refused(400, "IR_16");
    let ended = with_credit_left(&shop).await;
    refund(&ended).await.ok();
    until(&shop, &ended, |now| {
        now["refunds"][0]["status"] == "succeeded"
    })
    .await;
    refund(&ended).await.refused(400, "IR_16");
    names(&ada, "user_subscriptions_refund_credit", &ended).await;
}

/// Every role reads. The view-only role and the developer change nothing, and nobody reaches another account or profile.
#[tokio::test]
async fn each_role_does_its_part_with_the_subscriptions_of_its_account() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let server = &shop.server;
    let active = subscribed(&shop, "reader_monthly").await;
    let before = stand(&shop).await;
    for role in ["merchant_view_only", "merchant_developer"] {
        let reader = person(server, role).await;
        let list = reader.call("user_subscriptions_list");
        assert_eq!(list.await.ok()[0]["id"], active["id"]);
        for operation in CHANGES.iter().chain(&SETTLES) {
            let call = with_body(operation, by(&reader, operation, &active));
            let call = call.at("invoice_id", invoice_id(&active));
            call.await.refused(403, "IR_22");
        }
    }
    server.shop_without_connector("florist").await;
    let flora = Person::invited(server, "flora", "org_admin", "florist").await;
    let list = flora.call("user_subscriptions_list");
    assert_eq!(list.await.ok(), json!([]));
    let ada = person(server, "org_admin").await;
    let second = shop.second_profile().await;
    let reads = [
        "user_subscriptions_retrieve",
        "user_subscriptions_list_invoices",
        "user_subscriptions_estimate",
    ];
    for operation in CHANGES.iter().chain(&SETTLES).chain(&reads) {
        let whole = |call: Call| match *operation {
            "user_subscriptions_estimate" => call
                .query("plan_id", "reader_plus")
                .query("item_price_id", "reader_plus_monthly"),
            other => with_body(other, call).at("invoice_id", invoice_id(&active)),
        };
        let theirs = whole(by(&flora, operation, &active));
        theirs.await.refused(404, "IR_37");
        let narrowed = whole(by(&ada, operation, &active));
        let narrowed = narrowed.header("X-Profile-Id", &second);
        narrowed.await.refused(404, "IR_37");
        let by_key = whole(on(&shop, operation, &active));
        by_key.await.refused(401, "IR_17");
        let none = json!({ "id": "sub_none" });
        whole(by(&ada, operation, &none))
            .await
            .refused(404, "IR_37");
    }
    assert_eq!(stand(&shop).await, before);
    assert_eq!(
        call(&shop, "subscriptions_list").await.ok()[0]["status"],
        "active"
    );
}
