//! The audit log: the entries that commits leave, their chain, and the queries. No statement here changes or deletes an
//! entry. An entry that is deleted from the inbox is inserted into the log by the same commit.

use async_trait::async_trait;
use multirail_app::platform::ports::audit::{AuditRecord, AuditSearch};
use multirail_app::platform::ports::{AuditStore, StoreFailure};
use multirail_kernel::audit::{
    AuditEntry, Chained, Head, Named, Stamp, Stamped, stamp_of_text, stamp_text,
};
use multirail_kernel::timestamp::Timestamp;

use super::conditions::Conditions;
use super::record;
use super::record::failure;
use super::sql_store::SqlStore;
use crate::engine::{Miss, Read, Row, Value, Write, WriteError, values};

const INBOX: &str = "audit_inbox";
const LOG: &str = "audit_log";

/// A request that repeats a commit with an unknown outcome leaves one entry all the same.
const LEAVE: &str = "insert into audit_inbox (request_id, recorded_at, operation, principal, principal_id, merchant_id, \
     target, objects, ip, stamp) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing";

const UNCHAINED: &str = "select request_id, recorded_at, operation, principal, principal_id, merchant_id, target, \
     objects, ip, stamp from audit_inbox order by recorded_at, request_id limit $1";

const APPEND: &str = "insert into audit_log (sequence, request_id, recorded_at, operation, principal, principal_id, \
     merchant_id, target, objects, ip, stamp, link) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";

const TAKE: &str = "delete from audit_inbox where request_id = $1";

const HEAD: &str = "select entries, link, stamp from audit_head where chain = 1";

/// Comes first in its commit: the second of two servers waits here, and then sees that the head has moved.
const MOVE_HEAD: &str =
    "update audit_head set entries = $1, link = $2, stamp = $3 where chain = 1 and entries = $4";

const FIRST_HEAD: &str = "insert into audit_head (chain, entries, link, stamp) values (1, $1, $2, $3) on conflict do nothing";

const COLUMNS: &str = "sequence, request_id, recorded_at, operation, principal, principal_id, merchant_id, target, \
     objects, ip, stamp, link";

const PORTION: &str = "select sequence, request_id, recorded_at, operation, principal, principal_id, merchant_id, target, \
     objects, ip, stamp, link from audit_log where sequence >= $1 order by sequence limit $2";

#[async_trait]
impl AuditStore for SqlStore {
    async fn unchained_entries(&self, at_most: i64) -> Result<Vec<Stamped>, StoreFailure> {
        let read = Read::new(UNCHAINED, values![at_most]);
        let rows = self.engine.fetch(read).await.map_err(failure)?;
        // Nothing is left out: an unreadable entry would never be chained, and an operator has to look at it.
        rows.iter().map(stamped).collect()
    }

    async fn audit_head(&self) -> Result<Option<Head>, StoreFailure> {
        let read = Read::new(HEAD, Vec::new());
        let found = self.engine.fetch_optional(read).await.map_err(failure)?;
        let Some(row) = found else { return Ok(None) };
        // The stamp covers everything that the head holds.
        let mut stray = String::new();
        Ok(Some(Head {
            entries: row.int("entries").map_err(failure)?,
            link: stamp(&row, "link", &mut stray)?,
            stamp: stamp(&row, "stamp", &mut stray)?,
        }))
    }

    async fn chain_entries(
        &self,
        former: i64,
        entries: &[Chained],
        head: &Head,
    ) -> Result<bool, StoreFailure> {
        let mut parameters = values![
            head.entries,
            stamp_text(&head.link),
            stamp_text(&head.stamp)
        ];
        let mut writes = vec![if former == 0 {
            Write::new(FIRST_HEAD, parameters)
        } else {
            parameters.push(Value::from(former));
            Write::new(MOVE_HEAD, parameters)
        }];
        for one in entries {
            let mut parameters = values![one.sequence];
            parameters.extend(content(&one.entry)?);
            parameters.extend(values![stamp_text(&one.stamp), stamp_text(&one.link)]);
            writes.push(Write::new(APPEND, parameters));
        }
        for one in entries {
            writes.push(Write::new(TAKE, values![one.entry.request_id.as_str()]));
        }
        match self.engine.write(writes).await {
            Ok(_) => Ok(true),
            Err(WriteError::Miss(Miss::Conflict | Miss::Duplicate(_) | Miss::Gone(_))) => Ok(false),
            Err(WriteError::Store(error)) => Err(failure(error)),
        }
    }

