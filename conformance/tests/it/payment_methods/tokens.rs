//! Payment tokens: new in every list, and valid for a short time.

use futures::future::join_all;
use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, DECLINED, order, paid_with, with};
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use serde_json::{Value, json};

use super::{
    by_token, known, listed, lists, method_id, methods, on, order_of, paid_by_token, saved_for,
    saves,
};

#[tokio::test]
async fn every_list_gives_tokens_of_its_own() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    for number in [APPROVED, DECLINED] {
        saves(&shop, "ada", number).await.ok();
    }
    let (first, second) = (listed(&shop, "ada").await, listed(&shop, "ada").await);
    let tokens: Vec<&Value> = first
        .iter()
        .chain(&second)
        .map(|m| &m["payment_token"])
        .collect();
    for (place, token) in tokens.iter().enumerate() {
        assert!(!tokens[..place].contains(token), "{tokens:?}");
    }
    // Tokens of the earlier list are still valid.
    let approved = |methods: &[Value]| {
        let found = methods.iter().find(|m| m["card"]["last4_digits"] == "1111");
        found.expect("a method").clone()
    };
    for method in [approved(&first), approved(&second)] {
        let paid = shop.creates(paid_by_token("ada", &method)).await.ok();
        assert_eq!(paid["status"], "succeeded");
    }
}

#[tokio::test]
async fn a_token_lapses_after_a_quarter_of_an_hour() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    saves(&shop, "ada", APPROVED).await.ok();
    let method = listed(&shop, "ada").await.remove(0);
    let waiting = shop
        .creates(with(order_of("ada"), by_token(&method)))
        .await
        .ok();
    shop.time_passes(890).await;
    let late = shop.creates(order_of("ada")).await.ok();
    shop.confirms(&late, by_token(&method)).await.ok();
    let method = listed(&shop, "ada").await.remove(0);
    shop.time_passes(910).await;
    shop.creates(paid_by_token("ada", &method))
        .await
        .refused(422, "IR_29");
    shop.confirms(&waiting, json!({ "card_cvc": "123" }))
        .await
        .refused(422, "IR_29");
    let method = listed(&shop, "ada").await.remove(0);
    shop.confirms(&waiting, by_token(&method)).await.ok();
}

/// A profile sets how long a checkout may take.
#[tokio::test]
async fn a_token_is_good_as_long_as_a_checkout_of_the_profile_may_take() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    saves(&shop, "ada", APPROVED).await.ok();
    let longer = json!({ "intent_fulfillment_time": 1800 });
    shop.sets_up(longer).await.ok();
    let shorter = json!({ "profile_name": "hurried", "intent_fulfillment_time": 60 });
    let hurried = shop.call("business_profiles_create").json(&shorter);
    let hurried = hurried.await.ok()["profile_id"].clone();
    let hurried = hurried.as_str().expect("an id");
    let of_default = listed(&shop, "ada").await.remove(0);
    let by_header = lists(&shop, "ada").header("X-Profile-Id", hurried);
    let by_header = methods(&by_header.await.ok()).remove(0);
    let of_hurried = with(order_of("ada"), json!({ "profile_id": hurried }));
    let of_hurried = shop.creates(of_hurried).await.ok();
    let secret = of_hurried["client_secret"].as_str().expect("a secret");
    let by_payment = lists(&shop, "ada").query("client_secret", secret);
    let by_payment = methods(&by_payment.await.ok()).remove(0);
    shop.time_passes(61).await;
    for method in [&by_header, &by_payment] {
        shop.creates(paid_by_token("ada", method))
            .await
            .refused(422, "IR_29");
    }
    shop.time_passes(1_700).await;
    shop.creates(paid_by_token("ada", &of_default)).await.ok();
}

#[tokio::test]
async fn a_token_is_gone_when_its_payment_has_ended() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    saves(&shop, "ada", APPROVED).await.ok();
    let method = listed(&shop, "ada").await.remove(0);
    let manual = json!({ "capture_method": "manual" });
    let payment = shop
        .creates(with(paid_by_token("ada", &method), manual))
        .await
        .ok();
    assert_eq!(payment["status"], "requires_capture");
    // Other payments may name the token, but can't pay with it.
    let open = shop
        .creates(with(order_of("ada"), by_token(&method)))
        .await
        .ok();
    assert_eq!(open["status"], "requires_confirmation");
    shop.confirms(&open, json!({ "card_cvc": "123" }))
        .await
        .refused(422, "IR_29");
    shop.captures(&payment, json!({})).await.ok();
    shop.confirms(&open, json!({ "card_cvc": "123" }))
        .await
        .refused(422, "IR_29");
    let shown = shop.retrieves(&payment).await.ok();
    assert_eq!(shown["payment_token"], method["payment_token"]);
}

