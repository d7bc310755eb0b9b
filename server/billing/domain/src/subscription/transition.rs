//! The one function that decides what may happen to a subscription. (Facts 3.13)

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

/// A subscription with those of its invoices that are open, and the one that something is told of.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    pub subscription: Subscription,
    pub open: Vec<Invoice>,
}

/// What a decision may know beside subscription and input.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub now: Timestamp,
    pub ids: &'a dyn FreshIds,
    /// When an invoice that failed is charged again.
    pub dunning: &'a DunningSchedule,
    /// The amounts that the payment accounts of the profile can charge in the price's currency.
    pub chargeable: Chargeable,
    /// What of the payments of its invoices the payer has back beside the subscription, refunded by hand or by a dispute.
    pub taken_back: &'a [TakenBack],
    /// What payments hold for a first invoice that is not paid, and for one that is to be collected after a review.
    pub held: &'a [Held],
}

/// A source of ids that nothing else has.
pub trait FreshIds: Send + Sync {
    /// One for an invoice.
    fn invoice_id(&self) -> InvoiceId;
    /// One for a payment.
    fn payment_id(&self) -> PaymentId;
}

/// Something that reaches a subscription.
#[derive(Clone, Debug)]
pub enum Input {
    /// Asked of us; may be refused.
    Command(Command),
    /// The time has come for what is due first. Does nothing where nothing is due.
    Time,
    /// What became of a payment for an invoice; never refused, and told twice it changes nothing.
    Told(Told),
    /// A refund of credit is made: both are stored in one commit. Refused where there is not as much credit to be refunded.
    Refund(ToRefund),
    /// No payment for its invoices has anything left that could be refunded.
    NothingRefundable,
    /// All payments that may have news were looked at, and what they tell was told. What of them was taken back is known.
    NewsHeard,
    /// What became of a refund of credit; never refused, and told twice it changes nothing.
    RefundTold(RefundTold),
}

/// What a caller asks.
#[derive(Clone, Debug)]
pub enum Command {
    /// Begin, with the payment that was made with it.
    Confirm,
    /// A request's confirm of the payment was refused, or came to nothing.
    Unconfirm,
    /// Go over to another price.
    Update(Box<Update>),
    /// Charge another saved method.
    Replace(Box<Replace>),
    Pause(When),
    Resume(Resume),
    Cancel(Cancel),
    /// Refund the credit that is left of one that is over.
    RefundCredit,
    /// Give up what an invoice bills.
    Void(InvoiceId),
    /// Charge an open invoice now, and again by the schedule of dunning.
    Collect(InvoiceId),
}

/// How a payment stands, as its invoice sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    pub invoice_id: InvoiceId,
    pub payment_id: PaymentId,
    pub outcome: Outcome,
}

/// How a refund of credit stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundTold {
    pub refund_id: RefundId,
    pub status: RefundStatus,
    /// Why it failed.
    pub why: Option<String>,
    /// It failed, and its processor has no trace of it, or never got it.
    pub never_happened: bool,
}

/// What became of a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// With which method, where it is kept for further charges.
    Paid {
        payment_method_id: Option<PaymentMethodId>,
    },
    /// Nobody knows yet: a processor or the payer has to act.
    Pending,
    /// Nothing was asked of a processor: it waits to be confirmed.
    Untouched,
    Failed {
        why: String,
        advice: RetryAdvice,
    },
    /// The merchant cancelled it.
    Cancelled {
        why: String,
    },
    /// Nobody was asked for it: the service was too busy, no account can take it, the processor refused the request as such, or a
    /// server died before the processor had it. Nothing is known of the payer, so it counts as no try.
    NotAsked {
        why: String,
    },
    /// Somebody has to look at it: only a part was taken, or what is known doesn't agree.
    NeedsReview,
    /// The customer was redacted: nobody can be charged any more.
    CustomerGone {
        why: String,
    },
}

impl Outcome {
    /// Nothing better comes of waiting for the next look.
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

/// A payment to be seen to: made if it isn't there, and asked how it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charge {
    pub invoice_id: InvoiceId,
    pub payment_id: PaymentId,
}

/// What is to be done because of a step: by the edge, after the step is stored (calls) or together with it (the rest).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// See to the payment of an invoice.
    Charge(Charge),
    /// Cancel a payment that nobody wants any more.
    CancelPayment(PaymentId),
    /// Record together with the change that the invoice was paid (`invoice_paid`).
    Announce(InvoiceId),
    /// Look for payments to which credit can be refunded, and do so.
    RefundCredit,
    /// Ask how a refund of credit stands.
    LookAtRefund(RefundId),
    /// Look at all payments that may have news.
    LookAtPayments,
    /// Count its coupon, together with the change, as redeemed once less.
    GiveCouponBack,
    /// Count its coupon, together with the change, as redeemed once more; where it can't be redeemed any more, there is no change.
    TakeCoupon,
}

/// The subscription after the input, the invoices that are new or changed, and what is to be done.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub subscription: Subscription,
    pub invoices: Vec<Invoice>,
    pub effects: Vec<Effect>,
}

/// Decides. Pure: the same standing, input, time and ids give the same step.
///
/// # Errors
/// A command that the status forbids, and what can't be billed because no calendar or amount goes so far.
pub fn transition(
    standing: &Standing,
    input: Input,
    context: &Context<'_>,
) -> Result<Step, Refusal> {
    let mut draft = Draft::of(standing, context);
    if standing.subscription.outside.is_some() {
        draft.answer_outside(input)?;
        return Ok(draft.finish());
    }
    match &input {
        Input::Command(_) | Input::Time | Input::Told(_) | Input::NewsHeard => {
            draft.take_given_twice();
        }
        // A refund of credit was sized beside that.
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
        Input::Told(told) => draft.hear(told)?,
        Input::Refund(to_refund) => draft.refund_credit(to_refund)?,
        Input::NothingRefundable => draft.nothing_refundable(),
        Input::NewsHeard => draft.subscription.has_news = false,
        Input::RefundTold(told) => draft.hear_of_refund(told),
    }
    Ok(draft.finish())
}
