//! The holder of a card, as the merchant and the payer name them. This is personal data, stored
//! apart from the card's details.

use multirail_kernel::telling::{redacted_text, text_tells};

/// The person who holds a card. A record of the card has these members among its details, or the
/// redacted ones in their place ([`CardRecord`](crate::card::CardRecord)).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardHolder {
    pub name: Option<String>,
    /// The customer's own name for the card.
    pub nick_name: Option<String>,
}

impl CardHolder {
    /// Returns the redacted holder. It shows which members were set, not their values.
    pub fn redacted(&self) -> CardHolder {
        let CardHolder { name, nick_name } = self;
        CardHolder {
            name: redacted_text(name),
            nick_name: redacted_text(nick_name),
        }
    }

    /// Checks whether [`redacted`](Self::redacted) removes anything.
    pub fn tells_of_somebody(&self) -> bool {
        let CardHolder { name, nick_name } = self;
        text_tells(name) || text_tells(nick_name)
    }
}
