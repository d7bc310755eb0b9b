//! Session tokens, wire to domain and back. (Specification 2.11, 4.3)

use multirail_app::payments::session_tokens::{SessionTokens, SessionTokensRequest};
use multirail_domain::payments::session::apple_pay::{
    ApplePayRequestData, ApplePayToken, AppleSession, AppleSessionData, ContactField,
};
use multirail_domain::payments::session::google_pay::{AllowedMethod, GooglePayToken};
use multirail_domain::payments::session::others::{
    AmazonPayToken, ClickToPayToken, DeliveryOption, PazeToken, SamsungPayToken,
};
use multirail_domain::payments::session::{
    BroughtSettings, SdkNextAction, SdkSecrets, SessionToken, VaultDetails,
};
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_kernel::money::Money;
use multirail_kernel::refusal::Refusal;
use multirail_sdk::wallet::wanted;
use multirail_types as types;

use super::payment_request;
use crate::platform::convert::words::{ToWire, word};

/// The version of Samsung's interface.
const SAMSUNG_VERSION: &str = "2";
const SAMSUNG_PROTOCOL: &str = "PROTOCOL3DS";
const FINAL_PRICE: &str = "FINAL";
const FINAL_TOTAL: &str = "final";

/// Reads a request.
///
/// # Errors
///
/// A word that this version doesn't know, credentials that can't be read.
pub(crate) fn request(
    wire: types::SessionTokensRequest,
    merchant_id: MerchantId,
    payment_id: PaymentId,
) -> Result<SessionTokensRequest, Refusal> {
    let types::SessionTokensRequest {
        // The frame has checked the payment's id.
        payment_id: _,
        wallets,
        // The frame has checked the client secret.
        client_secret: _,
        merchant_connector_details,
    } = wire;
    let wallets = wallets.iter().enumerate();
    let types: Result<Vec<_>, Refusal> = wallets
        .map(|(place, one)| word(one, &format!("wallets[{place}]")))
        .collect();
    let brought = payment_request::brought(merchant_connector_details)?;
    Ok(SessionTokensRequest {
        merchant_id,
        payment_id,
        wanted: wanted(&types?),
        credentials: brought.0,
        settings: brought.1.map(BroughtSettings),
    })
}

pub(crate) fn answer(given: SessionTokens) -> types::SessionTokens {
    types::SessionTokens {
        payment_id: given.payment_id.to_string(),
        client_secret: given.client_secret.expose().to_owned(),
        session_token: given.tokens.into_iter().map(token).collect(),
        vault_details: vault(given.vault),
    }
}

fn vault(details: VaultDetails) -> types::VaultDetails {
    match details {
        VaultDetails::Internal(own) => types::InternalVaultData {
            sdk_authorization: own.encode().expose().to_owned(),
        }
        .into(),
        VaultDetails::Vgs(vault) => types::ExternalVaultData {
            vgs: Some(types::VgsVaultData {
                external_vault_id: vault.external_vault_id,
                sdk_env: vault.sdk_env.to_owned(),
            }),
        }
        .into(),
    }
}

fn token(token: SessionToken) -> types::SessionToken {
    match token {
        SessionToken::ApplePay(token) => apple_pay(*token),
        SessionToken::GooglePay(token) => google_pay(*token),
        SessionToken::GooglePayOfProcessor { connector } => types::SessionToken::GooglePay {
            allowed_payment_methods: None,
            connector,
            delayed_session_token: true,
            email_required: None,
            merchant_info: None,
            sdk_next_action: next(SessionToken::GOOGLE_PAY_OF_PROCESSOR),
            secrets: None,
            shipping_address_parameters: None,
            shipping_address_required: None,
            transaction_info: None,
        },
        SessionToken::SamsungPay(token) => samsung_pay(*token),
        SessionToken::Paypal {
            connector,
            session_token,
            sdk_next_action,
        } => types::SessionToken::Paypal {
            connector,
            session_token,
            sdk_next_action: next(sdk_next_action),
        },
        SessionToken::Klarna {
            session_token,
            session_id,
        } => types::SessionToken::Klarna {
            session_id,
            session_token,
        },
        SessionToken::AmazonPay(token) => amazon_pay(*token),
        SessionToken::Paze(token) => paze(*token),
        SessionToken::ClickToPay(token) => click_to_pay(*token),
        SessionToken::OpenBanking { session_token } => types::SessionToken::OpenBanking {
            open_banking_session_token: session_token,
        },
    }
}

