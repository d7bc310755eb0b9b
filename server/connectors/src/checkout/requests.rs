//! Builds Checkout.com's requests. Details that it has no member for, or would refuse in the
//! merchant's form, are left out: they don't change the operation.

use multirail_kernel::currency::Currency;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::money::Money;
use multirail_sdk::card::{Card, Network};
use multirail_sdk::charge::AuthenticationType;
use multirail_sdk::connector::details::{
    Address as Given, Authentication, Descriptor, FutureUsage, Initiation, MitCategory, Payer,
    Phone as GivenPhone, Place, ScaExemption,
};
use multirail_sdk::connector::{
    AuthorizeRequest, CaptureRequest, Details, OperationKind, RefundRequest,
};
use multirail_sdk::instrument::{NetworkToken, PaymentMethodData};
use multirail_sdk::wallet::Wallet;

use super::description::UNITS;
use super::wire::{
    ActionRequest, Address, BillingDescriptor, CaptureType, CardSource, Customer, Enabled, Item,
    NetworkTokenSource, Notes, PaymentRequest, PaymentType, Phone, Shipping, Source, ThreeDs,
    key_member, reference_of,
};
use crate::amounts::{NotWritable, to_processor};
use crate::text::{cut, said};

const LONGEST_DESCRIPTION: usize = 100;
const LONGEST_LINE: usize = 200;
const LONGEST_CITY: usize = 50;
/// The maximum length of a metadata text.
const LONGEST_NOTE: usize = 100;
/// The maximum number of the merchant's metadata entries.
const MOST_NOTES: usize = 7;
/// Our names in metadata.
const RESERVED: [&str; 8] = [
    "multirail_key",
    "multirail_increment",
    "multirail_capture",
    "multirail_void",
    "multirail_refund",
    "order_reference",
    "payment_id",
    "reason",
];
const MOST_ITEMS: usize = 100;
const LONGEST_ITEM: usize = 255;
const LONGEST_ITEM_REFERENCE: usize = 50;
/// The printed length of the merchant's name and city.
const LONGEST_NAME_ON_STATEMENT: usize = 25;
const LONGEST_CITY_ON_STATEMENT: usize = 13;

/// Builds the request for a payment. An amount of 0 checks the card.
///
/// # Errors
/// [`NotWritable`]
pub fn payment<'a>(
    request: &'a AuthorizeRequest,
    channel: Option<&'a str>,
) -> Result<PaymentRequest<'a>, NotWritable> {
    let details = &request.details;
    let initiation = &details.initiation;
    let takes_money = request.money.amount_minor > 0;
    let browser = details.authentication.browser.as_ref();
    let order = details.order.reference.as_deref();
    let mut metadata = notes(OperationKind::Authorize, &request.key);
    let own = details.metadata.iter();
    let own = own.filter(|(name, _)| !RESERVED.contains(&name.as_str()) && !name.is_empty());
    metadata.extend(
        own.take(MOST_NOTES)
            .filter_map(|(name, text)| note(name, Some(text))),
    );
    metadata.extend(note("order_reference", order));
    metadata.extend(note("payment_id", details.payment_id.as_deref()));
    Ok(PaymentRequest {
        source: source(request)?,
        amount: to_processor(&UNITS, request.money)?,
        currency: request.money.currency.as_str(),
        payment_type: payment_type(initiation),
        merchant_initiated: is_away(initiation).then_some(true),
        previous_payment_id: initiation
            .network_transaction_id
            .as_deref()
            .filter(|_| is_away(initiation)),
        reference: reference_of(&request.key),
        description: said(&details.description).map(|text| cut(text, LONGEST_DESCRIPTION)),
        capture: takes_money.then_some(request.capture),
        partial_authorization: details.takes_less.then_some(Enabled { enabled: true }),
        customer: customer(&details.payer),
        billing_descriptor: descriptor(&details.descriptor),
        shipping: details.payer.shipping.as_ref().and_then(shipping),
        three_ds: three_ds(details),
        processing_channel_id: channel,
        success_url: &request.return_url,
        failure_url: &request.return_url,
        payment_ip: browser.and_then(|browser| browser.ip_address.as_deref()),
        metadata,
        items: items(details, request.money.currency),
    })
}

/// Returns the lines of the order, if all of them can be written.
fn items(details: &Details, currency: Currency) -> Vec<Item<'_>> {
    let items = details.order.items.iter().take(MOST_ITEMS);
    let items: Option<Vec<Item<'_>>> = items
        .map(|item| {
            let money = Money::new(item.amount, currency);
            let reference = item.sku.as_deref().or(item.product_id.as_deref());
            Some(Item {
                name: cut(&item.product_name, LONGEST_ITEM),
                quantity: item.quantity,
                unit_price: UNITS.to_processor(money)?,
                reference: reference.filter(|text| text.chars().count() <= LONGEST_ITEM_REFERENCE),
            })
        })
        .collect();
    items.unwrap_or_default()
}

