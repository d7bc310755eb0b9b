//! What the store works with. The traits that it fills in stand in the files of their resources.

use std::sync::Arc;

use multirail_app::platform::ports::Seal;

use super::cached::Cache;
use super::declared::{Declared, DeclaredTwice, sealed_columns};
use super::sealing_anew::Step;
use super::subject_keys::SubjectKeys;
use crate::engine::Engine;

/// The store of every resource, over an [`Engine`]. Cards, credentials and other secrets are sealed on the way in.
pub struct SqlStore {
    pub(crate) engine: Engine,
    pub(crate) in_flight_seconds: i64,
    pub(crate) cache: Cache,
    pub(crate) keys: SubjectKeys,
    pub(crate) declared: Vec<Declared>,
    /// How a change of all data keys goes through what rests sealed.
    pub(crate) steps: Vec<Step>,
}

impl SqlStore {
    /// Puts the store over an open, migrated database.
    ///
    /// `in_flight_seconds`: how long a call to a processor may be under way, so that nobody asks about it earlier. `declared`: what
    /// every subject declares, in its order.
    ///
    /// # Errors
    /// [`DeclaredTwice`]
    pub fn new(
        engine: Engine,
        seal: Arc<dyn Seal>,
        in_flight_seconds: i64,
        declared: Vec<Declared>,
    ) -> Result<Self, DeclaredTwice> {
        let columns = sealed_columns(&declared)?;
        Ok(SqlStore {
            cache: Cache::new(engine.clone()),
            keys: SubjectKeys::new(engine.clone(), seal),
            engine,
            in_flight_seconds,
            steps: columns.into_iter().map(Step::of).collect(),
            declared,
        })
    }

    /// The database, for the statements of satellites.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The keys that open what rests sealed.
    pub fn keys(&self) -> &SubjectKeys {
        &self.keys
    }
}
