//! The function that decides every change of a subscription. (Facts 3.13)

use multirail_domain::payments::refund::RefundStatus;
use multirail_kernel::ids::{InvoiceId, PaymentId, PaymentMethodId, RefundId};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;

use crate::chargeable::Chargeable;
use crate::dunning::{DunningSchedule, RetryAdvice};
use crate::subscription::draft::Draft;
use crate::subscription::{
    Cancel, Held, Invoice, Replace, Resume, Subscription, TakenBack, ToRefund, Update, When,
};

/// A subscription with its open invoices, and with the invoice that the input is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    pub subscription: Subscription,
    pub open: Vec<Invoice>,
}

/// The inputs of a decision other than the subscription and the request.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub now: Timestamp,
    pub ids: &'a dyn FreshIds,
    /// The schedule of retries of failed charges.
    pub dunning: &'a DunningSchedule,
    /// The amounts that the payment accounts of the profile can charge in the price's currency.
    pub chargeable: Chargeable,
    /// The money of its payments that the payer got back outside the subscription, by a manual refund or a dispute.
    pub taken_back: &'a [TakenBack],
    /// The money held by payments of an unpaid first invoice, or of an invoice to be collected after a review.
    pub held: &'a [Held],
}

/// A source of unique ids.
pub trait FreshIds: Send + Sync {
    /// Makes an id for an invoice.
    fn invoice_id(&self) -> InvoiceId;
    /// Makes an id for a payment.
    fn payment_id(&self) -> PaymentId;
}

/// An input to a subscription.
#[derive(Clone, Debug)]
pub enum Input {
    /// A caller's command, which may be refused.
    Command(Command),
    /// Time has passed: do the next due work, if any.
    Time,
    /// The outcome of an invoice's payment. It is never refused, and a repetition changes nothing.
    Told(Told),
    /// A refund of credit, stored in the same commit. Refused if there isn't enough credit to refund.
    Refund(ToRefund),
    /// None of its payments can be refunded any more.
    NothingRefundable,
    /// All payments that may have changed were checked and their outcomes reported, including money returned outside.
    NewsHeard,
    /// The outcome of a refund of credit. It is never refused, and a repetition changes nothing.
    RefundTold(RefundTold),
}

/// A caller's command.
#[derive(Clone, Debug)]
pub enum Command {
    /// Begin with the first payment.
    Confirm,
    /// Take a confirm back whose payment was refused or failed.
    Unconfirm,
    /// Change to another price.
    Update(Box<Update>),
    /// Charge another saved method.
    Replace(Box<Replace>),
    Pause(When),
    Resume(Resume),
    Cancel(Cancel),
    /// Refund the remaining credit of an ended subscription.
    RefundCredit,
    /// Void an invoice.
    Void(InvoiceId),
    /// Charge an open invoice now, and again by the dunning schedule.
    Collect(InvoiceId),
}

/// The outcome of a payment for an invoice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    pub invoice_id: InvoiceId,
    pub payment_id: PaymentId,
    pub outcome: Outcome,
}

/// The outcome of a refund of credit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundTold {
    pub refund_id: RefundId,
    pub status: RefundStatus,
    /// The reason of the failure.
    pub why: Option<String>,
    /// True if it failed and its processor has no trace of it or never received it.
    pub never_happened: bool,
}

/// The outcome of a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Paid, with the method if it was saved for further charges.
    Paid {
        payment_method_id: Option<PaymentMethodId>,
    },
    /// No outcome yet: a processor or the payer must act.
    Pending,
    /// Not confirmed yet: no processor was asked.
    Untouched,
    Failed {
        why: String,
        advice: RetryAdvice,
    },
    /// Cancelled by the merchant.
    Cancelled {
        why: String,
    },
    /// No processor was asked, so the attempt doesn't count. Reasons: the service was too busy, no account can take the
    /// payment, the processor refused the request itself, or a server died before sending it.
    NotAsked {
        why: String,
    },
    /// A review is needed: only a part was taken, or the reports contradict each other.
    NeedsReview,
    /// The customer was redacted, so nobody can be charged any more.
    CustomerGone {
        why: String,
    },
}

