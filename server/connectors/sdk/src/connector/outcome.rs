//! A processor's answer. "Unknown" is one of the answers: it is stored and looked up later, never
//! guessed.

use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::words::words;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{ConnectorMandate, DeclineCategory, Hold, PayerStep, Review};
use crate::connector::advice::Advice;

/// The outcome of one operation at a processor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The processor has done it.
    Done(Approval),
    /// The payer has to act first.
    CustomerMustAct {
        reference: Option<String>,
        step: PayerStep,
    },
    /// Device data has to be collected first, by the page at `url` in a hidden frame. After that
    /// the authorization is completed.
    DeviceDataNeeded {
        reference: Option<String>,
        url: String,
    },
    /// The processor's final "no".
    Declined(Decline),
    /// The processor has accepted the request and decides later.
    Pending { reference: Option<String> },
    /// The processor has no trace of it. It is safe to report a failure or to try another
    /// processor.
    NeverHappened {
        reason: String,
        /// True if the processor was unreachable or accepts no requests at the moment; false if it
        /// was never asked.
        is_turned_away: bool,
        /// True if the request was sent, the processor can't be asked, and waiting has ended. A
        /// result that arrives later is undone.
        is_given_up: bool,
    },
    /// The request was sent, and there is no answer that can be trusted.
    Unknown(UnknownReason),
}

/// A processor's report about one operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// The key of the operation.
    pub about: ProcessorKey,
    pub outcome: Outcome,
}

/// The details of a completed operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Approval {
    /// The processor's reference, shown to merchants as `connector_transaction_id`.
    pub reference: Option<String>,
    /// The actual amount, in minor units. `None` where the processor doesn't report it: then the
    /// requested amount holds.
    pub amount_minor: Option<i64>,
    /// The currency in the processor's answer, if it has one.
    pub currency: Option<String>,
    /// The scheme's reference of a card authorization.
    pub network_transaction_id: Option<String>,
    /// The stored instrument, if the request asked the processor to store it.
    pub mandate: Option<Box<ConnectorMandate>>,
    /// For a dispute action: the processor's word for the dispute's new state.
    pub processor_status: Option<String>,
    /// The issuer's checks of the card.
    pub checks: Option<CardChecks>,
    /// Other details of an authorization, or of the void that ended it.
    pub remarks: Option<Box<Remarks>>,
    /// For an authorization: it is only reserved and held until the merchant decides, even if the
    /// request asked for a capture.
    pub review: Option<Box<Review>>,
    /// For an authorization without capture: its expiry and the capturable amount.
    pub hold: Option<Box<Hold>>,
    /// For a capture: the processor reports that nothing is left to capture.
    pub leaves_nothing: bool,
    /// For an authorization: the part of a transfer above the amount, in minor units. Set only by
    /// connectors that refund it apart from captured money ([`RefundRequest::of_excess`]).
    ///
    /// [`RefundRequest::of_excess`]: super::RefundRequest::of_excess
    pub excess: Option<i64>,
}

/// Details of an authorization that decide nothing: they are stored and shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remarks {
    /// The issuer's approval code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth_code: Option<String>,
    /// Results of 3-D Secure, by the processor's names.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub authentication: Map<String, Value>,
    /// Details without a member of their own in a payment, by the processor's names.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub more: Map<String, Value>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl Remarks {
    /// Returns `None` if every member is unset.
    pub fn unless_empty(self) -> Option<Box<Self>> {
        (self != Remarks::default()).then(|| Box::new(self))
    }

    /// Adds later remarks. A known approval code stays, because it was already reported.
    pub fn merge(&mut self, later: Remarks) {
        let Remarks {
            auth_code,
            authentication,
            more,
            unread,
        } = later;
        fill(&mut self.auth_code, &auth_code);
        self.authentication.extend(authentication);
        self.more.extend(more);
        self.unread.append(unread);
    }
}

/// An issuer's checks, in the scheme's letters. Connectors translate processors' words to letters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardChecks {
    /// Result for the billing address (AVS): `Y` for a match, `N` for none, and others.
    pub address: Option<String>,
    /// Result for the card code: `M` for a match, `N` for none, and others.
    pub card_code: Option<String>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl CardChecks {
    /// Returns `None` where neither was checked.
    pub fn new(address: Option<String>, card_code: Option<String>) -> Option<Self> {
        (address.is_some() || card_code.is_some()).then(|| CardChecks {
            address,
            card_code,
            unread: UnreadMembers::default(),
        })
    }
}

