//! Bodies as they may stand in a log: which members there are, and the values of those that a connector names. Everything
//! else is somebody's secret until somebody looked at it.

use std::fmt::Write;

use serde_json::Value;

/// Stands for a value that isn't shown.
const HIDDEN: &str = "***";
/// A row of so many digits may be the number of a card, whatever member it stands in.
const DIGITS_OF_A_CARD: usize = 12;
/// The most bytes that are written of one body.
const LONGEST: usize = 4_096;

/// A JSON body; `shown` names the members whose values are written.
pub fn json(body: &[u8], shown: &[&str]) -> String {
    match serde_json::from_slice::<Value>(body) {
        Ok(value) => bounded(masked("", value, shown).to_string()),
        Err(_) if body.is_empty() => String::new(),
        Err(_) => format!("{} bytes that are no JSON", body.len()),
    }
}

/// A form; `shown` names the innermost part of keys, such as `type` for `payment_method_data[type]`.
pub fn form(body: &str, shown: &[&str]) -> String {
    let mut text = String::new();
    for (key, value) in url::form_urlencoded::parse(body.as_bytes()) {
        let name = key.trim_end_matches(']');
        let name = name.rsplit('[').next().unwrap_or(name);
        let value = if may_be_shown(name, &value, shown) {
            &value
        } else {
            HIDDEN
        };
        let separator = if text.is_empty() { "" } else { "&" };
        let _ = write!(text, "{separator}{key}={value}");
    }
    bounded(text)
}

fn masked(name: &str, value: Value, shown: &[&str]) -> Value {
    match value {
        Value::Object(members) => members
            .into_iter()
            .map(|(name, value)| {
                let value = masked(&name, value, shown);
                (name, value)
            })
            .collect(),
        Value::Array(items) => items
            .into_iter()
            .map(|item| masked(name, item, shown))
            .collect(),
        Value::String(text) if may_be_shown(name, &text, shown) => Value::String(text),
        Value::Number(number) if may_be_shown(name, &number.to_string(), shown) => {
            Value::Number(number)
        }
        Value::Null | Value::Bool(_) => value,
        Value::String(_) | Value::Number(_) => HIDDEN.into(),
    }
}

fn may_be_shown(name: &str, value: &str, shown: &[&str]) -> bool {
    shown.contains(&name) && !may_hold_a_card(value)
}

/// Digits in a row, with blanks or hyphens between them or not.
fn may_hold_a_card(value: &str) -> bool {
    let mut digits = 0;
    for byte in value.bytes() {
        match byte {
            b'0'..=b'9' => digits += 1,
            b' ' | b'-' => {}
            _ => digits = 0,
        }
        if digits >= DIGITS_OF_A_CARD {
            return true;
        }
    }
    false
}

fn bounded(mut text: String) -> String {
    if text.len() > LONGEST {
        text.truncate(text.floor_char_boundary(LONGEST));
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHOWN: &[&str] = &["amount", "type", "description", "status"];

    #[test]
    fn of_json_the_members_are_shown_and_the_values_that_are_listed() {
        let body = br#"{"amount":6540,"card":{"type":"visa","number":"4111111111111111","cvc":737},
            "description":"my card is 4111 1111-1111 1111","live":true,"tags":["a"],"name":null}"#;
        insta::assert_snapshot!(
            json(body, SHOWN),
            @r#"{"amount":6540,"card":{"type":"visa","number":"***","cvc":"***"},"description":"***","live":true,"tags":["***"],"name":null}"#
        );
        assert_eq!(json(b"", SHOWN), "");
        assert_eq!(
            json(b"<html>4111111111111111", SHOWN),
            "22 bytes that are no JSON"
        );
    }

    #[test]
    fn of_a_form_too() {
        let body = "amount=6540&payment_method_data%5Btype%5D=card&payment_method_data%5Bcard%5D%5Bnumber%5D=4111111111111111\
            &type=4111111111111111&items[0]=a";
        insta::assert_snapshot!(
            form(body, SHOWN),
            @"amount=6540&payment_method_data[type]=card&payment_method_data[card][number]=***&type=***&items[0]=***"
        );
    }

    #[test]
    fn a_long_body_is_cut() {
        let body = format!(r#"{{"status":"{}"}}"#, "é".repeat(LONGEST));
        let shown = json(body.as_bytes(), SHOWN);
        assert!(shown.len() <= LONGEST + "…".len() && shown.ends_with('…'));
    }
}
