//! An invoice: what is billed at once, and every try to have it paid. (Facts 7.11)

use serde::{Deserialize, Serialize};

use crate::billing::calendar::Period;
use crate::billing::invoice::{Billed, Line, LineKind};
use crate::billing::invoice_status::{InvoiceStatus, InvoiceTrigger};
use crate::currency::Currency;
use crate::ids::{
    ConnectorAccountId, CustomerId, InvoiceId, MerchantId, PaymentId, PaymentMethodId, ProfileId,
    SubscriptionId,
};
use crate::refusal::Refusal;
use crate::subscription::Subscription;
use crate::timestamp::Timestamp;
use crate::unread::UnreadMembers;

/// An invoice of a subscription. It is changed under its subscription's version, so it has none of its own. What it bills
/// is computed once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Invoice {
    pub merchant_id: MerchantId,
    pub invoice_id: InvoiceId,
    pub subscription_id: SubscriptionId,
    pub profile_id: ProfileId,
    pub customer_id: CustomerId,
    /// The billing account whose prices it is made of.
    pub merchant_connector_id: ConnectorAccountId,
    /// Counts the subscription's invoices, from 1.
    pub number: u32,
    pub status: InvoiceStatus,
    /// The period that it was made for; unset where it bills what is left at the end.
    pub period: Option<Period>,
    pub lines: Vec<Line>,
    /// What is to be paid, in minor units: the sum of the lines, never below 0.
    pub amount: i64,
    pub currency: Currency,
    /// Of the lines: what was taken from the subscription's credit.
    pub credit_used: i64,
    pub tries: Vec<Try>,
    /// Whether it is tried again after a try that failed.
    pub is_collected: bool,
    /// The tries before this many belong to an earlier collection, which was given up.
    #[serde(default)]
    pub collected_from: u32,
    /// When it is charged, or its payment looked at; unset while nothing is to be done.
    pub due_at: Option<Timestamp>,
    pub paid_at: Option<Timestamp>,
    pub payment_method_id: Option<PaymentMethodId>,
    pub created_at: Timestamp,
    pub modified_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// One payment for an invoice. Its id is stored before the payment is made, so that it is made once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Try {
    pub payment_id: PaymentId,
    pub started_at: Timestamp,
    /// How often it was looked at since, without an outcome.
    pub looks: u32,
    /// When it failed, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<FailedTry>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl Try {
    pub(super) fn of(payment_id: PaymentId, now: Timestamp) -> Self {
        Try {
            payment_id,
            started_at: now,
            looks: 0,
            failed: None,
            unread: UnreadMembers::default(),
        }
    }
}

/// Why a try failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedTry {
    pub at: Timestamp,
    pub why: String,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// From one look at a payment without an outcome to the next, in seconds: the first, five more, all others. The payment's own
/// worker asks the processor meanwhile.
const LOOK_AFTER: [i64; 3] = [60, 300, 3_600];

impl Invoice {
    /// The subscription's newest, which bills nothing yet.
    pub(super) fn new(of: &Subscription, invoice_id: InvoiceId, now: Timestamp) -> Self {
        Invoice {
            merchant_id: of.merchant_id.clone(),
            invoice_id,
            subscription_id: of.subscription_id.clone(),
            profile_id: of.profile_id.clone(),
            customer_id: of.customer_id.clone(),
            merchant_connector_id: of.plan.price.merchant_connector_id.clone(),
            number: of.invoices,
            status: InvoiceStatus::Created,
            period: None,
            lines: Vec::new(),
            amount: 0,
            currency: of.plan.price.currency,
            credit_used: 0,
            tries: Vec::new(),
            is_collected: true,
            collected_from: 0,
            due_at: None,
            paid_at: None,
            payment_method_id: None,
            created_at: now,
            modified_at: now,
            unread: UnreadMembers::default(),
        }
    }

    /// A coupon took something off.
    pub(super) fn is_discounted(&self) -> bool {
        let mut lines = self.lines.iter();
        lines.any(|line| line.kind == LineKind::Discount)
    }

