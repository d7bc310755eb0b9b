//! What an outside engine is asked for, one after the other.

use crate::ids::InvoiceId;
use crate::refusal::Refusal;
use crate::subscription::draft::Draft;
use crate::subscription::invoice::ask_after;
use crate::subscription::outside::{Asked, EngineOutcome, EngineState, EngineTold, ToRecord, Wish};
use crate::subscription::transition::Effect;
use crate::subscription::{
    Cancel, Outside, RefundableCreditsHandling, Refunding, Resume, SubscriptionStatus, Update, When,
};
use crate::timestamp::Timestamp;
use crate::unread::UnreadMembers;

/// How long a confirm may take before its payment is looked at, in seconds.
const LOOK_AFTER: i64 = 60;
/// How fresh the engine's word has to be for a charge, in seconds.
const FRESH_SECONDS: i64 = 60;
/// When a charge is tried again for which the engine didn't say that it is still wanted, in seconds.
const WAIT_SECONDS: i64 = 300;
/// How often an engine is told of an end that it refuses.
const MOST_ENDS: u32 = 10;

/// When an answer is asked for again that didn't come so many times.
fn later(times: u32, now: Timestamp) -> Timestamp {
    let seconds = ask_after(usize::try_from(times).unwrap_or(usize::MAX));
    now.plus_seconds(seconds).unwrap_or(now)
}

impl Outside {
    /// Whether the engine has made the subscription and hasn't said for a while how that stands: it may want no money for it any more.
    pub fn has_old_word(&self, now: Timestamp) -> bool {
        let is_fresh = |looked_at: Timestamp| now.seconds_since(looked_at) <= FRESH_SECONDS;
        self.reference.is_some() && !self.looked_at.is_some_and(is_fresh)
    }

    /// Whether it is certain that what is asked was not done. Where it was taken up again, somebody else's try may have been.
    pub fn is_refused_by(&self, told: &EngineTold) -> bool {
        let asked = self.asked.as_ref();
        let Some(asked) = asked.filter(|asked| asked.key == told.key) else {
            return false;
        };
        match told.outcome {
            EngineOutcome::Refused { .. } => true,
            EngineOutcome::NeverHappened { .. } => asked.looks == 0,
            EngineOutcome::Done(_) | EngineOutcome::Unknown(_) => false,
        }
    }

    /// Whether that is how this subscription stands.
    pub(super) fn is_of_it(&self, state: &EngineState) -> bool {
        let own = self.reference.as_ref();
        own.is_none_or(|own| *own == state.reference)
    }

    /// When the engine is asked next for what it is to do.
    pub(in crate::subscription) fn ask_at(&self) -> Option<Timestamp> {
        let asked = self.asked.as_ref().map(|asked| asked.due_at);
        asked.or(self.tell_again_at)
    }
}

