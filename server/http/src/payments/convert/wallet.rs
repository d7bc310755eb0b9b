//! Wallets' tokens, and network tokens, wire to domain. (Facts, appendix A)

use multirail_domain::payments::payment::WalletDetails;
use multirail_domain::payments::payment::wallet::{TokenInput, WalletData, WalletInput};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::card::GivenCardDetails;
use multirail_sdk::payment_method::PaymentMethodType;
use multirail_sdk::wallet::Wallet;
use multirail_types as types;

use super::payer_method::{Found, given};
use crate::platform::convert::words::ToDomain;

const LAST_DIGITS: usize = 4;

/// The wallets of a request: those with a token, and those that the payer finishes elsewhere.
#[derive(Debug, Default)]
pub struct Wallets {
    pub with_token: Option<WalletInput>,
    pub elsewhere: Found,
}

/// Reads the wallets. The function names every member, so a new one of the document doesn't compile until it is handled.
///
/// # Errors
///
/// Two wallets at once, or one with neither sealed nor opened data.
pub fn wallets(request: types::WalletRequest) -> Result<Wallets, Refusal> {
    let types::WalletRequest {
        apple_pay,
        google_pay,
        ali_pay_hk_redirect,
        ali_pay_qr,
        ali_pay_redirect,
        amazon_pay,
        amazon_pay_redirect,
        apple_pay_redirect,
        apple_pay_third_party_sdk,
        bluecode_redirect,
        cashapp_qr,
        dana_redirect,
        gcash_redirect,
        go_pay_redirect,
        google_pay_redirect,
        google_pay_third_party_sdk,
        kakao_pay_redirect,
        mb_way_redirect,
        mifinity,
        mobile_pay_redirect,
        momo_redirect,
        paypal_redirect,
        paypal_sdk,
        paysera,
        paze,
        revolut_pay,
        samsung_pay,
        skrill,
        swish_qr,
        touch_n_go_redirect,
        twint_redirect,
        vipps_redirect,
        we_chat_pay_qr,
        we_chat_pay_redirect,
    } = request;
    let known = [
        given(PaymentMethodType::AliPay, ali_pay_redirect)?,
        given(PaymentMethodType::Cashapp, cashapp_qr)?,
        given(PaymentMethodType::MobilePay, mobile_pay_redirect)?,
        given(PaymentMethodType::Paypal, paypal_redirect)?,
        given(PaymentMethodType::Swish, swish_qr)?,
        given(PaymentMethodType::Twint, twint_redirect)?,
        given(PaymentMethodType::Vipps, vipps_redirect)?,
        given(PaymentMethodType::WeChatPay, we_chat_pay_qr)?,
    ];
    let others = [
        ali_pay_hk_redirect.is_some(),
        ali_pay_qr.is_some(),
        amazon_pay.is_some(),
        amazon_pay_redirect.is_some(),
        apple_pay_redirect.is_some(),
        apple_pay_third_party_sdk.is_some(),
        bluecode_redirect.is_some(),
        dana_redirect.is_some(),
        gcash_redirect.is_some(),
        go_pay_redirect.is_some(),
        google_pay_redirect.is_some(),
        google_pay_third_party_sdk.is_some(),
        kakao_pay_redirect.is_some(),
        mb_way_redirect.is_some(),
        mifinity.is_some(),
        momo_redirect.is_some(),
        paypal_sdk.is_some(),
        paysera.is_some(),
        paze.is_some(),
        revolut_pay.is_some(),
        samsung_pay.is_some(),
        skrill.is_some(),
        touch_n_go_redirect.is_some(),
        we_chat_pay_redirect.is_some(),
    ];
    let mut elsewhere = Found::new(known, others);
    let with_token = with_token(apple_pay, google_pay)?;
    elsewhere.is_empty &= with_token.is_none();
    Ok(Wallets {
        with_token,
        elsewhere,
    })
}

fn with_token(
    apple_pay: Option<types::ApplePayRequest>,
    google_pay: Option<types::GooglePayRequest>,
) -> Result<Option<WalletInput>, Refusal> {
    match (apple_pay, google_pay) {
        (None, None) => Ok(None),
        (Some(_), Some(_)) => Err(Refusal::invalid_value(
            "payment_method_data.wallet takes exactly one wallet",
        )),
        (Some(own), None) => Ok(Some(apple(own))),
        (None, Some(own)) => google(own).map(Some),
    }
}

