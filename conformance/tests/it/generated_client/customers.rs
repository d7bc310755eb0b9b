//! Customers and their saved payment methods.

use multirail_client::{Error, requests, types};
use multirail_conformance::Shop;
use multirail_conformance::bodies::APPROVED;
use serde_json::json;

#[tokio::test]
async fn known_found_and_forgotten() {
    let shop = Shop::open().await;
    let client = shop.client();
    let body = types::CustomerCreateRequest {
        name: Some("Ada Example".to_owned()),
        email: Some("ada@shopper.example".to_owned()),
        ..Default::default()
    };
    let ada = client.customers_create().body(body).send().await;
    let ada = ada.expect("noted").into_inner();
    let more = types::CustomerUpdateRequest {
        phone: Some("2025550132".to_owned()),
        ..Default::default()
    };
    let id = ada.customer_id.as_str();
    let update = client.customers_update().customer_id(id).body(more);
    let updated = update.send().await.expect("more is noted").into_inner();
    let read = client.customers_retrieve().customer_id(id).send().await;
    assert_eq!(read.expect("read").phone, updated.phone);
    let found = client
        .customers_list()
        .email("ada@shopper.example")
        .limit(1);
    let found = found.send().await.expect("found").into_inner();
    assert_eq!(
        found
            .iter()
            .map(|one| one.customer_id.as_str())
            .collect::<Vec<_>>(),
        [id]
    );
    let gone = client.customers_delete().customer_id(id).send().await;
    assert!(gone.expect("forgotten").customer_deleted);
    let read = client.customers_retrieve().customer_id(id).send().await;
    let error = read.map(|_| ()).map_err(Error::from).expect_err("nobody");
    assert_eq!(error.code(), Some("IR_11"));
}

#[tokio::test]
async fn saved_listed_and_paid_with() {
    let shop = Shop::open().await;
    let client = shop.client();
    let nobody_yet = types::CustomerCreateRequest::default();
    let ada = client.customers_create().body(nobody_yet).send().await;
    let ada = ada.expect("noted").into_inner();
    let id = ada.customer_id.as_str();
    let card = json!({ "card_number": APPROVED, "card_exp_month": "10", "card_exp_year": "35" });
    let body = json!({ "payment_method": "card", "customer_id": id, "card": card });
    let body: types::SavedMethodCreateRequest = serde_json::from_value(body).expect("a body");
    let saved = client.payment_methods_create().body(body).send().await;
    let saved = saved.expect("saved").into_inner();
    let method_id = saved.payment_method_id.as_str();
    let key = types::EphemeralKeyCreateRequest {
        customer_id: id.to_owned(),
    };
    let key = client.ephemeral_keys_create().body(key).send().await;
    assert!(key.expect("a key").secret.starts_with("epk_"));
    let lists = || {
        let list = client.customer_payment_methods_list().customer_id(id);
        list.card_networks("Visa,Mastercard").limit(1)
    };
    let listed = lists().send().await.expect("listed").into_inner();
    let listed = &listed.customer_payment_methods[0];
    assert_eq!(listed.payment_method_id, method_id);
    let mut body = requests::payment(6540, types::Currency::Usd);
    body.customer_id = Some(id.to_owned());
    body.confirm = Some(true);
    body.payment_token = Some(listed.payment_token.clone());
    body.card_cvc = Some("123".into());
    let paid = client.payments_create().body(body.clone()).send().await;
    let paid = paid.expect("paid").into_inner();
    assert_eq!(paid.payment_method_id.as_deref(), Some(method_id));
    let again = client.payments_create().body(body).send().await;
    let error = again.map(|_| ()).map_err(Error::from);
    assert_eq!(error.expect_err("used").code(), Some("IR_29"));
    let gone = client.payment_methods_delete().payment_method_id(method_id);
    assert!(gone.send().await.expect("deleted").deleted);
    let left = lists().send().await.expect("listed").into_inner();
    assert!(left.customer_payment_methods.is_empty());
}
