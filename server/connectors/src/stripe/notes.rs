//! Entries in a payment's metadata at Stripe: our notes of operations, and the merchant's
//! information.

use std::collections::BTreeMap;

pub type Metadata = BTreeMap<String, String>;

/// Our key of an authorization or a refund.
pub const OUR_KEY: &str = "multirail_key";
/// Our key of a refund by which a void returned captured money.
pub const OUR_VOID_KEY: &str = "multirail_void";
/// The merchant's order number.
pub const ORDER_REFERENCE: &str = "order_reference";
pub const CUSTOMER_ID: &str = "customer_id";
/// The merchant's id of the payment.
pub const PAYMENT_ID: &str = "payment_id";

const CAPTURED: &str = "captured ";
const RAISED: &str = "raised to ";

/// A note of an operation on a payment. It is stored in the metadata under the key of the
/// operation's request. Amounts are in Stripe's units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    Captured(i64),
    /// The new total.
    RaisedTo(i64),
}

impl Note {
    pub fn written(self) -> String {
        match self {
            Note::Captured(amount) => format!("{CAPTURED}{amount}"),
            Note::RaisedTo(total) => format!("{RAISED}{total}"),
        }
    }

    fn read(text: &str) -> Option<Self> {
        // Our amounts are never negative, so such an entry is somebody else's.
        let amount = |text: &str| text.parse().ok().filter(|amount| *amount >= 0);
        match text.strip_prefix(CAPTURED) {
            Some(text) => amount(text).map(Note::Captured),
            None => amount(text.strip_prefix(RAISED)?).map(Note::RaisedTo),
        }
    }
}

/// Our entries that are no operations.
const OTHERS: [&str; 5] = [
    OUR_KEY,
    OUR_VOID_KEY,
    ORDER_REFERENCE,
    CUSTOMER_ID,
    PAYMENT_ID,
];

/// Checks whether an entry has one of our names or could be read as a note. Such entries of a
/// merchant are left out.
pub fn is_ours(name: &str, text: &str) -> bool {
    OTHERS.contains(&name) || Note::read(text).is_some()
}

/// Returns every note with its key. Merchants' entries are skipped.
pub fn notes(metadata: &Metadata) -> impl Iterator<Item = (&str, Note)> {
    let ours = metadata
        .iter()
        .filter(|(name, _)| !OTHERS.contains(&name.as_str()));
    ours.filter_map(|(name, text)| Some((name.as_str(), Note::read(text)?)))
}

/// Returns the note under this key.
pub fn noted(metadata: &Metadata, key: &str) -> Option<Note> {
    let mut all = notes(metadata);
    all.find(|(name, _)| *name == key).map(|(_, note)| note)
}

/// Checks whether the metadata have this entry.
pub fn has_entry(metadata: &Metadata, name: &str, text: &str) -> bool {
    metadata.get(name).is_some_and(|own| own == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_written_form_is_read() {
        for note in [
            Note::Captured(6540),
            Note::RaisedTo(7000),
            Note::Captured(0),
        ] {
            assert_eq!(Note::read(&note.written()), Some(note));
        }
        for others in [
            "captured -100",
            "raised to -1",
            "captured ",
            "captured 1 of 2",
            "raised",
            "6540",
        ] {
            assert_eq!(Note::read(others), None, "{others}");
        }
    }
}
