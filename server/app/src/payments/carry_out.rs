//! Carrying a step out: commit the intention, call the processor outside any transaction, feed its answer to the same
//! transition, commit the outcome with its events. Whatever happens in between, the stored operation is enough for a
//! worker to finish.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use multirail_domain::card::Card;
use multirail_domain::connector::{Outcome, UnknownReason};
use multirail_domain::ids::{MerchantId, PaymentId, ProcessorKey};
use multirail_domain::payment::{
    Announcement, AtHand, Context, Effect, Fact, Input, Payment, ProcessorCall, Progress, Step,
    transition,
};
use multirail_domain::refusal::Refusal;

use super::super::idempotency::Made;
use super::super::{App, AppError, Origin};
use super::CallCredentials;
use super::calls::{CallInputs, find};
use super::credentials::hold_credentials;
use crate::ports::{Change, CommitError};

/// How often a command is decided again when the payment changed under it.
const DECISIONS: usize = 8;

/// A stored step: the payment as stored, and the calls that are now due.
pub(super) struct Stored {
    pub payment: Payment,
    pub calls: Vec<Due>,
    pub card: Option<Card>,
}

/// Where a commit stands within its request.
#[derive(Clone, Copy)]
pub(super) struct Stage {
    /// The commit that claims the request's idempotency key.
    pub is_first: bool,
    /// Calls of earlier steps are still to be made, so that this is not the last commit.
    pub more_is_due: bool,
}

impl Stage {
    pub(super) const FIRST: Stage = Stage {
        is_first: true,
        more_is_due: false,
    };
}

/// The effects of a step, by what becomes of them.
#[derive(Default)]
pub(super) struct Sorted {
    pub calls: Vec<Due>,
    pub announcements: Vec<Announcement>,
}

/// A call to the processor that is now due.
pub(super) enum Due {
    Do(ProcessorCall),
    Ask(ProcessorCall),
}

impl Due {
    /// The key of what is to be done, as opposed to asked about.
    pub(super) fn key_to_do(&self) -> Option<ProcessorKey> {
        match self {
            Due::Do(call) => Some(call.key.clone()),
            Due::Ask(_) => None,
        }
    }
}

impl App {
    /// Loads, decides and commits a command; decides again when the payment was changed meanwhile. `given`: the
    /// credentials that came with it.
    pub(super) async fn command(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        given: &CallCredentials,
        decide: impl Fn(&Payment, &Context, AtHand) -> Result<Step, Refusal>,
    ) -> Result<Stored, AppError> {
        for _ in 0..DECISIONS {
            let before = self.load(merchant_id, payment_id).await?;
            let (at_hand, _) = self.at_hand(&before, given).await?;
            let step = decide(&before, &self.context(), at_hand)?;
            let committed = self.commit_step(origin, before, step, given, Stage::FIRST);
            match committed.await {
                Ok(stored) => return Ok(stored),
                Err(CommitError::Conflict) => {}
                Err(error) => return Err(AppError::of_commit(error)),
            }
        }
        Err(Refusal::Busy.into())
    }

    /// Commits a step over the payment that it was decided on.
    pub(super) async fn commit_step(
        &self,
        origin: &Origin,
        before: Payment,
        step: Step,
        given: &CallCredentials,
        stage: Stage,
    ) -> Result<Stored, CommitError> {
        let Step {
            mut payment,
            effects,
            card,
        } = step;
        let mut changes = Vec::new();
        let Sorted {
            calls,
            announcements,
        } = sort_effects(&payment, effects, &mut changes);
        self.record_events(&payment, before.version + 1, announcements, &mut changes)
            .await?;
        if payment.holds_card
            && let Some(card) = &card
        {
            changes.push(hold_card(&payment, card));
        }
        changes.extend(hold_credentials(&payment, given));
        if payment.expires_at != before.expires_at
            && (payment.holds_card || payment.active().holds_credentials())
        {
            changes.push(Change::PutOffLapse {
                merchant_id: payment.merchant_id.clone(),
                payment_id: payment.payment_id.clone(),
                expires_at: payment.expires_at,
            });
        }
        let is_last = calls.is_empty() && !stage.more_is_due;
        self.keep_answer(origin, &payment, stage.is_first, is_last, &mut changes);
        let is_changed = payment != before;
        let (merchant_id, after) = (payment.merchant_id.clone(), Arc::new(payment));
        if is_changed {
            let before = Arc::new(before);
            let after = Arc::clone(&after);
            changes.insert(0, Change::UpdatePayment { before, after });
        }
        if !changes.is_empty() {
            let change_set = self.change_set(origin, Some(&merchant_id), changes);
            if let Err(error) = self.commit(change_set).await {
                if stage.is_first {
                    self.note_uncommitted(origin, &error, &calls);
                }
                return Err(error);
            }
        }
        payment = Arc::unwrap_or_clone(after);
        payment.version += i64::from(is_changed);
        Ok(Stored {
            payment,
            calls,
            card,
        })
    }

