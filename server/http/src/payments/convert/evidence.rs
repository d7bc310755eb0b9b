//! Evidence against disputes, wire to domain and back.

use std::collections::BTreeMap;

use multirail_api::ApiError;
use multirail_domain::payments::dispute::{Dispute, EvidenceItem};
use multirail_types as types;

use crate::platform::convert::words::{ToDomain, ToWire};

/// Reads the dispute's id and the items of a request. The items have the domain's names.
pub fn given(request: types::DisputeChallengeRequest) -> (String, BTreeMap<EvidenceItem, String>) {
    let types::DisputeChallengeRequest {
        dispute_id,
        access_activity_log,
        billing_address,
        cancellation_policy,
        cancellation_policy_disclosure,
        cancellation_rebuttal,
        customer_communication,
        customer_email_address,
        customer_name,
        customer_purchase_ip,
        customer_signature,
        product_description,
        receipt,
        refund_policy,
        refund_policy_disclosure,
        refund_refusal_explanation,
        service_date,
        service_documentation,
        shipping_address,
        shipping_carrier,
        shipping_date,
        shipping_documentation,
        shipping_tracking_number,
        invoice_showing_distinct_transactions,
        recurring_transaction_agreement,
        uncategorized_file,
        uncategorized_text,
    } = request;
    let items = [
        (EvidenceItem::AccessActivityLog, access_activity_log),
        (EvidenceItem::BillingAddress, billing_address),
        (EvidenceItem::CancellationPolicy, cancellation_policy),
        (
            EvidenceItem::CancellationPolicyDisclosure,
            cancellation_policy_disclosure,
        ),
        (EvidenceItem::CancellationRebuttal, cancellation_rebuttal),
        (EvidenceItem::CustomerCommunication, customer_communication),
        (EvidenceItem::CustomerEmailAddress, customer_email_address),
        (EvidenceItem::CustomerName, customer_name),
        (EvidenceItem::CustomerPurchaseIp, customer_purchase_ip),
        (EvidenceItem::CustomerSignature, customer_signature),
        (EvidenceItem::ProductDescription, product_description),
        (EvidenceItem::Receipt, receipt),
        (EvidenceItem::RefundPolicy, refund_policy),
        (
            EvidenceItem::RefundPolicyDisclosure,
            refund_policy_disclosure,
        ),
        (
            EvidenceItem::RefundRefusalExplanation,
            refund_refusal_explanation,
        ),
        (EvidenceItem::ServiceDate, service_date),
        (EvidenceItem::ServiceDocumentation, service_documentation),
        (EvidenceItem::ShippingAddress, shipping_address),
        (EvidenceItem::ShippingCarrier, shipping_carrier),
        (EvidenceItem::ShippingDate, shipping_date),
        (EvidenceItem::ShippingDocumentation, shipping_documentation),
        (
            EvidenceItem::ShippingTrackingNumber,
            shipping_tracking_number,
        ),
        (
            EvidenceItem::InvoiceShowingDistinctTransactions,
            invoice_showing_distinct_transactions,
        ),
        (
            EvidenceItem::RecurringTransactionAgreement,
            recurring_transaction_agreement,
        ),
        (EvidenceItem::UncategorizedFile, uncategorized_file),
        (EvidenceItem::UncategorizedText, uncategorized_text),
    ];
    let given = items
        .into_iter()
        .filter_map(|(item, text)| Some((item, text?)));
    (dispute_id, given.collect())
}

/// Returns the item with this name.
///
/// # Errors
/// A word that the document lacks; the frame refuses it first.
pub fn item(word: &types::EvidenceType) -> Result<EvidenceItem, ApiError> {
    let item = word.to_domain();
    item.ok_or_else(|| ApiError::internal("an item of evidence that isn't in the document"))
}

/// Returns the evidence so far.
pub fn answer(dispute: &Dispute) -> types::DisputeEvidence {
    let evidence = &dispute.evidence;
    let name = |item: EvidenceItem| item.to_wire();
    let texts = evidence.texts.iter().map(|one| types::DisputeEvidenceText {
        evidence_type: name(one.item),
        text: one.text.clone(),
    });
    let files = evidence
        .files
        .iter()
        .map(|file| types::DisputeEvidenceFile {
            evidence_type: name(file.item),
            file_id: file.file_id.to_string(),
            content_type: file.file_type.as_str().to_owned(),
            size: file.bytes,
            attached_at: file.attached_at.to_datetime(),
        });
    types::DisputeEvidence {
        dispute_id: dispute.dispute_id.to_string(),
        texts: texts.collect(),
        files: files.collect(),
    }
}
