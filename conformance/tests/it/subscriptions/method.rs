//! A subscription changes to another saved method.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, paid_with, with};
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use serde_json::{Value, json};

use super::{DAY, call, declined, invoice_becomes, now, offers, on, subscribed, until, wanted};
use crate::payment_methods::charge::agrees;
use crate::payment_methods::saved_for;

/// Another card that is approved.
pub const OTHER: &str = "4242424242424242";
const THIRD: &str = "5555555555554444";

/// Saves another card of the customer, who consents to charges.
pub async fn saves_another(shop: &Shop) -> Value {
    let paid = agrees(shop, "ada", OTHER).await;
    assert!(paid["payment_method_id"].is_string(), "{paid}");
    paid["payment_method_id"].clone()
}

/// Builds an update to this method with the current price.
pub fn replaces(shop: &Shop, subscription: &Value, method: &Value) -> multirail_conformance::Call {
    let body = json!({
        "plan_id": subscription["plan_id"],
        "item_price_id": subscription["item_price_id"],
        "payment_method_id": method,
    });
    on(shop, "subscriptions_update", subscription).json(&body)
}

/// Fails the first renewal, then changes the method.
pub async fn fails_and_is_replaced(shop: &Shop, subscription: &Value, other: &Value) -> Value {
    shop.server
        .next_call_meets(ScriptedCall::Authorize, declined());
    shop.time_passes(31 * DAY).await;
    invoice_becomes(shop, subscription, 2, "payment_failed").await;
    let replaced = replaces(shop, subscription, other).await.ok();
    assert_eq!(replaced["payment_method_id"], *other);
    replaced
}

/// Waits until the invoice of this number is paid, and checks that this method paid it.
async fn paid_by(shop: &Shop, subscription: &Value, number: u64, method: &Value) -> Value {
    let paid = invoice_becomes(shop, subscription, number, "invoice_paid").await;
    assert_eq!(paid["payment_method_id"], *method, "{paid}");
    paid
}

#[tokio::test]
async fn a_new_card_is_charged_for_the_failed_and_all_later_invoices() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    let other = saves_another(&shop).await;
    assert_ne!(active["payment_method_id"], other);
    let replaced = fails_and_is_replaced(&shop, &active, &other).await;
    assert_eq!(replaced["item_price_id"], "reader_monthly");
    let second = paid_by(&shop, &active, 2, &other).await;
    assert_eq!(second["attempt_count"], 2);
    shop.time_passes(31 * DAY).await;
    let third = paid_by(&shop, &active, 3, &other).await;
    assert_eq!(third["attempt_count"], 1);
    // The same update again changes nothing.
    let before = now(&shop, &active).await;
    replaces(&shop, &active, &other).await.ok();
    assert_eq!(now(&shop, &active).await, before);
    assert_eq!(shop.money().captured, 3 * 990 + 6540);
}

/// The old card's issuer forbids retries, or the card is deleted.
#[tokio::test]
async fn an_unpaid_subscription_goes_on_with_another_card() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let other = saves_another(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    let stolen = Fault::Declines {
        code: "DC_08".to_owned(),
        message: "Payment declined: Stolen card".to_owned(),
    };
    shop.server.next_call_meets(ScriptedCall::Authorize, stolen);
    shop.time_passes(31 * DAY).await;
    until(&shop, &active, |now| now["status"] == "unpaid").await;
    replaces(&shop, &active, &other).await.ok();
    until(&shop, &active, |now| now["status"] == "active").await;
    paid_by(&shop, &active, 2, &other).await;

    // The charged method is deleted: nothing is charged until another card replaces it.
    let delete = shop.call("payment_methods_delete");
    let delete = delete.at("payment_method_id", other.as_str().expect("an id"));
    delete.await.ok();
    shop.time_passes(31 * DAY).await;
    let failed = invoice_becomes(&shop, &active, 3, "payment_failed").await;
    assert!(failed["next_attempt_at"].is_string(), "{failed}");
    let why = failed["failure_reason"].as_str().expect("a text");
    assert!(why.starts_with("not charged: "), "{why}");
    let third = agrees(&shop, "ada", THIRD).await["payment_method_id"].clone();
    replaces(&shop, &active, &third).await.ok();
    paid_by(&shop, &active, 3, &third).await;
    assert_eq!(shop.money().captured, 3 * 990 + 2 * 6540);
}

