//! Reseals one portion of the data after a change of keys: the next rows of the next column, each with its owner's
//! present key.
//!
//! First every owner gets a new key, and the new key of the installation wraps the former ones. Then the columns that those
//! keys seal follow. A row that is changed at the same time stays as it is: the other server sealed it with the new key, or
//! the next pass finds it.

mod progress;

use multirail_app::platform::ports::StoreFailure;
use multirail_app::platform::ports::installation_keys::{Portion, RotationClaim};
use multirail_app::platform::ports::seal::Subject;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;

use super::key_counters;
use super::portion::PortionChanges;
use super::record::failure;
use super::reseal_step::{KEYS, Step, key_of};
use super::sealed_columns::Clear;
use super::sealed_forms;
use super::sql_store::SqlStore;
use super::subject_keys::{MADE_MEANWHILE, OpenKeys, ResealingKeys};
use crate::engine::{Miss, Read, Row, Value, Write, WriteError, values};

use progress::Progress;

const FINISH: &str = "update key_rotations set is_open = false, finished_at = $3, looked_at = looked_at + $4, \
     unreadable_before = $5, lease_until = 0 where rotation_id = $1 and fence = $2 and is_open";

/// An earlier change has left no value under these keys.
const DELETE_RETIRED: &str =
    "delete from wrapped_keys where purpose = 'data' and retired_at is not null";

const RETIRE: &str = "update wrapped_keys set retired_at = $1 where purpose = 'data' and retired_at is null and key_id <> $2";

/// The most tries of a portion while other servers store or destroy keys of its rows.
const TRIES: u32 = 5;

impl SqlStore {
    pub(crate) async fn seal_next_portion(
        &self,
        claim: &RotationClaim,
        wall: Timestamp,
        lease_until: Timestamp,
        at_most: i64,
    ) -> Result<Portion, StoreFailure> {
        for _ in 0..TRIES {
            let Some(at) = Progress::read(&self.engine, claim).await? else {
                return Ok(Portion::Lost);
            };
            // By then, servers that hadn't noticed the new keys have stored everything that they sealed with the former
            // ones.
            if at.pass > 1 && at.column == KEYS && at.row.is_empty() && wall < at.settled_at {
                return Ok(Portion::Wait(at.settled_at));
            }
            let rows_in_all = match at.rows_in_all {
                Some(rows) => rows,
                None => self.count_sealed().await?,
            };
            let mut changes = if at.column == KEYS {
                self.renew_keys(&at, wall, at_most).await?
            } else {
                self.reseal_values(&at, wall, at_most).await?
            };
            let (found, gives_keys) =
                (changes.found as u64, at.column == KEYS && changes.found > 0);
            let mut writes = std::mem::take(&mut changes.writes);
            let is_over = at.is_over(&self.steps, &changes);
            if is_over {
                writes.extend(self.finish(claim, &at, &changes, wall));
            } else {
                writes.push(at.moved(&self.steps, claim, &changes, rows_in_all, lease_until));
            }
            if gives_keys || is_over {
                writes.push(key_counters::changed());
            }
            match self.engine.write(writes).await {
                Ok(_) => {}
                Err(WriteError::Miss(Miss::Duplicate(MADE_MEANWHILE))) => {
                    self.keys.forget_all();
                    continue;
                }
                Err(WriteError::Miss(_)) => return Ok(Portion::Lost),
                Err(WriteError::Store(error)) => return Err(failure(error)),
            }
            if gives_keys || is_over {
                self.keys.forget_all();
            }
            return Ok(if is_over {
                Portion::Finished
            } else {
                Portion::More(found)
            });
        }
        let why = "the keys of these rows go on being changed by others";
        Err(StoreFailure::Unavailable(why.to_owned()))
    }

    async fn count_sealed(&self) -> Result<i64, StoreFailure> {
        let mut all = 0;
        let counts = self.steps.iter().map(|step| step.count);
        for sql in counts.chain(["select count(*) as n from subject_keys"]) {
            let row = self
                .engine
                .fetch_optional(Read::new(sql, Vec::new()).long());
            if let Some(row) = row.await.map_err(failure)? {
                all += row.int("n").map_err(failure)?;
            }
        }
        Ok(all)
    }

    async fn renew_keys(
        &self,
        at: &Progress,
        wall: Timestamp,
        at_most: i64,
    ) -> Result<PortionChanges, StoreFailure> {
        let after = match at.row.first() {
            Some(Value::Text(key_id)) => key_id.as_str(),
            _ => "",
        };
        // Rows that the first pass could not open may need keys that no other row needs.
        let deletes = at.pass > 1 && at.unreadable_before == 0;
        self.keys.renew(after, deletes, wall, at_most).await
    }

