//! Idempotency keys: the caller's name for one request, so that a repeated request takes effect only once.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::refusal::Refusal;

/// The header that carries the key.
pub const HEADER: &str = "Idempotency-Key";
/// The maximum length of a key, in characters.
pub const LONGEST_KEY: usize = 255;

/// A keyed hash of each member of a request. It shows whether two requests are the same and in which member they
/// differ, without revealing their values.
///
/// Names are joined with dots. Dots, brackets, slashes and backslashes within names are escaped, so that no two members
/// have the same path. A slash separates ids in the request's path from the body's members.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint(BTreeMap<String, String>);

impl Fingerprint {
    /// Makes the fingerprint of a body sent to `target`, the ids in the path. `hash` is keyed.
    ///
    /// Card codes and cryptograms are left out, because nothing stored may be derived from them. Metadata is stored
    /// unchanged, so its names have no special meaning. A null counts as an absent member.
    pub fn new(target: &[(&str, &str)], body: &Value, hash: impl Fn(&str, &str) -> String) -> Self {
        let mut members = BTreeMap::new();
        for (name, value) in target {
            members.insert(format!("/{name}"), hash(name, value));
        }
        if let Value::Object(object) = body {
            for (name, value) in object {
                let takes_codes = !name.ends_with("metadata");
                if !(takes_codes && is_code(name)) {
                    collect(escaped(name), value, takes_codes, &hash, &mut members);
                }
            }
        } else {
            collect(String::new(), body, true, &hash, &mut members);
        }
        Fingerprint(members)
    }

    /// Returns the first member, by name, in which the two differ.
    pub fn difference<'a>(&'a self, other: &'a Fingerprint) -> Option<&'a str> {
        let names = self.0.keys().chain(other.0.keys());
        names
            .filter(|name| self.0.get(*name) != other.0.get(*name))
            .map(|name| name.strip_prefix('/').unwrap_or(name))
            .min()
    }
}

/// Hashes a value and its members. With `skips_codes`, members with the name of a card code are left out.
fn collect(
    path: String,
    value: &Value,
    skips_codes: bool,
    hash: &impl Fn(&str, &str) -> String,
    members: &mut BTreeMap<String, String>,
) {
    // The texts of scalars contain no brackets or braces, so a list and an object can't be mistaken for one.
    match value {
        Value::Null => {}
        Value::Object(object) => {
            let before = members.len();
            for (name, value) in object {
                if !(skips_codes && is_code(name)) {
                    let path = format!("{path}.{}", escaped(name));
                    collect(path, value, skips_codes, hash, members);
                }
            }
            if members.len() == before {
                let hashed = hash(&path, "{}");
                members.insert(path, hashed);
            }
        }
        Value::Array(items) => {
            members.insert(path.clone(), hash(&path, &format!("[{}]", items.len())));
            for (i, item) in items.iter().enumerate() {
                collect(format!("{path}[{i}]"), item, skips_codes, hash, members);
            }
        }
        Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            let hashed = hash(&path, &value.to_string());
            members.insert(path, hashed);
        }
    }
}

fn is_code(name: &str) -> bool {
    [
        "card_cvc",
        "cvc",
        "cvv2",
        "cryptogram",
        "token_cryptogram",
        "online_payment_cryptogram",
    ]
    .contains(&name)
}

