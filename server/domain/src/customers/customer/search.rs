//! The forms in which e-mail addresses and phone numbers are searched for. What rests is a keyed hash of them, so that
//! only the same form is found.

use crate::customers::customer::Customer;

/// An e-mail address as it is compared: in small letters, without blanks around it. Nothing where that leaves nothing.
pub fn searched_email(email: &str) -> Option<String> {
    let email = email.trim().to_lowercase();
    (!email.is_empty()).then_some(email)
}

/// A phone number as it is compared: its digits, whatever script they are written in. Nothing where it has none.
pub fn searched_phone(phone: &str) -> Option<String> {
    let digits: String = phone.chars().filter_map(digit).collect();
    (!digits.is_empty()).then_some(digits)
}

/// The noughts of the scripts in whose numerals people write telephone numbers; the other nine follow each. Arabic and its Persian
/// form, those of India, Thailand, Laos, Tibet, Myanmar and Cambodia, and the wide ones of East Asia.
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
    /// What the customer is found by, as [`searched_email`] writes it.
    pub fn searched_email(&self) -> Option<String> {
        self.personal.email.as_deref().and_then(searched_email)
    }

    /// What the customer is found by, as [`searched_phone`] writes it. The country's code stands in a member of its own and
    /// is no part of it.
    pub fn searched_phone(&self) -> Option<String> {
        self.personal.phone.as_deref().and_then(searched_phone)
    }
}
