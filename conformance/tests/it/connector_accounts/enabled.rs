//! `payment_methods_enabled`: accepted flat or nested, answered flat. (Specification 2.7)

use multirail_conformance::Shop;
use multirail_conformance::evidence::evidence_of_what_is_set;
use serde_json::json;

#[tokio::test]
async fn flat_comes_back_as_it_was() {
    let shop = Shop::open().await;
    let entry = json!({
        "payment_method": "card",
        "payment_method_types": ["credit", "debit"],
        "payment_schemes": ["Visa", "Mastercard"],
        "accepted_countries": { "type": "disable_only", "list": ["NG"] },
        "accepted_currencies": { "type": "enable_only", "list": ["USD"] },
        "minimum_amount": 1,
        "maximum_amount": 5000,
        "recurring_enabled": true,
        "installment_payment_enabled": false,
    });
    let account = shop
        .reconnects(json!({ "payment_methods_enabled": [entry] }))
        .await
        .ok();
    let answered = &account["payment_methods_enabled"][0];
    for (name, value) in entry.as_object().expect("an entry") {
        assert_eq!(&answered[name], value, "{name}");
    }
    let list = shop.call("connector_accounts_list").await.ok();
    assert_eq!(&list[0]["payment_methods_enabled"][0], answered);
}

#[tokio::test]
async fn nested_is_answered_flat() {
    let shop = Shop::open().await;
    let nested = json!({ "payment_methods_enabled": [{ "payment_method": "card", "payment_method_types": [
        { "payment_method_type": "credit", "card_networks": ["Visa"], "minimum_amount": 1, "recurring_enabled": true },
        { "payment_method_type": "debit", "card_networks": ["Visa"], "minimum_amount": 1, "recurring_enabled": true },
    ] }, { "payment_method": "wallet", "payment_method_types": [
        { "payment_method_type": "google_pay", "payment_experience": "invoke_sdk_client" },
        { "payment_method_type": "paypal", "payment_experience": "redirect_to_url" },
    ] }] });
    let account = shop.reconnects(nested).await.ok();
    let shown = evidence_of_what_is_set(&account["payment_methods_enabled"]);
    insta::assert_snapshot!(serde_json::to_string_pretty(&shown).expect("JSON"));
}

/// `ach` and `bacs` name accounts both for debits and for payouts.
#[tokio::test]
async fn ach_and_bacs_are_varieties_of_debits_and_of_transfers() {
    let shop = Shop::open().await;
    for form in [json!(["ach", "bacs"]), nested(&["ach", "bacs"])] {
        let entry =
            |method: &str| json!({ "payment_method": method, "payment_method_types": form });
        let enabled =
            json!({ "payment_methods_enabled": [entry("bank_debit"), entry("bank_transfer")] });
        let account = shop.reconnects(enabled).await.ok();
        let answered: Vec<_> = account["payment_methods_enabled"]
            .as_array()
            .expect("entries")
            .iter()
            .map(|entry| (&entry["payment_method"], &entry["payment_method_types"]))
            .collect();
        assert_eq!(
            answered,
            [
                (&json!("bank_debit"), &json!(["ach", "bacs"])),
                (&json!("bank_transfer"), &json!(["ach", "bacs"])),
            ]
        );
    }
    let other = json!({ "payment_method": "bank_redirect", "payment_method_types": ["ach"] });
    let other = shop.reconnects(json!({ "payment_methods_enabled": [other] }));
    let message = other.await.refused(422, "IR_06");
    assert!(
        message.contains("bank_transfer and bank_debit"),
        "{message}"
    );
}

fn nested(words: &[&str]) -> serde_json::Value {
    let types = words.iter();
    types
        .map(|word| json!({ "payment_method_type": word }))
        .collect()
}

#[tokio::test]
async fn contradictory_methods_are_named() {
    let shop = Shop::open().await;
    let enabled =
        |entry: serde_json::Value| shop.reconnects(json!({ "payment_methods_enabled": [entry] }));
    let message = enabled(json!({})).await.refused(400, "IR_04");
    assert!(
        message.contains("payment_methods_enabled[0].payment_method"),
        "{message}"
    );
    let message = enabled(json!({ "payment_method": "barter" }))
        .await
        .refused(400, "IR_06");
    assert!(
        message.contains("payment_methods_enabled[0].payment_method"),
        "{message}"
    );
    let message =
        enabled(json!({ "payment_method": "card", "payment_method_types": ["barter"] })).await;
    assert!(
        message.message().contains("payment_method_types"),
        "{message:?}"
    );
    assert!(matches!(message.status, 400 | 422), "{message:?}");
    let countries = json!({ "payment_method": "card", "accepted_countries": { "type": "sometimes", "list": [] } });
    enabled(countries).await.refused(400, "IR_06");
}