/// A processor's refusal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decline {
    /// The processor's own code.
    pub code: String,
    /// The processor's own message.
    pub message: String,
    /// A further explanation, if the processor gives one.
    pub reason: Option<String>,
    /// The payer failed or refused authentication; the authorization itself wasn't refused.
    #[serde(default)]
    pub in_authentication: bool,
    /// The authorization is over at the processor: expired or voided there. No capture of it can
    /// succeed. Set for a refused capture or an approved authorization, and only if the processor
    /// says so explicitly.
    #[serde(default)]
    pub authorization_gone: bool,
    /// A final correction, even after the processor reported success: the scheme rejected a capture
    /// later, or the bank returned a refund. Success is never reported again after it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub takes_back: bool,
    /// The unified category; unset where the processor's code is unknown here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<DeclineCategory>,
    /// The issuer's answer, where the processor passes it on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issuer: Option<Box<IssuerWords>>,
    /// The issuer's checks of the card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checks: Option<Box<CardChecks>>,
    /// For an authorization: the advice of the error mappings, fixed when the decline arrived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<Box<Advice>>,
    /// For an authorization: other details of its end. They are stored with the attempt, not here.
    #[serde(skip)]
    pub remarks: Option<Box<Remarks>>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// The code that reports a conflict.
pub const CONFLICT_CODE: &str = "integrity_failure";

/// The code that reports that a processor refuses the account's credentials.
pub const CREDENTIALS_REFUSED_CODE: &str = "credentials_refused";

impl From<UnknownReason> for Outcome {
    fn from(reason: UnknownReason) -> Self {
        Outcome::Unknown(reason)
    }
}

impl Outcome {
    /// Returns the outcome of a request that the processor never received. The processor isn't at
    /// fault.
    pub fn never_happened(reason: impl ToString) -> Self {
        Outcome::NeverHappened {
            reason: reason.to_string(),
            is_turned_away: false,
            is_given_up: false,
        }
    }

    /// Returns the outcome of a request without an answer whose waiting time has ended.
    pub fn given_up() -> Self {
        Outcome::NeverHappened {
            reason: "the processor told nothing of it, and can't be asked".to_owned(),
            is_turned_away: false,
            is_given_up: true,
        }
    }

    /// Returns the outcome of a request to a processor that was unreachable or accepts no requests.
    pub fn turned_away(reason: impl ToString) -> Self {
        Outcome::NeverHappened {
            reason: reason.to_string(),
            is_turned_away: true,
            is_given_up: false,
        }
    }

    /// Returns the processor's reference, if the outcome has one.
    pub fn reference(&self) -> Option<&str> {
        match self {
            Outcome::Done(approval) => approval.reference.as_deref(),
            Outcome::CustomerMustAct { reference, .. }
            | Outcome::DeviceDataNeeded { reference, .. }
            | Outcome::Pending { reference } => reference.as_deref(),
            Outcome::Declined(_) | Outcome::NeverHappened { .. } | Outcome::Unknown(_) => None,
        }
    }

    /// Returns the outcome with [`Decline::takes_back`] cleared, for operations that can't be taken
    /// back.
    pub fn without_taking_back(mut self) -> Self {
        if let Outcome::Declined(decline) = &mut self {
            decline.takes_back = false;
        }
        self
    }
}

impl CardChecks {
    /// Fills unset members from `other`.
    pub fn fill(&mut self, other: &CardChecks) {
        fill(&mut self.address, &other.address);
        fill(&mut self.card_code, &other.card_code);
    }
}

/// Copies `told` if `known` is unset.
pub fn fill<T: Clone>(known: &mut Option<T>, told: &Option<T>) {
    if known.is_none() {
        known.clone_from(told);
    }
}

impl Decline {
    /// Fills unset members from another report of the same decline. Code and message stay, because
    /// they were already reported.
    pub fn fill(&mut self, other: &Decline) {
        fill(&mut self.reason, &other.reason);
        fill(&mut self.category, &other.category);
        fill(&mut self.issuer, &other.issuer);
        fill(&mut self.advice, &other.advice);
        match (&mut self.checks, &other.checks) {
            (Some(known), Some(told)) => known.fill(told),
            (known, told) => fill(known, told),
        }
    }

    /// Returns a decline with our own code and message, where no processor declined.
    pub fn of_ours(code: &str, message: &str) -> Self {
        Decline {
            code: code.to_owned(),
            message: message.to_owned(),
            ..Decline::default()
        }
    }
}

/// An issuer's decline, in its own words and the scheme's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IssuerWords {
    /// The issuer's response code. Code and message are empty if only the scheme's advice is known.
    pub code: String,
    pub message: String,
    /// The scheme's advice on another try: code and text.
    pub advice_code: Option<String>,
    pub advice_message: Option<String>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

words! {
    /// The reason for an unknown outcome.
    pub enum UnknownReason {
        /// No answer within the deadline.
        Timeout = "timeout",
        /// The connection broke after the request may have left.
        ConnectionLost = "connection_lost",
        /// The processor reported a problem of its own (HTTP 5xx).
        ProcessorError = "processor_error",
        /// The answer could not be read.
        UnreadableAnswer = "unreadable_answer",
        /// The credentials from the caller's request are no longer stored, so a look-up is
        /// impossible.
        CredentialsGone = "credentials_gone",
        /// The server stopped between the request and the recording of its answer.
        Interrupted = "interrupted",
    }
}
