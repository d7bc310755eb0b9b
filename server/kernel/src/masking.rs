//! What processors say, as it may stand in a log and before operators: which members there are, and the values of those that
//! the connector names. Everything else is somebody's secret until somebody looked at it.

use serde_json::Value;

/// Stands for a value that isn't shown.
pub const HIDDEN: &str = "***";
/// A row of so many digits may be the number of a card, whatever member it stands in.
const DIGITS_OF_A_CARD: usize = 12;

/// The same with no values of texts and numbers but those of the members that `shown` names.
pub fn masked(value: Value, shown: &[&str]) -> Value {
    of_member("", value, shown)
}

fn of_member(name: &str, value: Value, shown: &[&str]) -> Value {
    match value {
        Value::Object(members) => members
            .into_iter()
            .map(|(name, value)| {
                let value = of_member(&name, value, shown);
                (name, value)
            })
            .collect(),
        Value::Array(items) => items
            .into_iter()
            .map(|item| of_member(name, item, shown))
            .collect(),
        Value::String(text) if may_be_shown(name, &text, shown) => Value::String(text),
        Value::Number(number) if may_be_shown(name, &number.to_string(), shown) => {
            Value::Number(number)
        }
        Value::Null | Value::Bool(_) => value,
        Value::String(_) | Value::Number(_) => HIDDEN.into(),
    }
}

/// Whether `shown` names the member, and its value can't be the number of a card.
pub fn may_be_shown(name: &str, value: &str, shown: &[&str]) -> bool {
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
