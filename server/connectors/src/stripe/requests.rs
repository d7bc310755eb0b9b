//! Builds Stripe's requests.
//!
//! One request creates and confirms a payment with its instrument, and its answer includes the
//! charge. Details that Stripe has no member for are left out.

use multirail_kernel::ids::ProcessorKey;
use multirail_sdk::connector::details::{Details, FutureUsage};
use multirail_sdk::connector::{
    AuthorizeRequest, CaptureRequest, Descriptor, IncrementRequest, KeepCustomerRequest,
    RefundRequest,
};

use super::address::shipping;
use super::description::UNITS;
use super::generated::wire::{
    self, Cancellation, CancellationCancellationReason, Expansion, Metadata, MethodType,
    NewCapture, NewCaptureMust, NewCustomer, NewCustomerMust, NewPaymentIntent,
    NewPaymentIntentCaptureMethod, NewPaymentIntentMust, NewRefund, NewRefundMust, NewRefundReason,
    NewSetupIntent, NewSetupIntentMust, NewTotal, PaymentDetails,
};
use super::notes::{self, Note};
use super::order::amount_details;
use super::{cards, instrument};
use crate::amounts::{NotWritable, to_processor};
use crate::text::{Text, said};

/// The maximum length of a name in `metadata`.
const LONGEST_NAME: usize = 40;
/// The maximum number of the merchant's entries. The rest is reserved for captures and increments.
const MOST_NOTES: usize = 20;
/// The maximum length of a statement text, with the account's own prefix.
const LONGEST_DESCRIPTOR: usize = 22;

/// Builds the request for a customer for whom Stripe stores cards. `key` is the mark by which the
/// customer is found again.
pub fn customer<'a>(request: &'a KeepCustomerRequest, key: &'a str) -> NewCustomer<'a> {
    let metadata = Metadata::from([
        entry(notes::CUSTOMER_ID, &request.customer_id),
        entry(notes::OUR_KEY, key),
    ]);
    NewCustomer {
        name: said(&request.name).map(Text::cut),
        email: said(&request.email).and_then(Text::whole),
        phone: said(&request.phone).and_then(Text::whole),
        ..NewCustomer::with(NewCustomerMust { metadata })
    }
}

/// Builds the request for a payment. `in_parts`: the account may capture it in several parts.
///
/// # Errors
/// [`NotWritable`]
pub fn payment(
    request: &AuthorizeRequest,
    in_parts: bool,
) -> Result<NewPaymentIntent<'_>, NotWritable> {
    let details = &request.details;
    let off_session = details.initiation.off_session == Some(true);
    let mandate = details.initiation.mandate.as_ref();
    let data = match mandate {
        None => Some(instrument::data(request)?),
        Some(_) => None,
    };
    let stored = || instrument::stored(request);
    let kind = data.as_ref().map_or_else(stored, |data| data.kind);
    let is_card = kind == MethodType::Card;
    let must = NewPaymentIntentMust {
        amount: to_processor(&UNITS, request.money)?,
        currency: Text::from(request.money.currency.as_str().to_lowercase()),
        confirm: true,
        capture_method: if request.capture {
            NewPaymentIntentCaptureMethod::Automatic
        } else {
            NewPaymentIntentCaptureMethod::Manual
        },
        payment_method_types: vec![kind],
        metadata: metadata(&request.key, details),
    };
    let mandate_data = instrument::consent(request)?;
    // The consent to a debit comes with it, so that the payer counts as present.
    let is_away = off_session && mandate_data.is_none();
    Ok(NewPaymentIntent {
        payment_method_data: data,
        mandate_data,
        payment_method: mandate.map(|mandate| Text::from(mandate.connector_mandate_id.as_str())),
        customer: mandate
            .and_then(|mandate| mandate.connector_customer_id.as_deref())
            .or(request.keeper())
            .map(Text::from),
        payment_method_options: instrument::options(request, in_parts && !request.capture),
        // An absent payer can't be redirected.
        return_url: (!off_session).then(|| Text::from(request.return_url.as_str())),
        off_session: is_away.then_some(true),
        // The two exclude each other: an absent payer can't consent.
        setup_future_usage: usage(details).filter(|_| !off_session),
        description: description(details),
        statement_descriptor: descriptor(&details.descriptor).filter(|_| !is_card),
        statement_descriptor_suffix: descriptor_suffix(&details.descriptor).filter(|_| is_card),
        shipping: shipping(details)
            .filter(|to| kind != MethodType::AfterpayClearpay || can_deliver(&to.address)),
        amount_details: amount_details(details, request.money.currency),
        payment_details: details
            .order
            .reference
            .as_deref()
            .map(|reference| PaymentDetails {
                order_reference: Some(Text::cut(reference)),
            }),
        expand: vec![Expansion::LatestCharge],
        ..NewPaymentIntent::with(must)
    })
}

/// Checks whether Afterpay accepts goods to be sent there.
fn can_deliver(to: &wire::Address<'_>) -> bool {
    to.line1.is_some() && to.postal_code.is_some() && to.country.is_some()
}

