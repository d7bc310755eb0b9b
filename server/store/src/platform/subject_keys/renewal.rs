//! Gives every subject a new key, and loads the keys with which a portion of values is resealed.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use multirail_app::platform::ports::StoreFailure;
use multirail_app::platform::ports::seal::{DataKey, SealedBy, Subject};
use multirail_kernel::timestamp::Timestamp;

use super::super::portion::PortionChanges;
use super::super::record::failure;
use super::{MADE_MEANWHILE, StoredSubjectKey, SubjectKeys, insert};
use crate::engine::{Read, Value, Write, values};

const NEXT: &str = "select k.key_id as key_id, k.merchant_id as merchant_id, k.customer_id as customer_id, \
     k.wrapped as wrapped, k.destroyed_at as destroyed_at, k.generation as generation, k.rotation as rotation, \
     (select max(o.generation) from subject_keys o where o.merchant_id = k.merchant_id and o.customer_id = k.customer_id) as highest \
     from subject_keys k where k.key_id > $1 order by k.key_id limit $2";

/// Locks the row against the destruction of the key: a subject whose key is destroyed gets no new one.
const HOLD: &str =
    "update subject_keys set rotation = rotation where key_id = $1 and destroyed_at is null";

const WRAP_ANEW: &str = "update subject_keys set wrapped = $2 where key_id = $1 and wrapped = $3";

const DELETE: &str = "delete from subject_keys where key_id = $1 and destroyed_at is null";

impl SubjectKeys {
    /// Returns the statements for the next keys. A subject without a key of this change gets one, and keys that a former
    /// key of the installation wraps are wrapped again. `deletes`: also deletes keys that the previous change left without
    /// values.
    pub(crate) async fn renew(
        &self,
        after: &str,
        deletes: bool,
        now: Timestamp,
        at_most: i64,
    ) -> Result<PortionChanges, StoreFailure> {
        let read = Read::new(NEXT, values![after, at_most]).long();
        let rows = self.engine.fetch(read).await.map_err(failure)?;
        let rotation = self.rotations.load(Ordering::Acquire);
        let mut changes = PortionChanges::default();
        for row in &rows {
            let number = |column| row.int(column).map_err(failure);
            let stored = StoredSubjectKey::read(row)?;
            if stored.is_destroyed {
                continue;
            }
            let key_id = stored.key.key_id.as_str();
            let (generation, of_rotation) = (number("generation")?, number("rotation")?);
            let is_highest = generation == number("highest")?;
            if deletes && !is_highest && of_rotation + 1 < rotation {
                changes
                    .writes
                    .push(Write::new(DELETE, values![key_id]).any_rows());
                continue;
            }
            let mut is_found = false;
            if is_highest && of_rotation < rotation {
                let (_, further) = self.seal.make_key(&stored.subject);
                let hold = Write::new(HOLD, values![key_id]);
                changes.writes.push(hold.or_duplicate(MADE_MEANWHILE));
                changes.writes.push(insert(
                    &stored.subject,
                    &further,
                    generation + 1,
                    rotation,
                    now,
                ));
                is_found = true;
            }
            if !self.is_wrapped_by_present(&stored.key.wrapped) {
                self.have_key_of(&stored.key.wrapped).await?;
                match self.seal.rewrap(&stored.subject, &stored.key) {
                    Ok(wrapped) => {
                        let parameters =
                            values![key_id, wrapped.wrapped, stored.key.wrapped.clone()];
                        changes
                            .writes
                            .push(Write::new(WRAP_ANEW, parameters).any_rows());
                        is_found = true;
                    }
                    Err(_) => {
                        tracing::error!(key_id, "a stored key can't be opened and stays as it is");
                        changes.unreadable += 1;
                    }
                }
            }
            changes.found += i64::from(is_found);
        }
        changes.looked_at = rows.len() as i64;
        if changes.looked_at == at_most
            && let Some(last) = rows.last()
        {
            let key_id = last.str("key_id").map_err(failure)?;
            changes.last = Some(vec![Value::from(key_id)]);
        }
        Ok(changes)
    }

    fn is_wrapped_by_present(&self, wrapped: &[u8]) -> bool {
        let present = self.seal.installation_key();
        self.seal
            .sealed_by(wrapped)
            .is_none_or(|sealed_by| sealed_by.key_id() == present)
    }

    /// Returns the keys for one portion of values.
    pub(crate) fn for_resealing(&self) -> ResealingKeys<'_> {
        ResealingKeys {
            keys: self,
            found: HashMap::new(),
            made: Vec::new(),
        }
    }
}

/// The keys with which the values of one portion are resealed.
pub(crate) struct ResealingKeys<'a> {
    keys: &'a SubjectKeys,
    /// `None`: destroyed.
    found: HashMap<Subject, Option<Arc<dyn DataKey>>>,
    made: Vec<Write>,
}

impl ResealingKeys<'_> {
    /// Returns the key of a subject, created if there is none; `None` if it was destroyed.
    pub(crate) async fn key_for(
        &mut self,
        subject: &Subject,
        now: Timestamp,
    ) -> Result<Option<Arc<dyn DataKey>>, StoreFailure> {
        if let Some(found) = self.found.get(subject) {
            return Ok(found.clone());
        }
        let key = match self.keys.current(subject).await {
            Ok(Some(key)) => Some(key),
            Ok(None) => {
                let (key, stored) = self.keys.seal.make_key(subject);
                let rotation = self.keys.rotations.load(Ordering::Acquire);
                self.made.push(insert(subject, &stored, 1, rotation, now));
                Some(key)
            }
            Err(StoreFailure::Destroyed(_)) => None,
            Err(failure) => return Err(failure),
        };
        self.found.insert(subject.clone(), key.clone());
        Ok(key)
    }

    pub(crate) fn is_sealed_by(&self, sealed: &[u8], key: &Arc<dyn DataKey>) -> bool {
        let sealed_by = self.keys.seal.sealed_by(sealed);
        sealed_by == Some(SealedBy::Subject(key.key_id()))
    }

    /// Takes the statements that store new keys; they come before the values that those keys seal.
    pub(crate) fn take_made(&mut self) -> Vec<Write> {
        std::mem::take(&mut self.made)
    }
}
