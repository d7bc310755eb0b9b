//! Cards: number and code, which never print; the details that may be stored and shown; and the
//! holder.

mod code;
mod details;
mod expiry;
mod fingerprint;
mod holder;
mod record;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use code::CardCode;
pub use details::{CardDetails, GivenCardDetails};
pub use expiry::Expiry;
pub use fingerprint::{CardFingerprint, InvalidFingerprint};
pub use holder::CardHolder;
pub use multirail_kernel::card_number::{CardNumber, InvalidCardNumber, Network};
pub use record::CardRecord;
pub use record::WrittenCard;

use multirail_kernel::secret::{self, SecretText, UnreadableSecrets};

/// A card as a payer enters it.
#[derive(Clone, PartialEq, Eq)]
pub struct Card {
    pub number: CardNumber,
    /// The security code. It is held in memory for a short time only and never stored.
    pub code: Option<CardCode>,
    pub expiry: Expiry,
    pub details: CardDetails,
    pub holder: CardHolder,
}

/// A card as it is sealed between create and confirm. It has no member for the code.
#[derive(Serialize, Deserialize)]
struct SealableCard {
    #[serde(with = "multirail_kernel::secret::sealed")]
    number: SecretText,
    expiry: Expiry,
    details: CardRecord,
}

impl Card {
    /// Creates a card. Its details come from the number and from the details that the caller
    /// states.
    pub fn new(
        number: CardNumber,
        code: Option<CardCode>,
        expiry: Expiry,
        given: GivenCardDetails,
    ) -> Self {
        let CardRecord { details, holder } = CardRecord::new(&number, expiry, given);
        Card {
            number,
            code,
            expiry,
            details,
            holder,
        }
    }

    /// Returns the text to seal while the card waits for its confirm. The code is left out, because
    /// it is never stored.
    pub fn to_sealable(&self) -> SecretText {
        let card = SealableCard {
            number: SecretText::new(self.number.expose()),
            expiry: self.expiry,
            details: CardRecord {
                details: self.details.clone(),
                holder: self.holder.clone(),
            },
        };
        secret::to_sealable(&card)
    }

    /// Creates a card without a code from its number and its details, which are stored apart. The
    /// card may have expired.
    ///
    /// # Errors
    /// Fails when the details have no expiry.
    pub fn of_details(
        number: CardNumber,
        details: CardDetails,
        holder: CardHolder,
    ) -> Result<Self, UnreadableSecrets> {
        let expiry = Expiry::stored(&details.exp_month, &details.exp_year);
        Ok(Card {
            number,
            code: None,
            expiry: expiry.ok_or(UnreadableSecrets)?,
            details,
            holder,
        })
    }

    /// Reads the card of an unsealed text. It has no code.
    pub fn from_sealable(text: &SecretText) -> Result<Self, UnreadableSecrets> {
        let card: SealableCard = secret::from_sealable(text)?;
        let CardRecord { details, holder } = card.details;
        Ok(Card {
            number: CardNumber::parse(card.number.expose()).map_err(|_| UnreadableSecrets)?,
            code: None,
            expiry: card.expiry,
            details,
            holder,
        })
    }
}

/// Prints only the details that may be shown.
impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Card")
            .field("last4", &self.details.last4)
            .field("network", &self.details.network)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use multirail_kernel::timestamp::Timestamp;

    fn card(given: GivenCardDetails) -> Card {
        let expiry = Expiry::parse("10", "35", "payment_method_data.card", Timestamp::EPOCH);
        Card::new(
            CardNumber::parse("4111 1111 1111 1111").expect("a number"),
            CardCode::parse("737", "card_cvc").ok(),
            expiry.expect("an expiry"),
            given,
        )
    }

    #[test]
    fn details_follow_from_number_and_caller() {
        let card = card(GivenCardDetails {
            holder_name: Some("Joseph Doe".to_owned()),
            ..GivenCardDetails::default()
        });
        insta::assert_json_snapshot!(CardRecord {
            details: card.details,
            holder: card.holder,
        });
    }

    #[test]
    fn the_callers_network_wins_over_the_digits() {
        let card = card(GivenCardDetails {
            network: Some(Network::CartesBancaires),
            ..GivenCardDetails::default()
        });
        assert_eq!(card.details.network, Some(Network::CartesBancaires));
    }

    #[test]
    fn neither_number_nor_code_prints() {
        let shown = format!("{:?}", card(GivenCardDetails::default()));
        assert_eq!(shown, r#"Card { last4: "1111", network: Some(Visa), .. }"#);
    }

    #[test]
    fn the_code_is_not_sealed_with_the_card() {
        let card = card(GivenCardDetails::default());
        let text = card.to_sealable();
        assert!(!text.expose().contains("737"));
        let restored = Card::from_sealable(&text).expect("a card");
        assert_eq!(restored, Card { code: None, ..card });
        assert_eq!(
            Card::from_sealable(&SecretText::new("{}")),
            Err(UnreadableSecrets)
        );
    }
}
