//! Builds Stripe's requests.
//!
//! One request creates and confirms a payment with its instrument, and its answer includes the
//! charge. Details that Stripe has no member for are left out.

use multirail_kernel::currency::Currency;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::money::Money;
use multirail_sdk::connector::details::{self, Details, FutureUsage};
use multirail_sdk::connector::{
    AuthorizeRequest, CaptureRequest, IncrementRequest, KeepCustomerRequest, RefundRequest,
};
use multirail_sdk::instrument::PaymentMethodData;

use super::address::{billing, shipping};
use super::cards::{CARD, card_data, card_options, installments, options};
use super::description::UNITS;
use super::payer_methods::{self, AFTERPAY};
use super::wire;
use crate::amounts::{NotWritable, to_processor};
use crate::text::{cut, said};

/// The maximum length of a value in `metadata`.
const LONGEST_NOTE: usize = 500;
/// The maximum length of a name in `metadata`.
const LONGEST_NAME: usize = 40;
/// The maximum number of the merchant's entries. The rest is reserved for captures and increments.
const MOST_NOTES: usize = 20;
const MOST_ITEMS: usize = 200;
const LONGEST_PRODUCT: usize = 1_024;
const LONGEST_ORDER_REFERENCE: usize = 255;
const LONGEST_DESCRIPTION: usize = 1_000;
/// The maximum length of a statement text, with the account's own prefix.
const LONGEST_DESCRIPTOR: usize = 22;
/// The minimum length of a whole statement text.
const SHORTEST_DESCRIPTOR: usize = 5;

/// Requests a card feature without requiring it.
const IF_AVAILABLE: &str = "if_available";

/// Builds the request for a customer for whom Stripe stores cards. `key` is the mark by which the
/// customer is found again.
pub fn customer(request: &KeepCustomerRequest, key: &str) -> wire::NewCustomer {
    let id = cut(&request.customer_id, LONGEST_NOTE);
    wire::NewCustomer {
        name: said(&request.name).map(str::to_owned),
        email: said(&request.email).map(str::to_owned),
        phone: said(&request.phone).map(str::to_owned),
        metadata: wire::Metadata::from([
            (wire::CUSTOMER_ID.to_owned(), id),
            (wire::OUR_KEY.to_owned(), key.to_owned()),
        ]),
    }
}

/// Builds the request for a payment. `in_parts`: the account may capture it in several parts.
pub fn payment<'a>(
    request: &'a AuthorizeRequest,
    in_parts: bool,
) -> Result<wire::NewPaymentIntent<'a>, NotWritable> {
    let details = &request.details;
    let in_parts = in_parts && !request.capture;
    let off_session = details.initiation.off_session == Some(true);
    let mandate = details.initiation.mandate.as_ref();
    let data = match mandate {
        None => Some(method_data(request)?),
        Some(_) => None,
    };
    let kind = data.as_ref().map_or(CARD, |data| data.kind);
    let is_card = kind == CARD;
    Ok(wire::NewPaymentIntent {
        amount: to_processor(&UNITS, request.money)?,
        currency: request.money.currency.as_str().to_lowercase(),
        confirm: true,
        capture_method: if request.capture {
            "automatic"
        } else {
            "manual"
        },
        payment_method_types: [kind],
        payment_method_data: data,
        payment_method: mandate.map(|mandate| mandate.connector_mandate_id.as_str()),
        customer: mandate
            .and_then(|mandate| mandate.connector_customer_id.as_deref())
            .or(request.keeper()),
        payment_method_options: match &request.data {
            PaymentMethodData::Payer(payer) => payer_methods::options(payer),
            PaymentMethodData::Card(_)
            | PaymentMethodData::NetworkToken(_)
            | PaymentMethodData::Kept(_)
            | PaymentMethodData::Sealed(_)
            | PaymentMethodData::BankDebit(_) => options(wire::CardOptions {
                installments: installments(details),
                request_multicapture: in_parts.then_some(IF_AVAILABLE),
                request_incremental_authorization: details.may_be_raised.then_some(IF_AVAILABLE),
                request_extended_authorization: details.stands_longer.then_some(IF_AVAILABLE),
                request_overcapture: details.may_be_exceeded.then_some(IF_AVAILABLE),
                ..card_options(details)
            }),
        },
        // An absent payer can't be redirected.
        return_url: (!off_session).then_some(request.return_url.as_str()),
        off_session: off_session.then_some(true),
        // The two exclude each other: an absent payer can't consent.
        setup_future_usage: usage(details).filter(|_| !off_session),
        description: description(details),
        statement_descriptor: descriptor(&details.descriptor).filter(|_| !is_card),
        statement_descriptor_suffix: descriptor_suffix(&details.descriptor).filter(|_| is_card),
        shipping: shipping(details).filter(|to| kind != AFTERPAY || to.address.is_complete()),
        amount_details: amount_details(details, request.money.currency),
        payment_details: details
            .order
            .reference
            .as_ref()
            .map(|reference| wire::PaymentDetails {
                order_reference: cut(reference, LONGEST_ORDER_REFERENCE),
            }),
        metadata: metadata(&request.key, details),
        expand: ["latest_charge"],
    })
}

