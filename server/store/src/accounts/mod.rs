//! What accounts share: organizations, merchant accounts, profiles, API keys and connector accounts. Each row holds the
//! record as JSON, the secrets sealed, and beside them what is searched by or has to be unique. Updates are guarded by the
//! version that the value was read at. An insert may collide with more than one unique index, hence `on conflict` without
//! a target.

pub(crate) mod api_keys;
pub(crate) mod connector_accounts;
pub(crate) mod merchants;
pub(crate) mod organizations;
pub(crate) mod profiles;
pub(crate) mod tables;

use std::fmt::Display;

use multirail_app::platform::ports::StoreFailure;
use multirail_kernel::ids::MerchantId;
use multirail_kernel::secret::{SecretText, UnreadableSecrets};

use super::engine::Row;
use crate::platform::record::failure;
use crate::platform::subject_keys::OpenKeys;

/// The sealed column of every one of these tables that has one.
pub(super) const SECRETS: &str = "secrets";

/// Where the secrets of one row rest.
pub(super) fn place(table: &str, merchant_id: &MerchantId, id: &impl Display) -> String {
    format!("{table}:{merchant_id}/{id}")
}

/// The secrets column; an empty one is a row without secrets.
pub(super) fn unseal<T: Default>(
    row: &Row,
    keys: &OpenKeys<'_>,
    place: &str,
    read: impl Fn(&SecretText) -> Result<T, UnreadableSecrets>,
) -> Result<T, StoreFailure> {
    let Some(sealed) = row.opt_bytes(SECRETS).map_err(failure)? else {
        return Ok(T::default());
    };
    let text = keys.open_bytes(place, &sealed)?;
    read(&text).map_err(|error| StoreFailure::Broken(format!("{place}: {error}")))
}
