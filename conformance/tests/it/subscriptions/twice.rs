//! Requests and workers that handle the same payment at once: the payment is made once, and stale outcomes don't
//! count.

use std::time::Duration;

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, with};
use multirail_conformance::notice::failed_after_all;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::{call, id, invoice_becomes, now, offers, on, pays_with, wanted, wanted_with};
use crate::in_flight::is_authorized;
use crate::notices::{last_notice, shop_with_notice_secret, tells};

/// A second card that is approved.
const ANOTHER: &str = "5555555555554444";

async fn created(shop: &Shop) -> Value {
    let made = call(shop, "subscriptions_create").json(&wanted("reader_monthly"));
    made.await.ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_confirm_while_one_is_under_way_is_refused() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let made = created(&shop).await;
    let confirm = |number| {
        let body = json!({ "payment_details": pays_with(number) });
        on(&shop, "subscriptions_confirm", &made).json(&body)
    };
    let script = shop.processor().script();
    script.set_delay(Duration::from_millis(1500));
    let first = confirm(APPROVED).header("Idempotency-Key", "first");
    let first = tokio::spawn(first.send());
    is_authorized(&shop).await;
    let second = confirm(ANOTHER).header("Idempotency-Key", "second");
    second.await.refused(409, "IR_16");
    let body =
        json!({ "payment_details": pays_with(ANOTHER), "client_secret": made["client_secret"] });
    let by_payer = shop.server.wire.call("subscriptions_confirm");
    let by_payer = by_payer.key(&shop.publishable_key).json(&body);
    let by_payer = by_payer.header("X-Profile-Id", &shop.profile_id);
    let by_payer = by_payer.at("subscription_id", id(&made));
    by_payer.await.refused(409, "IR_16");
    let first = first.await.expect("a task that ends").expect("an answer");
    let active = first.ok();
    assert_eq!(active["status"], "active");
    assert_eq!(active["payment"]["status"], "succeeded");
    assert_eq!(active["invoice"]["status"], "invoice_paid");
    script.set_delay(Duration::ZERO);
    shop.time_passes(61).await;
    let then = now(&shop, &made).await;
    assert_eq!(then["invoice"]["status"], "invoice_paid");
    assert_eq!(shop.money().captured, 990, "charged once");
}

/// An impatient payer confirms many times, and the invoice shows only one.
#[tokio::test(flavor = "multi_thread")]
async fn only_one_of_many_confirms_confirms() {
    let shop = Shop::open().await;
    offers(&shop).await;
    for round in 1..=8 {
        let made = created(&shop).await;
        let mut crowd = JoinSet::new();
        for number in [APPROVED, ANOTHER, APPROVED, ANOTHER] {
            let body = json!({ "payment_details": pays_with(number) });
            let confirm = on(&shop, "subscriptions_confirm", &made).json(&body);
            crowd.spawn(async { confirm.await });
        }
        let mut confirmed = 0;
        for answer in crowd.join_all().await {
            if answer.status != 200 {
                answer.refused(409, "IR_16");
                continue;
            }
            let active = answer.ok();
            confirmed += 1;
            assert_eq!(active["status"], "active", "{active}");
            assert_eq!(active["invoice"]["status"], "invoice_paid", "{active}");
        }
        assert_eq!(confirmed, 1);
        let then = now(&shop, &made).await;
        assert_eq!(then["invoice"]["status"], "invoice_paid", "{then}");
        assert_eq!(shop.money().captured, 990 * round, "charged once");
    }
}

/// The last capture was reversed, but the payment still holds the rest. Another charge would take that twice.
#[tokio::test]
async fn nothing_is_collected_while_a_payment_holds_money() {
    let shop = shop_with_notice_secret().await;
    offers(&shop).await;
    let mut body = wanted_with("reader_monthly", APPROVED);
    body["payment_details"]["capture_method"] = json!("manual_multiple");
    let made = call(&shop, "subscriptions_create_and_confirm").json(&body);
    let made = made.await.ok();
    for amount in [500, 490] {
        let part = json!({ "amount_to_capture": amount });
        shop.captures(&made["payment"], part).await.ok();
    }
    shop.time_passes(60).await;
    invoice_becomes(&shop, &made, 1, "invoice_paid").await;
    let captures = shop.processor().ledger().captures().expect("a list");
    let last = captures.iter().find(|capture| capture.amount == 490);
    let back = failed_after_all(&last.expect("it is there").key, "capture", 490);
    tells(&shop, &back).await.ok();
    last_notice(&shop, "applied").await;
    let reviewed = invoice_becomes(&shop, &made, 1, "manual_review").await;
    let invoice = reviewed["id"].as_str().expect("an id");
    let collect = on(&shop, "subscriptions_collect_invoice", &made).at("invoice_id", invoice);
    let said = collect.await.refused(400, "IR_16");
    assert!(said.contains("refund that first"), "{said}");
    assert_eq!(now(&shop, &made).await["status"], "active");
}

/// All redeem the same coupon, so they wait for each other.
#[tokio::test(flavor = "multi_thread")]
async fn a_coupon_is_redeemed_by_all_who_may() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let body = with(wanted("reader_monthly"), json!({ "coupon_code": "TENTH" }));
    let mut crowd = JoinSet::new();
    for _ in 0..40 {
        let create = call(&shop, "subscriptions_create").json(&body);
        crowd.spawn(async { create.await });
    }
    for answer in crowd.join_all().await {
        answer.ok();
    }
}
