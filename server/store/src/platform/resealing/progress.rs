//! The progress of a change of all data keys: read, and moved on by each portion.

use multirail_app::platform::ports::StoreFailure;
use multirail_app::platform::ports::installation_keys::RotationClaim;
use multirail_kernel::timestamp::Timestamp;

use super::super::portion::PortionChanges;
use super::super::record::failure;
use super::super::reseal_step::{KEYS, Step};
use crate::engine::{Engine, Read, Value, Write, values};

const AT: &str = "select at_column, at_row, pass, found_in_pass, rows_in_all, unreadable, unreadable_before, settled_at \
     from key_rotations where rotation_id = $1 and fence = $2 and is_open";

const MOVE: &str = "update key_rotations set at_column = $3, at_row = $4, pass = $5, found_in_pass = $6, \
     looked_at = case when pass = $5 then looked_at + $7 else 0 end, sealed_anew = sealed_anew + $8, \
     unreadable = $9, unreadable_before = $10, rows_in_all = $11, lease_until = $12 \
     where rotation_id = $1 and fence = $2 and is_open";

/// The progress of a rotation.
pub(crate) struct Progress {
    pub(crate) column: String,
    pub(crate) row: Vec<Value>,
    pub(crate) pass: i64,
    pub(crate) found_in_pass: i64,
    pub(crate) rows_in_all: Option<i64>,
    pub(crate) unreadable: i64,
    pub(crate) unreadable_before: i64,
    pub(crate) settled_at: Timestamp,
}

impl Progress {
    /// Returns none if another server has the claim, or the rotation is over.
    pub(crate) async fn read(
        engine: &Engine,
        claim: &RotationClaim,
    ) -> Result<Option<Self>, StoreFailure> {
        let read = Read::new(AT, values![claim.rotation_id.as_str(), claim.fence]);
        let Some(row) = engine.fetch_optional(read).await.map_err(failure)? else {
            return Ok(None);
        };
        let number = |column| row.int(column).map_err(failure);
        let column = match row.str("at_column").map_err(failure)? {
            "" => KEYS,
            name => name,
        };
        Ok(Some(Progress {
            column: column.to_owned(),
            row: read_row_key(row.str("at_row").map_err(failure)?)?,
            pass: number("pass")?,
            found_in_pass: number("found_in_pass")?,
            rows_in_all: row.opt_int("rows_in_all").map_err(failure)?,
            unreadable: number("unreadable")?,
            unreadable_before: number("unreadable_before")?,
            settled_at: Timestamp::from_micros(number("settled_at")?),
        }))
    }

    /// Returns whether this ends a pass that found nothing, and during which no server sealed with the former keys.
    pub(crate) fn is_over(&self, steps: &[Step], changes: &PortionChanges) -> bool {
        let is_last_column = steps.last().is_some_and(|step| step.name == self.column);
        let is_pass_over = is_last_column && changes.last.is_none();
        is_pass_over && self.pass > 1 && self.found_in_pass + changes.found == 0
    }

    /// Returns the statement that moves the position.
    pub(crate) fn moved(
        &self,
        steps: &[Step],
        claim: &RotationClaim,
        changes: &PortionChanges,
        rows_in_all: i64,
        lease_until: Timestamp,
    ) -> Write {
        let found = self.found_in_pass + changes.found;
        let unreadable = self.unreadable + changes.unreadable;
        let position = steps.iter().position(|step| step.name == self.column);
        let next_column = match position {
            None => steps.first(),
            Some(position) => steps.get(position + 1),
        };
        let same_pass = |column: &str, row: String| {
            (
                column.to_owned(),
                row,
                self.pass,
                found,
                unreadable,
                self.unreadable_before,
            )
        };
        let (column, row, pass, found, unreadable, unreadable_before) =
            match (&changes.last, next_column) {
                (Some(last), _) => same_pass(&self.column, write_row_key(last)),
                (None, Some(next)) => same_pass(&next.name, String::new()),
                (None, None) => (
                    KEYS.to_owned(),
                    String::new(),
                    self.pass + 1,
                    0,
                    0,
                    unreadable,
                ),
            };
        let parameters = values![
            claim.rotation_id.as_str(),
            claim.fence,
            column,
            row,
            pass,
            found,
            changes.looked_at,
            changes.found,
            unreadable,
            unreadable_before,
            rows_in_all,
            lease_until.as_micros()
        ];
        Write::new(MOVE, parameters)
    }
}

/// Returns the key of a row as a JSON array, from which the next portion continues.
fn write_row_key(key: &[Value]) -> String {
    let parts = key.iter().map(|value| match value {
        Value::Text(text) => serde_json::Value::from(text.as_str()),
        Value::Int(number) => serde_json::Value::from(*number),
        Value::Bool(_) | Value::Bytes(_) | Value::Null(_) => serde_json::Value::Null,
    });
    serde_json::Value::Array(parts.collect()).to_string()
}

fn read_row_key(text: &str) -> Result<Vec<Value>, StoreFailure> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let broken =
        || StoreFailure::Broken("where a change of keys has come to does not read".to_owned());
    let parts: Vec<serde_json::Value> = serde_json::from_str(text).map_err(|_| broken())?;
    let value = |part: &serde_json::Value| match part {
        serde_json::Value::String(text) => Some(Value::from(text.as_str())),
        serde_json::Value::Number(number) => number.as_i64().map(Value::from),
        _ => None,
    };
    parts
        .iter()
        .map(|part| value(part).ok_or_else(broken))
        .collect()
}
