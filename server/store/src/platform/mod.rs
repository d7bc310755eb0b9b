//! Parts of the store that every subject uses and none owns.

pub(crate) mod audit;
pub(crate) mod cached;
pub(crate) mod change_sets;
pub(crate) mod conditions;
pub(crate) mod constraints;
pub(crate) mod database;
pub mod declared;
pub(crate) mod freshness;
pub(crate) mod idempotency;
pub(crate) mod inspection;
pub(crate) mod key_rotations;
pub mod keys;
pub(crate) mod lower;
pub mod record;
pub(crate) mod request_log;
pub(crate) mod resealing;
pub mod rows;
pub mod sealed_columns;
pub(crate) mod sealed_forms;
pub(crate) mod settings;
pub(crate) mod sign_in_tries;
pub(crate) mod sql_store;
pub mod subject_keys;
pub(crate) mod subject_seal;
pub(crate) mod tables;
