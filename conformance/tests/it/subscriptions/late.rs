//! Late events: a payment that is reversed and repeated, a coupon that nobody uses, a customer who was redacted.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, with};
use multirail_conformance::notice::{approved, done, failed_after_all};
use multirail_conformance::patience;
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use serde_json::{Value, json};

use super::{
    DAY, call, declined, invoice_becomes, invoices, now, offers, on, pays_with, reserved,
    subscribed, until, until_in_steps, wanted, wanted_with,
};
use crate::billing::makes;
use crate::notices::{last_notice, open_key, shop_with_notice_secret, tells};

fn in_euros(mut notice: Value) -> Value {
    notice["answer"]["currency"] = json!("EUR");
    notice
}

/// A reversed capture reopens its invoice, and nothing is charged meanwhile.
#[tokio::test]
async fn an_invoice_is_as_paid_as_its_payment() {
    let shop = shop_with_notice_secret().await;
    offers(&shop).await;
    let made = reserved(&shop, wanted_with("reader_monthly", APPROVED)).await;
    let payment = made["payment"].clone();
    shop.captures(&payment, json!({})).await.ok();
    shop.time_passes(60).await;
    invoice_becomes(&shop, &made, 1, "invoice_paid").await;

    let captures = shop.processor().ledger().captures().expect("a list");
    let [capture] = captures.as_slice() else {
        panic!("{} captures", captures.len());
    };
    let back = failed_after_all(&capture.key, "capture", 990);
    tells(&shop, &back).await.ok();
    last_notice(&shop, "applied").await;
    let reviewed = invoice_becomes(&shop, &made, 1, "manual_review").await;
    assert_eq!(reviewed["attempt_count"], 1);
    let then = now(&shop, &made).await;
    assert_eq!(then["payment"]["status"], "requires_capture");
    assert_eq!(
        (&then["status"], &then["credit_amount"]),
        (&json!("active"), &json!(0))
    );

    // The processor declines the repeated capture. A person must decide, so no retry is scheduled.
    shop.captures(&payment, json!({})).await.ok();
    let is_left = |now: &Value| {
        let invoice = &now["invoice"];
        now["payment"]["status"] == "failed" && invoice["next_attempt_at"].is_null()
    };
    let left = until_in_steps(&shop, &made, 300, is_left).await;
    assert_eq!(left["invoice"]["status"], "manual_review");
    shop.time_passes(3 * DAY).await;
    let collect = on(&shop, "subscriptions_collect_invoice", &made);
    let id = reviewed["id"].as_str().expect("an id");
    collect.at("invoice_id", id).await.ok();
    let paid = invoice_becomes(&shop, &made, 1, "invoice_paid").await;
    assert_eq!(paid["attempt_count"], 2);
    assert_eq!(invoices(&shop, &made).await.len(), 1);
}

/// A second notice says that a declined charge was approved. This processor can't void it, so a person must decide,
/// and nothing is charged meanwhile.
#[tokio::test]
async fn an_approval_after_a_refusal_stops_the_dunning() {
    let shop = shop_with_notice_secret().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    shop.server
        .next_call_meets(ScriptedCall::Authorize, declined());
    shop.time_passes(31 * DAY).await;
    invoice_becomes(&shop, &active, 2, "payment_failed").await;

    let all = shop.processor().ledger().authorizations().expect("a list");
    let refused = all.iter().find(|one| one.error.is_some());
    let key = &refused.expect("it was refused").key;
    let late = in_euros(approved(key, 990));
    tells(&shop, &late).await.ok();
    last_notice(&shop, "applied").await;
    let reviewed = invoice_becomes(&shop, &active, 2, "manual_review").await;
    assert!(reviewed["next_attempt_at"].is_null(), "{reviewed}");
    shop.time_passes(10 * DAY).await;
    let then = now(&shop, &active).await;
    assert_eq!(then["status"], "active");
    assert_eq!(then["invoice"]["attempt_count"], 1, "{then:#}");
    assert_eq!(shop.money().captured, 990);

    // The merchant has checked: there is no money.
    let collect = on(&shop, "subscriptions_collect_invoice", &active);
    let id = reviewed["id"].as_str().expect("an id");
    collect.at("invoice_id", id).await.ok();
    let paid = invoice_becomes(&shop, &active, 2, "invoice_paid").await;
    assert_eq!(paid["attempt_count"], 2);
    assert_eq!(shop.money().captured, 2 * 990);
}

/// The processor had no trace of a charge, so there was another one. When the first arrives and is approved, it is
/// voided.
#[tokio::test]
async fn a_charge_that_arrives_after_the_next_one_is_voided() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    shop.server
        .next_call_meets(ScriptedCall::Authorize, Fault::HeldOnTheWay);
    shop.time_passes(31 * DAY).await;
    let is_paid =
        |now: &Value| now["invoice"]["number"] == 2 && now["invoice"]["status"] == "invoice_paid";
    let paid = until_in_steps(&shop, &active, 30, is_paid).await;
    assert_eq!(paid["invoice"]["attempt_count"], 2, "{paid:#}");
    assert_eq!(shop.processor().deliver_held(), 1);
    assert_eq!(shop.money().captured, 3 * 990);
    let reversed = async || {
        shop.time_passes(60).await;
        shop.money().reversed
    };
    patience::until("it is undone", reversed, |reversed| *reversed == 990).await;
    shop.time_passes(DAY).await;
    let then = now(&shop, &active).await;
    assert_eq!(then["invoice"], paid["invoice"]);
    assert_eq!(then["credit_amount"], 0);
}