    /// Adds what the request's idempotency key needs: the claim to the first commit, the answer to the last.
    pub(super) fn keep_answer(
        &self,
        origin: &Origin,
        payment: &Payment,
        is_first: bool,
        is_last: bool,
        changes: &mut Vec<Change>,
    ) {
        let Some(claim) = &origin.claim else {
            return;
        };
        if is_first {
            changes.push(self.claim_change(claim, payment.payment_id.as_str()));
        }
        if is_last && !claim.is_overtaken.load(Ordering::Acquire) {
            let view = self.view(payment.clone());
            let answer = (claim.render)(Made::Payment(&view));
            changes.push(self.answer_change(claim, answer));
        }
    }

    /// Makes the calls and records what comes of them, until nothing is due any more. A call that can't be made keeps
    /// nobody from the others: the first such error is told at the end.
    pub(super) async fn carry_out(
        &self,
        origin: &Origin,
        stored: Stored,
        mut inputs: CallInputs,
    ) -> Result<Payment, AppError> {
        let mut payment = stored.payment;
        let mut due = VecDeque::from(stored.calls);
        let mut failed = None;
        while let Some(call) = due.pop_front() {
            let key = call.key_to_do();
            let told = match self.make(&payment, call, &mut inputs).await {
                Ok(Some(told)) => told,
                Ok(None) => continue,
                Err(error) => {
                    // What fails here fails before the call.
                    self.note_uncalled(origin, key.into_iter().collect());
                    failed.get_or_insert(error);
                    continue;
                }
            };
            let more_is_due = !due.is_empty();
            let next = self.record_fact(origin, payment, told, more_is_due).await?;
            payment = next.payment;
            due.extend(next.calls);
        }
        failed.map_or(Ok(payment), Err)
    }

    /// Makes one call; answers what it tells, if anything.
    async fn make(
        &self,
        payment: &Payment,
        due: Due,
        inputs: &mut CallInputs,
    ) -> Result<Option<Fact>, AppError> {
        let (about, outcome) = match due {
            Due::Do(call) => {
                let outcome = self.perform(payment, &call, inputs).await?;
                (call.key, Some(outcome))
            }
            Due::Ask(call) => {
                let outcome = self.look_up(payment, &call, inputs).await?;
                let outcome = answered(payment, &call, outcome)?;
                (call.key, outcome)
            }
        };
        Ok(outcome.map(|outcome| Fact { about, outcome }))
    }

    /// Takes a fact in. It is repeated until it is stored: what a processor did can't be refused.
    pub(super) async fn record_fact(
        &self,
        origin: &Origin,
        payment: Payment,
        fact: Fact,
        more_is_due: bool,
    ) -> Result<Stored, AppError> {
        let stage = Stage {
            is_first: false,
            more_is_due,
        };
        let (merchant_id, payment_id) = (payment.merchant_id.clone(), payment.payment_id.clone());
        let mut before = payment;
        loop {
            let step = transition(&before, Input::Fact(fact.clone()), &self.context())?;
            let none = CallCredentials::default();
            match self.commit_step(origin, before, step, &none, stage).await {
                Ok(stored) => return Ok(stored),
                Err(error)
                    if error == CommitError::Conflict || self.is_overtaken(origin, &error) =>
                {
                    before = self.load(&merchant_id, &payment_id).await?;
                }
                Err(error) => return Err(AppError::of_commit(error)),
            }
        }
    }
}

/// Splits effects into what is stored with the step, what announces it, and what is called after it.
pub(super) fn sort_effects(
    payment: &Payment,
    effects: Vec<Effect>,
    changes: &mut Vec<Change>,
) -> Sorted {
    let mut sorted = Sorted::default();
    for effect in effects {
        match effect {
            Effect::Call(call) => sorted.calls.push(Due::Do(call)),
            Effect::LookUp(call) => sorted.calls.push(Due::Ask(call)),
            Effect::Announce(announcement) => sorted.announcements.push(announcement),
            Effect::ForgetCard => changes.push(Change::ForgetCard {
                merchant_id: payment.merchant_id.clone(),
                payment_id: payment.payment_id.clone(),
            }),
            Effect::ForgetCredentials { attempt } => changes.push(Change::ForgetCredentials {
                merchant_id: payment.merchant_id.clone(),
                payment_id: payment.payment_id.clone(),
                attempt,
            }),
        }
    }
    sorted
}

pub(super) fn hold_card(payment: &Payment, card: &Card) -> Change {
    Change::HoldCard {
        merchant_id: payment.merchant_id.clone(),
        payment_id: payment.payment_id.clone(),
        card: Card {
            code: None,
            ..card.clone()
        },
        expires_at: payment.expires_at,
    }
}

/// What a look-up tells of its operation. One that came to nothing tells nothing; but of a call that was cut off nothing
/// was known so far, and that is recorded.
fn answered(
    payment: &Payment,
    call: &ProcessorCall,
    outcome: Outcome,
) -> Result<Option<Outcome>, AppError> {
    let (_, operation) = find(payment, call)?;
    Ok(match (outcome, operation.progress) {
        (
            told @ Outcome::Unknown(UnknownReason::CredentialsGone),
            Progress::Started | Progress::Unknown,
        ) => Some(told),
        (Outcome::Unknown(_), Progress::Started) => {
            Some(Outcome::Unknown(UnknownReason::Interrupted))
        }
        (
            Outcome::Unknown(_),
            Progress::AwaitingCustomer
            | Progress::Pending
            | Progress::Unknown
            | Progress::NeverHappened
            | Progress::Done
            | Progress::Declined,
        ) => None,
        (told, _) => Some(told),
    })
}
