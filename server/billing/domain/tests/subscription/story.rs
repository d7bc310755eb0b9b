//! A subscription driven by tests: by commands, by time, and by reports about its payments.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering};

use multirail_billing_domain::chargeable::Chargeable;
use multirail_billing_domain::coupon::AppliedCoupon;
use multirail_billing_domain::dunning::DunningSchedule;
use multirail_billing_domain::price::Price;
use multirail_billing_domain::subscription::*;
use multirail_domain::payments::refund::RefundStatus;
use multirail_kernel::ids::*;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;

use crate::given::*;

/// Ids with consecutive numbers.
#[derive(Default)]
pub struct Counting(AtomicU32);

impl Counting {
    fn next(&self, prefix: &str) -> String {
        format!("{prefix}_{}", self.0.fetch_add(1, Ordering::Relaxed) + 2)
    }
}

impl FreshIds for Counting {
    fn invoice_id(&self) -> InvoiceId {
        InvoiceId::parse(&self.next("invoice")).expect("an id")
    }

    fn payment_id(&self) -> PaymentId {
        PaymentId::parse(&self.next("pay")).expect("an id")
    }
}

/// One subscription over its life.
pub struct Story {
    pub now: Timestamp,
    pub standing: Standing,
    /// All invoices in their current state.
    pub invoices: Vec<Invoice>,
    /// The outcome of refunds of its credit.
    pub refunds_end: RefundStatus,
    /// The number of next refunds that never take place.
    pub refunds_lost: u32,
    /// Manual refunds, by the invoice whose payment was refunded.
    pub by_hand: Vec<(InvoiceId, i64)>,
    /// Manual refunds of payments whose money is, or was, credit.
    pub credited_by_hand: Vec<(PaymentId, i64)>,
    /// Money that payments hold for an unpaid first invoice.
    pub holds: Vec<Held>,
    /// The payments that hold their invoice's money, by the last report about them.
    pub held: BTreeSet<PaymentId>,
    /// The methods to charge, each with its start.
    pub charges: Vec<(Timestamp, u32)>,
    /// The stretches of time in which it ran, as a punctual worker sees them.
    pub runs: Vec<(Timestamp, Option<Timestamp>)>,
    /// The amounts that the payment accounts can charge.
    pub chargeable: Chargeable,
    ids: Counting,
    dunning: DunningSchedule,
}

impl Clone for Story {
    fn clone(&self) -> Self {
        Story {
            now: self.now,
            standing: self.standing.clone(),
            invoices: self.invoices.clone(),
            refunds_end: self.refunds_end,
            refunds_lost: self.refunds_lost,
            by_hand: self.by_hand.clone(),
            credited_by_hand: self.credited_by_hand.clone(),
            holds: self.holds.clone(),
            held: self.held.clone(),
            charges: self.charges.clone(),
            runs: self.runs.clone(),
            chargeable: self.chargeable,
            ids: Counting(AtomicU32::new(self.ids.0.load(Ordering::Relaxed))),
            dunning: self.dunning.clone(),
        }
    }
}

impl Story {
    /// Creates a subscription without a confirm.
    pub fn created(price: Price) -> Self {
        Story::created_with(price, None)
    }

    /// Creates a subscription with a coupon.
    pub fn created_with(price: Price, coupon: Option<AppliedCoupon>) -> Self {
        Story::created_where(price, coupon, Chargeable::ANY)
    }

    /// Creates a subscription where processors can't charge every amount.
    pub fn created_where(
        price: Price,
        coupon: Option<AppliedCoupon>,
        chargeable: Chargeable,
    ) -> Self {
        let now = moment("2026-01-31T09:00:00Z");
        let standing = Subscription::create(wanted(price, coupon), chargeable, now);
        let standing = standing.expect("a subscription");
        Story {
            now,
            invoices: standing.open.clone(),
            standing,
            refunds_end: RefundStatus::Succeeded,
            refunds_lost: 0,
            by_hand: Vec::new(),
            credited_by_hand: Vec::new(),
            holds: Vec::new(),
            held: BTreeSet::new(),
            charges: Vec::new(),
            runs: Vec::new(),
            chargeable,
            ids: Counting::default(),
            dunning: "1d, 3d".parse().expect("a schedule"),
        }
    }

