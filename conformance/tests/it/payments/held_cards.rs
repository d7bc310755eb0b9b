//! A card that was given before the confirm: how long it is stored, and the payment's status after that.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, THREE_DS, order_with, with, without};
use multirail_conformance::patience::until;
use multirail_conformance::shop::id;
use multirail_simulator::scripted::{Call, Fault};
use serde_json::{Value, json};

use super::standing;
use crate::servers::site::{Site, closed};

fn card() -> Value {
    without(without(order_with(APPROVED), "amount"), "currency")
}

/// Retrieves until the payment asks for an instrument again.
async fn lapses(shop: &Shop, payment: &Value) -> Value {
    until(
        "its card is gone",
        async || shop.retrieves(payment).await.ok(),
        |now| now["status"] == "requires_payment_method",
    )
    .await
}

#[tokio::test]
async fn an_expired_card_leaves_the_payment_without_an_instrument() {
    let shop = Shop::open().await;
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    assert_eq!(payment["status"], "requires_confirmation");
    let prolonged = shop.creates(order_with(APPROVED)).await.ok();
    shop.updates(&prolonged, json!({ "session_expiry": 7_200 }))
        .await
        .ok();
    let at_page = with(order_with(THREE_DS), json!({ "confirm": true }));
    let at_page = shop.creates(at_page).await.ok();
    shop.time_passes(1_000).await;

    let lapsed = lapses(&shop, &payment).await;
    for member in [
        "payment_method",
        "payment_method_type",
        "payment_method_data",
    ] {
        assert!(lapsed[member].is_null(), "{member}: {lapsed}");
    }
    assert_ne!(lapsed["modified_at"], payment["modified_at"]);
    assert_eq!(standing(&lapsed), ("requires_payment_method", 6540, 0));
    let filter = json!({ "object_id": id(&payment) });
    let events = shop
        .operator("events_list")
        .at("merchant_id", &shop.merchant_id)
        .json(&filter)
        .await
        .ok();
    assert_eq!(events["total_count"], 0, "{events}");
    shop.confirms(&payment, json!({}))
        .await
        .refused(422, "IR_06");
    let paid = shop.confirms(&payment, card()).await.ok();
    assert_eq!(standing(&paid), ("succeeded", 0, 6540));

    // Cards with a longer lifetime and confirmed payments are unchanged.
    let as_it_was = shop.retrieves(&prolonged).await.ok();
    assert_eq!(as_it_was["status"], "requires_confirmation");
    let paid = shop.confirms(&prolonged, json!({})).await.ok();
    assert_eq!(standing(&paid), ("succeeded", 0, 6540));
    let away = shop.retrieves(&at_page).await.ok();
    assert_eq!(away["status"], "requires_customer_action");
    assert!(away["payment_method_data"]["card"]["last4"].is_string());
}

#[tokio::test]
async fn a_confirm_without_the_cards_code_says_so() {
    let site = Site::on_sqlite();
    let first = site.server("one").await;
    let shop = first.shop("bookshop").await;
    drop(first);
    let with_code = shop.creates(order_with(APPROVED)).await.ok();
    let code_lost = shop.creates(order_with(APPROVED)).await.ok();
    shop.confirms(&with_code, json!({})).await.ok();
    let (server, shop) = closed(shop);
    server.stops().await.expect("it stops");
    let shop = shop.opens_at(site.server("one").await);
    let paid = shop.confirms(&code_lost, json!({})).await.ok();
    assert_eq!(standing(&paid), ("succeeded", 0, 6540));
    for (payment, says) in [(with_code, Value::Null), (code_lost, json!(true))] {
        let shown = shop.retrieves(&payment).query("expand_attempts", true);
        let attempt = shown.await.ok()["attempts"][0].take();
        assert_eq!(attempt["card_code_missing"], says, "{attempt}");
    }
}

/// A replacement may never reach the processor. The next confirm doesn't charge the first card.
#[tokio::test]
async fn a_card_that_was_replaced_is_held_no_longer() {
    let shop = Shop::open().await;
    shop.sets_up(json!({ "is_manual_retry_enabled": true }))
        .await
        .ok();
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    shop.next_call_meets(Call::Authorize, Fault::LosesRequest);
    let other = with(
        card(),
        json!({ "payment_method_data": { "card": { "card_number": "4242424242424242" } } }),
    );
    shop.confirms(&payment, other).await.ok();
    let failed = shop.asks_about(&payment).await.ok();
    assert_eq!(standing(&failed), ("failed", 0, 0));
    assert_eq!(failed["payment_method_data"]["card"]["last4"], "4242");
    let message = shop
        .confirms(&payment, json!({}))
        .await
        .refused(422, "IR_06");
    assert!(message.contains("no longer held"), "{message}");
    assert_eq!(shop.money().authorized, 0);
}
