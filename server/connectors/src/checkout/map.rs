//! Maps Checkout.com's answers to outcomes. An answer must be about the requested key.

use multirail_kernel::ids::ProcessorKey;
use multirail_sdk::connector::{Approval, OperationKind, Outcome, PayerStep, Remarks};

use super::description::UNITS;
use super::errors;
use super::generated::wire::{
    Accepted, Action, ActionType, Payment, PaymentStatus, Payments, Report,
};
use super::keys::reference_of;
use crate::changes::{Change, Form, State};
use crate::client::Answer;
use crate::outcome::{of_operation, web_page};
use crate::wire::WireAnswer;

/// Returns the outcome of the payment that was requested under `key`.
pub fn paid(key: &ProcessorKey, answer: Answer) -> Outcome {
    of_operation(answer, |answer| match answer.status {
        200..=299 => payment(key, answer.json()?),
        _ => errors::refusal(answer),
    })
}

/// Returns the outcome of a capture, void, reversal or refund. The answer only acknowledges the
/// request.
pub fn accepted(kind: OperationKind, key: &ProcessorKey, answer: Answer) -> Outcome {
    let not_allowed = |answer: &WireAnswer| errors::not_allowed(kind, answer);
    let refused = answer.as_ref().ok().and_then(not_allowed);
    refused.unwrap_or_else(|| {
        of_operation(answer, |answer| match answer.status {
            // Everything was already returned before this reversal.
            204 if kind == OperationKind::Void => Some(Outcome::Done(Approval::default())),
            200..=299 => {
                let Accepted {
                    action_id,
                    reference,
                } = answer.json()?;
                let is_ours = reference.is_none_or(|own| own == reference_of(key));
                is_ours.then_some(Outcome::Pending {
                    reference: Some(action_id),
                })
            }
            _ => errors::refusal(answer),
        })
    })
}

/// Returns the outcome of the payment that was made under `key`.
pub fn payment(key: &ProcessorKey, payment: Payment) -> Option<Outcome> {
    let is_ours = payment.report.reference.as_deref() == Some(reference_of(key));
    is_ours.then(|| standing(payment)).flatten()
}

/// Returns the id of the payment that was made under `key`, if it is in this list.
pub fn named(key: &ProcessorKey, payments: Payments) -> Option<String> {
    let mut all = payments.data.into_iter();
    let found = all.find(|payment| payment.reference.as_deref() == Some(reference_of(key)));
    found.map(|payment| payment.id)
}

fn standing(payment: Payment) -> Option<Outcome> {
    let reference = Some(payment.id.clone());
    match payment.status {
        // Later changes don't belong to the authorization.
        PaymentStatus::Authorized
        | PaymentStatus::CardVerified
        | PaymentStatus::PartiallyCaptured
        | PaymentStatus::Captured
        | PaymentStatus::PartiallyRefunded
        | PaymentStatus::Refunded
        | PaymentStatus::Paid => approved(payment.id, &payment.report).map(Outcome::Done),
        PaymentStatus::Active
        | PaymentStatus::Requested
        | PaymentStatus::Pending
        | PaymentStatus::AuthenticationRequested
        | PaymentStatus::RetryScheduled => match payment.links.and_then(|links| links.redirect) {
            Some(link) => Some(Outcome::CustomerMustAct {
                reference,
                step: PayerStep::page(web_page(Some(link.href))?),
            }),
            None => Some(Outcome::Pending { reference }),
        },
        PaymentStatus::Declined => Some(Outcome::Declined(errors::declined(&payment))),
        PaymentStatus::Voided => Some(errors::ended("voided")),
        PaymentStatus::Canceled => Some(errors::ended("canceled")),
        PaymentStatus::Expired => Some(errors::ended(errors::EXPIRED)),
        PaymentStatus::Unknown => None,
    }
}

/// Returns the approval of an authorization, or `None` if its amount is no whole number of our
/// units.
pub fn approved(id: String, report: &Report) -> Option<Approval> {
    Some(Approval {
        network_transaction_id: report.scheme_id.clone(),
        checks: errors::checks(report),
        remarks: Remarks {
            auth_code: report.auth_code.clone(),
            ..Remarks::default()
        }
        .unless_empty(),
        ..of_amount(Some(id), report)?
    })
}

/// Returns the approval of a completed operation, with its amount.
pub fn of_amount(reference: Option<String>, report: &Report) -> Option<Approval> {
    let (amount_minor, currency) = match (report.amount, &report.currency) {
        (Some(amount), Some(currency)) => Some(UNITS.read(amount, currency)?).unzip(),
        (None, _) | (_, None) => (None, None),
    };
    Some(Approval {
        reference,
        amount_minor,
        currency,
        ..Approval::default()
    })
}

/// Amounts and references at Checkout.com.
pub const FORM: Form = Form {
    units: UNITS,
    reference_of,
};

/// Returns a change of a payment, or `None` for an action of another kind.
pub fn listed(action: Action) -> Option<Change> {
    let kind = match action.kind {
        ActionType::Capture => OperationKind::Capture,
        ActionType::Void => OperationKind::Void,
        ActionType::Refund => OperationKind::Refund,
        ActionType::Authorization | ActionType::CardVerification | ActionType::Unknown => {
            return None;
        }
    };
    let (code, summary) = (action.response_code, action.response_summary);
    Some(Change {
        kind,
        id: action.id,
        reference: action.reference,
        amount: action.amount,
        state: match action.approved {
            None => State::Open,
            Some(true) => State::Done,
            Some(false) => State::Declined(errors::decline(code.as_deref(), summary.as_deref())),
        },
    })
}
