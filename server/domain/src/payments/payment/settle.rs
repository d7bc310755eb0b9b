//! The status that follows from an attempt's captures and voids.

use multirail_sdk::connector::{CONFLICT_CODE, Decline};

use crate::payments::payment::status::Phase;
use crate::payments::payment::{Attempt, AttemptStatus, Operation, Progress};

/// A processor's answer that contradicts the request or earlier announcements. The operator has to examine it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conflict {
    /// The processor approved or captured another amount or currency.
    OtherAmount,
    /// The captures together exceed the authorized amount.
    CapturedTooMuch,
    /// Two captures took money of a payment with a single capture: one of them had been reported as never happened.
    CapturedTwice,
    /// A capture took money after the payment had ended without one.
    CapturedAfterTheEnd,
    /// The rest was captured after the payment had ended with a partial capture and an expired authorization.
    CapturedWhenGone,
    /// Everything was captured and nevertheless voided.
    CapturedAndVoided,
    /// The processor refused to void an approval that came too late.
    NotUndone,
    /// A void failed finally, after the processor had reported otherwise.
    VoidTakenBack,
    /// A capture was reversed, and refunds exceed the remaining amount.
    TakenBackAndRefunded,
    /// The captured amount was voided, although some of it was refunded.
    VoidedAndRefunded,
}

impl Conflict {
    /// Returns the conflict in the form of a refusal.
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
    /// Returns the status that follows from captures and voids. `multiple`: the payment permits several captures.
    ///
    /// An end stays, and only a conflict can follow it, because the merchant has already acted on the end. One exception: if
    /// the processor reverses an operation (`is_taken_back`), the attempt is as if that had been refused at once.
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
            // The captured amount was returned, whatever becomes of the captures.
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

    /// Returns whether captures ended the attempt.
    fn was_taken_by_captures(&self) -> bool {
        let is_end =
            self.status == AttemptStatus::Charged || self.status == AttemptStatus::PartialCharged;
        is_end && !self.captures_at_once
    }

    /// Checks for a void that failed finally: it leaves an amount reserved that the merchant may believe released.
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

    /// Returns the status by the sum of all operations, for an attempt with an authorization.
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

    /// Returns whether the captures took the whole requested amount. After a partial approval only an overcapture can.
    fn took_all_that_was_asked(&self) -> bool {
        let taken = self.taken_by_captures();
        taken > 0 && taken >= self.authorized() && taken >= self.amount
    }

    /// Returns whether an unwanted approval still exists because its last void was refused.
    fn is_left_approved(&self) -> bool {
        let approved = self.authorization.as_ref().is_some_and(Operation::is_done);
        let refused = self.voids.last().map(|void| void.progress) == Some(Progress::Declined);
        approved && refused && !self.is_being_voided()
    }

    /// Returns the void to repeat: the processor has no record of it, and an unwanted approval exists or may still come.
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
