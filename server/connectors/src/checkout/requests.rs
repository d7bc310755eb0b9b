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
use super::generated::wire::{
    Address, BillingDescriptor, CaptureRequest as Capture, CaptureRequestCaptureType, CardSource,
    CardSourceMust, Customer, Item, Metadata, NetworkTokenSource, NetworkTokenSourceMust,
    NetworkTokenSourceTokenType, PartialAuthorization, PaymentRequest, PaymentRequestMust,
    PaymentRequestPaymentType as PaymentType, Phone, RefundRequest as Refund, Shipping, Source,
    ThreeDs, ThreeDsChallengeIndicator, ThreeDsExemption, WholeRequest,
};
use super::keys::{key_member, reference_of};
use crate::amounts::{NotWritable, to_processor};
use crate::text::{Secret, Text, said};

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
    let mut metadata = notes(OperationKind::Authorize, &request.key, None);
    let own = details.metadata.iter();
    let own = own.filter(|(name, _)| !RESERVED.contains(&name.as_str()) && !name.is_empty());
    metadata.extend(
        own.take(MOST_NOTES)
            .filter_map(|(name, text)| note(name, Some(text))),
    );
    metadata.extend(note("order_reference", order));
    metadata.extend(note("payment_id", details.payment_id.as_deref()));
    let must = PaymentRequestMust {
        source: source(request)?,
        currency: Text::cut(request.money.currency.as_str()),
    };
    Ok(PaymentRequest {
        amount: Some(to_processor(&UNITS, request.money)?),
        payment_type: Some(payment_type(initiation)),
        merchant_initiated: is_away(initiation).then_some(true),
        previous_payment_id: initiation
            .network_transaction_id
            .as_deref()
            .filter(|_| is_away(initiation))
            .and_then(Text::whole),
        reference: Text::whole(reference_of(&request.key)),
        description: said(&details.description).map(Text::cut),
        capture: takes_money.then_some(request.capture),
        partial_authorization: details.takes_less.then_some(PartialAuthorization {
            enabled: Some(true),
        }),
        customer: customer(&details.payer),
        billing_descriptor: descriptor(&details.descriptor),
        shipping: details.payer.shipping.as_ref().and_then(shipping),
        x3ds: three_ds(details),
        processing_channel_id: channel.map(Text::from),
        success_url: Text::whole(&request.return_url),
        failure_url: Text::whole(&request.return_url),
        payment_ip: browser
            .and_then(|browser| browser.ip_address.as_deref())
            .and_then(Text::whole),
        metadata,
        items: items(details, request.money.currency),
        ..PaymentRequest::with(must)
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
                name: Some(Text::cut(&item.product_name)),
                quantity: Some(item.quantity.into()),
                unit_price: Some(UNITS.to_processor(money)?),
                reference: reference.and_then(Text::whole),
            })
        })
        .collect();
    items.unwrap_or_default()
}

/// Builds the request for a capture.
///
/// # Errors
/// [`NotWritable`]
pub fn capture(request: &CaptureRequest) -> Result<Capture<'_>, NotWritable> {
    Ok(Capture {
        amount: Some(to_processor(&UNITS, request.money)?),
        capture_type: Some(if request.is_final {
            CaptureRequestCaptureType::Final
        } else {
            CaptureRequestCaptureType::NonFinal
        }),
        reference: Text::whole(reference_of(&request.key)),
        metadata: notes(OperationKind::Capture, &request.key, None),
    })
}

/// Builds the request for a refund.
///
/// # Errors
/// [`NotWritable`]
pub fn refund(request: &RefundRequest) -> Result<Refund<'_>, NotWritable> {
    let reason = request.reason.as_deref();
    Ok(Refund {
        amount: Some(to_processor(&UNITS, request.money)?),
        reference: Text::whole(reference_of(&request.key)),
        metadata: notes(OperationKind::Refund, &request.key, reason),
    })
}

/// Builds the request for a void or a reversal, which affect the whole payment.
pub fn whole<'a>(key: &'a ProcessorKey, reason: Option<&'a str>) -> WholeRequest<'a> {
    WholeRequest {
        reference: Text::whole(reference_of(key)),
        metadata: notes(OperationKind::Void, key, reason),
    }
}

/// Returns the metadata of an operation: our key, and the reason.
fn notes<'a>(kind: OperationKind, key: &'a ProcessorKey, reason: Option<&'a str>) -> Metadata<'a> {
    let key = note(key_member(kind), Some(key.as_str()));
    key.into_iter().chain(note("reason", reason)).collect()
}