/// A capture was reversed, so another payment was collected. Then the first one is captured again: the surplus
/// becomes credit, which pays the next invoice.
#[tokio::test]
async fn money_that_comes_after_another_payment_has_paid_is_credit() {
    let shop = shop_with_notice_secret().await;
    offers(&shop).await;
    let made = reserved(&shop, wanted_with("reader_monthly", APPROVED)).await;
    let payment = made["payment"].clone();
    shop.server
        .next_call_meets(ScriptedCall::Capture, Fault::LosesRequest);
    shop.captures(&payment, json!({})).await.ok();
    let key = open_key(&shop).await;
    let taken = in_euros(done(&key, "capture", 990));
    tells(&shop, &taken).await.ok();
    last_notice(&shop, "applied").await;
    shop.time_passes(60).await;
    invoice_becomes(&shop, &made, 1, "invoice_paid").await;
    let back = in_euros(failed_after_all(&key, "capture", 990));
    tells(&shop, &back).await.ok();
    last_notice(&shop, "applied").await;
    let reviewed = invoice_becomes(&shop, &made, 1, "manual_review").await;
    let collect = on(&shop, "subscriptions_collect_invoice", &made);
    let id = reviewed["id"].as_str().expect("an id");
    collect.at("invoice_id", id).await.ok();
    let paid = invoice_becomes(&shop, &made, 1, "invoice_paid").await;
    assert_eq!(paid["attempt_count"], 2);

    let captured = shop.captures(&payment, json!({})).await.ok();
    assert_eq!(captured["status"], "succeeded", "{captured:#}");
    until(&shop, &made, |now| now["credit_amount"] == 990).await;
    shop.time_passes(31 * DAY).await;
    let second = invoice_becomes(&shop, &made, 2, "invoice_paid").await;
    assert_eq!(
        (&second["amount"], &second["attempt_count"]),
        (&json!(0), &json!(0))
    );
    assert_eq!(now(&shop, &made).await["credit_amount"], 0);
    assert_eq!(shop.money().captured, 2 * 990, "two periods");
}

/// Meanwhile another customer uses the coupon; the late one can't confirm.
#[tokio::test]
async fn an_unconfirmed_subscription_releases_its_coupon() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let last = json!({ "max_redemptions": 1 });
    makes(&shop, "coupon_code", "LAST", last).await.ok();
    let redemptions = async || {
        let coupon = call(&shop, "subscription_coupons_retrieve").at("coupon_code", "LAST");
        coupon.await.ok()["redemptions"].clone()
    };
    let with_coupon = with(wanted("reader_monthly"), json!({ "coupon_code": "LAST" }));
    let create = async || call(&shop, "subscriptions_create").json(&with_coupon).await;
    let abandoned = create().await.ok();
    create().await.refused(400, "IR_16");
    assert_eq!(redemptions().await, 1);
    shop.time_passes(901).await;
    patience::until("it is given back", redemptions, |made| *made == 0).await;
    let other = create().await.ok();
    let confirm = async |subscription: &Value| {
        let body = json!({ "payment_details": pays_with(APPROVED) });
        on(&shop, "subscriptions_confirm", subscription)
            .json(&body)
            .await
    };
    confirm(&abandoned).await.refused(400, "IR_16");
    assert_eq!(confirm(&other).await.ok()["status"], "active");
    assert_eq!(redemptions().await, 1);
    assert_eq!(now(&shop, &abandoned).await["status"], "created");
    assert_eq!(shop.money().captured, 891);
}

/// The client secret had expired before the coupon. So the coupon wasn't reserved any more, whether or not a worker
/// has run since.
#[tokio::test]
async fn an_expired_coupon_is_refused_at_a_late_confirm() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let clock = shop.time_passes(0).await;
    let clock = clock["now"].as_str().expect("a moment");
    let clock = chrono::DateTime::parse_from_rfc3339(clock).expect("a moment");
    let until = (clock + chrono::Duration::seconds(950)).to_rfc3339();
    let short = json!({ "valid_until": until });
    makes(&shop, "coupon_code", "SHORT", short).await.ok();
    let body = with(wanted("reader_monthly"), json!({ "coupon_code": "SHORT" }));
    let mut all = Vec::new();
    for _ in 0..20 {
        let made = call(&shop, "subscriptions_create").json(&body);
        all.push(made.await.ok());
    }
    shop.time_passes(951).await;
    let mut crowd = tokio::task::JoinSet::new();
    for made in &all {
        let body = json!({ "payment_details": pays_with(APPROVED) });
        let confirm = on(&shop, "subscriptions_confirm", made).json(&body);
        crowd.spawn(async { confirm.await.refused(400, "IR_16") });
    }
    crowd.join_all().await;
    assert_eq!(shop.money().captured, 0);
}

/// A subscription that isn't confirmed can be created, but can't start after its customer was redacted.
#[tokio::test]
async fn nothing_begins_for_a_customer_who_was_forgotten() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let made = call(&shop, "subscriptions_create").json(&wanted("reader_monthly"));
    let made = made.await.ok();
    let delete = shop.call("customers_delete").at("customer_id", "ada");
    delete.await.ok();
    let body = json!({ "payment_details": pays_with(APPROVED) });
    let confirm = on(&shop, "subscriptions_confirm", &made).json(&body);
    confirm.await.refused(400, "IR_11");
    assert_eq!(now(&shop, &made).await["status"], "created");
    assert_eq!(shop.money().captured, 0);
}
