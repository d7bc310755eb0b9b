//! The credentials of a merchant's account at a processor.

use std::collections::BTreeMap;

use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::{self, SecretText, UnreadableSecrets};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

use crate::connector::{CredentialsKind, Description, KEYS_BY_CURRENCY};

/// The member of a request that holds credentials.
const PATH: &str = "connector_account_details";

/// Credentials that serialize their secrets unmasked; only [`Credentials::to_json`] makes one.
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

/// The `connector_account_details` of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CredentialsInput {
    pub kind: CredentialsKind,
    /// The other members by wire name; `auth_key_map` is the text of a JSON object.
    pub members: BTreeMap<String, SecretText>,
}

/// Credentials of the kind that their connector needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credentials {
    kind: CredentialsKind,
    members: BTreeMap<String, SecretText>,
}

impl Credentials {
    /// Checks credentials against the kind that the connector needs, if one is named. Temporary
    /// credentials are always accepted.
    ///
    /// # Errors
    /// [`Refusal::InvalidFormat`] naming the member, for a wrong kind and for members that are
    /// missing, empty or unknown.
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

    /// Replaces the masks in a caller's input by the stored secrets that were shown as these masks.
    /// Keys by currency are never shown, so they stay when the caller leaves them out.
    ///
    /// # Errors
    /// [`Refusal::InvalidValue`] naming the member, for the mask of another secret.
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

    /// Returns placeholder credentials, for merchants who have none yet.
    pub fn temporary() -> Self {
        Credentials {
            kind: CredentialsKind::TemporaryAuth,
            members: BTreeMap::new(),
        }
    }

    /// Returns the kind, which is no secret.
    pub fn kind(&self) -> CredentialsKind {
        self.kind
    }

    /// Checks whether the credentials can be used for calls.
    pub fn are_real(&self) -> bool {
        self.kind != CredentialsKind::TemporaryAuth
    }

    /// Returns one member, e.g. `api_key`.
    pub fn member(&self, name: &str) -> Option<&SecretText> {
        self.members.get(name)
    }

    /// Writes the credentials as JSON, `{"auth_type": "HeaderKey", "api_key": ...}`. This text is
    /// sealed, and connectors receive it.
    pub fn to_json(&self) -> SecretText {
        secret::to_sealable(&Exposed(self))
    }

    /// Reads the JSON of [`Credentials::to_json`].
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
                // Keys by currency are stored as the text of their object.
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

    /// Returns the mask of a member, for answers. Keys by currency have no mask, so that answers
    /// hide even their existence.
    pub fn mask(&self, name: &str) -> Option<String> {
        let secret = self.member(name).filter(|_| name != KEYS_BY_CURRENCY)?;
        Some(mask_of(name)(secret))
    }
}

/// Selects the mask of a member. A certificate is masked completely, because the first and last
/// characters of all certificates are the same.
fn mask_of(name: &str) -> fn(&SecretText) -> String {
    match name {
        "certificate" | "private_key" => SecretText::hidden,
        _ => SecretText::masked,
    }
}

#[cfg(test)]
mod tests;
