//! Converts subscriptions and invoices between wire and domain. (Specification 2.5, 4.6; facts 7.11)

use chrono::{DateTime, Utc};
use multirail_billing::app::subscriptions::{
    Change, ConfirmSubscription, CreateSubscription, FirstPayment, SubscriptionView, Wanted,
};
use multirail_billing_domain::charge::ReturnOption;
use multirail_billing_domain::subscription::{
    ChargesHandling, CreditRefund, Invoice, Moment, ReceivablesHandling, RefundableCreditsHandling,
    Subscription, SubscriptionStatus, UnbilledChargesOption, UnpaidInvoicesHandling,
};
use multirail_domain::payments::payment::Changes;
use multirail_http::payments::convert::payment_request;
use multirail_http::payments::convert::trouble::Trouble;
use multirail_http::platform::convert::note;
use multirail_http::platform::convert::words::ToWire as _;
use multirail_kernel::ids::{CustomerId, MerchantId, PaymentMethodId, ProfileId, SubscriptionId};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_types as types;

use super::catalogue::line_item;
use super::words::{ToDomain, ToWire};

/// Converts a request to create a subscription.
///
/// # Errors
/// Members that the schema can't check.
pub fn create(
    merchant_id: MerchantId,
    profile_id: ProfileId,
    request: types::SubscriptionCreateRequest,
) -> Result<CreateSubscription, Refusal> {
    let types::SubscriptionCreateRequest {
        item_price_id,
        plan_id,
        quantity,
        customer_id,
        payment_details,
        coupon_code,
        merchant_reference_id,
        billing,
        shipping,
    } = request;
    let types::SubscriptionPaymentDetails {
        return_url,
        setup_future_usage,
        capture_method,
        authentication_type,
        payment_type,
        payment_experience,
    } = payment_details;
    check_usage(setup_future_usage.as_ref())?;
    let payment = said(types::PaymentConfirmRequest {
        return_url: Some(return_url),
        capture_method,
        authentication_type,
        payment_type,
        payment_experience,
        billing,
        shipping,
        ..types::PaymentConfirmRequest::default()
    })?;
    Ok(CreateSubscription {
        merchant_id,
        profile_id,
        customer_id: customer(&customer_id)?,
        merchant_reference_id,
        wanted: Wanted {
            item_price_id,
            plan_id,
            coupon_code,
            quantity: read_quantity(quantity),
        },
        payment,
        confirm: None,
    })
}

/// Converts a request that creates and confirms a subscription.
///
/// # Errors
/// The errors of [`create`]; both or neither of an instrument and a saved method.
pub fn create_and_confirm(
    merchant_id: MerchantId,
    profile_id: ProfileId,
    request: types::SubscriptionCreateAndConfirmRequest,
) -> Result<CreateSubscription, Refusal> {
    let types::SubscriptionCreateAndConfirmRequest {
        item_price_id,
        plan_id,
        quantity,
        customer_id,
        payment_details,
        coupon_code,
        merchant_reference_id,
        billing,
        shipping,
    } = request;
    let types::SubscriptionFirstPaymentDetails {
        return_url,
        setup_future_usage,
        capture_method,
        authentication_type,
        payment_type,
        payment_experience,
        payment_method,
        payment_method_type,
        payment_method_data,
        payment_method_id,
        customer_acceptance,
    } = payment_details;
    check_usage(setup_future_usage.as_ref())?;
    let payment = said(types::PaymentConfirmRequest {
        return_url: Some(return_url),
        capture_method,
        authentication_type,
        payment_type,
        payment_experience,
        billing,
        shipping,
        ..types::PaymentConfirmRequest::default()
    })?;
    let confirm = match (payment_method_id, payment_method) {
        (Some(id), None) => {
            let names_more = payment_method_data.is_some()
                || payment_method_type.is_some()
                || customer_acceptance.is_some();
            if names_more {
                return Err(either());
            }
            let id = PaymentMethodId::parse(&id);
            FirstPayment::Saved(
                id.map_err(|invalid| invalid.refusal("payment_details.payment_method_id"))?,
            )
        }
        (Some(_), Some(_)) => return Err(either()),
        (None, None) => return Err(Refusal::missing("payment_details.payment_method")),
        (None, Some(method)) => {
            FirstPayment::Payer(Box::new(said(types::PaymentConfirmRequest {
                payment_method: Some(method),
                payment_method_type,
                payment_method_data,
                customer_acceptance,
                ..types::PaymentConfirmRequest::default()
            })?))
        }
    };
    Ok(CreateSubscription {
        merchant_id,
        profile_id,
        customer_id: customer(&customer_id)?,
        merchant_reference_id,
        wanted: Wanted {
            item_price_id,
            plan_id,
            coupon_code,
            quantity: read_quantity(quantity),
        },
        payment,
        confirm: Some(confirm),
    })
}