#[tokio::test]
async fn a_token_is_good_still_where_the_processor_was_never_asked() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    saves(&shop, "ada", APPROVED).await.ok();
    let method = listed(&shop, "ada").await.remove(0);
    shop.next_call_meets(ScriptedCall::Authorize, Fault::Throttles);
    let payment = shop.creates(paid_by_token("ada", &method)).await.ok();
    assert_eq!(payment["status"], "failed");
    let other = shop.creates(paid_by_token("ada", &method)).await.ok();
    assert_eq!(other["status"], "succeeded");
    // The same payment can use the token again too.
    let again = json!({ "is_manual_retry_enabled": true });
    shop.sets_up(again).await.ok();
    let method = listed(&shop, "ada").await.remove(0);
    shop.next_call_meets(ScriptedCall::Authorize, Fault::Throttles);
    let payment = shop.creates(paid_by_token("ada", &method)).await.ok();
    assert_eq!(payment["status"], "failed");
    let paid = shop.confirms(&payment, by_token(&method)).await.ok();
    assert_eq!(paid["status"], "succeeded");
}

#[tokio::test]
async fn a_token_is_for_payments_of_its_customer() {
    let shop = Shop::open().await;
    for customer in ["ada", "grace"] {
        known(&shop, customer).await;
    }
    saves(&shop, "ada", APPROVED).await.ok();
    let method = listed(&shop, "ada").await.remove(0);
    let guest = with(order(), json!({ "confirm": true }));
    let stranger = shop.server.shop("flower_shop").await;
    known(&stranger, "ada").await;
    for call in [
        shop.creates(paid_by_token("grace", &method)),
        shop.creates(with(guest, by_token(&method))),
        stranger.creates(paid_by_token("ada", &method)),
    ] {
        call.await.refused(422, "IR_29");
    }
    let of_grace = shop.creates(order_of("grace")).await.ok();
    shop.confirms(&of_grace, by_token(&method))
        .await
        .refused(422, "IR_29");
    shop.payer_of(&of_grace)
        .confirms(by_token(&method))
        .await
        .refused(422, "IR_29");
    // The method's own id isn't a token.
    let id = json!({ "payment_token": method["payment_method_id"] });
    let call = shop.creates(with(paid_by_token("ada", &method), id));
    call.await.refused(422, "IR_29");
}

#[tokio::test]
async fn the_token_of_a_deleted_method_is_none() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    saves(&shop, "ada", APPROVED).await.ok();
    let method = listed(&shop, "ada").await.remove(0);
    let waiting = shop
        .creates(with(order_of("ada"), by_token(&method)))
        .await
        .ok();
    on(&shop, "payment_methods_delete", &method).await.ok();
    shop.creates(paid_by_token("ada", &method))
        .await
        .refused(422, "IR_29");
    shop.confirms(&waiting, json!({}))
        .await
        .refused(422, "IR_29");
    // Saving the card again restores the method, but not its old tokens.
    let again = saves(&shop, "ada", APPROVED).await.ok();
    assert_eq!(method_id(&again), method_id(&method));
    shop.creates(paid_by_token("ada", &method))
        .await
        .refused(422, "IR_29");
}

#[tokio::test]
async fn a_thousand_methods_are_listed_at_once() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    const COUNT: usize = 1_000;
    // 411111 and ten digits, of which the last is the check digit.
    let number = |body: usize| checked(&format!("411111{body:09}"));
    let all: Vec<usize> = (0..COUNT).collect();
    for some in all.chunks(10) {
        let saved = some.iter().map(|body| async {
            saves(&shop, "ada", &number(*body)).await.ok();
        });
        join_all(saved).await;
    }
    let answer = lists(&shop, "ada").await.ok();
    let all = methods(&answer);
    assert_eq!(all.len(), COUNT);
    let tokens: std::collections::HashSet<&str> = all
        .iter()
        .filter_map(|m| m["payment_token"].as_str())
        .collect();
    assert_eq!(tokens.len(), COUNT, "each its own");
    // A customer can have this many methods. Saving an existing one again still works.
    let message = saves(&shop, "ada", &number(COUNT)).await;
    let message = message.refused(400, "IR_16");
    assert!(message.contains("1000"), "{message}");
    saves(&shop, "ada", &number(7)).await.ok();
    // The same limit holds for saving by a payment.
    let paid = |body: usize| {
        let saving = with(paid_with(&number(body)), saved_for("on_session"));
        shop.creates(with(saving, order_of("ada")))
    };
    let message = paid(COUNT).await.refused(400, "IR_16");
    assert!(message.contains("1000"), "{message}");
    paid(7).await.ok();
}

/// Appends a check digit.
fn checked(digits: &str) -> String {
    let sum: u32 = digits
        .bytes()
        .rev()
        .enumerate()
        .map(|(place, byte)| {
            let digit = u32::from(byte - b'0');
            let weighted = if place % 2 == 0 { digit * 2 } else { digit };
            weighted / 10 + weighted % 10
        })
        .sum();
    format!("{digits}{}", (10 - sum % 10) % 10)
}
