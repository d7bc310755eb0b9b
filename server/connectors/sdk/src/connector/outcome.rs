//! A processor's answer. Not knowing is one of the answers: it is stored and asked about again, never guessed.

use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::words::words;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{ConnectorMandate, DeclineCategory, Hold, Review};
use crate::connector::advice::Advice;

/// What became of one authorize, capture, void or refund.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The processor did it.
    Done(Approval),
    /// The payer has to act first, at `url`.
    CustomerMustAct {
        reference: Option<String>,
        url: String,
    },
    /// The data of the payer's device have to be collected first, by the page at `url` in a frame that nobody sees; then the
    /// processor is told to go on.
    DeviceDataNeeded {
        reference: Option<String>,
        url: String,
    },
    /// The processor refused, for good.
    Declined(Decline),
    /// The processor took it and will know later.
    Pending { reference: Option<String> },
    /// The processor has no trace of it: safe to report as failed or to try elsewhere.
    NeverHappened {
        reason: String,
        /// The processor couldn't be reached, or took no requests: it serves nobody at the moment. Otherwise it wasn't asked.
        is_turned_away: bool,
        /// Nobody waits for it any more: it was sent, and the processor can't be asked. What arrives of it late is undone.
        is_given_up: bool,
    },
    /// It was sent, and there is no answer that can be trusted.
    Unknown(UnknownReason),
}

/// What a processor told us about one operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// The key of the operation that it is about.
    pub about: ProcessorKey,
    pub outcome: Outcome,
}

/// The facts of something done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Approval {
    /// The processor's own reference, shown to merchants as `connector_transaction_id`.
    pub reference: Option<String>,
    /// What was really done, in minor units. `None` where the processor doesn't say: then it is what was asked.
    pub amount_minor: Option<i64>,
    /// The currency that the processor names, where it does.
    pub currency: Option<String>,
    /// The scheme's reference of a card authorization.
    pub network_transaction_id: Option<String>,
    /// What the processor keeps of the instrument, where it was asked to.
    pub mandate: Option<Box<ConnectorMandate>>,
    /// Of an action about a dispute: the processor's word for how the dispute stands now.
    pub processor_status: Option<String>,
    /// What the issuer found about a card.
    pub checks: Option<CardChecks>,
    /// What else it told of an authorization.
    pub remarks: Option<Box<Remarks>>,
    /// Of an authorization: it is reserved and held, also where it should have been taken in the same step, until the merchant
    /// decides.
    pub review: Option<Box<Review>>,
    /// Of an authorization that only reserves: how long it stands, and how much captures may take.
    pub hold: Option<Box<Hold>>,
    /// The processor says of a capture that nothing of the authorization is left to be captured.
    pub leaves_nothing: bool,
}

/// What a processor tells of an authorization beside its money. Nothing is decided by it: it is kept and shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remarks {
    /// The issuer's approval code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth_code: Option<String>,
    /// Results of 3-D Secure, by the processor's names.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub authentication: Map<String, Value>,
    /// What has no member of its own in a payment, by the processor's names.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub more: Map<String, Value>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl Remarks {
    /// `None` where nothing was told.
    pub fn told(self) -> Option<Box<Self>> {
        (self != Remarks::default()).then(|| Box::new(self))
    }
}

/// What an issuer compared and found, in the scheme's letters. A connector that is told it in words translates them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardChecks {
    /// The billing address (AVS): `Y` where it agrees, `N` where it doesn't, and so on.
    pub address: Option<String>,
    /// The card code: `M` where it agrees, `N` where it doesn't, and so on.
    pub card_code: Option<String>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl CardChecks {
    /// `None` where neither was checked.
    pub fn of(address: Option<String>, card_code: Option<String>) -> Option<Self> {
        (address.is_some() || card_code.is_some()).then(|| CardChecks {
            address,
            card_code,
            unread: UnreadMembers::default(),
        })
    }
}

