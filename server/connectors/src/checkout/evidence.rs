//! Converts a merchant's evidence to Checkout.com's members. Each accepts one file and one short
//! text.

use std::collections::BTreeMap;

use multirail_sdk::connector::{DisputeAt, EvidenceInFull, NoPlace, Outcome};
use multirail_sdk::evidence::{EvidenceItem, EvidenceText};
use tokio::time::Instant;

use super::disputes::{DISPUTES, done};
use super::generated::wire::{DisputeStatus, Evidence, Uploaded};
use super::{Checkout, errors};
use crate::client::Answer;
use crate::steps::{check_files, created, evidence_file, last_step, step};
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
pub fn check(files: impl Iterator<Item = (EvidenceItem, i64)>) -> Result<(), NoPlace> {
    check_files(files, place_of, LARGEST_FILE)
}

impl Checkout {
    /// Uploads the files one by one, assigns them with the texts in a second request, and submits
    /// everything in a last one. These requests need no key: assigning and submitting twice has the
    /// same result as once.
    ///
    /// # Errors
    /// The outcome of a step before the last one.
    pub(super) async fn challenge(
        &self,
        dispute: &DisputeAt,
        evidence: EvidenceInFull,
    ) -> Result<Outcome, Outcome> {
        let end = Instant::now() + self.client.deadline();
        let access = &dispute.access;
        let texts = texts(&evidence.texts).map_err(Outcome::never_happened)?;
        let files = evidence.files.iter();
        check(files.map(|file| (file.item, file.size()))).map_err(Outcome::never_happened)?;
        let texts = texts.into_iter();
        let texts = texts.map(|(place, text)| (format!("{place}_text").into(), text.into()));
        let mut places: Evidence<'_> = texts.collect();
        for file in evidence.files {
            let place = format!("{}_file", place_of(file.item));
            let sent = async {
                let request = WireRequest::post(path(&["files"]), evidence_file(file).await);
                uploaded(self.send(access, request).await)
            };
            let id = step(end, &format!("{place} went up"), sent).await?;
            places.insert(place.into(), id.into());
        }
        let segments = [DISPUTES, dispute.reference.as_str(), EVIDENCE];
        let put = async {
            let request = WireRequest::put(path(&segments), Body::json(&places));
            match done(self.send(access, request).await, None) {
                Outcome::Done(_) => Ok(()),
                other => Err(other),
            }
        };
        step(end, "the evidence arrived", put).await?;
        let handed_in = async {
            let request = WireRequest::post(path(&segments), Body::Empty);
            handed_in(self.send(access, request).await)
        };
        Ok(last_step(end, handed_in).await)
    }
}

/// Reads the answer to an upload, with the file's id.
///
/// # Errors
/// The outcome of a refused upload.
#[expect(
    clippy::result_large_err,
    reason = "the error is the outcome, which is made once for each request"
)]
pub fn uploaded(answer: Answer) -> Result<String, Outcome> {
    created(answer, errors::refusal, |Uploaded { id }| id)
}

/// Reads the answer to the submission.
pub fn handed_in(answer: Answer) -> Outcome {
    done(answer, Some(DisputeStatus::EvidenceUnderReview))
}
