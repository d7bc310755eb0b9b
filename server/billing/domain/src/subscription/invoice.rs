//! An invoice: what is billed at once, and every try to have it paid. (Facts 7.11)

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
    /// By whose calendar its days are; of one that was made before it was kept, the subscription's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<Zone>,
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
    /// All tries were made, or no other one may be: another method is charged for it still.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_given_up: bool,
    /// When it is charged, or its payment looked at; unset while nothing is to be done.
    pub due_at: Option<Timestamp>,
    pub paid_at: Option<Timestamp>,
    pub payment_method_id: Option<PaymentMethodId>,
    /// Its id at the outside billing engine that made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub billing_processor_invoice_id: Option<String>,
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
    /// What it charges; of the first payment, and of one of before it was kept, unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment_method_id: Option<PaymentMethodId>,
    /// How often it was looked at since, without an outcome.
    pub looks: u32,
    /// When it failed, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<FailedTry>,
    /// Its payment has taken money when nobody waited for it any more: after it had failed, or when the invoice was settled.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_late: bool,
    /// That money is in the subscription's credit. A server of before 0043 didn't note it: `note_credited` makes up for that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_credited: bool,
    /// The subscription notes what of that credit its payer has back. A server of before that was kept didn't.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_followed: bool,
    /// What its payment held, in minor units, when the first invoice was given up: that is in the subscription's credit.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub part: i64,
    /// It had paid the invoice, and its money is gone or may be: nobody is charged again by itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_taken_back: bool,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl Try {
    pub(super) fn of(payment_id: PaymentId, now: Timestamp) -> Self {
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

    /// It has taken money that pays no invoice and is no credit yet.
    fn is_to_count(&self) -> bool {
        self.is_late && !self.is_credited
    }
}

/// Why a try failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedTry {
    pub at: Timestamp,
    pub why: String,
    /// Nobody was asked for it: it doesn't count.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_uncounted: bool,
    /// The invoice was under review when the merchant had it charged again: what it holds doesn't keep another one from being made.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_set_aside: bool,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl FailedTry {
    pub(super) fn of(why: String, now: Timestamp) -> Self {
        FailedTry {
            at: now,
            why,
            is_uncounted: false,
            is_set_aside: false,
            unread: UnreadMembers::default(),
        }
    }
}

