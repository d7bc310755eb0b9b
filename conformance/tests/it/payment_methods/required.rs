//! `required_fields` of `GET /account/payment_methods`: the data that the checkout must ask the payer for.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, card, order, paid_with, with, without};
use serde_json::{Map, Value, json};

use super::charge::by_merchant;
use super::{by_token, known, listed, order_of, saved_for, saves};

/// Returns the required fields' paths for each variety.
async fn asked_for(shop: &Shop, payment: &Value) -> Map<String, Value> {
    let secret = payment["client_secret"].as_str().expect("a secret");
    let call = shop
        .call("account_payment_methods_list")
        .query("client_secret", secret);
    let answer = call.await.ok();
    let methods = answer["payment_methods"].as_array().expect("methods");
    let kinds = methods.iter().flat_map(|method| {
        let kinds = method["payment_method_types"].as_array().expect("types");
        kinds.iter()
    });
    let paths = |kind: &Value| {
        let fields = kind["required_fields"].as_object().expect("fields");
        for (path, field) in fields {
            assert_eq!(field["required_field"], json!(path));
            assert_eq!(
                field["value"],
                Value::Null,
                "what is asked for is never shown"
            );
        }
        json!(fields.keys().collect::<Vec<_>>())
    };
    kinds
        .map(|kind| {
            let name = kind["payment_method_type"].as_str().expect("a type");
            (name.to_owned(), paths(kind))
        })
        .collect()
}

#[tokio::test]
async fn a_confirm_needs_what_is_asked_for_and_nothing_else() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    let asked = asked_for(&shop, &payment).await;
    let of_credit = asked["credit"].as_array().expect("fields");
    let mut exact = json!({ "payment_method": "card" });
    let typed = card(APPROVED);
    for path in of_credit {
        let path = path.as_str().expect("a path");
        let place = format!("/{}", path.replace('.', "/"));
        let value = typed.pointer(&place).expect("a member of a card").clone();
        let nested = path
            .rsplit('.')
            .fold(value, |inner, name| json!({ name: inner }));
        exact = with(exact, nested);
    }
    for path in of_credit {
        let path = path.as_str().expect("a path");
        let refused = shop.confirms(&payment, without(exact.clone(), path)).await;
        let message = refused.refused(400, "IR_04");
        assert!(message.contains(path), "{path}: {message}");
    }
    let paid = shop.confirms(&payment, exact).await.ok();
    assert_eq!(paid["status"], "succeeded");
}

#[tokio::test]
async fn data_that_the_payment_has_is_not_required_again() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    saves(&shop, "ada", APPROVED).await.ok();
    let method = listed(&shop, "ada").await.remove(0);
    let held = without(paid_with(APPROVED), "confirm");
    let held = shop.creates(held).await.ok();
    assert_eq!(held["status"], "requires_confirmation");
    assert_eq!(asked_for(&shop, &held).await["credit"], json!([]));
    assert_eq!(
        shop.confirms(&held, json!({})).await.ok()["status"],
        "succeeded"
    );

    // A saved card needs its code until that is given.
    let named = without(by_token(&method), "card_cvc");
    let named = with(order_of("ada"), named);
    let named = shop.creates(named).await.ok();
    assert_eq!(
        asked_for(&shop, &named).await["credit"],
        json!(["card_cvc"])
    );
    let message = shop.confirms(&named, json!({})).await.refused(400, "IR_04");
    assert!(message.contains("card_cvc"), "{message}");
    let code = json!({ "payment_token": method["payment_token"], "card_cvc": "123" });
    let named = shop.updates(&named, code).await.ok();
    assert_eq!(asked_for(&shop, &named).await["credit"], json!([]));
    assert_eq!(
        shop.confirms(&named, json!({})).await.ok()["status"],
        "succeeded"
    );

    // A charge without the payer needs no data from the payer.
    let agreed = with(paid_with(APPROVED), saved_for("off_session"));
    let agreed = with(agreed, json!({ "customer_id": "ada" }));
    shop.creates(agreed).await.ok();
    let method = listed(&shop, "ada").await.remove(0);
    let charged = with(order_of("ada"), by_merchant(&method));
    let charged = shop.creates(charged).await.ok();
    assert_eq!(asked_for(&shop, &charged).await["credit"], json!([]));
}

#[tokio::test]
async fn numbers_of_networks_bring_what_they_need() {
    let shop = Shop::open().await;
    let tokens = json!({
        "payment_method": "network_token", "payment_method_types": [{ "payment_method_type": "network_token" }],
    });
    let enabled = json!({ "payment_methods_enabled": [tokens] });
    shop.reconnects(enabled).await.ok();
    let payment = shop.creates(order()).await.ok();
    let asked = asked_for(&shop, &payment).await;
    assert_eq!(Value::Object(asked), json!({ "network_token": [] }));
}