    /// What was set off against its charges, in minor units: earlier charges that were given back, and credit.
    pub fn set_off(&self) -> i64 {
        let set_off = |line: &Line| match line.kind {
            LineKind::Return | LineKind::TaxReturn | LineKind::CreditUsed => -line.amount_minor,
            LineKind::Subscription
            | LineKind::Trial
            | LineKind::Proration
            | LineKind::SinglePayment
            | LineKind::Discount
            | LineKind::Tax
            | LineKind::CreditGiven => 0,
        };
        self.lines.iter().map(set_off).sum()
    }

    /// The payment that paid it; nothing while it is not paid, and where there was nothing to be paid.
    pub fn paid_by(&self) -> Option<&PaymentId> {
        let is_paid = self.status == InvoiceStatus::Paid && self.amount > 0;
        let current = self.current_try().filter(|_| is_paid)?;
        Some(&current.payment_id)
    }

    /// The payment under way, or the one that paid.
    pub fn current_try(&self) -> Option<&Try> {
        self.tries.last().filter(|last| last.failed.is_none())
    }

    /// The last payment, whatever became of it.
    pub fn last_payment(&self) -> Option<&PaymentId> {
        self.tries.last().map(|last| &last.payment_id)
    }

    /// Its payment may still take money, or has taken some that somebody has to look at.
    pub fn is_under_way(&self) -> bool {
        self.is_open() && self.current_try().is_some()
    }

    /// Neither paid nor given up.
    pub fn is_open(&self) -> bool {
        self.status.is_open()
    }

    /// Tries that failed since it is collected (again).
    pub fn failures(&self) -> u32 {
        let of_this_collection = self.tries.iter().skip(self.collected_from as usize);
        let failed = of_this_collection.filter(|one| one.failed.is_some());
        u32::try_from(failed.count()).unwrap_or(u32::MAX)
    }

    /// Has it charged at `at`, and from then on as often as the schedule of dunning says. A payment under way goes on.
    pub(super) fn collect(&mut self, at: Timestamp) {
        self.is_collected = true;
        if !self.is_under_way() {
            self.collected_from = u32::try_from(self.tries.len()).unwrap_or(u32::MAX);
            self.due_at = Some(at);
        }
    }

    /// Leaves it as it is. What is under way is still looked at.
    pub(super) fn rest(&mut self) {
        self.is_collected = false;
        if !self.is_under_way() {
            self.due_at = None;
        }
    }

    /// What it bills, anew: the periods of a first invoice begin when it is confirmed.
    pub(super) fn bill(&mut self, billed: &Billed, period: Option<Period>) {
        self.lines.clone_from(&billed.lines);
        self.amount = billed.total.amount_minor;
        self.currency = billed.total.currency;
        self.credit_used = billed.credit_used_minor;
        self.period = period;
    }

    /// Moves on, by the engine's own rules for invoices.
    pub(super) fn follow(
        &mut self,
        trigger: InvoiceTrigger,
        now: Timestamp,
    ) -> Result<(), Refusal> {
        self.status = self.status.after(trigger)?;
        self.modified_at = now;
        Ok(())
    }

    /// Begins a payment that is looked at later, should nobody hear of its outcome before.
    pub(super) fn begin_try(
        &mut self,
        payment_id: PaymentId,
        now: Timestamp,
    ) -> Result<(), Refusal> {
        self.follow(InvoiceTrigger::PaymentStarted, now)?;
        self.tries.push(Try::of(payment_id, now));
        self.due_at = now.plus_seconds(LOOK_AFTER[0]);
        Ok(())
    }

    /// Puts the next look off; with each one by more.
    pub(super) fn put_off(&mut self, now: Timestamp) {
        let Some(current) = self.tries.last_mut() else {
            return;
        };
        let seconds = match current.looks {
            0 => LOOK_AFTER[0],
            1..=5 => LOOK_AFTER[1],
            6.. => LOOK_AFTER[2],
        };
        current.looks = current.looks.saturating_add(1);
        self.due_at = now.plus_seconds(seconds);
    }

    /// Its payment failed.
    pub(super) fn fail_try(&mut self, why: String, now: Timestamp) -> Result<(), Refusal> {
        self.follow(InvoiceTrigger::PaymentFailed, now)?;
        if let Some(last) = self.tries.last_mut() {
            last.failed = Some(FailedTry {
                at: now,
                why,
                unread: UnreadMembers::default(),
            });
        }
        self.due_at = None;
        Ok(())
    }
}
