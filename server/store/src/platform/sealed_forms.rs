//! Checks whether this database stores everything sealed that this version seals. Data of an earlier version stays in
//! plaintext until a change of all data keys has sealed it.

use multirail_app::platform::ports::StoreFailure;
use multirail_kernel::timestamp::Timestamp;

use super::record;
use super::record::failure;
use crate::engine::{Dialect, Engine, Read, Write, values};

/// Counts the kinds of sealed data: one more with each version that seals something that was in plaintext before.
const FORMS: i64 = 1;

/// The seconds for which servers of an earlier version may still run on PostgreSQL after the first server of this version.
/// They can't open the new sealed data.
const UPDATE_SECONDS: i64 = 86_400;

const REACHED: &str = "insert into settings (name, value) values ('sealed_forms', $1) \
     on conflict (name) do update set value = excluded.value";

const BEGIN_FROM: &str = "insert into settings (name, value) values ('sealing_begins_from', $1) on conflict (name) do nothing";

const STATE: &str = "select name, cast(value as bigint) as number from settings \
     where name in ('sealed_forms', 'sealing_begins_from')";

/// Returns the statement that records that everything is sealed.
pub(crate) fn reached() -> Write {
    Write::new(REACHED, values![FORMS.to_string()])
}

/// Returns the wall time from which plaintext is sealed; none if there is no plaintext.
pub(crate) async fn due_from(
    engine: &Engine,
    wall: Timestamp,
) -> Result<Option<Timestamp>, StoreFailure> {
    let (mut forms, mut begins_from) = (0, None);
    let rows = engine.fetch(Read::new(STATE, Vec::new())).await;
    for row in rows.map_err(failure)? {
        let number = row.int("number").map_err(failure)?;
        match row.str("name").map_err(failure)? {
            "sealed_forms" => forms = number,
            _ => begins_from = Some(Timestamp::from_micros(number)),
        }
    }
    if forms >= FORMS {
        return Ok(None);
    }
    match (begins_from, engine.dialect()) {
        (Some(from), _) => Ok(Some(from)),
        // One process has the file to itself.
        (None, Dialect::Sqlite) => Ok(Some(wall)),
        (None, Dialect::Postgres) => {
            let from = wall.later(UPDATE_SECONDS);
            let write = Write::new(BEGIN_FROM, values![from.as_micros().to_string()]);
            record::write_any(engine, vec![write.any_rows()]).await?;
            Ok(Some(from))
        }
    }
}
