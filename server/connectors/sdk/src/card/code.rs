//! Card security codes.

use std::fmt;

use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;

/// The three or four digits on the card. The code never prints, is never stored, and is overwritten
/// when dropped.
#[derive(Clone, PartialEq, Eq)]
pub struct CardCode(SecretText);

impl CardCode {
    /// Reads a code. `member` is the full path that a refusal names.
    pub fn parse(text: &str, member: &str) -> Result<Self, Refusal> {
        let digits = text.trim();
        if !matches!(digits.len(), 3 | 4) || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(Refusal::precondition(format!(
                "{member} must have three or four digits"
            )));
        }
        Ok(CardCode(SecretText::new(digits)))
    }

    /// Returns the digits, for the request to the processor.
    pub fn expose(&self) -> &str {
        self.0.expose()
    }
}

impl fmt::Debug for CardCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CardCode(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_or_four_digits() {
        for good in ["123", "0000", " 737 "] {
            assert!(CardCode::parse(good, "card_cvc").is_ok(), "{good}");
        }
        for bad in ["", "12", "12345", "12a", "１２３"] {
            let refusal = CardCode::parse(bad, "card_cvc").expect_err(bad);
            assert_eq!(
                refusal,
                Refusal::precondition("card_cvc must have three or four digits")
            );
        }
    }

    #[test]
    fn it_does_not_print() {
        let code = CardCode::parse("737", "card_cvc");
        assert_eq!(format!("{code:?}"), "Ok(CardCode(..))");
    }
}
