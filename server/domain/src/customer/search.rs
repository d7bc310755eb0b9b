//! The forms in which e-mail addresses and phone numbers are searched for. What rests is a keyed hash of them, so that
//! only the same form is found.

use crate::customer::Customer;

/// An e-mail address as it is compared: in small letters, without blanks around it. Nothing where that leaves nothing.
pub fn searched_email(email: &str) -> Option<String> {
    let email = email.trim().to_lowercase();
    (!email.is_empty()).then_some(email)
}

/// A phone number as it is compared: its digits. Nothing where it has none.
pub fn searched_phone(phone: &str) -> Option<String> {
    let digits: String = phone.chars().filter(char::is_ascii_digit).collect();
    (!digits.is_empty()).then_some(digits)
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
