//! A payment moves to another customer. The former customer's data and instruments stay with the former customer.

use multirail_conformance::bodies::{APPROVED, DECLINED, card, order_with, with};
use multirail_conformance::{Shop, shop};
use serde_json::{Value, json};

use super::on;
use crate::mandates;
use crate::payment_methods::charge::by_merchant;

/// Texts that identify Ada in these tests.
const TELLING: [&str; 7] = [
    "AdaHolder",
    "ada@shopper.example",
    "555-0132",
    "12 Analytical Row",
    "13 Shipping Row",
    "Okafor",
    "192.0.2.7",
];

/// Ada's data in a payment besides the instrument.
fn said() -> Value {
    json!({
        "customer_id": "ada", "name": "Ada Okafor", "email": "ada@shopper.example", "phone": "555-0132",
        "billing": { "address": { "line1": "12 Analytical Row", "last_name": "Okafor" }, "email": "ada@shopper.example" },
        "shipping": { "address": { "line1": "13 Shipping Row" } },
        "browser_info": { "ip_address": "192.0.2.7" },
        "customer_acceptance": { "acceptance_type": "online", "online": { "ip_address": "192.0.2.7", "user_agent": "Browser/1.0" } },
        "description": "Two books",
    })
}

/// Ada's card, with its billing address.
fn her_card() -> Value {
    let told = json!({
        "payment_method_data": {
            "card": { "card_holder_name": "AdaHolder" },
            "billing": { "address": { "line1": "12 Analytical Row", "first_name": "Ada", "last_name": "Okafor" } },
        },
    });
    with(card(APPROVED), told)
}

