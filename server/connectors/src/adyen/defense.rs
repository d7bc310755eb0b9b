//! Converts a merchant's evidence to a defense at Adyen. Files become documents of the types that
//! one of the dispute's defense reasons requires.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use multirail_kernel::secret::SecretText;
use multirail_sdk::connector::{Decline, DeclineCategory, DisputeAt, FileInFull, NoPlace, Outcome};
use multirail_sdk::evidence::{EvidenceItem, FileType};
use serde::Serialize;
use tokio::time::Instant;

use super::generated::wire::{
    DefendDisputeRequest, DefenseDocument, DefenseReason, DeleteDefenseDocumentRequest,
    DocumentType, RequirementLevel, SupplyDefenseDocumentRequest,
};
use super::{Account, Adyen, disputes};
use crate::steps::{last_step, step};
use crate::text::Secret;

/// The maximum size of a PDF in bytes: 2 MB.
const LARGEST_PDF: i64 = 2_000_000;
/// The document type for files that fit no other type.
const ANYTHING: &str = "DefenseMaterial";
/// The code of a defense that was never sent, because no defense reason fits the files.
const NO_REASON_CODE: &str = "no_defense_reason_fits";

/// Returns the document type of an item.
fn type_of(item: EvidenceItem) -> &'static str {
    match item {
        EvidenceItem::Receipt => "TIDorInvoice",
        EvidenceItem::ServiceDocumentation | EvidenceItem::ShippingDocumentation => {
            "ProofOfGoodsOrServicesProvided"
        }
        EvidenceItem::CancellationPolicy | EvidenceItem::RefundPolicy => {
            "DisclosureAtPointOfInteraction"
        }
        EvidenceItem::CustomerCommunication
        | EvidenceItem::CustomerSignature
        | EvidenceItem::InvoiceShowingDistinctTransactions
        | EvidenceItem::RecurringTransactionAgreement
        | EvidenceItem::UncategorizedFile
        | EvidenceItem::UncategorizedText
        | EvidenceItem::ShippingTrackingNumber
        | EvidenceItem::ShippingDate
        | EvidenceItem::ShippingCarrier
        | EvidenceItem::ShippingAddress
        | EvidenceItem::ServiceDate
        | EvidenceItem::RefundRefusalExplanation
        | EvidenceItem::RefundPolicyDisclosure
        | EvidenceItem::ProductDescription
        | EvidenceItem::CustomerPurchaseIp
        | EvidenceItem::CustomerName
        | EvidenceItem::CustomerEmailAddress
        | EvidenceItem::CancellationRebuttal
        | EvidenceItem::CancellationPolicyDisclosure
        | EvidenceItem::BillingAddress
        | EvidenceItem::AccessActivityLog => ANYTHING,
    }
}

/// Checks that Adyen accepts the evidence.
///
/// # Errors
/// The first text, because Adyen accepts no texts, or the first file of a type that it doesn't
/// accept.
pub fn check(
    mut texts: impl Iterator<Item = EvidenceItem>,
    files: impl Iterator<Item = (EvidenceItem, FileType, i64)>,
) -> Result<(), NoPlace> {
    if let Some(item) = texts.next() {
        let why = "a text, not a file".to_owned();
        return Err(NoPlace { item, why });
    }
    for (item, file_type, bytes) in files {
        let why = match file_type {
            FileType::Jpeg => continue,
            FileType::Pdf if bytes <= LARGEST_PDF => continue,
            FileType::Pdf => format!("a PDF of more than {LARGEST_PDF} bytes"),
            FileType::Png => format!("a file of {file_type}"),
        };
        return Err(NoPlace { item, why });
    }
    Ok(())
}

/// Chooses the first reason that has a document type for every file and whose requirements are met.
/// Returns the reason, and the file for each type.
///
/// # Errors
/// No reason fits; the decline lists the types that each reason requires.
pub fn choose<'a>(
    reasons: &'a [DefenseReason],
    files: &[EvidenceItem],
) -> Result<(&'a DefenseReason, BTreeMap<&'a str, usize>), Decline> {
    let mut fitting = reasons.iter().filter_map(|reason| {
        let documents = assigned(types(reason), files)?;
        is_met(types(reason), &documents).then_some((reason, documents))
    });
    fitting.next().ok_or_else(|| Decline {
        code: NO_REASON_CODE.to_owned(),
        message: format!(
            "the files are not the documents of a reason by which Adyen defends this dispute ({})",
            wants(reasons)
        ),
        category: Some(DeclineCategory::OperationNotAllowed),
        ..Decline::default()
    })
}

fn types(reason: &DefenseReason) -> &[DocumentType] {
    reason.defense_document_types.as_deref().unwrap_or_default()
}

/// Assigns a document type to each file. Returns `None` if a file has no type of its own.
fn assigned<'a>(
    types: &'a [DocumentType],
    files: &[EvidenceItem],
) -> Option<BTreeMap<&'a str, usize>> {
    let named = |name: &str| {
        let mut types = types
            .iter()
            .map(|one| one.defense_document_type_code.as_str());
        types.find(|own| *own == name)
    };
    let mut documents = BTreeMap::new();
    for (number, item) in files.iter().enumerate() {
        let own = named(type_of(*item)).filter(|own| !documents.contains_key(own));
        let any = || named(ANYTHING).filter(|any| !documents.contains_key(any));
        documents.insert(own.or_else(any)?, number);
    }
    // Optional documents may fill a required place.
    let is_optional = |own: &&str| {
        let mut types = types
            .iter()
            .filter(|one| one.defense_document_type_code == **own);
        types.any(|one| one.requirement_level == RequirementLevel::Optional)
    };
    if let Some(any) =
        named(ANYTHING).filter(|any| !documents.contains_key(any) && !is_optional(any))
        && let Some(spare) = documents.keys().copied().find(is_optional)
    {
        let number = documents.remove(spare)?;
        documents.insert(any, number);
    }
    Some(documents)
}

