//! Bodies for the log: limited in size, and masked by [`multirail_kernel::masking`].

use std::fmt::Write;

use multirail_kernel::masking::{HIDDEN, masked, may_be_shown};
use serde_json::Value;

/// The maximum size of a body in the log, in bytes.
const LONGEST: usize = 4_096;

/// Masks a JSON body; `shown` names the members whose values are written.
pub fn json(body: &[u8], shown: &[&str]) -> String {
    match serde_json::from_slice::<Value>(body) {
        Ok(value) => bounded(masked(value, shown).to_string()),
        Err(_) if body.is_empty() => String::new(),
        Err(_) => format!("{} bytes that are no JSON", body.len()),
    }
}

/// The code of a form is one that the payer entered, not the processor's reason.
const ENTERED: &str = "code";

/// Masks a form; `shown` names the innermost part of keys, such as `type` for
/// `payment_method_data[type]`.
pub fn form(body: &str, shown: &[&str]) -> String {
    let mut text = String::new();
    for (key, value) in url::form_urlencoded::parse(body.as_bytes()) {
        let name = key.trim_end_matches(']');
        let name = name.rsplit('[').next().unwrap_or(name);
        let value = if name != ENTERED && may_be_shown(name, &value, shown) {
            &value
        } else {
            HIDDEN
        };
        let separator = if text.is_empty() { "" } else { "&" };
        let _ = write!(text, "{separator}{key}={value}");
    }
    bounded(text)
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
    fn of_json_the_values_are_shown_that_are_listed() {
        let body = br#"{"amount":6540,"card":{"number":"4111111111111111"}}"#;
        assert_eq!(
            json(body, SHOWN),
            r#"{"amount":6540,"card":{"number":"***"}}"#
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
    fn a_code_is_shown_in_an_answer_only() {
        assert_eq!(
            json(br#"{"code":"card_declined"}"#, &["code"]),
            r#"{"code":"card_declined"}"#
        );
        let entered = form("blik%5Bcode%5D=123456", &["code"]);
        assert_eq!(entered, "blik[code]=***");
    }

    #[test]
    fn a_long_body_is_cut() {
        let body = format!(r#"{{"status":"{}"}}"#, "é".repeat(LONGEST));
        let shown = json(body.as_bytes(), SHOWN);
        assert!(shown.len() <= LONGEST + "…".len() && shown.ends_with('…'));
    }
}
