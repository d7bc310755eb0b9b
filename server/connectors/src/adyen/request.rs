//! Builds Adyen's requests. Details that Adyen has no member for, or would refuse in the merchant's
//! form, are left out: they don't change the operation.

use std::collections::BTreeMap;

use multirail_kernel::money::Money;
use multirail_sdk::card::Card;
use multirail_sdk::charge::AuthenticationType;
use multirail_sdk::connector::details::{
    Authentication, Browser, Descriptor, FutureUsage, Initiation, MitCategory, Payer, Phone,
    ScaExemption,
};
use multirail_sdk::connector::{AuthorizeRequest, ConnectorMandate, Details};
use multirail_sdk::instrument::{PaymentMethodData, SealedToken};
use multirail_sdk::wallet::Wallet;
use sha2::{Digest, Sha256};

use super::description::UNITS;
use super::wire::{
    AdditionalData, Amount, AuthenticationData, BrowserInfo, CardDetails, Installments,
    PaymentMethod, PaymentRequest, RecurringProcessingModel, ShopperInteraction, ShopperName,
    ThreeDs2RequestFields, ThreeDsRequestData, WalletDetails,
};
use super::{address, lines, payer_methods};
use crate::amounts::{NotWritable, to_processor};

/// Limits of metadata: number of entries, and length of a name and of a text.
const MOST_NOTES: usize = 20;
const LONGEST_NAME: usize = 20;
const LONGEST_NOTE: usize = 80;

/// Adyen's refund reasons.
const REFUND_REASONS: &[&str] = &["FRAUD", "CUSTOMER REQUEST", "RETURN", "DUPLICATE", "OTHER"];

/// Adyen's reasons for a new total, in the merchant's spelling and in Adyen's.
const INDUSTRY_USAGES: &[(&str, &str)] = &[
    ("delayed charge", "delayedCharge"),
    ("installment", "installment"),
    ("no show", "noShow"),
];

/// Converts an amount to Adyen's units.
///
/// # Errors
/// [`NotWritable`]
pub fn amount(money: Money) -> Result<Amount, NotWritable> {
    Ok(Amount {
        value: to_processor(&UNITS, money)?,
        currency: money.currency.as_str().to_owned(),
    })
}

