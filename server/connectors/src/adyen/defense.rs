//! A merchant's evidence as a defense of Adyen's: files as documents of the types that one of the dispute's reasons wants.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use multirail_kernel::secret::SecretText;
use multirail_sdk::connector::{Decline, DeclineCategory, DisputeAt, FileInFull, NoPlace, Outcome};
use multirail_sdk::evidence::{EvidenceItem, FileType};
use tokio::time::Instant;

use super::wire::{DefenseDocument, DefenseReason, DisputeRequest, DocumentType, RequirementLevel};
use super::{Account, Adyen, disputes};
use crate::steps::{last_step, step};

/// The most bytes of a PDF: 2 MB.
const LARGEST_PDF: i64 = 2_000_000;
/// The type that is for whatever no other one is for.
const ANYTHING: &str = "DefenseMaterial";
/// The code of a defense that Adyen wasn't asked for, because none of its reasons fits the files.
const NO_REASON_CODE: &str = "no_defense_reason_fits";

/// The type that a file is a document of, if the reason wants such a one.
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

/// # Errors
/// The first text, for which Adyen has no place at all, or the first file in a form that it doesn't take.
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

/// A reason, and the file that is the document of each type. The reason is the first that has a type for every file and whose
/// wants are met.
///
/// # Errors
/// That there is none, with the types that each reason wants.
pub fn choose<'a>(
    reasons: &'a [DefenseReason],
    files: &[EvidenceItem],
) -> Result<(&'a DefenseReason, BTreeMap<&'a str, usize>), Decline> {
    let mut fitting = reasons.iter().filter_map(|reason| {
        let documents = assigned(&reason.defense_document_types, files)?;
        is_met(&reason.defense_document_types, &documents).then_some((reason, documents))
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

/// Which file is the document of which type; `None` where a file has none of its own.
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
    // What could be left out serves where something has to be.
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
    // One document that stands for all that a scheme wants.
    if of(RequirementLevel::AlternativeRequired).any(|is_there| is_there) {
        return true;
    }
    let mut one_or_more = of(RequirementLevel::OneOrMore).peekable();
    !documents.is_empty()
        && of(RequirementLevel::Required).all(|is_there| is_there)
        && of(RequirementLevel::Other).all(|is_there| is_there)
        && (one_or_more.peek().is_none() || one_or_more.any(|is_there| is_there))
}

/// Each reason with the types that it wants.
fn wants(reasons: &[DefenseReason]) -> String {
    let lines = reasons.iter().map(|reason| {
        let types = reason.defense_document_types.iter().map(|one| {
            let mark = match one.requirement_level {
                RequirementLevel::Optional => "?",
                RequirementLevel::Required
                | RequirementLevel::OneOrMore
                | RequirementLevel::AlternativeRequired
                | RequirementLevel::Other => "",
            };
            format!("{}{mark}", one.defense_document_type_code)
        });
        let types: Vec<String> = types.collect();
        format!("{}: {}", reason.defense_reason_code, types.join(", "))
    });
    let lines: Vec<String> = lines.collect();
    lines.join("; ")
}

/// Every type of which Adyen has a document already, each once.
pub fn there_before(reasons: &[DefenseReason]) -> Vec<&str> {
    let types = reasons
        .iter()
        .flat_map(|reason| &reason.defense_document_types);
    let there = types.filter(|one| one.available);
    let mut there: Vec<&str> = there
        .map(|one| one.defense_document_type_code.as_str())
        .collect();
    there.sort_unstable();
    there.dedup();
    there
}

fn document(file: &FileInFull, code: &str) -> DefenseDocument {
    DefenseDocument {
        content: SecretText::new(STANDARD.encode(&file.bytes)),
        content_type: file.file_type.as_str(),
        defense_document_type_code: code.to_owned(),
    }
}

impl Adyen {
    /// Asks which reasons there are against the dispute, takes back documents of an earlier attempt, supplies those of the reason
    /// that fits, and defends by it. Only with the last request anything is handed in.
    pub(super) async fn defend(
        &self,
        account: &Account<'_>,
        dispute: &DisputeAt,
        files: Vec<FileInFull>,
    ) -> Outcome {
        let end = Instant::now() + self.client.deadline();
        let about = || account.about(dispute);
        let question = about();
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
            let delete = DisputeRequest {
                defense_document_type: Some(code),
                ..about()
            };
            let deleted = self.prepares(account, "deleteDisputeDefenseDocument", &delete);
            if let Err(outcome) = step(end, "what was there before is gone", deleted).await {
                return outcome;
            }
        }
        let documents = documents.iter();
        let documents = documents.map(|(code, number)| document(&files[*number], code));
        let supply = DisputeRequest {
            defense_documents: documents.collect(),
            ..about()
        };
        drop(files);
        let supplied = self.prepares(account, "supplyDefenseDocument", &supply);
        if let Err(outcome) = step(end, "the documents arrived", supplied).await {
            return outcome;
        }
        let defend = DisputeRequest {
            defense_reason_code: Some(&reason.defense_reason_code),
            ..about()
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
        body: &DisputeRequest<'_>,
    ) -> Result<(), Outcome> {
        match disputes::answered(self.ask_of_dispute(account, operation, body).await) {
            Outcome::Done(_) => Ok(()),
            other => Err(other),
        }
    }
}
