//! Redaction of event bodies ([`Envelope`](crate::webhooks::webhook::Envelope)) of payments and mandates. A body is split into
//! a redacted text and the payer's personal data. The personal data is sealed under a key that is deleted with the payer.
//!
//! The server sends bodies byte for byte as they were made. So it doesn't serialize them again: it cuts personal data out of
//! the text and puts it back.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

use multirail_kernel::redacted::REDACTED;
use multirail_kernel::secret::SecretText;

/// A body split into its redacted text and its personal data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartedBody {
    /// The body without personal data.
    pub redacted: SecretText,
    /// The texts that were cut out.
    pub told: SecretText,
}

/// Splits a body; `None` if it has no personal data.
///
/// # Errors
/// A body that isn't JSON.
pub fn parted(body: &SecretText) -> serde_json::Result<Option<PartedBody>> {
    let text = body.expose();
    let mut cuts = Vec::new();
    cut(text, serde_json::from_str(text)?, &BODY, &mut cuts)?;
    if cuts.is_empty() {
        return Ok(None);
    }
    let longer: usize = cuts.iter().map(|cut| cut.left.len()).sum();
    let mut redacted = String::with_capacity(text.len() + longer);
    let mut places: Vec<Place> = Vec::with_capacity(cuts.len());
    let mut done = 0;
    for Cut { was, left } in &cuts {
        redacted += &text[done..was.start];
        places.push((redacted.len(), left.len(), was.len()));
        redacted += left;
        done = was.end;
    }
    redacted += &text[done..];
    let told = SecretText::composed(|to| {
        serde_json::to_writer(&mut *to, &places)?;
        cuts.iter()
            .try_for_each(|cut| to.write_all(text[cut.was.clone()].as_bytes()))
    });
    Ok(Some(PartedBody {
        redacted: SecretText::new(redacted),
        told: told.map_err(serde_json::Error::io)?,
    }))
}

/// Restores the body from the parts of [`parted`]; `None` if they don't belong together.
pub fn put_back(redacted: &SecretText, told: &SecretText) -> Option<SecretText> {
    let text = redacted.expose();
    let (places, mut told) = told
        .expose()
        .split_at_checked(told.expose().find("]]")? + 2)?;
    let places: Vec<Place> = serde_json::from_str(places).ok()?;
    let mut body = String::with_capacity(text.len() + told.len());
    let mut done = 0;
    for (at, left, was) in places {
        let (was, rest) = told.split_at_checked(was)?;
        body += text.get(done..at)?;
        body += was;
        (done, told) = (at + left, rest);
    }
    body += text.get(done..)?;
    told.is_empty().then(|| SecretText::new(body))
}

/// Returns the body without personal data; `None` if it had none.
///
/// # Errors
/// A body that isn't JSON.
pub fn redacted(body: &SecretText) -> serde_json::Result<Option<SecretText>> {
    Ok(parted(body)?.map(|parted| parted.redacted))
}

/// Offset and length of a replacement in the redacted body, and the length of the original. The originals follow the list of
/// places, one after the other.
type Place = (usize, usize, usize);

/// The treatment of a member.
enum Rule {
    /// The member's texts are replaced, and all other values are removed.
    Replace,
    /// The whole value is removed.
    Remove,
    /// Some of its members contain personal data.
    Look(&'static [(&'static str, Rule)]),
}

use Rule::{Look, Remove, Replace};

const BODY: Rule = Look(&[("content", Look(&[("object", OBJECT)]))]);

/// The object of a payment's or mandate's event.
const OBJECT: Rule = Look(&[
    ("name", Replace),
    ("email", Replace),
    ("phone", Replace),
    ("customer", Replace),
    ("billing", Replace),
    ("shipping", Replace),
    ("browser_info", Remove),
    (
        "payment_method_data",
        Look(&[
            ("billing", Replace),
            ("card", Look(&[("card_holder_name", Replace)])),
        ]),
    ),
    ("mandate_data", Look(&[CONSENT])),
    // Members of a mandate.
    (
        "card",
        Look(&[("card_holder_name", Replace), ("nick_name", Replace)]),
    ),
    CONSENT,
]);

const CONSENT: (&str, Rule) = ("customer_acceptance", Look(&[("online", Replace)]));

/// Members that stay in an object whose texts are replaced.
const KEPT: [&str; 3] = ["id", "country", "origin_zip"];
/// The member that is removed as a whole.
const REMOVED: &str = "customer_document_details";

/// A text that is cut out of a body, and its replacement.
struct Cut {
    was: Range<usize>,
    left: String,
}

/// Cuts a member's personal data out of a body.
fn cut(body: &str, member: &RawValue, rule: &Rule, cuts: &mut Vec<Cut>) -> serde_json::Result<()> {
    let text = member.get();
    let left = match rule {
        Look(rules) => {
            if text.starts_with('{') {
                let members =
                    Ruled(rules).deserialize(&mut serde_json::Deserializer::from_str(text))?;
                for (member, rule) in members {
                    cut(body, member, rule, cuts)?;
                }
            }
            return Ok(());
        }
        Remove if text == "null" => return Ok(()),
        Remove => Value::Null,
        Replace => {
            let mut value = serde_json::from_str(text)?;
            if !replace(&mut value) {
                return Ok(());
            }
            value
        }
    };
    // The member is a part of the body's text.
    let start = text.as_ptr().addr() - body.as_ptr().addr();
    cuts.push(Cut {
        was: start..start + text.len(),
        left: left.to_string(),
    });
    Ok(())
}

