//! The audit log: who changed what, when and from where. It is a chain that shows altered and removed entries.
//!
//! Each change stamps its entry with a key that isn't in the database. The stamp covers the whole entry. Entries are
//! chained in the order in which they are appended: each link is a stamp over the previous link, the entry's number and
//! the entry's stamp. The head contains the number of entries and the last link, and is stamped too. So a log whose end
//! was cut off doesn't match its head.

mod walk;

use serde::{Deserialize, Serialize};

use crate::timestamp::Timestamp;

pub use walk::{Fault, FaultKind, Walk};

const ENTRY: &[u8] = b"multirail audit entry 1";
const LINK: &[u8] = b"multirail audit link 1";
const HEAD: &[u8] = b"multirail audit head 1";

/// The length of a stamp in bytes.
pub const STAMP_BYTES: usize = 32;

/// The maximum number of objects that an entry names. Further objects are left out.
pub const OBJECTS_AT_MOST: usize = 8;

/// A keyed hash over some content.
pub type Stamp = [u8; STAMP_BYTES];

/// The link before the first entry.
pub const BEGINNING: Stamp = [0; STAMP_BYTES];

/// Formats a stamp as 64 hexadecimal digits.
pub fn stamp_text(stamp: &Stamp) -> String {
    stamp.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Parses the format of [`stamp_text`].
pub fn stamp_of_text(text: &str) -> Option<Stamp> {
    let mut stamp = BEGINNING;
    let is_hexadecimal = text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if text.len() != 2 * STAMP_BYTES || !is_hexadecimal {
        return None;
    }
    for (at, byte) in stamp.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(stamp)
}

/// Makes stamps with a key that isn't in the database in clear.
pub trait Stamper {
    /// Returns the stamp of these parts. It depends on where one part ends and the next one begins.
    fn stamp(&self, parts: &[&[u8]]) -> Stamp;
}

/// A name and id in an entry: `account_id` of the path and its value, or `api_key` and its id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    pub name: String,
    pub id: String,
}

impl Named {
    pub fn new(name: &str, id: impl Into<String>) -> Self {
        Named {
            name: name.to_owned(),
            id: id.into(),
        }
    }
}

/// The description of one change. It contains no body, no key and no name of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    /// The id of the request that made the change, a UUID of version 7.
    pub request_id: String,
    /// The wall time of the request.
    pub recorded_at: Timestamp,
    /// The operation's name in the document.
    pub operation: String,
    /// The kind of caller: `admin`, `api_key`, `platform`, `user`, `client`.
    pub principal: String,
    /// The caller's id; never a secret.
    pub principal_id: Option<String>,
    /// The merchant account that was changed.
    pub merchant_id: Option<String>,
    /// The names and ids in the request's path.
    pub target: Vec<Named>,
    /// The objects that were created, changed or deleted.
    pub objects: Vec<Named>,
    /// The IP address of the request.
    pub ip: String,
    /// Stored text that this program doesn't write, such as white space or an unknown member. It proves a foreign
    /// change.
    pub stray: Option<String>,
}

impl AuditEntry {
    /// Returns the stamp of the whole entry.
    pub fn stamp(&self, by: &dyn Stamper) -> Stamp {
        let mut parts: Vec<Vec<u8>> = vec![
            ENTRY.to_vec(),
            self.request_id.as_bytes().to_vec(),
            self.recorded_at.as_micros().to_be_bytes().to_vec(),
            self.operation.as_bytes().to_vec(),
            self.principal.as_bytes().to_vec(),
            optional(self.principal_id.as_deref()),
            optional(self.merchant_id.as_deref()),
            self.ip.as_bytes().to_vec(),
        ];
        for named in [&self.target, &self.objects] {
            parts.push((named.len() as u64).to_be_bytes().to_vec());
            for one in named {
                parts.push(one.name.as_bytes().to_vec());
                parts.push(one.id.as_bytes().to_vec());
            }
        }
        // No program stamps an entry with stray text, so that no stamp matches it.
        parts.extend(self.stray.iter().map(|text| text.as_bytes().to_vec()));
        let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
        by.stamp(&parts)
    }
}

/// Distinguishes an absent text from an empty one.
fn optional(text: Option<&str>) -> Vec<u8> {
    match text {
        None => vec![0],
        Some(text) => [&[1], text.as_bytes()].concat(),
    }
}

/// An entry with its stamp, as the commit of the change stores it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamped {
    pub entry: AuditEntry,
    pub stamp: Stamp,
}

/// An entry with its place in the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chained {
    /// The number in the chain, from 1 without gaps.
    pub sequence: i64,
    pub entry: AuditEntry,
    pub stamp: Stamp,
    /// The link that covers this entry and all earlier ones.
    pub link: Stamp,
}

/// The number of entries and the last link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    pub entries: i64,
    pub link: Stamp,
    pub stamp: Stamp,
}

impl Head {
    /// Returns the head of an empty log, which is never stored.
    pub fn empty(by: &dyn Stamper) -> Self {
        Head::stamped(0, BEGINNING, by)
    }

    fn stamped(entries: i64, link: Stamp, by: &dyn Stamper) -> Self {
        Head {
            entries,
            link,
            stamp: by.stamp(&[HEAD, &entries.to_be_bytes(), &link]),
        }
    }

    /// Checks whether the head matches its stamp.
    pub fn is_whole(&self, by: &dyn Stamper) -> bool {
        Head::stamped(self.entries, self.link, by) == *self
    }

    /// Appends entries in their order without checking their stamps. An entry that was altered before it was chained
    /// must not block the log; a [`Walk`] finds it later.
    pub fn append(&self, stamped: Vec<Stamped>, by: &dyn Stamper) -> (Vec<Chained>, Head) {
        let (mut entries, mut link) = (self.entries, self.link);
        let chained = stamped.into_iter().map(|Stamped { entry, stamp }| {
            entries += 1;
            link = next_link(&link, entries, &stamp, by);
            Chained {
                sequence: entries,
                entry,
                stamp,
                link,
            }
        });
        let chained = chained.collect();
        (chained, Head::stamped(entries, link, by))
    }
}

fn next_link(former: &Stamp, sequence: i64, stamp: &Stamp, by: &dyn Stamper) -> Stamp {
    by.stamp(&[LINK, former, &sequence.to_be_bytes(), stamp])
}

#[cfg(test)]
mod tests;
