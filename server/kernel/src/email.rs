//! The e-mail addresses of users.

use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;

/// The maximum length of an address (RFC 5321, 4.5.3.1.3).
const LONGEST: usize = 254;

/// An address without surrounding blanks, its ASCII letters in lower case. It doesn't print.
///
/// Other letters keep their case, because the lower case of some, such as the Kelvin sign, is a letter of another
/// address.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Email(String);

impl Email {
    /// Parses an address: a local part, `@`, and a host name. It may still be undeliverable.
    ///
    /// # Errors
    /// [`Refusal::EmailInvalid`].
    pub fn parse(given: &str) -> Result<Self, Refusal> {
        let text = given.trim().to_ascii_lowercase();
        let is_clean = |c: char| !c.is_whitespace() && !c.is_control();
        let is_address = text.len() <= LONGEST
            && text.chars().all(is_clean)
            && text.rsplit_once('@').is_some_and(|(user, machine)| {
                !user.is_empty()
                    && !user.contains('@')
                    && machine.split('.').all(|part| !part.is_empty())
            });
        if is_address {
            Ok(Email(text))
        } else {
            Err(Refusal::EmailInvalid)
        }
    }

    /// Returns the spelling in which earlier versions stored this address, with all letters in lower case, if it
    /// differs. Returns `None` if a letter would become an ASCII letter.
    pub fn stored_before(&self) -> Option<Self> {
        let mut folded = String::with_capacity(self.0.len());
        for letter in self.0.chars() {
            let lower = letter.to_lowercase();
            if !letter.is_ascii() && lower.clone().any(|c| c.is_ascii()) {
                return None;
            }
            folded.extend(lower);
        }
        (folded != self.0).then_some(Email(folded))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the part after the `@`.
    pub fn domain(&self) -> &str {
        self.0.rsplit('@').next().unwrap_or_default()
    }

    /// Returns the part before the `@`.
    pub fn before_the_at(&self) -> &str {
        self.0.split('@').next().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_however_it_is_written() {
        let email = Email::parse(" Ada@Books.Example ").expect("an address");
        assert_eq!(email.as_str(), "ada@books.example");
        assert_eq!(email.before_the_at(), "ada");
        assert_eq!(email.domain(), "books.example");
    }

    #[test]
    fn only_ascii_letters_are_folded() {
        let email = |text: &str| Email::parse(text).expect("an address");
        let before = |text: &str| email(text).stored_before().map(|email| email.0);
        let kelvin = email("\u{212a}im@books.example");
        assert_eq!(kelvin.as_str(), "\u{212a}im@books.example");
        assert_eq!(before(kelvin.as_str()), None);
        assert_eq!(before("\u{130}lk@books.example"), None);
        assert_eq!(
            email("M\u{dc}LLER@Books.example").as_str(),
            "m\u{dc}ller@books.example"
        );
        let stored = Some("m\u{fc}ller@books.example".to_owned());
        assert_eq!(before("M\u{dc}LLER@Books.example"), stored);
        assert_eq!(before("m\u{fc}ller@books.example"), None);
        assert_eq!(before("ADA@books.example"), None);
    }

    #[test]
    fn invalid_addresses() {
        let long = format!("{}@books.example", "a".repeat(250));
        for text in [
            "",
            "ada",
            "@books.example",
            "ada@",
            "ada@books..example",
            "ada@books.example.",
            "a da@books.example",
            "ada@ada@books.example",
            "ada\u{7}@books.example",
            &long,
        ] {
            assert!(Email::parse(text).is_err(), "{text}");
        }
    }
}