/// Builds the request for a capture.
///
/// # Errors
/// [`NotWritable`]
pub fn capture(request: &CaptureRequest) -> Result<ActionRequest<'_>, NotWritable> {
    Ok(ActionRequest {
        amount: Some(to_processor(&UNITS, request.money)?),
        capture_type: Some(if request.is_final {
            CaptureType::Final
        } else {
            CaptureType::NonFinal
        }),
        ..action(OperationKind::Capture, &request.key, None)
    })
}

/// Builds the request for a refund.
///
/// # Errors
/// [`NotWritable`]
pub fn refund(request: &RefundRequest) -> Result<ActionRequest<'_>, NotWritable> {
    let reason = request.reason.as_deref();
    Ok(ActionRequest {
        amount: Some(to_processor(&UNITS, request.money)?),
        ..action(OperationKind::Refund, &request.key, reason)
    })
}

/// Builds the request for a void or a reversal, which affect the whole payment.
pub fn whole<'a>(key: &'a ProcessorKey, reason: Option<&'a str>) -> ActionRequest<'a> {
    action(OperationKind::Void, key, reason)
}

fn action<'a>(
    kind: OperationKind,
    key: &'a ProcessorKey,
    reason: Option<&'a str>,
) -> ActionRequest<'a> {
    let mut metadata = notes(kind, key);
    metadata.extend(note("reason", reason));
    ActionRequest {
        amount: None,
        capture_type: None,
        reference: reference_of(key),
        metadata,
    }
}

fn notes(kind: OperationKind, key: &ProcessorKey) -> Notes<'_> {
    Notes::from([(key_member(kind), key.as_str())])
}

/// Returns a metadata entry, or `None` if the text is too long.
fn note<'a>(name: &'a str, text: Option<&'a str>) -> Option<(&'a str, &'a str)> {
    let text = text.filter(|text| (1..=LONGEST_NOTE).contains(&text.chars().count()));
    Some((name, text?))
}

fn source(request: &AuthorizeRequest) -> Result<Source<'_>, NotWritable> {
    Ok(match &request.data {
        PaymentMethodData::Card(card) => Source::Card(Box::new(card_source(card, request))),
        PaymentMethodData::NetworkToken(token) => {
            Source::NetworkToken(Box::new(token_source(token, request)?))
        }
        PaymentMethodData::Sealed(token) => return Err(NotWritable::instrument_of(token.wallet)),
        PaymentMethodData::Kept(_) => return Err(NotWritable::KEPT_ELSEWHERE),
        PaymentMethodData::Payer(payer) => return Err(NotWritable::payer_method(payer)),
    })
}

/// Returns a network token with its cryptogram. Checkout.com requires the wallet or scheme that
/// issued it.
fn token_source<'a>(
    token: &'a NetworkToken,
    request: &'a AuthorizeRequest,
) -> Result<NetworkTokenSource<'a>, NotWritable> {
    let token_type = match (token.wallet, token.card.details.network) {
        (Some(Wallet::ApplePay), _) => "applepay",
        (Some(Wallet::GooglePay), _) => "googlepay",
        (Some(other), _) => return Err(NotWritable::instrument_of(other)),
        (None, Some(Network::Visa)) => "vts",
        (None, Some(Network::Mastercard)) => "mdes",
        (None, _) => return Err(NotWritable::NETWORK_TOKEN),
    };
    let card = card_source(&token.card, request);
    Ok(NetworkTokenSource {
        kind: "network_token",
        token: card.number,
        expiry_month: card.expiry_month,
        expiry_year: card.expiry_year,
        token_type,
        cryptogram: token.cryptogram.as_ref().map(|proof| proof.expose()),
        eci: token.eci.as_deref(),
        name: card.name,
        stored: card.stored,
        store_for_future_use: card.store_for_future_use,
        billing_address: card.billing_address,
        phone: card.phone,
    })
}

fn card_source<'a>(card: &'a Card, request: &'a AuthorizeRequest) -> CardSource<'a> {
    let details = &request.details;
    let initiation = &details.initiation;
    let billing = details.payer.billing.as_ref();
    let is_stored = is_away(initiation) || initiation.is_stored_credential == Some(true);
    CardSource {
        kind: "card",
        number: card.number.expose(),
        expiry_month: card.expiry.month(),
        expiry_year: card.expiry.year(),
        cvv: card.code.as_ref().map(|code| code.expose()),
        name: card.holder.name.as_deref(),
        stored: is_stored.then_some(true),
        store_for_future_use: initiation.future_usage.is_some(),
        billing_address: billing.and_then(|billing| address(billing.address.as_ref()?)),
        phone: billing
            .and_then(of_address)
            .or_else(|| own_phone(&details.payer)),
    }
}

