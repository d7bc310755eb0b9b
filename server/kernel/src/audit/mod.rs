//! The audit log: who changed what, when and from where, in a chain that shows what was altered or taken out.
//!
//! An entry is stamped, with a key that isn't in the database, by whoever makes the change; its stamp covers all of its
//! content. Entries are chained in the order in which they are appended: each link is a stamp over the link before, the
//! entry's number and the entry's stamp. The head holds how many there are and the last link, stamped too, so that a log
//! whose end was cut off doesn't fit its head.

mod walk;

use serde::{Deserialize, Serialize};

use crate::timestamp::Timestamp;

pub use walk::{Fault, FaultKind, Walk};

const ENTRY: &[u8] = b"multirail audit entry 1";
const LINK: &[u8] = b"multirail audit link 1";
const HEAD: &[u8] = b"multirail audit head 1";

/// Bytes of a stamp.
pub const STAMP_BYTES: usize = 32;

/// The most objects that an entry names: further ones are left out.
pub const OBJECTS_AT_MOST: usize = 8;

/// A keyed hash over some content.
pub type Stamp = [u8; STAMP_BYTES];

/// What comes before the first link.
pub const BEGINNING: Stamp = [0; STAMP_BYTES];

/// A stamp as 64 hexadecimal digits.
pub fn stamp_text(stamp: &Stamp) -> String {
    stamp.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads what [`stamp_text`] wrote.
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

/// Makes stamps. Its key isn't in the database in the clear.
pub trait Stamper {
    /// The stamp of these parts, which depends on where one ends and the next one begins.
    fn stamp(&self, parts: &[&[u8]]) -> Stamp;
}

/// Something that an entry names: `account_id` of the path and its value, or `api_key` and its id.
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

/// What is said of one change. No body, no key, no name of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    /// The request that made the change, a UUID of version 7.
    pub request_id: String,
    /// When the request came, in wall time.
    pub recorded_at: Timestamp,
    /// The operation, by the name that it has in the document.
    pub operation: String,
    /// What kind of caller it was: `admin`, `api_key`, `platform`, `user`, `client`.
    pub principal: String,
    /// Which one, by an id; never the secret.
    pub principal_id: Option<String>,
    /// The merchant account that it was done in.
    pub merchant_id: Option<String>,
    /// What the path named.
    pub target: Vec<Named>,
    /// What was made, changed or deleted.
    pub objects: Vec<Named>,
    /// Where the request came from.
    pub ip: String,
    /// Text at rest that this program doesn't write, such as white space or a member of another name: somebody else did.
    pub stray: Option<String>,
}

impl AuditEntry {
    /// The stamp of all that it says.
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
        // Nobody stamps such an entry, so that no stamp fits it.
        parts.extend(self.stray.iter().map(|text| text.as_bytes().to_vec()));
        let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
        by.stamp(&parts)
    }
}

/// Nothing is another text than an empty one.
fn optional(text: Option<&str>) -> Vec<u8> {
    match text {
        None => vec![0],
        Some(text) => [&[1], text.as_bytes()].concat(),
    }
}

/// An entry with its stamp, as the commit of the change leaves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamped {
    pub entry: AuditEntry,
    pub stamp: Stamp,
}

/// An entry in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chained {
    /// Rises by one from 1.
    pub sequence: i64,
    pub entry: AuditEntry,
    pub stamp: Stamp,
    /// Stands for this entry and all before it.
    pub link: Stamp,
}

/// How many entries there are, and the last link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    pub entries: i64,
    pub link: Stamp,
    pub stamp: Stamp,
}

impl Head {
    /// The head of a log without entries; nothing stores it.
    pub fn empty(by: &dyn Stamper) -> Self {
        Head::of(0, BEGINNING, by)
    }

    fn of(entries: i64, link: Stamp, by: &dyn Stamper) -> Self {
        Head {
            entries,
            link,
            stamp: by.stamp(&[HEAD, &entries.to_be_bytes(), &link]),
        }
    }

    /// Whether it is as it was stamped.
    pub fn is_whole(&self, by: &dyn Stamper) -> bool {
        Head::of(self.entries, self.link, by) == *self
    }

    /// Appends entries in their order. Their stamps are taken as they are: that one was altered before it was chained is
    /// found by a [`Walk`], and here nothing must be held up by it.
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
        (chained, Head::of(entries, link, by))
    }
}

fn next_link(former: &Stamp, sequence: i64, stamp: &Stamp, by: &dyn Stamper) -> Stamp {
    by.stamp(&[LINK, former, &sequence.to_be_bytes(), stamp])
}

#[cfg(test)]
mod tests;
