//! Translates change-sets to statements: every change in order, then the events, the idempotency key, the entry of the
//! audit log, and the row that proves the commit.

use multirail_app::platform::ports::{ChangeSet, StoreFailure};
use multirail_platform::{self as platform, Changes, Writing};

use super::audit;
use super::change_sets;
use super::sql_store::SqlStore;
use super::subject_keys::CommitKeys;
use crate::engine::{Dialect, Write};

/// A change of one resource, implemented in the file of its SQL.
pub(crate) trait Lower {
    /// Adds the statements of this change.
    fn lower(&self, with: &Lowering<'_>, writes: &mut Vec<Write>) -> Result<(), StoreFailure>;
}

/// The context in which statements are built.
pub(crate) struct Lowering<'a> {
    pub keys: &'a CommitKeys<'a>,
    pub dialect: Dialect,
    /// The longest time that a call to a processor may be under way.
    pub in_flight_seconds: i64,
    /// The change-set that the change is part of.
    pub change_set: &'a ChangeSet,
}

impl Lowering<'_> {
    fn writing(&self) -> Writing<'_> {
        Writing {
            dialect: self.dialect,
            at: self.change_set.at,
            in_flight_seconds: self.in_flight_seconds,
            sealing: self.keys,
        }
    }
}

/// A change of the use cases, for which the store implements [`platform::Change`] beside its statements. The trait and the
/// change belong to other crates; this type belongs to the store, so the compiler allows it.
#[derive(Debug)]
pub struct Stored<C>(pub C);

impl<C> Changes<C> for SqlStore
where
    Stored<C>: platform::Change + 'static,
{
    fn change(&self, change: C) -> Box<dyn platform::Change> {
        Box::new(Stored(change))
    }
}

impl SqlStore {
    pub(crate) fn lower(
        &self,
        change_set: &ChangeSet,
        mut keys: CommitKeys<'_>,
    ) -> Result<Vec<Write>, StoreFailure> {
        let parts = [change_set.events.len(), change_set.idempotency.len()];
        let changes = change_set.changes.len() + parts.iter().sum::<usize>();
        let mut writes = Vec::with_capacity(changes * 2 + 1);
        writes.extend(keys.take_made());
        let with = Lowering {
            keys: &keys,
            dialect: self.engine.dialect(),
            in_flight_seconds: self.in_flight_seconds,
            change_set,
        };
        for change in &change_set.changes {
            change.write(&with.writing(), &mut writes)?;
        }
        for event in &change_set.events {
            event.lower(&with, &mut writes)?;
        }
        for change in &change_set.idempotency {
            change.lower(&with, &mut writes)?;
        }
        if let Some(record) = &change_set.audit {
            writes.push(audit::leave(record)?);
        }
        writes.push(change_sets::proof(change_set));
        Ok(writes)
    }
}
