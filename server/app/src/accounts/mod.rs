//! Organizations, merchants, profiles, API keys and connector accounts.

pub(crate) mod acting;
pub mod api_keys;
pub mod connector_accounts;
pub mod credential_check;
pub mod merchant_accounts;
pub mod merchant_deletion;
pub(crate) mod notice_addresses;
pub mod organizations;
pub mod ports;
pub mod processor_accounts;
pub(crate) mod profile_choice;
pub mod profile_view;
pub mod profiles;