/// From one try for which nobody was asked to the next, in seconds, by how many there were before: the first, five more, a day's worth,
/// all others.
pub(super) const fn ask_after(tries: usize) -> i64 {
    match tries {
        0 => 60,
        1..=5 => 300,
        6..=29 => 3_600,
        30.. => 86_400,
    }
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
            | LineKind::CreditGiven
            | LineKind::CarriedIn
            | LineKind::CarriedOver
            | LineKind::Rounding => 0,
        };
        self.lines.iter().map(set_off).sum()
    }

    /// The payment that paid it; nothing while it is not paid, and where there was nothing to be paid.
    pub fn paid_by(&self) -> Option<&PaymentId> {
        let is_paid = self.status == InvoiceStatus::Paid && self.amount > 0;
        let late = || self.tries.iter().find(|one| one.is_to_count());
        let paid_by = self.current_try().or_else(late).filter(|_| is_paid)?;
        Some(&paid_by.payment_id)
    }

    /// The payments that hold money: the one that paid it, those that came too late, and what took only a part.
    pub fn holding(&self) -> impl Iterator<Item = &PaymentId> {
        let paid_by = self.paid_by();
        let ids = self
            .tries
            .iter()
            .filter(move |one| one.is_late || one.part > 0 || Some(&one.payment_id) == paid_by);
        ids.map(|one| &one.payment_id)
    }

    /// The payments whose money is in the credit.
    pub fn credited(&self) -> impl Iterator<Item = &PaymentId> {
        let tries = self.tries.iter();
        let credited = tries.filter(|one| one.is_credited || one.part > 0);
        credited.map(|one| &one.payment_id)
    }

    /// A payment for it holds money that is no credit, nor paid it too late.
    pub(super) fn is_held_by(&self, held: &Held) -> bool {
        let mut tries = self
            .tries
            .iter()
            .filter(|one| !one.is_late && one.part == 0);
        held.amount > 0 && tries.any(|one| one.payment_id == held.payment_id)
    }

    /// A payment has taken money for it that counts nowhere yet.
    pub(super) fn has_late_money(&self) -> bool {
        self.tries.iter().any(Try::is_to_count)
    }

    /// Notes all late money but that which pays it as credit; answers how much that is, in minor units.
    pub(super) fn credit_late_money(&mut self) -> i64 {
        let amount = self.amount;
        let paid_by = self.paid_by().cloned();
        let tries = self.tries.iter_mut();
        let beyond =
            tries.filter(|one| one.is_to_count() && Some(&one.payment_id) != paid_by.as_ref());
        beyond
            .map(|one| {
                one.is_credited = true;
                amount - std::mem::take(&mut one.part)
            })
            .sum()
    }

    /// Notes what a server of before 0043 has credited without noting it: all late money of an invoice that something else has
    /// settled.
    pub(super) fn note_credited(&mut self) {
        if !self.is_open() {
            self.credit_late_money();
        }
    }

    pub(super) fn try_mut(&mut self, payment_id: &PaymentId) -> Option<&mut Try> {
        let mut tries = self.tries.iter_mut();
        tries.find(|one| one.payment_id == *payment_id)
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

    /// Its payment may still take money. One that somebody has to look at is not waited for.
    pub fn is_being_paid(&self) -> bool {
        self.is_under_way() && self.status != InvoiceStatus::ManualReview
    }

    /// Neither paid nor given up.
    pub fn is_open(&self) -> bool {
        self.status.is_open()
    }

    /// It is collected, and no payment for it is under way: when it is due, it is charged.
    pub(super) fn waits_for_charge(&self) -> bool {
        self.is_collected && !self.is_under_way() && self.status.may_be_charged()
    }

    /// It is open, and not one that a resumption left alone.
    pub(super) fn is_demanded(&self) -> bool {
        self.is_open() && (self.is_collected || self.is_given_up || self.is_under_way())
    }

    /// Tries that failed since it is collected (again).
    pub fn failures(&self) -> u32 {
        let of_this_collection = self.tries.iter().skip(self.collected_from as usize);
        let counts = |one: &&Try| one.failed.as_ref().is_some_and(|it| !it.is_uncounted);
        let failed = of_this_collection.filter(counts);
        u32::try_from(failed.count()).unwrap_or(u32::MAX)
    }

    /// Has it charged at `at`, and from then on as often as the schedule of dunning says. A payment under way goes on, and what is
    /// under review waits for whoever looks at it.
    pub(super) fn collect(&mut self, at: Timestamp) {
        self.is_collected = true;
        self.is_given_up = false;
        if !self.is_under_way() && self.status.may_be_charged() {
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

    /// Leaves it as it is, for it can't be collected with what there is to be charged.
    pub(super) fn give_up(&mut self) {
        self.is_given_up |= self.is_collected;
        self.rest();
    }

    /// It is open, and nobody was ever asked for its payment.
    pub(super) fn was_never_asked_for(&self) -> bool {
        let was_not = |one: &Try| one.failed.as_ref().is_some_and(|it| it.is_uncounted);
        self.is_open() && self.tries.iter().all(was_not)
    }

    /// A request has begun to confirm its first payment, and nobody has looked yet what became of that.
    pub(super) fn is_being_confirmed(&self, now: Timestamp) -> bool {
        let is_to_come = self.due_at.is_some_and(|due_at| now < due_at);
        is_to_come && self.current_try().is_some_and(|it| it.looks == 0)
    }

    /// Its payment is looked at as if it had just begun.
    pub(super) fn look_anew(&mut self) {
        if let Some(current) = self.tries.last_mut() {
            current.looks = 0;
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
        method: PaymentMethodId,
        now: Timestamp,
    ) -> Result<(), Refusal> {
        self.follow(InvoiceTrigger::PaymentStarted, now)?;
        self.tries.push(Try {
            payment_method_id: Some(method),
            ..Try::of(payment_id, now)
        });
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

    /// What is told of its payment is no outcome. Whoever began it, or looked at it, has set the next look.
    pub(super) fn wait(&mut self, now: Timestamp) {
        if self.due_at.is_none_or(|due_at| due_at <= now) {
            self.put_off(now);
        } else if let Some(current) = self.tries.last_mut() {
            current.looks = current.looks.max(1);
        }
    }

    /// Its payment failed.
    pub(super) fn fail_try(&mut self, why: String, now: Timestamp) -> Result<(), Refusal> {
        self.follow(InvoiceTrigger::PaymentFailed, now)?;
        if let Some(last) = self.tries.last_mut() {
            last.failed = Some(FailedTry::of(why, now));
        }
        self.due_at = None;
        Ok(())
    }

    /// Nobody was asked for its payment. It is asked again after a while, in which somebody may see to it; what rests only where the
    /// subscription is billed, and once.
    pub(super) fn ask_later(
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
            self.due_at = now.plus_seconds(ask_after(in_a_row));
        }
        Ok(())
    }

    /// The merchant has looked at the payments of an invoice under review: another one may be made.
    pub(super) fn set_aside(&mut self, now: Timestamp) -> Result<(), Refusal> {
        self.follow(InvoiceTrigger::PaymentFailed, now)?;
        for one in &mut self.tries {
            let why = || FailedTry::of("set aside after a review".to_owned(), now);
            one.failed.get_or_insert_with(why).is_set_aside = true;
        }
        self.due_at = None;
        Ok(())
    }
}
