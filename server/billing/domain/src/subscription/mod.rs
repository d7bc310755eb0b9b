//! A subscription: the customer pays for period after period, and all payments but the first are made without them.
//! (Specification 2.5, 4.6; facts 1.17, 2.6, 3.13, 7.11)
//!
//! The crate root computes periods, prices and invoice totals. This module decides when to bill, when to charge an
//! invoice, and which status follows. One function decides ([`transition`]), over the subscription and its open
//! invoices together. Both are stored in one commit under the subscription's version, so each period is billed once and
//! each invoice has at most one payment under way.

mod bill;
mod cancel;
mod collect;
mod confirm;
mod create;
mod credited;
mod cycles;
mod draft;
mod due;
mod dunned;
mod invoice;
mod lapse;
mod late;
mod left;
mod method;
mod open_invoice;
mod options;
pub mod outside;
mod owner;
mod pause;
mod refund;
mod resume;
mod status;
mod transition;
mod update;

use multirail_kernel::ids::{
    CustomerId, InvoiceId, MerchantId, PaymentMethodId, ProfileId, SubscriptionId,
};
use multirail_kernel::record_object::is_zero;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use serde::{Deserialize, Serialize};

use crate::charge::{Charge, Charged, ReturnOption, Returned};
use crate::coupon::AppliedCoupon;
use crate::price::Price;
use crate::refusals::Refusals;
use crate::term::Term;

pub use cancel::Cancel;
pub use create::Create;
pub use credited::CreditedPayment;
pub use due::Due;
pub use invoice::{FailedTry, Invoice, Try};
pub use lapse::SECRET_SECONDS;
pub use left::{Held, LeftOfInvoice, TakenBack};
pub use method::Replace;
pub use options::{
    ChargesHandling, Moment, ReceivablesHandling, RefundableCreditsHandling, UnbilledChargesOption,
    UnpaidInvoicesHandling, When,
};
pub use outside::Outside;
pub use refund::{CreditRefund, Refunding, ToRefund};
pub use resume::Resume;
pub use status::SubscriptionStatus;
pub use transition::{
    Charge as ChargeCall, Command, Context, Effect, FreshIds, Input, Outcome, RefundTold, Standing,
    Step, Told, transition,
};
pub use update::Update;

/// The stored subscription without its invoices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Subscription {
    pub merchant_id: MerchantId,
    pub subscription_id: SubscriptionId,
    pub profile_id: ProfileId,
    pub customer_id: CustomerId,
    /// The number of stored changes; 0 until stored. It has its own column outside the record.
    #[serde(skip)]
    pub version: i64,
    /// True if a payment of its invoices has an outcome that wasn't passed on, or has changed since. It has its own
    /// column outside the record.
    #[serde(skip)]
    pub has_news: bool,
    pub status: SubscriptionStatus,
    /// The merchant's own reference.
    pub merchant_reference_id: Option<String>,
    pub plan: Plan,
    pub coupon: Option<AppliedCoupon>,
    /// True if the coupon was released, because nobody confirmed the subscription in time or the first payment failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_coupon_back: bool,
    /// The method that is charged without the payer, from the first payment on.
    pub payment_method_id: Option<PaymentMethodId>,
    /// The recent refusals of this method and of earlier ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refusals: Vec<Refusals>,
    /// The last billed term; unset for a one-time payment.
    pub term: Option<Term>,
    /// The number of paid periods that have begun, for a price with a fixed number. A period that a pause cut short
    /// doesn't count.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cycles: u32,
    /// When the next period begins or the last one ends; unset while that is unknown.
    pub next_billing_at: Option<Timestamp>,
    /// True if the next period starts a new schedule instead of following the last one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub restarts: bool,
    /// True if the next period's charge is held for the invoice after it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub holds_charge: bool,
    /// The charges for the current term.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub charged: Vec<ChargedStretch>,
    /// Charges for the next invoice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unbilled: Vec<Charge>,
    /// The returns that the next invoice makes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub owed: Vec<Owed>,
    /// The returnable part of invoices that charged for this term or that still have a return to make.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<LeftOfInvoice>,
    /// The payments whose money became credit because no invoice needed it, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub credited: Vec<CreditedPayment>,
    /// The customer's unspent credit, in minor units of the price's currency. A negative credit is owed: it was spent,
    /// and its payment was reversed.
    #[serde(default)]
    pub credit: i64,
    /// The amount of invoices that were too small to charge, in minor units of the price's currency. The next invoice
    /// bills it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub carried: i64,
    /// The refund of the credit after the subscription's end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refunding: Option<Refunding>,
    /// The refunds of its credit, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refunds: Vec<CreditRefund>,
    /// The number of invoices so far.
    pub invoices: u32,
    /// The time of a planned pause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pausing_at: Option<Timestamp>,
    /// True if the pause moves with the end of the term. Unset in records of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pauses_with_term: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resuming: Option<Resuming>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancelling: Option<Cancelling>,
    pub paused_at: Option<Timestamp>,
    pub cancelled_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancel_reason_code: Option<String>,
    /// The record of the external billing engine that billed the subscription; unset for our own engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outside: Option<Outside>,
    pub created_at: Timestamp,
    pub modified_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// The subscribed plan as it was in the catalogue at the time. Later changes of the catalogue don't affect it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The name on lines of invoices.
    pub name: String,
    pub price: Price,
    pub quantity: u32,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// A charge and its invoice. The charge of an unpaid invoice isn't returned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChargedStretch {
    pub invoice_id: InvoiceId,
    pub charged: Charged,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// A return of an invoice's charge, which is made once the invoice is paid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Owed {
    pub invoice_id: InvoiceId,
    pub returned: Returned,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// A planned resumption.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resuming {
    pub at: Timestamp,
    pub charges: ChargesHandling,
    pub unpaid_invoices: UnpaidInvoicesHandling,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// A planned cancellation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cancelling {
    pub at: Timestamp,
    /// True if the cancellation moves with the end of the term. Unset in records of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_end_of_term: Option<bool>,
    pub unbilled: UnbilledChargesOption,
    pub receivables: ReceivablesHandling,
    /// The handling of charges for the term that ends.
    #[serde(default = "nothing_back", skip_serializing_if = "is_nothing_back")]
    pub returns: ReturnOption,
    #[serde(default = "no_refund", skip_serializing_if = "is_no_refund")]
    pub credits: RefundableCreditsHandling,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

fn nothing_back() -> ReturnOption {
    ReturnOption::None
}

fn is_nothing_back(option: &ReturnOption) -> bool {
    *option == ReturnOption::None
}

fn no_refund() -> RefundableCreditsHandling {
    RefundableCreditsHandling::NoAction
}

fn is_no_refund(handling: &RefundableCreditsHandling) -> bool {
    *handling == RefundableCreditsHandling::NoAction
}
