//! An invoice and all payments that were tried for it. (Facts 7.11)

use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{
    ConnectorAccountId, CustomerId, InvoiceId, MerchantId, PaymentId, PaymentMethodId, ProfileId,
    SubscriptionId,
};
use multirail_kernel::record_object::is_zero;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use serde::{Deserialize, Serialize};

use crate::calendar::{Period, Zone};
use crate::invoice::{Billed, Line, LineKind};
use crate::invoice_status::{InvoiceStatus, InvoiceTrigger};
use crate::subscription::{Held, Subscription};

/// An invoice of a subscription. It is stored under the subscription's version and has none of its own. Its lines are
/// computed once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Invoice {
    pub merchant_id: MerchantId,
    pub invoice_id: InvoiceId,
    pub subscription_id: SubscriptionId,
    pub profile_id: ProfileId,
    pub customer_id: CustomerId,
    /// The billing account that owns the prices.
    pub merchant_connector_id: ConnectorAccountId,
    /// The number of the invoice within the subscription, from 1.
    pub number: u32,
    pub status: InvoiceStatus,
    /// The time zone of the invoice's dates. Invoices of earlier versions have none and use the subscription's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<Zone>,
    /// The billed period; unset for a final invoice without a period.
    pub period: Option<Period>,
    pub lines: Vec<Line>,
    /// The amount due in minor units: the sum of the lines, never below 0.
    pub amount: i64,
    pub currency: Currency,
    /// The credit used by the lines, in minor units.
    pub credit_used: i64,
    pub tries: Vec<Try>,
    /// True if a failed attempt is retried.
    pub is_collected: bool,
    /// The number of attempts of earlier collections, which were given up.
    #[serde(default)]
    pub collected_from: u32,
    /// True if all attempts were made or further ones are forbidden. A newly chosen method is still charged.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_given_up: bool,
    /// The time of the next charge or check; unset if nothing is due.
    pub due_at: Option<Timestamp>,
    pub paid_at: Option<Timestamp>,
    pub payment_method_id: Option<PaymentMethodId>,
    /// The invoice's id at the external billing engine that made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub billing_processor_invoice_id: Option<String>,
    pub created_at: Timestamp,
    pub modified_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// One payment for an invoice. Its id is stored before the payment is made, so that it is made only once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Try {
    pub payment_id: PaymentId,
    pub started_at: Timestamp,
    /// The charged method; unset for the first payment and for attempts stored by earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment_method_id: Option<PaymentMethodId>,
    /// The number of checks without an outcome.
    pub looks: u32,
    /// The time and reason of the failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<FailedTry>,
    /// True if its payment took money late: after it had failed, or after the invoice was settled.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_late: bool,
    /// True if that money is in the subscription's credit. Servers before version 0043 didn't store this;
    /// `note_credited` adds it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_credited: bool,
    /// True if the subscription records how much of that credit the payer got back. Earlier servers didn't.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_followed: bool,
    /// The amount in minor units that its payment held when the first invoice was given up. It is in the subscription's
    /// credit.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub part: i64,
    /// True if it paid the invoice and its money is gone or may be. The invoice is not charged again automatically.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_taken_back: bool,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl Try {
    pub(super) fn new(payment_id: PaymentId, now: Timestamp) -> Self {
        Try {
            payment_id,
            started_at: now,
            payment_method_id: None,
            looks: 0,
            failed: None,
            is_late: false,
            is_credited: false,
            is_followed: false,
            part: 0,
            is_taken_back: false,
            unread: UnreadMembers::default(),
        }
    }

    /// Checks whether the payment took money that neither pays an invoice nor is credit yet.
    fn is_unaccounted(&self) -> bool {
        self.is_late && !self.is_credited
    }
}

