//! Credentials that a caller brings for one attempt instead of those of a stored connector account
//! (`merchant_connector_details`). What was begun with them is asked about, captured and voided with them alone: nothing
//! is ever concluded from another account.

use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use serde::{Deserialize, Serialize};

use crate::payments::payment::status::Phase;
use crate::payments::payment::{Attempt, Effect, Payment};

const MEMBER: &str = "merchant_connector_details";

/// Whose credentials an attempt goes with, where they aren't a stored account's. The secrets rest beside the payment,
/// sealed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BroughtCredentials {
    /// The caller's name for them (`creds_identifier`).
    pub identifier: String,
    /// They are kept, until the attempt is settled or, where nothing was sent, the client secret has lapsed.
    pub are_held: bool,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// What a command has at hand to go on with.
#[derive(Clone, Debug, Default)]
pub struct AtHand {
    /// The name of those that came with the command.
    pub given: Option<String>,
    /// Those that were brought earlier are found where they are kept.
    pub are_held: bool,
}

impl Attempt {
    /// The credentials that were brought for it are kept.
    pub fn holds_credentials(&self) -> bool {
        self.brought
            .as_ref()
            .is_some_and(|brought| brought.are_held)
    }

    /// Takes note of credentials that came with a request: they are kept from now on.
    pub(crate) fn bring(&mut self, identifier: Option<String>) {
        if let Some(identifier) = identifier {
            self.brought = Some(BroughtCredentials {
                identifier,
                are_held: true,
                unread: UnreadMembers::default(),
            });
        }
    }

    /// Refuses to go on with an attempt that was sent, unless with the account that it was sent to.
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

    /// Nothing of it is open at the processor, so that nobody will ask about it, and nothing of it can be captured or
    /// cancelled.
    fn is_settled(&self, now: Timestamp) -> bool {
        match self.status.phase() {
            Phase::NotSent | Phase::Authorizing | Phase::InReview | Phase::Held => false,
            Phase::Taken | Phase::Standing | Phase::Unwanted | Phase::Conflicted => {
                !self.is_asked_about(now)
            }
        }
    }

    /// It is settled and the credentials that were brought for it are still there.
    pub(crate) fn holds_for_nothing(&self, now: Timestamp) -> bool {
        self.holds_credentials() && self.is_settled(now)
    }

    /// The credentials are gone, whoever took them away. That they were brought is remembered: no other account is asked.
    pub(crate) fn release_credentials(&mut self) -> Option<Effect> {
        let number = self.number;
        let brought = self.brought.as_mut()?;
        let were_held = std::mem::take(&mut brought.are_held);
        were_held.then_some(Effect::DeleteCredentials { attempt: number })
    }
}

impl Payment {
    /// Gives up the credentials of attempts that are settled.
    pub(crate) fn delete_credentials(&mut self, now: Timestamp) -> Vec<Effect> {
        let settled = self.attempts.iter_mut();
        settled
            .filter(|attempt| attempt.holds_for_nothing(now))
            .filter_map(Attempt::release_credentials)
            .collect()
    }

    /// Refuses a confirm without credentials where the last attempt has some that were brought along. `given`: some came
    /// with the confirm. `are_held`: those of the last attempt are found where they are kept, and serve again where
    /// nothing of it took place.
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

/// Refuses credentials for a payment that no processor was asked for.
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
