//! Examples of disputes. Every struct is written out, so that a new member has to be shown here.

use multirail_domain::payments::dispute::{
    Dispute, DisputeAction, DisputeActionKind, DisputeStage, DisputeStatus, DisputedCharge,
    EvidenceFile, EvidenceItem, EvidenceText, FileType,
};
use multirail_domain::payments::payment::Progress;
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{DisputeId, FileId, PaymentId, ProcessorKey};
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::evidence::Evidence;

use super::payment::{EACH, account_id, merchant_id, moment, operation, profile_id};

/// The sealed texts of its evidence.
pub(super) fn texts() -> Vec<Evidence> {
    let known = Evidence {
        files: Vec::new(),
        ..evidence()
    };
    vec![known]
}

/// One that was just raised, and one after every possible action.
pub(in super::super) fn disputes() -> Vec<Dispute> {
    let fresh = dispute(DisputeStage::PreDispute, DisputeStatus::Opened);
    let full = Dispute {
        reason: Some("not received".to_owned()),
        reason_code: Some("13.1".to_owned()),
        challenge_required_by: Some(moment(900)),
        processor_created_at: Some(moment(0)),
        processor_updated_at: Some(moment(1)),
        actions: EACH.into_iter().map(action).collect(),
        evidence: evidence(),
        ..dispute(DisputeStage::Arbitration, DisputeStatus::Challenged)
    };
    vec![fresh, full]
}

fn dispute(stage: DisputeStage, status: DisputeStatus) -> Dispute {
    let is_full = stage == DisputeStage::Arbitration;
    Dispute {
        merchant_id: merchant_id(),
        dispute_id: DisputeId::parse("dp_example").expect("an id"),
        payment_id: PaymentId::parse("pay_example").expect("an id"),
        customer_id: None,
        profile_id: profile_id(),
        version: 3,
        stage,
        status,
        processor_status: "needs_response".to_owned(),
        rank: if is_full { 3 } else { 0 },
        amount: 4000,
        currency: Currency::USD,
        reason: None,
        reason_code: None,
        challenge_required_by: None,
        processor_created_at: None,
        processor_updated_at: None,
        charge: DisputedCharge {
            attempt: 1,
            connector: "stripe_test".to_owned(),
            merchant_connector_id: account_id(),
            authorization_key: ProcessorKey::parse("mrk_authorize").expect("a key"),
            authorization_reference: is_full.then(|| "ref-1".to_owned()),
            reference: "du_1".to_owned(),
            unread: UnreadMembers::default(),
        },
        actions: Vec::new(),
        evidence: Evidence::default(),
        created_at: moment(1),
        modified_at: moment(2),
        unread: UnreadMembers::default(),
    }
}

fn action(progress: Progress) -> DisputeAction {
    DisputeAction {
        kind: DisputeActionKind::Challenge,
        stage: DisputeStage::Arbitration,
        operation: operation("mrk_challenge", progress),
        unread: UnreadMembers::default(),
    }
}

fn evidence() -> Evidence {
    Evidence {
        texts: vec![EvidenceText {
            item: EvidenceItem::ShippingDate,
            text: "2026-01-02".to_owned(),
            unread: UnreadMembers::default(),
        }],
        files: vec![EvidenceFile {
            item: EvidenceItem::Receipt,
            file_id: FileId::parse("file_example").expect("an id"),
            file_type: FileType::Pdf,
            bytes: 1024,
            attached_at: moment(1),
            unread: UnreadMembers::default(),
        }],
        unread: UnreadMembers::default(),
    }
}
