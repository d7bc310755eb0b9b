//! The check of a SQLite file before it is opened.

use std::path::Path;
use std::time::{Duration, Instant};

use multirail_sql::{Standstill, StoreError};

use super::super::options::FileCheck;
use super::integrity::{self, Access, Depth};

/// A check that takes longer than this is logged.
const REMARKABLE: Duration = Duration::from_secs(1);

impl FileCheck {
    /// Checks the file; blocks. A missing or empty file passes.
    pub(super) fn at(self, path: &Path) -> Result<(), StoreError> {
        let bytes = path.metadata().map_or(0, |metadata| metadata.len());
        if bytes == 0 {
            return Ok(());
        }
        let depth = if bytes <= self.full_up_to_bytes {
            Depth::Full
        } else {
            Depth::Quick
        };
        let began = Instant::now();
        // An unreadable file can't be opened either, and that error explains more.
        let Ok(faults) = integrity::faults(path, depth, Access::Shared) else {
            return Ok(());
        };
        let took = began.elapsed();
        if took > REMARKABLE {
            tracing::info!(bytes, ?took, "the database file was checked");
        }
        match faults.first() {
            None => Ok(()),
            Some(_) => Err(StoreError::Standstill(
                Standstill::Damaged,
                format!("{}: {}", path.display(), faults.join("; ")),
            )),
        }
    }
}
