//! Tests of dispute actions and dispute events.

use multirail_sdk::connector::News;
use serde_json::{Value, json};

use super::super::disputes;
use super::notices::{SECRET, item, read, signed};
use crate::client::TransportError;
use crate::fixture::in_short;
use crate::wire::WireAnswer;

fn answered(status: u16, body: &Value) -> String {
    in_short(&disputes::answered(Ok(WireAnswer {
        status,
        headers: http::HeaderMap::new(),
        body: body.to_string().into_bytes(),
    })))
}

#[test]
fn giving_in_is_done_when_the_result_says_so_and_not_when_the_status_does() {
    let refused = json!({ "success": false, "errorMessage": "Dispute is not open" });
    let error = json!({ "status": 422, "errorCode": "176", "message": "Unknown dispute", "errorType": "validation" });
    let role = json!({ "status": 403, "errorCode": "010", "message": "Not allowed", "errorType": "security" });
    let lines = [
        answered(200, &json!({ "disputeServiceResult": { "success": true } })),
        answered(200, &json!({ "disputeServiceResult": refused })),
        answered(
            200,
            &json!({ "disputeServiceResult": { "success": false } }),
        ),
        answered(200, &json!({})),
        answered(422, &error),
        answered(403, &role),
        answered(500, &json!({})),
        in_short(&disputes::answered(Err(TransportError::TimedOut))),
    ];
    insta::assert_snapshot!(lines.join("\n"), @"
    done - - - -
    declined dispute_not_accepted | Dispute is not open | - | operation_not_allowed
    declined dispute_not_accepted | Adyen gives no reason in words | - | operation_not_allowed
    unknown: unreadable_answer
    declined 176 | Unknown dispute | - | integration_issue
    declined credentials_refused | the processor refuses the credentials of this account (403) | 010: Not allowed | invalid_credentials
    unknown: processor_error
    unknown: timeout
    ");
}

#[test]
fn the_end_of_the_defense_period_says_whether_the_merchant_gave_in() {
    let told = |event: &str, word: Value| {
        let mut item = signed(item(event, "true"), SECRET);
        item["additionalData"]["disputeStatus"] = word;
        let mut notices = read(&[item]).expect("it is signed");
        match notices.remove(0).news {
            News::Dispute(dispute) => format!("{} {}", dispute.stage, dispute.status),
            other => panic!("{other:?}"),
        }
    };
    let lines = [
        told("DISPUTE_DEFENSE_PERIOD_ENDED", "Accepted".into()),
        told("DISPUTE_DEFENSE_PERIOD_ENDED", "Expired".into()),
        told("DISPUTE_DEFENSE_PERIOD_ENDED", Value::Null),
        // The text is unsigned, so the event's meaning stands.
        told("CHARGEBACK", "Accepted".into()),
        told("CHARGEBACK_REVERSED", "Accepted".into()),
    ];
    insta::assert_snapshot!(lines.join("\n"), @"
    dispute dispute_accepted
    dispute dispute_expired
    dispute dispute_expired
    dispute dispute_opened
    dispute dispute_won
    ");
}

#[test]
fn a_defense_is_of_a_chargeback_or_of_an_inquiry() {
    let told = |event: &str, reasons: &[&str]| {
        let mut item = signed(item(event, "true"), SECRET);
        let words = item["additionalData"].as_object_mut().expect("an object");
        words.remove("chargebackReasonCode");
        for reason in reasons {
            words.insert((*reason).to_owned(), "10.4".into());
        }
        let mut notices = read(&[item]).expect("it is signed");
        match notices.remove(0).news {
            News::Dispute(dispute) => format!("{event}: {} {}", dispute.stage, dispute.status),
            other => panic!("{other:?}"),
        }
    };
    let lines = [
        told("INFORMATION_SUPPLIED", &[]),
        told("INFORMATION_SUPPLIED", &["chargebackReasonCode"]),
        told("INFORMATION_SUPPLIED", &["rfiReasonCode"]),
        told(
            "INFORMATION_SUPPLIED",
            &["rfiReasonCode", "chargebackReasonCode"],
        ),
        told("CHARGEBACK", &["rfiReasonCode"]),
        told("PREARBITRATION_OPEN", &[]),
        told("PREARBITRATION_ISSUER_WITHDRAWN", &[]),
        told("SCHEME_ARBITRATION_LOST", &[]),
        told("SCHEME_ARBITRATION_WON", &[]),
        told("NOTIFICATION_OF_FRAUD", &[]),
    ];
    insta::assert_snapshot!(lines.join("\n"), @"
    INFORMATION_SUPPLIED: dispute dispute_challenged
    INFORMATION_SUPPLIED: dispute dispute_challenged
    INFORMATION_SUPPLIED: pre_dispute dispute_challenged
    INFORMATION_SUPPLIED: dispute dispute_challenged
    CHARGEBACK: dispute dispute_opened
    PREARBITRATION_OPEN: pre_arbitration dispute_opened
    PREARBITRATION_ISSUER_WITHDRAWN: pre_arbitration dispute_cancelled
    SCHEME_ARBITRATION_LOST: arbitration dispute_lost
    SCHEME_ARBITRATION_WON: arbitration dispute_won
    NOTIFICATION_OF_FRAUD: pre_dispute dispute_opened
    ");
}

/// The issuer may give up after its second chargeback.
#[test]
fn a_pre_arbitration_that_is_won_comes_after_the_second_chargeback() {
    let told = |event: &str| {
        let mut notices = read(&[signed(item(event, "true"), SECRET)]).expect("it is signed");
        match notices.remove(0).news {
            News::Dispute(dispute) => (dispute.stage, dispute.rank),
            other => panic!("{other:?}"),
        }
    };
    let (lost_in, lost) = told("SECOND_CHARGEBACK");
    let (won_in, won) = told("PREARBITRATION_WON");
    assert_eq!(won_in, lost_in);
    // Ranks are stored.
    assert_eq!((lost, won), (11, 16));
}
