//! Change-sets: committed, proven by a row of their own, and purged when they are old.

use async_trait::async_trait;
use multirail_app::platform::ports::failure::Gone;
use multirail_app::platform::ports::{
    Actor, ChangeSet, ChangeSetStore, CommitError, Standstill, StoreFailure,
};
use multirail_kernel::timestamp::Timestamp;

use super::record;
use super::record::failure;
use super::sql_store::SqlStore;
use super::subject_keys::MADE_MEANWHILE;
use super::{cached, constraints, subject_keys};
use crate::engine::{Dialect, Miss, Read, StoreError, Write, WriteError, values};

const TABLE: &str = "change_sets";

/// The most times that a change-set is sealed, because other servers store the first keys of its subjects at the same time.
const SEALED_AT_MOST: u32 = 5;

const INSERT: &str = "insert into change_sets (change_set_id, merchant_id, actor, request_id, committed_at) \
     values ($1, $2, $3, $4, $5)";

const FIND: &str = "select change_set_id from change_sets where change_set_id = $1";

/// Ids begin with the time of the commit, so the oldest come first in the primary key. No index over the time is needed,
/// which every commit would have to write.
const PURGE_BY_ID: &str = "delete from change_sets where change_set_id in (select change_set_id from \
     (select change_set_id, committed_at from change_sets order by change_set_id limit $2) oldest \
     where committed_at < $1)";

/// On SQLite the table is in the order of the commits and has no key. Ids of the same moment are committed in any order,
/// and inserting them between each other would write several pages.
const PURGE_BY_ROW: &str = "delete from change_sets where rowid in (select row from \
     (select rowid as row, committed_at from change_sets order by rowid limit $2) oldest \
     where committed_at < $1)";

#[async_trait]
impl ChangeSetStore for SqlStore {
    async fn commit(&self, change_set: ChangeSet) -> Result<(), CommitError> {
        let committed = self.commit_whole(&change_set).await;
        if let (Ok(()), Some(record)) = (&committed, &change_set.audit) {
            record.note.mark_stored();
        }
        committed
    }

    async fn purge_change_sets(
        &self,
        made_before: Timestamp,
        at_most: i64,
    ) -> Result<u64, StoreFailure> {
        let purge = match self.engine.dialect() {
            Dialect::Sqlite => PURGE_BY_ROW,
            Dialect::Postgres => PURGE_BY_ID,
        };
        record::purge(&self.engine, purge, made_before, at_most).await
    }
}

impl SqlStore {
    async fn commit_whole(&self, change_set: &ChangeSet) -> Result<(), CommitError> {
        let concerns_accounts = change_set.changes.iter().any(cached::concerns);
        let mut tries_left = SEALED_AT_MOST;
        let written = loop {
            let keys = self.keys.for_commit(change_set).await?;
            let mut writes = self.lower(change_set, keys)?;
            if concerns_accounts {
                writes.push(cached::count_up());
            }
            let written = self.engine.write(writes).await;
            tries_left -= 1;
            let is_made_meanwhile = matches!(
                written,
                Err(WriteError::Miss(Miss::Duplicate(MADE_MEANWHILE)))
            );
            if !is_made_meanwhile || tries_left == 0 {
                break written;
            }
        };
        if concerns_accounts {
            self.cache.clear();
        }
        if change_set.changes.iter().any(subject_keys::destroys) {
            self.keys.forget_customers();
        }
        match written {
            Ok(_) => Ok(()),
            Err(WriteError::Miss(Miss::Duplicate(MADE_MEANWHILE))) => {
                let why = "others go on making the keys that it is sealed with";
                Err(StoreFailure::Unavailable(why.to_owned()).into())
            }
            Err(WriteError::Miss(Miss::Conflict)) => Err(CommitError::Conflict),
            Err(WriteError::Miss(Miss::Duplicate(what))) => Err(CommitError::Duplicate(what)),
            Err(WriteError::Miss(Miss::Gone(what))) => Err(gone(what)),
            Err(WriteError::Store(StoreError::OutcomeUnknown(why))) => {
                // A file that this process has open doesn't answer: the next start reads it again.
                if self.engine.dialect() == Dialect::Sqlite {
                    return Err(StoreFailure::Standstill(Standstill::Unsure, why).into());
                }
                if self.took_place(change_set.id.as_str()).await? {
                    Ok(())
                } else {
                    Err(StoreFailure::Unavailable(why).into())
                }
            }
            Err(WriteError::Store(error)) => Err(constraints::commit_error(error)),
        }
    }

    /// Returns whether a change-set whose answer was lost was committed.
    async fn took_place(&self, change_set_id: &str) -> Result<bool, StoreFailure> {
        let read = Read::new(FIND, values![change_set_id]);
        let found = self.engine.fetch_optional(read).await.map_err(failure)?;
        Ok(found.is_some())
    }
}

/// Returns the error for an object that a statement missed. Each statement takes its name from [`Gone`].
fn gone(what: &'static str) -> CommitError {
    match Gone::named(what) {
        Some(gone) => CommitError::Gone(gone),
        None => StoreFailure::Broken(format!("{what} is gone")).into(),
    }
}

/// Returns the row that a change-set adds to its changes.
pub(crate) fn proof(change_set: &ChangeSet) -> Write {
    let parameters = values![
        change_set.id.as_str(),
        change_set.merchant_id.as_ref().map(|id| id.as_str()),
        actor(&change_set.actor),
        change_set.request_id.as_deref(),
        change_set.at.as_micros()
    ];
    Write::new(INSERT, parameters).on(TABLE).certain()
}

fn actor(actor: &Actor) -> String {
    match actor {
        Actor::Admin => "admin".to_owned(),
        Actor::ApiKey(key_id) => format!("api_key:{key_id}"),
        Actor::Platform {
            merchant_id,
            key_id,
        } => format!("platform:{merchant_id}:{key_id}"),
        Actor::User(user_id) => format!("user:{user_id}"),
        Actor::Client => "client".to_owned(),
        Actor::Payer => "payer".to_owned(),
        Actor::Worker(name) => format!("worker:{name}"),
        Actor::Startup => "startup".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_name_the_actor_as_ever() {
        let id = || "id".to_owned();
        let actors = [
            Actor::Admin,
            Actor::ApiKey(id()),
            Actor::Platform {
                merchant_id: "shop".to_owned(),
                key_id: id(),
            },
            Actor::User(id()),
            Actor::Client,
            Actor::Payer,
            Actor::Worker("reaper"),
            Actor::Startup,
        ];
        let words: Vec<String> = actors.iter().map(actor).collect();
        insta::assert_snapshot!(words.join("\n"), @"
        admin
        api_key:id
        platform:shop:id
        user:id
        client
        payer
        worker:reaper
        startup
        ");
    }
}
