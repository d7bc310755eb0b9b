//! The answer of a payment. (Specification 2.10)

mod attempts;
mod method;
mod next_action;
pub(crate) mod qr_code;

use multirail_app::payments::{Link, PaymentView};
use multirail_domain::payments::payment::{Attempt, Particulars, Payment, PostCaptureVoid};
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{ConnectorMandate, Review};
use multirail_types as types;
use serde_json::{Map, Value};

use super::particulars::{
    billing_descriptor_answer, browser_answer, document_answer, installments_answer,
    method_types_answer, order_items_answer,
};
use super::trouble::Trouble;
use super::{dispute, mandate_request, refund};
use crate::customers::convert::saved_method;
use crate::platform::convert::address::address_answer;
use crate::platform::convert::moments::moment_answer;
use crate::platform::convert::note;
use crate::platform::convert::words::ToWire;
use attempts::{attempt_answer, captures, increments, scheme_of};
use method::{members, method_details};
use next_action::next_action;

/// The optional parts of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    pub attempts: bool,
    /// The routing of each attempt, which also shows the attempts.
    pub routing: bool,
    /// The key for the customer's saved methods.
    pub ephemeral_key: bool,
    /// True if the reader is a payer's client, which sees nothing of the relation between merchant and processor.
    pub to_client: bool,
}

impl Shown {
    /// Returns the parts that the merchant sees of a payment that was just created.
    pub fn at_creation() -> Self {
        Shown {
            ephemeral_key: true,
            ..Shown::default()
        }
    }

    /// Returns the parts that a payer's client sees.
    pub fn to_client() -> Self {
        Shown {
            to_client: true,
            ..Shown::default()
        }
    }
}

/// Returns the answer with a payment's metadata only.
pub fn metadata(view: &PaymentView<'_>) -> types::PaymentMetadata {
    types::PaymentMetadata {
        payment_id: view.payment.payment_id.to_string(),
        metadata: note(&view.payment.particulars.notes, "metadata"),
    }
}

/// Returns the hosted page as an answer has it.
pub(crate) fn page(link: &Link) -> types::PaymentLink {
    types::PaymentLink {
        link: link.address.clone(),
        secure_link: None,
        payment_link_id: link.id.clone(),
    }
}

