//! Organizations, merchants, profiles, API keys and connector accounts.

pub(crate) mod acting;
pub(crate) mod api_keys;
pub(crate) mod business_profiles;
pub mod check_limit;
pub(crate) mod checkout;
mod checkout_address;
pub(crate) mod connector_accounts;
pub mod convert;
pub(crate) mod merchant_accounts;
pub(crate) mod operation_groups;
pub(crate) mod organizations;
