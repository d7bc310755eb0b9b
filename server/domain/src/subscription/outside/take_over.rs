//! What an outside engine says of a subscription: it owns the status, from the first payment on.

use crate::billing::charge::ReturnOption;
use crate::refusal::Refusal;
use crate::subscription::draft::Draft;
use crate::subscription::outside::{EngineOutcome, EngineState, EngineTold, Wish};
use crate::subscription::{
    Cancelling, ChargesHandling, Invoice, ReceivablesHandling, RefundableCreditsHandling, Resuming,
    SubscriptionStatus, UnbilledChargesOption, UnpaidInvoicesHandling,
};
use crate::timestamp::Timestamp;
use crate::unread::UnreadMembers;

/// An engine is asked at least so often how a subscription stands, in seconds: its own people change things too.
const LOOK_EVERY: i64 = 86_400;
/// When it is asked again whose period should have ended by now, in seconds.
const LOOK_AGAIN_AFTER: i64 = 600;

impl Draft<'_> {
    /// What became of a request. Told twice, or of one that nobody waits for any more, it changes nothing.
    pub(in crate::subscription) fn hear_engine(&mut self, told: EngineTold) -> Result<(), Refusal> {
        let Some(outside) = &mut self.subscription.outside else {
            return Ok(());
        };
        let is_refused = outside.is_refused_by(&told);
        let EngineTold {
            key,
            looked_at,
            outcome,
        } = told;
        let Some(asked) = outside.asked.take_if(|asked| asked.key == key) else {
            return Ok(());
        };
        match outcome {
            EngineOutcome::Done(state) if outside.is_of_it(&state) => {
                outside.refusals = 0;
                let is_newest = outside.looked_at == looked_at;
                self.grant(asked.wish);
                if is_newest {
                    self.take_over(state)?;
                } else {
                    self.look_anew();
                }
                self.next_wish();
            }
            EngineOutcome::Done(_)
            | EngineOutcome::Refused { .. }
            | EngineOutcome::NeverHappened { .. }
            | EngineOutcome::Unknown(_) => {
                if is_refused {
                    self.tell_later(asked.wish);
                    self.next_wish();
                } else {
                    outside.asked = Some(asked);
                }
            }
        }
        Ok(())
    }

    /// What of a wish isn't the engine's to say.
    fn grant(&mut self, wish: Wish) {
        let now = self.context.now;
        let subscription = &mut self.subscription;
        match wish {
            Wish::Create | Wish::Pause { .. } | Wish::Record(_) | Wish::End => {}
            Wish::Update { plan } => subscription.plan = *plan,
            Wish::Resume {
                at,
                charges,
                unpaid_invoices,
            } => {
                subscription.resuming = Some(Resuming {
                    at: at.unwrap_or(now),
                    charges,
                    unpaid_invoices,
                    unread: UnreadMembers::default(),
                });
            }
            Wish::Cancel {
                when: _,
                unbilled,
                receivables,
                returns,
                reason_code,
            } => {
                subscription.cancel_reason_code = reason_code;
                subscription.cancelling = Some(Cancelling {
                    at: now,
                    is_end_of_term: None,
                    unbilled,
                    receivables,
                    returns,
                    credits: RefundableCreditsHandling::NoAction,
                    unread: UnreadMembers::default(),
                });
            }
        }
    }

    /// Takes over how the engine says that the subscription stands.
    pub(in crate::subscription) fn take_over(&mut self, state: EngineState) -> Result<(), Refusal> {
        let (now, was) = (self.context.now, self.status());
        let Some(outside) = &mut self.subscription.outside else {
            return Ok(());
        };
        if !outside.is_of_it(&state) {
            return Ok(());
        }
        let is_new = outside.reference.replace(state.reference.clone()).is_none();
        outside.looked_at = Some(now);
        outside.look_at = None;
        if was.is_final() {
            // What was billed before may be collected still. What the engine bills after the end is nobody's.
            if outside.has_begun {
                self.give_up_gone(&state)?;
                self.charge_waiting();
            }
            return Ok(());
        }
        outside.period = state.period;
        if !outside.has_begun {
            return self.take_over_unpaid(&state);
        }
        if is_new {
            self.find_recorded(&state);
        }
        self.take_over_invoices(&state)?;
        self.take_over_plans(&state);
        self.take_over_status(&state)?;
        self.look_next();
        self.charge_waiting();
        Ok(())
    }

    /// Nobody has paid yet, so all that counts is whether the engine still wants what was agreed.
    fn take_over_unpaid(&mut self, state: &EngineState) -> Result<(), Refusal> {
        let now = self.context.now;
        if state.status.is_final() {
            self.end_by_engine(state)?;
            self.call_off(now);
        } else if !self.take_over_first_invoice(state) {
            self.end(SubscriptionStatus::Failed);
            self.call_off(now);
            self.leave_engine();
        } else if self.status() == SubscriptionStatus::Pending {
            self.look_next();
        }
        Ok(())
    }

    /// What the engine is to do at a date.
    fn take_over_plans(&mut self, state: &EngineState) {
        let subscription = &mut self.subscription;
        subscription.pausing_at = state.pauses_at;
        subscription.resuming = match (state.resumes_at, subscription.resuming.take()) {
            (Some(at), Some(resuming)) => Some(Resuming { at, ..resuming }),
            (Some(at), None) => Some(Resuming {
                at,
                charges: ChargesHandling::InvoiceImmediately,
                unpaid_invoices: UnpaidInvoicesHandling::NoAction,
                unread: UnreadMembers::default(),
            }),
            // One that has just been made is still to be heard of.
            (None, resuming) => resuming.filter(|_| state.status.is_running()),
        };
        subscription.cancelling = match (state.cancels_at, subscription.cancelling.take()) {
            (Some(at), Some(cancelling)) => Some(Cancelling { at, ..cancelling }),
            (Some(at), None) => Some(Cancelling {
                at,
                is_end_of_term: None,
                unbilled: UnbilledChargesOption::Invoice,
                receivables: ReceivablesHandling::NoAction,
                returns: ReturnOption::None,
                credits: RefundableCreditsHandling::NoAction,
                unread: UnreadMembers::default(),
            }),
            (None, cancelling) => cancelling.filter(|_| state.status.is_final()),
        };
    }

    fn take_over_status(&mut self, state: &EngineState) -> Result<(), Refusal> {
        let (now, was) = (self.context.now, self.status());
        let outside = self.subscription.outside.as_ref();
        let is_unpaid = outside.is_some_and(|outside| outside.is_unpaid);
        let subscription = &mut self.subscription;
        subscription.next_billing_at = state.next_billing_at;
        match state.status {
            SubscriptionStatus::Paused => {
                subscription.status = SubscriptionStatus::Paused;
                subscription.next_billing_at = state.resumes_at;
                subscription.paused_at = state.paused_at.or(Some(now));
                if was != SubscriptionStatus::Paused {
                    self.invoices.iter_mut().for_each(Invoice::rest);
                }
            }
            SubscriptionStatus::Created
            | SubscriptionStatus::Pending
            | SubscriptionStatus::Active
            | SubscriptionStatus::Trial
            | SubscriptionStatus::Unpaid => {
                // What can't be collected here is said by nobody else.
                subscription.status = match (state.status, is_unpaid) {
                    (SubscriptionStatus::Active | SubscriptionStatus::Trial, true) => {
                        SubscriptionStatus::Unpaid
                    }
                    (status, _) => status,
                };
                subscription.paused_at = None;
                let resuming = subscription.resuming.take();
                if was == SubscriptionStatus::Paused {
                    let handling = resuming.map_or(UnpaidInvoicesHandling::NoAction, |resuming| {
                        resuming.unpaid_invoices
                    });
                    self.take_up_invoices(handling, now);
                }
            }
            SubscriptionStatus::InActive
            | SubscriptionStatus::Onetime
            | SubscriptionStatus::Cancelled
            | SubscriptionStatus::Failed => return self.end_by_engine(state),
        }
        Ok(())
    }

    fn end_by_engine(&mut self, state: &EngineState) -> Result<(), Refusal> {
        let now = self.context.now;
        let cancelling = self.subscription.cancelling.take();
        self.end(state.status);
        self.subscription.paused_at = None;
        if state.status == SubscriptionStatus::Cancelled {
            self.subscription.cancelled_at = state.cancelled_at.or(Some(now));
        }
        let receivables = cancelling.map(|cancelling| cancelling.receivables);
        match receivables.unwrap_or(ReceivablesHandling::NoAction) {
            ReceivablesHandling::NoAction => {}
            ReceivablesHandling::SchedulePaymentCollection => self.collect_open(now),
            ReceivablesHandling::WriteOff => self.give_up_outside(|_| true)?,
        }
        Ok(())
    }

    /// When the engine is asked again: once the next of its dates has come, and daily, also while the first payment is on its way.
    pub(in crate::subscription) fn look_next(&mut self) {
        let now = self.context.now;
        let is_over = self.status().is_final();
        let subscription = &mut self.subscription;
        let Some(outside) = &mut subscription.outside else {
            return;
        };
        let cancelling = subscription.cancelling.as_ref().map(|it| it.at);
        let resuming = subscription.resuming.as_ref().map(|it| it.at);
        let dates = [
            subscription.next_billing_at,
            subscription.pausing_at,
            resuming,
            cancelling,
            now.plus_seconds(LOOK_EVERY),
        ];
        let next = dates.into_iter().flatten().min();
        let again = now.plus_seconds(LOOK_AGAIN_AFTER);
        let ahead = |at: &Timestamp| *at > now;
        outside.look_at = next.filter(ahead).or(again).filter(|_| !is_over);
    }

    /// Somebody else has read newer things meanwhile: the engine is asked once more.
    fn look_anew(&mut self) {
        let now = self.context.now;
        if let Some(outside) = &mut self.subscription.outside {
            outside.look_at = Some(now);
        }
    }

    /// The engine is asked how the subscription stands. Should nobody hear of that, it is asked again.
    pub(in crate::subscription) fn look_at_engine(&mut self) {
        let again = self.context.now.plus_seconds(LOOK_AGAIN_AFTER);
        if let Some(outside) = &mut self.subscription.outside {
            outside.look_at = again;
            self.effects.push(crate::subscription::Effect::LookAtEngine);
        }
    }
}