    async fn reseal_values(
        &self,
        at: &Progress,
        wall: Timestamp,
        at_most: i64,
    ) -> Result<PortionChanges, StoreFailure> {
        let Some(step) = self.steps.iter().find(|step| step.name == at.column) else {
            let why = format!("{} is no sealed column of this version", at.column);
            return Err(StoreFailure::Broken(why));
        };
        let column = step.column;
        let mut parameters = vec![Value::from(at_most)];
        let sql = if at.row.is_empty() {
            step.first
        } else {
            step.next
        };
        parameters.extend(at.row.iter().cloned());
        let rows = self.engine.fetch(Read::new(sql, parameters).long()).await;
        let rows = rows.map_err(failure)?;
        let opening = self.keys.to_open(&rows, column.column).await?;
        let mut changes = PortionChanges::default();
        let mut sealing = self.keys.for_resealing();
        for row in &rows {
            let done = match &column.clear {
                Clear::Elsewhere(seal)
                    if row.opt_bytes(column.column).map_err(failure)?.is_none() =>
                {
                    changes.found += seal(self, row, wall).await?;
                    continue;
                }
                Clear::Elsewhere(_) | Clear::Nowhere | Clear::Column { .. } => {
                    reseal_value(step, row, &opening, &mut sealing, wall).await
                }
            };
            match done {
                Ok(Some(write)) => {
                    changes.writes.push(write);
                    changes.found += 1;
                }
                // The key was destroyed: nobody can open the value.
                Ok(None) | Err(StoreFailure::Destroyed(_)) => {}
                Err(StoreFailure::Broken(why)) => {
                    let column = step.name.as_str();
                    tracing::error!(
                        column,
                        why,
                        "a sealed value can't be opened and stays under its former key"
                    );
                    changes.unreadable += 1;
                }
                Err(failure) => return Err(failure),
            }
        }
        let mut writes = sealing.take_made();
        writes.append(&mut changes.writes);
        changes.writes = writes;
        changes.looked_at = rows.len() as i64;
        if changes.looked_at == at_most
            && let Some(last) = rows.last()
        {
            changes.last = Some(key_of(column, last)?);
        }
        Ok(changes)
    }

    fn finish(
        &self,
        claim: &RotationClaim,
        at: &Progress,
        changes: &PortionChanges,
        wall: Timestamp,
    ) -> Vec<Write> {
        let unreadable = at.unreadable + changes.unreadable;
        let parameters = values![
            claim.rotation_id.as_str(),
            claim.fence,
            wall.as_micros(),
            changes.looked_at,
            unreadable
        ];
        let mut writes = vec![Write::new(FINISH, parameters), sealed_forms::reached()];
        // A value that could not be opened may be repaired later, and is lost without its key.
        if unreadable == 0 {
            writes.push(Write::new(DELETE_RETIRED, Vec::new()).any_rows());
            let retire = values![wall.as_micros(), self.keys.installation_key()];
            writes.push(Write::new(RETIRE, retire).any_rows());
        }
        writes
    }
}

/// Returns the statement that reseals a row; `None` if the row needs none.
async fn reseal_value(
    step: &Step,
    row: &Row,
    opening: &OpenKeys<'_>,
    sealing: &mut ResealingKeys<'_>,
    now: Timestamp,
) -> Result<Option<Write>, StoreFailure> {
    let column = step.column;
    let Some(sealed) = row.opt_bytes(column.column).map_err(failure)? else {
        return value_sealed(step, row, sealing, now).await;
    };
    let subject = (column.subject)(row)?;
    let key = match sealing.key_for(&subject, now).await? {
        Some(key) => key,
        // A value that was stored after the customer's key was destroyed is sealed with the merchant's key.
        None => {
            let merchant = Subject::merchant(&subject.merchant_id);
            let Some(key) = sealing.key_for(&merchant, now).await? else {
                return Ok(None);
            };
            key
        }
    };
    if sealing.is_sealed_by(&sealed, &key) {
        return Ok(None);
    }
    let place = column.place(row)?;
    let text = opening.open_bytes(&place, &sealed)?;
    let mut parameters = values![key.seal(&place, &text), sealed];
    parameters.extend(key_of(column, row)?);
    if column.names_key.is_some() {
        parameters.push(Value::from(key.key_id()));
    }
    Ok(Some(Write::new(step.update, parameters).any_rows()))
}

/// Returns the statement that seals the plaintext of a row; `None` if there is none.
async fn value_sealed(
    step: &Step,
    row: &Row,
    sealing: &mut ResealingKeys<'_>,
    now: Timestamp,
) -> Result<Option<Write>, StoreFailure> {
    let column = step.column;
    let (Clear::Column { name, part }, Some(sql)) = (&column.clear, step.part) else {
        return Ok(None);
    };
    let Some(before) = row.opt_text(*name).map_err(failure)? else {
        return Ok(None);
    };
    let Some((text, left)) = part(&before)? else {
        return Ok(None);
    };
    let Some(key) = sealing.key_for(&(column.subject)(row)?, now).await? else {
        return Ok(None);
    };
    let place = column.place(row)?;
    let sealed = key.seal(&place, &SecretText::new(text));
    let mut parameters = values![sealed, left];
    parameters.extend(key_of(column, row)?);
    parameters.push(Value::from(before));
    Ok(Some(Write::new(sql, parameters).any_rows()))
}