/// Returns the payment's answer.
pub fn payment(view: &PaymentView<'_>, shown: Shown) -> types::Payment {
    let PaymentView {
        method_status,
        payment,
        client_secret,
        sdk_authorization,
        redirect_to_url,
        complete_url,
        link,
        refunds,
        disputes,
        written: _,
        ephemeral_key,
    } = view;
    let said = Particulars::clone(&payment.particulars);
    let payer = &payment.payer;
    let customer = customer(payment);
    let amounts = payment.amounts();
    let attempt = payment.active();
    let terms = &payment.terms;
    let notes = &said.notes;
    let trouble = Trouble::of_attempt(attempt);
    let instrument = attempt.instrument.as_ref();
    let was_sent = attempt.authorization.is_some();
    let for_merchant = !shown.to_client;
    let remarks = attempt.remarks.as_deref().filter(|_| for_merchant);
    types::Payment {
        payment_id: payment.payment_id.to_string(),
        merchant_id: payment.merchant_id.to_string(),
        processor_merchant_id: Some(payment.merchant_id.to_string()),
        profile_id: Some(payment.profile_id.to_string()),
        merchant_connector_id: attempt
            .merchant_connector_id
            .as_ref()
            .filter(|_| for_merchant)
            .map(ToString::to_string),
        customer_id: terms.customer_id.as_ref().map(ToString::to_string),
        connector_customer_id: connector_mandate(attempt)
            .filter(|_| for_merchant)
            .and_then(|mandate| mandate.connector_customer_id.clone()),
        client_secret: Some(client_secret.expose().to_owned()),
        sdk_authorization: sdk_authorization
            .as_ref()
            .map(|own| own.encode().expose().to_owned()),
        initiator: payment.initiator.map(|by| by.to_wire()),
        connector: attempt.connector.clone(),
        connector_label: attempt.connector_label.clone().filter(|_| for_merchant),
        reference_id: attempt.connector_transaction_id().map(str::to_owned),
        merchant_order_reference_id: said.order_reference,
        description: said.description,
        metadata: note(notes, "metadata").filter(|_| for_merchant),

        amount: terms.amount,
        net_amount: amounts.net,
        amount_capturable: amounts.capturable,
        amount_received: amounts.received,
        shipping_cost: terms.shipping_cost,
        order_tax_amount: terms.order_tax_amount,
        currency: terms.currency.to_wire(),
        surcharge_details: terms.surcharge.map(|surcharge| types::SurchargeDetails {
            surcharge_amount: surcharge.amount,
            tax_amount: surcharge.tax_amount,
        }),
        incremental_authorization_allowed: was_sent.then_some(attempt.allows_raises()),
        authorization_count: some_count(attempt.increments.len()),

        status: payment.status.to_wire(),
        attempt_count: payment.attempts.len() as i32,
        created: Some(payment.created_at.to_datetime()),
        modified_at: Some(payment.modified_at.to_datetime()),
        updated: Some(payment.modified_at.to_datetime()),
        expires_on: Some(payment.expires_at.to_datetime()),
        capture_before: attempt.capture_before().map(Timestamp::to_datetime),
        capture_on: said.capture_on.as_deref().and_then(moment_answer),
        capture_method: Some(terms.capture_method.to_wire()),
        manual_retry_allowed: payment.manual_retry_allowed(),

        state_metadata: state_metadata(payment),

        email: customer.as_ref().and_then(|c| c.email.clone()),
        name: customer.as_ref().and_then(|c| c.name.clone()),
        phone: customer.as_ref().and_then(|c| c.phone.clone()),
        customer,
        billing: payer.billing.clone().map(address_answer),
        shipping: payer.shipping.clone().map(address_answer),

        payment_method: instrument.map(|i| i.payment_method.to_wire()),
        payment_method_type: instrument
            .and_then(|i| i.payment_method_type)
            .map(|kind| kind.to_wire()),
        payment_method_data: instrument.map(|instrument| {
            // These checks would help a payer's client to try out stolen cards.
            let checks = attempt.issuer_checks().filter(|_| for_merchant);
            Box::new(method_details(instrument, checks, remarks))
        }),
        payment_token: attempt.token().map(ToString::to_string),
        payment_method_id: attempt.saved_method().map(ToString::to_string),
        payment_method_status: method_status.map(|status| status.to_wire()),
        payment_experience: note(notes, "payment_experience"),
        allowed_payment_method_types: said.allowed_payment_method_types.map(method_types_answer),
        payment_channel: said.payment_channel,
        setup_future_usage: terms.setup_future_usage.map(|usage| usage.to_wire()),
        off_session: said.off_session,
        authentication_type: Some(payment.authentication_type(attempt).to_wire()),
        card_discovery: (was_sent && instrument.is_some_and(|i| i.details.card().is_some()))
            .then(|| attempt.card_discovery().to_wire()),

        mandate_id: attempt.mandate().map(ToString::to_string),
        connector_mandate_id: connector_mandate(attempt)
            .filter(|_| for_merchant)
            .map(|mandate| mandate.connector_mandate_id.clone()),
        mandate_data: said
            .mandate
            .as_deref()
            .map(|request| mandate_request::request_answer(request, payer.consent.as_deref())),

        next_action: next_action(attempt, redirect_to_url.as_deref(), complete_url.as_deref()),
        return_url: terms.return_url.clone(),
        payment_link: link.as_ref().map(page),

        error_code: trouble.map(Trouble::code),
        error_message: trouble.map(Trouble::message),
        error_details: trouble.map(|trouble| trouble.details(scheme_of(attempt))),
        unified_code: trouble.and_then(Trouble::unified_code),
        unified_message: trouble.and_then(Trouble::unified_message),
        issuer_error_code: trouble.and_then(Trouble::issuer_code),
        issuer_error_message: trouble.and_then(Trouble::issuer_message),
        cancellation_reason: payment.cancellation_reason.clone(),

        refunds: (for_merchant && !refunds.is_empty())
            .then(|| refunds.iter().map(refund::answer).collect()),
        disputes: (for_merchant && !disputes.is_empty())
            .then(|| disputes.iter().map(dispute::of_payment).collect()),
        attempts: ((shown.attempts || shown.routing) && for_merchant).then(|| {
            payment
                .attempts
                .iter()
                .map(|a| attempt_answer(payment, a, notes, shown.routing))
                .collect()
        }),
        captures: captures(payment, attempt).filter(|_| for_merchant),
        incremental_authorizations: increments(attempt).filter(|_| for_merchant),

        statement_descriptor_name: said.statement_descriptor_name,
        statement_descriptor_suffix: said.statement_descriptor_suffix,
        order_details: said.order_items.map(order_items_answer),
        frm_message: attempt
            .review
            .as_deref()
            .filter(|_| for_merchant)
            .map(frm_message),
        frm_metadata: note(notes, "frm_metadata").filter(|_| for_merchant),
        connector_metadata: said.connector_metadata.filter(|_| for_merchant),
        connector_response_metadata: remarks.and_then(|told| members(&told.more)),
        feature_metadata: note(notes, "feature_metadata").filter(|_| for_merchant),
        external_authentication_details: None,
        external_3ds_authentication_attempted: Some(false),
        browser_info: payer
            .browser
            .clone()
            .map(|browser| browser_answer(*browser)),
        network_transaction_id: attempt.network_transaction_id.clone(),
        network_transaction_link_id: None,
        split_payments: None,
        billing_descriptor: said
            .billing_descriptor
            .map(|parts| billing_descriptor_answer(*parts)),
        tokenization: note(notes, "tokenization"),
        installment_options: note(notes, "installment_options"),
        installment_data: said.installment_data.map(|plan| installments_answer(*plan)),
        extended_authorization_applied: payment.is_validity_extended(),
        request_extended_authorization: payment.requests_longer(),
        enable_overcapture: payment.enables_overcapture(),
        is_overcapture_enabled: payment.is_overcapture_enabled(),

        business_country: said.business_country.map(|country| country.to_wire()),
        business_label: said.business_label,
        business_sub_label: note(notes, "business_sub_label"),
        connector_transaction_id: attempt.connector_transaction_id().map(str::to_owned),
        ephemeral_key: ephemeral_key
            .as_ref()
            .filter(|_| shown.ephemeral_key)
            .map(saved_method::ephemeral_key),
        force_3ds_challenge: said.force_challenge,
        is_iframe_redirection_enabled: note(notes, "is_iframe_redirection_enabled"),
        enable_partial_authorization: terms.enable_partial_authorization,
        is_stored_credential: said.is_stored_credential,
        merchant_decision: payment
            .merchant_decision
            .filter(|_| for_merchant)
            .map(|decision| decision.to_wire()),
        mit_category: said.mit_category.map(|category| category.to_wire()),
    }
}

