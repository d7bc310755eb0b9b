//! A profile's further webhook endpoints, beside its own address. They are part of the profile's record, so that a change of a
//! payment reads both together.

use multirail_kernel::event::EventType;
use multirail_kernel::ids::WebhookEndpointId;
use multirail_kernel::random::Random;
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::web_address::check_web_address;
use serde::{Deserialize, Serialize};

use super::{Profile, ProfileSecrets, WebhookSecret};

/// The most endpoints of a profile.
const AT_MOST: usize = 16;

/// A further address for a profile's webhooks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebhookEndpoint {
    pub endpoint_id: WebhookEndpointId,
    pub url: String,
    /// The merchant's note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Words of the delivered event types; all if it is empty. They are text, so that servers of every version read them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub event_types: Vec<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_disabled: bool,
    pub created_at: Timestamp,
    pub modified_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// The secret of an endpoint. `Debug` doesn't print it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndpointSecret {
    pub endpoint_id: WebhookEndpointId,
    pub secret: WebhookSecret,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// A caller's input; `None` leaves a member unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WebhookEndpointInput {
    pub url: Option<String>,
    /// A blank text removes the note.
    pub description: Option<String>,
    /// Words of the contract's event types. They replace the stored ones.
    pub event_types: Option<Vec<String>>,
    pub is_disabled: Option<bool>,
}

impl WebhookEndpoint {
    /// Returns whether events of this type are delivered to the endpoint.
    pub fn wants(&self, event_type: EventType) -> bool {
        !self.is_disabled && self.has_chosen(event_type)
    }

    /// Returns whether a change makes waiting deliveries due, also those of a pause: it enables the endpoint, or moves one
    /// that stays enabled. Deliveries of a disabled endpoint wait.
    pub fn is_resumed_by(&self, input: &WebhookEndpointInput) -> bool {
        let is_elsewhere = input.url.as_ref().is_some_and(|url| *url != self.url);
        match input.is_disabled {
            Some(is_disabled) => !is_disabled,
            None => is_elsewhere && !self.is_disabled,
        }
    }

    fn has_chosen(&self, event_type: EventType) -> bool {
        let mut chosen = self.event_types.iter();
        self.event_types.is_empty() || chosen.any(|word| word == event_type.as_str())
    }

    fn updated(mut self, input: WebhookEndpointInput, now: Timestamp) -> Result<Self, Refusal> {
        if let Some(url) = input.url {
            check_web_address("webhook_url", &url)?;
            self.url = url;
        }
        if let Some(note) = input.description {
            self.description = Some(note).filter(|note| !note.trim().is_empty());
        }
        if let Some(words) = input.event_types {
            self.event_types.clear();
            for word in words {
                if !self.event_types.contains(&word) {
                    self.event_types.push(word);
                }
            }
        }
        self.is_disabled = input.is_disabled.unwrap_or(self.is_disabled);
        self.modified_at = now;
        Ok(self)
    }
}

impl Profile {
    /// Returns a webhook endpoint.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] if the profile doesn't have it.
    pub fn webhook_endpoint(&self, id: &WebhookEndpointId) -> Result<&WebhookEndpoint, Refusal> {
        let mut endpoints = self.webhook_endpoints.iter();
        let found = endpoints.find(|endpoint| endpoint.endpoint_id == *id);
        found.ok_or(Refusal::not_found(Object::WebhookEndpoint))
    }

    /// Returns the address of the profile, or that of an endpoint that is enabled.
    pub fn delivery_address(&self, endpoint: Option<&WebhookEndpointId>) -> Option<&str> {
        let Some(id) = endpoint else {
            return self.webhook_url();
        };
        let found = self.webhook_endpoint(id).ok()?;
        (!found.is_disabled).then_some(&found.url)
    }

    /// Returns the secrets that sign deliveries to an endpoint: its own, for both signatures.
    pub fn endpoint_secrets(&self, id: &WebhookEndpointId) -> ProfileSecrets {
        let mut secrets = self.secrets.endpoint_secrets.iter();
        let found = secrets.find(|one| one.endpoint_id == *id);
        let secret = found.map(|one| one.secret.clone());
        ProfileSecrets {
            payment_response_hash_key: secret.as_ref().map(|secret| secret.secret.clone()),
            webhook_secrets: secret.into_iter().collect(),
            ..ProfileSecrets::default()
        }
    }

    /// Returns the profile with a new endpoint, which is the last one.
    ///
    /// # Errors
    /// [`Refusal::Missing`] without an address, [`Refusal::InvalidFormat`] for an address that can't be read,
    /// [`Refusal::InvalidValue`] for one endpoint too many.
    pub fn with_webhook_endpoint(
        &self,
        input: WebhookEndpointInput,
        now: Timestamp,
        random: &dyn Random,
    ) -> Result<(Self, WebhookEndpoint, WebhookSecret), Refusal> {
        let url = input.url.clone();
        let url = url.ok_or_else(|| Refusal::missing("webhook_url"))?;
        let blank = WebhookEndpoint {
            endpoint_id: WebhookEndpointId::generate(random),
            url,
            description: None,
            event_types: Vec::new(),
            is_disabled: false,
            created_at: now,
            modified_at: now,
            unread: UnreadMembers::default(),
        };
        let endpoint = blank.updated(input, now)?;
        if self.webhook_endpoints.len() >= AT_MOST {
            return Err(Refusal::invalid_value(format!(
                "a profile has at most {AT_MOST} webhook endpoints: delete one first"
            )));
        }
        let secret = WebhookSecret::generate(now, random);
        let mut profile = self.clone();
        profile.webhook_endpoints.push(endpoint.clone());
        profile.secrets.endpoint_secrets.push(EndpointSecret {
            endpoint_id: endpoint.endpoint_id.clone(),
            secret: secret.clone(),
            unread: UnreadMembers::default(),
        });
        profile.modified_at = now;
        Ok((profile, endpoint, secret))
    }

    /// Returns the profile with a changed endpoint.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] if the profile doesn't have it, [`Refusal::InvalidFormat`] for an address that can't be read.
    pub fn with_changed_endpoint(
        &self,
        id: &WebhookEndpointId,
        input: WebhookEndpointInput,
        now: Timestamp,
    ) -> Result<(Self, WebhookEndpoint), Refusal> {
        let changed = self.webhook_endpoint(id)?.clone().updated(input, now)?;
        let mut profile = self.clone();
        for endpoint in &mut profile.webhook_endpoints {
            if endpoint.endpoint_id == *id {
                *endpoint = changed.clone();
            }
        }
        profile.modified_at = now;
        Ok((profile, changed))
    }

    /// Returns the profile without an endpoint and its secret.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] if the profile doesn't have it.
    pub fn without_endpoint(
        &self,
        id: &WebhookEndpointId,
        now: Timestamp,
    ) -> Result<Self, Refusal> {
        self.webhook_endpoint(id)?;
        let mut profile = self.clone();
        let endpoints = &mut profile.webhook_endpoints;
        endpoints.retain(|endpoint| endpoint.endpoint_id != *id);
        let secrets = &mut profile.secrets.endpoint_secrets;
        secrets.retain(|secret| secret.endpoint_id != *id);
        profile.modified_at = now;
        Ok(profile)
    }
}

#[cfg(test)]
mod tests;
