//! The secrets of answers. A model needs none of them, and whatever it reads may be stored with its conversation.

use multirail_kernel::disclosure::Disclosure;
use multirail_kernel::masking::HIDDEN;
use serde_json::Value;

/// The secrets that a model may see, like a key with `read_only`.
const NONE: Disclosure = Disclosure {
    payer_secrets: false,
    ephemeral_keys: false,
    webhook_secrets: false,
};

/// Members with a key that was just issued, which its caller may see otherwise.
const ISSUED: [&str; 3] = ["api_key", "password_token", "secret"];

/// Hides the secrets of an answer. The members stay.
pub(super) fn hide_secrets(answer: &mut Value) {
    NONE.redact(answer);
    hide_issued(answer);
}

fn hide_issued(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                match member {
                    Value::String(text) if ISSUED.contains(&name.as_str()) => {
                        HIDDEN.clone_into(text);
                    }
                    other => hide_issued(other),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(hide_issued),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_model_sees_no_secret() {
        let mut answer = json!({
            "payment_id": "pay_1", "client_secret": "pay_1_secret_aaaaaaaaaaaaaaaaaaaa",
            "description": "of pay_1_secret_aaaaaaaaaaaaaaaaaaaa", "email": "ada@shop.example",
            "webhook_secrets": [{ "secret": "whsec_b25l" }], "payment_response_hash_key": "a key",
            "issued": [{ "key_id": "snd_1", "api_key": "snd_1.secret" }],
        });
        hide_secrets(&mut answer);
        insta::assert_snapshot!(answer, @r#"{"payment_id":"pay_1","client_secret":"","description":"of pay_1_secret_***","email":"ada@shop.example","webhook_secrets":[],"payment_response_hash_key":"","issued":[{"key_id":"snd_1","api_key":"***"}]}"#);
    }
}