impl Outcome {
    /// Checks whether the outcome is final enough that waiting for the next check doesn't help.
    pub fn is_known(&self) -> bool {
        match self {
            Outcome::Paid { .. }
            | Outcome::Failed { .. }
            | Outcome::Cancelled { .. }
            | Outcome::NotAsked { .. }
            | Outcome::NeedsReview
            | Outcome::CustomerGone { .. } => true,
            Outcome::Pending | Outcome::Untouched => false,
        }
    }
}

/// A payment to make if it doesn't exist yet, and to check otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charge {
    pub invoice_id: InvoiceId,
    pub payment_id: PaymentId,
}

/// Work that follows from a transition. The application makes calls after the commit and stores the rest in the commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Make or check the payment of an invoice.
    Charge(Charge),
    /// Cancel a payment that isn't needed any more.
    CancelPayment(PaymentId),
    /// Record in the commit that the invoice was paid (`invoice_paid`).
    Announce(InvoiceId),
    /// Search for payments to which credit can be refunded, and refund it.
    RefundCredit,
    /// Check the status of a refund of credit.
    LookAtRefund(RefundId),
    /// Check all payments that may have changed.
    LookAtPayments,
    /// Count one redemption less of its coupon, in the commit.
    GiveCouponBack,
    /// Count one redemption more of its coupon, in the commit. If the coupon can't be redeemed any more, the commit
    /// fails.
    TakeCoupon,
}

/// The result of a transition: the subscription, the new or changed invoices, and the work that follows.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub subscription: Subscription,
    pub invoices: Vec<Invoice>,
    pub effects: Vec<Effect>,
}

/// Decides a change. The function is pure: the same subscription, input, time and ids give the same result.
///
/// # Errors
/// A command that the status forbids, and an amount or a date that is out of range.
pub fn transition(
    standing: &Standing,
    input: Input,
    context: &Context<'_>,
) -> Result<Step, Refusal> {
    let mut draft = Draft::new(standing, context);
    if standing.subscription.outside.is_some() {
        draft.answer_outside(input)?;
        return Ok(draft.finish());
    }
    match &input {
        Input::Command(_) | Input::Time | Input::Told(_) | Input::NewsHeard => {
            draft.withdraw_credit();
        }
        // The amount of a refund of credit already accounts for money returned outside.
        Input::Refund(_) | Input::NothingRefundable | Input::RefundTold(_) => {}
    }
    match input {
        Input::Command(Command::Confirm) => draft.confirm()?,
        Input::Command(Command::Unconfirm) => draft.unconfirm(),
        Input::Command(Command::Update(update)) => {
            draft.catch_up()?;
            draft.update(*update)?;
        }
        Input::Command(Command::Replace(replace)) => {
            draft.catch_up()?;
            draft.replace_method(replace.payment_method_id)?;
            if let Some(update) = replace.update {
                draft.update(update)?;
            }
        }
        Input::Command(Command::Pause(when)) => {
            draft.catch_up()?;
            draft.pause(when)?;
        }
        Input::Command(Command::Resume(resume)) => {
            draft.catch_up()?;
            draft.resume(&resume)?;
        }
        Input::Command(Command::Cancel(cancel)) => {
            draft.catch_up()?;
            draft.cancel(cancel)?;
        }
        Input::Command(Command::RefundCredit) => draft.refund_all_credit()?,
        Input::Command(Command::Void(invoice_id)) => draft.void(&invoice_id)?,
        Input::Command(Command::Collect(invoice_id)) => draft.collect(&invoice_id)?,
        Input::Time => {
            draft.goes_on = true;
            draft.pass_time()?;
        }
        Input::Told(told) => draft.apply_outcome(told)?,
        Input::Refund(to_refund) => draft.refund_credit(to_refund)?,
        Input::NothingRefundable => draft.nothing_refundable(),
        Input::NewsHeard => draft.subscription.has_news = false,
        Input::RefundTold(told) => draft.apply_refund_status(told),
    }
    Ok(draft.finish())
}
