//! A subscription: a customer pays for period after period, and all but the first payment are made without him.
//! (Specification 2.5, 4.6; facts 1.17, 2.6, 3.13, 7.11)
//!
//! Periods, prices and what an invoice comes to are [`billing`](crate)'s; here is decided when something is billed,
//! when an invoice is charged, and what becomes of the subscription. One function decides ([`transition`]), over the subscription and
//! its open invoices together: both are stored in one commit under the subscription's version, so that each period is billed
//! once, and each invoice has one payment under way at most.

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

/// The aggregate, without its invoices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Subscription {
    pub merchant_id: MerchantId,
    pub subscription_id: SubscriptionId,
    pub profile_id: ProfileId,
    pub customer_id: CustomerId,
    /// Counts the stored changes; 0 until stored. Kept beside the record, not in it.
    #[serde(skip)]
    pub version: i64,
    /// A payment of its invoices has an outcome that nobody passes on, or has changed since. Kept beside the record, not in it.
    #[serde(skip)]
    pub has_news: bool,
    pub status: SubscriptionStatus,
    /// The merchant's own name for it.
    pub merchant_reference_id: Option<String>,
    pub plan: Plan,
    pub coupon: Option<AppliedCoupon>,
    /// Others can have its coupon again: nobody confirmed it in time, or nothing came of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_coupon_back: bool,
    /// What is charged without the payer, from the first payment on.
    pub payment_method_id: Option<PaymentMethodId>,
    /// How often that was refused lately, and what was charged before it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refusals: Vec<Refusals>,
    /// The stretch of time that was billed last; unset where nothing recurs.
    pub term: Option<Term>,
    /// How many paid periods at its price have begun, where those have an end. One that a pause cut short doesn't count.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cycles: u32,
    /// When the next period begins, and is billed, or the last one ends; unset while nobody knows.
    pub next_billing_at: Option<Timestamp>,
    /// The next period begins a new calendar: it doesn't follow on the last one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub restarts: bool,
    /// The next period's charge is kept for the invoice after it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub holds_charge: bool,
    /// What was charged for the current term.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub charged: Vec<ChargedStretch>,
    /// Charges for the next invoice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unbilled: Vec<Charge>,
    /// What the next invoice gives back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub owed: Vec<Owed>,
    /// What of the invoices that charged for this term, or of which something is owed, was not given back yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<LeftOfInvoice>,
    /// The payments whose money became credit, because no invoice wanted it, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub credited: Vec<CreditedPayment>,
    /// What was given back and no invoice has used up yet, in minor units of the price's currency. Below 0 it is owed: it was
    /// spent, and its payment was taken back.
    #[serde(default)]
    pub credit: i64,
    /// The amount of invoices that was too small to be charged: the next one bills it, in minor units of the price's currency.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub carried: i64,
    /// Its credit is refunded, or some of it, since it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refunding: Option<Refunding>,
    /// What of its credit was refunded, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refunds: Vec<CreditRefund>,
    /// How many invoices it has had.
    pub invoices: u32,
    /// When it is to be paused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pausing_at: Option<Timestamp>,
    /// That is the end of the term, whenever that comes to be; of a plan of before it was kept, unset.
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
    /// The record of the outside billing engine that billed it; unset where our own does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outside: Option<Outside>,
    pub created_at: Timestamp,
    pub modified_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// What is subscribed to, as it was in the catalogue when it was chosen: a price that is changed there binds nobody who has
/// subscribed before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// How lines of invoices call it.
    pub name: String,
    pub price: Price,
    pub quantity: u32,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// What was charged, and by which invoice: what an unpaid one charged is not given back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChargedStretch {
    pub invoice_id: InvoiceId,
    pub charged: Charged,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// What is to be given back of what an invoice charged, once that is paid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Owed {
    pub invoice_id: InvoiceId,
    pub returned: Returned,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// A resumption to come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resuming {
    pub at: Timestamp,
    pub charges: ChargesHandling,
    pub unpaid_invoices: UnpaidInvoicesHandling,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// A cancellation to come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cancelling {
    pub at: Timestamp,
    /// It is the end of the term, whenever that comes to be; of a plan of before it was kept, unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_end_of_term: Option<bool>,
    pub unbilled: UnbilledChargesOption,
    pub receivables: ReceivablesHandling,
    /// What is given back of what was charged for the term that ends.
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
