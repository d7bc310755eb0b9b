//! Tests of evidence: its assignment to members, and Checkout.com's answers.

use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::evidence::{EvidenceItem, EvidenceText};

use super::super::disputes::done;
use super::super::evidence::{check, handed_in, texts, uploaded};
use crate::fixture::{answer, answer_with, in_short};

fn text(item: EvidenceItem, text: &str) -> EvidenceText {
    EvidenceText {
        item,
        text: text.to_owned(),
        unread: UnreadMembers::default(),
    }
}

#[test]
fn texts_that_share_a_place_stand_below_each_other() {
    let given = [
        text(EvidenceItem::ShippingCarrier, "Post"),
        text(EvidenceItem::UncategorizedText, "She praised both books."),
        text(EvidenceItem::ShippingTrackingNumber, "RR123456785NL"),
        text(EvidenceItem::CustomerName, "Ada Example"),
        text(EvidenceItem::ShippingDate, "2026-01-31"),
        text(EvidenceItem::RefundRefusalExplanation, "They were read."),
    ];
    insta::assert_debug_snapshot!(texts(&given), @r#"
    Ok(
        {
            "additional_evidence": "She praised both books.\ncustomer_name: Ada Example",
            "proof_of_delivery_or_service": "shipping_carrier: Post\nshipping_tracking_number: RR123456785NL",
            "proof_of_delivery_or_service_date": "shipping_date: 2026-01-31",
            "refund_or_cancellation_policy": "refund_refusal_explanation: They were read.",
        },
    )
    "#);
}

#[test]
fn oversized_and_conflicting_evidence_is_refused() {
    let longest = "é".repeat(500);
    let longest = text(EvidenceItem::UncategorizedText, &longest);
    assert!(texts(std::slice::from_ref(&longest)).is_ok());
    let meeting = [EvidenceItem::RefundPolicy, EvidenceItem::CancellationPolicy];
    let apart = [EvidenceItem::RefundPolicy, EvidenceItem::Receipt];
    assert_eq!(
        check(apart.map(|item| (item, 4_000_000)).into_iter()),
        Ok(())
    );
    let lines = [
        texts(&[longest, text(EvidenceItem::CustomerName, "A")]).map(|_| ()),
        check(meeting.map(|item| (item, 1)).into_iter()),
        check([(EvidenceItem::Receipt, 4_000_001)].into_iter()),
    ]
    .map(|refused| refused.expect_err("no place").to_string());
    insta::assert_snapshot!(lines.join("\n"), @"
    customer_name (a text that makes additional_evidence_text longer than 500 characters)
    cancellation_policy (a file beside refund_policy, whose place it would take)
    receipt (a file of more than 4000000 bytes)
    ");
}

#[test]
fn only_the_last_answer_says_that_the_evidence_is_judged() {
    let number = [("cko-request-id", "0HL80RJLS76I7")];
    let invalid =
        r#"{"request_id":"1","error_type":"request_invalid","error_codes":["file_not_found"]}"#;
    let sent = uploaded(answer(200, r#"{"id":"file_1"}"#));
    assert_eq!(sent, Ok("file_1".to_owned()));
    let refused = [answer(200, "{}"), answer(422, invalid)];
    let [unreadable, refused] = refused.map(|answer| uploaded(answer).expect_err("refused"));
    let lines = [
        unreadable,
        refused,
        done(answer(204, ""), None),
        done(answer(422, invalid), None),
        handed_in(answer(204, "")),
        handed_in(answer(200, "")),
        handed_in(answer_with(404, &number, "")),
        handed_in(answer(404, "")),
        handed_in(answer(502, "")),
    ]
    .map(|outcome| in_short(&outcome));
    insta::assert_snapshot!(lines.join("\n"), @"
    unknown: unreadable_answer
    declined file_not_found | the processor refuses the request: file_not_found | request_invalid | missing_or_invalid_param
    done - - - -
    declined file_not_found | the processor refuses the request: file_not_found | request_invalid | missing_or_invalid_param
    done - - - -
    unknown: unreadable_answer
    declined dispute_not_found | the processor knows no such dispute | - | invalid_state
    unknown: unreadable_answer
    unknown: processor_error
    ");
}