fn next(action: SdkNextAction) -> types::SdkNextAction {
    types::SdkNextAction {
        next_action: action.next_action.to_wire(),
        should_block_confirm: action.should_block_confirm,
    }
}

fn secrets(secrets: SdkSecrets) -> types::SdkSecrets {
    types::SdkSecrets {
        display: secrets.display,
        payment: secrets.payment,
    }
}

fn currency(money: Money) -> types::Currency {
    money.currency.to_wire()
}

fn google_pay(token: GooglePayToken) -> types::SessionToken {
    let methods = token.allowed_payment_methods.into_iter();
    types::SessionToken::GooglePay {
        allowed_payment_methods: Some(methods.map(google_pay_method).collect()),
        connector: token.connector,
        delayed_session_token: false,
        email_required: Some(token.email_required),
        merchant_info: Some(types::GooglePayMerchantInfo {
            merchant_id: token.merchant_info.merchant_id,
            merchant_name: token.merchant_info.merchant_name,
        }),
        sdk_next_action: next(token.sdk_next_action),
        secrets: None,
        shipping_address_parameters: Some(types::GooglePayShippingAddressParameters {
            phone_number_required: token.shipping_address_required,
        }),
        shipping_address_required: Some(token.shipping_address_required),
        transaction_info: Some(types::GooglePayTransactionInfo {
            country_code: token.country_code.to_wire(),
            currency_code: currency(token.total),
            total_price_status: FINAL_PRICE.to_owned(),
            total_price: token.total.in_major_units(),
        }),
    }
}

fn google_pay_method(method: AllowedMethod) -> types::GooglePayAllowedPaymentMethod {
    let AllowedMethod {
        kind,
        parameters,
        tokenization_specification,
    } = method;
    let billing = parameters.billing_address_parameters;
    types::GooglePayAllowedPaymentMethod {
        type_: kind,
        parameters: types::GooglePayMethodParameters {
            allowed_auth_methods: parameters.allowed_auth_methods,
            allowed_card_networks: parameters.allowed_card_networks,
            billing_address_required: parameters.billing_address_required,
            billing_address_parameters: billing.map(|wanted| {
                types::GooglePayBillingAddressParameters {
                    phone_number_required: wanted.phone_number_required,
                    format: wanted.format.to_wire(),
                }
            }),
            assurance_details_required: parameters.assurance_details_required,
        },
        tokenization_specification: types::GooglePayTokenization {
            type_: tokenization_specification.kind,
            parameters: tokenization_specification.parameters,
        },
    }
}

fn apple_pay(token: ApplePayToken) -> types::SessionToken {
    types::SessionToken::ApplePay {
        connector: token.connector,
        connector_merchant_id: None,
        connector_reference_id: token.reference,
        connector_sdk_public_key: None,
        delayed_session_token: token.delayed,
        payment_request_data: token.request.map(apple_pay_request),
        sdk_next_action: next(token.sdk_next_action),
        session_token_data: token.session.map(apple_pay_session),
    }
}

fn apple_pay_session(data: AppleSessionData) -> types::ApplePaySessionData {
    match data {
        AppleSessionData::Secrets(own) => types::ApplePaySessionData {
            secrets: Some(secrets(own)),
            epoch_timestamp: None,
            expires_at: None,
            merchant_session_identifier: None,
            nonce: None,
            merchant_identifier: None,
            domain_name: None,
            display_name: None,
            signature: None,
            operational_analytics_identifier: None,
            retries: None,
            psp_id: None,
        },
        AppleSessionData::Session(session) => {
            let AppleSession {
                epoch_timestamp,
                expires_at,
                merchant_session_identifier,
                nonce,
                merchant_identifier,
                domain_name,
                display_name,
                signature,
                operational_analytics_identifier,
                retries,
                psp_id,
            } = *session;
            types::ApplePaySessionData {
                secrets: None,
                epoch_timestamp: Some(epoch_timestamp),
                expires_at: Some(expires_at),
                merchant_session_identifier: Some(merchant_session_identifier),
                nonce: Some(nonce),
                merchant_identifier: Some(merchant_identifier),
                domain_name: Some(domain_name),
                display_name: Some(display_name),
                signature: Some(signature),
                operational_analytics_identifier: Some(operational_analytics_identifier),
                retries: Some(retries),
                psp_id: Some(psp_id),
            }
        }
    }
}

