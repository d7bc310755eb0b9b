//! Tests of answers.

use multirail_sdk::connector::{Finding, Outcome};
use serde_json::{Value, json};

use super::super::map;
use super::{KEY, PSP};
use crate::fixture::answer;

fn paid(body: Value) -> Outcome {
    map::payment(KEY, answer(200, body))
}

#[test]
fn a_payment_that_was_authorised() {
    let told = paid(json!({
        "resultCode": "Authorised", "pspReference": PSP, "merchantReference": KEY,
        "amount": { "currency": "CLP", "value": 654_000 },
        "additionalData": {
            "networkTxReference": "MCC123456789012", "avsResultRaw": "Y", "authCode": "065696",
            "liabilityShift": "true", "threeDAuthenticated": "true", "threeDSVersion": "2.2.0", "threeDOffered": "",
            "cardBin": "411111",
        },
    }));
    insta::assert_debug_snapshot!(told, @r#"
    Done(
        Approval {
            reference: Some(
                "NC6HT9CRT65ZGN82",
            ),
            amount_minor: Some(
                6540,
            ),
            currency: Some(
                "CLP",
            ),
            network_transaction_id: Some(
                "MCC123456789012",
            ),
            mandate: None,
            processor_status: None,
            checks: Some(
                CardChecks {
                    address: Some(
                        "Y",
                    ),
                    card_code: None,
                    unread: UnreadMembers(0),
                },
            ),
            remarks: Some(
                Remarks {
                    auth_code: Some(
                        "065696",
                    ),
                    authentication: {
                        "liabilityShift": String("true"),
                        "threeDAuthenticated": String("true"),
                        "threeDSVersion": String("2.2.0"),
                    },
                    more: {},
                    unread: UnreadMembers(0),
                },
            ),
            review: None,
            hold: None,
            leaves_nothing: false,
            excess: None,
        },
    )
    "#);
}

#[test]
fn a_payment_in_part() {
    let told = paid(json!({
        "resultCode": "PartiallyAuthorised", "pspReference": PSP,
        "additionalData": { "authorisedAmountValue": "500", "authorisedAmountCurrency": "EUR" },
    }));
    let Outcome::Done(approval) = told else {
        panic!("{told:?}")
    };
    assert_eq!(approval.amount_minor, Some(500));
    let unsaid = paid(json!({ "resultCode": "PartiallyAuthorised", "pspReference": PSP }));
    insta::assert_debug_snapshot!(unsaid, @"
    Unknown(
        UnreadableAnswer,
    )
    ");
}

/// Accounts may receive the scheme's advice without the issuer's code.
#[test]
fn advice_that_comes_alone_is_heard() {
    let told = paid(json!({
        "resultCode": "Refused", "pspReference": PSP, "refusalReasonCode": "2",
        "additionalData": { "merchantAdviceCode": "03 : Do not try again" },
    }));
    let Outcome::Declined(decline) = told else {
        panic!("{told:?}");
    };
    assert!(decline.forbids_the_card());
    assert_eq!(decline.issuer.expect("its advice").code, "");
}

#[test]
fn a_payment_that_was_refused() {
    let told = paid(json!({
        "resultCode": "Refused", "pspReference": PSP, "refusalReason": "Not enough balance",
        "refusalReasonCode": "12",
        "additionalData": {
            "refusalReasonRaw": "51 : Insufficient funds", "merchantAdviceCode": "02 : Try again later",
        },
    }));
    insta::assert_debug_snapshot!(told, @r#"
    Declined(
        Decline {
            code: "12",
            message: "Not enough balance",
            reason: None,
            in_authentication: false,
            authorization_gone: false,
            takes_back: false,
            category: Some(
                InsufficientFunds,
            ),
            issuer: Some(
                IssuerWords {
                    code: "51",
                    message: "Insufficient funds",
                    advice_code: Some(
                        "02",
                    ),
                    advice_message: Some(
                        "Try again later",
                    ),
                    unread: UnreadMembers(0),
                },
            ),
            checks: None,
            advice: None,
            remarks: None,
            unread: UnreadMembers(0),
        },
    )
    "#);
}

#[test]
fn a_payer_who_did_not_authenticate() {
    let in_authentication = |body: Value| {
        let told = paid(body);
        let Outcome::Declined(decline) = told else {
            panic!("{told:?}")
        };
        (decline.code, decline.in_authentication)
    };
    let refused = json!({ "resultCode": "Refused", "refusalReason": "3D Not Authenticated" });
    assert_eq!(in_authentication(refused), ("11".to_owned(), true));
    let gone = json!({ "resultCode": "Cancelled" });
    assert_eq!(in_authentication(gone), ("16".to_owned(), true));
    let required = json!({ "resultCode": "Refused", "refusalReasonCode": "38" });
    assert_eq!(in_authentication(required), ("38".to_owned(), false));
}

#[test]
fn a_payer_who_has_to_visit_a_page() {
    let action = |action: Value| {
        paid(json!({ "resultCode": "RedirectShopper", "pspReference": PSP, "action": action }))
    };
    let url = "https://checkoutshopper-test.adyen.com/checkoutshopper/threeDS/redirect?MD=1";
    insta::assert_debug_snapshot!(action(json!({ "type": "redirect", "method": "GET", "url": url })), @r#"
    CustomerMustAct {
        reference: Some(
            "NC6HT9CRT65ZGN82",
        ),
        step: PayerStep {
            kind: Page {
                url: "https://checkoutshopper-test.adyen.com/checkoutshopper/threeDS/redirect?MD=1",
            },
            expires_at: None,
        },
    }
    "#);
    let posted = action(json!({ "type": "redirect", "method": "POST", "url": url }));
    insta::assert_debug_snapshot!(posted, @r#"
    Declined(
        Decline {
            code: "action_not_offered",
            message: "The processor wants an authentication that can't be offered: redirect POST",
            reason: None,
            in_authentication: true,
            authorization_gone: false,
            takes_back: false,
            category: Some(
                ThreeDsConfigurationIssue,
            ),
            issuer: None,
            checks: None,
            advice: None,
            remarks: None,
            unread: UnreadMembers(0),
        },
    )
    "#);
    let native = paid(json!({ "resultCode": "IdentifyShopper", "pspReference": PSP }));
    assert!(matches!(native, Outcome::Declined(decline) if decline.in_authentication));
}

#[test]
fn an_answer_without_what_its_word_promises_is_unreadable() {
    let unreadable = [
        json!({ "resultCode": "Authorised" }),
        json!({ "resultCode": "Authorised", "pspReference": PSP, "merchantReference": "mrk_other" }),
        json!({ "resultCode": "Authorised", "pspReference": PSP, "amount": { "currency": "CLP", "value": 1 } }),
        json!({ "resultCode": "RedirectShopper" }),
        json!({ "resultCode": "RedirectShopper", "action": { "type": "redirect" } }),
        json!({ "resultCode": "AuthenticationFinished" }),
        json!({ "resultCode": "Astonished" }),
        json!({ "pspReference": PSP }),
        json!("Authorised"),
    ];
    let expected = Outcome::Unknown(multirail_sdk::connector::UnknownReason::UnreadableAnswer);
    for body in unreadable {
        assert_eq!(paid(body.clone()), expected, "{body}");
    }
}

#[test]
fn a_payers_result_has_to_name_this_payment() {
    let body = |reference: Option<&str>, psp: &str| json!({ "resultCode": "Authorised", "pspReference": psp, "merchantReference": reference });
    let found = |reference, psp, status| {
        let finding = map::details(KEY, Some(PSP), answer(status, body(reference, psp)));
        matches!(finding, Finding::Outcome(Outcome::Done(_)))
    };
    assert!(found(Some(KEY), PSP, 200));
    assert!(found(Some(KEY), "another attempt's", 200));
    assert!(found(None, PSP, 200));
    assert!(!found(None, "another payment's", 200));
    assert!(
        !found(Some("mrk_other"), PSP, 200),
        "paid for something cheaper"
    );
    assert!(!found(Some(KEY), PSP, 404));
    let invalid = json!({ "status": 422, "errorCode": "101", "message": "Invalid", "errorType": "validation" });
    let finding = map::details(KEY, None, answer(422, invalid));
    insta::assert_debug_snapshot!(finding, @"
    Outcome(
        Unknown(
            UnreadableAnswer,
        ),
    )
    ");
}

#[test]
fn a_change_of_a_payment_is_received_and_no_more() {
    let received = |reference: &str, payment: &str, status: &str| {
        let body = json!({
            "merchantAccount": "BookshopNL", "paymentPspReference": payment, "pspReference": "VBGM9HXJS8FVHHT6",
            "reference": reference, "status": status, "amount": { "currency": "EUR", "value": 6540 },
        });
        map::modification(KEY, Some(PSP), answer(201, body))
    };
    insta::assert_debug_snapshot!(received(KEY, PSP, "received"), @r#"
    Pending {
        reference: Some(
            "VBGM9HXJS8FVHHT6",
        ),
    }
    "#);
    for other in [
        received("mrk_other", PSP, "received"),
        received(KEY, "another payment's", "received"),
        received(KEY, PSP, "captured"),
    ] {
        assert!(matches!(other, Outcome::Unknown(_)), "{other:?}");
    }
}

/// Every account receives Adyen's numbers; only some receive the acquirer's letters.
#[test]
fn issuer_checks_are_read_in_both_forms() {
    let found = |additional: Value| {
        let told = paid(json!({
            "resultCode": "Authorised", "pspReference": PSP, "merchantReference": KEY, "additionalData": additional,
        }));
        let Outcome::Done(approval) = told else {
            panic!("{told:?}")
        };
        approval
            .checks
            .map(|checks| (checks.address, checks.card_code))
    };
    let letters = |address: Option<&str>, code: Option<&str>| {
        Some((address.map(str::to_owned), code.map(str::to_owned)))
    };
    for (additional, expected) in [
        (
            json!({"avsResult": "7 Both postal code and address match", "cvcResult": "1 Matches"}),
            letters(Some("Y"), Some("M")),
        ),
        (
            json!({"avsResult": "2 Neither postal code nor address match", "cvcResult": "2 Doesn't match"}),
            letters(Some("N"), Some("N")),
        ),
        (
            json!({"avsResult": "4 AVS not supported for this card type", "cvcResult": "3 Not checked"}),
            letters(Some("S"), Some("P")),
        ),
        (
            json!({"avsResult": "6 Postal code matches, but the address does not match"}),
            letters(Some("Z"), None),
        ),
        (
            json!({"avsResult": "3 AVS unavailable"}),
            letters(Some("R"), None),
        ),
        (
            json!({"avsResult": "9 Address matches, postal code unknown"}),
            letters(Some("B"), None),
        ),
        (
            json!({"avsResult": "12 Address matches, postal code not checked"}),
            letters(Some("B"), None),
        ),
        (
            json!({"avsResult": "14 Postal code matches, address unknown"}),
            letters(Some("P"), None),
        ),
        (
            json!({"avsResult": "15 Postal code matches, address not checked"}),
            letters(Some("P"), None),
        ),
        (
            json!({"avsResult": "7", "cvcResult": "1", "avsResultRaw": "A", "cvcResultRaw": "N"}),
            letters(Some("A"), Some("N")),
        ),
        (json!({"avsResult": "99 ?", "cvcResult": ""}), None),
        (json!({}), None),
    ] {
        assert_eq!(found(additional.clone()), expected, "{additional}");
    }
}