/// Why a processor refused.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decline {
    /// The processor's own code.
    pub code: String,
    /// The processor's own words.
    pub message: String,
    /// More of them, where it gives any.
    pub reason: Option<String>,
    /// The payer failed or refused authentication, as opposed to the authorization being refused.
    #[serde(default)]
    pub in_authentication: bool,
    /// Of a refused capture, or of an authorization that was approved: the authorization itself is over at the processor (it
    /// has lapsed, or was voided there), so that no capture of it can succeed any more. Only where the processor says so in
    /// as many words.
    #[serde(default)]
    pub authorization_gone: bool,
    /// The processor's last word, also where it has said that it was done: a capture that failed at the scheme afterwards, a
    /// refund that the bank sent back. A processor that says so never says again that it was done.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub takes_back: bool,
    /// What it comes to, whichever processor says it; unset where the processor's code is unknown to us.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<DeclineCategory>,
    /// What the issuer said, where the processor passes it on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issuer: Option<Box<IssuerWords>>,
    /// What the issuer found about a card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checks: Option<Box<CardChecks>>,
    /// Of an authorization: what it came to by the error mappings when it was heard of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<Box<Advice>>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// The code under which a conflict is reported.
pub const CONFLICT_CODE: &str = "integrity_failure";

/// The code under which it is reported that a processor refuses the account's credentials.
pub const CREDENTIALS_REFUSED_CODE: &str = "credentials_refused";

impl Outcome {
    /// Nothing was done, and that is no fault of the processor's: it wasn't asked, or has no trace of it.
    pub fn never_happened(reason: impl ToString) -> Self {
        Outcome::NeverHappened {
            reason: reason.to_string(),
            is_turned_away: false,
            is_given_up: false,
        }
    }

    /// Nobody waits any more for what had no answer.
    pub fn given_up() -> Self {
        Outcome::NeverHappened {
            reason: "the processor told nothing of it, and can't be asked".to_owned(),
            is_turned_away: false,
            is_given_up: true,
        }
    }

    /// Nothing was done, as the processor couldn't be reached or takes no requests.
    pub fn turned_away(reason: impl ToString) -> Self {
        Outcome::NeverHappened {
            reason: reason.to_string(),
            is_turned_away: true,
            is_given_up: false,
        }
    }

    /// The processor's own reference, where it comes with one.
    pub fn reference(&self) -> Option<&str> {
        match self {
            Outcome::Done(approval) => approval.reference.as_deref(),
            Outcome::CustomerMustAct { reference, .. }
            | Outcome::DeviceDataNeeded { reference, .. }
            | Outcome::Pending { reference } => reference.as_deref(),
            Outcome::Declined(_) | Outcome::NeverHappened { .. } | Outcome::Unknown(_) => None,
        }
    }

    /// What it says where nothing can be taken back: a refusal as any other.
    pub fn without_taking_back(mut self) -> Self {
        if let Outcome::Declined(decline) = &mut self {
            decline.takes_back = false;
        }
        self
    }
}

impl CardChecks {
    /// Keeps what is missing of another one.
    pub fn fill(&mut self, other: &CardChecks) {
        fill(&mut self.address, &other.address);
        fill(&mut self.card_code, &other.card_code);
    }
}

/// Keeps what another one has where nothing is known.
pub fn fill<T: Clone>(known: &mut Option<T>, told: &Option<T>) {
    if known.is_none() {
        known.clone_from(told);
    }
}

impl Decline {
    /// Keeps what is missing of another word for the same refusal. Its code and its message stay: they were told.
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

    /// What stands where a refusal would, though no processor refused: our own code and words.
    pub fn of_ours(code: &str, message: &str) -> Self {
        Decline {
            code: code.to_owned(),
            message: message.to_owned(),
            ..Decline::default()
        }
    }
}

/// Why an issuer declined, in its own words and its scheme's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IssuerWords {
    /// The issuer's response code; empty, as the message, where only the scheme's advice is told.
    pub code: String,
    pub message: String,
    /// The scheme's advice on trying again, as its code and in words.
    pub advice_code: Option<String>,
    pub advice_message: Option<String>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

words! {
    /// Why an outcome is not known.
    pub enum UnknownReason {
        /// No answer within the deadline.
        Timeout = "timeout",
        /// The connection broke after the request may have left.
        ConnectionLost = "connection_lost",
        /// The processor answered that it has trouble of its own (HTTP 5xx).
        ProcessorError = "processor_error",
        /// The answer could not be read.
        UnreadableAnswer = "unreadable_answer",
        /// The credentials that the caller had brought are gone, so that nobody can be asked.
        CredentialsGone = "credentials_gone",
        /// We stopped between asking and recording the answer.
        Interrupted = "interrupted",
    }
}