/// Builds the request for a payment.
///
/// # Errors
/// [`NotWritable`]
pub fn payment<'a>(
    request: &'a AuthorizeRequest,
    merchant_account: &'a str,
) -> Result<PaymentRequest<'a>, NotWritable> {
    let details = &request.details;
    let payer = &details.payer;
    let billing = payer.billing.as_ref();
    let takes_money = request.money.amount_minor > 0;
    let browser = details.authentication.browser.as_ref();
    let mandate = details.initiation.mandate.as_ref();
    let is_authenticated = payer_methods::has_three_ds(&request.data);
    let wishes = Some(&details.authentication).filter(|_| is_authenticated);
    let payment_method = match &request.data {
        PaymentMethodData::Card(paying) => {
            let holder = test_holder(request);
            PaymentMethod::Card(Box::new(match mandate {
                Some(mandate) => stored(mandate, holder),
                None => card("scheme", paying, holder),
            }))
        }
        PaymentMethodData::Sealed(token) => PaymentMethod::Wallet(wallet(token)?),
        PaymentMethodData::Kept(_) => {
            let mandate = mandate.ok_or(NotWritable::KEPT_ELSEWHERE)?;
            PaymentMethod::Card(Box::new(stored(mandate, test_holder(request))))
        }
        PaymentMethodData::NetworkToken(_) => return Err(NotWritable::NETWORK_TOKEN),
        PaymentMethodData::BankDebit(account) => return Err(NotWritable::debit(account)),
        PaymentMethodData::Payer(payer) => payer_methods::payment_method(payer, request)?,
    };
    let amount = amount(request.money)?;
    Ok(PaymentRequest {
        merchant_account,
        reference: request.key.as_str(),
        line_items: lines::line_items(request, amount.value),
        amount,
        payment_method,
        return_url: &request.return_url,
        redirect_to_issuer_method: "GET",
        redirect_from_issuer_method: "GET",
        authentication_data: authentication(wishes),
        three_ds2_request_data: wishes.and_then(challenge),
        // Overrides the account's settings: 0 captures at once, and `manualCapture` waits for a
        // request.
        channel: payer_methods::channel(&request.data),
        capture_delay_hours: (takes_money && request.capture).then_some(0),
        additional_data: AdditionalData {
            manual_capture: (takes_money && !request.capture).then_some("true"),
            sca_exemption: details.authentication.exemption.map(exemption),
            allow_partial_auth: details.takes_less.then_some("true"),
            authorisation_type: details.may_be_raised.then_some("PreAuth"),
            network_tx_reference: details.initiation.network_transaction_id.clone(),
        },
        shopper_interaction: interaction(&details.initiation),
        recurring_processing_model: storage_purpose(details),
        shopper_reference: shopper_of(details),
        store_payment_method: is_to_be_stored(details).then_some(true),
        shopper_email: email(payer).filter(|text| text.len() <= 256),
        shopper_ip: browser.and_then(|browser| browser.ip_address.as_deref()),
        telephone_number: telephone(payer),
        country_code: payer_methods::country(request),
        shopper_name: billing.and_then(|billing| name(billing.address.as_ref()?)),
        social_security_number: payer_methods::tax_number(&request.data)
            .or_else(|| payer.document.as_ref()?.document_number.as_deref())
            .filter(|text| text.len() <= 50),
        billing_address: billing.and_then(|billing| address::written(billing.address.as_ref()?)),
        delivery_address: payer
            .shipping
            .as_ref()
            .and_then(|shipping| address::delivery(shipping.address.as_ref()?)),
        browser_info: browser.and_then(browser_info),
        shopper_statement: statement(&details.descriptor),
        merchant_order_reference: details.order.reference.as_deref(),
        mcc: details.category_code.as_deref(),
        metadata: metadata(details),
        installments: details.installments.as_ref().and_then(|plan| {
            let value = plan.number_of_installments?;
            (value > 1).then_some(Installments { value })
        }),
    })
}

/// Returns the merchant's payment id and metadata, within Adyen's limits.
fn metadata(details: &Details) -> BTreeMap<&str, &str> {
    let fits = |name: &str, text: &str| {
        let is_short = |text: &str, longest| (1..=longest).contains(&text.chars().count());
        is_short(name, LONGEST_NAME) && is_short(text, LONGEST_NOTE)
    };
    let payment = details.payment_id.as_deref().map(|id| ("payment_id", id));
    let own = details.metadata.iter();
    let own = own.map(|(name, text)| (name.as_str(), text.as_str()));
    let own = own.filter(|(name, _)| *name != "payment_id");
    let all = payment.into_iter().chain(own);
    all.filter(|(name, text)| fits(name, text))
        .take(MOST_NOTES)
        .collect()
}

/// Returns the idempotency key for one result of the issuer's page. The same result has the same
/// key, and a stranger's result doesn't use up the payment's key.
pub fn details_key(key: &str, redirect_result: &str) -> String {
    let digest = Sha256::new_with_prefix(key)
        .chain_update(":")
        .chain_update(redirect_result);
    hex::encode(digest.finalize())
}

/// Returns the `redirectResult` in the query of a returning payer.
pub fn redirect_result(query: &str) -> Option<String> {
    const LONGEST: usize = 20_000;
    let mut pairs = url::form_urlencoded::parse(query.as_bytes());
    let (_, result) = pairs.find(|(name, _)| name == "redirectResult")?;
    (!result.is_empty() && result.len() <= LONGEST).then(|| result.into_owned())
}

/// Returns Adyen's word for a refund reason.
pub fn refund_reason(reason: &str) -> Option<&'static str> {
    let said = plain(reason);
    let mut known = REFUND_REASONS.iter();
    known.find(|own| own.eq_ignore_ascii_case(&said)).copied()
}

/// Returns Adyen's word for the reason of a new total.
pub fn industry_usage(reason: &str) -> Option<&'static str> {
    let said = plain(reason);
    let mut known = INDUSTRY_USAGES.iter();
    let found = known.find(|(merchants, own)| {
        merchants.eq_ignore_ascii_case(&said) || own.eq_ignore_ascii_case(&said)
    });
    found.map(|(_, own)| *own)
}

