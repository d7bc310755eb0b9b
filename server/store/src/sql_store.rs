//! What the store works with. The traits that it fills in stand in the files of their resources.

use std::sync::Arc;

use multirail_app::ports::Seal;

use super::cached::Cache;
use super::engine::Engine;
use super::subject_keys::SubjectKeys;

/// The store of every resource, over an [`Engine`]. Cards, credentials and other secrets are sealed on the way in.
pub struct SqlStore {
    pub(super) engine: Engine,
    pub(super) in_flight_seconds: i64,
    pub(super) cache: Cache,
    pub(super) keys: SubjectKeys,
}

impl SqlStore {
    /// Puts the store over an open, migrated database.
    ///
    /// `in_flight_seconds`: how long a call to a processor may be under way, so that nobody asks about it earlier.
    pub fn new(engine: Engine, seal: Arc<dyn Seal>, in_flight_seconds: i64) -> Self {
        SqlStore {
            cache: Cache::new(engine.clone()),
            keys: SubjectKeys::new(engine.clone(), seal),
            engine,
            in_flight_seconds,
        }
    }
}