/// Returns a metadata entry, or `None` if the text is too long or empty.
fn note<'a>(name: &'a str, text: Option<&'a str>) -> Option<(Text<'a>, Text<'a, 100>)> {
    let text = text.filter(|text| !text.is_empty());
    Some((name.into(), Text::whole(text?)?))
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
        PaymentMethodData::BankDebit(account) => return Err(NotWritable::debit(account)),
    })
}

/// Returns a network token with its cryptogram. Checkout.com requires the wallet or scheme that
/// issued it.
fn token_source<'a>(
    token: &'a NetworkToken,
    request: &'a AuthorizeRequest,
) -> Result<NetworkTokenSource<'a>, NotWritable> {
    use NetworkTokenSourceTokenType::{Applepay, Googlepay, Mdes, Vts};
    let token_type = match (token.wallet, token.card.details.network) {
        (Some(Wallet::ApplePay), _) => Applepay,
        (Some(Wallet::GooglePay), _) => Googlepay,
        (Some(other), _) => return Err(NotWritable::instrument_of(other)),
        (None, Some(Network::Visa)) => Vts,
        (None, Some(Network::Mastercard)) => Mdes,
        (None, _) => return Err(NotWritable::NETWORK_TOKEN),
    };
    let card = card_source(&token.card, request);
    let must = NetworkTokenSourceMust {
        token: card.number,
        expiry_month: card.expiry_month,
        expiry_year: card.expiry_year,
        token_type,
    };
    Ok(NetworkTokenSource {
        cryptogram: (token.cryptogram.as_ref()).map(|proof| Secret::new(proof.expose())),
        eci: token.eci.as_deref().and_then(Text::whole),
        name: card.name,
        stored: card.stored,
        store_for_future_use: card.store_for_future_use,
        billing_address: card.billing_address,
        phone: card.phone,
        ..NetworkTokenSource::with(must)
    })
}

fn card_source<'a>(card: &'a Card, request: &'a AuthorizeRequest) -> CardSource<'a> {
    let details = &request.details;
    let initiation = &details.initiation;
    let billing = details.payer.billing.as_ref();
    let is_stored = is_away(initiation) || initiation.is_stored_credential == Some(true);
    let must = CardSourceMust {
        number: Secret::new(card.number.expose()),
        expiry_month: card.expiry.month(),
        expiry_year: card.expiry.year(),
    };
    CardSource {
        cvv: card.code.as_ref().map(|code| Secret::new(code.expose())),
        name: card.holder.name.as_deref().map(Text::from),
        stored: is_stored.then_some(true),
        store_for_future_use: Some(initiation.future_usage.is_some()),
        billing_address: billing.and_then(|billing| address(billing.address.as_ref()?)),
        phone: billing
            .and_then(of_address)
            .or_else(|| own_phone(&details.payer)),
        ..CardSource::with(must)
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
        ScaExemption::LowValue => ThreeDsExemption::LowValue,
        ScaExemption::TransactionRiskAnalysis => ThreeDsExemption::TransactionRiskAssessment,
    });
    (enabled || exemption.is_some()).then_some(ThreeDs {
        enabled: Some(enabled),
        challenge_indicator: (enabled && is_forced)
            .then_some(ThreeDsChallengeIndicator::ChallengeRequestedMandate),
        exemption,
    })
}

fn customer(payer: &Payer) -> Option<Customer<'_>> {
    let customer = Customer {
        email: said(&payer.email).map(Text::from),
        name: said(&payer.name).map(Text::cut),
    };
    customer.unless_empty()
}

fn descriptor(descriptor: &Descriptor) -> Option<BillingDescriptor<'_>> {
    let name = said(&descriptor.text).or(said(&descriptor.name))?;
    Some(BillingDescriptor {
        name: Text::cut(name),
        city: Text::cut(said(&descriptor.city)?),
    })
}

fn shipping(given: &Given) -> Option<Shipping<'_>> {
    Some(Shipping {
        address: Some(address(given.address.as_ref()?)?),
        phone: of_address(given),
    })
}

fn address(place: &Place) -> Option<Address<'_>> {
    // Checkout.com has two address lines.
    let others = [said(&place.line2), said(&place.line3)];
    let others: Vec<&str> = others.into_iter().flatten().collect();
    let address = Address {
        address_line1: said(&place.line1).map(Text::cut),
        address_line2: (!others.is_empty()).then(|| Text::cut(others.join(", "))),
        city: said(&place.city).map(Text::cut),
        state: said(&place.state).map(Text::from),
        zip: said(&place.zip).and_then(Text::whole),
        country: place.country.map(|country| Text::cut(country.as_str())),
    };
    address.unless_empty()
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
        country_code: said(country_code).and_then(Text::whole),
        number: Some(said(number).and_then(Text::whole)?),
    })
}
