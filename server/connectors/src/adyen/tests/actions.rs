//! Tests of the payer's next action.

use multirail_sdk::connector::{Outcome, PayerStep, ShownStep, StepKind};
use serde_json::{Value, json};

use super::super::map;
use super::{KEY, PSP};
use crate::fixture::answer;

fn asked(result: &str, action: Value) -> Outcome {
    let body = json!({
        "resultCode": result, "pspReference": PSP, "merchantReference": KEY, "action": action,
    });
    map::payment(KEY, answer(200, body))
}

fn step(result: &str, action: Value) -> PayerStep {
    match asked(result, action) {
        Outcome::CustomerMustAct {
            reference: Some(reference),
            step,
        } if reference == PSP => step,
        other => panic!("{other:?}"),
    }
}

/// Returns the members of a step that the merchant shows, and its end.
fn shown(result: &str, action: Value) -> String {
    let PayerStep { kind, expires_at } = step(result, action);
    let StepKind::Shown(shown) = kind else {
        panic!("{kind:?}")
    };
    let shown: ShownStep = *shown;
    let members = serde_json::to_string(&shown).expect("JSON");
    format!(
        "{members} until {}",
        expires_at.map_or("?".to_owned(), |end| end.to_string())
    )
}

#[test]
fn steps_that_the_merchant_shows() {
    let page = "https://checkoutshopper-test.adyen.com/checkoutshopper/voucherDownload";
    let told = [
        shown(
            "Pending",
            json!({
                "type": "qrCode", "paymentMethodType": "pix", "qrCodeData": "00020126580014br.gov.bcb.pix",
                "expiresAt": "2026-01-31T12:15:00Z", "paymentData": "Ab02b4c0",
            }),
        ),
        shown(
            "Pending",
            json!({ "type": "await", "paymentMethodType": "blik", "paymentData": "Ab02b4c0" }),
        ),
        shown(
            "PresentToShopper",
            json!({
                "type": "voucher", "paymentMethodType": "boletobancario", "expiresAt": "2026-02-07T00:00:00",
                "reference": "03399.33335 29458.900009", "downloadUrl": page, "instructionsUrl": "https://docs.example/",
                "totalAmount": { "currency": "BRL", "value": 6540 },
            }),
        ),
        shown(
            "PresentToShopper",
            json!({
                "type": "voucher", "paymentMethodType": "oxxo", "reference": "59168675976701",
                "entity": "oxxo", "instructionsUrl": page,
            }),
        ),
        shown(
            "PresentToShopper",
            json!({
                "type": "voucher", "paymentMethodType": "multibanco", "reference": "501 422 944",
                "entity": "12101", "expiresAt": "2026-02-07T12:00:00+01:00",
            }),
        ),
        shown(
            "Received",
            json!({
                "type": "bankTransfer", "paymentMethodType": "bankTransfer_IBAN", "iban": "NL13TEST0123456789",
                "bic": "TESTNL01", "beneficiary": "BookshopNL", "reference": "HZ4VSKRMN5QR",
            }),
        ),
    ];
    insta::assert_snapshot!(told.join("\n"), @r#"
    {"form":"qr_code","text":"00020126580014br.gov.bcb.pix"} until 2026-01-31T12:15:00.000Z
    {"form":"wait_screen"} until ?
    {"form":"voucher","text":"03399.33335 29458.900009","url":"https://checkoutshopper-test.adyen.com/checkoutshopper/voucherDownload"} until ?
    {"form":"voucher","text":"59168675976701","url":"https://checkoutshopper-test.adyen.com/checkoutshopper/voucherDownload"} until ?
    {"form":"bank_transfer","text":"501 422 944","entity":"12101"} until 2026-02-07T11:00:00.000Z
    {"form":"bank_transfer","text":"HZ4VSKRMN5QR","iban":"NL13TEST0123456789","bic":"TESTNL01","holder":"BookshopNL","country":"NL"} until ?
    "#);
}

#[test]
fn an_action_without_what_the_payer_needs_is_unreadable() {
    for action in [
        json!({ "type": "qrCode", "url": "https://pay.example/" }),
        json!({ "type": "voucher", "downloadUrl": "https://pay.example/" }),
        json!({ "type": "bankTransfer", "reference": "HZ4VSKRMN5QR" }),
        json!({ "type": "bankTransfer", "iban": "NL13TEST0123456789" }),
        json!({ "type": "redirect", "method": "GET" }),
        json!({ "type": "redirect", "url": "upi://pay?tr=1" }),
    ] {
        let told = asked("Pending", action);
        assert!(matches!(told, Outcome::Unknown(_)), "{told:?}");
    }
}

#[test]
fn an_action_that_a_page_can_not_offer_is_declined() {
    let told = |action: Value| match asked("Pending", action) {
        Outcome::Declined(decline) => decline.message,
        other => panic!("{other:?}"),
    };
    let told = [
        told(json!({ "type": "sdk", "paymentMethodType": "wechatpaySDK" })),
        told(json!({ "type": "redirect", "method": "POST", "url": "https://pay.example/" })),
    ];
    insta::assert_snapshot!(told.join("\n"), @"
    The processor wants an authentication that can't be offered: sdk
    The processor wants an authentication that can't be offered: redirect POST
    ");
}
