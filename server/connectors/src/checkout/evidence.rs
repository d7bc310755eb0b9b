//! Converts a merchant's evidence to Checkout.com's members. Each accepts one file and one short
//! text.

use std::collections::BTreeMap;

use multirail_sdk::connector::{Approval, DisputeAt, EvidenceInFull, FileInFull, NoPlace, Outcome};
use multirail_sdk::evidence::{EvidenceItem, EvidenceText};
use tokio::time::Instant;

use super::disputes::{DISPUTES, done};
use super::generated::wire::{DisputeStatus, Evidence, Uploaded};
use super::{Account, Checkout, errors};
use crate::client::Answer;
use crate::outcome::of_operation;
use crate::steps::{evidence_file, last_step, made, step};
use crate::wire::{Body, WireRequest, path};

/// The maximum length of a text, in characters.
const LONGEST_TEXT: usize = 500;
/// The maximum size of a file in bytes: 4 MB.
const LARGEST_FILE: i64 = 4_000_000;
/// The path segment for evidence and its submission.
const EVIDENCE: &str = "evidence";

/// Returns the member for an item.
fn place_of(item: EvidenceItem) -> &'static str {
    match item {
        EvidenceItem::Receipt => "invoice_or_receipt",
        EvidenceItem::InvoiceShowingDistinctTransactions => "invoice_showing_distinct_transactions",
        EvidenceItem::RecurringTransactionAgreement => "recurring_transaction_agreement",
        EvidenceItem::CustomerCommunication => "customer_communication",
        EvidenceItem::CancellationPolicy
        | EvidenceItem::CancellationPolicyDisclosure
        | EvidenceItem::CancellationRebuttal
        | EvidenceItem::RefundPolicy
        | EvidenceItem::RefundPolicyDisclosure
        | EvidenceItem::RefundRefusalExplanation => "refund_or_cancellation_policy",
        EvidenceItem::AccessActivityLog
        | EvidenceItem::ServiceDocumentation
        | EvidenceItem::ShippingAddress
        | EvidenceItem::ShippingCarrier
        | EvidenceItem::ShippingDocumentation
        | EvidenceItem::ShippingTrackingNumber => "proof_of_delivery_or_service",
        EvidenceItem::ServiceDate | EvidenceItem::ShippingDate => {
            "proof_of_delivery_or_service_date"
        }
        EvidenceItem::BillingAddress
        | EvidenceItem::CustomerEmailAddress
        | EvidenceItem::CustomerName
        | EvidenceItem::CustomerPurchaseIp
        | EvidenceItem::CustomerSignature
        | EvidenceItem::ProductDescription
        | EvidenceItem::UncategorizedFile
        | EvidenceItem::UncategorizedText => "additional_evidence",
    }
}

/// Returns the texts by member. Texts that share a member are joined, each with its name.
///
/// # Errors
/// The first text that makes a member too long.
pub fn texts(given: &[EvidenceText]) -> Result<BTreeMap<&'static str, String>, NoPlace> {
    let mut placed: BTreeMap<&'static str, String> = BTreeMap::new();
    for EvidenceText { item, text, .. } in given {
        let place = placed.entry(place_of(*item)).or_default();
        if !place.is_empty() {
            place.push('\n');
        }
        if *item != EvidenceItem::UncategorizedText {
            place.push_str(&format!("{item}: "));
        }
        place.push_str(text);
        if place.chars().count() > LONGEST_TEXT {
            let why = format!(
                "a text that makes {}_text longer than {LONGEST_TEXT} characters",
                place_of(*item)
            );
            return Err(NoPlace { item: *item, why });
        }
    }
    Ok(placed)
}

/// Checks that each file has its own member, given items and sizes.
///
/// # Errors
/// The first file that is too large or whose member is already taken.
pub fn check_files(given: impl Iterator<Item = (EvidenceItem, i64)>) -> Result<(), NoPlace> {
    let mut placed: BTreeMap<&'static str, EvidenceItem> = BTreeMap::new();
    for (item, bytes) in given {
        if bytes > LARGEST_FILE {
            let why = format!("a file of more than {LARGEST_FILE} bytes");
            return Err(NoPlace { item, why });
        }
        if let Some(other) = placed.insert(place_of(item), item) {
            let why = format!("a file beside {other}, whose place it would take");
            return Err(NoPlace { item, why });
        }
    }
    Ok(())
}

impl Checkout {
    /// Uploads the files one by one, assigns them with the texts in a second request, and submits
    /// everything in a last one. These requests need no key: assigning and submitting twice has the
    /// same result as once.
    pub(super) async fn challenge(
        &self,
        account: &Account<'_>,
        dispute: &DisputeAt,
        evidence: EvidenceInFull,
    ) -> Outcome {
        let end = Instant::now() + self.client.deadline();
        let texts = match texts(&evidence.texts) {
            Ok(texts) => texts.into_iter(),
            Err(no_place) => return Outcome::never_happened(no_place),
        };
        let files = evidence.files.iter();
        if let Err(no_place) = check_files(files.map(|file| (file.item, file.size()))) {
            return Outcome::never_happened(no_place);
        }
        let texts = texts.map(|(place, text)| (format!("{place}_text").into(), text.into()));
        let mut places: Evidence<'_> = texts.collect();
        for file in evidence.files {
            let place = format!("{}_file", place_of(file.item));
            let sent = self.upload(account, file);
            match step(end, &format!("{place} went up"), sent).await {
                Ok(id) => places.insert(place.into(), id.into()),
                Err(outcome) => return outcome,
            };
        }
        let segments = [DISPUTES, dispute.reference.as_str(), EVIDENCE];
        let put = async {
            let request = WireRequest::put(path(&segments), Body::json(&places));
            match put(self.send(account, request).await) {
                Outcome::Done(_) => Ok(()),
                other => Err(other),
            }
        };
        if let Err(outcome) = step(end, "the evidence arrived", put).await {
            return outcome;
        }
        let handed_in = async {
            let request = WireRequest::post(path(&segments), Body::Empty);
            handed_in(self.send(account, request).await)
        };
        last_step(end, handed_in).await
    }

    async fn upload(&self, account: &Account<'_>, file: FileInFull) -> Result<String, Outcome> {
        let request = WireRequest::post(path(&["files"]), evidence_file(file).await);
        made(uploaded(self.send(account, request).await))
    }
}

/// Reads the answer to an upload.
pub fn uploaded(answer: Answer) -> Outcome {
    of_operation(answer, |answer| {
        if answer.status >= 300 {
            return errors::refusal(answer);
        }
        let Uploaded { id } = answer.json()?;
        Some(Outcome::Done(Approval {
            reference: Some(id),
            ..Approval::default()
        }))
    })
}

/// Reads the answer to the assignment of evidence.
pub fn put(answer: Answer) -> Outcome {
    done(answer, None)
}

/// Reads the answer to the submission.
pub fn handed_in(answer: Answer) -> Outcome {
    done(answer, Some(DisputeStatus::EvidenceUnderReview))
}
