//! Readers see no secrets, and the rest of an answer stays unchanged.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::*;

const NOTHING: Disclosure = Disclosure {
    payer_secrets: false,
    ephemeral_keys: false,
    webhook_secrets: false,
};
const SECRET: &str = "pay_1_secret_AbCdEfGhIjKlMnOpQrSt";
const PAGE: &str =
    "https://x.example/payment_link/shop/pay_1/visit_7Gk2Wq9Xn4Bt6Ls1Zp8Vd3Hf5Jc0Rm2Q";

/// Makes the text that the type of `sdk_authorization` would write; that type belongs to another crate.
fn sdk_authorization() -> String {
    STANDARD.encode(format!(
        "profile_id=pro_1&publishable_key=pk_dev_1&client_secret={SECRET}"
    ))
}

fn answer() -> Value {
    json!({
        "payment_id": "pay_1",
        "client_secret": SECRET,
        "sdk_authorization": sdk_authorization(),
        "payment_link": { "link": PAGE, "secure_link": null, "payment_link_id": "plink_1" },
        "next_action": { "type": "redirect_to_url", "redirect_to_url": PAGE, "three_ds_data": null },
        "ephemeral_key": { "secret": "epk_1", "customer_id": "ada" },
        "metadata": { "client_secret": "mine", "note": format!("has {SECRET}") },
        "amount": 100,
    })
}

fn redacted(by: Disclosure, mut answer: Value) -> Value {
    by.redact(&mut answer);
    answer
}

#[test]
fn a_caller_with_all_rights_sees_everything() {
    assert_eq!(redacted(Disclosure::ALL, answer()), answer());
}

#[test]
fn a_caller_who_may_not_pay_sees_no_payer_secrets() {
    insta::assert_json_snapshot!(redacted(NOTHING, answer()), @r#"
    {
      "payment_id": "pay_1",
      "client_secret": "",
      "sdk_authorization": null,
      "payment_link": {
        "link": "",
        "secure_link": null,
        "payment_link_id": "plink_1"
      },
      "next_action": {
        "type": "redirect_to_url",
        "redirect_to_url": "",
        "three_ds_data": null
      },
      "ephemeral_key": null,
      "metadata": {
        "client_secret": "mine",
        "note": "has pay_1_secret_***"
      },
      "amount": 100
    }
    "#);
}

#[test]
fn each_kind_of_secret_is_judged_by_itself() {
    let payer = Disclosure {
        payer_secrets: true,
        ..NOTHING
    };
    let shown = redacted(payer, answer());
    assert_eq!(shown["client_secret"], SECRET);
    assert_eq!(shown["ephemeral_key"], Value::Null);
    let profile = json!({
        "payment_response_hash_key": "hash",
        "webhook_secrets": [{ "secret": "whsec_1" }],
    });
    assert_eq!(
        redacted(payer, profile.clone()),
        json!({ "payment_response_hash_key": "", "webhook_secrets": [] })
    );
    let signer = Disclosure {
        webhook_secrets: true,
        ..NOTHING
    };
    assert_eq!(redacted(signer, profile.clone()), profile);
}

#[test]
fn a_quoted_request_is_an_answer_of_its_own() {
    let body = json!({ "content": { "object": answer() } }).to_string();
    let attempt = json!({
        "request": {
            "body": body,
            "headers": [["content-type", "application/json"], ["x-shop", "till 7"]],
        },
        "response": { "body": format!("got {body}"), "headers": [["server", "x"]] },
    });
    let shown = redacted(NOTHING, attempt.clone());
    let text = shown.to_string();
    for secret in [
        "AbCdEfGhIjKlMnOpQrSt",
        "7Gk2Wq9Xn4Bt6Ls1Zp8Vd3Hf5Jc0Rm2Q",
        "till 7",
    ] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
    assert!(!text.contains(&sdk_authorization()), "{text}");
    let quoted: Value = serde_json::from_str(shown["request"]["body"].as_str().expect("a text"))
        .expect("the body is JSON still");
    assert_eq!(quoted["content"]["object"], redacted(NOTHING, answer()));
    let headers = json!([["content-type", "application/json"], ["x-shop", "***"]]);
    assert_eq!(shown["request"]["headers"], headers);
    assert_eq!(redacted(Disclosure::ALL, attempt.clone()), attempt);
}

#[test]
fn texts_lose_secrets_alone() {
    let sdk = sdk_authorization();
    let cases = [
        ("an order_secret_of hers", None),
        ("customer a_secret_b", None),
        ("visit_us", None),
        (
            &format!("({SECRET})"),
            Some("(pay_1_secret_***)".to_owned()),
        ),
        (
            &format!("at {PAGE}?x=1"),
            Some("at https://x.example/payment_link/shop/pay_1/visit_***?x=1".to_owned()),
        ),
        (&format!("\"{sdk}\", é"), Some("\"***\", é".to_owned())),
        (
            &format!("{SECRET} and {SECRET}"),
            Some("pay_1_secret_*** and pay_1_secret_***".to_owned()),
        ),
    ];
    for (given, expected) in cases {
        assert_eq!(without_payer_secrets(given), expected, "{given}");
    }
}