/// Converts a request to confirm a subscription.
///
/// # Errors
/// The same as [`create`].
pub fn confirm(
    merchant_id: MerchantId,
    profile_id: ProfileId,
    subscription_id: SubscriptionId,
    request: types::SubscriptionConfirmRequest,
) -> Result<ConfirmSubscription, Refusal> {
    let types::SubscriptionConfirmRequest {
        client_secret,
        payment_details,
    } = request;
    let types::SubscriptionConfirmDetails {
        payment_method,
        payment_method_type,
        payment_method_data,
        payment_token,
        billing,
        shipping,
        customer_acceptance,
        payment_type,
        payment_experience,
    } = payment_details;
    let changes = said(types::PaymentConfirmRequest {
        payment_method: Some(payment_method),
        payment_method_type,
        payment_method_data,
        payment_token,
        customer_acceptance,
        payment_type,
        payment_experience,
        billing,
        shipping,
        ..types::PaymentConfirmRequest::default()
    })?;
    Ok(ConfirmSubscription {
        merchant_id,
        profile_id,
        subscription_id,
        client_secret,
        changes,
    })
}

/// Converts a request to update a subscription.
pub fn update(request: types::SubscriptionUpdateRequest) -> Change {
    let types::SubscriptionUpdateRequest {
        plan_id,
        item_price_id,
        quantity,
        payment_method_id,
    } = request;
    Change::Update {
        wanted: Wanted {
            item_price_id,
            plan_id: Some(plan_id),
            coupon_code: None,
            quantity: read_quantity(quantity),
        },
        payment_method_id,
    }
}

/// Converts a request to pause a subscription.
pub fn pause(request: types::SubscriptionPauseRequest) -> Change {
    let types::SubscriptionPauseRequest {
        pause_option,
        pause_at,
    } = request;
    let option = pause_option;
    Change::Pause {
        option: chosen(option, Moment::Immediately),
        pause_at: moment(pause_at),
    }
}

/// Converts a request to resume a subscription.
pub fn resume(request: types::SubscriptionResumeRequest) -> Change {
    let types::SubscriptionResumeRequest {
        resume_option,
        resume_date,
        charges_handling,
        unpaid_invoices_handling,
    } = request;
    let option = resume_option;
    let charges = charges_handling;
    let unpaid = unpaid_invoices_handling;
    Change::Resume {
        option: chosen(option, Moment::Immediately),
        resume_date: moment(resume_date),
        charges: chosen(charges, ChargesHandling::InvoiceImmediately),
        unpaid_invoices: chosen(unpaid, UnpaidInvoicesHandling::NoAction),
    }
}

/// Converts a request to cancel a subscription.
pub fn cancel(request: types::SubscriptionCancelRequest) -> Change {
    let types::SubscriptionCancelRequest {
        cancel_option,
        cancel_at,
        unbilled_charges_option,
        credit_option_for_current_term_charges,
        account_receivables_handling,
        refundable_credits_handling,
        cancel_reason_code,
    } = request;
    let returns = credit_option_for_current_term_charges;
    let credits = refundable_credits_handling;
    let option = cancel_option;
    let unbilled = unbilled_charges_option;
    let receivables = account_receivables_handling;
    Change::Cancel {
        option: chosen(option, Moment::Immediately),
        cancel_at: moment(cancel_at),
        unbilled: chosen(unbilled, UnbilledChargesOption::Invoice),
        receivables: chosen(receivables, ReceivablesHandling::NoAction),
        returns: chosen(returns, ReturnOption::None),
        credits: chosen(credits, RefundableCreditsHandling::NoAction),
        reason_code: cancel_reason_code,
    }
}

/// Converts the payment members of a request.
fn said(request: types::PaymentConfirmRequest) -> Result<Changes, Refusal> {
    Ok(payment_request::confirm(Box::new(request), "")?.changes)
}

/// Checks that the instrument is saved for charges without the payer, the only allowed usage.
fn check_usage(usage: Option<&types::FutureUsage>) -> Result<(), Refusal> {
    match usage {
        Some(usage) if *usage != types::FutureUsage::OffSession => Err(Refusal::invalid_value(
            "payment_details.setup_future_usage can only be off_session: a subscription charges without the payer",
        )),
        Some(_) | None => Ok(()),
    }
}

fn either() -> Refusal {
    Refusal::invalid_value(
        "payment_details.payment_method_id and an instrument can't both say what pays",
    )
}

fn customer(id: &str) -> Result<CustomerId, Refusal> {
    CustomerId::parse(id).map_err(|invalid| invalid.refusal("customer_id"))
}