fn plain(reason: &str) -> String {
    reason.trim().replace('_', " ")
}

/// Converts a card to Adyen's form, under this type.
pub fn card<'a>(kind: &'a str, card: &'a Card, test_holder: Option<&'a str>) -> CardDetails<'a> {
    CardDetails {
        kind,
        number: Some(card.number.expose()),
        expiry_month: Some(card.expiry.month_text()),
        expiry_year: Some(card.expiry.year_text()),
        stored_payment_method_id: None,
        cvc: card.code.as_ref().map(|code| code.expose()),
        holder_name: test_holder.or(card.holder.name.as_deref()),
    }
}

/// Converts a wallet's encrypted data to Adyen's form: Apple's in base64, Google's unchanged.
fn wallet(token: &SealedToken) -> Result<WalletDetails<'_>, NotWritable> {
    let text = token.text.expose();
    match token.wallet {
        Wallet::ApplePay => Ok(WalletDetails::ApplePay {
            apple_pay_token: text,
        }),
        Wallet::GooglePay => Ok(WalletDetails::GooglePay {
            google_pay_token: text,
        }),
        other => Err(NotWritable::instrument_of(other)),
    }
}

fn stored<'a>(mandate: &'a ConnectorMandate, test_holder: Option<&'a str>) -> CardDetails<'a> {
    CardDetails {
        kind: "scheme",
        number: None,
        expiry_month: None,
        expiry_year: None,
        stored_payment_method_id: Some(&mandate.connector_mandate_id),
        cvc: None,
        holder_name: test_holder,
    }
}

/// Returns the holder name that controls Adyen's test cards:
/// `connector_metadata.adyen.testing.holder_name`.
pub fn test_holder(request: &AuthorizeRequest) -> Option<&str> {
    let steering = request.details.connector_metadata.as_ref()?;
    let name = steering.get("testing")?.get("holder_name")?.as_str();
    name.filter(|_| request.access.test_mode)
}

/// Requests authentication by redirect, because our page can't run Adyen's native flow. If the
/// merchant doesn't ask for authentication, Adyen decides: payments that need it by law would be
/// refused otherwise.
fn authentication(wishes: Option<&Authentication>) -> AuthenticationData {
    let is_wanted = wishes.is_some_and(|wishes| match wishes.wanted {
        Some(AuthenticationType::ThreeDs) => true,
        Some(AuthenticationType::NoThreeDs) | None => wishes.force_challenge == Some(true),
    });
    AuthenticationData {
        attempt_authentication: is_wanted.then_some("always"),
        three_ds_request_data: ThreeDsRequestData {
            native_three_ds: "disabled",
        },
    }
}

fn challenge(wishes: &Authentication) -> Option<ThreeDs2RequestFields> {
    let is_forced = wishes.force_challenge == Some(true);
    is_forced.then_some(ThreeDs2RequestFields { challenge: "04" })
}

fn exemption(exemption: ScaExemption) -> &'static str {
    match exemption {
        ScaExemption::LowValue => "lowValue",
        ScaExemption::TransactionRiskAnalysis => "transactionRiskAnalysis",
    }
}

fn interaction(initiation: &Initiation) -> ShopperInteraction {
    let is_kept = initiation.is_stored_credential == Some(true);
    if initiation.off_session == Some(true) || is_kept {
        return ShopperInteraction::ContAuth;
    }
    match initiation.channel.as_deref() {
        Some("mail_order" | "telephone_order") => ShopperInteraction::Moto,
        Some(_) | None => ShopperInteraction::Ecommerce,
    }
}

/// Returns the purpose of a stored card. Adyen requires the shopper's reference with it.
fn storage_purpose(details: &Details) -> Option<RecurringProcessingModel> {
    shopper_of(details)?;
    let initiation = &details.initiation;
    match initiation.future_usage {
        Some(FutureUsage::OffSession) => Some(RecurringProcessingModel::UnscheduledCardOnFile),
        Some(FutureUsage::OnSession) => Some(RecurringProcessingModel::CardOnFile),
        None if initiation.off_session == Some(true) => Some(match initiation.mit_category {
            Some(MitCategory::Recurring | MitCategory::Installment) => {
                RecurringProcessingModel::Subscription
            }
            Some(MitCategory::Unscheduled | MitCategory::Resubmission) | None => {
                RecurringProcessingModel::UnscheduledCardOnFile
            }
        }),
        None if initiation.is_stored_credential == Some(true) => {
            Some(RecurringProcessingModel::CardOnFile)
        }
        None => None,
    }
}

