//! Tests of answers.

use multirail_kernel::currency::Currency;
use multirail_kernel::money::Money;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{Access, LookUpRequest, OperationKind, Outcome};
use serde_json::{Value, json};

use super::super::generated::wire::{Action, Payment, Payments};
use super::super::map;
use super::{PAYMENT, REFERENCE, key};
use crate::client::Answer;
use crate::fixture::{answer, answer_with, finding_in_short, in_short};
use crate::outcome::learned;

/// Returns the JSON of a payment of 65.40 dollars, with `changes` applied.
fn payment(changes: Value) -> Value {
    let mut whole = json!({
        "id": PAYMENT, "action_id": "act_1", "amount": 6540, "currency": "USD", "approved": true,
        "status": "Authorized", "reference": REFERENCE, "response_code": "10000",
        "response_summary": "Approved", "_links": {},
    });
    let changes = changes.as_object().expect("an object").clone();
    whole.as_object_mut().expect("an object").extend(changes);
    whole
}

fn paid(answer: Answer) -> String {
    in_short(&map::paid(&key(), answer))
}

#[test]
fn payment_states() {
    let page = json!({ "redirect": { "href": "https://pages.example/3ds" } });
    let declined = json!({ "status": "Declined", "approved": false, "response_code": "20051",
        "response_summary": "Insufficient Funds", "source": { "cvv_check": "N" },
        "processing": { "partner_response_code": "51", "partner_merchant_advice_code": "02" } });
    // In a look-up the authorization contains the reason.
    let later = json!({ "status": "Declined", "approved": false, "response_code": null,
        "response_summary": null, "actions": [
            { "type": "Void", "response_code": "10000" },
            { "type": "Authorization", "response_code": "20151", "response_summary": "Cardholder failed 3DS" }] });
    let rows = [
        json!({}),
        json!({ "scheme_id": "638284745624527", "source": { "avs_check": "G", "cvv_check": "Y" } }),
        json!({ "source": { "avs_check": " ", "cvv_check": "" } }),
        json!({ "amount": 5000, "response_code": "10010" }),
        json!({ "status": "Card Verified", "amount": 0 }),
        json!({ "status": "Captured" }),
        json!({ "status": "Partially Refunded" }),
        json!({ "currency": "ISK", "amount": 65 }),
        json!({ "currency": "CLP", "amount": 6540 }),
        json!({ "status": "Pending", "_links": page }),
        json!({ "status": "Pending" }),
        json!({ "status": "Pending", "_links": null, "actions": null, "source": null }),
        declined,
        later,
        json!({ "status": "Declined", "response_code": null, "response_summary": null }),
        json!({ "status": "Declined", "response_code": "40101", "response_summary": "Risk blocked" }),
        json!({ "status": "Voided" }),
        json!({ "status": "Canceled" }),
        json!({ "status": "Expired" }),
        json!({ "status": "Of a later time" }),
        json!({ "reference": "another" }),
        json!({ "reference": null }),
    ];
    let lines = rows.map(|row| {
        let told = paid(answer(201, payment(row.clone())));
        format!("{row}\n  {told}")
    });
    insta::assert_snapshot!(lines.join("\n"), @r#"
    {}
      done pay_y3oqhf46pyzuxjbcn2giaqnb44 6540 USD -
    {"scheme_id":"638284745624527","source":{"avs_check":"G","cvv_check":"Y"}}
      done pay_y3oqhf46pyzuxjbcn2giaqnb44 6540 USD 638284745624527 | address G code M
    {"source":{"avs_check":" ","cvv_check":""}}
      done pay_y3oqhf46pyzuxjbcn2giaqnb44 6540 USD -
    {"amount":5000,"response_code":"10010"}
      done pay_y3oqhf46pyzuxjbcn2giaqnb44 5000 USD -
    {"status":"Card Verified","amount":0}
      done pay_y3oqhf46pyzuxjbcn2giaqnb44 0 USD -
    {"status":"Captured"}
      done pay_y3oqhf46pyzuxjbcn2giaqnb44 6540 USD -
    {"status":"Partially Refunded"}
      done pay_y3oqhf46pyzuxjbcn2giaqnb44 6540 USD -
    {"currency":"ISK","amount":65}
      done pay_y3oqhf46pyzuxjbcn2giaqnb44 6500 ISK -
    {"currency":"CLP","amount":6540}
      unknown: unreadable_answer
    {"status":"Pending","_links":{"redirect":{"href":"https://pages.example/3ds"}}}
      customer must act pay_y3oqhf46pyzuxjbcn2giaqnb44 https://pages.example/3ds
    {"status":"Pending"}
      pending pay_y3oqhf46pyzuxjbcn2giaqnb44
    {"status":"Pending","_links":null,"actions":null,"source":null}
      pending pay_y3oqhf46pyzuxjbcn2giaqnb44
    {"status":"Declined","approved":false,"response_code":"20051","response_summary":"Insufficient Funds","source":{"cvv_check":"N"},"processing":{"partner_response_code":"51","partner_merchant_advice_code":"02"}}
      declined 20051 | Insufficient Funds | - | issuer 51 advice 02 - | insufficient_funds
    {"status":"Declined","approved":false,"response_code":null,"response_summary":null,"actions":[{"type":"Void","response_code":"10000"},{"type":"Authorization","response_code":"20151","response_summary":"Cardholder failed 3DS"}]}
      declined 20151 | Cardholder failed 3DS | - | authentication_failed | in authentication
    {"status":"Declined","response_code":null,"response_summary":null}
      declined declined | the processor gives no reason in words | -
    {"status":"Declined","response_code":"40101","response_summary":"Risk blocked"}
      declined 40101 | Risk blocked | - | psp_fraud_engine_decline
    {"status":"Voided"}
      declined voided | the payment is voided at the processor | - | invalid_state
    {"status":"Canceled"}
      declined canceled | the payment is canceled at the processor | - | invalid_state
    {"status":"Expired"}
      declined expired | the payment is expired at the processor | - | payment_session_timeout | authorization gone
    {"status":"Of a later time"}
      unknown: unreadable_answer
    {"reference":"another"}
      unknown: unreadable_answer
    {"reference":null}
      unknown: unreadable_answer
    "#);
}

#[test]
fn refused_requests() {
    let refused = |kind: &str, codes: Value| json!({ "request_id": "0HL80RJLS76I7", "error_type": kind, "error_codes": codes });
    let rows = [
        (
            422,
            refused("request_invalid", json!(["card_number_invalid"])),
        ),
        (
            422,
            refused("request_invalid", json!(["amount_invalid", "cvv_invalid"])),
        ),
        (
            422,
            refused("processing_error", json!(["business_settings_missing"])),
        ),
        (422, refused("processing_error", json!(["something_new"]))),
        (
            409,
            refused("request_invalid", json!(["payment_in_progress"])),
        ),
        (422, refused("request_invalid", json!([]))),
        (422, refused("request_invalid", json!(null))),
        (401, Value::Null),
        (403, Value::Null),
        (404, Value::Null),
        (429, Value::Null),
        (502, Value::Null),
    ];
    let lines = rows.map(|(status, body)| {
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        format!("{status} {body}\n  {}", paid(answer(status, &body)))
    });
    insta::assert_snapshot!(lines.join("\n"), @r#"
    422 {"request_id":"0HL80RJLS76I7","error_type":"request_invalid","error_codes":["card_number_invalid"]}
      declined card_number_invalid | the processor refuses the request: card_number_invalid | request_invalid | invalid_card_number
    422 {"request_id":"0HL80RJLS76I7","error_type":"request_invalid","error_codes":["amount_invalid","cvv_invalid"]}
      declined amount_invalid | the processor refuses the request: amount_invalid, cvv_invalid | request_invalid | invalid_cvv
    422 {"request_id":"0HL80RJLS76I7","error_type":"processing_error","error_codes":["business_settings_missing"]}
      declined business_settings_missing | the processor refuses the request: business_settings_missing | processing_error | configuration_issue
    422 {"request_id":"0HL80RJLS76I7","error_type":"processing_error","error_codes":["something_new"]}
      unknown: processor_error
    409 {"request_id":"0HL80RJLS76I7","error_type":"request_invalid","error_codes":["payment_in_progress"]}
      unknown: processor_error
    422 {"request_id":"0HL80RJLS76I7","error_type":"request_invalid","error_codes":[]}
      declined request_invalid | the processor refuses the request | request_invalid | missing_or_invalid_param
    422 {"request_id":"0HL80RJLS76I7","error_type":"request_invalid","error_codes":null}
      declined request_invalid | the processor refuses the request | request_invalid | missing_or_invalid_param
    401 
      declined credentials_refused | the processor refuses the credentials of this account (401) | - | invalid_credentials
    403 
      declined credentials_refused | the processor refuses the credentials of this account (403) | - | invalid_credentials
    404 
      unknown: unreadable_answer
    429 
      never happened: the processor takes no more requests for now
    502 
      unknown: processor_error
    "#);
}

#[test]
fn a_change_is_accepted_before_it_is_done() {
    let told = |kind, answer| in_short(&map::accepted(kind, &key(), answer));
    let own: &[(&'static str, &'static str)] = &[("cko-request-id", "0HL80RJLS76I7")];
    let (capture, void) = (OperationKind::Capture, OperationKind::Void);
    let lines = [
        told(
            capture,
            answer(202, json!({ "action_id": "act_2", "reference": REFERENCE })),
        ),
        told(capture, answer(202, json!({ "action_id": "act_2" }))),
        told(
            capture,
            answer(202, json!({ "action_id": "act_2", "reference": "another" })),
        ),
        told(capture, answer(202, json!({}))),
        told(capture, answer_with(403, own, "")),
        // Not an answer of Checkout.com.
        told(capture, answer(403, "<html>")),
        told(capture, answer(404, "")),
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
    unknown: unreadable_answer
    done - - - -
    ");
}

#[test]
fn outcomes_of_changes_from_the_list_of_actions() {
    let action = |id: &str, kind: &str, changes: Value| {
        let mut whole = json!({ "id": id, "type": kind, "amount": 2000, "approved": true,
            "response_code": "10000", "response_summary": "Approved", "reference": "another" });
        let changes = changes.as_object().expect("an object").clone();
        whole.as_object_mut().expect("an object").extend(changes);
        whole
    };
    let ours = |changes: Value| {
        let mut changes = changes;
        changes["reference"] = json!(REFERENCE);
        changes
    };
    let refused = json!({ "approved": false, "response_code": "20109", "response_summary": "No" });
    let rows = [
        (
            "by our reference",
            "Capture",
            json!([action("act_2", "Capture", ours(json!({})))]),
            None,
        ),
        (
            "by its id",
            "Capture",
            json!([action("act_2", "Capture", json!({}))]),
            Some("act_2"),
        ),
        (
            "another's",
            "Capture",
            json!([action("act_2", "Capture", json!({}))]),
            None,
        ),
        (
            "of another kind",
            "Capture",
            json!([action("act_2", "Refund", ours(json!({})))]),
            None,
        ),
        ("not yet listed", "Capture", json!([]), Some("act_2")),
        (
            "not yet known",
            "Capture",
            json!([action(
                "act_2",
                "Capture",
                ours(json!({ "approved": null }))
            )]),
            None,
        ),
        (
            "refused",
            "Capture",
            json!([action("act_2", "Capture", ours(refused.clone()))]),
            None,
        ),
        (
            "a reversal that gave back",
            "Void",
            json!([action("act_2", "Refund", ours(json!({})))]),
            None,
        ),
        (
            "a reversal of two, one refused",
            "Void",
            json!([
                action("act_3", "Void", ours(json!({}))),
                action("act_2", "Refund", ours(refused))
            ]),
            None,
        ),
        (
            "a word of a later time",
            "Refund",
            json!([action("act_2", "Later", ours(json!({})))]),
            None,
        ),
    ];
    let lines = rows.map(|(name, kind, actions, reference)| {
        let actions: Vec<Action> = serde_json::from_value(actions).expect("actions");
        let sought = LookUpRequest {
            kind: kind.to_lowercase().parse().expect("a kind"),
            key: key(),
            access: Access::default(),
            authorization_key: key(),
            authorization_reference: Some(PAYMENT.to_owned()),
            reference: reference.map(str::to_owned),
            money: Money::new(2000, Currency::USD),
            started_at: Timestamp::EPOCH,
            returned_with: None,
        };
        let listed: Vec<_> = actions.into_iter().filter_map(map::listed).collect();
        let found = map::FORM.find(&sought, &listed);
        let found = found.unwrap_or_else(|| learned(None));
        format!("{name}: {}", finding_in_short(&found))
    });
    insta::assert_snapshot!(lines.join("\n"), @"
    by our reference: done act_2 2000 - -
    by its id: done act_2 2000 - -
    another's: absent: the payment has no capture with this reference
    of another kind: absent: the payment has no capture with this reference
    not yet listed: pending act_2
    not yet known: pending act_2
    refused: declined 20109 | No | - | invalid_state
    a reversal that gave back: done act_2 - - -
    a reversal of two, one refused: declined 20109 | No | - | invalid_state
    a word of a later time: absent: the payment has no refund with this reference
    ");
}

#[test]
fn a_payment_is_found_by_its_whole_reference() {
    let page = |references: &[&str]| -> Payments {
        let data = references.iter().enumerate();
        let data: Vec<Value> = data
            .map(|(index, reference)| json!({ "id": format!("pay_{index}"), "reference": reference }))
            .collect();
        serde_json::from_value(json!({ "total_count": data.len(), "data": data })).expect("a page")
    };
    let found = map::named(&key(), page(&["another", REFERENCE]));
    assert_eq!(found.as_deref(), Some("pay_1"));
    assert_eq!(map::named(&key(), page(&["another"])), None);
    assert_eq!(map::named(&key(), page(&[])), None);
}

/// Optional members may be missing.
#[test]
fn a_payment_needs_no_more_than_its_name_and_how_it_stands() {
    let bare = json!({ "id": PAYMENT, "status": "Authorized", "reference": REFERENCE });
    let bare: Payment = serde_json::from_value(bare).expect("a payment");
    let Some(Outcome::Done(approval)) = map::payment(&key(), bare) else {
        panic!("it is approved")
    };
    assert_eq!((approval.amount_minor, approval.currency), (None, None));
}
