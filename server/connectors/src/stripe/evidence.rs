//! Maps evidence to Stripe's names. Most of our names are Stripe's.

use multirail_sdk::connector::{EvidenceInFull, FileInFull, NoPlace};
use multirail_sdk::evidence::EvidenceItem;

/// Returns Stripe's name of an item, or `None` if it has none.
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

/// Stripe's member for a file without a name of its own.
const REST: &str = "uncategorized_file";

/// Texts and files by Stripe's names.
#[derive(Debug)]
pub struct LaidOut {
    pub texts: Vec<(&'static str, String)>,
    pub files: Vec<(&'static str, FileInFull)>,
}

/// Checks that each file has its own member at Stripe.
///
/// # Errors
/// The first file whose member is already taken.
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

/// Assigns texts and files to Stripe's members.
///
/// # Errors
/// As in [`check`].
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
