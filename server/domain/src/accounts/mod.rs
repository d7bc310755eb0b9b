//! Organizations, merchants, profiles, API keys and connector accounts.

pub mod acting;
pub mod api_key;
pub mod connector_account;
pub mod merchant;
pub mod new_merchant;
pub mod organization;
pub mod profile;
pub mod webhook_settings;