/// Returns the processor's token that was charged or is stored for the attempt. Tokens of a caller's own credentials
/// don't count, because they belong to another account.
fn connector_mandate(attempt: &Attempt) -> Option<&ConnectorMandate> {
    let kept = attempt.connector_mandate.as_deref();
    let kept = kept.filter(|_| attempt.brought.is_none());
    kept.or_else(|| attempt.charged_mandate())
}

/// Returns the refunded, disputed and voided amounts after capture, if there are any.
fn state_metadata(payment: &Payment) -> Option<types::StateMetadata> {
    let (refunded, disputed) = (payment.refunded_amount(), payment.disputed_amount());
    let void = payment.post_capture_void();
    (refunded > 0 || disputed > 0 || void.is_some()).then_some(types::StateMetadata {
        total_refunded_amount: refunded,
        total_disputed_amount: disputed,
        post_capture_void: void.map(post_capture_void),
    })
}

fn post_capture_void(void: &PostCaptureVoid) -> types::PostCaptureVoid {
    types::PostCaptureVoid {
        status: void.status().to_wire(),
        updated_at: Some(void.modified_at.to_datetime()),
        connector_reference_id: void.operation.reference.clone(),
        description: void.description(),
    }
}

/// Returns the result of the processor's screening for a held payment, the only result that the processor reports.
fn frm_message(review: &Review) -> types::FrmMessage {
    let why = [("code", &review.reason_code), ("message", &review.reason)];
    let why: Map<String, Value> = why
        .into_iter()
        .filter_map(|(name, said)| Some((name.to_owned(), Value::from(said.clone()?))))
        .collect();
    types::FrmMessage {
        frm_name: review.screened_by.clone(),
        frm_transaction_id: review.reference.clone(),
        frm_transaction_type: Some("post_frm".to_owned()),
        frm_status: Some("manual_review".to_owned()),
        frm_score: review.score,
        frm_reason: (!why.is_empty()).then_some(why),
        frm_error: None,
    }
}

/// Returns the customer, if anything is known of one.
fn customer(payment: &Payment) -> Option<types::PaymentCustomer> {
    let contact = payment.payer.contact();
    let text = |text: Option<&str>| text.map(str::to_owned);
    let given = payment.payer.customer.as_ref();
    let document = given.and_then(|customer| customer.document.clone());
    let customer = types::PaymentCustomer {
        id: payment.terms.customer_id.as_ref().map(ToString::to_string),
        name: text(contact.name),
        email: text(contact.email),
        phone: text(contact.phone),
        phone_country_code: text(contact.phone_country_code),
        customer_document_details: document.map(document_answer),
    };
    let unknown = types::PaymentCustomer {
        id: None,
        name: None,
        email: None,
        phone: None,
        phone_country_code: None,
        customer_document_details: None,
    };
    (customer != unknown).then_some(customer)
}

fn some_count(count: usize) -> Option<i32> {
    i32::try_from(count).ok().filter(|count| *count > 0)
}
