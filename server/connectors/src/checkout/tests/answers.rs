//! Tests of answers.

use multirail_sdk::connector::OperationKind;
use serde_json::{Value, json};

use super::super::generated::wire::{Action, Payments};
use super::super::map;
use super::{PAYMENT, REFERENCE, key};
use crate::changes::State;
use crate::client::Answer;
use crate::fixture::{answer, answer_with, changed, in_short};

fn paid(answer: Answer) -> String {
    in_short(&map::paid(&key(), answer))
}

/// Summarizes the answer about a payment of 65.40 dollars, with these changes.
fn told(changes: &Value) -> String {
    let payment = json!({
        "id": PAYMENT, "action_id": "act_1", "amount": 6540, "currency": "USD", "approved": true,
        "status": "Authorized", "reference": REFERENCE, "response_code": "10000",
        "response_summary": "Approved", "_links": {},
    });
    let told = paid(answer(201, changed(payment, changes.clone())));
    format!("{changes}: {}", told.replace(PAYMENT, "pay"))
}

#[test]
fn payment_states() {
    // In a look-up the authorization contains the reason.
    let later = json!([{ "type": "Void", "response_code": "10000" },
        { "type": "Authorization", "response_code": "20151", "response_summary": "Failed 3DS" }]);
    let lines = [
        json!({ "scheme_id": "638284745624527", "source": { "avs_check": "G", "cvv_check": "Y" } }),
        json!({ "source": { "avs_check": " ", "cvv_check": "" } }),
        json!({ "amount": 5000, "response_code": "10010" }),
        json!({ "amount": null, "currency": null, "approved": null, "response_code": null }),
        json!({ "status": "Captured" }),
        json!({ "status": "Partially Refunded" }),
        json!({ "currency": "ISK", "amount": 65 }),
        json!({ "currency": "CLP", "amount": 6540 }),
        json!({ "status": "Pending", "_links": { "redirect": { "href": "https://pages.example/3ds" } } }),
        json!({ "status": "Pending", "_links": null, "actions": null, "source": null }),
        json!({ "status": "Declined", "response_code": "20051", "response_summary": "Insufficient Funds",
            "processing": { "partner_response_code": "51", "partner_merchant_advice_code": "02" } }),
        json!({ "status": "Declined", "response_code": null, "response_summary": null, "actions": later }),
        json!({ "status": "Declined", "response_code": null, "response_summary": null }),
        json!({ "status": "Declined", "response_code": "40101", "response_summary": "Risk blocked" }),
        json!({ "status": "Voided" }),
        json!({ "status": "Canceled" }),
        json!({ "status": "Expired" }),
        json!({ "status": "Of a later time" }),
        json!({ "reference": "another" }),
        json!({ "reference": null }),
    ];
    insta::assert_snapshot!(lines.each_ref().map(told).join("\n"), @r#"
    {"scheme_id":"638284745624527","source":{"avs_check":"G","cvv_check":"Y"}}: done pay 6540 USD 638284745624527 | address G code M
    {"source":{"avs_check":" ","cvv_check":""}}: done pay 6540 USD -
    {"amount":5000,"response_code":"10010"}: done pay 5000 USD -
    {"amount":null,"currency":null,"approved":null,"response_code":null}: done pay - - -
    {"status":"Captured"}: done pay 6540 USD -
    {"status":"Partially Refunded"}: done pay 6540 USD -
    {"currency":"ISK","amount":65}: done pay 6500 ISK -
    {"currency":"CLP","amount":6540}: unknown: unreadable_answer
    {"status":"Pending","_links":{"redirect":{"href":"https://pages.example/3ds"}}}: customer must act pay https://pages.example/3ds
    {"status":"Pending","_links":null,"actions":null,"source":null}: pending pay
    {"status":"Declined","response_code":"20051","response_summary":"Insufficient Funds","processing":{"partner_response_code":"51","partner_merchant_advice_code":"02"}}: declined 20051 | Insufficient Funds | - | issuer 51 advice 02 - | insufficient_funds
    {"status":"Declined","response_code":null,"response_summary":null,"actions":[{"type":"Void","response_code":"10000"},{"type":"Authorization","response_code":"20151","response_summary":"Failed 3DS"}]}: declined 20151 | Failed 3DS | - | authentication_failed | in authentication
    {"status":"Declined","response_code":null,"response_summary":null}: declined declined | the processor gives no reason in words | -
    {"status":"Declined","response_code":"40101","response_summary":"Risk blocked"}: declined 40101 | Risk blocked | - | psp_fraud_engine_decline
    {"status":"Voided"}: declined voided | the payment is voided at the processor | - | invalid_state
    {"status":"Canceled"}: declined canceled | the payment is canceled at the processor | - | invalid_state
    {"status":"Expired"}: declined expired | the payment is expired at the processor | - | payment_session_timeout | authorization gone
    {"status":"Of a later time"}: unknown: unreadable_answer
    {"reference":"another"}: unknown: unreadable_answer
    {"reference":null}: unknown: unreadable_answer
    "#);
}

#[test]
fn refused_requests() {
    let refused = |status: u16, kind: &str, codes: Value| {
        paid(answer(
            status,
            json!({ "request_id": "1", "error_type": kind, "error_codes": codes }),
        ))
    };
    let (invalid, failed) = ("request_invalid", "processing_error");
    let lines = [
        refused(422, invalid, json!(["card_number_invalid"])),
        refused(422, invalid, json!(["amount_invalid", "cvv_invalid"])),
        refused(422, failed, json!(["business_settings_missing"])),
        refused(422, failed, json!(["something_new"])),
        refused(409, invalid, json!(["payment_in_progress"])),
        refused(422, invalid, json!([])),
        refused(422, invalid, json!(null)),
    ];
    insta::assert_snapshot!(lines.join("\n"), @"
    declined card_number_invalid | the processor refuses the request: card_number_invalid | request_invalid | invalid_card_number
    declined amount_invalid | the processor refuses the request: amount_invalid, cvv_invalid | request_invalid | invalid_cvv
    declined business_settings_missing | the processor refuses the request: business_settings_missing | processing_error | configuration_issue
    unknown: processor_error
    unknown: processor_error
    declined request_invalid | the processor refuses the request | request_invalid | missing_or_invalid_param
    declined request_invalid | the processor refuses the request | request_invalid | missing_or_invalid_param
    ");
}

#[test]
fn a_change_is_accepted_before_it_is_done() {
    let told = |kind, answer| in_short(&map::accepted(kind, &key(), answer));
    let own: &[(&'static str, &'static str)] = &[("cko-request-id", "0HL80RJLS76I7")];
    let of = |reference: &str| json!({ "action_id": "act_2", "reference": reference });
    let (capture, void) = (OperationKind::Capture, OperationKind::Void);
    let lines = [
        told(capture, answer(202, of(REFERENCE))),
        told(capture, answer(202, json!({ "action_id": "act_2" }))),
        told(capture, answer(202, of("another"))),
        told(capture, answer(202, json!({}))),
        told(capture, answer_with(403, own, "")),
        // Not an answer of Checkout.com.
        told(capture, answer(403, "<html>")),
        told(capture, answer(204, "")),
        told(void, answer(204, "")),
    ];
    insta::assert_snapshot!(lines.join("\n"), @"
    pending act_2
    pending act_2
    unknown: unreadable_answer
    unknown: unreadable_answer
    declined capture_not_allowed | the processor allows no capture of this payment as it stands | 403, or the key may not do it | operation_not_allowed
    declined credentials_refused | the processor refuses the credentials of this account (403) | - | invalid_credentials
    unknown: unreadable_answer
    done - - - -
    ");
}

#[test]
fn actions_are_changes_of_a_payment() {
    let listed = |kind: &str, changes: Value| {
        let action = json!({ "id": "act_2", "type": kind, "amount": 2000, "approved": true,
            "response_code": "10000", "response_summary": "Approved", "reference": "ours" });
        let action: Action = serde_json::from_value(changed(action, changes)).expect("an action");
        map::listed(action).map_or("no change".to_owned(), |change| {
            let state = match change.state {
                State::Open => "open".to_owned(),
                State::Done => "done".to_owned(),
                State::Declined(decline) => format!("declined {}", decline.code),
            };
            let amount = change.amount.unwrap_or_default();
            let reference = change.reference.unwrap_or_default();
            format!(
                "{} {} of {amount}, {reference}: {state}",
                change.kind, change.id
            )
        })
    };
    let refused = json!({ "approved": false, "response_code": "20109", "response_summary": "No" });
    let lines = [
        listed("Capture", json!({})),
        listed("Refund", json!({ "approved": null })),
        listed("Void", refused),
        listed("Authorization", json!({})),
        listed("Of a later time", json!({})),
    ];
    insta::assert_snapshot!(lines.join("\n"), @"
    capture act_2 of 2000, ours: done
    refund act_2 of 2000, ours: open
    void act_2 of 2000, ours: declined 20109
    no change
    no change
    ");
}

#[test]
fn a_payment_is_found_by_its_whole_reference() {
    let named = |references: &[&str]| {
        let data = references.iter().enumerate();
        let data: Vec<Value> = data
            .map(|(place, reference)| json!({ "id": format!("pay_{place}"), "reference": reference }))
            .collect();
        let page = json!({ "total_count": data.len(), "data": data });
        let page: Payments = serde_json::from_value(page).expect("a page");
        map::named(&key(), page)
    };
    assert_eq!(named(&["another", REFERENCE]).as_deref(), Some("pay_1"));
    assert_eq!(named(&["another"]), None);
    assert_eq!(named(&[]), None);
}
