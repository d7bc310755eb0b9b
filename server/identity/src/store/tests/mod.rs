//! Tests of the users' store on a real database of each engine.

mod identities;
mod operator_sessions;
mod password_links;
mod records;
mod resealing;
mod saved_views;
mod sign_ins;
mod team;
mod test_users;
mod user_accounts;
