//! Ids derived from another id: the attempts of a payment, the captures of an attempt.
//!
//! A payment id may have 64 characters, so these ids can be longer. They are stored by their parts and never truncated,
//! because a truncated id could belong to two objects.

use std::fmt;

use super::PaymentId;
use super::text::{InvalidId, read_and_written_as_text};

/// The id of an attempt of a payment: `<payment_id>_<n>`, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AttemptId {
    payment_id: PaymentId,
    number: u32,
}

impl AttemptId {
    /// Makes the id of the attempt with this number, counted from 1.
    pub fn new(payment_id: PaymentId, number: u32) -> Self {
        AttemptId { payment_id, number }
    }

    /// Parses `<payment_id>_<n>`.
    pub fn parse(text: &str) -> Result<Self, InvalidId> {
        let (payment_id, number) = split(text.trim())?;
        Ok(AttemptId::new(PaymentId::parse(payment_id)?, number))
    }

    /// Returns the id of the payment.
    pub fn payment_id(&self) -> &PaymentId {
        &self.payment_id
    }

    /// Returns the number of the attempt, from 1.
    pub fn number(&self) -> u32 {
        self.number
    }
}

impl fmt::Display for AttemptId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}", self.payment_id, self.number)
    }
}

read_and_written_as_text!(AttemptId);

/// The id of a capture of an attempt: `<attempt_id>_<n>`, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CaptureId {
    attempt_id: AttemptId,
    number: u32,
}

impl CaptureId {
    /// Makes the id of the capture with this number, counted from 1.
    pub fn new(attempt_id: AttemptId, number: u32) -> Self {
        CaptureId { attempt_id, number }
    }

    /// Parses `<payment_id>_<n>_<m>`.
    pub fn parse(text: &str) -> Result<Self, InvalidId> {
        let (attempt_id, number) = split(text.trim())?;
        Ok(CaptureId::new(AttemptId::parse(attempt_id)?, number))
    }

    /// Returns the id of the attempt.
    pub fn attempt_id(&self) -> &AttemptId {
        &self.attempt_id
    }

    /// Returns the number of the capture, from 1.
    pub fn number(&self) -> u32 {
        self.number
    }
}

impl fmt::Display for CaptureId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}", self.attempt_id, self.number)
    }
}

read_and_written_as_text!(CaptureId);

/// Splits off the number. It must have no sign and no leading zero.
fn split(text: &str) -> Result<(&str, u32), InvalidId> {
    let (parent, digits) = text.rsplit_once('_').ok_or(InvalidId::NoNumber)?;
    let number = digits.parse::<u32>().map_err(|_| InvalidId::NoNumber)?;
    if number == 0 || number.to_string() != digits {
        return Err(InvalidId::NoNumber);
    }
    Ok((parent, number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_read_as_they_are_written() {
        let payment = PaymentId::parse("pay_2_1").expect("an id");
        let attempt = AttemptId::new(payment, 3);
        let capture = CaptureId::new(attempt.clone(), 12);
        assert_eq!(attempt.to_string(), "pay_2_1_3");
        assert_eq!(capture.to_string(), "pay_2_1_3_12");
        assert_eq!(AttemptId::parse("pay_2_1_3"), Ok(attempt));
        assert_eq!(CaptureId::parse("pay_2_1_3_12"), Ok(capture));
    }

    #[test]
    fn the_longest_payment_id_is_not_cut() {
        let payment = PaymentId::parse(&"p".repeat(64)).expect("an id");
        let capture = CaptureId::new(AttemptId::new(payment, 1), 2);
        assert_eq!(capture.to_string().len(), 68);
        let stored = serde_json::to_string(&capture).expect("a text");
        assert_eq!(
            serde_json::from_str::<CaptureId>(&stored).ok(),
            Some(capture)
        );
    }

    #[test]
    fn other_spellings_are_refused() {
        for text in [
            "pay",
            "pay_",
            "pay_x",
            "pay_0",
            "pay_01",
            "pay_+1",
            "_1",
            "pay_99999999999",
        ] {
            assert!(AttemptId::parse(text).is_err(), "{text}");
        }
    }
}
