//! Accounts that a debit saves, and that are debited again without their payer.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{with, without};
use serde_json::{Value, json};

use super::{SEPA_LACKS_FUNDS, SEPA_PAYS, consent, debit, debited, paid, saved, sepa};
use crate::mandates::{on, retrieved};
use crate::payment_methods::{accounts, known};

fn off_session() -> Value {
    json!({ "setup_future_usage": "off_session" })
}

/// Members of a charge without the payer.
fn charge(data: &str, kind: &str) -> Value {
    json!({
        "amount": 1000, "currency": "EUR", "customer_id": "ada", "confirm": true, "off_session": true,
        "recurring_details": { "type": kind, "data": data },
    })
}

async fn listed(shop: &Shop) -> Vec<Value> {
    let list = shop
        .call("customer_payment_methods_list")
        .at("customer_id", "ada");
    let list = list.await.ok();
    list["customer_payment_methods"]
        .as_array()
        .expect("methods")
        .clone()
}

#[tokio::test]
async fn a_saved_account_is_debited_without_its_payer() {
    let shop = Shop::open().await;
    let first = saved(&shop, sepa(SEPA_PAYS), off_session()).await;
    let mandate = first["connector_mandate_id"].as_str().expect("a mandate");
    assert!(mandate.starts_with("mandate_"), "{mandate}");
    let methods = listed(&shop).await;
    assert_eq!(methods.len(), 1);
    assert_eq!(methods[0]["payment_method_type"], "sepa");
    assert_eq!(methods[0]["bank"], json!({ "mask": "3000" }));
    assert_eq!(methods[0]["recurring_enabled"], true);
    assert_eq!(methods[0]["requires_cvv"], false);
    assert_eq!(methods[0]["payment_method_id"], first["payment_method_id"]);

    let id = first["payment_method_id"].as_str().expect("an id");
    let again = shop.creates(charge(id, "payment_method_id")).await.ok();
    assert_eq!(again["status"], "processing");
    let again = paid(&shop, &again).await;
    let details = &again["payment_method_data"]["bank_debit"]["sepa"];
    assert_eq!(details["iban"], "DE********3000");
    assert_eq!(shop.money().captured, 6540 + 1000);

    // The same account is saved once.
    saved(&shop, sepa(SEPA_PAYS), off_session()).await;
    assert_eq!(listed(&shop).await.len(), 1);

    // It stands for debits only.
    let card = with(
        charge(id, "payment_method_id"),
        json!({ "payment_method": "card" }),
    );
    shop.creates(card).await.refused(422, "IR_06");
    let reserved = with(
        charge(id, "payment_method_id"),
        json!({ "capture_method": "manual" }),
    );
    shop.creates(reserved).await.refused(400, "IR_39");
}

#[tokio::test]
async fn a_failed_debit_saves_nothing() {
    let shop = Shop::open().await;
    let order = with(
        sepa(SEPA_LACKS_FUNDS),
        with(off_session(), json!({ "customer_id": "ada" })),
    );
    let payment = debited(&shop, order).await;
    let failed = shop.asks_about(&payment).await.ok();
    assert_eq!(failed["status"], "failed");
    assert_eq!(listed(&shop).await, [] as [Value; 0]);
}

