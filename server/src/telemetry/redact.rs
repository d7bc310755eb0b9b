//! Removes secrets from log lines: client secrets, keys, tokens in payers' addresses, card numbers.
//!
//! Our own code doesn't log such values. This guards lines of libraries and texts from outside.

use std::borrow::Cow;

use multirail_kernel::disclosure::{SECRET_INFIX, VISIT_LENGTH, VISIT_PREFIX};

const MASK: &str = "***";
/// The beginnings of secret API keys; the part that merchants are shown may stay.
const KEY_PREFIXES: [&str; 4] = ["dev_", "snd_", "prd_", "admin_"];
const SHOWN_OF_A_KEY: usize = 12;
/// Shorter words with a key's prefix are ids.
const SHORTEST_KEY: usize = 40;

/// Returns the text without its client secrets, API keys and card numbers.
pub fn text(text: &str) -> Cow<'_, str> {
    let mut masked: Option<String> = None;
    let mut copied = 0;
    for (start, word) in words(text) {
        let Some(replacement) = mask(word) else {
            continue;
        };
        let out = masked.get_or_insert_with(String::new);
        out.push_str(&text[copied..start]);
        out.push_str(&replacement);
        copied = start + word.len();
    }
    match masked {
        Some(mut out) => {
            out.push_str(&text[copied..]);
            Cow::Owned(out)
        }
        None => Cow::Borrowed(text),
    }
}

/// Returns runs of letters, digits, `_` and `-`, each with its position.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_border = |c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-');
    text.split(is_border)
        .filter(|word| !word.is_empty())
        .map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

fn mask(word: &str) -> Option<String> {
    if let Some(position) = word.rfind(SECRET_INFIX) {
        let kept = &word[..position + SECRET_INFIX.len()];
        return Some(format!("{kept}{MASK}"));
    }
    let is_key = KEY_PREFIXES.iter().any(|prefix| word.starts_with(prefix));
    if is_key && word.len() >= SHORTEST_KEY {
        return Some(format!("{}{MASK}", &word[..SHOWN_OF_A_KEY]));
    }
    if word.len() == VISIT_LENGTH && word.starts_with(VISIT_PREFIX) {
        return Some(format!("{VISIT_PREFIX}{MASK}"));
    }
    if is_card_number(word) {
        return Some(format!("{MASK}{}", &word[word.len() - 4..]));
    }
    None
}

/// Returns whether the word has 12 to 19 digits, of which the check digit is right.
fn is_card_number(word: &str) -> bool {
    if !(12..=19).contains(&word.len()) || !word.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let sum: u32 = word
        .bytes()
        .rev()
        .enumerate()
        .map(|(index, byte)| {
            let digit = u32::from(byte - b'0');
            match (index % 2, digit * 2) {
                (0, _) => digit,
                (_, doubled) if doubled > 9 => doubled - 9,
                (_, doubled) => doubled,
            }
        })
        .sum();
    sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_of_a_payers_address_does_not_stay() {
        let token = format!("visit_{}", "aB3".repeat(11));
        assert_eq!(
            text(&format!(
                "/payments/redirect/pay_1/shop/pay_1_1/{}",
                &token[..38]
            )),
            "/payments/redirect/pay_1/shop/pay_1_1/visit_***"
        );
    }

    #[test]
    fn texts_lose_secrets_keys_and_card_numbers_only() {
        let key = format!("dev_{}", "a1B2".repeat(16));
        let cases = [
            ("nothing to hide", "nothing to hide"),
            ("for pay_9_secret_XyZ: gone", "for pay_9_secret_***: gone"),
            (&format!("key {key}!"), "key dev_a1B2a1B2***!"),
            ("dev_AbCdEfGhIjKlMnOpQrSt", "dev_AbCdEfGhIjKlMnOpQrSt"),
            ("card=4111111111111111", "card=***1111"),
            ("{\"n\":\"4242424242424242\"}", "{\"n\":\"***4242\"}"),
            ("at 1767268800000001 µs", "at 1767268800000001 µs"),
            (
                "pay_a_secret_1, pay_b_secret_2 – é",
                "pay_a_secret_***, pay_b_secret_*** – é",
            ),
        ];
        for (given, expected) in cases {
            assert_eq!(text(given), expected);
        }
    }
}