    async fn audit_entries(&self, search: &AuditSearch) -> Result<Vec<Chained>, StoreFailure> {
        let mut conditions = Conditions::all();
        for (column, wanted) in [
            ("merchant_id =", &search.merchant_id),
            ("principal =", &search.principal),
            ("principal_id =", &search.principal_id),
            ("operation =", &search.operation),
            ("request_id =", &search.request_id),
        ] {
            conditions.compare(column, wanted.as_deref());
        }
        conditions.compare("recorded_at >=", search.from.map(Timestamp::as_micros));
        conditions.compare("recorded_at <=", search.until.map(Timestamp::as_micros));
        conditions.compare("sequence <", search.before);
        let sql = format!(
            "select {COLUMNS} from audit_log where {} order by sequence desc limit {}",
            conditions.text, search.limit
        );
        self.chained(Read::new(sql, conditions.parameters)).await
    }

    async fn audit_portion(&self, from: i64, at_most: i64) -> Result<Vec<Chained>, StoreFailure> {
        self.chained(Read::new(PORTION, values![from, at_most]))
            .await
    }
}

impl SqlStore {
    async fn chained(&self, read: Read) -> Result<Vec<Chained>, StoreFailure> {
        let rows = self.engine.fetch(read.long()).await.map_err(failure)?;
        let mut found = Vec::with_capacity(rows.len());
        for row in &rows {
            let sequence = row.int("sequence").map_err(failure)?;
            found.extend(record::readable(LOG, sequence, chained(row, sequence))?);
        }
        Ok(found)
    }
}

/// Returns the statement that stores a change-set's audit entry.
pub(crate) fn leave(record: &AuditRecord) -> Result<Write, StoreFailure> {
    let mut parameters = content(&record.stamped.entry)?;
    parameters.push(Value::from(stamp_text(&record.stamped.stamp)));
    Ok(Write::new(LEAVE, parameters).on(INBOX).any_rows())
}

/// Returns all columns that both tables have, except the stamp.
fn content(entry: &AuditEntry) -> Result<Vec<Value>, StoreFailure> {
    Ok(values![
        entry.request_id.as_str(),
        entry.recorded_at.as_micros(),
        entry.operation.as_str(),
        entry.principal.as_str(),
        entry.principal_id.as_deref(),
        entry.merchant_id.as_deref(),
        list(&entry.target)?,
        list(&entry.objects)?,
        entry.ip.as_str()
    ])
}

fn list(named: &[Named]) -> Result<String, StoreFailure> {
    serde_json::to_string(named).map_err(|error| StoreFailure::Broken(error.to_string()))
}

fn stamped(row: &Row) -> Result<Stamped, StoreFailure> {
    let text = |column| row.text(column).map_err(failure);
    let optional = |column| row.opt_text(column).map_err(failure);
    let mut stray = String::new();
    let target = named(row, "target", &mut stray)?;
    let objects = named(row, "objects", &mut stray)?;
    let own = stamp(row, "stamp", &mut stray)?;
    let recorded_at = row.int("recorded_at").map_err(failure)?;
    Ok(Stamped {
        entry: AuditEntry {
            request_id: text("request_id")?,
            recorded_at: Timestamp::from_micros(recorded_at),
            operation: text("operation")?,
            principal: text("principal")?,
            principal_id: optional("principal_id")?,
            merchant_id: optional("merchant_id")?,
            target,
            objects,
            ip: text("ip")?,
            stray: (!stray.is_empty()).then_some(stray),
        },
        stamp: own,
    })
}

/// Reads a list. Text that [`list`] wouldn't write for it is `stray`: no stamp covers it.
fn named(row: &Row, column: &str, stray: &mut String) -> Result<Vec<Named>, StoreFailure> {
    let text = row.str(column).map_err(failure)?;
    let read: Vec<Named> = serde_json::from_str(text).unwrap_or_default();
    if list(&read)? != text {
        stray.push_str(text);
    }
    Ok(read)
}

fn chained(row: &Row, sequence: i64) -> Result<Chained, StoreFailure> {
    let Stamped {
        mut entry,
        stamp: own,
    } = stamped(row)?;
    let mut stray = entry.stray.take().unwrap_or_default();
    let link = stamp(row, "link", &mut stray)?;
    entry.stray = (!stray.is_empty()).then_some(stray);
    Ok(Chained {
        sequence,
        entry,
        stamp: own,
        link,
    })
}

/// Reads a stamp. A stamp in capital letters is `stray`, like text in [`named`].
fn stamp(row: &Row, column: &str, stray: &mut String) -> Result<Stamp, StoreFailure> {
    let text = row.str(column).map_err(failure)?;
    let read = stamp_of_text(text).ok_or_else(|| {
        let why = format!("an audit entry's {column} is no stamp");
        StoreFailure::Broken(why)
    })?;
    if stamp_text(&read) != text {
        stray.push_str(text);
    }
    Ok(read)
}
