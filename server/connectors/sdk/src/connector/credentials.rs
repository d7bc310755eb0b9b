//! What opens a merchant's account at a processor.

use std::collections::BTreeMap;

use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::{self, SecretText, UnreadableSecrets};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

use crate::connector::{CredentialsKind, Description, KEYS_BY_CURRENCY};

/// Where credentials stand in a request.
const PATH: &str = "connector_account_details";

/// The secrets of credentials in clear; only [`Credentials::to_json`] makes one.
struct Exposed<'a>(&'a Credentials);

impl Serialize for Exposed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("auth_type", &self.0.kind)?;
        for (name, secret) in &self.0.members {
            if name == KEYS_BY_CURRENCY {
                let keys: Value = serde_json::from_str(secret.expose()).unwrap_or_default();
                object.serialize_entry(name, &keys)?;
            } else {
                object.serialize_entry(name, secret.expose())?;
            }
        }
        object.end()
    }
}

/// What a caller sends as `connector_account_details`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CredentialsInput {
    pub kind: CredentialsKind,
    /// The other members by wire name; `auth_key_map` as the text of a JSON object.
    pub members: BTreeMap<String, SecretText>,
}

/// Credentials that fit their connector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credentials {
    kind: CredentialsKind,
    members: BTreeMap<String, SecretText>,
}

impl Credentials {
    /// Checks credentials against what the connector wants, where one is named. Temporary ones are always accepted.
    ///
    /// # Errors
    /// [`Refusal::InvalidFormat`] naming the member: another kind, a member that is missing or empty, one too many.
    pub fn check(
        input: CredentialsInput,
        connector: Option<&Description>,
    ) -> Result<Self, Refusal> {
        let kind = input.kind;
        match connector {
            Some(Description {
                name, credentials, ..
            }) if kind != *credentials && kind != CredentialsKind::TemporaryAuth => {
                return Err(Refusal::invalid_format(
                    format!("{PATH}.auth_type"),
                    format!("{credentials}, which {name} takes"),
                ));
            }
            Some(_) | None => {}
        }
        let known = kind.members();
        if let Some(other) = input
            .members
            .keys()
            .find(|name| !known.contains(&name.as_str()))
        {
            return Err(Refusal::invalid_format(
                format!("{PATH}.{other}"),
                format!("absent: {kind} has no such member"),
            ));
        }
        for name in known {
            let text = input
                .members
                .get(*name)
                .map(SecretText::expose)
                .unwrap_or_default();
            let (fits, expected) = if *name == KEYS_BY_CURRENCY {
                let object = serde_json::from_str::<Map<String, Value>>(text);
                (
                    object.is_ok_and(|object| !object.is_empty()),
                    "an object with one entry per currency",
                )
            } else {
                (!text.trim().is_empty(), "a text that is not empty")
            };
            if !fits {
                return Err(Refusal::invalid_format(format!("{PATH}.{name}"), expected));
            }
        }
        Ok(Credentials {
            kind,
            members: input.members,
        })
    }

    /// What a caller means who was shown these credentials: of a secret in whose place he sends its mask, the secret.
    /// Keys by currency are not shown at all, so they stay where he leaves them out.
    ///
    /// # Errors
    /// [`Refusal::InvalidValue`] naming the member, for the mask of something else.
    pub fn meant_by(&self, mut input: CredentialsInput) -> Result<CredentialsInput, Refusal> {
        let members = std::mem::take(&mut input.members);
        for (name, given) in members {
            let path = format!("{PATH}.{name}");
            let meant = secret::written(given, self.member(&name), mask_of(&name), &path)?;
            input.members.insert(name, meant);
        }
        if input.kind == self.kind
            && !input.members.contains_key(KEYS_BY_CURRENCY)
            && let Some(keys) = self.member(KEYS_BY_CURRENCY)
        {
            let keys = keys.clone();
            input.members.insert(KEYS_BY_CURRENCY.to_owned(), keys);
        }
        Ok(input)
    }

    /// Credentials that stand in for those that the merchant hasn't given yet.
    pub fn temporary() -> Self {
        Credentials {
            kind: CredentialsKind::TemporaryAuth,
            members: BTreeMap::new(),
        }
    }

    /// The kind, which is no secret.
    pub fn kind(&self) -> CredentialsKind {
        self.kind
    }

    /// Whether the processor could be called with them.
    pub fn are_real(&self) -> bool {
        self.kind != CredentialsKind::TemporaryAuth
    }

    /// One member, e.g. `api_key`.
    pub fn member(&self, name: &str) -> Option<&SecretText> {
        self.members.get(name)
    }

    /// The whole as JSON, `{"auth_type": "HeaderKey", "api_key": ...}`: what is sealed and what a connector receives.
    pub fn to_json(&self) -> SecretText {
        secret::to_sealable(&Exposed(self))
    }

    /// Reads what [`Credentials::to_json`] wrote.
    pub fn from_json(text: &SecretText) -> Result<Self, UnreadableSecrets> {
        let object: Map<String, Value> =
            serde_json::from_str(text.expose()).map_err(|_| UnreadableSecrets)?;
        let kind = object.get("auth_type").and_then(Value::as_str);
        let kind = kind.and_then(|word| word.parse().ok());
        let members = object
            .into_iter()
            .filter(|(name, _)| name != "auth_type")
            .map(|(name, value)| match value {
                Value::String(text) => Ok((name, SecretText::new(text))),
                // Keys by currency are written back as the object that they are.
                Value::Object(_) if name == KEYS_BY_CURRENCY => {
                    Ok((name, SecretText::new(value.to_string())))
                }
                Value::Object(_)
                | Value::Array(_)
                | Value::Number(_)
                | Value::Bool(_)
                | Value::Null => Err(UnreadableSecrets),
            });
        Ok(Credentials {
            kind: kind.ok_or(UnreadableSecrets)?,
            members: members.collect::<Result<_, _>>()?,
        })
    }

    /// What may be answered of a member. Of credentials by currency not even that they are there.
    pub fn mask(&self, name: &str) -> Option<String> {
        let secret = self.member(name).filter(|_| name != KEYS_BY_CURRENCY)?;
        Some(mask_of(name)(secret))
    }
}

/// A certificate begins and ends like every other one, so nothing of it is shown.
fn mask_of(name: &str) -> fn(&SecretText) -> String {
    match name {
        "certificate" | "private_key" => SecretText::hidden,
        _ => SecretText::masked,
    }
}

#[cfg(test)]
mod tests;
