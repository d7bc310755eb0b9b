//! Refuses requests with a card number in a text that would be stored, shown or forwarded unsealed.

use multirail_api::{ApiError, is_secret};
use multirail_kernel::card_number::{TextKind, holds_card_number};
use serde_json::Value;

/// Members with other numbers of the same length and check digit.
const NUMBERS: [&str; 3] = ["document_number", "network_transaction_id", "client_secret"];

/// Members with a person's name.
const NAMES: [&str; 8] = [
    "account_holder_name",
    "bank_account_holder_name",
    "billing_name",
    "first_name",
    "full_name",
    "last_name",
    "name",
    "nick_name",
];

/// Checks every text of a body, and the names of its members, because callers choose those of `metadata`.
///
/// # Errors
/// 422 `IR_06` that names the member, and never the number.
pub(crate) fn check(body: &Value) -> Result<(), ApiError> {
    visit(body, &mut Vec::new()).map_err(|path| {
        ApiError::invalid(format!(
            "`{path}` holds a card number. Card numbers belong in `card_number` alone."
        ))
    })
}

/// A step towards a value.
#[derive(Clone, Copy)]
enum Step<'a> {
    Member(&'a str),
    Place(usize),
}

fn visit<'a>(value: &'a Value, steps: &mut Vec<Step<'a>>) -> Result<(), String> {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                if holds_card_number(name, TextKind::Other) {
                    return Err(format!("{} (the name of a member)", written(steps)));
                }
                if is_secret(name) || NUMBERS.contains(&name.as_str()) {
                    continue;
                }
                steps.push(Step::Member(name));
                visit(value, steps)?;
                steps.pop();
            }
            Ok(())
        }
        Value::Array(items) => {
            for (place, value) in items.iter().enumerate() {
                steps.push(Step::Place(place));
                visit(value, steps)?;
                steps.pop();
            }
            Ok(())
        }
        Value::String(text) if holds_card_number(text, kind(steps)) => Err(written(steps)),
        Value::Number(number) if holds_card_number(&number.to_string(), TextKind::Other) => {
            Err(written(steps))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Ok(()),
    }
}

/// Returns the kind of a text, by the name of its member.
fn kind(steps: &[Step<'_>]) -> TextKind {
    let mut names = steps.iter().rev().filter_map(|step| match step {
        Step::Member(name) => Some(*name),
        Step::Place(_) => None,
    });
    match (names.next(), names.next()) {
        (Some("phone" | "phone_number"), _) | (Some("number"), Some("phone")) => TextKind::Phone,
        (Some(name), _) if NAMES.contains(&name) || name.ends_with("holder_name") => TextKind::Name,
        (_, _) => TextKind::Other,
    }
}

/// Returns the path of a value. Backticks in names are replaced, because the message has them around the path.
fn written(steps: &[Step<'_>]) -> String {
    let mut path = String::new();
    for step in steps {
        match step {
            Step::Member(name) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(&name.replace('`', "?"));
            }
            Step::Place(place) => path.push_str(&format!("[{place}]")),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const NUMBER: &str = "4111111111111111";

    fn refused(body: Value) -> Option<String> {
        check(&body).err().map(|error| error.message)
    }

    #[test]
    fn every_text_is_judged() {
        let bodies = [
            json!({ "description": NUMBER }),
            json!({ "metadata": { "note": ["a", format!("card {NUMBER}")] } }),
            json!({ "metadata": { NUMBER: "a" } }),
            json!({ "metadata": { "number": 4_111_111_111_111_111_u64 } }),
            json!({ "billing": { "address": { "first_name": "1234567890123452" } } }),
            json!({ "billing": { "phone": { "number": NUMBER } } }),
            json!({ "payment_method_data": { "card": { "card_holder_name": NUMBER } } }),
            json!({ "order_details": [{ "product_name": "4111 1111 1111 1111" }] }),
        ];
        let told: Vec<String> = bodies.into_iter().filter_map(refused).collect();
        insta::assert_snapshot!(told.join("\n"), @r"
        `description` holds a card number. Card numbers belong in `card_number` alone.
        `metadata.note[1]` holds a card number. Card numbers belong in `card_number` alone.
        `metadata (the name of a member)` holds a card number. Card numbers belong in `card_number` alone.
        `metadata.number` holds a card number. Card numbers belong in `card_number` alone.
        `billing.address.first_name` holds a card number. Card numbers belong in `card_number` alone.
        `billing.phone.number` holds a card number. Card numbers belong in `card_number` alone.
        `payment_method_data.card.card_holder_name` holds a card number. Card numbers belong in `card_number` alone.
        `order_details[0].product_name` holds a card number. Card numbers belong in `card_number` alone.
        ");
    }

    #[test]
    fn what_is_no_card_number_passes() {
        for body in [
            json!({ "card_number": NUMBER, "iban": NUMBER, "data": NUMBER }),
            json!({ "description": "order 1700000000004", "amount": 999_999_999_999_i64 }),
            json!({ "phone": "+4915112345678", "document_number": "36000000000008" }),
            json!({ "metadata": { "order": "5678901234565", "id": "pay_4111111111111111" } }),
        ] {
            assert_eq!(refused(body.clone()), None, "{body}");
        }
    }
}
