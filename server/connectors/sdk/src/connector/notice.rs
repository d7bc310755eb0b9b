//! Notices: messages that a processor sends on its own, by webhook.

use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::timestamp::Timestamp;
use serde::{Deserialize, Serialize};

use super::{DisputeNews, OperationKind, Outcome};

/// A notice as it was received, byte for byte, because signatures cover these bytes. It is stored
/// sealed and doesn't print: notices contain payers and instruments.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RawNotice {
    /// Header names are in lower case.
    pub headers: Vec<(String, String)>,
    #[serde(with = "text")]
    pub body: Vec<u8>,
}

/// Stores bodies as texts. A body that isn't UTF-8 is not filed.
mod text {
    use serde::de::{Deserialize, Deserializer};
    use serde::ser::{Error, Serializer};

    pub(super) fn serialize<S: Serializer>(body: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        let text = std::str::from_utf8(body).map_err(S::Error::custom)?;
        serializer.serialize_str(text)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<u8>, D::Error> {
        String::deserialize(deserializer).map(String::into_bytes)
    }
}

impl std::fmt::Debug for RawNotice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RawNotice(..)")
    }
}

impl RawNotice {
    /// Returns the first header of this name. `name` is in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut named = self.headers.iter().filter(|(own, _)| own == name);
        named.next().map(|(_, value)| value.as_str())
    }
}

/// A part of a notice that is filed separately.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoticePart {
    /// The signed identity. A repeated part has the same identity, whatever surrounds it.
    pub identity: String,
    pub content: RawNotice,
}

impl NoticePart {
    /// Returns the whole notice as one part, identified by its body. The headers are dropped: they
    /// may contain keys and are not read again.
    pub fn whole(raw: RawNotice) -> Self {
        NoticePart {
            identity: String::from_utf8_lossy(&raw.body).into_owned(),
            content: RawNotice {
                headers: Vec::new(),
                ..raw
            },
        }
    }
}

/// One item of news from a processor, verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The processor's id of the notice, which repetitions share.
    pub id: String,
    /// The processor's word for the kind of notice; operators see it.
    pub kind: String,
    /// The time of the event, by the processor's clock.
    pub happened_at: Option<Timestamp>,
    pub news: News,
}

/// The content of a notice.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::large_enum_variant,
    reason = "a notice is read, applied and dropped, and most of them are outcomes"
)]
pub enum News {
    /// The outcome of an operation, as reliable as an answer.
    Outcome { about: About, outcome: Outcome },
    /// A change that has to be looked up: the content isn't signed or is incomplete.
    Hint { about: About },
    /// The state of a dispute.
    Dispute(Box<DisputeNews>),
    /// News about other things than payments, refunds and disputes.
    Nothing,
    /// Signed by the processor, but unreadable or ambiguous. It changes nothing.
    Unreadable,
}

/// The operation that a notice is about, by all names in the notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    pub kind: OperationKind,
    /// Our key of the operation, where the processor returns it.
    pub key: Option<ProcessorKey>,
    /// The processor's reference.
    pub reference: Option<String>,
    /// The processor's reference of the authorization that the operation belongs to.
    pub authorization_reference: Option<String>,
    /// Our key of that authorization, where the processor returns it.
    pub authorization_key: Option<ProcessorKey>,
}

impl About {
    /// Returns the names of an authorization.
    pub fn authorization(key: ProcessorKey, id: &str) -> Self {
        About {
            key: Some(key),
            reference: Some(id.to_owned()),
            ..About::change(OperationKind::Authorize, id)
        }
    }

    /// Returns the name of the payment that an operation changed.
    pub fn change(kind: OperationKind, payment: &str) -> Self {
        About {
            kind,
            key: None,
            reference: None,
            authorization_reference: Some(payment.to_owned()),
            authorization_key: None,
        }
    }
}

/// The error for a notice from the processor that this version can't read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the notice can't be read")]
pub struct Unreadable;
