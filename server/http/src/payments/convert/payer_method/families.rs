//! The families of methods. A family's function names every member of its request, so that a new one of the document
//! doesn't compile until it is handled.

use multirail_kernel::refusal::Refusal;
use multirail_sdk::payment_method::PaymentMethodType;
use multirail_types as types;

use super::{Found, given};

/// Reads the methods at a bank.
///
/// # Errors
/// A word that this version doesn't know.
pub fn at_bank(request: types::BankRedirectRequest) -> Result<Found, Refusal> {
    let types::BankRedirectRequest {
        ideal,
        bancontact_card,
        bizum,
        blik,
        eps,
        giropay,
        interac,
        online_banking_czech_republic,
        online_banking_finland,
        online_banking_poland,
        online_banking_slovakia,
        open_banking_uk,
        przelewy24,
        sofort,
        swish,
        trustly,
        online_banking_fpx,
        online_banking_thailand,
        local_bank_redirect,
        eft,
    } = request;
    let known = [
        given(PaymentMethodType::BancontactCard, bancontact_card)?,
        given(PaymentMethodType::Blik, blik)?,
        given(PaymentMethodType::Eps, eps)?,
        given(PaymentMethodType::Ideal, ideal)?,
        given(
            PaymentMethodType::OnlineBankingPoland,
            online_banking_poland,
        )?,
        given(PaymentMethodType::Przelewy24, przelewy24)?,
        given(PaymentMethodType::Trustly, trustly)?,
    ];
    let others = [
        bizum.is_some(),
        giropay.is_some(),
        interac.is_some(),
        online_banking_czech_republic.is_some(),
        online_banking_finland.is_some(),
        online_banking_slovakia.is_some(),
        open_banking_uk.is_some(),
        sofort.is_some(),
        swish.is_some(),
        online_banking_fpx.is_some(),
        online_banking_thailand.is_some(),
        local_bank_redirect.is_some(),
        eft.is_some(),
    ];
    Ok(Found::new(known, others))
}

/// Reads the pay-later accounts.
///
/// # Errors
/// A word that this version doesn't know.
pub fn later(request: types::PayLaterRequest) -> Result<Found, Refusal> {
    let types::PayLaterRequest {
        klarna_redirect,
        klarna_sdk,
        affirm_redirect,
        afterpay_clearpay_redirect,
        pay_bright_redirect,
        flexiti_redirect,
        walley_redirect,
        alma_redirect,
        atome_redirect,
        breadpay_redirect,
    } = request;
    let known = [
        given(PaymentMethodType::Affirm, affirm_redirect)?,
        given(
            PaymentMethodType::AfterpayClearpay,
            afterpay_clearpay_redirect,
        )?,
        given(PaymentMethodType::Klarna, klarna_redirect)?,
    ];
    let others = [
        klarna_sdk.is_some(),
        pay_bright_redirect.is_some(),
        flexiti_redirect.is_some(),
        walley_redirect.is_some(),
        alma_redirect.is_some(),
        atome_redirect.is_some(),
        breadpay_redirect.is_some(),
    ];
    Ok(Found::new(known, others))
}

/// Reads the transfers.
///
/// # Errors
/// A word that this version doesn't know.
pub fn transfers(request: types::BankTransferRequest) -> Result<Found, Refusal> {
    let types::BankTransferRequest {
        ach_bank_transfer,
        sepa_bank_transfer,
        bacs_bank_transfer,
        multibanco_bank_transfer,
        permata_bank_transfer,
        bca_bank_transfer,
        bni_va_bank_transfer,
        bri_va_bank_transfer,
        cimb_va_bank_transfer,
        danamon_va_bank_transfer,
        mandiri_va_bank_transfer,
        pix,
        pse,
        local_bank_transfer,
        instant_bank_transfer,
        instant_bank_transfer_finland,
        instant_bank_transfer_poland,
        indonesian_bank_transfer,
    } = request;
    let known = [
        given(PaymentMethodType::Multibanco, multibanco_bank_transfer)?,
        given(PaymentMethodType::Pix, pix)?,
        given(PaymentMethodType::SepaBankTransfer, sepa_bank_transfer)?,
    ];
    let others = [
        ach_bank_transfer.is_some(),
        bacs_bank_transfer.is_some(),
        permata_bank_transfer.is_some(),
        bca_bank_transfer.is_some(),
        bni_va_bank_transfer.is_some(),
        bri_va_bank_transfer.is_some(),
        cimb_va_bank_transfer.is_some(),
        danamon_va_bank_transfer.is_some(),
        mandiri_va_bank_transfer.is_some(),
        pse.is_some(),
        local_bank_transfer.is_some(),
        instant_bank_transfer.is_some(),
        instant_bank_transfer_finland.is_some(),
        instant_bank_transfer_poland.is_some(),
        indonesian_bank_transfer.is_some(),
    ];
    Ok(Found::new(known, others))
}

/// Reads the ways of UPI.
///
/// # Errors
/// A word that this version doesn't know.
pub fn upi(request: types::UpiRequest) -> Result<Found, Refusal> {
    let types::UpiRequest {
        upi_collect,
        upi_intent,
        upi_qr,
    } = request;
    let known = [
        given(PaymentMethodType::UpiCollect, upi_collect)?,
        given(PaymentMethodType::UpiIntent, upi_intent)?,
        given(PaymentMethodType::UpiQr, upi_qr)?,
    ];
    Ok(Found::new(known, []))
}

/// Reads the vouchers.
///
/// # Errors
/// A word that this version doesn't know.
pub fn vouchers(request: types::VoucherRequest) -> Result<Found, Refusal> {
    let types::VoucherRequest {
        boleto,
        oxxo,
        efecty,
        pago_efectivo,
        red_compra,
        red_pagos,
        alfamart,
        indomaret,
        seven_eleven,
        lawson,
        mini_stop,
        family_mart,
        seicomart,
        pay_easy,
    } = request;
    let known = [
        given(PaymentMethodType::Boleto, boleto)?,
        given(PaymentMethodType::Oxxo, oxxo)?,
    ];
    let others = [
        efecty.is_some(),
        pago_efectivo.is_some(),
        red_compra.is_some(),
        red_pagos.is_some(),
        alfamart.is_some(),
        indomaret.is_some(),
        seven_eleven.is_some(),
        lawson.is_some(),
        mini_stop.is_some(),
        family_mart.is_some(),
        seicomart.is_some(),
        pay_easy.is_some(),
    ];
    Ok(Found::new(known, others))
}