    /// Begins a subscription that is confirmed and paid.
    pub fn active() -> Self {
        Story::begun(monthly())
    }

    pub fn begun(price: Price) -> Self {
        Story::begun_with(price, None)
    }

    /// Begins a subscription with a coupon.
    pub fn begun_with(price: Price, coupon: Option<AppliedCoupon>) -> Self {
        let mut story = Story::created_with(price, coupon);
        story.does(Command::Confirm);
        story.reports(paid());
        story
    }

    pub fn decide(&self, input: Input) -> Result<Step, Refusal> {
        let taken_back = self.taken_back();
        let context = Context {
            taken_back: &taken_back,
            held: &self.holds,
            now: self.now,
            ids: &self.ids,
            dunning: &self.dunning,
            chargeable: self.chargeable,
        };
        transition(&self.standing, input, &context)
    }

    /// Returns the manual refunds of the payments that paid its invoices.
    pub fn taken_back(&self) -> Vec<TakenBack> {
        let by_hand = self.by_hand.iter();
        let of_paid = by_hand.filter(|(invoice_id, _)| {
            let mut invoices = self.invoices.iter();
            invoices.any(|it| it.invoice_id == *invoice_id && it.paid_by().is_some())
        });
        let mut all: Vec<TakenBack> = Vec::new();
        for (invoice_id, amount) in of_paid {
            match all.iter_mut().find(|it| it.invoice_id == *invoice_id) {
                Some(taken) => taken.amount += amount,
                None => all.push(TakenBack {
                    invoice_id: invoice_id.clone(),
                    credited: None,
                    amount: *amount,
                }),
            }
        }
        all.extend(self.standing.subscription.credited.iter().map(|one| {
            let of_it = self.credited_by_hand.iter();
            let of_it = of_it.filter(|(payment_id, _)| *payment_id == one.payment_id);
            TakenBack {
                invoice_id: one.invoice_id.clone(),
                credited: Some(one.payment_id.clone()),
                amount: of_it.map(|(_, amount)| amount).sum(),
            }
        }));
        all
    }

    pub fn takes(&mut self, input: Input) -> Result<Vec<Effect>, Refusal> {
        if let Input::Told(told) = &input {
            self.add_invoice(&told.invoice_id);
            match told.outcome {
                Outcome::Paid { .. } => self.held.insert(told.payment_id.clone()),
                Outcome::Pending
                | Outcome::Untouched
                | Outcome::Failed { .. }
                | Outcome::Cancelled { .. }
                | Outcome::NotAsked { .. }
                | Outcome::NeedsReview
                | Outcome::CustomerGone { .. } => self.held.remove(&told.payment_id),
            };
        }
        let step = self.decide(input)?;
        let (ran, runs) = (
            self.status().is_running(),
            step.subscription.status.is_running(),
        );
        match self.runs.last_mut() {
            Some(last) if ran && !runs => last.1 = Some(self.now),
            Some(_) | None if !ran && runs => self.runs.push((self.now, None)),
            Some(_) | None => {}
        }
        for invoice in step.invoices {
            let is_same = |one: &&mut Invoice| one.invoice_id == invoice.invoice_id;
            match self.invoices.iter_mut().find(is_same) {
                Some(known) => *known = invoice,
                None => self.invoices.push(invoice),
            }
        }
        self.standing = Standing {
            subscription: step.subscription,
            open: self
                .invoices
                .iter()
                .filter(|invoice| invoice.is_open())
                .cloned()
                .collect(),
        };
        Ok(step.effects)
    }

    /// Adds the invoice of a report, which may be settled already.
    fn add_invoice(&mut self, invoice_id: &InvoiceId) {
        let is_meant = |one: &&Invoice| one.invoice_id == *invoice_id;
        let open = &mut self.standing.open;
        if !open.iter().any(|one| is_meant(&one)) {
            open.extend(self.invoices.iter().find(is_meant).cloned());
        }
    }

