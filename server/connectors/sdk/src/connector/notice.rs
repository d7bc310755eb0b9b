//! What a processor tells unasked.

use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::timestamp::Timestamp;
use serde::{Deserialize, Serialize};

use super::{DisputeNews, OperationKind, Outcome};

/// What came in, byte for byte: signatures are over these. It rests sealed, and doesn't print: processors tell in it who paid
/// and with what.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RawNotice {
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    #[serde(with = "text")]
    pub body: Vec<u8>,
}

/// Bodies rest as the texts that they are; a body that is none is not filed.
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
    /// The first header of this name, which is given in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut named = self.headers.iter().filter(|(own, _)| own == name);
        named.next().map(|(_, value)| value.as_str())
    }
}

/// A part of a notice that is filed by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoticePart {
    /// Names what was signed. A part that comes again has the same name, whatever stands around it.
    pub identity: String,
    pub content: RawNotice,
}

impl NoticePart {
    /// All of a notice, by its body. Its headers are not kept: they may hold keys, and nothing is read of them again.
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

/// One thing that a processor tells, proved to come from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The processor's id of it, the same whenever it is repeated.
    pub id: String,
    /// The processor's own word for what is told; operators are shown it.
    pub kind: String,
    /// When it happened, by the processor's clock.
    pub happened_at: Option<Timestamp>,
    pub news: News,
}

/// What a notice says.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::large_enum_variant,
    reason = "a notice is read, applied and dropped, and most of them are outcomes"
)]
pub enum News {
    /// What became of an operation, in words as good as an answer's.
    Outcome { about: About, outcome: Outcome },
    /// Something changed, and the processor has to be asked what: the content isn't signed, or doesn't say enough.
    Hint { about: About },
    /// How a dispute stands.
    Dispute(Box<DisputeNews>),
    /// Nothing that concerns payments, refunds or disputes.
    Nothing,
    /// The processor signed it, and what it says can't be read, or not in one way alone: it changes nothing.
    Unreadable,
}

/// The operation that a notice is about, in as many of its names as the notice has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    pub kind: OperationKind,
    /// Our own name of it, where the processor hands it back.
    pub key: Option<ProcessorKey>,
    /// The processor's.
    pub reference: Option<String>,
    /// The processor's name of the authorization that it belongs to.
    pub authorization_reference: Option<String>,
    /// Our own name of that authorization, where the processor hands that back.
    pub authorization_key: Option<ProcessorKey>,
}

/// A notice comes from the processor and says nothing that this version can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the notice can't be read")]
pub struct Unreadable;