/// Builds the request for a card check, which replaces a payment of 0.
///
/// # Errors
/// [`NotWritable`]
pub fn check(request: &AuthorizeRequest) -> Result<wire::NewSetupIntent<'_>, NotWritable> {
    let details = &request.details;
    Ok(wire::NewSetupIntent {
        confirm: true,
        payment_method_types: [CARD],
        payment_method_data: card_data(request)?,
        customer: request.keeper(),
        payment_method_options: options(card_options(details)),
        return_url: Some(request.return_url.as_str()),
        usage: usage(details).unwrap_or("on_session"),
        description: description(details),
        metadata: metadata(&request.key, details),
    })
}

/// Builds the request for a capture. Its key and amount go into the payment's metadata, so that the
/// payment shows which captures took place.
pub fn capture(request: &CaptureRequest) -> Result<wire::Capture, NotWritable> {
    let amount = to_processor(&UNITS, request.money)?;
    Ok(wire::Capture {
        amount_to_capture: amount,
        final_capture: (!request.is_final).then_some(false),
        statement_descriptor_suffix: descriptor_suffix(&request.descriptor),
        metadata: note(&request.key, wire::Note::Captured(amount)),
    })
}

/// Builds the request for an increment. Its key and the new total go into the payment's metadata.
pub fn raise(request: &IncrementRequest) -> Result<wire::Raise, NotWritable> {
    let amount = to_processor(&UNITS, request.money)?;
    Ok(wire::Raise {
        amount,
        metadata: note(&request.key, wire::Note::RaisedTo(amount)),
    })
}

fn note(key: &ProcessorKey, note: wire::Note) -> wire::Metadata {
    wire::Metadata::from([(key.to_string(), note.written())])
}

/// Builds the request for a cancellation. The merchant's reason is sent if it is one of Stripe's
/// words.
pub fn cancel(reason: Option<&str>) -> wire::Cancel {
    const WORDS: [&str; 3] = ["duplicate", "requested_by_customer", "abandoned"];
    wire::Cancel {
        cancellation_reason: one_of(&WORDS, reason),
    }
}

/// Builds the request for a refund of `payment_intent`.
pub fn refund<'a>(
    request: &RefundRequest,
    payment_intent: &'a str,
) -> Result<wire::NewRefund<'a>, NotWritable> {
    const WORDS: [&str; 3] = ["duplicate", "fraudulent", "requested_by_customer"];
    let reason = request.reason.as_deref();
    let mut metadata = our_key(&request.key);
    if let Some(reason) = reason {
        metadata.insert("reason".to_owned(), cut(reason, LONGEST_NOTE));
    }
    Ok(wire::NewRefund {
        payment_intent,
        amount: Some(to_processor(&UNITS, request.money)?),
        reason: one_of(&WORDS, reason),
        metadata,
    })
}

/// Builds the request for a refund of everything that `payment_intent` captured. It voids a payment
/// that was captured at once.
pub fn whole_refund<'a>(key: &ProcessorKey, payment_intent: &'a str) -> wire::NewRefund<'a> {
    wire::NewRefund {
        payment_intent,
        amount: None,
        reason: None,
        metadata: wire::Metadata::from([(wire::OUR_VOID_KEY.to_owned(), key.to_string())]),
    }
}

fn our_key(key: &ProcessorKey) -> wire::Metadata {
    wire::Metadata::from([(wire::OUR_KEY.to_owned(), key.to_string())])
}

fn metadata(key: &ProcessorKey, details: &Details) -> wire::Metadata {
    let mut metadata = our_key(key);
    let mut note = |name: &str, value: &Option<String>| {
        if let Some(value) = value {
            metadata.insert(name.to_owned(), cut(value, LONGEST_NOTE));
        }
    };
    note(wire::ORDER_REFERENCE, &details.order.reference);
    note(wire::CUSTOMER_ID, &details.payer.customer_id);
    note(wire::PAYMENT_ID, &details.payment_id);
    let own = details.metadata.iter().filter(|(name, text)| {
        let fits = (1..=LONGEST_NAME).contains(&name.chars().count());
        fits && !name.contains(['[', ']']) && !text.is_empty() && !wire::is_ours(name, text)
    });
    for (name, text) in own.take(MOST_NOTES) {
        metadata.insert(name.clone(), cut(text, LONGEST_NOTE));
    }
    metadata
}

