//! Removes the secrets from an answer that its caller may not use.
//!
//! Secrets are recognised by the member that holds them, and by their format in any other text, such as a description
//! or a quoted body. The contract requires these members, so they stay with an empty value.

use serde_json::{Value, json};

use crate::headers::is_ours;
use crate::masking::HIDDEN;

/// The text between an object's id and the random end of its client secret.
pub const SECRET_INFIX: &str = "_secret_";
/// The length of the random end, in letters and digits.
const SECRET_END: usize = 20;
/// The first letters of the token at the end of a payer's address.
pub const VISIT_PREFIX: &str = "visit_";
/// The length of such a token with its prefix.
pub const VISIT_LENGTH: usize = 38;
/// The first letters of each `sdk_authorization`: base64 of `profile_id`.
const SDK_AUTHORIZATION_PREFIX: &str = "cHJvZmlsZV9pZD";
/// The maximum depth of quoted bodies. Bodies quoted deeper are treated as plain text.
const DEEPEST_QUOTE: u8 = 2;

/// The secrets that a caller may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disclosure {
    /// The secrets that authorize a payment: client secrets, `sdk_authorization`, the addresses of pages for payers.
    pub payer_secrets: bool,
    /// The keys to a customer's saved methods.
    pub ephemeral_keys: bool,
    /// The keys that sign webhooks and return links, and the values of the headers that a profile adds to its webhooks.
    pub webhook_secrets: bool,
}

impl Disclosure {
    /// All secrets.
    pub const ALL: Self = Self {
        payer_secrets: true,
        ephemeral_keys: true,
        webhook_secrets: true,
    };

    /// Removes the secrets that the caller may not use from an answer.
    pub fn redact(self, answer: &mut Value) {
        if self != Self::ALL {
            self.redact_value(answer, 0);
        }
    }

    fn redact_value(self, value: &mut Value, depth: u8) {
        match value {
            Value::Object(members) => {
                for (name, member) in members.iter_mut() {
                    self.redact_member(name, member, depth);
                }
            }
            Value::Array(items) => {
                for item in items {
                    self.redact_value(item, depth);
                }
            }
            Value::String(text) => self.redact_text(text),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn redact_member(self, name: &str, member: &mut Value, depth: u8) {
        match (name, &mut *member) {
            (
                "client_secret"
                | "link"
                | "secure_link"
                | "redirect_to_url"
                | "image_data_url"
                | "qr_code_url"
                | "display_text"
                | "instructions_url"
                | "three_ds_authorize_url"
                | "three_ds_method_url"
                | "invoice_link",
                Value::String(text),
            ) => {
                if !self.payer_secrets {
                    text.clear();
                }
            }
            ("sdk_authorization", Value::String(_)) => {
                if !self.payer_secrets {
                    *member = Value::Null;
                }
            }
            ("ephemeral_key", Value::Object(_)) => {
                if !self.ephemeral_keys {
                    *member = Value::Null;
                }
            }
            ("payment_response_hash_key", Value::String(text)) => {
                if !self.webhook_secrets {
                    text.clear();
                }
            }
            ("webhook_secrets", Value::Array(_)) => {
                if !self.webhook_secrets {
                    *member = json!([]);
                }
            }
            ("headers", Value::Array(headers)) => self.redact_headers(headers),
            ("body", Value::String(text)) => self.redact_body(text, depth),
            // Metadata has the merchant's own names, so only the format of a secret counts there.
            (notes, said) if notes.ends_with("metadata") => self.redact_texts(said),
            (_, other) => self.redact_value(other, depth),
        }
    }

    /// Redacts pairs of name and value.
    fn redact_headers(self, headers: &mut [Value]) {
        for header in headers {
            match header.as_array_mut().map(Vec::as_mut_slice) {
                Some([Value::String(name), Value::String(value)]) => {
                    if !(self.webhook_secrets || is_ours(name)) {
                        HIDDEN.clone_into(value);
                    }
                    self.redact_text(value);
                }
                Some(_) | None => self.redact_texts(header),
            }
        }
    }

    /// Redacts a quoted body: like an answer if it is JSON, and as text otherwise.
    fn redact_body(self, text: &mut String, depth: u8) {
        match serde_json::from_str::<Value>(text) {
            Ok(mut quoted @ (Value::Object(_) | Value::Array(_))) if depth < DEEPEST_QUOTE => {
                let before = quoted.clone();
                self.redact_value(&mut quoted, depth + 1);
                if quoted != before {
                    *text = quoted.to_string();
                }
            }
            Ok(_) | Err(_) => self.redact_text(text),
        }
    }

    fn redact_texts(self, value: &mut Value) {
        match value {
            Value::Object(members) => {
                for member in members.values_mut() {
                    self.redact_texts(member);
                }
            }
            Value::Array(items) => {
                for item in items {
                    self.redact_texts(item);
                }
            }
            Value::String(text) => self.redact_text(text),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn redact_text(self, text: &mut String) {
        if !self.payer_secrets
            && let Some(without) = without_payer_secrets(text)
        {
            *text = without;
        }
    }
}

/// Returns the text without payers' secrets, or `None` if it has none.
fn without_payer_secrets(text: &str) -> Option<String> {
    let is_base64 = |c: char| c.is_ascii_alphanumeric() || "+/=".contains(c);
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(is_word) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let is_sdk = from.starts_with(SDK_AUTHORIZATION_PREFIX);
        let end = if is_sdk {
            from.find(|c| !is_base64(c))
        } else {
            from.find(|c| !is_word(c))
        };
        let (word, after) = from.split_at(end.unwrap_or(from.len()));
        match (is_sdk, secret_end(word)) {
            (true, _) => out.push_str(HIDDEN),
            (false, Some(secret)) => {
                out.push_str(&word[..secret]);
                out.push_str(HIDDEN);
            }
            (false, None) => out.push_str(word),
        }
        rest = after;
    }
    out.push_str(rest);
    (out != text).then_some(out)
}

/// Returns the start of a word's secret end: the random end of a client secret, or the token of a payer's address.
fn secret_end(word: &str) -> Option<usize> {
    let is_random = |end: &str| end.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if let Some(position) = word.rfind(SECRET_INFIX) {
        let end = position + SECRET_INFIX.len();
        let random = &word[end..];
        return (random.len() == SECRET_END && is_random(random)).then_some(end);
    }
    let position = word.rfind(VISIT_PREFIX)?;
    let end = position + VISIT_PREFIX.len();
    let is_token = word.len() - position == VISIT_LENGTH && is_random(&word[end..]);
    is_token.then_some(end)
}

#[cfg(test)]
mod tests;