/// Escapes a member's name as a part of a path.
fn escaped(name: &str) -> String {
    let mut escaped = String::with_capacity(name.len());
    for c in name.chars() {
        if matches!(c, '.' | '[' | ']' | '/' | '\\') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// Checks a received key.
///
/// # Errors
/// A key that is empty, too long, or has unprintable characters.
pub fn check_key(key: &str) -> Result<(), Refusal> {
    let fits =
        (1..=LONGEST_KEY).contains(&key.chars().count()) && key.chars().all(|c| !c.is_control());
    if fits {
        return Ok(());
    }
    Err(Refusal::invalid_format(
        HEADER,
        "1 to 255 characters that print",
    ))
}

/// The caller that chose an idempotency key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyOwner<'a> {
    /// The merchant's servers, with any of the merchant's keys, and the merchant's users.
    Merchant,
    /// A platform that acts for the merchant.
    Platform(&'a str),
    /// The client of a payment's payer.
    Payer(&'a str),
    /// The client of a subscriber.
    Subscriber(&'a str),
    /// The app of a customer.
    Customer(&'a str),
}

/// Returns the stored form of a key, which is separate for each kind of owner. So no caller gets the answer to another
/// caller's request, or finds a key taken by another. No caller's key contains the separator.
pub fn scoped_key(owner: KeyOwner<'_>, key: &str) -> String {
    match owner {
        KeyOwner::Merchant => key.to_owned(),
        // A platform's id is never empty, and the other prefixes begin with the separator.
        KeyOwner::Platform(platform) => format!("{platform}\u{1f}{key}"),
        KeyOwner::Payer(payment_id) => format!("\u{1f}payment {payment_id}\u{1f}{key}"),
        KeyOwner::Subscriber(subscription_id) => {
            format!("\u{1f}subscription {subscription_id}\u{1f}{key}")
        }
        KeyOwner::Customer(customer_id) => format!("\u{1f}customer {customer_id}\u{1f}{key}"),
    }
}

/// Returns the payment, subscription or customer with whose secret a stored key was sent. Returns `None` for a key of a
/// merchant or platform.
pub fn secret_of_key(scoped: &str) -> Option<&str> {
    let (owner, _) = scoped.strip_prefix('\u{1f}')?.split_once('\u{1f}')?;
    Some(owner)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fingerprint(payment_id: &str, body: Value) -> Fingerprint {
        Fingerprint::new(&[("payment_id", payment_id)], &body, |name, value| {
            format!("{name}={value}")
        })
    }

    #[test]
    fn the_order_of_members_and_nulls_make_no_difference() {
        let one = fingerprint(
            "pay_1",
            json!({"amount": 1, "currency": "USD", "email": null}),
        );
        let other = fingerprint("pay_1", json!({"currency": "USD", "amount": 1}));
        assert_eq!(one.difference(&other), None);
        assert_eq!(one, other);
    }

    #[test]
    fn the_member_that_differs_is_named_with_its_path() {
        let number = |digits: &str| json!({"payment_method_data": {"card": {"card_number": digits, "card_cvc": "123"}}});
        let one = fingerprint("pay_1", number("4111111111111111"));
        let other = fingerprint("pay_1", number("4242424242424242"));
        assert_eq!(
            one.difference(&other),
            Some("payment_method_data.card.card_number")
        );
    }

    #[test]
    fn absent_members_list_lengths_and_targets_count() {
        let list = fingerprint("pay_1", json!({"order_details": [{"a": 1}, {"a": 2}]}));
        let shorter = fingerprint("pay_1", json!({"order_details": [{"a": 1}]}));
        assert_eq!(list.difference(&shorter), Some("order_details"));
        let none = fingerprint("pay_1", json!({}));
        assert_eq!(none.difference(&shorter), Some("order_details"));
        assert_eq!(
            none.difference(&fingerprint("pay_2", json!({}))),
            Some("payment_id")
        );
    }

    #[test]
    fn card_codes_leave_no_trace() {
        let code = |digits: &str| fingerprint("pay_1", json!({"card": {"card_cvc": digits}}));
        assert_eq!(code("123"), code("999"));
        let bare = |digits: &str| fingerprint("pay_1", json!({"card_cvc": digits}));
        assert_eq!(bare("123"), bare("999"));
    }

    #[test]
    fn in_metadata_a_code_is_only_a_name() {
        for member in ["metadata", "feature_metadata"] {
            let said = |word: &str| fingerprint("pay_1", json!({ member: { "cvc": word } }));
            let path = format!("{member}.cvc");
            assert_eq!(said("old").difference(&said("new")), Some(path.as_str()));
        }
    }

    #[test]
    fn similar_members_are_distinguished() {
        let bodies = [
            json!({}),
            json!({"metadata": {}}),
            json!({"metadata": {"a.b": 1}}),
            json!({"metadata": {"a": {"b": 1}}}),
            json!({"metadata": {"a\\.b": 1}}),
            json!({"metadata": {"a": {}}}),
            json!({"metadata": {"a": []}}),
            json!({"metadata": {"a": 0}}),
            json!({"metadata": {"a": "{}"}}),
            json!({"metadata": {"a": [1]}}),
            json!({"metadata": {"a": [null]}}),
            json!({"metadata": {"a": 1, "a[0]": 1}}),
            json!({"metadata.a": 1}),
            json!({"payment_id": "pay_1"}),
            json!({"/payment_id": "pay_1"}),
        ];
        for (i, one) in bodies.iter().enumerate() {
            for other in &bodies[i + 1..] {
                let (a, b) = (
                    fingerprint("pay_1", one.clone()),
                    fingerprint("pay_1", other.clone()),
                );
                assert!(a.difference(&b).is_some(), "{one} {other}");
            }
        }
        // The id in the path counts besides a body member with its name.
        let named = json!({"payment_id": "pay_1"});
        let (one, other) = (
            fingerprint("pay_1", named.clone()),
            fingerprint("pay_2", named),
        );
        assert_eq!(one.difference(&other), Some("payment_id"));
    }

    #[test]
    fn nobodys_keys_are_anothers() {
        let owners = [
            (KeyOwner::Merchant, "k"),
            (KeyOwner::Platform("hall"), "k"),
            (KeyOwner::Platform("hal"), "lk"),
            (KeyOwner::Payer("hall"), "k"),
            (KeyOwner::Payer("hal"), "lk"),
            (KeyOwner::Subscriber("hall"), "k"),
            (KeyOwner::Customer("hall"), "k"),
        ];
        let stored = owners.map(|(owner, key)| scoped_key(owner, key));
        let different: std::collections::BTreeSet<&String> = stored.iter().collect();
        assert_eq!(different.len(), stored.len(), "{stored:?}");
        assert_eq!(stored[0], "k");
        for one in &stored[1..] {
            assert!(check_key(one).is_err(), "nobody can send {one:?}");
        }
    }

    #[test]
    fn keys_have_1_to_255_characters_that_print() {
        assert!(check_key("a").is_ok());
        assert!(check_key(&"k".repeat(255)).is_ok());
        for wrong in ["", &"k".repeat(256), "a\nb"] {
            assert!(check_key(wrong).is_err());
        }
    }
}
