//! The payer's step: a page of Stripe's, or something that the merchant shows.

use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{PayerStep, ShownStep, StepForm, StepKind};

use super::description::UNITS;
use super::wire::{Multibanco, NextAction, PaymentIntent, QrCode, Voucher};
use crate::outcome::web_page;

/// The time in which a payer has to agree to a BLIK payment. Stripe's answers don't state it.
const BLIK_SECONDS: i64 = 60;

/// Returns the step of a payment, or `None` for an action that can't be read.
pub fn step(intent: &PaymentIntent) -> Option<PayerStep> {
    let action = intent.next_action.as_ref()?;
    let code = action.pix_display_qr_code.as_ref();
    if let Some(code) = code.or(action.wechat_pay_display_qr_code.as_ref()) {
        return qr_code(code, None);
    }
    if let Some(swish) = &action.swish_handle_redirect_or_display_qr_code {
        return qr_code(&swish.qr_code, swish.hosted_instructions_url.as_ref());
    }
    let voucher = action.boleto_display_details.as_ref();
    if let Some(told) = voucher.or(action.oxxo_display_details.as_ref()) {
        return cash(told);
    }
    if let Some(told) = &action.multibanco_display_details {
        return transfer(told, intent);
    }
    if action.blik_authorize.is_some() {
        return wait(intent.created);
    }
    page(action)
}

/// Returns the page where the payer acts. Some pages show a QR code that is drawn anew when it
/// expires.
pub fn page(action: &NextAction) -> Option<PayerStep> {
    let redirect = action.redirect_to_url.as_ref();
    let redirect = redirect.or(action.alipay_handle_redirect.as_ref());
    let of_redirect = redirect.and_then(|redirect| redirect.url.clone());
    let cashapp = action.cashapp_handle_redirect_or_display_qr_code.as_ref();
    let hosted = cashapp.or(action.upi_handle_redirect_or_display_qr_code.as_ref());
    let of_hosted = hosted.and_then(|hosted| hosted.hosted_instructions_url.clone());
    web_page(of_redirect.or(of_hosted)).map(PayerStep::page)
}

/// Returns a code. Stripe has its page inside or beside it.
fn qr_code(code: &QrCode, page: Option<&String>) -> Option<PayerStep> {
    let page = page.or(code.hosted_instructions_url.as_ref());
    let step = ShownStep {
        text: code.data.clone(),
        url: web_page(page.cloned()),
        ..ShownStep::new(StepForm::QrCode)
    };
    shown(step, code.expires_at)
}

fn cash(told: &Voucher) -> Option<PayerStep> {
    let voucher = ShownStep {
        text: told.number.clone(),
        url: web_page(told.hosted_voucher_url.clone()),
        ..ShownStep::new(StepForm::Voucher)
    };
    shown(voucher, told.expires_at)
}

fn transfer(told: &Multibanco, intent: &PaymentIntent) -> Option<PayerStep> {
    let (received, _) = UNITS.read(intent.amount_received, &intent.currency)?;
    let (amount, _) = UNITS.read(intent.amount, &intent.currency)?;
    let transfer = ShownStep {
        text: told.reference.clone(),
        url: web_page(told.hosted_voucher_url.clone()),
        entity: Some(told.entity.clone()?),
        amount_received: Some(received),
        amount_remaining: Some(amount.checked_sub(received)?),
        ..ShownStep::new(StepForm::BankTransfer)
    };
    shown(transfer, told.expires_at)
}

/// Returns the wait for a payer who agrees in an app of their bank.
fn wait(created: Option<i64>) -> Option<PayerStep> {
    let wait = ShownStep {
        shown_from: Some(Timestamp::EPOCH.plus_seconds(created?)?),
        ..ShownStep::new(StepForm::WaitScreen)
    };
    shown(wait, created?.checked_add(BLIK_SECONDS))
}

/// Returns a step until this time, or `None` if neither text nor page helps the payer.
fn shown(step: ShownStep, expires_at: Option<i64>) -> Option<PayerStep> {
    let helps = step.text.is_some() || step.form == StepForm::WaitScreen;
    let expires_at = expires_at.and_then(|end| Timestamp::EPOCH.plus_seconds(end));
    helps.then(|| PayerStep {
        kind: StepKind::Shown(Box::new(step)),
        expires_at,
    })
}
