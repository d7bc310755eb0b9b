//! Changes that were made to a payment directly at its processor: in its back office, or by another program. They are as valid
//! as this server's own operations.

use multirail_kernel::ids::{ConnectorAccountId, IncrementId, ProcessorKey};
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::{About, Approval, OperationKind, Outcome};

use crate::operations::operation::Operation;
use crate::operations::received_notice::Sender;
use crate::payments::payment::attempt::OperationIndex;
use crate::payments::payment::status::Phase;
use crate::payments::payment::{Attempt, Capture, Context, Increment, Payment, Step};

/// A change made at the processor, as the processor reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DoneByOthers {
    /// Number of the attempt with the authorization.
    pub attempt: u32,
    pub what: What,
    /// The processor's reference. A repeated report with the same reference is ignored.
    pub reference: String,
    /// In minor units of the payment's currency. For an increment, the new total.
    pub amount: i64,
    pub approval: Approval,
}

/// The kind of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    Increment,
    Capture,
    /// The reserved amount was released.
    Void,
    /// Money was refunded.
    Refund,
}

impl Payment {
    /// Reads a change that a notice reports and that isn't an operation of this payment. `None` if the notice has too little
    /// data, or could mean an open operation of this server.
    pub fn done_by_others(
        &self,
        sender: Sender<'_>,
        about: &About,
        approval: &Approval,
    ) -> Option<DoneByOthers> {
        let is_through = |attempt: &&Attempt| {
            attempt.brought.is_none()
                && attempt.merchant_connector_id.as_ref() == Some(sender.account)
        };
        let is_named = |attempt: &&Attempt| {
            about.authorization_reference.is_some()
                && attempt.connector_transaction_id() == about.authorization_reference.as_deref()
        };
        let mut attempts = self.attempts.iter().filter(is_through);
        let attempt = attempts.find(is_named)?;
        let is_approved = attempt
            .authorization
            .as_ref()
            .is_some_and(Operation::is_done);
        // An authorization is released only once, so this report is a repetition.
        let is_released = attempt.voids.iter().any(Operation::is_done);
        let is_known = about.kind == OperationKind::Void && is_released;
        if !is_known && (!is_approved || attempt.may_be_ours(about)) {
            return None;
        }
        let is_ours = |named: &String| named.eq_ignore_ascii_case(self.terms.currency.as_str());
        let told = approval.amount_minor;
        let told = told.filter(|_| approval.currency.as_ref().is_none_or(is_ours));
        let (what, amount) = match about.kind {
            OperationKind::Authorize => return None,
            OperationKind::Increment => {
                let total = told.filter(|total| self.can_be_adjusted(attempt, *total))?;
                (What::Increment, total)
            }
            OperationKind::Capture => (What::Capture, told?),
            OperationKind::Void if is_released => (What::Void, attempt.authorized().max(1)),
            // A void of a captured payment refunds it; otherwise it releases the rest.
            OperationKind::Void if attempt.is_all_taken() => {
                (What::Refund, self.refundable_amount())
            }
            OperationKind::Void => (What::Void, attempt.authorized()),
            OperationKind::Refund => (What::Refund, told?),
        };
        // The capture may also have been made at the processor and be reported later.
        let is_early = amount > self.refundable_amount();
        let may_be_our_refund = about.key.is_none() && self.has_open_refund();
        if what == What::Refund && (is_early || may_be_our_refund) {
            return None;
        }
        let reference = about.reference.as_ref();
        let reference = reference.or(about.authorization_reference.as_ref())?;
        (amount > 0).then(|| DoneByOthers {
            attempt: attempt.number,
            what,
            reference: reference.clone(),
            amount,
            approval: approval.clone(),
        })
    }