/// Returns the lines of the order. If the sums don't match, Stripe reports that and accepts the
/// payment.
fn amount_details(details: &Details, currency: Currency) -> Option<wire::AmountDetails> {
    let order = &details.order;
    let amount = |amount: i64| {
        UNITS
            .to_processor(Money::new(amount, currency))
            .filter(|amount| *amount >= 0)
    };
    let positive = |given: Option<i64>| given.and_then(amount).filter(|amount| *amount > 0);
    let items = order
        .items
        .iter()
        .filter(|item| item.quantity > 0)
        .take(MOST_ITEMS);
    let line_items: Option<Vec<wire::LineItem>> = items
        .map(|item| {
            let discount = item.unit_discount_amount;
            let discount = discount.and_then(|one| one.checked_mul(i64::from(item.quantity)));
            let code = item.product_id.as_ref().or(item.sku.as_ref());
            Some(wire::LineItem {
                product_name: cut(&item.product_name, LONGEST_PRODUCT),
                quantity: item.quantity,
                unit_cost: amount(item.amount)?,
                product_code: code.filter(|code| (1..=12).contains(&code.len())).cloned(),
                unit_of_measure: item.unit_of_measure.clone(),
                discount_amount: positive(discount),
                tax: item.total_tax_amount.and_then(amount).map(wire::Tax::new),
            })
        })
        .collect();
    let line_items = line_items.unwrap_or_default();
    // Tax and discount are given either for the order or for its lines.
    let is_taxed = line_items.iter().any(|line| line.tax.is_some());
    let is_discounted = line_items.iter().any(|line| line.discount_amount.is_some());
    let told = wire::AmountDetails {
        discount_amount: positive(order.discount_amount).filter(|_| !is_discounted),
        shipping: order
            .shipping_cost
            .and_then(amount)
            .map(|amount| wire::ShippingAmount { amount }),
        tax: order
            .order_tax_amount
            .and_then(amount)
            .map(wire::Tax::new)
            .filter(|_| !is_taxed),
        line_items,
        enforce_arithmetic_validation: false,
    };
    told.says_something().then_some(told)
}

fn method_data(request: &AuthorizeRequest) -> Result<wire::MethodData<'_>, NotWritable> {
    match &request.data {
        PaymentMethodData::Payer(payer) => {
            payer_methods::data(payer, billing(None, &request.details))
        }
        PaymentMethodData::Card(_)
        | PaymentMethodData::NetworkToken(_)
        | PaymentMethodData::Kept(_)
        | PaymentMethodData::Sealed(_)
        | PaymentMethodData::BankDebit(_) => card_data(request),
    }
}

fn usage(details: &Details) -> Option<&'static str> {
    details.initiation.future_usage.map(FutureUsage::as_str)
}

fn description(details: &Details) -> Option<String> {
    let text = details.description.as_deref()?;
    Some(cut(text, LONGEST_DESCRIPTION))
}

/// Returns the statement line.
fn descriptor(descriptor: &details::Descriptor) -> Option<String> {
    let said = descriptor.text.as_ref().or(descriptor.suffix.as_ref())?;
    usable_line(said).filter(|line| line.len() >= SHORTEST_DESCRIPTOR)
}

/// Returns the suffix of the statement line, which Stripe prints after the account's prefix.
fn descriptor_suffix(descriptor: &details::Descriptor) -> Option<String> {
    let said = descriptor.suffix.as_ref().or(descriptor.text.as_ref())?;
    usable_line(said)
}

/// Removes refused characters. Returns `None` for a text without a letter, so that the payment can't
/// fail because of it.
fn usable_line(said: &str) -> Option<String> {
    let taken = |c: &char| c.is_ascii_graphic() || *c == ' ';
    let refused = |c: &char| "<>\\'\"*".contains(*c);
    let line: String = said
        .chars()
        .filter(|c| taken(c) && !refused(c))
        .take(LONGEST_DESCRIPTOR)
        .collect();
    let line = line.trim();
    let has_letter = line.contains(|c: char| c.is_ascii_alphabetic());
    has_letter.then(|| line.to_owned())
}

fn one_of(words: &[&'static str], said: Option<&str>) -> Option<&'static str> {
    words.iter().copied().find(|word| Some(*word) == said)
}