fn apple_pay_request(request: ApplePayRequestData) -> types::ApplePayPaymentRequestData {
    let fields = |fields: Option<Vec<ContactField>>| {
        let fields = fields?.into_iter();
        Some(fields.map(|field| field.to_wire()).collect())
    };
    types::ApplePayPaymentRequestData {
        country_code: request.country_code.to_wire(),
        currency_code: currency(request.total),
        total: types::ApplePayTotal {
            label: request.label,
            type_: Some(FINAL_TOTAL.to_owned()),
            amount: request.total.in_major_units(),
        },
        merchant_capabilities: request.merchant_capabilities,
        supported_networks: request.supported_networks,
        merchant_identifier: request.merchant_identifier,
        required_billing_contact_fields: fields(request.billing_contact_fields),
        required_shipping_contact_fields: fields(request.shipping_contact_fields),
    }
}

fn samsung_pay(token: SamsungPayToken) -> types::SessionToken {
    types::SessionToken::SamsungPay {
        allowed_brands: token.merchant.allowed_brands,
        amount: types::SamsungPayAmount {
            option: types::SamsungPayAmountFormat::FormatTotalPriceOnly,
            currency_code: currency(token.total),
            total: token.total.in_major_units(),
        },
        billing_address_required: token.billing_address_required,
        merchant: types::SamsungPayMerchant {
            name: token.merchant.merchant_display_name,
            url: token.merchant.merchant_url,
            country_code: token.merchant.merchant_business_country.to_wire(),
        },
        order_number: token.order_number,
        protocol: SAMSUNG_PROTOCOL.to_owned(),
        service_id: token.merchant.service_id,
        shipping_address_required: token.shipping_address_required,
        version: SAMSUNG_VERSION.to_owned(),
    }
}

fn amazon_pay(token: AmazonPayToken) -> types::SessionToken {
    let options = token.delivery_options.into_iter();
    types::SessionToken::AmazonPay {
        delivery_options: options.map(delivery_option).collect(),
        ledger_currency: currency(token.base),
        merchant_id: token.merchant_id,
        payment_intent: token.intent.to_wire(),
        store_id: token.store_id,
        total_base_amount: token.base.in_major_units(),
        total_shipping_amount: token.shipping.in_major_units(),
        total_tax_amount: token.tax.in_major_units(),
    }
}

fn delivery_option(option: DeliveryOption) -> types::AmazonPayDeliveryOption {
    types::AmazonPayDeliveryOption {
        id: option.id,
        price: types::AmazonPayDeliveryPrice {
            amount: option.price.amount.into(),
            currency_code: option.price.currency_code.to_wire(),
        },
        shipping_method: types::AmazonPayShippingMethod {
            shipping_method_name: option.shipping_method.shipping_method_name,
            shipping_method_code: option.shipping_method.shipping_method_code,
        },
        is_default: option.is_default,
    }
}

fn paze(token: PazeToken) -> types::SessionToken {
    types::SessionToken::Paze {
        client_id: token.client.client_id,
        client_name: token.client.client_name,
        client_profile_id: token.client.client_profile_id,
        email_address: token.email,
        transaction_amount: token.total.in_major_units(),
        transaction_currency_code: currency(token.total),
    }
}

fn click_to_pay(token: ClickToPayToken) -> types::SessionToken {
    let checkout = token.checkout;
    let brands = checkout.card_brands.iter();
    types::SessionToken::ClickToPay {
        acquirer_bin: checkout.acquirer_bin,
        acquirer_merchant_id: checkout.acquirer_merchant_id,
        card_brands: brands.map(|brand| brand.to_wire()).collect(),
        dpa_client_id: checkout.dpa_client_id,
        dpa_id: checkout.dpa_id,
        dpa_name: checkout.dpa_name,
        email: token.email,
        locale: checkout.locale,
        merchant_category_code: checkout.merchant_category_code,
        merchant_country_code: checkout.merchant_country_code,
        phone_country_code: token.phone_country_code,
        phone_number: token.phone,
        provider: checkout.provider.map(|one| one.to_wire()),
        transaction_amount: token.total.in_major_units(),
        transaction_currency_code: currency(token.total),
    }
}
