//! What the captures and voids of an attempt add up to.

use multirail_sdk::connector::{CONFLICT_CODE, Decline};

use crate::payments::payment::status::Phase;
use crate::payments::payment::{Attempt, AttemptStatus, Operation, Progress};

/// What a processor told that can't be reconciled with what was asked of it or with what merchants were told. Somebody
/// has to look at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conflict {
    /// Approved or captured is another amount or currency than was asked for.
    OtherAmount,
    /// The captures together are above what was authorized.
    CapturedTooMuch,
    /// Of a payment that is captured once, two captures took money: one of them had been reported as never happened.
    CapturedTwice,
    /// Money was taken although the payment had ended without.
    CapturedAfterTheEnd,
    /// All was captured after the payment had ended with a part of it, the authorization being gone.
    CapturedWhenGone,
    /// All was captured and yet voided.
    CapturedAndVoided,
    /// The processor refused to undo an approval that nobody wanted any more.
    NotUndone,
    /// A void failed in the end, whatever the processor had said of it.
    VoidTakenBack,
    /// What was captured is taken back, and more than is left of it was refunded.
    TakenBackAndRefunded,
    /// What was captured was voided, and some of it was refunded.
    VoidedAndRefunded,
}

impl Conflict {
    /// The conflict as it is shown where a refusal would stand.
    pub(crate) fn to_decline(self) -> Decline {
        let message = match self {
            Conflict::OtherAmount => {
                "the processor confirmed another amount or currency than was asked for"
            }
            Conflict::CapturedTooMuch => "the processor captured more than was authorized",
            Conflict::CapturedTwice => {
                "the processor carried out a capture that it had no trace of, after another one"
            }
            Conflict::CapturedAfterTheEnd => {
                "the processor captured although the payment had ended without a capture"
            }
            Conflict::CapturedWhenGone => {
                "the processor captured the rest of an authorization that it had said was gone"
            }
            Conflict::CapturedAndVoided => {
                "the processor says both that all was captured and that it was voided"
            }
            Conflict::NotUndone => {
                "the processor approved too late and refused to void the approval"
            }
            Conflict::VoidTakenBack => "the void of an approval failed at the processor in the end",
            Conflict::VoidedAndRefunded => {
                "the processor voided what it had captured, of which something was refunded"
            }
            Conflict::TakenBackAndRefunded => {
                "the processor took back what it had captured, of which something was refunded"
            }
        };
        Decline::of_ours(CONFLICT_CODE, message)
    }
}

impl Attempt {
    /// The status that captures and voids lead to. `multiple`: any number of captures is wanted.
    ///
    /// What has ended stays as it ended, and only a conflict can follow: the truth is never turned into another ending
    /// behind the back of a merchant who acted on the first. Only where the processor takes back what it did
    /// (`is_taken_back`) the end itself is gone, and the attempt stands as if that had been refused at once.
    pub(crate) fn settled(
        &self,
        multiple: bool,
        is_taken_back: bool,
    ) -> Result<AttemptStatus, Conflict> {
        let was_voided = self.status == AttemptStatus::VoidedPostCharge;
        match self.status.phase() {
            Phase::NotSent | Phase::Authorizing | Phase::InReview | Phase::Conflicted => {
                Ok(self.status)
            }
            // Whatever else becomes of the captures, their money is back.
            Phase::Held | Phase::Taken | Phase::Standing if self.is_voided_after_capture() => {
                self.check_captures(multiple)?;
                self.voided_status()
            }
            Phase::Taken if was_voided && self.captures_at_once => Ok(self.taken_at_once_status()),
            Phase::Taken if was_voided => {
                self.check_captures(multiple)?;
                Ok(self.sum(multiple))
            }
            Phase::Held => {
                self.check_captures(multiple)?;
                if self.status == AttemptStatus::VoidInitiated {
                    self.check_voids()?;
                }
                Ok(self.sum(multiple))
            }
            Phase::Taken if is_taken_back && self.was_taken_by_captures() => {
                self.check_captures(multiple)?;
                Ok(self.sum(multiple))
            }
            Phase::Taken => {
                self.check_captures(multiple)?;
                if self.status == AttemptStatus::PartialCharged && self.took_all_that_was_asked() {
                    return Err(Conflict::CapturedWhenGone);
                }
                Ok(self.status)
            }
            Phase::Standing | Phase::Unwanted if self.taken_by_captures() > 0 => {
                Err(Conflict::CapturedAfterTheEnd)
            }
            Phase::Standing => Ok(self.status),
            Phase::Unwanted if self.is_left_approved() => {
                self.check_voids()?;
                Err(Conflict::NotUndone)
            }
            Phase::Unwanted => Ok(self.status),
        }
    }

