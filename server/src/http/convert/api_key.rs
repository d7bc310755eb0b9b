//! API keys, wire to domain and back. The key itself is answered once, by `created`.

use multirail_domain::api_key::{ApiKey, ApiKeyUpdate, Expiration, NewApiKey};
use multirail_domain::refusal::Refusal;
use multirail_domain::secret::SecretText;
use multirail_types as types;

/// # Errors
/// An expiration that is neither `never` nor a date-time.
pub(crate) fn create(wire: types::ApiKeyCreateRequest) -> Result<NewApiKey, Refusal> {
    let types::ApiKeyCreateRequest {
        name,
        description,
        expiration,
    } = wire;
    Ok(NewApiKey {
        name,
        description,
        expiration: Expiration::parse(&expiration)?,
    })
}

/// # Errors
/// As for [`create`].
pub(crate) fn update(wire: types::ApiKeyUpdateRequest) -> Result<ApiKeyUpdate, Refusal> {
    let types::ApiKeyUpdateRequest {
        name,
        description,
        expiration,
    } = wire;
    let expiration = expiration.as_deref().map(Expiration::parse);
    Ok(ApiKeyUpdate {
        name,
        description,
        expiration: expiration.transpose()?,
    })
}

/// The record with the key itself.
pub(crate) fn created(key: &ApiKey, plain: &SecretText) -> types::ApiKeyCreated {
    types::ApiKeyCreated {
        key_id: key.key_id.to_string(),
        merchant_id: key.merchant_id.to_string(),
        name: key.name.clone(),
        description: key.description.clone(),
        api_key: plain.expose().to_owned(),
        created: key.created_at.to_datetime(),
        expiration: key.expiration.to_string(),
    }
}

/// The record.
pub(crate) fn answer(key: &ApiKey) -> types::ApiKey {
    types::ApiKey {
        key_id: key.key_id.to_string(),
        merchant_id: key.merchant_id.to_string(),
        name: key.name.clone(),
        description: key.description.clone(),
        prefix: key.prefix.clone(),
        created: key.created_at.to_datetime(),
        expiration: key.expiration.to_string(),
    }
}
