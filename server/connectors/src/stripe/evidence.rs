//! A merchant's evidence in Stripe's words. Most of ours are Stripe's own.

use multirail_sdk::connector::{EvidenceInFull, FileInFull, NoPlace};
use multirail_sdk::evidence::EvidenceItem;

/// What Stripe calls an item; nothing where it has no place of its own for it.
fn name_of(item: EvidenceItem) -> Option<&'static str> {
    match item {
        EvidenceItem::InvoiceShowingDistinctTransactions => Some("duplicate_charge_documentation"),
        EvidenceItem::RecurringTransactionAgreement => None,
        EvidenceItem::AccessActivityLog
        | EvidenceItem::BillingAddress
        | EvidenceItem::CancellationPolicy
        | EvidenceItem::CancellationPolicyDisclosure
        | EvidenceItem::CancellationRebuttal
        | EvidenceItem::CustomerCommunication
        | EvidenceItem::CustomerEmailAddress
        | EvidenceItem::CustomerName
        | EvidenceItem::CustomerPurchaseIp
        | EvidenceItem::CustomerSignature
        | EvidenceItem::ProductDescription
        | EvidenceItem::Receipt
        | EvidenceItem::RefundPolicy
        | EvidenceItem::RefundPolicyDisclosure
        | EvidenceItem::RefundRefusalExplanation
        | EvidenceItem::ServiceDate
        | EvidenceItem::ServiceDocumentation
        | EvidenceItem::ShippingAddress
        | EvidenceItem::ShippingCarrier
        | EvidenceItem::ShippingDate
        | EvidenceItem::ShippingDocumentation
        | EvidenceItem::ShippingTrackingNumber
        | EvidenceItem::UncategorizedFile
        | EvidenceItem::UncategorizedText => Some(item.as_str()),
    }
}

/// Where files go that have no place of their own.
const REST: &str = "uncategorized_file";

/// Texts and files, each with Stripe's name for it.
#[derive(Debug)]
pub struct LaidOut {
    pub texts: Vec<(&'static str, String)>,
    pub files: Vec<(&'static str, FileInFull)>,
}

/// Whether there is a place for each of these files.
///
/// # Errors
/// The first for whose place there is another one.
pub fn check(files: impl Iterator<Item = EvidenceItem>) -> Result<(), NoPlace> {
    let mut rest = files.filter(|item| name_of(*item).unwrap_or(REST) == REST);
    match (rest.next(), rest.next()) {
        (Some(first), Some(item)) => Err(NoPlace {
            item,
            why: format!("a file beside {first}, whose place it would take"),
        }),
        (Some(_) | None, _) => Ok(()),
    }
}

/// # Errors
/// As of [`check`].
pub fn lay_out(evidence: EvidenceInFull) -> Result<LaidOut, NoPlace> {
    check(evidence.files.iter().map(|file| file.item))?;
    let texts = evidence.texts.into_iter();
    let texts = texts.map(|text| {
        (
            name_of(text.item).unwrap_or("uncategorized_text"),
            text.text,
        )
    });
    let files = evidence.files.into_iter();
    let files = files.map(|file| (name_of(file.item).unwrap_or(REST), file));
    Ok(LaidOut {
        texts: texts.collect(),
        files: files.collect(),
    })
}