#[tokio::test]
async fn a_method_that_cannot_be_charged_is_refused() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    let names = |said: &str| assert!(said.contains("payment_method_id"), "{said}");
    let eve = json!({ "customer_id": "eve" });
    shop.call("customers_create").json(&eve).await.ok();
    let hers = agrees(&shop, "eve", OTHER).await["payment_method_id"].clone();
    for unknown in [json!("pm_none"), hers] {
        names(
            &replaces(&shop, &active, &unknown)
                .await
                .refused(404, "HE_02"),
        );
    }
    // Saved for payments with the payer only.
    let body = with(
        with(paid_with(OTHER), saved_for("on_session")),
        json!({ "customer_id": "ada" }),
    );
    let paid = shop.creates(body).await.ok();
    let method = &paid["payment_method_id"];
    names(&replaces(&shop, &active, method).await.refused(400, "HE_03"));
    assert_eq!(
        now(&shop, &active).await["payment_method_id"],
        active["payment_method_id"]
    );
    // The issuer decides about an expired card.
    let clock = shop.time_passes(0).await;
    let today = clock["now"].as_str().expect("a moment");
    let expires = json!({ "payment_method_data": { "card": {
        "card_exp_year": today[..4], "card_exp_month": today[5..7] } } });
    let body = with(
        with(paid_with(THIRD), saved_for("off_session")),
        with(expires, json!({ "customer_id": "ada" })),
    );
    let paid = shop.creates(body).await.ok();
    shop.time_passes(32 * DAY).await;
    let method = &paid["payment_method_id"];
    replaces(&shop, &active, method).await.ok();
    assert_eq!(&now(&shop, &active).await["payment_method_id"], method);
    // The method can change neither before the confirm nor after the end.
    let other = saves_another(&shop).await;
    let made = call(&shop, "subscriptions_create").json(&wanted("reader_monthly"));
    let made = made.await.ok();
    replaces(&shop, &made, &other).await.refused(400, "IR_16");
    on(&shop, "subscriptions_cancel", &active).await.ok();
    replaces(&shop, &active, &other).await.refused(400, "IR_16");
}

/// The price was archived, and the subscription is paused. The method changes together with another price, or not at
/// all.
#[tokio::test]
async fn the_price_stays_or_changes_with_it() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    let other = saves_another(&shop).await;
    let archive = call(&shop, "subscription_item_prices_archive");
    archive.at("item_price_id", "reader_monthly").await.ok();
    on(&shop, "subscriptions_pause", &active).await.ok();
    let replaced = replaces(&shop, &active, &other).await.ok();
    assert_eq!(
        (&replaced["status"], &replaced["payment_method_id"]),
        (&json!("paused"), &other)
    );
    let dearer = |method: &Value| {
        let body = json!({ "plan_id": "reader_plus", "item_price_id": "reader_plus_monthly",
            "payment_method_id": method });
        on(&shop, "subscriptions_update", &active).json(&body)
    };
    let first = &active["payment_method_id"];
    dearer(first).await.refused(400, "IR_16");
    assert_eq!(now(&shop, &active).await["payment_method_id"], other);
    on(&shop, "subscriptions_resume", &active).await.ok();
    paid_or_free(&shop, &active, 2).await;
    let plus = dearer(first).await.ok();
    assert_eq!(
        (&plus["item_price_id"], &plus["payment_method_id"]),
        (&json!("reader_plus_monthly"), first)
    );
    paid_by(&shop, &active, 3, first).await;
}

/// The credit of the pause may cover the whole invoice.
async fn paid_or_free(shop: &Shop, subscription: &Value, number: u64) {
    invoice_becomes(shop, subscription, number, "invoice_paid").await;
}

#[tokio::test]
async fn missing_consent_has_the_same_message_everywhere() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    let said = replaces(&shop, &active, &json!("pm_none"))
        .await
        .refused(404, "HE_02");
    insta::assert_snapshot!(said, @"payment_method_id names none of the customer's saved methods");
    assert_eq!(active["invoice"]["status"], "invoice_paid");
    let card = json!({ "plan_id": "reader", "item_price_id": "reader_monthly",
        "payment_method_id": APPROVED.repeat(5) });
    let update = on(&shop, "subscriptions_update", &active).json(&card);
    let said = update.await.refused(422, "IR_05");
    assert!(said.contains("payment_method_id"), "{said}");
}