impl Draft<'_> {
    pub(in crate::subscription) fn is_outside(&self) -> bool {
        self.subscription.outside.is_some()
    }

    /// Stores that the engine is asked for something, and has it asked.
    fn wish(&mut self, wish: Wish) {
        let now = self.context.now;
        let key = self.context.ids.processor_key();
        if let Some(outside) = &mut self.subscription.outside {
            outside.asked = Some(Asked {
                key,
                wish,
                looks: 0,
                due_at: later(0, now),
                unread: UnreadMembers::default(),
            });
            self.effects.push(Effect::AskEngine);
        }
    }

    /// Nobody knows what became of an earlier request: another one might be done before it.
    fn check_answered(&self, verb: &str) -> Result<(), Refusal> {
        let outside = self.subscription.outside.as_ref();
        match outside.and_then(|outside| outside.asked.as_ref()) {
            None => Ok(()),
            Some(asked) => Err(Refusal::precondition(format!(
                "You cannot {verb} this subscription until its billing engine has answered an earlier request ({})",
                asked.wish.operation()
            ))),
        }
    }

    /// The engine makes the subscription before anybody pays: what it refuses costs nothing.
    pub(in crate::subscription) fn confirm_outside(&mut self) -> Result<(), Refusal> {
        let now = self.context.now;
        let outside = self.subscription.outside.as_mut();
        let Some(outside) = outside else {
            return Ok(());
        };
        match &mut outside.asked {
            // Another confirm didn't hear what became of it.
            Some(asked) if asked.wish == Wish::Create => {
                asked.looks = asked.looks.saturating_add(1);
                asked.due_at = later(asked.looks, now);
                self.effects.push(Effect::AskEngine);
            }
            Some(_) => self.check_answered("confirm")?,
            None if outside.reference.is_none() => self.wish(Wish::Create),
            None => {}
        }
        if let Some(invoice) = self.invoices.first_mut() {
            invoice.look_anew();
            invoice.due_at = now.plus_seconds(LOOK_AFTER);
        }
        Ok(())
    }

    pub(in crate::subscription) fn pause_outside(&mut self, when: When) -> Result<(), Refusal> {
        if !self.status().is_running() {
            return Err(self.refusal("pause"));
        }
        self.check_answered("pause")?;
        self.wish(Wish::Pause { when });
        Ok(())
    }

    pub(in crate::subscription) fn resume_outside(
        &mut self,
        resume: &Resume,
    ) -> Result<(), Refusal> {
        if self.status() != SubscriptionStatus::Paused {
            return Err(self.refusal("resume"));
        }
        self.check_answered("resume")?;
        self.wish(Wish::Resume {
            at: resume.at,
            charges: resume.charges,
            unpaid_invoices: resume.unpaid_invoices,
        });
        Ok(())
    }

    pub(in crate::subscription) fn update_outside(
        &mut self,
        update: Update,
    ) -> Result<(), Refusal> {
        if !self.status().is_running() {
            return Err(self.refusal("update"));
        }
        self.check_answered("update")?;
        let Some(plan) = self.changed_plan(update) else {
            return Ok(());
        };
        if plan.price.currency != self.subscription.plan.price.currency {
            return Err(Refusal::invalid_value(
                "item_price_id is a price in another currency than the subscription's",
            ));
        }
        self.check_account(&plan)?;
        plan.price.check_quantity(plan.quantity)?;
        self.wish(Wish::Update {
            plan: Box::new(plan),
        });
        Ok(())
    }

    /// What the engine never made ends here alone.
    pub(in crate::subscription) fn cancel_outside(
        &mut self,
        cancel: Cancel,
    ) -> Result<(), Refusal> {
        if self.status().is_final() {
            return Err(self.refusal("cancel"));
        }
        if cancel.credits == RefundableCreditsHandling::ScheduleRefund {
            return Err(Refusal::FlowNotSupported {
                flow: "refundable_credits_handling schedule_refund with an outside billing engine"
                    .to_owned(),
            });
        }
        self.check_answered("cancel")?;
        let outside = self.subscription.outside.as_ref();
        if outside.is_none_or(|outside| outside.reference.is_none()) {
            return self.cancel(cancel);
        }
        self.wish(Wish::Cancel {
            when: cancel.when,
            unbilled: cancel.unbilled,
            receivables: cancel.receivables,
            returns: cancel.returns,
            reason_code: cancel.reason_code,
        });
        Ok(())
    }

    /// Time has come to take up again what has no answer, or was refused and has to be told still.
    pub(in crate::subscription) fn ask_again(&mut self) {
        let now = self.context.now;
        let Some(outside) = &mut self.subscription.outside else {
            return;
        };
        outside.tell_again_at = None;
        match &mut outside.asked {
            Some(asked) => {
                asked.looks = asked.looks.saturating_add(1);
                asked.due_at = later(asked.looks, now);
                self.effects.push(Effect::AskEngine);
            }
            None => self.next_wish(),
        }
    }

    /// Goes on with what the engine is still to be told, unless it is busy.
    pub(in crate::subscription) fn next_wish(&mut self) {
        let Some(outside) = &mut self.subscription.outside else {
            return;
        };
        let is_made = outside.reference.is_some();
        if !is_made || outside.asked.is_some() || outside.tell_again_at.is_some() {
            return;
        }
        let is_held_up = outside.to_record.is_empty() || outside.refusals > 0;
        if is_held_up && std::mem::take(&mut outside.is_to_end) {
            self.wish(Wish::End);
        } else if !outside.to_record.is_empty() {
            let first = outside.to_record.remove(0);
            self.wish(Wish::Record(first));
        }
    }

    /// The engine doesn't take note of what is so all the same: it is told again, later. Other wishes need not wait for that.
    pub(super) fn tell_later(&mut self, wish: Wish) {
        let now = self.context.now;
        let Some(outside) = &mut self.subscription.outside else {
            return;
        };
        match wish {
            // Behind the others, which it doesn't hold up.
            Wish::Record(record) => outside.to_record.push(record),
            Wish::End => outside.is_to_end = outside.refusals < MOST_ENDS,
            // These are the merchant's own, and nothing has changed.
            Wish::Create
            | Wish::Update { .. }
            | Wish::Pause { .. }
            | Wish::Resume { .. }
            | Wish::Cancel { .. } => return,
        }
        outside.tell_again_at = Some(later(outside.refusals, now));
        outside.refusals = outside.refusals.saturating_add(1);
    }

    /// The engine is to be told that the subscription is over.
    pub(in crate::subscription) fn leave_engine(&mut self) {
        if let Some(outside) = &mut self.subscription.outside {
            // What it makes still, it is told to end then.
            outside.is_to_end = outside.reference.is_some() || outside.asked.is_some();
            outside.look_at = None;
        }
        self.next_wish();
    }

    /// An invoice was paid. Where the subscription was over before it began, its payer has had nothing, and gets all of it back.
    pub(in crate::subscription) fn hear_paid_outside(&mut self, invoice_id: &InvoiceId) {
        let outside = self.subscription.outside.as_ref();
        let has_begun = outside.is_some_and(|outside| outside.has_begun);
        if has_begun || !self.status().is_final() {
            return self.record_outside(invoice_id);
        }
        let amount = self.invoice_mut(invoice_id).map_or(0, |paid| paid.amount);
        self.subscription.credit += amount;
        self.subscription.refunding = Some(Refunding::of_all());
        self.schedule_refunds();
    }

    /// The engine is to be told.
    fn record_outside(&mut self, invoice_id: &InvoiceId) {
        let paid = self
            .invoices
            .iter()
            .find(|one| one.invoice_id == *invoice_id);
        let record = paid.map(|invoice| ToRecord {
            invoice_id: invoice.invoice_id.clone(),
            reference: invoice.billing_processor_invoice_id.clone(),
            payment_id: invoice.paid_by().cloned(),
            amount: invoice.amount,
            currency: invoice.currency,
            unread: UnreadMembers::default(),
        });
        if let Some(outside) = &mut self.subscription.outside {
            outside.has_begun = true;
            outside.to_record.extend(record);
        }
        self.next_wish();
    }

    /// Whether an invoice is charged only after the engine was asked if it still wants that: it may have been paid or given up there.
    pub(in crate::subscription) fn waits_for_engine(&mut self, invoice_id: &InvoiceId) -> bool {
        let now = self.context.now;
        let Some(outside) = &mut self.subscription.outside else {
            return false;
        };
        if !outside.has_old_word(now) {
            return false;
        }
        if !outside.waiting.contains(invoice_id) {
            outside.waiting.push(invoice_id.clone());
        }
        if let Some(invoice) = self.invoice_mut(invoice_id) {
            invoice.due_at = now.plus_seconds(WAIT_SECONDS);
        }
        self.effects.push(Effect::LookAtEngine);
        true
    }
}