#[tokio::test]
async fn a_mandate_is_debited_until_it_is_revoked() {
    let shop = Shop::open().await;
    let terms = json!({ "multi_use": { "amount": 6540, "currency": "EUR" } });
    let asked = json!({
        "customer_id": "ada", "confirm": true,
        "mandate_data": { "mandate_type": terms, "customer_acceptance": consent()["customer_acceptance"] },
    });
    let payment = shop.creates(with(sepa(SEPA_PAYS), asked)).await.ok();
    assert_eq!(payment["status"], "processing");
    let first = paid(&shop, &payment).await;
    let mandate = retrieved(&shop, &first).await;
    assert_eq!(mandate["status"], "active");
    assert_eq!(mandate["payment_method"], "bank_debit");
    assert_eq!(mandate["payment_method_type"], "sepa");
    assert_eq!(mandate["card"], Value::Null);
    assert_eq!(
        mandate["customer_acceptance"]["online"]["ip_address"],
        "192.0.2.7"
    );

    let id = mandate["mandate_id"].as_str().expect("an id");
    let under = with(
        without(charge(id, "mandate_id"), "recurring_details"),
        json!({ "mandate_id": id }),
    );
    let again = shop.creates(under.clone()).await.ok();
    assert_eq!(again["mandate_id"], mandate["mandate_id"]);
    paid(&shop, &again).await;
    let method = first["payment_method_id"].as_str().expect("an id");
    let alone = charge(method, "payment_method_id");
    let again = shop.creates(alone.clone()).await.ok();
    assert_eq!(again["status"], "processing");
    shop.creates(with(under.clone(), json!({ "amount": 6541 })))
        .await
        .refused(400, "HE_03");
    on(&shop, "mandates_revoke", &mandate).await.ok();
    let message = shop.creates(under).await.refused(400, "HE_03");
    assert!(message.contains("revoked"), "{message}");
    // The mandate was the payer's only permission, whichever way the account is named.
    shop.creates(alone).await.refused(400, "HE_03");
}

/// The payer agrees in their own browser, which doesn't know its address.
#[tokio::test]
async fn a_consent_on_a_page_gets_what_its_request_shows() {
    let shop = Shop::open().await;
    let order = json!({
        "amount": 6540, "currency": "EUR", "customer_id": "ada",
        "mandate_data": { "mandate_type": { "multi_use": {} } },
    });
    let payment = shop.creates(order).await.ok();
    let account = without(without(sepa(SEPA_PAYS), "amount"), "currency");
    let agreed = json!({ "customer_acceptance": { "acceptance_type": "online" } });
    let payer = shop.payer_of(&payment);
    payer.confirms(with(account, agreed)).await.ok();
    let paid = paid(&shop, &payment).await;
    let mandate = retrieved(&shop, &paid).await;
    let consent = &mandate["customer_acceptance"];
    assert_eq!(consent["online"]["ip_address"], "127.0.0.1", "{consent}");
    assert!(consent["accepted_at"].is_string(), "{consent}");
}

#[tokio::test]
async fn a_revocation_ends_the_consent_of_debits_under_way_too() {
    let shop = Shop::open().await;
    let asked = json!({
        "mandate_data": { "mandate_type": { "multi_use": { "amount": 6540, "currency": "EUR" } } },
    });
    let first = saved(&shop, sepa(SEPA_PAYS), asked).await;
    let mandate = retrieved(&shop, &first).await;
    let by_token = async || {
        json!({
            "amount": 1000, "currency": "EUR", "customer_id": "ada", "confirm": true, "payment_method": "bank_debit",
            "payment_method_type": "sepa", "payment_token": listed(&shop).await[0]["payment_token"],
        })
    };
    let agreed = with(with(by_token().await, off_session()), consent());
    let under_way = shop.creates(agreed).await.ok();
    assert_eq!(under_way["status"], "processing");
    on(&shop, "mandates_revoke", &mandate).await.ok();
    paid(&shop, &under_way).await;
    let id = first["payment_method_id"].as_str().expect("an id");
    let alone = || charge(id, "payment_method_id");
    shop.creates(alone()).await.refused(400, "HE_03");
    assert_eq!(listed(&shop).await[0]["recurring_enabled"], false);

    // The payer may debit the account again, with a new consent.
    let refused = shop.creates(by_token().await).await.refused(400, "IR_04");
    assert_eq!(refused, "customer_acceptance is required and was not given");
    let present = shop.creates(with(by_token().await, consent())).await.ok();
    paid(&shop, &present).await;
    shop.creates(alone()).await.refused(400, "HE_03");
    let elsewhere = json!({ "customer_acceptance": { "online": { "ip_address": "192.0.2.8" } } });
    let anew = with(consent(), elsewhere);
    let agreed = with(with(by_token().await, off_session()), anew);
    let agreed = shop.creates(agreed).await.ok();
    paid(&shop, &agreed).await;
    let again = shop.creates(alone()).await.ok();
    assert_eq!(again["status"], "processing");
    // The processor gets the new consent, not the one that was revoked.
    let all = shop.processor().ledger().authorizations();
    let all = json!(all.expect("the books can be read"));
    let last = all.as_array().and_then(|all| all.last());
    let sent = &last.expect("an authorization")["details"]["initiation"]["consent"];
    assert_eq!(sent["online"]["ip_address"], "192.0.2.8", "{sent}");
}

