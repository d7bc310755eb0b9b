//! Tests of evidence: its assignment to members.

use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::evidence::{EvidenceItem, EvidenceText};

use super::super::evidence::{check, texts};

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
    let longest = text(EvidenceItem::UncategorizedText, &"é".repeat(500));
    assert!(texts(std::slice::from_ref(&longest)).is_ok());
    let sizes = |items: &[EvidenceItem], size| {
        let files: Vec<_> = items.iter().map(|item| (*item, size)).collect();
        check(files.into_iter())
    };
    let apart = [EvidenceItem::RefundPolicy, EvidenceItem::Receipt];
    assert_eq!(sizes(&apart, 4_000_000), Ok(()));
    let meeting = [EvidenceItem::RefundPolicy, EvidenceItem::CancellationPolicy];
    let lines = [
        texts(&[longest, text(EvidenceItem::CustomerName, "A")]).map(|_| ()),
        sizes(&meeting, 1),
        sizes(&apart[1..], 4_000_001),
    ]
    .map(|refused| refused.expect_err("no place").to_string());
    insta::assert_snapshot!(lines.join("\n"), @"
    customer_name (a text that makes additional_evidence_text longer than 500 characters)
    cancellation_policy (a file beside refund_policy, whose place it would take)
    receipt (a file of more than 4000000 bytes)
    ");
}