/// The failure of an attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedTry {
    pub at: Timestamp,
    pub why: String,
    /// True if the failure doesn't count, because no processor was asked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_uncounted: bool,
    /// True if the merchant had the invoice charged again during its review. The attempt no longer blocks another one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_set_aside: bool,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl FailedTry {
    pub(super) fn new(why: String, now: Timestamp) -> Self {
        FailedTry {
            at: now,
            why,
            is_uncounted: false,
            is_set_aside: false,
            unread: UnreadMembers::default(),
        }
    }
}

/// Returns the seconds to wait after an attempt that reached no processor. `tries` counts the earlier ones in a row.
pub(super) const fn pause_after_unsent(tries: usize) -> i64 {
    match tries {
        0 => 60,
        1..=5 => 300,
        6..=29 => 3_600,
        30.. => 86_400,
    }
}

/// Seconds between checks of a payment without an outcome: after the first check, after five more, after all others.
/// The payment's own worker asks the processor meanwhile.
const LOOK_AFTER: [i64; 3] = [60, 300, 3_600];

impl Invoice {
    /// Creates the subscription's newest invoice without any lines.
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
            zone: Some(of.plan.price.zone.clone()),
            period: None,
            lines: Vec::new(),
            amount: 0,
            currency: of.plan.price.currency,
            credit_used: 0,
            tries: Vec::new(),
            is_collected: true,
            collected_from: 0,
            is_given_up: false,
            due_at: None,
            paid_at: None,
            payment_method_id: None,
            billing_processor_invoice_id: None,
            created_at: now,
            modified_at: now,
            unread: UnreadMembers::default(),
        }
    }

    /// Checks whether a coupon reduced the total.
    pub(super) fn is_discounted(&self) -> bool {
        let mut lines = self.lines.iter();
        lines.any(|line| line.kind == LineKind::Discount)
    }

    /// Returns the sum of returns and credit that reduced the total, in minor units.
    pub fn set_off(&self) -> i64 {
        let set_off = |line: &Line| match line.kind {
            LineKind::Return | LineKind::TaxReturn | LineKind::CreditUsed => -line.amount_minor,
            LineKind::Subscription
            | LineKind::Trial
            | LineKind::Proration
            | LineKind::SinglePayment
            | LineKind::Discount
            | LineKind::Tax
            | LineKind::CreditGiven
            | LineKind::CarriedIn
            | LineKind::CarriedOver
            | LineKind::Rounding => 0,
        };
        self.lines.iter().map(set_off).sum()
    }

    /// Returns the payment that paid the invoice. An unpaid invoice and an amount of 0 have none.
    pub fn paid_by(&self) -> Option<&PaymentId> {
        let is_paid = self.status == InvoiceStatus::Paid && self.amount > 0;
        let late = || self.tries.iter().find(|one| one.is_unaccounted());
        let paid_by = self.current_try().or_else(late).filter(|_| is_paid)?;
        Some(&paid_by.payment_id)
    }

    /// Returns the payments that hold money: the one that paid, late ones and partial ones.
    pub fn holding(&self) -> impl Iterator<Item = &PaymentId> {
        let paid_by = self.paid_by();
        let ids = self
            .tries
            .iter()
            .filter(move |one| one.is_late || one.part > 0 || Some(&one.payment_id) == paid_by);
        ids.map(|one| &one.payment_id)
    }

    /// Returns the payments whose money is in the credit.
    pub fn credited(&self) -> impl Iterator<Item = &PaymentId> {
        let tries = self.tries.iter();
        let credited = tries.filter(|one| one.is_credited || one.part > 0);
        credited.map(|one| &one.payment_id)
    }

    /// Checks whether this payment of the invoice holds money that is neither late nor credited in part.
    pub(super) fn is_held_by(&self, held: &Held) -> bool {
        let mut tries = self
            .tries
            .iter()
            .filter(|one| !one.is_late && one.part == 0);
        held.amount > 0 && tries.any(|one| one.payment_id == held.payment_id)
    }

    /// Checks whether a late payment took money that isn't accounted for yet.
    pub(super) fn has_late_money(&self) -> bool {
        self.tries.iter().any(Try::is_unaccounted)
    }

    /// Marks late money as credit, except that of the payment that paid. Returns the amount in minor units.
    pub(super) fn credit_late_money(&mut self) -> i64 {
        let amount = self.amount;
        let paid_by = self.paid_by().cloned();
        let tries = self.tries.iter_mut();
        let beyond =
            tries.filter(|one| one.is_unaccounted() && Some(&one.payment_id) != paid_by.as_ref());
        beyond
            .map(|one| {
                one.is_credited = true;
                amount - std::mem::take(&mut one.part)
            })
            .sum()
    }

    /// Marks credit that a server before version 0043 didn't mark: all late money of a settled invoice.
    pub(super) fn note_credited(&mut self) {
        if !self.is_open() {
            self.credit_late_money();
        }
    }

    pub(super) fn try_mut(&mut self, payment_id: &PaymentId) -> Option<&mut Try> {
        let mut tries = self.tries.iter_mut();
        tries.find(|one| one.payment_id == *payment_id)
    }

    /// Returns the payment under way, or the one that paid.
    pub fn current_try(&self) -> Option<&Try> {
        self.tries.last().filter(|last| last.failed.is_none())
    }

    /// Returns the last payment, whatever its outcome.
    pub fn last_payment(&self) -> Option<&PaymentId> {
        self.tries.last().map(|last| &last.payment_id)
    }

    /// Checks whether its payment may still take money, or took money that needs a review.
    pub fn is_under_way(&self) -> bool {
        self.is_open() && self.current_try().is_some()
    }

    /// Checks whether its payment may still take money. A payment under review doesn't count.
    pub fn is_being_paid(&self) -> bool {
        self.is_under_way() && self.status != InvoiceStatus::ManualReview
    }

    /// Checks whether the invoice is neither paid nor voided.
    pub fn is_open(&self) -> bool {
        self.status.is_open()
    }

    /// Checks whether the invoice will be charged when it is due: it is collected and no payment is under way.
    pub(super) fn waits_for_charge(&self) -> bool {
        self.is_collected && !self.is_under_way() && self.status.may_be_charged()
    }

    /// Checks whether the invoice is open and demanded. A resumption may leave open invoices undemanded.
    pub(super) fn is_demanded(&self) -> bool {
        self.is_open() && (self.is_collected || self.is_given_up || self.is_under_way())
    }

    /// Returns the number of counted failures in the current collection.
    pub fn failures(&self) -> u32 {
        let of_this_collection = self.tries.iter().skip(self.collected_from as usize);
        let counts = |one: &&Try| one.failed.as_ref().is_some_and(|it| !it.is_uncounted);
        let failed = of_this_collection.filter(counts);
        u32::try_from(failed.count()).unwrap_or(u32::MAX)
    }

    /// Has the invoice charged at `at` and retried by the dunning schedule. A payment under way continues, and an
    /// invoice under review stays there.
    pub(super) fn collect(&mut self, at: Timestamp) {
        self.is_collected = true;
        self.is_given_up = false;
        if !self.is_under_way() && self.status.may_be_charged() {
            self.collected_from = u32::try_from(self.tries.len()).unwrap_or(u32::MAX);
            self.due_at = Some(at);
        }
    }

    /// Stops collecting the invoice. A payment under way is still checked.
    pub(super) fn rest(&mut self) {
        self.is_collected = false;
        if !self.is_under_way() {
            self.due_at = None;
        }
    }

    /// Gives the invoice up, because the current method can't pay it.
    pub(super) fn give_up(&mut self) {
        self.is_given_up |= self.is_collected;
        self.rest();
    }

    /// Checks whether the invoice is open and no processor was ever asked for its payment.
    pub(super) fn was_never_asked_for(&self) -> bool {
        let was_not = |one: &Try| one.failed.as_ref().is_some_and(|it| it.is_uncounted);
        self.is_open() && self.tries.iter().all(was_not)
    }

    /// Checks whether a request is confirming the first payment and its outcome wasn't checked yet.
    pub(super) fn is_being_confirmed(&self, now: Timestamp) -> bool {
        let is_to_come = self.due_at.is_some_and(|due_at| now < due_at);
        is_to_come && self.current_try().is_some_and(|it| it.looks == 0)
    }

    /// Restarts the checks of its payment.
    pub(super) fn restart_checks(&mut self) {
        if let Some(current) = self.tries.last_mut() {
            current.looks = 0;
        }
    }

    /// Replaces the lines and the period. The periods of a first invoice begin when it is confirmed.
    pub(super) fn bill(&mut self, billed: &Billed, period: Option<Period>) {
        self.lines.clone_from(&billed.lines);
        self.amount = billed.total.amount_minor;
        self.currency = billed.total.currency;
        self.credit_used = billed.credit_used_minor;
        self.period = period;
    }

    /// Changes the status by the rules of [`InvoiceStatus`].
    pub(super) fn follow(
        &mut self,
        trigger: InvoiceTrigger,
        now: Timestamp,
    ) -> Result<(), Refusal> {
        self.status = self.status.after(trigger)?;
        self.modified_at = now;
        Ok(())
    }

    /// Starts a payment and schedules a check, in case its outcome isn't reported.
    pub(super) fn begin_try(
        &mut self,
        payment_id: PaymentId,
        method: PaymentMethodId,
        now: Timestamp,
    ) -> Result<(), Refusal> {
        self.follow(InvoiceTrigger::PaymentStarted, now)?;
        self.tries.push(Try {
            payment_method_id: Some(method),
            ..Try::new(payment_id, now)
        });
        self.due_at = now.plus_seconds(LOOK_AFTER[0]);
        Ok(())
    }

    /// Schedules the next check, with a longer delay each time.
    pub(super) fn schedule_check(&mut self, now: Timestamp) {
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

    /// Schedules a check if none is pending, because the report about the payment is no outcome.
    pub(super) fn wait(&mut self, now: Timestamp) {
        if self.due_at.is_none_or(|due_at| due_at <= now) {
            self.schedule_check(now);
        } else if let Some(current) = self.tries.last_mut() {
            current.looks = current.looks.max(1);
        }
    }

    /// Marks the current payment as failed.
    pub(super) fn fail_try(&mut self, why: String, now: Timestamp) -> Result<(), Refusal> {
        self.follow(InvoiceTrigger::PaymentFailed, now)?;
        if let Some(last) = self.tries.last_mut() {
            last.failed = Some(FailedTry::new(why, now));
        }
        self.due_at = None;
        Ok(())
    }

    /// Marks a payment that reached no processor, and schedules another one after a while. An invoice that isn't
    /// collected gets another one only if it was never asked for and the subscription is billed.
    pub(super) fn retry_unsent(
        &mut self,
        why: String,
        is_billed: bool,
        now: Timestamp,
    ) -> Result<(), Refusal> {
        let uncounted = |one: &&Try| one.failed.as_ref().is_some_and(|it| it.is_uncounted);
        let before = self.tries.iter().rev().skip(1);
        let in_a_row = before.take_while(uncounted).count();
        self.fail_try(why, now)?;
        if let Some(failed) = self.tries.last_mut().and_then(|last| last.failed.as_mut()) {
            failed.is_uncounted = true;
        }
        if self.is_collected || (is_billed && self.was_never_asked_for()) {
            self.due_at = now.plus_seconds(pause_after_unsent(in_a_row));
        }
        Ok(())
    }

    /// Sets the payments of an invoice under review aside after the merchant's review, so that another one may be made.
    pub(super) fn set_aside(&mut self, now: Timestamp) -> Result<(), Refusal> {
        self.follow(InvoiceTrigger::PaymentFailed, now)?;
        for one in &mut self.tries {
            let why = || FailedTry::new("set aside after a review".to_owned(), now);
            one.failed.get_or_insert_with(why).is_set_aside = true;
        }
        self.due_at = None;
        Ok(())
    }
}