#[tokio::test]
async fn a_single_use_is_used_once() {
    let shop = Shop::open().await;
    let asked = json!({
        "setup_future_usage": "off_session",
        "mandate_data": { "mandate_type": { "single_use": { "amount": 1000, "currency": "EUR" } } },
    });
    let first = saved(&shop, sepa(SEPA_PAYS), asked).await;
    let id = first["mandate_id"].as_str().expect("an id").to_owned();
    let once = shop.creates(charge(&id, "mandate_id")).await.ok();
    assert_eq!(once["status"], "processing");
    shop.creates(charge(&id, "mandate_id"))
        .await
        .refused(400, "HE_03");
}

/// The payer who comes back chooses the account, and has consented to its debits before.
#[tokio::test]
async fn a_saved_account_is_chosen_by_its_payer() {
    let shop = Shop::open().await;
    let account = json!({ "account_number": "00012345", "sort_code": "108800" });
    let on_session = json!({ "setup_future_usage": "on_session" });
    saved(&shop, debit("bacs", "GBP", account), on_session).await;
    let methods = listed(&shop).await;
    assert_eq!(methods[0]["recurring_enabled"], false);
    let token = &methods[0]["payment_token"];
    let order = json!({
        "amount": 1000, "currency": "GBP", "customer_id": "ada", "confirm": true, "payment_method": "bank_debit",
        "payment_method_type": "bacs", "payment_token": token,
    });
    let payment = shop
        .creates(with(order.clone(), json!({ "card_cvc": "123" })))
        .await;
    payment.refused(422, "IR_06");
    let payment = shop.creates(order).await.ok();
    assert_eq!(payment["status"], "processing");
    paid(&shop, &payment).await;
    // Its payer agreed to no debit without them.
    let id = methods[0]["payment_method_id"].as_str().expect("an id");
    let alone = with(
        charge(id, "payment_method_id"),
        json!({ "currency": "GBP" }),
    );
    shop.creates(alone).await.refused(400, "HE_03");
}

/// The account that was saved without a payment gets the holder and the consent of its debit.
#[tokio::test]
async fn a_debit_renews_its_saved_account() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    let bare = accounts::debited("sepa_bank_debit", json!({ "iban": SEPA_PAYS }));
    shop.call("payment_methods_create").json(&bare).await.ok();
    let on_session = json!({ "setup_future_usage": "on_session" });
    saved(&shop, sepa(SEPA_PAYS), on_session).await;
    let methods = listed(&shop).await;
    assert_eq!(methods.len(), 1);
    let by_token = json!({
        "amount": 1000, "currency": "EUR", "customer_id": "ada", "confirm": true, "payment_method": "bank_debit",
        "payment_method_type": "sepa", "payment_token": methods[0]["payment_token"],
    });
    let payment = shop.creates(by_token).await.ok();
    assert_eq!(payment["status"], "processing");
    let payment = paid(&shop, &payment).await;
    let details = &payment["payment_method_data"]["bank_debit"]["sepa"];
    assert_eq!(details["bank_account_holder_name"], "Ada Okafor");
}
