//! Debits that are refused before an attempt.

use std::sync::Arc;

use multirail_conformance::Shop;
use multirail_conformance::bodies::with;
use multirail_peers::checkout::Checkout;
use serde_json::{Value, json};

use super::{SEPA_PAYS, consent, debit, debited, sepa};
use crate::processors::production_shop::ProductionShop;

#[tokio::test]
async fn a_bad_number_is_named() {
    let shop = Shop::open().await;
    let ach = |account: Value| debit("ach", "USD", account);
    let bacs = |account: Value| debit("bacs", "GBP", account);
    let becs = |account: Value| debit("becs", "AUD", account);
    let table = [
        sepa("DE88370400440532013000"),
        sepa("DE893704004405320130"),
        sepa("not an account"),
        ach(json!({ "account_number": "000123456789", "routing_number": "110000001" })),
        ach(json!({ "account_number": "123", "routing_number": "110000000" })),
        ach(json!({ "routing_number": "110000000" })),
        bacs(json!({ "account_number": "1234567", "sort_code": "108800" })),
        bacs(json!({ "account_number": "00012345", "sort_code": "10-88" })),
        becs(json!({ "account_number": "000123456", "bsb_number": "00-000" })),
        becs(json!({ "account_number": "0001", "bsb_number": "000-000" })),
    ];
    let mut told = Vec::new();
    for order in table {
        let answer = shop.creates(with(order, consent())).await;
        let (code, message) = (&answer.body["code"], &answer.body["message"]);
        let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
        told.push(format!(
            "{} {} {}",
            answer.status,
            text(code),
            text(message)
        ));
    }
    insta::assert_snapshot!(told.join("\n"), @"
    400 IR_06 payment_method_data.bank_debit.sepa_bank_debit.iban is no IBAN: its form or its check digits are wrong
    400 IR_06 payment_method_data.bank_debit.sepa_bank_debit.iban is no IBAN: its form or its check digits are wrong
    400 IR_06 payment_method_data.bank_debit.sepa_bank_debit.iban is no IBAN: its form or its check digits are wrong
    400 IR_06 payment_method_data.bank_debit.ach_bank_debit.routing_number is no routing number: it has 9 digits, of which the last one checks the others
    400 IR_06 payment_method_data.bank_debit.ach_bank_debit.account_number has to be 4 to 17 digits
    400 IR_04 Missing required parameter: payment_method_data.bank_debit.ach_bank_debit.account_number
    400 IR_06 payment_method_data.bank_debit.bacs_bank_debit.account_number has to be 8 digits
    400 IR_06 payment_method_data.bank_debit.bacs_bank_debit.sort_code has to be 6 digits
    400 IR_06 payment_method_data.bank_debit.becs_bank_debit.bsb_number has to be 6 digits
    400 IR_06 payment_method_data.bank_debit.becs_bank_debit.account_number has to be 5 to 9 digits
    ");
    let books = shop.processor().ledger().authorizations();
    assert_eq!(books.expect("the books"), [], "the processor wasn't asked");
}

#[tokio::test]
async fn what_no_account_can_debit_is_refused() {
    let shop = Shop::open().await;
    let now = || with(sepa(SEPA_PAYS), with(consent(), json!({ "confirm": true })));
    let sepa_of = |members: Value| json!({ "payment_method_data": { "bank_debit": { "sepa_bank_debit": members } } });
    let table = [
        (
            "without consent",
            with(sepa(SEPA_PAYS), json!({ "confirm": true })),
            400,
            "IR_04",
        ),
        (
            "in dollars",
            with(now(), json!({ "currency": "USD" })),
            400,
            "IR_39",
        ),
        (
            "reserved",
            with(now(), json!({ "capture_method": "manual" })),
            400,
            "IR_39",
        ),
        (
            "of nobody",
            with(now(), sepa_of(json!({ "bank_account_holder_name": null }))),
            400,
            "IR_04",
        ),
        (
            "of another type",
            with(now(), json!({ "payment_method_type": "bacs" })),
            422,
            "IR_06",
        ),
        (
            "twice",
            with(
                now(),
                json!({ "payment_method_data": { "bank_debit": {
                "bacs_bank_debit": { "account_number": "00012345", "sort_code": "108800" },
            } } }),
            ),
            422,
            "IR_06",
        ),
        (
            "without data",
            with(
                now(),
                json!({ "payment_method_data": { "bank_debit": { "sepa_bank_debit": null } } }),
            ),
            400,
            "IR_04",
        ),
        (
            "with two addresses",
            with(
                with(
                    now(),
                    json!({ "payment_method_data": { "billing": { "email": "eve@example.com" } } }),
                ),
                sepa_of(json!({ "billing_details": { "email": "ada@example.com" } })),
            ),
            422,
            "IR_06",
        ),
        (
            "with an unknown member",
            with(now(), sepa_of(json!({ "bic": "COBADEFF" }))),
            400,
            "IR_06",
        ),
    ];
    let mut told = Vec::new();
    for (what, body, status, code) in table {
        let answer = shop.creates(body).await;
        told.push(format!("{what}: {}", answer.refused(status, code)));
    }
    insta::assert_snapshot!(told.join("\n"), @"
    without consent: customer_acceptance is required and was not given
    in dollars: fauxpay takes payment_method_type sepa only in EUR
    reserved: fauxpay takes payment_method_type sepa only with capture_method automatic
    of nobody: payment_method_data.bank_debit.sepa_bank_debit.bank_account_holder_name is required and was not given
    of another type: payment_method_data.bank_debit.sepa_bank_debit is not the data of payment_method_type
    twice: payment_method_data takes exactly one instrument
    without data: payment_method_data.bank_debit.sepa_bank_debit is required and was not given
    with two addresses: payment_method_data.bank_debit.sepa_bank_debit and payment_method_data.billing have different values for email
    with an unknown member: `payment_method_data.bank_debit.sepa_bank_debit.bic` is not a known member here.
    ");
    let books = shop.processor().ledger().authorizations();
    assert_eq!(books.expect("the books"), [], "the processor wasn't asked");
}

#[tokio::test]
async fn a_processor_without_debits_refuses_them() {
    let shop = ProductionShop::open("checkout", Arc::new(Checkout::new())).await;
    let order = shop.creates(sepa(SEPA_PAYS)).await.ok();
    let message = shop.confirms(&order, consent()).await.refused(400, "IR_19");
    assert!(
        message.starts_with("no connector of the profile takes payment_method_type sepa"),
        "{message}"
    );
}

#[tokio::test]
async fn a_rule_and_a_checkout_know_debits() {
    let shop = Shop::open().await;
    let sepa_only = json!([{ "payment_method": "bank_debit", "payment_method_types": ["sepa"] }]);
    shop.connects(
        "paypal_test",
        json!({ "payment_methods_enabled": sepa_only }),
    )
    .await
    .ok();
    let cards = json!([{ "payment_method": "card" }]);
    shop.reconnects(json!({ "payment_methods_enabled": cards }))
        .await
        .ok();
    let order = shop
        .creates(json!({ "amount": 6540, "currency": "EUR" }))
        .await
        .ok();
    let call = shop.payer_of(&order).call("account_payment_methods_list");
    let call = call.query(
        "client_secret",
        order["client_secret"].as_str().expect("a secret"),
    );
    let answer = call.await.ok();
    let families = answer["payment_methods"].as_array().expect("families");
    let debits = families
        .iter()
        .find(|one| one["payment_method"] == "bank_debit");
    insta::assert_json_snapshot!(debits, @r#"
    {
      "payment_method": "bank_debit",
      "payment_method_types": [
        {
          "payment_method_type": "sepa",
          "payment_experience": [],
          "card_networks": null,
          "bank_debits": {
            "eligible_connectors": [
              "paypal_test"
            ]
          },
          "required_fields": {
            "payment_method_data.bank_debit.sepa_bank_debit.bank_account_holder_name": {
              "required_field": "payment_method_data.bank_debit.sepa_bank_debit.bank_account_holder_name",
              "display_name": "bank_account_holder_name",
              "field_type": "user_bank_account_holder_name",
              "value": null
            },
            "payment_method_data.bank_debit.sepa_bank_debit.iban": {
              "required_field": "payment_method_data.bank_debit.sepa_bank_debit.iban",
              "display_name": "iban",
              "field_type": "user_iban",
              "value": null
            }
          }
        }
      ]
    }
    "#);
    let paid = debited(&shop, sepa(SEPA_PAYS)).await;
    assert_eq!(paid["connector"], "paypal_test");
}
