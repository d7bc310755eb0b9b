//! Builds Adyen's requests. Details that Adyen has no member for, or would refuse in the merchant's
//! form, are left out: they don't change the operation.

use std::collections::BTreeMap;

use multirail_kernel::money::Money;
use multirail_sdk::card::Card;
use multirail_sdk::charge::AuthenticationType;
use multirail_sdk::connector::details::{
    Authentication, Browser, Descriptor, FutureUsage, Initiation, MitCategory, Payer, Phone, Place,
    ScaExemption,
};
use multirail_sdk::connector::{AuthorizeRequest, ConnectorMandate, Details};
use multirail_sdk::instrument::{PaymentMethodData, SealedToken};
use multirail_sdk::wallet::Wallet;
use sha2::{Digest, Sha256};

use super::description::UNITS;
use super::generated::wire::{
    AdditionalData, Amount, ApplePayDetails, ApplePayDetailsType, AuthenticationData,
    AuthenticationDataAttemptAuthentication, BrowserInfo, BrowserInfoMust, CardDetails,
    CardDetailsMust, CardDetailsType, GooglePayDetails, GooglePayDetailsType, Installments,
    PaymentMethod, PaymentRequest, PaymentRequestMust,
    PaymentRequestRecurringProcessingModel as StoragePurpose,
    PaymentRequestShopperInteraction as Interaction, ShopperName, ThreeDs2RequestFields,
    ThreeDs2RequestFieldsThreeDsRequestorChallengeInd, ThreeDsRequestData,
    ThreeDsRequestDataNativeThreeDs,
};
use super::{address, bank_debits, lines, payer_methods};
use crate::amounts::{NotWritable, to_processor};
use crate::text::{Secret, Text, said};

/// Limits of metadata: number of entries, and length of a name and of a text.
const MOST_NOTES: usize = 20;
const LONGEST_NAME: usize = 20;
const LONGEST_NOTE: usize = 80;

/// Converts an amount to Adyen's units.
///
/// # Errors
/// [`NotWritable`]
pub fn amount(money: Money) -> Result<Amount<'static>, NotWritable> {
    Ok(Amount {
        value: to_processor(&UNITS, money)?,
        currency: Text::cut(money.currency.as_str()),
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
        PaymentMethodData::Card(paying) => match mandate {
            Some(mandate) => stored(mandate, test_holder(request)),
            None => card(CardDetailsType::Scheme, paying, test_holder(request)),
        },
        PaymentMethodData::Sealed(token) => wallet(token)?,
        PaymentMethodData::Kept(_) => {
            let mandate = mandate.ok_or(NotWritable::KEPT_ELSEWHERE)?;
            stored(mandate, test_holder(request))
        }
        PaymentMethodData::NetworkToken(_) => return Err(NotWritable::NETWORK_TOKEN),
        PaymentMethodData::BankDebit(account) => match mandate {
            Some(mandate) => bank_debits::stored(account, mandate)?,
            None => bank_debits::payment_method(account, test_holder(request))?,
        },
        PaymentMethodData::Payer(payer) => payer_methods::payment_method(payer, request)?,
    };
    let amount = amount(request.money)?;
    Ok(PaymentRequest {
        line_items: lines::line_items(request, amount.value),
        redirect_to_issuer_method: Some("GET".into()),
        redirect_from_issuer_method: Some("GET".into()),
        authentication_data: Some(authentication(wishes)),
        three_ds2_request_data: wishes.and_then(challenge),
        channel: payer_methods::channel(&request.data),
        // Overrides the account's settings: 0 captures at once, and `manualCapture` waits for a
        // request.
        capture_delay_hours: (takes_money && request.capture).then_some(0),
        additional_data: flags(request, takes_money).unless_empty(),
        shopper_interaction: Some(interaction(&details.initiation)),
        recurring_processing_model: storage_purpose(details),
        shopper_reference: shopper_of(details).and_then(Text::whole),
        store_payment_method: is_to_be_stored(details).then_some(true),
        shopper_email: email(payer).and_then(Text::whole),
        shopper_ip: browser.and_then(|browser| Text::whole(browser.ip_address.as_deref()?)),
        telephone_number: telephone(payer).and_then(Text::whole),
        country_code: payer_methods::country(request).map(Text::cut),
        shopper_name: billing.and_then(|billing| name(billing.address.as_ref()?)),
        social_security_number: payer_methods::tax_number(&request.data)
            .or_else(|| payer.document.as_ref()?.document_number.as_deref())
            .and_then(Text::whole),
        billing_address: billing.and_then(|billing| address::written(billing.address.as_ref()?)),
        delivery_address: payer
            .shipping
            .as_ref()
            .and_then(|shipping| address::delivery(shipping.address.as_ref()?)),
        browser_info: browser.and_then(browser_info),
        shopper_statement: statement(&details.descriptor).map(Text::cut),
        merchant_order_reference: details.order.reference.as_deref().and_then(Text::whole),
        mcc: details.category_code.as_deref().and_then(Text::whole),
        metadata: metadata(details),
        installments: details.installments.as_ref().and_then(|plan| {
            let value = plan.number_of_installments?;
            (value > 1).then_some(Installments { value })
        }),
        ..PaymentRequest::with(PaymentRequestMust {
            merchant_account: merchant_account.into(),
            reference: Text::cut(request.key.as_str()),
            amount,
            payment_method,
            return_url: Text::cut(request.return_url.as_str()),
        })
    })
}

