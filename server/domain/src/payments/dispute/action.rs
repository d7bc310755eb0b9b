//! The merchant's answers to a dispute that are sent to the processor: accepting it, or challenging it with evidence.

use std::collections::BTreeMap;

use multirail_kernel::context::Context;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::{DisputeActionKind, Fact, Outcome};
use serde::{Deserialize, Serialize};

use super::bring::bring_text;
use crate::operations::operation::{Applied, Operation, Progress};
use crate::operations::question::Question;
use crate::payments::dispute::{Dispute, DisputeStage, DisputeStatus, Effect, EvidenceItem, Step};
use crate::payments::payment::Payment;

/// One answer of the merchant, with its result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DisputeAction {
    pub kind: DisputeActionKind,
    /// The stage that it answers.
    pub stage: DisputeStage,
    /// The operation; its amount is the dispute's.
    pub operation: Operation,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl Dispute {
    /// Returns the action of this stage without a known outcome; there is at most one. Actions of earlier stages can no longer
    /// succeed.
    pub fn open_action(&self) -> Option<&DisputeAction> {
        let mut actions = self.actions.iter();
        actions.find(|action| action.stage == self.stage && action.operation.is_open())
    }

    /// Returns the action with this key.
    pub fn action(&self, key: &ProcessorKey) -> Option<&DisputeAction> {
        let mut actions = self.actions.iter();
        actions.find(|action| action.operation.key == *key)
    }

    /// Returns the next question to the processor with its time, if the last one was at `now` or there was none.
    pub fn question(&self, now: Timestamp, in_flight_seconds: i64) -> Option<Question<'_>> {
        let operation = &self.actions.last()?.operation;
        let silence = now.seconds_since(self.modified_at);
        let (due_at, why) = operation.next_question(now, silence, in_flight_seconds)?;
        Some(Question {
            about: &operation.key,
            due_at,
            why,
        })
    }

    /// Returns whether the payer's bank returned a debit. No scheme lets a merchant answer that.
    fn is_return(&self, payment: &Payment) -> bool {
        let mut attempts = payment.attempts.iter();
        let attempt = attempts.find(|attempt| attempt.number == self.charge.attempt);
        let instrument = attempt.and_then(|attempt| attempt.instrument.as_ref());
        instrument.is_some_and(|instrument| instrument.details.bank_debit().is_some())
    }

    /// Checks that the dispute is no returned debit.
    ///
    /// # Errors
    /// [`Refusal::DisputeNotInState`]
    pub(crate) fn check_no_return(
        &self,
        payment: &Payment,
        done: &'static str,
    ) -> Result<(), Refusal> {
        if self.is_return(payment) {
            return Err(Refusal::DisputeNotInState {
                done,
                why: "the payer's bank returned the debit, and a return is final".to_owned(),
            });
        }
        Ok(())
    }

    /// Checks that the merchant can answer the dispute now.
    ///
    /// # Errors
    /// [`Refusal::DisputeNotInState`]
    pub(crate) fn check_answerable(
        &self,
        payment: &Payment,
        done: &'static str,
    ) -> Result<(), Refusal> {
        self.check_no_return(payment, done)?;
        let refused = |why: String| Refusal::DisputeNotInState { done, why };
        if !self.stage.awaits_the_merchant() || self.status.is_final() {
            return Err(refused(format!(
                "it is a {} and {}",
                self.stage, self.status
            )));
        }
        match self.open_action() {
            None => Ok(()),
            Some(action) => Err(refused(match action.kind {
                DisputeActionKind::Accept => "it is being accepted already".to_owned(),
                DisputeActionKind::Challenge => "it is being challenged already".to_owned(),
            })),
        }
    }

    pub(crate) fn accept(&self, payment: &Payment, context: &Context) -> Result<Step, Refusal> {
        self.check_answerable(payment, "accepted")?;
        self.check_pays_once(payment)?;
        Ok(self.begin(payment, self.clone(), DisputeActionKind::Accept, context))
    }

    /// Checks that accepting the dispute doesn't pay the payer more than was captured, counting refunds and other lost
    /// disputes. A dispute in another currency counts as one minor unit.
    ///
    /// # Errors
    /// [`Refusal::DisputeNotInState`]
    fn check_pays_once(&self, payment: &Payment) -> Result<(), Refusal> {
        let captured = payment.active().captured_amount();
        let refunds = payment.refunds_amount();
        let own = match self.currency == payment.terms.currency {
            true => self.amount,
            false => i64::from(self.amount > 0),
        };
        let lost = payment.lost_by_others(&self.dispute_id);
        let paid = refunds.saturating_add(lost);
        if paid > 0 && paid.saturating_add(own) > captured {
            return Err(Refusal::DisputeNotInState {
                done: "accepted",
                why: format!(
                    "its payer would be paid twice: {captured} were captured, refunds come to {refunds} and other disputes \
                     to {lost}; challenge it with proof of that"
                ),
            });
        }
        Ok(())
    }

    pub(crate) fn challenge(
        &self,
        payment: &Payment,
        given: BTreeMap<EvidenceItem, String>,
        context: &Context,
    ) -> Result<Step, Refusal> {
        self.check_answerable(payment, "challenged")?;
        let mut dispute = self.clone();
        for (item, text) in given {
            bring_text(&mut dispute.evidence, item, text)?;
        }
        if dispute.evidence.is_empty() {
            return Err(Refusal::invalid_value(
                "a dispute is challenged with at least one item of evidence",
            ));
        }
        Ok(self.begin(payment, dispute, DisputeActionKind::Challenge, context))
    }

    /// Begins an action at the processor. A failed action is repeated under its former key, so that the processor does it once
    /// even if the first request arrives late. New evidence makes a new action.
    fn begin(
        &self,
        payment: &Payment,
        mut dispute: Dispute,
        kind: DisputeActionKind,
        context: &Context,
    ) -> Step {
        let is_same = dispute.evidence == self.evidence;
        let last = dispute.actions.last_mut().filter(|last| {
            let came_to_nothing = last.operation.progress == Progress::NeverHappened;
            came_to_nothing && is_same && last.kind == kind && last.stage == self.stage
        });
        let start = |key| Operation::start(key, self.amount, context.now);
        let key = match last {
            Some(last) => {
                last.operation = start(last.operation.key.clone());
                last.operation.key.clone()
            }
            None => {
                let key = context.fresh_key();
                dispute.actions.push(DisputeAction {
                    kind,
                    stage: self.stage,
                    operation: start(key.clone()),
                    unread: UnreadMembers::default(),
                });
                key
            }
        };
        let mut step = self.step(payment, dispute, context);
        step.effects.push(Effect::Call(key));
        step
    }

    pub(crate) fn sync(&self, payment: &Payment, context: &Context) -> Step {
        let mut step = self.step(payment, self.clone(), context);
        let asked = self.actions.last().map(|action| &action.operation);
        let asked = asked.filter(|operation| operation.is_to_be_asked_about(context));
        let look_up = asked.map(|operation| Effect::LookUp(operation.key.clone()));
        step.effects.extend(look_up);
        step
    }

    /// Applies the processor's answer to an action.
    pub(crate) fn apply(&self, payment: &Payment, fact: &Fact, context: &Context) -> Step {
        let mut dispute = self.clone();
        let (currency, stage) = (self.currency, self.stage);
        let mut actions = dispute.actions.iter_mut();
        let about = actions.find(|action| action.operation.key == fact.about);
        if let Some(action) = about
            && matches!(
                action.operation.apply(&fact.outcome, currency),
                Applied::News
            )
            && let Outcome::Done(approval) = &fact.outcome
        {
            let reached = match action.kind {
                DisputeActionKind::Accept => DisputeStatus::Accepted,
                DisputeActionKind::Challenge => DisputeStatus::Challenged,
            };
            // In a later stage the processor's newer report counts.
            if action.stage == stage && self.status.may_become(reached) {
                dispute.status = reached;
                if let Some(word) = &approval.processor_status {
                    dispute.processor_status.clone_from(word);
                }
            }
        }
        self.step(payment, dispute, context)
    }
}
