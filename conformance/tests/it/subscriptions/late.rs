//! What shows long after: a payment that is taken back and made again, a coupon that nobody uses, a customer who is gone.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, with};
use multirail_conformance::notice::failed_after_all;
use multirail_conformance::patience;
use serde_json::{Value, json};

use super::{
    DAY, call, invoice_becomes, invoices, now, offers, on, pays_with, reserved, until_in_steps,
    wanted, wanted_with,
};
use crate::billing::makes;
use crate::notices::{last_notice, tells, told_shop};

/// The invoice is open again as long as its payment has not taken the money, and nobody is charged meanwhile.
#[tokio::test]
async fn an_invoice_is_as_paid_as_its_payment() {
    let shop = told_shop().await;
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

    // The processor has no more to give: that is for somebody to see, not for the next try.
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

/// Another one has it meanwhile; who comes back late subscribes without.
#[tokio::test]
async fn a_coupon_is_not_kept_by_who_never_confirms() {
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

/// Its client secret had lapsed before, so the coupon wasn't kept, whether or not a worker came by since.
#[tokio::test]
async fn a_coupon_that_is_over_is_not_had_by_who_confirms_too_late() {
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

/// It can be made while nobody has confirmed it, and not be begun once its customer is gone.
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
