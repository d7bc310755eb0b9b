//! Methods that the payer finishes elsewhere, wire to domain. (Facts, appendix A)

use multirail_domain::payments::payment::payer_method::{PayerInput, PayerMethodInput};
use multirail_kernel::refusal::Refusal;
use multirail_sdk::payment_method::PaymentMethodType;
use multirail_types as types;

use crate::platform::convert::words::maybe_word;

/// Returns whether the request contains a bank method that nothing accepts, or none.
pub fn is_another_bank(request: &types::BankRedirectRequest) -> bool {
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
    let others = [
        bancontact_card.is_some(),
        bizum.is_some(),
        blik.is_some(),
        eps.is_some(),
        giropay.is_some(),
        interac.is_some(),
        online_banking_czech_republic.is_some(),
        online_banking_finland.is_some(),
        online_banking_poland.is_some(),
        online_banking_slovakia.is_some(),
        open_banking_uk.is_some(),
        przelewy24.is_some(),
        sofort.is_some(),
        swish.is_some(),
        trustly.is_some(),
        online_banking_fpx.is_some(),
        online_banking_thailand.is_some(),
        local_bank_redirect.is_some(),
        eft.is_some(),
    ];
    ideal.is_none() || others.contains(&true)
}

/// Returns whether the request contains a pay-later account that nothing accepts, or none.
pub fn is_another_account(request: &types::PayLaterRequest) -> bool {
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
    let others = [
        klarna_sdk.is_some(),
        affirm_redirect.is_some(),
        afterpay_clearpay_redirect.is_some(),
        pay_bright_redirect.is_some(),
        flexiti_redirect.is_some(),
        walley_redirect.is_some(),
        alma_redirect.is_some(),
        atome_redirect.is_some(),
        breadpay_redirect.is_some(),
    ];
    klarna_redirect.is_none() || others.contains(&true)
}

/// Returns the payers' methods of a request.
///
/// # Errors
/// A word that this version doesn't know, or two methods at once.
pub fn payer_method(
    bank: Option<types::IdealRequest>,
    account: Option<types::KlarnaRedirectRequest>,
    wallet: Option<types::PaypalRedirectRequest>,
) -> Result<Option<PayerMethodInput>, Refusal> {
    match (bank, account, wallet) {
        (None, None, None) => Ok(None),
        (Some(own), None, None) => ideal(own).map(Some),
        (None, Some(own), None) => klarna(own).map(Some),
        (None, None, Some(own)) => Ok(Some(paypal(own))),
        (Some(_), Some(_), _) | (Some(_), _, Some(_)) | (_, Some(_), Some(_)) => Err(
            Refusal::invalid_value("payment_method_data takes exactly one instrument"),
        ),
    }
}

fn ideal(own: types::IdealRequest) -> Result<PayerMethodInput, Refusal> {
    let types::IdealRequest {
        bank_name,
        country,
        billing_details,
    } = own;
    let types::BankRedirectBilling {
        billing_name,
        email,
    } = billing_details.unwrap_or_default();
    Ok(PayerMethodInput {
        kind: PaymentMethodType::Ideal,
        bank_name: maybe_word(
            bank_name,
            "payment_method_data.bank_redirect.ideal.bank_name",
        )?,
        country: maybe_word(country, "payment_method_data.bank_redirect.ideal.country")?,
        payer: PayerInput {
            name: billing_name,
            email,
            country: None,
        },
    })
}

fn klarna(own: types::KlarnaRedirectRequest) -> Result<PayerMethodInput, Refusal> {
    let types::KlarnaRedirectRequest {
        billing_email,
        billing_country,
    } = own;
    Ok(PayerMethodInput {
        kind: PaymentMethodType::Klarna,
        bank_name: None,
        country: None,
        payer: PayerInput {
            name: None,
            email: billing_email,
            country: maybe_word(
                billing_country,
                "payment_method_data.pay_later.klarna_redirect.billing_country",
            )?,
        },
    })
}

fn paypal(own: types::PaypalRedirectRequest) -> PayerMethodInput {
    let types::PaypalRedirectRequest { email } = own;
    PayerMethodInput {
        kind: PaymentMethodType::Paypal,
        bank_name: None,
        country: None,
        payer: PayerInput {
            email,
            ..PayerInput::default()
        },
    }
}
