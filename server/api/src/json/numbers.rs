//! Checks whether numbers survive storage unchanged.
//!
//! A number with a fraction, an exponent or too many digits becomes a binary double. It is accepted if its output is
//! the same decimal number (`1e2` becomes `100.0`), even after it was stored and read again.

use serde_json::Value;

use crate::violation::Step;

/// Compares every double of a value with its original text.
///
/// # Errors
/// The path of the first one that would change.
pub(super) fn check(value: &Value, bytes: &[u8]) -> Result<(), Vec<Step>> {
    let mut steps = Vec::new();
    match walk(value, &mut tokens(bytes), &mut steps) {
        true => Ok(()),
        false => {
            steps.reverse();
            Err(steps)
        }
    }
}

/// Members have the order in which they were sent, so numbers and their texts have the same order.
fn walk<'b>(
    value: &Value,
    tokens: &mut impl Iterator<Item = &'b str>,
    steps: &mut Vec<Step>,
) -> bool {
    let at = |steps: &mut Vec<Step>, step: Step| {
        steps.push(step);
        false
    };
    match value {
        Value::Number(number) => match tokens.next() {
            Some(token) if number.is_f64() => {
                let written = number.to_string();
                let stored: Option<f64> = serde_json::from_str(&written).ok();
                stored == number.as_f64() && Decimal::parse(token) == Decimal::parse(&written)
            }
            Some(_) => true,
            None => false,
        },
        Value::Array(items) => items
            .iter()
            .enumerate()
            .all(|(index, item)| walk(item, tokens, steps) || at(steps, Step::Item(index))),
        Value::Object(members) => members.iter().all(|(name, member)| {
            walk(member, tokens, steps) || at(steps, Step::Member(name.clone()))
        }),
        Value::Null | Value::Bool(_) | Value::String(_) => true,
    }
}

/// Returns the texts of all numbers in valid JSON.
fn tokens(bytes: &[u8]) -> impl Iterator<Item = &str> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'"' => at = end_of_text(bytes, at + 1),
                b'-' | b'0'..=b'9' => {
                    let rest = &bytes[at..];
                    let is_part =
                        |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
                    let length = rest.iter().take_while(|byte| is_part(byte)).count();
                    at += length;
                    return std::str::from_utf8(&rest[..length]).ok();
                }
                _ => at += 1,
            }
        }
        None
    })
}

/// Returns the position behind the closing quote of a text whose first character is at `at`.
fn end_of_text(bytes: &[u8], mut at: usize) -> usize {
    loop {
        match bytes.get(at) {
            Some(b'\\') => at += 2,
            Some(b'"') | None => return at + 1,
            Some(_) => at += 1,
        }
    }
}

/// A decimal number in its only form: without zeros at either end of its digits, `0.digits` times ten to the exponent.
#[derive(Debug, PartialEq, Eq)]
struct Decimal {
    is_negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    /// Returns `None` where the exponent is out of range.
    fn parse(token: &str) -> Option<Self> {
        let (is_negative, token) = match token.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, token),
        };
        let (mantissa, exponent) = token.split_once(['e', 'E']).unwrap_or((token, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        let significant = all.trim_start_matches('0');
        let leading = all.len() - significant.len();
        let digits = significant.trim_end_matches('0');
        if digits.is_empty() {
            return Some(Self {
                is_negative: false,
                digits: String::new(),
                exponent: 0,
            });
        }
        let exponent: i64 = exponent.parse().ok()?;
        let point = i64::try_from(whole.len()).ok()? - i64::try_from(leading).ok()?;
        Some(Self {
            is_negative,
            digits: digits.to_owned(),
            exponent: exponent.checked_add(point)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Decimal, check};
    use crate::violation::full_path;

    /// Returns the answer after the value was stored and read once.
    fn back(text: &str) -> Option<String> {
        let value = crate::json::read(text.as_bytes()).ok()?;
        let stored: serde_json::Value = serde_json::from_str(&value.to_string()).expect("JSON");
        Some(stored.to_string())
    }

    #[test]
    fn one_number_has_one_form() {
        for (one, other) in [
            ("1", "1.0"),
            ("100", "1e2"),
            ("-0", "0.000"),
            ("0e999999999999999999999", "0"),
            ("0.00120", "12e-4"),
            ("120", "0.12E+3"),
        ] {
            assert_eq!(Decimal::parse(one), Decimal::parse(other), "{one} {other}");
        }
        assert_ne!(Decimal::parse("1"), Decimal::parse("-1"));
        assert_ne!(Decimal::parse("1"), Decimal::parse("10"));
    }

    #[test]
    fn what_is_taken_and_what_is_refused() {
        for (sent, answered) in [
            ("0", Some("0")),
            ("-0", Some("-0.0")),
            ("1.0", Some("1.0")),
            ("1e2", Some("100.0")),
            ("1.50", Some("1.5")),
            ("0.1", Some("0.1")),
            ("1e22", Some("1e+22")),
            ("18446744073709551615", Some("18446744073709551615")),
            ("-9223372036854775808", Some("-9223372036854775808")),
            ("18446744073709551616", None),
            ("12345678901234567890123", None),
            ("0.1000000000000000055511151231257827", None),
            ("1e400", None),
            ("-1e400", None),
            ("1e-400", None),
            ("0.10000000000000001", None),
        ] {
            assert_eq!(back(sent).as_deref(), answered, "{sent}");
        }
    }

    #[test]
    fn the_error_names_the_place() {
        let text = br#"{"a":"1.5 \" 2e400 \\","b":[1,{"c":2.5}],"d":0.10000000000000001}"#;
        let value = serde_json::from_slice(text).expect("JSON");
        let steps = check(&value, text).expect_err("not kept");
        assert_eq!(full_path(&steps), "d");
        let text = br#"{"b":[1,{"c":12345678901234567890123}]}"#;
        let value = serde_json::from_slice(text).expect("JSON");
        let steps = check(&value, text).expect_err("not kept");
        assert_eq!(full_path(&steps), "b[1].c");
    }

    proptest! {
        /// Every number returns as the same number, or is refused.
        #[test]
        fn numbers_come_back_or_are_refused(sent in "-?(0|[1-9][0-9]{0,24})(\\.[0-9]{1,24})?([eE][+-]?[0-9]{1,3})?") {
            if let Some(answered) = back(&sent) {
                prop_assert_eq!(Decimal::parse(&sent), Decimal::parse(&answered), "{} {}", sent, answered);
            }
        }

        /// Integers of up to 64 bits and prices with two decimals are always accepted.
        #[test]
        fn usual_numbers_are_taken(whole in any::<i64>(), price in 0_u32..100_000_000) {
            prop_assert_eq!(back(&whole.to_string()), Some(whole.to_string()));
            let price = format!("{}.{:02}", price / 100, price % 100);
            prop_assert!(back(&price).is_some(), "{}", price);
        }
    }
}
