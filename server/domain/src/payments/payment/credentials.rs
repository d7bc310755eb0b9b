//! Credentials that a caller sends for one attempt instead of those of a stored connector account
//! (`merchant_connector_details`). All later calls of the attempt use them alone; another account's answers never count for it.

use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use serde::{Deserialize, Serialize};

use crate::payments::payment::status::Phase;
use crate::payments::payment::{Attempt, Effect, Payment};

const MEMBER: &str = "merchant_connector_details";

/// The name of credentials that came with the request. The secrets are stored sealed, apart from the payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BroughtCredentials {
    /// The caller's name for them (`creds_identifier`).
    pub identifier: String,
    /// True if they are still stored. They are deleted when the attempt is settled or, if nothing was sent, when the client
    /// secret has expired.
    pub are_held: bool,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// The credentials available to a command.
#[derive(Clone, Debug, Default)]
pub struct AtHand {
    /// The name of credentials that came with the command.
    pub given: Option<String>,
    /// True if credentials given earlier are still stored.
    pub are_held: bool,
}

impl Attempt {
    /// Returns whether its credentials from a request are still stored.
    pub fn holds_credentials(&self) -> bool {
        self.brought
            .as_ref()
            .is_some_and(|brought| brought.are_held)
    }

    /// Records credentials that came with a request; they are stored from now on.
    pub(crate) fn bring(&mut self, identifier: Option<String>) {
        if let Some(identifier) = identifier {
            self.brought = Some(BroughtCredentials {
                identifier,
                are_held: true,
                unread: UnreadMembers::default(),
            });
        }
    }

    /// Checks that an attempt continues with the credentials with which it was sent.
    pub(crate) fn check_credentials(&self, at_hand: &AtHand) -> Result<(), Refusal> {
        match (&self.brought, &at_hand.given) {
            (None, None) => Ok(()),
            (None, Some(_)) => Err(Refusal::invalid_value(format!(
                "{MEMBER} can't be given: the payment was sent with the stored connector account and goes on with it"
            ))),
            (Some(brought), Some(given)) if brought.identifier != *given => {
                Err(Refusal::invalid_value(format!(
                    "{MEMBER}.creds_identifier is not the one that the payment was sent with"
                )))
            }
            (Some(_), Some(_)) => Ok(()),
            (Some(_), None) if at_hand.are_held => Ok(()),
            (Some(_), None) => Err(needed_again()),
        }
    }

    /// Returns whether the attempt is settled: no operation is open at the processor, and none can follow.
    fn is_settled(&self, now: Timestamp) -> bool {
        match self.status.phase() {
            Phase::NotSent | Phase::Authorizing | Phase::InReview | Phase::Held => false,
            Phase::Taken | Phase::Standing | Phase::Unwanted | Phase::Conflicted => {
                !self.is_asked_about(now)
            }
        }
    }

    /// Returns whether the attempt is settled and its credentials are still stored.
    pub(crate) fn holds_for_nothing(&self, now: Timestamp) -> bool {
        self.holds_credentials() && self.is_settled(now)
    }

    /// Deletes the credentials. Their name stays, so that no other account is asked.
    pub(crate) fn release_credentials(&mut self) -> Option<Effect> {
        let number = self.number;
        let brought = self.brought.as_mut()?;
        let were_held = std::mem::take(&mut brought.are_held);
        were_held.then_some(Effect::DeleteCredentials { attempt: number })
    }
}

impl Payment {
    /// Deletes the credentials of settled attempts.
    pub(crate) fn delete_credentials(&mut self, now: Timestamp) -> Vec<Effect> {
        let settled = self.attempts.iter_mut();
        settled
            .filter(|attempt| attempt.holds_for_nothing(now))
            .filter_map(Attempt::release_credentials)
            .collect()
    }

    /// Refuses a confirm without credentials if the last attempt used some from a request. `given`: the confirm has some.
    /// `are_held`: those of the last attempt are still stored, and may be used again if it never took place.
    pub(crate) fn check_brought(&self, given: bool, are_held: bool) -> Result<(), Refusal> {
        let active = self.active();
        let is_open = active.authorization.is_none() || self.was_never_processed();
        if active.brought.is_none() || given || (is_open && are_held) {
            Ok(())
        } else {
            Err(needed_again())
        }
    }
}

/// Refuses credentials for a payment that was never sent to a processor.
pub(crate) fn check_unused(at_hand: &AtHand) -> Result<(), Refusal> {
    match at_hand.given {
        None => Ok(()),
        Some(_) => Err(Refusal::invalid_value(format!(
            "{MEMBER} can't be used: the payment was never sent to a processor"
        ))),
    }
}

fn needed_again() -> Refusal {
    Refusal::invalid_value(format!(
        "{MEMBER} are needed again: the payment was begun with credentials that were brought along, which are no longer kept"
    ))
}