    /// What captures took ended it.
    fn was_taken_by_captures(&self) -> bool {
        let is_end =
            self.status == AttemptStatus::Charged || self.status == AttemptStatus::PartialCharged;
        is_end && !self.captures_at_once
    }

    /// A void that failed in the end leaves reserved what the merchant may have been told is free.
    fn check_voids(&self) -> Result<(), Conflict> {
        let is_taken_back = self.voids.last().is_some_and(Operation::is_taken_back);
        if is_taken_back && !self.is_being_voided() && self.taken_by_captures() == 0 {
            Err(Conflict::VoidTakenBack)
        } else {
            Ok(())
        }
    }

    fn check_captures(&self, multiple: bool) -> Result<(), Conflict> {
        let done = || {
            let captures = self.captures.iter().map(|capture| &capture.operation);
            captures.filter(|operation| operation.is_done())
        };
        let taken = self.taken_by_captures();
        let voided = self.voids.iter().any(Operation::is_done);
        if done().any(|operation| operation.amount_done() != operation.amount) {
            Err(Conflict::OtherAmount)
        } else if taken > self.most_capturable() {
            Err(Conflict::CapturedTooMuch)
        } else if !multiple && done().filter(|one| !one.is_of_others).count() > 1 {
            Err(Conflict::CapturedTwice)
        } else if voided && taken > 0 && taken >= self.authorized() {
            Err(Conflict::CapturedAndVoided)
        } else {
            Ok(())
        }
    }

    /// The sum of everything, for an attempt whose authorization is held.
    fn sum(&self, multiple: bool) -> AttemptStatus {
        let taken = self.taken_by_captures();
        let capturing = self
            .captures
            .iter()
            .any(|capture| capture.operation.is_open());
        let voided = self.voids.iter().any(Operation::is_done);
        let voiding = self.voids.iter().any(Operation::is_open);
        let gone = self.authorization_is_gone();
        let all_taken = taken > 0 && taken >= self.authorized();
        if self.took_all_that_was_asked() {
            AttemptStatus::Charged
        } else if all_taken || (taken > 0 && (!multiple || ((voided || gone) && !capturing))) {
            AttemptStatus::PartialCharged
        } else if voiding || (voided && capturing) {
            AttemptStatus::VoidInitiated
        } else if taken > 0 {
            AttemptStatus::PartialChargedAndChargeable
        } else if capturing {
            AttemptStatus::CaptureInitiated
        } else if voided {
            AttemptStatus::Voided
        } else if self.was_found_gone() {
            AttemptStatus::CaptureFailed
        } else if gone {
            AttemptStatus::Expired
        } else if self.authorized() < self.amount {
            AttemptStatus::PartiallyAuthorized
        } else {
            AttemptStatus::Authorized
        }
    }

    /// An approval for less than was asked is taken as a whole only where a capture may go beyond it.
    fn took_all_that_was_asked(&self) -> bool {
        let taken = self.taken_by_captures();
        taken > 0 && taken >= self.authorized() && taken >= self.amount
    }

    /// An approval that nobody wants stands, and the last void of it was refused.
    fn is_left_approved(&self) -> bool {
        let approved = self.authorization.as_ref().is_some_and(Operation::is_done);
        let refused = self.voids.last().map(|void| void.progress) == Some(Progress::Declined);
        approved && refused && !self.is_being_voided()
    }

    /// The void that has to be asked for again: the processor has no trace of it, and an approval that nobody wants
    /// stands or may still come.
    pub(crate) fn void_to_repeat(&self) -> Option<&Operation> {
        let unwanted = self.status.phase() == Phase::Unwanted;
        let may_stand = |operation: &Operation| {
            operation.is_open() || operation.is_done() || operation.is_given_up
        };
        let stands = self.authorization.as_ref().is_some_and(may_stand);
        self.voids
            .last()
            .filter(|void| unwanted && stands && void.progress == Progress::NeverHappened)
    }
}
