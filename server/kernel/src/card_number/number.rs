//! Card numbers (PANs).

use std::fmt;

use crate::card_number::Network;
use crate::secret::SecretText;

/// A card number with a correct check digit. It never prints and is overwritten when dropped.
#[derive(Clone, PartialEq, Eq)]
pub struct CardNumber(SecretText);

/// The reason why a text is no card number. The error occurs while the body is read, like other unreadable members, and
/// it never contains the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCardNumber {
    #[error("a card number consists of digits")]
    Character,
    #[error("a card number has 8 to 19 digits")]
    Length,
    #[error("the check digit of the card number is wrong")]
    CheckDigit,
}

impl CardNumber {
    /// Parses a number and drops the spaces and dashes between groups.
    pub fn parse(text: &str) -> Result<Self, InvalidCardNumber> {
        // The capacity is set once, because a growing text leaves copies in memory.
        let mut digits = String::with_capacity(text.len());
        digits.extend(text.chars().filter(|c| !matches!(c, ' ' | '-')));
        let number = CardNumber(SecretText::new(digits));
        let digits = number.expose();
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(InvalidCardNumber::Character);
        }
        if !(8..=19).contains(&digits.len()) {
            return Err(InvalidCardNumber::Length);
        }
        if !passes_luhn(digits) {
            return Err(InvalidCardNumber::CheckDigit);
        }
        Ok(number)
    }

    /// Returns all digits, for the processor, the simulator and the seal.
    pub fn expose(&self) -> &str {
        self.0.expose()
    }

    /// Returns the last four digits.
    pub fn last4(&self) -> &str {
        let digits = self.expose();
        &digits[digits.len() - 4..]
    }

    /// Returns the first six digits, which identify the issuer. Returns `None` for a short number: the check digit
    /// would reveal the rest if fewer than three digits stayed hidden.
    pub fn isin(&self) -> Option<&str> {
        self.leading(6)
    }

    /// Returns the first eight digits, under the same condition as [`CardNumber::isin`].
    pub fn extended_bin(&self) -> Option<&str> {
        self.leading(8)
    }

    /// Returns the card network if the leading digits identify it.
    pub fn network(&self) -> Option<Network> {
        Network::from_digits(self.expose())
    }

    fn leading(&self, count: usize) -> Option<&str> {
        let digits = self.expose();
        (digits.len() >= count + 4 + 3).then(|| &digits[..count])
    }
}

impl fmt::Debug for CardNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CardNumber(..)")
    }
}

/// Checks the check digit: every second digit from the right is doubled, digits of products are added up, and the sum
/// ends in zero. (ISO/IEC 7812)
pub(super) fn passes_luhn(digits: &str) -> bool {
    let sum: u32 = digits
        .bytes()
        .rev()
        .enumerate()
        .map(|(place, byte)| {
            let digit = u32::from(byte - b'0');
            let weighted = if place % 2 == 1 { digit * 2 } else { digit };
            weighted / 10 + weighted % 10
        })
        .sum();
    sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_numbers_of_the_networks_pass() {
        let numbers = [
            "4111111111111111",
            "4242 4242 4242 4242",
            "5555-5555-5555-4444",
            "378282246310005",
            "30569309025904",
            "3530111333300000",
            "6011111111111117",
            "4222222222222",
            "6759649826438453",
        ];
        for text in numbers {
            assert!(CardNumber::parse(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn others_are_refused() {
        let table = [
            ("4111111111111112", InvalidCardNumber::CheckDigit),
            ("1411111111111111", InvalidCardNumber::CheckDigit),
            ("411111111111111a", InvalidCardNumber::Character),
            ("４111111111111111", InvalidCardNumber::Character),
            ("4111\u{a0}1111", InvalidCardNumber::Character),
            ("", InvalidCardNumber::Length),
            ("0000000", InvalidCardNumber::Length),
            ("00000000000000000000", InvalidCardNumber::Length),
        ];
        for (text, expected) in table {
            assert_eq!(CardNumber::parse(text), Err(expected), "{text}");
        }
    }

    #[test]
    fn a_changed_digit_is_always_noticed() {
        let good = "4111111111111111";
        for place in 0..good.len() {
            for digit in b'0'..=b'9' {
                let mut changed = good.as_bytes().to_vec();
                changed[place] = digit;
                let changed = String::from_utf8(changed).expect("digits");
                assert_eq!(CardNumber::parse(&changed).is_ok(), changed == good);
            }
        }
    }

    #[test]
    fn shown_parts_leave_at_least_three_digits_unknown() {
        let table = [
            ("4111111111111111", Some("411111"), Some("41111111"), "1111"),
            ("378282246310005", Some("378282"), Some("37828224"), "0005"),
            ("30569309025904", Some("305693"), None, "5904"),
            ("4222222222222", Some("422222"), None, "2222"),
            ("501800000009", None, None, "0009"),
            ("00000000", None, None, "0000"),
        ];
        for (text, isin, extended_bin, last4) in table {
            let number = CardNumber::parse(text).expect(text);
            assert_eq!(number.isin(), isin, "{text}");
            assert_eq!(number.extended_bin(), extended_bin, "{text}");
            assert_eq!(number.last4(), last4, "{text}");
            assert_eq!(format!("{number:?}"), "CardNumber(..)");
        }
    }
}