fn flags(request: &AuthorizeRequest, takes_money: bool) -> AdditionalData<'_> {
    let details = &request.details;
    let flag = |is_set: bool, word: &'static str| is_set.then(|| Text::from(word));
    AdditionalData {
        manual_capture: flag(takes_money && !request.capture, "true"),
        sca_exemption: details.authentication.exemption.map(exemption),
        allow_partial_auth: flag(details.takes_less, "true"),
        authorisation_type: flag(details.may_be_raised, "PreAuth"),
        network_tx_reference: (details.initiation.network_transaction_id.as_deref())
            .map(Text::from),
    }
}

/// Returns the merchant's payment id and metadata, within Adyen's limits.
fn metadata(details: &Details) -> BTreeMap<Text<'_>, Text<'_, LONGEST_NOTE>> {
    let payment = details.payment_id.as_deref().map(|id| ("payment_id", id));
    let own = details.metadata.iter();
    let own = own.map(|(name, text)| (name.as_str(), text.as_str()));
    let own = own.filter(|(name, _)| *name != "payment_id");
    let all = payment.into_iter().chain(own);
    all.filter_map(|(name, text)| {
        let fits = !text.is_empty() && (1..=LONGEST_NAME).contains(&name.chars().count());
        let text = Text::<LONGEST_NOTE>::whole(text).filter(|_| fits)?;
        Some((Text::from(name), text))
    })
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

/// Converts a card to Adyen's form, under this type.
pub fn card<'a>(
    kind: CardDetailsType,
    card: &'a Card,
    test_holder: Option<&'a str>,
) -> PaymentMethod<'a> {
    let holder = test_holder.or(card.holder.name.as_deref());
    PaymentMethod::CardDetails(Box::new(CardDetails {
        number: Some(Secret::new(card.number.expose())),
        expiry_month: Some(card.expiry.month_text().into()),
        expiry_year: Some(card.expiry.year_text().into()),
        cvc: (card.code.as_ref()).map(|code| Secret::new(code.expose())),
        holder_name: holder.map(Text::cut),
        ..CardDetails::with(CardDetailsMust { kind })
    }))
}

/// Converts a wallet's encrypted data to Adyen's form: Apple's in base64, Google's unchanged.
fn wallet(token: &SealedToken) -> Result<PaymentMethod<'_>, NotWritable> {
    let text = Secret::new(token.text.expose());
    match token.wallet {
        Wallet::ApplePay => Ok(PaymentMethod::ApplePayDetails(Box::new(ApplePayDetails {
            kind: ApplePayDetailsType::Applepay,
            apple_pay_token: text,
        }))),
        Wallet::GooglePay => Ok(PaymentMethod::GooglePayDetails(Box::new(
            GooglePayDetails {
                kind: GooglePayDetailsType::Googlepay,
                google_pay_token: text,
            },
        ))),
        other => Err(NotWritable::instrument_of(other)),
    }
}