/// Builds the request for a card check, which replaces a payment of 0.
///
/// # Errors
/// [`NotWritable`]
pub fn check(request: &AuthorizeRequest) -> Result<NewSetupIntent<'_>, NotWritable> {
    let details = &request.details;
    let must = NewSetupIntentMust {
        confirm: true,
        payment_method_types: vec![MethodType::Card],
        payment_method_data: cards::data(request)?,
        usage: usage(details).unwrap_or(wire::FutureUsage::OnSession),
        metadata: metadata(&request.key, details),
    };
    Ok(NewSetupIntent {
        customer: request.keeper().map(Text::from),
        payment_method_options: cards::check_options(details),
        return_url: Some(Text::from(request.return_url.as_str())),
        description: description(details),
        ..NewSetupIntent::with(must)
    })
}

/// Builds the request for a capture. Its key and amount go into the payment's metadata, so that the
/// payment shows which captures took place.
///
/// # Errors
/// [`NotWritable`]
pub fn capture(request: &CaptureRequest) -> Result<NewCapture<'_>, NotWritable> {
    let amount_to_capture = to_processor(&UNITS, request.money)?;
    let metadata = note(&request.key, Note::Captured(amount_to_capture));
    let must = NewCaptureMust {
        amount_to_capture,
        metadata,
    };
    Ok(NewCapture {
        final_capture: (!request.is_final).then_some(false),
        statement_descriptor_suffix: descriptor_suffix(&request.descriptor),
        ..NewCapture::with(must)
    })
}

/// Builds the request for an increment. Its key and the new total go into the payment's metadata.
///
/// # Errors
/// [`NotWritable`]
pub fn raise(request: &IncrementRequest) -> Result<NewTotal<'_>, NotWritable> {
    let amount = to_processor(&UNITS, request.money)?;
    let metadata = note(&request.key, Note::RaisedTo(amount));
    Ok(NewTotal { amount, metadata })
}

fn note(key: &ProcessorKey, note: Note) -> Metadata<'_> {
    Metadata::from([(Text::from(key.as_str()), Text::cut(note.written()))])
}

/// Builds the request for a cancellation. The merchant's reason is sent if it is one of Stripe's
/// words.
pub fn cancel(reason: Option<&str>) -> Cancellation {
    Cancellation {
        cancellation_reason: reason.and_then(CancellationCancellationReason::of_text),
    }
}

/// Builds the request for a refund of `payment_intent`.
///
/// # Errors
/// [`NotWritable`]
pub fn refund<'a>(
    request: &'a RefundRequest,
    payment_intent: &'a str,
) -> Result<NewRefund<'a>, NotWritable> {
    let reason = request.reason.as_deref();
    let mut metadata = Metadata::from([entry(notes::OUR_KEY, request.key.as_str())]);
    metadata.extend(reason.map(|reason| entry("reason", reason)));
    let must = NewRefundMust {
        payment_intent: Text::from(payment_intent),
        metadata,
    };
    Ok(NewRefund {
        amount: Some(to_processor(&UNITS, request.money)?),
        reason: reason.and_then(NewRefundReason::of_text),
        ..NewRefund::with(must)
    })
}

/// Builds the request for a refund of everything that `payment_intent` captured. It voids a payment
/// that was captured at once.
pub fn whole_refund<'a>(key: &'a ProcessorKey, payment_intent: &'a str) -> NewRefund<'a> {
    NewRefund::with(NewRefundMust {
        payment_intent: Text::from(payment_intent),
        metadata: Metadata::from([entry(notes::OUR_VOID_KEY, key.as_str())]),
    })
}

fn entry<'a>(name: &'a str, text: &'a str) -> (Text<'a>, Text<'a, 500>) {
    (Text::from(name), Text::cut(text))
}

fn metadata<'a>(key: &'a ProcessorKey, details: &'a Details) -> Metadata<'a> {
    let known = [
        (notes::ORDER_REFERENCE, &details.order.reference),
        (notes::CUSTOMER_ID, &details.payer.customer_id),
        (notes::PAYMENT_ID, &details.payment_id),
    ];
    let known = known
        .into_iter()
        .filter_map(|(name, text)| Some(entry(name, text.as_deref()?)));
    let own = details.metadata.iter().filter(|(name, text)| {
        let fits = (1..=LONGEST_NAME).contains(&name.chars().count());
        fits && !name.contains(['[', ']']) && !text.is_empty() && !notes::is_ours(name, text)
    });
    let own = own.take(MOST_NOTES).map(|(name, text)| entry(name, text));
    let ours = [entry(notes::OUR_KEY, key.as_str())];
    ours.into_iter().chain(known).chain(own).collect()
}

fn usage(details: &Details) -> Option<wire::FutureUsage> {
    details.initiation.future_usage.map(|usage| match usage {
        FutureUsage::OnSession => wire::FutureUsage::OnSession,
        FutureUsage::OffSession => wire::FutureUsage::OffSession,
    })
}

fn description(details: &Details) -> Option<Text<'_, 1000>> {
    details.description.as_deref().map(Text::cut)
}

/// Returns the statement line.
fn descriptor(descriptor: &Descriptor) -> Option<Text<'static, 22, 5>> {
    let said = descriptor.text.as_ref().or(descriptor.suffix.as_ref())?;
    usable_line(said).and_then(Text::whole)
}

/// Returns the suffix of the statement line, which Stripe prints after the account's prefix.
fn descriptor_suffix(descriptor: &Descriptor) -> Option<Text<'static, 22, 1>> {
    let said = descriptor.suffix.as_ref().or(descriptor.text.as_ref())?;
    usable_line(said).and_then(Text::whole)
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