/// Reads a quantity. The schema refuses values below 1.
pub(super) fn read_quantity(given: Option<i32>) -> Option<u32> {
    given.and_then(|given| u32::try_from(given).ok())
}

/// Reads an option. The schema refuses unknown words.
fn chosen<T>(given: Option<impl ToDomain<T>>, otherwise: T) -> T {
    given.and_then(|word| word.to_domain()).unwrap_or(otherwise)
}

fn moment(given: Option<DateTime<Utc>>) -> Option<Timestamp> {
    given.map(Timestamp::from_datetime)
}

pub(super) fn shown(moment: Option<Timestamp>) -> Option<DateTime<Utc>> {
    moment.map(Timestamp::to_datetime)
}

/// Converts a subscription to its answer.
pub fn answer(view: &SubscriptionView) -> types::Subscription {
    let subscription = &view.subscription;
    let is_confirmed = match subscription.status {
        SubscriptionStatus::Created => false,
        SubscriptionStatus::Active
        | SubscriptionStatus::InActive
        | SubscriptionStatus::Pending
        | SubscriptionStatus::Trial
        | SubscriptionStatus::Paused
        | SubscriptionStatus::Unpaid
        | SubscriptionStatus::Onetime
        | SubscriptionStatus::Cancelled
        | SubscriptionStatus::Failed => true,
    };
    let id = subscription.subscription_id.to_string();
    let method = subscription.payment_method_id.as_ref();
    let period = subscription.term.as_ref().map(|term| term.period);
    let period = period.filter(|_| is_confirmed);
    let outside = subscription.outside.as_ref();
    let period = match outside {
        None => period,
        Some(outside) => outside.period.filter(|_| is_confirmed),
    };
    let asked = outside.and_then(|outside| outside.asked.as_ref());
    let coupon = subscription.coupon.as_ref();
    types::Subscription {
        billing_processor_subscription_id: match outside {
            None => is_confirmed.then(|| id.clone()),
            Some(outside) => outside.reference.clone(),
        },
        pending_operation: asked.map(|asked| asked.wish.operation().to_string()),
        id,
        status: status(view),
        profile_id: subscription.profile_id.to_string(),
        merchant_id: subscription.merchant_id.to_string(),
        customer_id: subscription.customer_id.to_string(),
        merchant_reference_id: subscription.merchant_reference_id.clone(),
        plan_id: Some(subscription.plan.price.item_id.to_string()),
        item_price_id: Some(subscription.plan.price.item_price_id.to_string()),
        quantity: i32::try_from(subscription.plan.quantity).ok(),
        coupon_code: coupon.map(|coupon| coupon.code.to_string()),
        client_secret: Some(view.client_secret.expose().to_owned()),
        payment_method_id: method.map(ToString::to_string),
        next_billing_at: shown(next_billing_at(&view.subscription)),
        current_period_start: shown(period.map(|period| period.start)),
        current_period_end: shown(period.map(|period| period.end)),
        credit_amount: Some(subscription.credit.max(0)),
        owed_amount: Some(subscription.owed_by_customer()),
        refunded_amount: Some(subscription.refunded()),
        refunds: Some(credit_refunds(view)),
        paused_at: shown(paused_at(view)),
        cancelled_at: shown(cancelled_at(view)),
        cancel_reason_code: subscription.cancel_reason_code.clone(),
        payment: view.payment.as_ref().map(|payment| {
            let active = payment.payment.active();
            let trouble = Trouble::of_attempt(active);
            let kind = active.instrument.as_ref();
            let kind = kind.and_then(|instrument| instrument.payment_method_type);
            types::SubscriptionPayment {
                payment_id: payment.payment.payment_id.to_string(),
                status: payment.payment.status.to_wire(),
                amount: payment.payment.terms.total(),
                currency: payment.payment.terms.currency.to_wire(),
                connector: active.connector.clone(),
                payment_method_id: active.saved_method().map(ToString::to_string),
                payment_method_type: kind.map(|kind| kind.to_wire()),
                payment_experience: note(&payment.payment.particulars.notes, "payment_experience"),
                error_code: trouble.map(Trouble::code),
                error_message: trouble.map(Trouble::message),
                client_secret: Some(payment.client_secret.expose().to_owned()),
            }
        }),
        invoice: view.invoice.as_ref().map(invoice),
        created_at: Some(subscription.created_at.to_datetime()),
        modified_at: Some(subscription.modified_at.to_datetime()),
    }
}

/// Converts the answer to a pause.
pub fn paused(view: &SubscriptionView) -> types::SubscriptionPaused {
    let subscription = &view.subscription;
    types::SubscriptionPaused {
        id: subscription.subscription_id.to_string(),
        status: status(view),
        profile_id: subscription.profile_id.to_string(),
        merchant_id: subscription.merchant_id.to_string(),
        customer_id: subscription.customer_id.to_string(),
        merchant_reference_id: subscription.merchant_reference_id.clone(),
        paused_at: shown(paused_at(view)),
    }
}

