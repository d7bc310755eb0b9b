//! Tests of the requests that change a payment.

use multirail_kernel::currency::Currency;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::money::Money;
use multirail_sdk::connector::{
    Access, CaptureRequest, Descriptor, IncrementRequest, RefundRequest,
};
use serde_json::Value;

use super::super::changes;
use super::{KEY, PSP};

const ACCOUNT: &str = "BookshopNL";

fn key() -> ProcessorKey {
    ProcessorKey::parse(KEY).expect("a key")
}

fn increment(reason: &str) -> Value {
    let request = IncrementRequest {
        key: key(),
        access: Access::default(),
        authorization_key: key(),
        authorization_reference: Some(PSP.to_owned()),
        money: Money::new(9000, Currency::EUR),
        reason: Some(reason.to_owned()),
    };
    let written = changes::increment(&request, ACCOUNT).expect("an amount");
    serde_json::to_value(written).expect("JSON")
}

fn refund(reason: &str) -> Value {
    let request = RefundRequest {
        key: key(),
        access: Access::default(),
        authorization_key: key(),
        authorization_reference: Some(PSP.to_owned()),
        money: Money::new(540, Currency::EUR),
        of_excess: false,
        reason: Some(reason.to_owned()),
    };
    let written = changes::refund(&request, ACCOUNT).expect("an amount");
    serde_json::to_value(written).expect("JSON")
}

#[test]
fn each_change_has_its_members() {
    let capture = CaptureRequest {
        key: key(),
        access: Access::default(),
        authorization_key: key(),
        authorization_reference: Some(PSP.to_owned()),
        money: Money::new(6000, Currency::EUR),
        is_final: true,
        descriptor: Descriptor::default(),
    };
    let capture = changes::capture(&capture, ACCOUNT).expect("an amount");
    let told = [
        increment("no_show"),
        serde_json::to_value(capture).expect("JSON"),
        refund("customer_request"),
        serde_json::to_value(changes::cancel(&key(), ACCOUNT)).expect("JSON"),
        serde_json::to_value(changes::reverse(&key(), ACCOUNT)).expect("JSON"),
        serde_json::to_value(changes::cancel_unknown(&key(), &key(), ACCOUNT)).expect("JSON"),
    ];
    let told = told.map(|change| change.to_string());
    insta::assert_snapshot!(told.join("\n"), @r#"
    {"merchantAccount":"BookshopNL","reference":"mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ","amount":{"value":9000,"currency":"EUR"},"industryUsage":"noShow"}
    {"merchantAccount":"BookshopNL","reference":"mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ","amount":{"value":6000,"currency":"EUR"},"lineItems":[{"description":"Capture","quantity":1,"amountIncludingTax":6000}]}
    {"merchantAccount":"BookshopNL","reference":"mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ","amount":{"value":540,"currency":"EUR"},"merchantRefundReason":"CUSTOMER REQUEST","lineItems":[{"description":"Refund","quantity":1,"amountIncludingTax":540}]}
    {"merchantAccount":"BookshopNL","reference":"mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ"}
    {"merchantAccount":"BookshopNL","reference":"mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ"}
    {"merchantAccount":"BookshopNL","reference":"mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ","paymentReference":"mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ"}
    "#);
}

#[test]
fn a_reason_is_sent_if_adyen_knows_it() {
    let usages = [
        "delayed_charge",
        "DelayedCharge",
        " no show ",
        "installment",
        "another drink",
    ];
    let usages = usages.map(|reason| increment(reason)["industryUsage"].clone());
    let reasons = ["customer_request", " fraud ", "the cat did it"];
    let reasons = reasons.map(|reason| refund(reason)["merchantRefundReason"].clone());
    insta::assert_snapshot!(
        format!("{}\n{}", Value::from(usages.to_vec()), Value::from(reasons.to_vec())),
        @r#"
    ["delayedCharge","delayedCharge","noShow","installment",null]
    ["CUSTOMER REQUEST","FRAUD",null]
    "#
    );
}
