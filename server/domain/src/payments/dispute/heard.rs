//! The processor's news about a dispute. It may be late, repeated or out of order, and applying it twice changes nothing.

use multirail_kernel::announcement::{AnnouncedStatus, Announcement};
use multirail_kernel::context::Context;
use multirail_sdk::connector::outcome::fill;
use multirail_sdk::connector::{Approval, Decline, DisputeNews, Finding, Outcome};

use crate::payments::dispute::{
    Dispute, DisputeAction, DisputeActionKind, DisputeStage, DisputeStatus, Effect, Step,
};
use crate::payments::payment::Payment;

/// The error code of an action after which its dispute moved on.
const OVERTAKEN_CODE: &str = "dispute_moved_on";

impl Dispute {
    /// Applies the news. News older than the known state only fill in missing members.
    pub(crate) fn hear(&self, payment: &Payment, news: &DisputeNews, context: &Context) -> Step {
        let mut dispute = self.clone();
        let told = self.read(news);
        if self.may_become(news, told) {
            dispute.stage = news.stage;
            dispute.status = told;
            dispute.processor_status.clone_from(&news.processor_status);
            dispute.rank = news.rank;
            dispute.amount = news.money.amount_minor.max(0);
            dispute.currency = news.money.currency;
            replace(&mut dispute.reason, news.reason.as_ref());
            replace(&mut dispute.reason_code, news.reason_code.as_ref());
            let by = news.challenge_required_by.as_ref();
            replace(&mut dispute.challenge_required_by, by);
            replace(&mut dispute.processor_created_at, news.opened_at.as_ref());
            replace(&mut dispute.processor_updated_at, news.updated_at.as_ref());
            dispute.settle_actions(news);
        } else if (self.stage, self.status) == (news.stage, told) {
            fill(&mut dispute.reason, &news.reason);
            fill(&mut dispute.reason_code, &news.reason_code);
            fill(
                &mut dispute.challenge_required_by,
                &news.challenge_required_by,
            );
            fill(&mut dispute.processor_created_at, &news.opened_at);
        }
        self.step(payment, dispute, context)
    }

    /// Builds the step to `next`: the payment counts it, and a new status is announced.
    pub(crate) fn step(&self, payment: &Payment, mut next: Dispute, context: &Context) -> Step {
        let mut payment = payment.clone();
        let mut effects = Vec::new();
        if next != *self {
            next.modified_at = context.now;
            payment.count_dispute(next.share(), context.now);
        }
        if (next.stage, next.status) != (self.stage, self.status) {
            effects.push(next.announce());
        }
        Step {
            payment,
            dispute: next,
            effects,
        }
    }

    /// Returns the event of its status. The name includes the stage, because a later stage can repeat a status.
    pub(crate) fn announce(&self) -> Effect {
        Effect::Announce(Announcement {
            event_type: self.status.event(),
            status: AnnouncedStatus::Unlisted,
            about: format!("{}_{}", self.dispute_id, self.stage),
        })
    }

    /// Returns the status of the news. Some processors call an accepted dispute lost.
    fn read(&self, news: &DisputeNews) -> DisputeStatus {
        match news.status {
            DisputeStatus::Lost if self.is_given_up(news.stage) => DisputeStatus::Accepted,
            DisputeStatus::Opened
            | DisputeStatus::Expired
            | DisputeStatus::Accepted
            | DisputeStatus::Cancelled
            | DisputeStatus::Challenged
            | DisputeStatus::Won
            | DisputeStatus::Lost => news.status,
        }
    }

    /// Returns whether the merchant accepted the dispute in this stage and wasn't refused.
    fn is_given_up(&self, stage: DisputeStage) -> bool {
        let mut actions = self.actions.iter();
        actions.any(|action| {
            action.kind == DisputeActionKind::Accept
                && action.stage == stage
                && (action.operation.is_open() || action.operation.is_done())
        })
    }

    fn may_become(&self, news: &DisputeNews, told: DisputeStatus) -> bool {
        if self.stage != news.stage {
            return self.stage.may_become(news.stage);
        }
        if self.status != told {
            return self.status.may_become(told) || self.is_overturned(news, told);
        }
        // News with the same status may have older data than the known ones, even with the same time.
        match (self.processor_updated_at, news.updated_at) {
            (Some(known), Some(told)) => (told, news.rank) >= (known, self.rank),
            (None, Some(_)) => true,
            (None, None) => news.rank >= self.rank,
            (Some(_), None) => false,
        }
    }

    /// Returns whether a later report turns a lost dispute into a won one.
    fn is_overturned(&self, news: &DisputeNews, told: DisputeStatus) -> bool {
        let is_turn = (self.status, told) == (DisputeStatus::Lost, DisputeStatus::Won);
        is_turn && news.rank > self.rank
    }

    /// Applies the news to open actions. An action without a result yet proves nothing: it may still be on its way.
    fn settle_actions(&mut self, news: &DisputeNews) {
        let currency = self.currency;
        for action in &mut self.actions {
            if action.operation.is_open()
                && let Some(outcome) = action.outcome(news)
            {
                action.operation.apply(&outcome, currency);
            }
        }
    }
}

impl DisputeAction {
    /// Returns the action's outcome as the dispute's state shows it; `None` if it doesn't.
    fn outcome(&self, news: &DisputeNews) -> Option<Outcome> {
        if news.stage != self.stage {
            let is_over = news.status.is_final();
            return is_over.then(|| overtaken("the dispute ended in another stage", news));
        }
        let is_done = match (self.kind, news.status) {
            (_, DisputeStatus::Opened) => return None,
            (DisputeActionKind::Accept, DisputeStatus::Challenged) => return None,
            (DisputeActionKind::Accept, DisputeStatus::Accepted | DisputeStatus::Lost) => true,
            (
                DisputeActionKind::Challenge,
                DisputeStatus::Challenged | DisputeStatus::Won | DisputeStatus::Lost,
            ) => true,
            (
                DisputeActionKind::Accept,
                DisputeStatus::Expired | DisputeStatus::Cancelled | DisputeStatus::Won,
            )
            | (
                DisputeActionKind::Challenge,
                DisputeStatus::Expired | DisputeStatus::Accepted | DisputeStatus::Cancelled,
            ) => false,
        };
        Some(if is_done {
            Outcome::Done(Approval {
                processor_status: Some(news.processor_status.clone()),
                ..Approval::default()
            })
        } else {
            overtaken("the dispute ended in another way", news)
        })
    }

    /// Returns the action's outcome after a question about it. An unchanged dispute shows no trace of the action; the connector
    /// decides what that proves. In a later stage the action can no longer succeed.
    pub fn find_outcome(&self, news: &DisputeNews) -> Finding {
        match self.outcome(news) {
            Some(outcome) => Finding::Outcome(outcome),
            None if news.stage == self.stage => Finding::Absent {
                reason: format!("the dispute stands as before: {}", news.processor_status),
            },
            None => Finding::Outcome(overtaken("the dispute has come to another stage", news)),
        }
    }
}

fn overtaken(message: &str, news: &DisputeNews) -> Outcome {
    Outcome::Declined(Decline {
        reason: Some(news.processor_status.clone()),
        ..Decline::of_ours(OVERTAKEN_CODE, message)
    })
}

fn replace<T: Clone>(known: &mut Option<T>, told: Option<&T>) {
    if let Some(told) = told {
        *known = Some(told.clone());
    }
}
