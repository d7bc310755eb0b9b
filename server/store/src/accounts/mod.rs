//! Organizations, merchant accounts, profiles, API keys and connector accounts, and the code that they share. Each row
//! holds the record as JSON and the secrets sealed. Values that are searched by or have to be unique have columns of their
//! own. Updates are guarded by the version that was read. An insert may collide with more than one unique index, hence `on
//! conflict` without a target.

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

/// The sealed column, which several of these tables have.
pub(super) const SECRETS: &str = "secrets";

/// Returns the place that the secrets of a row are sealed for.
pub(super) fn place(table: &str, merchant_id: &MerchantId, id: &impl Display) -> String {
    format!("{table}:{merchant_id}/{id}")
}

/// Opens the secrets column; an empty column means no secrets.
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
