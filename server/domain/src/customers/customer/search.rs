//! Normalised e-mail addresses and phone numbers for searches. The store keeps a keyed hash of them, so only an equal form is
//! found.

use crate::customers::customer::Customer;

/// Returns an e-mail address in lower case, without blanks around it. `None` if it is empty.
pub fn searched_email(email: &str) -> Option<String> {
    let email = email.trim().to_lowercase();
    (!email.is_empty()).then_some(email)
}

/// Returns the digits of a phone number, in any script, as ASCII digits. `None` if it has none.
pub fn searched_phone(phone: &str) -> Option<String> {
    let digits: String = phone.chars().filter_map(digit).collect();
    (!digits.is_empty()).then_some(digits)
}

/// The zeros of the scripts in which people write phone numbers; the digits 1 to 9 follow each. Arabic and its Persian form,
/// the scripts of India, Thailand, Laos, Tibet, Myanmar and Cambodia, and the full-width digits of East Asia.
const NOUGHTS: [char; 18] = [
    '0', '\u{660}', '\u{6f0}', '\u{966}', '\u{9e6}', '\u{a66}', '\u{ae6}', '\u{b66}', '\u{be6}',
    '\u{c66}', '\u{ce6}', '\u{d66}', '\u{e50}', '\u{ed0}', '\u{f20}', '\u{1040}', '\u{17e0}',
    '\u{ff10}',
];

fn digit(written: char) -> Option<char> {
    let values = NOUGHTS
        .iter()
        .map(|&nought| u32::from(written).wrapping_sub(nought.into()));
    let value = values.into_iter().find(|value| *value < 10)?;
    char::from_digit(value, 10)
}

impl Customer {
    /// Returns the customer's e-mail address as [`searched_email`] writes it.
    pub fn searched_email(&self) -> Option<String> {
        self.personal.email.as_deref().and_then(searched_email)
    }

    /// Returns the customer's phone number as [`searched_phone`] writes it. The country's code is another member and not part
    /// of it.
    pub fn searched_phone(&self) -> Option<String> {
        self.personal.phone.as_deref().and_then(searched_phone)
    }
}