fn is_met(types: &[DocumentType], documents: &BTreeMap<&str, usize>) -> bool {
    let of = |level: RequirementLevel| {
        let types = types
            .iter()
            .filter(move |one| one.requirement_level == level);
        types.map(|one| documents.contains_key(one.defense_document_type_code.as_str()))
    };
    // One document that replaces all others.
    if of(RequirementLevel::AlternativeRequired).any(|is_there| is_there) {
        return true;
    }
    let mut one_or_more = of(RequirementLevel::OneOrMore).peekable();
    !documents.is_empty()
        && of(RequirementLevel::Required).all(|is_there| is_there)
        && of(RequirementLevel::Unknown).all(|is_there| is_there)
        && (one_or_more.peek().is_none() || one_or_more.any(|is_there| is_there))
}

/// Lists each reason with its document types.
fn wants(reasons: &[DefenseReason]) -> String {
    let lines = reasons.iter().map(|reason| {
        let types = types(reason).iter().map(|one| {
            let mark = match one.requirement_level {
                RequirementLevel::Optional => "?",
                RequirementLevel::Required
                | RequirementLevel::OneOrMore
                | RequirementLevel::AlternativeRequired
                | RequirementLevel::Unknown => "",
            };
            format!("{}{mark}", one.defense_document_type_code)
        });
        let types: Vec<String> = types.collect();
        format!("{}: {}", reason.defense_reason_code, types.join(", "))
    });
    let lines: Vec<String> = lines.collect();
    lines.join("; ")
}

/// Returns every type of which Adyen already has a document, without duplicates.
pub fn there_before(reasons: &[DefenseReason]) -> Vec<&str> {
    let types = reasons.iter().flat_map(types);
    let there = types.filter(|one| one.available);
    let mut there: Vec<&str> = there
        .map(|one| one.defense_document_type_code.as_str())
        .collect();
    there.sort_unstable();
    there.dedup();
    there
}

impl Adyen {
    /// Asks for the dispute's defense reasons, deletes documents of an earlier attempt, uploads
    /// those of the fitting reason, and defends. Nothing is submitted before the last request.
    pub(super) async fn defend(
        &self,
        account: &Account<'_>,
        dispute: &DisputeAt,
        files: Vec<FileInFull>,
    ) -> Outcome {
        let end = Instant::now() + self.client.deadline();
        let question = account.about(dispute);
        let ask = async {
            let answer =
                self.ask_of_dispute(account, "retrieveApplicableDefenseReasons", &question);
            disputes::reasons(answer.await)
        };
        let reasons = match step(end, "there are reasons against it", ask).await {
            Ok(reasons) => reasons,
            Err(outcome) => return outcome,
        };
        let items: Vec<EvidenceItem> = files.iter().map(|file| file.item).collect();
        let (reason, documents) = match choose(&reasons, &items) {
            Ok(chosen) => chosen,
            Err(decline) => return Outcome::Declined(decline),
        };
        for code in there_before(&reasons) {
            let delete = DeleteDefenseDocumentRequest {
                dispute_psp_reference: dispute.reference.as_str().into(),
                merchant_account_code: account.merchant().into(),
                defense_document_type: code.into(),
            };
            let deleted = self.prepares(account, "deleteDisputeDefenseDocument", &delete);
            if let Err(outcome) = step(end, "what was there before is gone", deleted).await {
                return outcome;
            }
        }
        let contents = files
            .iter()
            .map(|file| SecretText::new(STANDARD.encode(&file.bytes)));
        let contents: Vec<SecretText> = contents.collect();
        let documents = documents.iter();
        let documents = documents.map(|(code, number)| DefenseDocument {
            content: Secret::new(contents[*number].expose()),
            content_type: files[*number].file_type.as_str().into(),
            defense_document_type_code: (*code).into(),
        });
        let supply = SupplyDefenseDocumentRequest {
            dispute_psp_reference: dispute.reference.as_str().into(),
            merchant_account_code: account.merchant().into(),
            defense_documents: documents.collect(),
        };
        let supplied = self.prepares(account, "supplyDefenseDocument", &supply);
        if let Err(outcome) = step(end, "the documents arrived", supplied).await {
            return outcome;
        }
        let defend = DefendDisputeRequest {
            dispute_psp_reference: dispute.reference.as_str().into(),
            merchant_account_code: account.merchant().into(),
            defense_reason_code: reason.defense_reason_code.as_str().into(),
        };
        let defended = async {
            let answer = self.ask_of_dispute(account, "defendDispute", &defend);
            disputes::answered(answer.await)
        };
        last_step(end, defended).await
    }

    async fn prepares(
        &self,
        account: &Account<'_>,
        operation: &str,
        body: &(impl Serialize + Sync),
    ) -> Result<(), Outcome> {
        match disputes::answered(self.ask_of_dispute(account, operation, body).await) {
            Outcome::Done(_) => Ok(()),
            other => Err(other),
        }
    }
}
