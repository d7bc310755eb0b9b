//! API keys, wire to domain and back. Only `created` returns the key itself, once.

use multirail_domain::accounts::api_key::{
    ApiKey, ApiKeyUpdate, Expiration, KeyRestriction, NewApiKey, OperationGroup,
};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_types as types;

use crate::platform::convert::words::{ToWire, words};

/// Converts a request to create an API key.
///
/// # Errors
///
/// An expiration that is neither `never` nor a date-time, an unknown group.
pub(crate) fn create(wire: types::ApiKeyCreateRequest) -> Result<NewApiKey, Refusal> {
    let types::ApiKeyCreateRequest {
        name,
        description,
        expiration,
        read_only,
        operation_groups,
    } = wire;
    let groups = operation_groups.unwrap_or_default();
    let groups: Vec<OperationGroup> = words(&groups, "operation_groups")?;
    Ok(NewApiKey {
        name,
        description,
        expiration: Expiration::parse(&expiration)?,
        restriction: KeyRestriction::new(read_only.unwrap_or(false), groups),
    })
}

/// Converts a request to update an API key.
///
/// # Errors
///
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

/// Returns the record with the key itself.
pub(crate) fn created(key: &ApiKey, plain: &SecretText) -> types::ApiKeyCreated {
    types::ApiKeyCreated {
        key_id: key.key_id.to_string(),
        merchant_id: key.merchant_id.to_string(),
        name: key.name.clone(),
        description: key.description.clone(),
        api_key: plain.expose().to_owned(),
        created: key.created_at.to_datetime(),
        expiration: key.expiration.to_string(),
        read_only: read_only(key),
        operation_groups: groups(key),
    }
}

/// Returns the record.
pub(crate) fn answer(key: &ApiKey) -> types::ApiKey {
    types::ApiKey {
        key_id: key.key_id.to_string(),
        merchant_id: key.merchant_id.to_string(),
        name: key.name.clone(),
        description: key.description.clone(),
        prefix: key.prefix.clone(),
        created: key.created_at.to_datetime(),
        expiration: key.expiration.to_string(),
        read_only: read_only(key),
        operation_groups: groups(key),
    }
}

fn read_only(key: &ApiKey) -> Option<bool> {
    let restriction = key.restriction.as_ref()?;
    restriction.read_only.then_some(true)
}

fn groups(key: &ApiKey) -> Option<Vec<types::ApiKeyOperationGroup>> {
    let groups = &key.restriction.as_ref()?.groups;
    let words = groups.iter().map(|group| group.to_wire());
    (!groups.is_empty()).then(|| words.collect())
}
