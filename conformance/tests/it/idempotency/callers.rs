//! A key belongs to its caller. Another caller with the same key gets neither that answer nor a refusal.

use multirail_conformance::bodies::{APPROVED, DECLINED, order_with, with};
use multirail_conformance::{Call, Shop};
use serde_json::{Value, json};

use super::{again, is_replayed, under};
use crate::customers::creates;
use crate::payment_methods::{card_of, saves};

/// Creates a payment of this customer without confirming it.
async fn begun(shop: &Shop, customer: &str) -> Value {
    creates(shop, json!({ "customer_id": customer })).await.ok();
    let order = with(order_with(APPROVED), json!({ "customer_id": customer }));
    shop.creates(order).await.ok()
}

/// Sends a call as the client of the payment's payer.
fn by_payer_of(payment: &Value, call: Call) -> Call {
    let shown = payment["sdk_authorization"].as_str().expect("a text");
    call.without_key().header("authorization", shown)
}

#[tokio::test]
async fn a_payers_client_is_not_answered_what_the_merchant_was() {
    let shop = Shop::open().await;
    let payment = begun(&shop, "ada").await;
    let confirms = || shop.confirms(&payment, json!({}));
    let confirmed = under("k", confirms()).await;
    assert_eq!(confirmed.body["status"], "succeeded");
    let payers = under("k", by_payer_of(&payment, confirms())).await;
    assert!(!is_replayed(&payers));
    payers.refused(400, "IR_16");
    again(&confirmed, "k", confirms()).await;
}

#[tokio::test]
async fn payers_may_use_one_key_each_for_himself() {
    let shop = Shop::open().await;
    let mut confirmed = Vec::new();
    for customer in ["ada", "grace"] {
        let payment = begun(&shop, customer).await;
        let confirms = by_payer_of(&payment, shop.confirms(&payment, json!({})));
        let answer = under("pay-now", confirms.clone()).await;
        assert_eq!(answer.body["payment_id"], payment["payment_id"]);
        confirmed.push((answer, confirms));
    }
    for (answer, confirms) in confirmed {
        again(&answer, "pay-now", confirms).await;
    }
}

#[tokio::test]
async fn no_saved_method_is_answered_to_another_payer() {
    let shop = Shop::open().await;
    let (victims, others) = (begun(&shop, "ada").await, begun(&shop, "mallory").await);
    let saved = under("k", saves(&shop, "ada", APPROVED)).await.ok();
    let id = saved["payment_method_id"].as_str().expect("an id");
    // The merchant's own update, repeated by somebody else's client.
    let update = || {
        let update = shop.call("payment_methods_update");
        let named = json!({ "card": { "nick_name": "n" } });
        update.at("payment_method_id", id).json(&named)
    };
    under("k", update()).await.ok();
    under("k", by_payer_of(&others, update()))
        .await
        .refused(404, "HE_02");
    // Two clients save the same card, each for its own customer.
    let mut card = card_of("ada", APPROVED);
    card.as_object_mut().expect("members").remove("customer_id");
    for (payment, customer) in [(&victims, "ada"), (&others, "mallory")] {
        let save = shop.call("payment_methods_create").json(&card);
        let made = under("save-1", by_payer_of(payment, save)).await.ok();
        assert_eq!(made["customer_id"], customer);
    }
    let default = |id: &str| {
        let call = shop.call("payment_methods_set_default");
        call.at("customer_id", "ada").at("payment_method_id", id)
    };
    // Ada has another card first, so that this one can become the default.
    let first = saves(&shop, "ada", DECLINED).await.ok();
    let first = first["payment_method_id"].as_str().expect("an id");
    default(first).await.ok();
    under("d", default(id)).await.ok();
    let body = json!({ "customer_id": "mallory" });
    let key = shop.call("ephemeral_keys_create").json(&body).await.ok();
    let key = key["secret"].as_str().expect("a key");
    under("d", default(id).key(key)).await.refused(401, "IR_15");
}

/// Answers with a customer's data are deleted with the customer's key.
#[tokio::test]
async fn a_repeat_tells_nothing_of_a_redacted_customer() {
    let shop = Shop::open().await;
    let made =
        json!({ "customer_id": "ada", "name": "Ada Okafor", "email": "ada@shopper.example" });
    let create = || creates(&shop, made.clone());
    under("k", create()).await.ok();
    let paid = with(
        order_with(APPROVED),
        json!({ "customer_id": "ada", "confirm": true, "email": "ada@shopper.example" }),
    );
    let pays = || shop.creates(paid.clone());
    under("k", pays()).await.ok();
    let save = || saves(&shop, "ada", APPROVED);
    under("k", save()).await.ok();
    let guest = with(order_with(APPROVED), json!({ "confirm": true }));
    let guests = under("k2", shop.creates(guest.clone())).await;
    let delete = shop.call("customers_delete").at("customer_id", "ada");
    delete.await.ok();
    for repeat in [create(), pays(), save()] {
        under("k", repeat).await.refused(400, "IR_11");
    }
    again(&guests, "k2", shop.creates(guest)).await;
}