    pub fn does(&mut self, command: Command) -> Vec<Effect> {
        self.takes(Input::Command(command)).expect("it may")
    }

    /// Reports an outcome of the payment under way.
    pub fn reports(&mut self, outcome: Outcome) -> Vec<Effect> {
        let told = self.of_payment(outcome);
        self.takes(Input::Told(told)).expect("it is never refused")
    }

    pub fn of_payment(&self, outcome: Outcome) -> Told {
        let mut under_way = self.standing.open.iter().rev();
        let invoice = under_way.find(|invoice| invoice.current_try().is_some());
        let mut paid = self.invoices.iter().rev();
        let last = paid.find(|invoice| invoice.last_payment().is_some());
        let last = last.expect("it has one");
        let invoice = invoice.unwrap_or(last);
        Told {
            invoice_id: invoice.invoice_id.clone(),
            payment_id: invoice.last_payment().expect("it has one").clone(),
            outcome,
        }
    }

    /// Makes a report about the newest payment that is no longer under way.
    pub fn of_former(&self, outcome: Outcome) -> Told {
        self.of_nth_former(0, outcome)
    }

    /// Makes a report about a payment that is no longer under way; 0 is the newest.
    pub fn of_nth_former(&self, nth: usize, outcome: Outcome) -> Told {
        let all = self.invoices.iter().rev().flat_map(|invoice| {
            let waits_for = invoice.current_try().filter(|_| invoice.is_open());
            let tries = invoice.tries.iter().rev();
            let former = tries.filter(move |one| Some(*one) != waits_for);
            former.map(|one| (invoice.invoice_id.clone(), one.payment_id.clone()))
        });
        let none = || {
            let invoice_id = self.invoices[0].invoice_id.clone();
            (invoice_id, PaymentId::parse("pay_none").expect("an id"))
        };
        let (invoice_id, payment_id) = all.into_iter().nth(nth).unwrap_or_else(none);
        Told {
            invoice_id,
            payment_id,
            outcome,
        }
    }

    /// Lets time pass and does all due work. Each payment ends as `outcome` says.
    pub fn until(&mut self, end: Timestamp, outcome: impl Fn(&Told) -> Outcome) {
        while let Some((at, _)) = self.standing.due().filter(|(at, _)| *at <= end) {
            self.now = self.now.max(at);
            for effect in self.takes(Input::Time).expect("it is billed") {
                match effect {
                    Effect::Charge(ChargeCall {
                        invoice_id,
                        payment_id,
                    }) => {
                        let told = Told {
                            invoice_id,
                            payment_id,
                            outcome: Outcome::Pending,
                        };
                        let outcome = outcome(&told);
                        let told = Told { outcome, ..told };
                        self.takes(Input::Told(told)).expect("it is never refused");
                    }
                    Effect::RefundCredit => self.refunds_credit(),
                    Effect::LookAtRefund(refund_id) => {
                        let told = self.looked_at(refund_id);
                        self.takes(Input::RefundTold(told))
                            .expect("it is never refused");
                    }
                    Effect::LookAtPayments => {
                        self.takes(Input::NewsHeard).expect("it is never refused");
                    }
                    Effect::CancelPayment(_)
                    | Effect::Announce(_)
                    | Effect::GiveCouponBack
                    | Effect::TakeCoupon => {}
                }
            }
        }
        self.now = end;
    }

    /// Refunds this amount of the payment that paid an invoice, and lets the worker notice.
    pub fn refunds_by_hand(&mut self, invoice_id: &InvoiceId, amount: i64) {
        self.by_hand.push((invoice_id.clone(), amount));
        self.standing.subscription.has_news = true;
        self.until(self.now, |_| paid());
    }

    /// Refunds this amount of a payment whose money is credit. A negative amount is a pending refund that failed.
    pub fn refunds_credited_by_hand(&mut self, payment_id: &PaymentId, amount: i64) {
        self.credited_by_hand.push((payment_id.clone(), amount));
        self.standing.subscription.has_news = true;
        self.until(self.now, |_| paid());
    }