/// Ada's saved instruments: by token, by id, and by mandate.
async fn hers(shop: &Shop) -> [(&'static str, Value); 3] {
    let agreed = json!({ "setup_future_usage": "off_session", "confirm": true });
    let paying = with(with(order_with(APPROVED), her_card()), with(said(), agreed));
    shop.creates(paying).await.ok();
    let mandate = mandates::made(shop, mandates::often()).await;
    let list = shop.call("customer_payment_methods_list");
    let list = list.at("customer_id", "ada").await.ok();
    let method = &list["customer_payment_methods"][0];
    let token = json!({ "payment_method": "card", "payment_token": method["payment_token"], "card_cvc": "123" });
    let mandate = json!({ "off_session": true, "mandate_id": mandates::id(&mandate) });
    [
        ("a token", token),
        ("a saved method", by_merchant(method)),
        ("a mandate", mandate),
    ]
}

/// A card of the next customer, Grace.
fn graces_card() -> Value {
    let named =
        json!({ "payment_method_data": { "card": { "card_holder_name": "Grace Hopper" } } });
    with(card(APPROVED), named)
}

fn tells_nothing(of: &str, answer: &Value) {
    let text = answer.to_string();
    for telling in TELLING {
        assert!(!text.contains(telling), "{of}: {telling}: {text}");
    }
}

#[tokio::test]
async fn a_payment_that_moves_leaves_the_former_customers_data_behind() {
    let shop = Shop::open().await;
    let hers = hers(&shop).await;
    let mut moved = Vec::new();
    let typed = ("a card", her_card());
    for (n, (what, instrument)) in std::iter::once(typed).chain(hers).enumerate() {
        let order = json!({ "amount": 6540, "currency": "USD" });
        let payment = with(with(order, said()), instrument);
        let payment = shop.creates(payment).await.ok();
        assert_eq!(payment["status"], "requires_confirmation", "{what}");
        let grace = match n % 2 {
            0 => json!({ "customer_id": "grace" }),
            _ => json!({ "customer": { "id": "grace" } }),
        };
        let given = shop.updates(&payment, grace).await.ok();
        assert_eq!(given["customer_id"], "grace", "{what}");
        assert_eq!(given["status"], "requires_payment_method", "{what}");
        assert_eq!(given["description"], "Two books");
        for gone in [
            "payment_method_id",
            "payment_token",
            "payment_method",
            "mandate_id",
        ] {
            assert_eq!(given[gone], Value::Null, "{what}: {gone}");
        }
        tells_nothing(what, &given);
        let payer = shop.payer_of(&given);
        tells_nothing(what, &payer.retrieves().await.ok());
        // Ada's card and its code are gone, so they can't pay.
        let message = shop.confirms(&given, json!({})).await.refused(422, "IR_06");
        assert!(message.contains("payment_method"), "{message}");
        moved.push(given);
    }
    // The instrument that Grace gives pays and belongs to Grace.
    let paid = shop.confirms(
        &moved[0],
        with(graces_card(), json!({ "email": "grace@shopper.example" })),
    );
    let paid = paid.await.ok();
    assert_eq!(paid["status"], "succeeded");
    tells_nothing("paid", &paid);
    let mandate = shop.call("mandates_list").query("customer_id", "ada").await;
    for mandate in mandate.ok().as_array().expect("mandates") {
        mandates::on(&shop, "mandates_revoke", mandate).await.ok();
    }
    on(&shop, "customers_delete", &json!({ "customer_id": "ada" }))
        .await
        .ok();
    shop.time_passes(7_200).await;
    for payment in &moved {
        tells_nothing("afterwards", &shop.retrieves(payment).await.ok());
    }
}

#[tokio::test]
async fn data_in_the_same_request_belongs_to_the_next_customer() {
    let shop = Shop::open().await;
    let order = with(with(order_with(APPROVED), her_card()), said());
    let payment = shop.creates(order).await.ok();
    let anew = json!({
        "customer_id": "grace", "shipping": { "address": { "line1": "1 Navy Yard" } },
    });
    let given = shop.updates(&payment, with(graces_card(), anew)).await.ok();
    tells_nothing("given", &given);
    assert_eq!(given["status"], "requires_confirmation");
    assert_eq!(given["shipping"]["address"]["line1"], "1 Navy Yard");
    let held = &given["payment_method_data"]["card"]["card_holder_name"];
    assert_eq!(*held, "Grace Hopper");
    let paid = shop.confirms(&given, json!({})).await.ok();
    assert_eq!(paid["status"], "succeeded");
    // A confirm can move the payment as well, and Ada's instrument pays for nobody else.
    let order = with(with(order_with(APPROVED), her_card()), said());
    let payment = shop.creates(order).await.ok();
    let grace = json!({ "customer_id": "grace" });
    shop.confirms(&payment, grace.clone())
        .await
        .refused(422, "IR_06");
    let both = json!({ "confirm": true });
    shop.updates(&payment, with(grace.clone(), both))
        .await
        .refused(422, "IR_06");
    let unchanged = shop.retrieves(&payment).await.ok();
    assert_eq!(unchanged["customer_id"], "ada");
    assert_eq!(unchanged["shipping"], payment["shipping"]);
    let paid = shop
        .confirms(&payment, with(grace, graces_card()))
        .await
        .ok();
    assert_eq!(
        (&paid["status"], &paid["customer_id"]),
        (&json!("succeeded"), &json!("grace"))
    );
    tells_nothing("confirmed", &paid);
}

#[tokio::test]
async fn a_guest_who_becomes_a_customer_keeps_their_data() {
    let shop = Shop::open().await;
    let mut guest = with(with(order_with(APPROVED), her_card()), said());
    guest
        .as_object_mut()
        .expect("members")
        .remove("customer_id");
    let payment = shop.creates(guest).await.ok();
    let known = shop
        .updates(&payment, json!({ "customer_id": "ada" }))
        .await
        .ok();
    for kept in [
        "status",
        "payment_method_data",
        "billing",
        "shipping",
        "name",
        "email",
        "phone",
        "browser_info",
    ] {
        assert_eq!(known[kept], payment[kept], "{kept}");
    }
    let paid = shop
        .confirms(&payment, json!({ "customer_id": "ada" }))
        .await
        .ok();
    assert_eq!(paid["status"], "succeeded");
}

/// Moving is refused after a processor was called in the former customer's name, and for payers' own clients.
#[tokio::test]
async fn impossible_moves_are_refused() {
    let shop = Shop::open().await;
    let retries = json!({ "is_manual_retry_enabled": true });
    shop.sets_up(retries).await.ok();
    let order = with(
        order_with(DECLINED),
        json!({ "customer_id": "ada", "confirm": true }),
    );
    let failed = shop.creates(order).await.ok();
    assert_eq!(failed["status"], "failed");
    for (member, other) in [
        ("customer_id", json!({ "customer_id": "grace" })),
        ("customer.id", json!({ "customer": { "id": "grace" } })),
    ] {
        let confirm = with(card(APPROVED), other);
        let message = shop.confirms(&failed, confirm).await.refused(400, "IR_16");
        assert!(message.starts_with(&format!("{member} ")), "{message}");
    }
    assert_eq!(shop.retrieves(&failed).await.ok()["customer_id"], "ada");
    shop.call("customers_retrieve")
        .at("customer_id", "grace")
        .await
        .refused(404, "HE_02");
    let own = json!({ "customer_id": "ada" });
    let paid = shop
        .confirms(&failed, with(card(APPROVED), own.clone()))
        .await
        .ok();
    assert_eq!(
        (shop::id(&paid), &paid["status"]),
        (shop::id(&failed), &json!("succeeded"))
    );

    let payment = shop.creates(with(order_with(APPROVED), own)).await.ok();
    let payer = shop.payer_of(&payment);
    for other in [
        json!({ "customer_id": "grace" }),
        json!({ "customer": { "id": "grace" } }),
    ] {
        payer.updates(other.clone()).await.refused(422, "IR_06");
        payer.confirms(other).await.refused(422, "IR_06");
    }
    assert_eq!(shop.retrieves(&payment).await.ok()["customer_id"], "ada");
}
