//! Maps Checkout.com's answers to outcomes. An answer must be about the requested key.

use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::money::Money;
use multirail_sdk::connector::{
    About, Approval, Finding, News, OperationKind, Outcome, PayerStep, PaymentAt, Remarks,
};

use super::description::UNITS;
use super::errors;
use super::generated::wire::{
    Accepted, Action, ActionType, Payment, PaymentStatus, Payments, Report,
};
use super::keys::reference_of;
use crate::client::Answer;
use crate::outcome::{absent, of_operation, web_page};
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

/// A capture, void or refund that is looked up.
pub struct Sought<'a> {
    pub kind: OperationKind,
    pub key: &'a ProcessorKey,
    /// The action's id, if known.
    pub reference: Option<&'a str>,
    pub money: Money,
}

impl Sought<'_> {
    fn is(&self, action: &Action) -> bool {
        let is_of_kind = match action.kind {
            ActionType::Capture => self.kind == OperationKind::Capture,
            ActionType::Void => self.kind == OperationKind::Void,
            // A reversal refunds captured money.
            ActionType::Refund => {
                matches!(self.kind, OperationKind::Refund | OperationKind::Void)
            }
            ActionType::Authorization | ActionType::CardVerification | ActionType::Unknown => false,
        };
        let is_named = self.reference == Some(&action.id)
            || action.reference.as_deref() == Some(reference_of(self.key));
        is_of_kind && is_named
    }
}

/// Returns the outcome of an operation from its payment's list of actions. An accepted operation
/// that isn't listed is still to be processed.
pub fn among(sought: &Sought<'_>, actions: &[Action]) -> Option<Finding> {
    let own: Vec<&Action> = actions.iter().filter(|own| sought.is(own)).collect();
    // A reversal may be a void and a refund: it is done when both are.
    let open = own.iter().find(|action| action.approved.is_none());
    let refused = own.iter().find(|action| action.approved == Some(false));
    let pending = |reference: &str| {
        Finding::Outcome(Outcome::Pending {
            reference: Some(reference.to_owned()),
        })
    };
    Some(match (open.or(refused).or(own.first()), sought.reference) {
        (Some(action), _) => match action.approved {
            None => pending(&action.id),
            Some(true) => Finding::Outcome(Outcome::Done(of_action(sought, action)?)),
            Some(false) => Finding::Outcome(Outcome::Declined(errors::decline(
                action.response_code.as_deref(),
                action.response_summary.as_deref(),
            ))),
        },
        (None, Some(reference)) => pending(reference),
        (None, None) => absent(format!(
            "the payment has no {} with this reference",
            sought.kind
        )),
    })
}

/// Returns the changes of a payment that others requested.
pub fn by_others(payment: &PaymentAt, actions: Vec<Action>) -> Vec<News> {
    let is_ours = |action: &Action| {
        let mut keys = payment.own_keys.iter();
        keys.any(|key| action.reference.as_deref() == Some(reference_of(key)))
    };
    let news = |action: Action| {
        let kind = match action.kind {
            ActionType::Capture => OperationKind::Capture,
            ActionType::Void => OperationKind::Void,
            ActionType::Refund => OperationKind::Refund,
            ActionType::Authorization | ActionType::CardVerification | ActionType::Unknown => {
                return None;
            }
        };
        let amount_minor = UNITS.from_processor(action.amount?, payment.currency)?;
        let reference = Some(action.id);
        Some(News::Outcome {
            about: About {
                kind,
                key: None,
                reference: reference.clone(),
                authorization_reference: Some(payment.authorization_reference.clone()),
                authorization_key: None,
            },
            outcome: Outcome::Done(Approval {
                reference,
                amount_minor: Some(amount_minor),
                ..Approval::default()
            }),
        })
    };
    let actions = actions.into_iter();
    let done = actions.filter(|action| action.approved == Some(true) && !is_ours(action));
    done.filter_map(news).collect()
}

fn of_action(sought: &Sought<'_>, action: &Action) -> Option<Approval> {
    let currency = sought.money.currency;
    let amount = action.amount.filter(|_| sought.kind != OperationKind::Void);
    let amount_minor = match amount {
        Some(amount) => Some(UNITS.from_processor(amount, currency)?),
        None => None,
    };
    Some(Approval {
        reference: Some(action.id.clone()),
        amount_minor,
        ..Approval::default()
    })
}
