//! Maps Checkout.com's declines and errors.

use multirail_sdk::connector::{
    CardChecks, Decline, DeclineCategory, IssuerWords, OperationKind, Outcome, UnknownReason,
};

use super::generated::wire::{ActionType, ErrorCode, Invalid, Payment, Report, ResponseCode};
use crate::wire::WireAnswer;

/// A header of every answer of Checkout.com, and of no gateway's.
const OWN: &str = "cko-request-id";
/// The payer failed or left the authentication, or couldn't be authenticated.
const IN_AUTHENTICATION: &[&str] = &["20151", "20152", "20153", "20155", "20159"];

/// Reads an answer that isn't 2xx; `None` if the body isn't Checkout.com's error format.
pub fn refusal(answer: &WireAnswer) -> Option<Outcome> {
    // The same request is in progress.
    if answer.status == 409 {
        return Some(Outcome::Unknown(UnknownReason::ProcessorError));
    }
    let Invalid {
        error_type,
        error_codes,
    } = answer.json()?;
    let error_codes = error_codes.unwrap_or_default();
    let code = error_codes.first().unwrap_or(&error_type).clone();
    let known = error_codes
        .iter()
        .find_map(|code| ErrorCode::read(code).means());
    // The failure isn't caused by the request, which may have taken effect.
    if error_type == "processing_error" && known.is_none() {
        return Some(Outcome::Unknown(UnknownReason::ProcessorError));
    }
    let of_request = || {
        let is_of_request = error_type == "request_invalid";
        is_of_request.then_some(DeclineCategory::MissingOrInvalidParam)
    };
    Some(Outcome::Declined(Decline {
        code,
        message: if error_codes.is_empty() {
            "the processor refuses the request".to_owned()
        } else {
            format!(
                "the processor refuses the request: {}",
                error_codes.join(", ")
            )
        },
        category: known.or_else(of_request),
        reason: Some(error_type),
        ..Decline::default()
    }))
}

/// Returns the category of a response code or of a request's error code. Codes without a reason have
/// none.
pub fn category_of(code: &str) -> Option<DeclineCategory> {
    of_response(code).or_else(|| ErrorCode::read(code).means())
}

/// Returns the category of a response code. Codes 40xxx come from the risk settings.
fn of_response(code: &str) -> Option<DeclineCategory> {
    let is_risk = code.starts_with("40");
    let of_risk = is_risk.then_some(DeclineCategory::PspFraudEngineDecline);
    ResponseCode::read(code).means().or(of_risk)
}

/// Returns the outcome of a change that was answered with 403: the payment's state doesn't allow a
/// capture, void or refund. For a payment request a 403 is about the API key.
pub fn not_allowed(kind: OperationKind, answer: &WireAnswer) -> Option<Outcome> {
    if answer.status != 403 {
        return None;
    }
    answer.header(OWN)?;
    Some(Outcome::Declined(Decline {
        code: format!("{kind}_not_allowed"),
        message: format!("the processor allows no {kind} of this payment as it stands"),
        reason: Some("403, or the key may not do it".to_owned()),
        category: Some(DeclineCategory::OperationNotAllowed),
        ..Decline::default()
    }))
}

/// Returns why the payment was declined. A look-up has the reason in its authorization.
pub fn declined(payment: &Payment) -> Decline {
    let report = &payment.report;
    let mut actions = payment.actions.iter().flatten();
    let authorization = actions.find(|action| {
        matches!(
            action.kind,
            ActionType::Authorization | ActionType::CardVerification
        )
    });
    let of_action = authorization.and_then(|action| {
        let summary = action.response_summary.as_deref();
        Some((action.response_code.as_deref()?, summary))
    });
    let own = report.response_code.as_deref();
    let (code, summary) = match (own, of_action) {
        (Some(code), _) => (Some(code), report.response_summary.as_deref()),
        (None, Some((code, summary))) => (Some(code), summary),
        (None, None) => (None, None),
    };
    Decline {
        issuer: issuer(report, summary),
        checks: checks(report).map(Box::new),
        ..decline(code, summary)
    }
}

/// Returns a decline with code and message, as far as there are any.
pub fn decline(code: Option<&str>, summary: Option<&str>) -> Decline {
    Decline {
        code: code.unwrap_or("declined").to_owned(),
        message: summary
            .unwrap_or("the processor gives no reason in words")
            .to_owned(),
        in_authentication: code.is_some_and(|code| IN_AUTHENTICATION.contains(&code)),
        category: code.and_then(of_response),
        ..Decline::default()
    }
}

/// Returns the decline of an event, which contains the payment's message.
pub fn event_decline(report: &Report) -> Decline {
    let summary = report.response_summary.as_deref();
    Decline {
        issuer: issuer(report, summary),
        checks: checks(report).map(Box::new),
        ..decline(report.response_code.as_deref(), summary)
    }
}

/// Reads a 404 for a dispute.
pub fn no_dispute(answer: &WireAnswer) -> Option<Outcome> {
    answer.header(OWN)?;
    Some(Outcome::Declined(Decline {
        code: "dispute_not_found".to_owned(),
        message: "the processor knows no such dispute".to_owned(),
        category: Some(DeclineCategory::InvalidState),
        ..Decline::default()
    }))
}

/// The status of a payment that Checkout.com ended by itself.
pub const EXPIRED: &str = "expired";

/// Returns the outcome of a payment that ended without a decline.
pub fn ended(how: &str) -> Outcome {
    Outcome::Declined(Decline {
        code: how.to_owned(),
        message: format!("the payment is {how} at the processor"),
        // Ended by Checkout.com, not by a user of the account.
        authorization_gone: how == EXPIRED,
        category: Some(if how == EXPIRED {
            DeclineCategory::PaymentSessionTimeout
        } else {
            DeclineCategory::InvalidState
        }),
        ..Decline::default()
    })
}

/// Returns the issuer's address and card code checks in the scheme's letters. Checkout.com writes
/// `Y` for a matching card code.
pub fn checks(report: &Report) -> Option<CardChecks> {
    let source = report.source.as_ref()?;
    let letter = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
    let card_code = letter(&source.cvv_check);
    let card_code = card_code.map(|letter| match letter.as_str() {
        "Y" => "M".to_owned(),
        _ => letter,
    });
    let address = letter(&source.avs_check);
    CardChecks::new(address, card_code)
}

fn issuer(report: &Report, summary: Option<&str>) -> Option<Box<IssuerWords>> {
    let processing = report.processing.as_ref()?;
    let code = processing.partner_response_code.clone();
    let advice_code = processing.partner_merchant_advice_code.clone();
    (code.is_some() || advice_code.is_some()).then(|| {
        Box::new(IssuerWords {
            code: code.unwrap_or_default(),
            message: summary.unwrap_or_default().to_owned(),
            advice_code,
            ..IssuerWords::default()
        })
    })
}