fn stored<'a>(mandate: &'a ConnectorMandate, test_holder: Option<&'a str>) -> PaymentMethod<'a> {
    let must = CardDetailsMust {
        kind: CardDetailsType::Scheme,
    };
    PaymentMethod::CardDetails(Box::new(CardDetails {
        stored_payment_method_id: Some(Text::cut(mandate.connector_mandate_id.as_str())),
        holder_name: test_holder.map(Text::cut),
        ..CardDetails::with(must)
    }))
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
        attempt_authentication: is_wanted
            .then_some(AuthenticationDataAttemptAuthentication::Always),
        three_ds_request_data: Some(ThreeDsRequestData {
            native_three_ds: ThreeDsRequestDataNativeThreeDs::Disabled,
        }),
    }
}

fn challenge(wishes: &Authentication) -> Option<ThreeDs2RequestFields> {
    let is_forced = wishes.force_challenge == Some(true);
    is_forced.then_some(ThreeDs2RequestFields {
        three_ds_requestor_challenge_ind: Some(
            ThreeDs2RequestFieldsThreeDsRequestorChallengeInd::X04,
        ),
    })
}

fn exemption(exemption: ScaExemption) -> Text<'static> {
    match exemption {
        ScaExemption::LowValue => "lowValue".into(),
        ScaExemption::TransactionRiskAnalysis => "transactionRiskAnalysis".into(),
    }
}

fn interaction(initiation: &Initiation) -> Interaction {
    let is_kept = initiation.is_stored_credential == Some(true);
    if initiation.off_session == Some(true) || is_kept {
        return Interaction::ContAuth;
    }
    match initiation.channel.as_deref() {
        Some("mail_order" | "telephone_order") => Interaction::Moto,
        Some(_) | None => Interaction::Ecommerce,
    }
}

/// Returns the purpose of a stored instrument. Adyen requires the shopper's reference with it.
fn storage_purpose(details: &Details) -> Option<StoragePurpose> {
    shopper_of(details)?;
    let initiation = &details.initiation;
    match initiation.future_usage {
        Some(FutureUsage::OffSession) => Some(StoragePurpose::UnscheduledCardOnFile),
        Some(FutureUsage::OnSession) => Some(StoragePurpose::CardOnFile),
        None if initiation.off_session == Some(true) => Some(match initiation.mit_category {
            Some(MitCategory::Recurring | MitCategory::Installment) => StoragePurpose::Subscription,
            Some(MitCategory::Unscheduled | MitCategory::Resubmission) | None => {
                StoragePurpose::UnscheduledCardOnFile
            }
        }),
        None if initiation.is_stored_credential == Some(true) => Some(StoragePurpose::CardOnFile),
        None => None,
    }
}

/// Checks whether the instrument shall be stored for charges without the payer. It needs a shopper's
/// reference.
fn is_to_be_stored(details: &Details) -> bool {
    let initiation = &details.initiation;
    initiation.future_usage == Some(FutureUsage::OffSession)
        && initiation.off_session != Some(true)
        && shopper_of(details).is_some()
}

/// Returns the shopper reference of the stored instrument, or else of the payer.
fn shopper_of(details: &Details) -> Option<&str> {
    let mandate = details.initiation.mandate.as_ref();
    let stored = mandate.and_then(|mandate| mandate.connector_customer_id.as_deref());
    stored.or_else(|| shopper_reference(&details.payer))
}

fn shopper_reference(payer: &Payer) -> Option<&str> {
    let id = payer.customer_id.as_deref();
    id.filter(|id| (3..=256).contains(&id.len()))
}

fn name(place: &Place) -> Option<ShopperName<'_>> {
    Some(ShopperName {
        first_name: Text::whole(said(&place.first_name)?)?,
        last_name: Text::whole(said(&place.last_name)?)?,
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
        java_script_enabled: browser.java_script_enabled,
        ..BrowserInfo::with(BrowserInfoMust {
            accept_header: browser.accept_header.as_deref()?.into(),
            color_depth: browser.color_depth?,
            java_enabled: browser.java_enabled?,
            language: browser.language.as_deref()?.into(),
            screen_height: browser.screen_height?,
            screen_width: browser.screen_width?,
            time_zone_offset: browser.time_zone?,
            user_agent: browser.user_agent.as_deref()?.into(),
        })
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
