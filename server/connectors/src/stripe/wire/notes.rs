//! What stands in the metadata of a payment at Stripe: our names of what was done to it, and what a merchant wants to read there.

use std::collections::BTreeMap;

pub type Metadata = BTreeMap<String, String>;

/// Our key of an authorization or a refund.
pub const OUR_KEY: &str = "multirail_key";
/// The same, of a refund by which a void gave back what was taken at once.
pub const OUR_VOID_KEY: &str = "multirail_void";
/// The merchant's number of the order.
pub const ORDER_REFERENCE: &str = "order_reference";
pub const CUSTOMER_ID: &str = "customer_id";
/// The merchant's id of the payment.
pub const PAYMENT_ID: &str = "payment_id";

const CAPTURED: &str = "captured ";
const RAISED: &str = "raised to ";

/// What was done to a payment, as it stands in its metadata under the key of the request that did it. Amounts are in Stripe's
/// units.
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
        // We take no amount that is less than nothing: such a note is somebody else's.
        let amount = |text: &str| text.parse().ok().filter(|amount| *amount >= 0);
        match text.strip_prefix(CAPTURED) {
            Some(text) => amount(text).map(Note::Captured),
            None => amount(text.strip_prefix(RAISED)?).map(Note::RaisedTo),
        }
    }
}

/// Returns the notes that don't tell of something that was done.
const OTHERS: [&str; 5] = [
    OUR_KEY,
    OUR_VOID_KEY,
    ORDER_REFERENCE,
    CUSTOMER_ID,
    PAYMENT_ID,
];

/// Returns whether an entry has one of our names, or would be read as something that was done. A merchant's entry that is so is left out.
pub fn is_ours(name: &str, text: &str) -> bool {
    OTHERS.contains(&name) || Note::read(text).is_some()
}

/// Every note with the key that it stands under. What a merchant has written there is none.
pub fn notes(metadata: &Metadata) -> impl Iterator<Item = (&str, Note)> {
    let ours = metadata
        .iter()
        .filter(|(name, _)| !OTHERS.contains(&name.as_str()));
    ours.filter_map(|(name, text)| Some((name.as_str(), Note::read(text)?)))
}

/// What was noted under this key.
pub fn noted(metadata: &Metadata, key: &str) -> Option<Note> {
    let mut all = notes(metadata);
    all.find(|(name, _)| *name == key).map(|(_, note)| note)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_and_nothing_else() {
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
