//! The error members of a payment, an attempt, a capture or a refund: the processor's refusal, or an unknown outcome.

use multirail_domain::payments::payment::{Attempt, Operation, Progress};
use multirail_domain::payments::refund::Refund;
use multirail_sdk::card::Network;
use multirail_sdk::connector::{Decline, DeclineCategory, IssuerWords, UnknownReason};
use multirail_types as types;

use crate::platform::convert::words::ToWire;

/// The error code of an unknown outcome, in place of the processor's code.
const OUTCOME_UNKNOWN: &str = "outcome_unknown";

/// The error to report.
#[derive(Clone, Copy)]
pub enum Trouble<'a> {
    /// The processor refused, or its report contradicts our records.
    Refused(&'a Decline),
    /// The processor got a request and gave no trustworthy answer yet.
    Unknown(UnknownReason),
}

impl<'a> Trouble<'a> {
    /// Returns the error of an attempt. An unknown outcome comes first, unless the attempt has ended whatever the
    /// outcome.
    pub fn of_attempt(attempt: &'a Attempt) -> Option<Self> {
        let is_over = attempt.status.payment_status().is_terminal();
        let mut operations = attempt.operations().map(|(_, operation)| operation);
        let unknown = operations.find_map(not_known).filter(|_| !is_over);
        unknown.or(attempt.decline.as_ref().map(Trouble::Refused))
    }

    /// Returns the error of one capture.
    pub(crate) fn of_operation(operation: &'a Operation) -> Option<Self> {
        not_known(operation).or(operation.decline.as_ref().map(Trouble::Refused))
    }

    /// Returns the error of a refund.
    pub(crate) fn of_refund(refund: &'a Refund) -> Option<Self> {
        not_known(&refund.operation).or(refund.trouble().map(Trouble::Refused))
    }

    pub fn code(self) -> String {
        match self {
            Trouble::Refused(decline) => decline.code.clone(),
            Trouble::Unknown(_) => OUTCOME_UNKNOWN.to_owned(),
        }
    }

    pub fn message(self) -> String {
        let words = match self {
            Trouble::Refused(decline) => decline.message.as_str(),
            Trouble::Unknown(UnknownReason::Timeout) => {
                "the processor did not answer in time; this ends when it answers a question about it or tells unasked what it did"
            }
            Trouble::Unknown(UnknownReason::ConnectionLost) => {
                "the connection to the processor broke; this ends when it answers a question about it or tells unasked what it did"
            }
            Trouble::Unknown(UnknownReason::ProcessorError) => {
                "the processor has trouble of its own; this ends when it answers a question about it or tells unasked what it did"
            }
            Trouble::Unknown(UnknownReason::UnreadableAnswer) => {
                "the processor's answer can't be read; this ends when it answers a question about it or tells unasked what it did"
            }
            Trouble::Unknown(UnknownReason::CredentialsGone) => {
                "the processor can't be asked: the credentials that were brought along for it are no longer kept; this ends when the \
                 processor tells unasked what it did"
            }
            Trouble::Unknown(UnknownReason::Interrupted) => {
                "the service was interrupted; this ends when the processor answers a question about it or tells unasked what it did"
            }
        };
        words.to_owned()
    }

    pub(crate) fn reason(self) -> Option<String> {
        match self {
            Trouble::Refused(decline) => decline.reason.clone(),
            Trouble::Unknown(reason) => Some(reason.as_str().to_owned()),
        }
    }

    /// Returns the unified code. An unknown outcome is no failure, so it has none.
    pub(crate) fn unified_code(self) -> Option<String> {
        let refusal = self.refusal()?;
        let mapped = refusal.advice.as_deref();
        let mapped = mapped.and_then(|advice| advice.unified_code.clone());
        Some(mapped.unwrap_or_else(|| refusal.group().code().to_owned()))
    }

    pub(crate) fn unified_message(self) -> Option<String> {
        let refusal = self.refusal()?;
        let mapped = refusal.advice.as_deref();
        let mapped = mapped.and_then(|advice| advice.unified_message.clone());
        Some(mapped.unwrap_or_else(|| refusal.group().payment_message().to_owned()))
    }

    pub(crate) fn unified_refund_message(self) -> Option<String> {
        Some(self.refusal()?.group().refund_message().to_owned())
    }

    /// Returns the error's details. `scheme` is that of the card.
    pub(crate) fn details(self, scheme: Option<Network>) -> types::ErrorDetails {
        types::ErrorDetails {
            unified_details: self.unified_details(),
            issuer_details: self.issuer().map(|issuer| types::IssuerErrorDetails {
                code: said(&issuer.code),
                message: said(&issuer.message),
                network_details: issuer.advice_code.as_ref().map(|advice_code| {
                    types::NetworkErrorDetails {
                        name: scheme.map(|scheme| scheme.to_wire()),
                        advice_code: Some(advice_code.clone()),
                        advice_message: issuer.advice_message.clone(),
                    }
                }),
            }),
            connector_details: Some(types::ConnectorErrorDetails {
                code: Some(self.code()),
                message: Some(self.message()),
                reason: self.reason(),
            }),
        }
    }

    pub(crate) fn issuer_code(self) -> Option<String> {
        self.issuer().and_then(|issuer| said(&issuer.code))
    }

    pub(crate) fn issuer_message(self) -> Option<String> {
        self.issuer().and_then(|issuer| said(&issuer.message))
    }

    fn issuer(self) -> Option<&'a IssuerWords> {
        match self {
            Trouble::Refused(decline) => decline.issuer.as_deref(),
            Trouble::Unknown(_) => None,
        }
    }

    fn unified_details(self) -> Option<types::UnifiedErrorDetails> {
        let refusal = self.refusal()?;
        let (group, category) = (refusal.group(), refusal.category);
        let mapped = refusal.advice.as_deref();
        let guidance = mapped.and_then(|advice| advice.user_guidance_message.clone());
        let own = || {
            category
                .and_then(DeclineCategory::guidance)
                .map(str::to_owned)
        };
        Some(types::UnifiedErrorDetails {
            category: self.unified_code(),
            message: self.unified_message(),
            standardised_code: category.map(ToWire::to_wire),
            description: mapped.and_then(|advice| advice.description.clone()),
            user_guidance_message: guidance.or_else(own),
            recommended_action: group.recommended_action().map(str::to_owned),
        })
    }

    fn refusal(self) -> Option<&'a Decline> {
        match self {
            Trouble::Refused(decline) => Some(decline),
            Trouble::Unknown(_) => None,
        }
    }
}

fn not_known<'a>(operation: &Operation) -> Option<Trouble<'a>> {
    let reason = operation.unknown?;
    (operation.progress == Progress::Unknown).then_some(Trouble::Unknown(reason))
}
/// Returns the issuer's words, if there are any.
fn said(words: &str) -> Option<String> {
    (!words.is_empty()).then(|| words.to_owned())
}