/// Replaces every text at any depth and removes all other values. Returns whether anything changed.
fn replace(value: &mut Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => {
            let told = text != REDACTED;
            REDACTED.clone_into(text);
            told
        }
        Value::Object(members) => {
            let mut told = false;
            for (name, value) in members {
                told |= match name.as_str() {
                    REMOVED => !value.take().is_null(),
                    name => !KEPT.contains(&name) && replace(value),
                };
            }
            told
        }
        Value::Bool(_) | Value::Number(_) | Value::Array(_) => {
            *value = Value::Null;
            true
        }
    }
}

/// Reads the members of an object that have a rule, as slices of the text.
struct Ruled(&'static [(&'static str, Rule)]);

impl<'de> DeserializeSeed<'de> for Ruled {
    type Value = Vec<(&'de RawValue, &'static Rule)>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Ruled {
    type Value = Vec<(&'de RawValue, &'static Rule)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(Name(name)) = map.next_key()? {
            match self.0.iter().find(|(ruled, _)| *ruled == name) {
                Some((_, rule)) => members.push((map.next_value()?, rule)),
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(members)
    }
}

/// The name of a member; copied only if it contains escapes.
#[derive(Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn body_of(object: &Value) -> SecretText {
        let body = json!({ "event_id": "evt_1", "content": { "type": "payment_details", "object": object } });
        SecretText::new(body.to_string())
    }

    fn object_of(body: &SecretText) -> Value {
        let mut body: Value = serde_json::from_str(body.expose()).expect("JSON");
        body["content"]["object"].take()
    }

    #[test]
    fn a_body_is_redacted_and_restored() {
        let body = body_of(&json!({
            "payment_id": "pay_1", "amount": 6540, "name": "Ada", "email": null, "phone": "1",
            "customer_id": "cus_ada", "description": "Two books", "metadata": {"email": "kept"},
            "customer": {"id": "cus_ada", "name": "Ada", "customer_document_details": {"document_number": "1"}},
            "billing": {"address": {"line1": "1 Row", "country": "GB", "zip": "1"}, "phone": {"number": "1"}, "email": null},
            "shipping": {"address": {"line1": "\"A\\B\" \u{e9}\u{1f600}"}},
            "browser_info": {"screen_width": 1024, "ip_address": "192.0.2.1"},
            "payment_method_data": {"card": {"last4": "1111", "card_holder_name": "Ada"}, "billing": {"email": "a@b"}},
        }));
        let parts = parted(&body).expect("JSON").expect("two parts");
        insta::assert_json_snapshot!(object_of(&parts.redacted), @r#"
        {
          "payment_id": "pay_1",
          "amount": 6540,
          "name": "Redacted",
          "email": null,
          "phone": "Redacted",
          "customer_id": "cus_ada",
          "description": "Two books",
          "metadata": {
            "email": "kept"
          },
          "customer": {
            "id": "cus_ada",
            "name": "Redacted",
            "customer_document_details": null
          },
          "billing": {
            "address": {
              "line1": "Redacted",
              "country": "GB",
              "zip": "Redacted"
            },
            "phone": {
              "number": "Redacted"
            },
            "email": null
          },
          "shipping": {
            "address": {
              "line1": "Redacted"
            }
          },
          "browser_info": null,
          "payment_method_data": {
            "card": {
              "last4": "1111",
              "card_holder_name": "Redacted"
            },
            "billing": {
              "email": "Redacted"
            }
          }
        }
        "#);
        assert_eq!(put_back(&parts.redacted, &parts.told), Some(body.clone()));
        assert_eq!(redacted(&body).expect("JSON"), Some(parts.redacted.clone()));
        assert_eq!(
            parted(&parts.redacted).expect("JSON"),
            None,
            "it tells of nobody now"
        );
    }

    #[test]
    fn a_mandate_is_parted_as_well() {
        let body = body_of(&json!({
            "mandate_id": "man_1", "card": {"last4_digits": "1111", "card_holder_name": "Ada", "nick_name": "hers"},
            "customer_acceptance": {"acceptance_type": "online", "online": {"ip_address": "192.0.2.1", "user_agent": null}},
        }));
        let parts = parted(&body).expect("JSON").expect("two parts");
        assert_eq!(
            object_of(&parts.redacted),
            json!({
                "mandate_id": "man_1", "card": {"last4_digits": "1111", "card_holder_name": "Redacted", "nick_name": "Redacted"},
                "customer_acceptance": {"acceptance_type": "online", "online": {"ip_address": "Redacted", "user_agent": null}},
            })
        );
        assert_eq!(put_back(&parts.redacted, &parts.told), Some(body));
    }

    /// An earlier version, or a person, may have written the body with other spacing and escapes.
    #[test]
    fn what_is_written_otherwise_comes_back_as_it_was() {
        let text = "{ \"content\" : {\"object\":\n{\"n\\u0061me\": \"A\\u0064a\" ,\"phone\":\"\", \"amount\":1.50, \"card\": []}} }";
        let body = SecretText::new(text);
        let parts = parted(&body).expect("JSON").expect("two parts");
        let left = "{ \"content\" : {\"object\":\n{\"n\\u0061me\": \"Redacted\" ,\"phone\":\"Redacted\", \"amount\":1.50, \"card\": []}} }";
        assert_eq!(parts.redacted.expose(), left);
        assert_eq!(put_back(&parts.redacted, &parts.told), Some(body));
    }

    #[test]
    fn parts_of_two_bodies_are_not_put_together() {
        let long = body_of(&json!({ "description": "a long story", "name": "Ada" }));
        let parts = parted(&long).expect("JSON").expect("two parts");
        let short = SecretText::new("{}");
        assert_eq!(put_back(&short, &parts.told), None);
        assert_eq!(put_back(&parts.redacted, &short), None);
        assert!(parted(&SecretText::new("no JSON")).is_err());
    }
}
