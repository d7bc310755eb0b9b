//! The payer's step: a page of Stripe's, or something that the merchant shows.

use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{PayerStep, ShownStep, StepForm, StepKind};

use super::description::UNITS;
use super::generated::wire::{MultibancoVoucher, PaymentAction, PaymentIntent};
use crate::outcome::web_page;

/// The time in which a payer has to agree to a BLIK payment. Stripe's answers don't state it.
const BLIK_SECONDS: i64 = 60;

/// Returns the step of a payment, or `None` for an action that can't be read.
pub fn step(intent: &PaymentIntent) -> Option<PayerStep> {
    let action = intent.next_action.as_ref()?;
    if let Some(told) = &action.multibanco_display_details {
        return transfer(told, intent);
    }
    if action.blik_authorize.is_some() {
        return wait(intent.created);
    }
    code(action)
        .or_else(|| voucher(action))
        .or_else(|| page(action))
}

/// Returns the page where the payer acts. Some pages show a QR code that is drawn anew when it
/// expires. At another one the payer says which small deposits came to the account.
fn page(action: &PaymentAction) -> Option<PayerStep> {
    let redirect = action.redirect_to_url.as_ref();
    let redirect = redirect.or(action.alipay_handle_redirect.as_ref());
    let of_redirect = redirect.and_then(|redirect| redirect.url.clone());
    let cashapp = action.cashapp_handle_redirect_or_display_qr_code.as_ref();
    let hosted = cashapp.or(action.upi_handle_redirect_or_display_qr_code.as_ref());
    let of_hosted = hosted.map(|hosted| hosted.hosted_instructions_url.clone());
    let deposits = action.verify_with_microdeposits.as_ref();
    let of_account = deposits.map(|deposits| deposits.hosted_verification_url.clone());
    web_page(of_redirect.or(of_hosted).or(of_account)).map(PayerStep::page)
}

fn code(action: &PaymentAction) -> Option<PayerStep> {
    let drawn = |text: &String, page: Option<&String>, end| {
        let text = Some(text.clone());
        shown(StepForm::QrCode, text, page, end)
    };
    if let Some(pix) = &action.pix_display_qr_code {
        let page = pix.hosted_instructions_url.as_ref();
        return drawn(pix.data.as_ref()?, page, pix.expires_at);
    }
    if let Some(swish) = &action.swish_handle_redirect_or_display_qr_code {
        let page = Some(&swish.hosted_instructions_url);
        return drawn(&swish.qr_code.data, page, None);
    }
    let wechat = action.wechat_pay_display_qr_code.as_ref()?;
    drawn(&wechat.data, Some(&wechat.hosted_instructions_url), None)
}

fn voucher(action: &PaymentAction) -> Option<PayerStep> {
    let boleto = action.boleto_display_details.as_ref();
    let oxxo = action.oxxo_display_details.as_ref();
    let boleto = boleto.map(|told| (&told.number, &told.hosted_voucher_url, told.expires_at));
    let oxxo = oxxo.map(|told| (&told.number, &told.hosted_voucher_url, told.expires_after));
    let (number, page, end) = boleto.or(oxxo)?;
    shown(StepForm::Voucher, number.clone(), page.as_ref(), end)
}

fn transfer(told: &MultibancoVoucher, intent: &PaymentIntent) -> Option<PayerStep> {
    let (received, _) = UNITS.read(intent.amount_received, &intent.currency)?;
    let (amount, _) = UNITS.read(intent.amount, &intent.currency)?;
    let step = ShownStep {
        text: Some(told.reference.clone()?),
        url: web_page(told.hosted_voucher_url.clone()),
        entity: Some(told.entity.clone()?),
        amount_received: Some(received),
        amount_remaining: Some(amount.checked_sub(received)?),
        ..ShownStep::new(StepForm::BankTransfer)
    };
    Some(until(step, told.expires_at))
}

/// Returns the wait for a payer who agrees in an app of their bank.
fn wait(created: Option<i64>) -> Option<PayerStep> {
    let step = ShownStep {
        shown_from: Some(Timestamp::EPOCH.plus_seconds(created?)?),
        ..ShownStep::new(StepForm::WaitScreen)
    };
    Some(until(step, created?.checked_add(BLIK_SECONDS)))
}

/// Returns a step with this text, without which nobody can pay.
fn shown(
    form: StepForm,
    text: Option<String>,
    page: Option<&String>,
    end: Option<i64>,
) -> Option<PayerStep> {
    let step = ShownStep {
        text: Some(text?),
        url: web_page(page.cloned()),
        ..ShownStep::new(form)
    };
    Some(until(step, end))
}

fn until(step: ShownStep, end: Option<i64>) -> PayerStep {
    PayerStep {
        kind: StepKind::Shown(Box::new(step)),
        expires_at: end.and_then(|end| Timestamp::EPOCH.plus_seconds(end)),
    }
}
