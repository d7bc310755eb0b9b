//! Users' statements on both engines, over the store that all subjects share.

mod identities;
mod operator_sessions;
mod password_links;
mod password_mails;
mod saved_views;
mod second_factor_rules;
mod second_factors;
mod sign_in_links;
mod team;
#[cfg(test)]
mod tests;
mod user_accounts;
mod user_changes;
mod user_invitations;
mod user_roles;
mod user_sessions;
mod users;

pub use users::{DECLARED, SqlUsers};
