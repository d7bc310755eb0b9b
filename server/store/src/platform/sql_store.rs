//! The store itself. It implements the traits of its resources in their files.

use std::sync::Arc;

use multirail_app::platform::ports::Seal;

use super::cached::Cache;
use super::declared::{Declared, DeclaredTwice, sealed_columns};
use super::reseal_step::Step;
use super::subject_keys::SubjectKeys;
use crate::engine::Engine;

/// The store of every resource, over an [`Engine`]. Cards, credentials and other secrets are sealed before they are
/// written.
pub struct SqlStore {
    pub(crate) engine: Engine,
    pub(crate) in_flight_seconds: i64,
    pub(crate) cache: Cache,
    pub(crate) keys: SubjectKeys,
    pub(crate) declared: Vec<Declared>,
    /// The steps of a change of all data keys.
    pub(crate) steps: Vec<Step>,
}

impl SqlStore {
    /// Builds the store over an open, migrated database.
    ///
    /// `in_flight_seconds` is the longest time that a call to a processor may be under way; nobody asks about it earlier.
    /// `declared` holds the declarations of all subjects, in order.
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
            steps: columns.into_iter().map(Step::from_column).collect(),
            declared,
        })
    }

    /// Returns the database, for the statements of satellites.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Returns the keys that open sealed data.
    pub fn keys(&self) -> &SubjectKeys {
        &self.keys
    }
}