/// Checks whether the card shall be stored for charges without the payer. It needs a shopper's
/// reference.
fn is_to_be_stored(details: &Details) -> bool {
    let initiation = &details.initiation;
    initiation.future_usage == Some(FutureUsage::OffSession)
        && initiation.off_session != Some(true)
        && shopper_of(details).is_some()
}

/// Returns the shopper reference of the stored card, or else of the payer.
fn shopper_of(details: &Details) -> Option<&str> {
    let mandate = details.initiation.mandate.as_ref();
    let stored = mandate.and_then(|mandate| mandate.connector_customer_id.as_deref());
    stored.or_else(|| shopper_reference(&details.payer))
}

fn shopper_reference(payer: &Payer) -> Option<&str> {
    let id = payer.customer_id.as_deref();
    id.filter(|id| (3..=256).contains(&id.len()))
}

fn name(place: &multirail_sdk::connector::details::Place) -> Option<ShopperName<'_>> {
    let short = |name: &Option<String>| {
        let name = name.as_deref().map(str::trim)?;
        (!name.is_empty() && name.chars().count() <= 80).then_some(())
    };
    short(&place.first_name)?;
    short(&place.last_name)?;
    Some(ShopperName {
        first_name: place.first_name.as_deref()?,
        last_name: place.last_name.as_deref()?,
    })
}

/// Returns the payer's e-mail address, or else the one of the billing address.
fn email(payer: &Payer) -> Option<&str> {
    let billing = || payer.billing.as_ref()?.email.as_deref();
    payer.email.as_deref().or_else(billing)
}

/// Returns the phone number with plus sign and country code. Adyen ignores other numbers.
pub fn telephone(payer: &Payer) -> Option<String> {
    let own = || {
        let number = payer.phone.as_deref()?;
        international(payer.phone_country_code.as_deref(), number)
    };
    let billing = || {
        let Phone {
            number,
            country_code,
            unread: _,
        } = payer.billing.as_ref()?.phone.as_ref()?;
        international(country_code.as_deref(), number.as_deref()?)
    };
    own().or_else(billing)
}

fn international(country: Option<&str>, number: &str) -> Option<String> {
    let digits = |text: &str| -> String { text.chars().filter(char::is_ascii_digit).collect() };
    let country = country.map(digits).filter(|digits| !digits.is_empty());
    let number = number.trim();
    let whole = match (number.strip_prefix('+'), country) {
        (Some(rest), _) => digits(rest),
        (None, Some(country)) => country + &digits(number),
        (None, None) => return None,
    };
    (5..=18).contains(&whole.len()).then(|| format!("+{whole}"))
}

/// Returns complete browser data, or `None`.
fn browser_info(browser: &Browser) -> Option<BrowserInfo<'_>> {
    Some(BrowserInfo {
        accept_header: browser.accept_header.as_deref()?,
        color_depth: browser.color_depth?,
        java_enabled: browser.java_enabled?,
        java_script_enabled: browser.java_script_enabled,
        language: browser.language.as_deref()?,
        screen_height: browser.screen_height?,
        screen_width: browser.screen_width?,
        time_zone_offset: browser.time_zone?,
        user_agent: browser.user_agent.as_deref()?,
    })
}

/// Returns the statement text without characters that Adyen refuses. Banks cut it after 22
/// characters.
fn statement(descriptor: &Descriptor) -> Option<String> {
    let line = descriptor.text.as_deref().or(descriptor.name.as_deref())?;
    let fits =
        |character: &char| character.is_ascii_alphanumeric() || " .,'_-?+*/".contains(*character);
    let line: String = line.chars().filter(fits).collect();
    let line = line.trim();
    (!line.is_empty()).then(|| line.to_owned())
}
