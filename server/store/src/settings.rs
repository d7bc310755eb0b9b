//! What the database knows of itself.

use multirail_app::ports::StoreFailure;

use super::engine::{Engine, Read, Write, values};
use super::record::{self, failure};

const ADVANCE_CLOCK: &str = "insert into settings (name, value) values ('clock_offset_seconds', $1) \
     on conflict (name) do update set value = cast(cast(settings.value as bigint) + cast($2 as bigint) as text)";

const CLOCK_OFFSET: &str =
    "select cast(value as bigint) as seconds from settings where name = 'clock_offset_seconds'";

const SETTING: &str = "select value from settings where name = $1";

const REMEMBER: &str =
    "insert into settings (name, value) values ($1, $2) on conflict (name) do nothing";

pub(super) fn advance_clock(seconds: i64) -> Write {
    Write::new(
        ADVANCE_CLOCK,
        values![seconds.to_string(), seconds.to_string()],
    )
}

pub(super) async fn clock_offset(engine: &Engine) -> Result<i64, StoreFailure> {
    let read = Read::new(CLOCK_OFFSET, Vec::new());
    match engine.fetch_optional(read).await.map_err(failure)? {
        Some(row) => row.int("seconds").map_err(failure),
        None => Ok(0),
    }
}

/// Remembers a setting unless it is set already; answers what is stored.
pub(super) async fn remember(
    engine: &Engine,
    name: &str,
    value: &str,
) -> Result<String, StoreFailure> {
    let write = Write::new(REMEMBER, values![name, value]).any_rows();
    record::write_any(engine, vec![write]).await?;
    let row = engine
        .fetch_optional(Read::new(SETTING, values![name]))
        .await
        .map_err(failure)?
        .ok_or_else(|| StoreFailure::Broken(format!("{name} was not remembered")))?;
    row.text("value").map_err(failure)
}