fn apple(own: types::ApplePayRequest) -> WalletInput {
    let types::ApplePayRequest {
        payment_data,
        payment_method,
        // Apple repeats it inside `payment_data`.
        transaction_identifier: _,
    } = own;
    let types::ApplePayMethod {
        display_name,
        network,
        type_,
    } = payment_method;
    WalletInput {
        details: WalletDetails {
            wallet: Wallet::ApplePay,
            last4: last_digits(&display_name),
            card_network: Some(network),
            kind: Some(type_),
            is_open: None,
            unread: UnreadMembers::default(),
        },
        data: WalletData::Sealed(secret(&payment_data)),
    }
}

fn google(own: types::GooglePayRequest) -> Result<WalletInput, Refusal> {
    let types::GooglePayRequest {
        type_,
        // A text for the payer.
        description: _,
        info,
        tokenization_data,
    } = own;
    const PATH: &str = "payment_method_data.wallet.google_pay.tokenization_data";
    let types::GooglePayTokenData {
        // The form of the token already shows the type.
        type_: _,
        token,
        application_primary_account_number,
        card_exp_month,
        card_exp_year,
        cryptogram,
        eci_indicator,
    } = tokenization_data;
    let data = match (token, application_primary_account_number) {
        (Some(token), None) => WalletData::Sealed(secret(&token)),
        (None, Some(number)) => WalletData::Open(Box::new(TokenInput {
            number: secret(&number),
            exp_month: card_exp_month
                .ok_or_else(|| Refusal::missing(format!("{PATH}.card_exp_month")))?,
            exp_year: card_exp_year
                .ok_or_else(|| Refusal::missing(format!("{PATH}.card_exp_year")))?,
            cryptogram: Some(
                cryptogram
                    .as_ref()
                    .map(secret)
                    .ok_or_else(|| Refusal::missing(format!("{PATH}.cryptogram")))?,
            ),
            eci: eci_indicator,
            given: GivenCardDetails::default(),
        })),
        (None, None) => return Err(Refusal::missing(format!("{PATH}.token"))),
        (Some(_), Some(_)) => {
            return Err(Refusal::invalid_value(format!(
                "{PATH} has what is sealed and what came out of it: one of them"
            )));
        }
    };
    let types::GooglePayInfo {
        card_network,
        card_details,
        // No rule uses it, and Google vouches for the card in the sealed token.
        assurance_details: _,
        card_funding_source,
    } = info;
    let is_open = matches!(data, WalletData::Open(_));
    Ok(WalletInput {
        details: WalletDetails {
            wallet: Wallet::GooglePay,
            last4: last_digits(&card_details),
            card_network: Some(card_network),
            kind: card_funding_source.or(Some(type_)),
            is_open: is_open.then_some(true),
            unread: UnreadMembers::default(),
        },
        data,
    })
}

/// Reads a network token.
pub fn network_token(own: types::NetworkTokenRequest) -> TokenInput {
    let types::NetworkTokenRequest {
        network_token,
        token_exp_month,
        token_exp_year,
        token_cryptogram,
        eci,
        card_holder_name,
        card_network,
        card_issuer,
        card_type,
        card_issuing_country,
        nick_name,
    } = own;
    TokenInput {
        number: secret(&network_token),
        exp_month: token_exp_month,
        exp_year: token_exp_year,
        cryptogram: Some(secret(&token_cryptogram)),
        eci,
        given: GivenCardDetails {
            holder_name: card_holder_name,
            network: card_network.and_then(|word| word.to_domain()),
            issuer: card_issuer,
            issuing_country: card_issuing_country,
            card_type,
            nick_name,
            bank_code: None,
        },
    }
}

/// Returns the last digits of a text such as `Visa 1111`.
fn last_digits(text: &str) -> Option<String> {
    let end: String = text.chars().rev().take(LAST_DIGITS).collect();
    let digits: String = end.chars().rev().collect();
    let are_digits =
        digits.len() == LAST_DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit());
    are_digits.then_some(digits)
}

fn secret(text: &types::Secret) -> SecretText {
    SecretText::new(text.expose())
}