    /// Reports an outcome of a payment that is no longer under way, and lets the worker notice.
    pub fn hears_late(&mut self, told: Told) {
        self.takes(Input::Told(told)).expect("it is never refused");
        self.standing.subscription.has_news = true;
        self.until(self.now, |_| paid());
    }

    /// Refunds credit to the payments, the newest first, each at most by its remaining amount.
    fn refunds_credit(&mut self) {
        loop {
            let subscription = &self.standing.subscription;
            if subscription.credit_to_refund() == 0 {
                return;
            }
            let credit = subscription.credit_to_refund_except(&self.taken_back());
            let input = match self.room().filter(|_| credit > 0) {
                None => Input::NothingRefundable,
                Some((payment_id, room)) => Input::Refund(ToRefund {
                    refund_id: RefundId::parse(&self.ids.next("ref")).expect("an id"),
                    payment_id,
                    amount: room.min(credit),
                }),
            };
            let is_over = matches!(input, Input::NothingRefundable);
            self.takes(input).expect("there is as much");
            if is_over {
                return;
            }
        }
    }

    /// Returns the newest refundable payment and its remaining amount.
    pub fn room(&self) -> Option<(PaymentId, i64)> {
        let rooms = self.invoices.iter().rev().flat_map(|invoice| {
            let refundable = self.standing.subscription.refundable(invoice).into_iter();
            refundable.map(|payment_id| (payment_id.clone(), self.room_in(invoice, payment_id)))
        });
        rooms.into_iter().find(|(_, room)| *room > 0)
    }

    /// Returns the remaining amount of an invoice's payment.
    pub fn room_of(&self, invoice: &Invoice) -> i64 {
        let paid_by = invoice.paid_by();
        paid_by.map_or(0, |payment_id| self.room_in(invoice, payment_id))
    }

    /// Returns the remaining amount of a payment whose money is credit.
    pub fn room_in_credited(&self, credited: &CreditedPayment) -> i64 {
        let mut invoices = self.invoices.iter();
        let invoice = invoices.find(|it| it.invoice_id == credited.invoice_id);
        invoice.map_or(0, |it| self.room_in(it, &credited.payment_id))
    }

    fn room_in(&self, invoice: &Invoice, payment_id: &PaymentId) -> i64 {
        let refunds = self.standing.subscription.refunds.iter();
        let of_it = refunds.filter(|refund| refund.payment_id == *payment_id);
        let by_hand = self
            .by_hand
            .iter()
            .filter(|_| invoice.paid_by() == Some(payment_id));
        let by_hand = by_hand.filter(|(invoice_id, _)| *invoice_id == invoice.invoice_id);
        let refunded: i64 = of_it.map(CreditRefund::taken).sum();
        let credited = self.credited_by_hand.iter();
        let credited = credited.filter(|(id, _)| id == payment_id);
        let credited: i64 = credited.map(|(_, amount)| amount).sum();
        invoice.amount - refunded - credited - by_hand.map(|(_, amount)| amount).sum::<i64>()
    }

    fn looked_at(&mut self, refund_id: RefundId) -> RefundTold {
        let told = self.of_refund(refund_id, self.refunds_end);
        if self.refunds_lost == 0 {
            return told;
        }
        self.refunds_lost -= 1;
        RefundTold {
            status: RefundStatus::Failed,
            never_happened: true,
            ..told
        }
    }

    pub fn of_refund(&self, refund_id: RefundId, status: RefundStatus) -> RefundTold {
        RefundTold {
            refund_id,
            status,
            why: (status == RefundStatus::Failed).then(|| "closed account".to_owned()),
            never_happened: false,
        }
    }

    pub fn passes(&mut self, days: i64) {
        let end = self.now.plus_seconds(days * DAY).expect("in range");
        self.until(end, |_| paid());
    }

    pub fn status(&self) -> SubscriptionStatus {
        self.standing.subscription.status
    }
}