    /// Returns whether the authorization's new total can be recorded. A lower one reduces the payment's amount, which has to
    /// stay above 0. It is only possible before any capture or void.
    fn can_be_adjusted(&self, attempt: &Attempt, total: i64) -> bool {
        let less = attempt.authorized().saturating_sub(total);
        if less <= 0 {
            return less < 0;
        }
        let is_whole = !attempt.captures_at_once
            && !attempt.may_be_captured_from()
            && !attempt.is_being_voided();
        is_whole && self.terms.amount > less
    }

    /// Records the change like a completed operation of this server. Known changes have no effect. A refund doesn't change the
    /// payment here: it is another object.
    pub(crate) fn record_done_by_others(&self, done: DoneByOthers, context: &Context) -> Step {
        let mut payment = self.clone();
        let mut attempts = payment.attempts.iter_mut().enumerate();
        let found = attempts.find(|(_, attempt)| attempt.number == done.attempt);
        let of = found.and_then(|(index, attempt)| {
            Some((
                index,
                attempt.push_of_others(&done, context.fresh_key(), context)?,
            ))
        });
        let outcome = Outcome::Done(done.approval);
        let effects =
            of.and_then(|(index, of)| payment.record_outcome(index, of, outcome, None, context));
        let Some(mut effects) = effects else {
            return Step {
                payment: self.clone(),
                effects: Vec::new(),
                data: None,
            };
        };
        effects.extend(payment.delete_credentials(context.now));
        Step {
            payment,
            effects,
            data: None,
        }
    }
}

impl Attempt {
    /// Returns the account and the processor's reference with which the server can ask for changes. The attempt has to be
    /// approved through a stored account.
    pub fn looked_over_by(&self) -> Option<(&ConnectorAccountId, &str)> {
        let is_approved = self.authorization.as_ref().is_some_and(Operation::is_done);
        let account = self.merchant_connector_id.as_ref();
        let account = account.filter(|_| is_approved && self.brought.is_none());
        account.zip(self.connector_transaction_id())
    }

    fn is_all_taken(&self) -> bool {
        self.status.phase() == Phase::Taken
            && (self.captures_at_once || self.taken_by_captures() >= self.authorized())
    }

    /// Returns whether the notice could mean an open operation of this kind whose reference isn't known yet.
    fn may_be_ours(&self, about: &About) -> bool {
        let mut operations = self.operations();
        operations.any(|(kind, operation)| {
            kind == about.kind && operation.is_open() && operation.reference.is_none()
        })
    }

    /// Adds the operation. `None` if it is known already or isn't part of an attempt.
    fn push_of_others(
        &mut self,
        done: &DoneByOthers,
        key: ProcessorKey,
        context: &Context,
    ) -> Option<OperationIndex> {
        let operation = Operation::of_others(key, &done.reference, done.amount, context.now);
        let is_known = |known: &Operation| known.reference.as_deref() == Some(&done.reference);
        match done.what {
            What::Refund => None,
            What::Increment => {
                let mut increments = self.increments.iter();
                if increments.any(|increment| is_known(&increment.operation)) {
                    return None;
                }
                self.increments.push(Increment {
                    increment_id: IncrementId::of_fresh_key(&operation.key),
                    previously_authorized: self.authorized(),
                    reason: None,
                    operation,
                    unread: UnreadMembers::default(),
                });
                Some(OperationIndex::Increment(self.increments.len() - 1))
            }
            What::Capture => {
                let mut captures = self.captures.iter();
                if captures.any(|capture| is_known(&capture.operation)) {
                    return None;
                }
                self.captures.push(Capture {
                    sequence: self.captures.len() as u32 + 1,
                    operation,
                    unread: UnreadMembers::default(),
                });
                Some(OperationIndex::Capture(self.captures.len() - 1))
            }
            What::Void => {
                if self
                    .voids
                    .iter()
                    .any(|void| is_known(void) || void.is_done())
                {
                    return None;
                }
                self.voids.push(operation);
                Some(OperationIndex::Void(self.voids.len() - 1))
            }
        }
    }
}
