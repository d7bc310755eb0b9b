//! A subscription as tests move it: by commands, by time, and by what is told of its payments.

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

/// Ids that count.
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
    /// All invoices that it ever had, as they are now.
    pub invoices: Vec<Invoice>,
    /// How refunds of its credit end.
    pub refunds_end: RefundStatus,
    /// How many of the refunds that are looked at next never took place.
    pub refunds_lost: u32,
    /// What was refunded by hand of the payment of this invoice.
    pub by_hand: Vec<(InvoiceId, i64)>,
    /// The same of payments whose money is, or was, credit.
    pub credited_by_hand: Vec<(PaymentId, i64)>,
    /// What payments hold of a first invoice that is not paid.
    pub holds: Vec<Held>,
    /// The payments that hold the money of their invoice, as was told of them last.
    pub held: BTreeSet<PaymentId>,
    /// From when on which method was to be charged.
    pub charges: Vec<(Timestamp, u32)>,
    /// From when to when it ran, as a worker in time sees it.
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
    /// Made, not confirmed.
    pub fn created(price: Price) -> Self {
        Story::created_with(price, None)
    }

    /// The same with a coupon.
    pub fn created_with(price: Price, coupon: Option<AppliedCoupon>) -> Self {
        Story::created_where(price, coupon, Chargeable::ANY)
    }

    /// The same where processors can't charge every amount.
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

    /// Confirmed and paid.
    pub fn active() -> Self {
        Story::begun(monthly())
    }

    pub fn begun(price: Price) -> Self {
        Story::begun_with(price, None)
    }

    /// The same with a coupon.
    pub fn begun_with(price: Price, coupon: Option<AppliedCoupon>) -> Self {
        let mut story = Story::created_with(price, coupon);
        story.does(Command::Confirm);
        story.told(paid());
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

    /// What was refunded by hand of the payments that paid its invoices.
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

    /// What is told may be about an invoice that is settled.
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

    /// Of the payment that is under way.
    pub fn told(&mut self, outcome: Outcome) -> Vec<Effect> {
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

    /// Of the newest payment that nobody waits for.
    pub fn of_former(&self, outcome: Outcome) -> Told {
        self.of_nth_former(0, outcome)
    }

    /// Of one that nobody waits for, the newest first.
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

    /// Time passes and everything that becomes due is done; each payment ends as `outcome` says.
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

    /// So much of the payment that paid an invoice is refunded by hand, and the worker hears of it.
    pub fn refunds_by_hand(&mut self, invoice_id: &InvoiceId, amount: i64) {
        self.by_hand.push((invoice_id.clone(), amount));
        self.standing.subscription.has_news = true;
        self.until(self.now, |_| paid());
    }

    /// The same of a payment whose money is credit. Less than nothing: a refund that was under way has failed.
    pub fn refunds_credited_by_hand(&mut self, payment_id: &PaymentId, amount: i64) {
        self.credited_by_hand.push((payment_id.clone(), amount));
        self.standing.subscription.has_news = true;
        self.until(self.now, |_| paid());
    }

    /// Something is told of a payment that nobody waits for, and then that all was heard.
    pub fn hears_late(&mut self, told: Told) {
        self.takes(Input::Told(told)).expect("it is never refused");
        self.standing.subscription.has_news = true;
        self.until(self.now, |_| paid());
    }

    /// Credit goes back to the payments, the newest first, as far as they have room.
    fn refunds_credit(&mut self) {
        loop {
            let subscription = &self.standing.subscription;
            if subscription.credit_to_refund() == 0 {
                return;
            }
            let credit = subscription.credit_to_refund_beside(&self.taken_back());
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

    /// The newest payment of which something can be refunded, and how much.
    pub fn room(&self) -> Option<(PaymentId, i64)> {
        let rooms = self.invoices.iter().rev().flat_map(|invoice| {
            let refundable = self.standing.subscription.refundable(invoice).into_iter();
            refundable.map(|payment_id| (payment_id.clone(), self.room_in(invoice, payment_id)))
        });
        rooms.into_iter().find(|(_, room)| *room > 0)
    }

    /// What is left of an invoice's payment.
    pub fn room_of(&self, invoice: &Invoice) -> i64 {
        let paid_by = invoice.paid_by();
        paid_by.map_or(0, |payment_id| self.room_in(invoice, payment_id))
    }

    /// What is left of a payment whose money is credit.
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