/// Checks whether the payer is absent.
fn is_away(initiation: &Initiation) -> bool {
    initiation.off_session == Some(true)
}

fn is_by_post_or_phone(initiation: &Initiation) -> bool {
    matches!(
        initiation.channel.as_deref(),
        Some("mail_order" | "telephone_order")
    )
}

fn payment_type(initiation: &Initiation) -> PaymentType {
    if is_away(initiation) {
        return match initiation.mit_category {
            Some(MitCategory::Recurring) => PaymentType::Recurring,
            Some(MitCategory::Installment) => PaymentType::Installment,
            Some(MitCategory::Unscheduled | MitCategory::Resubmission) | None => {
                PaymentType::Unscheduled
            }
        };
    }
    if is_by_post_or_phone(initiation) {
        return PaymentType::Moto;
    }
    match initiation.future_usage {
        // The first of several charges without the payer.
        Some(FutureUsage::OffSession) => PaymentType::Unscheduled,
        Some(FutureUsage::OnSession) | None => PaymentType::Regular,
    }
}

/// Returns the wish for authentication. Checkout.com authenticates only on request, and never an
/// absent payer.
fn three_ds(details: &Details) -> Option<ThreeDs> {
    let Authentication {
        wanted,
        force_challenge,
        exemption,
        ..
    } = &details.authentication;
    let initiation = &details.initiation;
    let is_forced = *force_challenge == Some(true);
    let is_wanted = match wanted {
        Some(AuthenticationType::ThreeDs) => true,
        Some(AuthenticationType::NoThreeDs) | None => is_forced,
    };
    let is_there = !is_away(initiation) && !is_by_post_or_phone(initiation);
    let enabled = is_wanted && is_there;
    let exemption = exemption.map(|exemption| match exemption {
        ScaExemption::LowValue => "low_value",
        ScaExemption::TransactionRiskAnalysis => "transaction_risk_assessment",
    });
    (enabled || exemption.is_some()).then_some(ThreeDs {
        enabled,
        challenge_indicator: (enabled && is_forced).then_some("challenge_requested_mandate"),
        exemption,
    })
}

fn customer(payer: &Payer) -> Option<Customer<'_>> {
    let email = said(&payer.email);
    let name = said(&payer.name);
    (email.is_some() || name.is_some()).then_some(Customer { email, name })
}

fn descriptor(descriptor: &Descriptor) -> Option<BillingDescriptor> {
    let name = said(&descriptor.text).or(said(&descriptor.name))?;
    let city = said(&descriptor.city)?;
    Some(BillingDescriptor {
        name: cut(name, LONGEST_NAME_ON_STATEMENT),
        city: cut(city, LONGEST_CITY_ON_STATEMENT),
    })
}

fn shipping(given: &Given) -> Option<Shipping<'_>> {
    Some(Shipping {
        address: address(given.address.as_ref()?)?,
        phone: of_address(given),
    })
}

fn address(place: &Place) -> Option<Address<'_>> {
    let short = |text: &Option<String>, longest| said(text).map(|text| cut(text, longest));
    let address = Address {
        address_line1: short(&place.line1, LONGEST_LINE),
        // Checkout.com has two address lines.
        address_line2: {
            let lines = [said(&place.line2), said(&place.line3)];
            let lines: Vec<&str> = lines.into_iter().flatten().collect();
            (!lines.is_empty()).then(|| cut(&lines.join(", "), LONGEST_LINE))
        },
        city: short(&place.city, LONGEST_CITY),
        state: said(&place.state),
        zip: said(&place.zip).filter(|zip| zip.len() <= 50),
        country: place.country.map(|country| country.as_str()),
    };
    (address != Address::default()).then_some(address)
}

fn of_address(given: &Given) -> Option<Phone<'_>> {
    let GivenPhone {
        number,
        country_code,
        unread: _,
    } = given.phone.as_ref()?;
    phone(country_code, number)
}

fn own_phone(payer: &Payer) -> Option<Phone<'_>> {
    phone(&payer.phone_country_code, &payer.phone)
}

fn phone<'a>(country_code: &'a Option<String>, number: &'a Option<String>) -> Option<Phone<'a>> {
    Some(Phone {
        country_code: said(country_code).filter(|code| code.len() <= 7),
        number: said(number).filter(|number| (6..=25).contains(&number.len()))?,
    })
}
