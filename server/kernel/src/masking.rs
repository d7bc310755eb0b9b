//! Masks processors' texts for logs and operators: the names of members stay, and the values of those that the
//! connector lists. Every other value counts as secret.

use serde_json::Value;

/// The replacement for a hidden value.
pub const HIDDEN: &str = "***";
/// The number of consecutive digits that may be a card number, in any member.
const DIGITS_OF_A_CARD: usize = 12;

/// Replaces all texts and numbers except the values of the members that `shown` lists.
pub fn masked(value: Value, shown: &[&str]) -> Value {
    masked_by(value, |name, _| shown.contains(&name))
}

/// Replaces all texts and numbers except those that `shows` allows by the name of their member and their text. A value
/// that may be a card number is replaced all the same.
pub fn masked_by(value: Value, shows: impl Fn(&str, &str) -> bool) -> Value {
    of_member("", value, &shows)
}

fn of_member(name: &str, value: Value, shows: &impl Fn(&str, &str) -> bool) -> Value {
    let is_shown = |text: &str| !may_hold_a_card(text) && shows(name, text);
    match value {
        Value::Object(members) => members
            .into_iter()
            .map(|(name, value)| {
                let value = of_member(&name, value, shows);
                (name, value)
            })
            .collect(),
        Value::Array(items) => items
            .into_iter()
            .map(|item| of_member(name, item, shows))
            .collect(),
        Value::String(text) if is_shown(&text) => Value::String(text),
        Value::Number(number) if is_shown(&number.to_string()) => Value::Number(number),
        Value::Null | Value::Bool(_) => value,
        Value::String(_) | Value::Number(_) => HIDDEN.into(),
    }
}

/// Checks whether `shown` lists the member and its value can't be a card number.
pub fn may_be_shown(name: &str, value: &str, shown: &[&str]) -> bool {
    shown.contains(&name) && !may_hold_a_card(value)
}

/// Checks for consecutive digits, with or without blanks or hyphens between them.
pub fn may_hold_a_card(value: &str) -> bool {
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_members_are_shown_and_the_values_that_are_listed() {
        let said = json!({
            "amount": 6540, "card": { "type": "visa", "number": "4111111111111111", "cvc": 737 },
            "description": "my card is 4111 1111-1111 1111", "live": true, "tags": ["a"], "name": null,
        });
        let shown = ["amount", "type", "description", "status"];
        insta::assert_snapshot!(
            masked(said, &shown),
            @r#"{"amount":6540,"card":{"type":"visa","number":"***","cvc":"***"},"description":"***","live":true,"tags":["***"],"name":null}"#
        );
    }
}
