//! Wire to domain and back, for accounts.

pub mod api_key;
pub mod business_profile;
pub(crate) mod connector;
pub mod connector_account;
pub mod merchant_account;
pub mod organization;
pub(crate) mod payment_link;
pub(crate) mod webhook_details;
pub(crate) mod words;