/// Converts the answer to a resume. (Specification 2.5)
pub fn resumed(view: &SubscriptionView) -> types::SubscriptionResumed {
    let subscription = &view.subscription;
    types::SubscriptionResumed {
        id: subscription.subscription_id.to_string(),
        status: status(view),
        profile_id: subscription.profile_id.to_string(),
        merchant_id: subscription.merchant_id.to_string(),
        customer_id: subscription.customer_id.to_string(),
        merchant_reference_id: subscription.merchant_reference_id.clone(),
        next_billing_at: shown(next_billing_at(&view.subscription)),
    }
}

/// Converts the answer to a cancel.
pub fn cancelled(view: &SubscriptionView) -> types::SubscriptionCancelled {
    let subscription = &view.subscription;
    types::SubscriptionCancelled {
        id: subscription.subscription_id.to_string(),
        status: status(view),
        profile_id: subscription.profile_id.to_string(),
        merchant_id: subscription.merchant_id.to_string(),
        customer_id: subscription.customer_id.to_string(),
        merchant_reference_id: subscription.merchant_reference_id.clone(),
        cancelled_at: shown(cancelled_at(view)),
        credit_amount: Some(subscription.credit.max(0)),
        owed_amount: Some(subscription.owed_by_customer()),
        refunded_amount: Some(subscription.refunded()),
        refunds: Some(credit_refunds(view)),
    }
}

/// Converts the refunds of credit, the oldest first.
fn credit_refunds(view: &SubscriptionView) -> Vec<types::SubscriptionRefund> {
    let refund = |refund: &CreditRefund| types::SubscriptionRefund {
        refund_id: refund.refund_id.to_string(),
        payment_id: refund.payment_id.to_string(),
        amount: refund.amount,
        status: refund.status.to_wire(),
        failure_reason: refund.why.clone(),
    };
    view.subscription.refunds.iter().map(refund).collect()
}

fn status(view: &SubscriptionView) -> types::SubscriptionStatus {
    view.subscription.status.to_wire()
}

/// Returns the time of the past or planned pause.
fn paused_at(view: &SubscriptionView) -> Option<Timestamp> {
    view.subscription.paused_at.or(view.subscription.pausing_at)
}

/// Returns the time of the next bill; the last period has none.
pub(super) fn next_billing_at(subscription: &Subscription) -> Option<Timestamp> {
    let next = subscription.next_billing_at;
    next.filter(|_| !subscription.is_in_last_period())
}

fn cancelled_at(view: &SubscriptionView) -> Option<Timestamp> {
    let planned = view.subscription.cancelling.as_ref();
    let done = view.subscription.cancelled_at;
    done.or_else(|| planned.map(|cancelling| cancelling.at))
}

/// Converts an invoice.
pub fn invoice(invoice: &Invoice) -> types::Invoice {
    let last = invoice.tries.last();
    let failed = last.and_then(|last| last.failed.as_ref());
    // A payment under way is checked, not charged again.
    let next = invoice.due_at.filter(|_| !invoice.is_under_way());
    let method = invoice.payment_method_id.as_ref();
    types::Invoice {
        id: invoice.invoice_id.to_string(),
        subscription_id: invoice.subscription_id.to_string(),
        merchant_id: invoice.merchant_id.to_string(),
        profile_id: invoice.profile_id.to_string(),
        merchant_connector_id: invoice.merchant_connector_id.to_string(),
        customer_id: invoice.customer_id.to_string(),
        amount: invoice.amount,
        currency: invoice.currency.to_wire(),
        status: invoice.status.to_wire(),
        payment_intent_id: invoice.last_payment().map(ToString::to_string),
        payment_method_id: method.map(ToString::to_string),
        billing_processor_invoice_id: Some(
            invoice
                .billing_processor_invoice_id
                .clone()
                .unwrap_or_else(|| invoice.invoice_id.to_string()),
        ),
        number: i32::try_from(invoice.number).ok(),
        period_start: shown(invoice.period.map(|period| period.start)),
        period_end: shown(invoice.period.map(|period| period.end)),
        lines: Some(
            invoice
                .lines
                .iter()
                .map(|line| line_item(line, invoice.currency, None))
                .collect(),
        ),
        attempt_count: i32::try_from(invoice.tries.len()).ok(),
        failure_reason: failed.map(|failed| failed.why.clone()),
        next_attempt_at: shown(next),
        paid_at: shown(invoice.paid_at),
        invoice_link: None,
        created_at: Some(invoice.created_at.to_datetime()),
    }
}
