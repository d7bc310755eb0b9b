//! Adyen's disputes. Notices report them, and they have an API of their own.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::bank_debits::code_of_return;
use super::ledger::{Ledger, Said, error, text};
use crate::{Call, DisputeBooks};

const ACCEPT: &str = "POST /acceptDispute";
const REASONS: &str = "POST /retrieveApplicableDefenseReasons";
const SUPPLY: &str = "POST /supplyDefenseDocument";
const DELETE: &str = "POST /deleteDisputeDefenseDocument";
const DEFEND: &str = "POST /defendDispute";

/// The defense reasons of every dispute: each with its document types and their requirement levels.
const DEFENSES: [(&str, &[(&str, &str)]); 4] = [
    (
        "GoodsNotReturned",
        &[
            ("TIDorInvoice", "Optional"),
            ("GoodsNotReturned", "Required"),
        ],
    ),
    (
        "GoodsOrServicesProvided",
        &[
            ("ProofOfAbilityToProvideServices", "OneOrMore"),
            ("ProofOfGoodsOrServicesProvided", "OneOrMore"),
        ],
    ),
    (
        "GoodsWereAsDescribed",
        &[
            ("GoodsWereAsDescribed", "Required"),
            ("TIDorInvoice", "Required"),
        ],
    ),
    (
        "SupplyDefenseMaterial",
        &[
            ("TIDorInvoice", "Optional"),
            ("DefenseMaterial", "Required"),
        ],
    ),
];

pub struct Dispute {
    /// Adyen's reference of the dispute, in each of its notices.
    pub reference: String,
    pub payment: String,
    pub amount: i64,
    pub is_open: bool,
    /// The contents of the documents, by type.
    pub documents: BTreeMap<String, String>,
    pub books: DisputeBooks,
}

impl Dispute {
    /// Checks that all required documents of a reason are there, and no documents of another
    /// reason.
    fn satisfies(&self, reason: &str) -> bool {
        let found = DEFENSES.iter().find(|(own, _)| *own == reason);
        let Some((_, types)) = found else {
            return false;
        };
        let has = |code: &str| self.documents.contains_key(code);
        let of = |level: &str| {
            let types = types.iter().filter(move |(_, own)| *own == level);
            types.map(|(code, _)| *code).collect::<Vec<_>>()
        };
        let one_or_more = of("OneOrMore");
        of("Required").into_iter().all(has)
            && (one_or_more.is_empty() || one_or_more.into_iter().any(has))
            && self
                .documents
                .keys()
                .all(|code| types.iter().any(|(own, _)| own == code))
    }
}

impl Ledger {
    /// Answers a dispute request; `None` for all other requests.
    pub(super) fn answer_dispute(&mut self, call: &Call) -> Option<Said> {
        match call.operation.as_str() {
            ACCEPT => Some(self.accept_dispute(&call.body)),
            REASONS => Some(self.defense_reasons(&call.body)),
            SUPPLY => Some(self.supply_documents(&call.body)),
            DELETE => Some(self.delete_document(&call.body)),
            DEFEND => Some(self.defend_dispute(&call.body)),
            _ => None,
        }
    }

    fn accept_dispute(&mut self, body: &Value) -> Said {
        let reference = text(&body["disputePspReference"]);
        let Some(dispute) = self.dispute(&reference) else {
            return error(422, "176", "The dispute is not known", "validation");
        };
        if !dispute.is_open {
            return not_done("The dispute can't be accepted any more");
        }
        dispute.is_open = false;
        dispute.books.accepted += 1;
        self.tell_dispute("DISPUTE_DEFENSE_PERIOD_ENDED", &reference);
        let told = self.notices.last_mut().expect("it is told");
        told["additionalData"]["disputeStatus"] = "Accepted".into();
        done()
    }

    fn defense_reasons(&mut self, body: &Value) -> Said {
        let Some(dispute) = self.open_dispute(body) else {
            return not_done("Dispute not found.");
        };
        let reasons = DEFENSES.iter().map(|(reason, types)| {
            let types = types.iter().map(|(code, level)| {
                json!({
                    "defenseDocumentTypeCode": code, "requirementLevel": level,
                    "available": dispute.documents.contains_key(*code),
                })
            });
            json!({
                "defenseReasonCode": reason, "satisfied": dispute.satisfies(reason),
                "defenseDocumentTypes": types.collect::<Vec<_>>(),
            })
        });
        let reasons: Vec<Value> = reasons.collect();
        let result = json!({ "success": true });
        (
            200,
            json!({ "disputeServiceResult": result, "defenseReasons": reasons }),
        )
    }

    fn supply_documents(&mut self, body: &Value) -> Said {
        let Some(dispute) = self.open_dispute(body) else {
            return not_done("Unknown dispute");
        };
        for document in body["defenseDocuments"].as_array().into_iter().flatten() {
            let code = text(&document["defenseDocumentTypeCode"]);
            if dispute.documents.contains_key(&code) {
                return not_done("There is a document of this type already");
            }
            let Ok(content) = STANDARD.decode(text(&document["content"])) else {
                return not_done("The document is unreadable");
            };
            let content = String::from_utf8_lossy(&content).into_owned();
            dispute.documents.insert(code, content);
        }
        done()
    }

    fn delete_document(&mut self, body: &Value) -> Said {
        let code = text(&body["defenseDocumentType"]);
        let Some(dispute) = self.open_dispute(body) else {
            return not_done("Unknown dispute");
        };
        match dispute.documents.remove(&code) {
            Some(_) => done(),
            None => not_done("There is no document of this type"),
        }
    }

    fn defend_dispute(&mut self, body: &Value) -> Said {
        let reason = text(&body["defenseReasonCode"]);
        let Some(dispute) = self.open_dispute(body) else {
            return not_done("The dispute can't be defended");
        };
        if !dispute.satisfies(&reason) {
            return not_done("The defense wants other documents");
        }
        dispute.is_open = false;
        dispute.books.challenged += 1;
        dispute.books.evidence = dispute.documents.clone();
        let reference = dispute.reference.clone();
        self.tell_dispute("INFORMATION_SUPPLIED", &reference);
        done()
    }

    /// Returns the dispute of a request, if it is still open.
    fn open_dispute(&mut self, body: &Value) -> Option<&mut Dispute> {
        let found = self.dispute(&text(&body["disputePspReference"]));
        found.filter(|dispute| dispute.is_open)
    }

    pub(super) fn dispute(&mut self, reference: &str) -> Option<&mut Dispute> {
        let mut disputes = self.disputes.iter_mut();
        disputes.find(|own| own.reference == reference)
    }

    pub(super) fn tell_dispute(&mut self, event: &str, reference: &str) {
        let dispute = self.dispute(reference).expect("a dispute");
        let (original, amount) = (dispute.payment.clone(), dispute.amount);
        let about = self.payments[&original].clone();
        self.tell(event, reference, Some(&original), &about, amount, Ok(()));
        // These members aren't signed.
        let told = self.notices.last_mut().expect("it is told");
        let code = code_of_return(&about.method);
        told["additionalData"]["chargebackReasonCode"] = code.unwrap_or("10.4").into();
        if code.is_none() {
            told["additionalData"]["defensePeriodEndsAt"] = "2026-02-28T12:00:00+01:00".into();
        }
    }
}

fn done() -> Said {
    let result = json!({ "success": true });
    (200, json!({ "disputeServiceResult": result }))
}

fn not_done(message: &str) -> Said {
    let result = json!({ "success": false, "errorMessage": message });
    (200, json!({ "disputeServiceResult": result }))
}
