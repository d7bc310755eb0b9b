//! Maps the payer's next action.

use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{Outcome, PayerStep, ShownStep, StepForm, StepKind};

use super::errors;
use super::generated::wire::{CheckoutAction, CheckoutActionType};
use crate::outcome::web_page;

/// Returns the outcome of a payment that waits for the payer, or `None` if the action lacks what the
/// payer needs.
pub fn outcome(action: &CheckoutAction, reference: Option<String>) -> Option<Outcome> {
    let kind = match CheckoutActionType::read(&action.kind) {
        CheckoutActionType::Redirect => match action.method.as_deref() {
            None | Some("GET") => StepKind::Page {
                url: web_page(action.url.clone())?,
            },
            // Pages that need a posted form are not supported.
            Some(method) => return Some(not_offered(&format!("redirect {method}"))),
        },
        CheckoutActionType::QrCode => shown(ShownStep {
            text: Some(action.qr_code_data.clone()?),
            url: web_page(action.url.clone()),
            ..ShownStep::new(StepForm::QrCode)
        }),
        CheckoutActionType::Await => shown(ShownStep::new(StepForm::WaitScreen)),
        CheckoutActionType::Voucher => shown(voucher(action)?),
        CheckoutActionType::BankTransfer => shown(transfer(action)?),
        CheckoutActionType::Unknown => return Some(not_offered(&action.kind)),
    };
    let end = action.expires_at.as_deref();
    let step = PayerStep {
        kind,
        // Times without a zone are not passed on: Adyen doesn't say which one is meant.
        expires_at: end.and_then(|end| Timestamp::parse_rfc3339(end).ok()),
    };
    Some(Outcome::CustomerMustAct { reference, step })
}

/// Checks whether the action only offers a copy of the mandate: the debit is under way.
pub fn is_of_debit(action: &CheckoutAction) -> bool {
    action.payment_method_type.as_deref() == Some("directdebit_GB")
}

/// Returns the outcome for an action that our page can't offer.
pub fn not_offered(asked: &str) -> Outcome {
    Outcome::Declined(errors::action_not_offered(asked.trim()))
}

fn shown(step: ShownStep) -> StepKind {
    StepKind::Shown(Box::new(step))
}

fn voucher(action: &CheckoutAction) -> Option<ShownStep> {
    // Multibanco is a transfer to an entity.
    let entity = action.entity.clone();
    let entity = entity.filter(|_| action.payment_method_type.as_deref() == Some("multibanco"));
    let form = match entity {
        Some(_) => StepForm::BankTransfer,
        None => StepForm::Voucher,
    };
    Some(ShownStep {
        text: Some(action.reference.clone()?),
        url: instructions(action),
        entity,
        ..ShownStep::new(form)
    })
}

fn transfer(action: &CheckoutAction) -> Option<ShownStep> {
    let iban = action.iban.clone()?;
    Some(ShownStep {
        text: Some(action.reference.clone()?),
        url: instructions(action),
        // An IBAN begins with its country.
        country: iban.get(..2).and_then(|country| country.parse().ok()),
        iban: Some(iban),
        bic: action.bic.clone(),
        holder: action.beneficiary.clone(),
        ..ShownStep::new(StepForm::BankTransfer)
    })
}

/// Returns the page with the same step.
fn instructions(action: &CheckoutAction) -> Option<String> {
    let pages = [&action.download_url, &action.instructions_url, &action.url];
    pages.into_iter().find_map(|url| web_page(url.clone()))
}
