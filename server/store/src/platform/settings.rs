//! Settings that belong to the database.

use async_trait::async_trait;
use multirail_app::platform::ports::{ClockChange, ClockStore, StoreFailure};
use multirail_kernel::audit::Named;
use multirail_platform::{Change, Invalidates, SealedFor, Writing};

use super::lower::Stored;
use super::record;
use super::record::failure;
use super::sql_store::SqlStore;
use crate::engine::{Engine, Read, Write, values};

const ADVANCE_CLOCK: &str = "insert into settings (name, value) values ('clock_offset_seconds', $1) \
     on conflict (name) do update set value = cast(cast(settings.value as bigint) + cast($2 as bigint) as text)";

const CLOCK_OFFSET: &str =
    "select cast(value as bigint) as seconds from settings where name = 'clock_offset_seconds'";

const SETTING: &str = "select value from settings where name = $1";

const REMEMBER: &str =
    "insert into settings (name, value) values ($1, $2) on conflict (name) do nothing";

#[async_trait]
impl ClockStore for SqlStore {
    async fn clock_offset(&self) -> Result<i64, StoreFailure> {
        let read = Read::new(CLOCK_OFFSET, Vec::new());
        match self.engine.fetch_optional(read).await.map_err(failure)? {
            Some(row) => row.int("seconds").map_err(failure),
            None => Ok(0),
        }
    }
}

impl Change for Stored<ClockChange> {
    fn write(&self, _: &Writing<'_>, writes: &mut Vec<Write>) -> Result<(), StoreFailure> {
        match &self.0 {
            ClockChange::Advance { seconds } => {
                let parameters = values![seconds.to_string(), seconds.to_string()];
                writes.push(Write::new(ADVANCE_CLOCK, parameters));
            }
        }
        Ok(())
    }

    fn invalidates(&self) -> Invalidates {
        Invalidates::Nothing
    }

    fn sealed_for(&self) -> SealedFor<'_> {
        SealedFor::Nobody
    }

    fn audited(&self) -> Option<Named> {
        None
    }
}

/// Reads a setting, if it is stored.
pub(crate) async fn read(engine: &Engine, name: &str) -> Result<Option<String>, StoreFailure> {
    let row = engine
        .fetch_optional(Read::new(SETTING, values![name]))
        .await;
    let row = row.map_err(failure)?;
    row.map(|row| row.text("value"))
        .transpose()
        .map_err(failure)
}

/// Stores a setting unless it is set already; returns the stored value.
pub(crate) async fn remember(
    engine: &Engine,
    name: &str,
    value: &str,
) -> Result<String, StoreFailure> {
    let write = Write::new(REMEMBER, values![name, value]).any_rows();
    record::write_any(engine, vec![write]).await?;
    let stored = read(engine, name).await?;
    stored.ok_or_else(|| StoreFailure::Broken(format!("{name} was not remembered")))
}
