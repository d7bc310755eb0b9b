//! A portion of a change of all data keys: the next rows of the next column, sealed with the key that their owner has now.
//!
//! First every owner is given a key, and the former ones are wrapped by the new key of the installation; then come the
//! columns that those keys seal. A row that is changed at the same time is left as it is: whoever changed it sealed it,
//! with the new key where he knew it; else the next pass finds it.

use std::sync::LazyLock;

use multirail_app::ports::StoreFailure;
use multirail_app::ports::installation_keys::{Portion, RotationClaim};
use multirail_app::ports::seal::Subject;
use multirail_domain::ids::PaymentId;
use multirail_domain::secret::SecretText;
use multirail_domain::timestamp::Timestamp;

use super::engine::{Miss, Read, Row, Value, Write, WriteError, values};
use super::lower_payment;
use super::payments;
use super::record::{self, failure};
use super::sealed_columns::{Clear, SEALED_COLUMNS, SealedColumn};
use super::sealed_forms;
use super::sql_store::SqlStore;
use super::subject_keys::{self, AnewKeys, MADE_MEANWHILE, OpenKeys};

const AT: &str = "select at_column, at_row, pass, found_in_pass, rows_in_all, unreadable, unreadable_before, settled_at \
     from key_rotations where rotation_id = $1 and fence = $2 and is_open";

const MOVE: &str = "update key_rotations set at_column = $3, at_row = $4, pass = $5, found_in_pass = $6, \
     looked_at = case when pass = $5 then looked_at + $7 else 0 end, sealed_anew = sealed_anew + $8, \
     unreadable = $9, unreadable_before = $10, rows_in_all = $11, lease_until = $12 \
     where rotation_id = $1 and fence = $2 and is_open";

const FINISH: &str = "update key_rotations set is_open = false, finished_at = $3, looked_at = looked_at + $4, \
     unreadable_before = $5, lease_until = 0 where rotation_id = $1 and fence = $2 and is_open";

/// Nothing has been left under these since an earlier change.
const DELETE_RETIRED: &str =
    "delete from wrapped_keys where purpose = 'data' and retired_at is not null";

const RETIRE: &str = "update wrapped_keys set retired_at = $1 where purpose = 'data' and retired_at is null and key_id <> $2";

/// The name of the first step, which isn't one of [`SEALED_COLUMNS`].
pub(super) const KEYS: &str = "subject_keys.wrapped";

/// How often a portion is tried whose rows others give keys or take them from at the same time.
const TRIES: u32 = 5;

/// A column with its statements.
struct Step {
    column: &'static SealedColumn,
    name: String,
    first: &'static str,
    next: &'static str,
    count: &'static str,
    update: &'static str,
    /// Seals what stands in the clear.
    part: Option<&'static str>,
}

static STEPS: LazyLock<Vec<Step>> = LazyLock::new(|| SEALED_COLUMNS.iter().map(Step::of).collect());

impl Step {
    fn of(column: &'static SealedColumn) -> Self {
        let SealedColumn {
            table,
            column: sealed,
            key,
            also,
            names_key,
            ..
        } = column;
        let keys = key.join(", ");
        let clear = match column.clear {
            Clear::Column { name, .. } => Some(name),
            Clear::Nowhere | Clear::Payment => None,
        };
        let columns = [*key, *also, &[*sealed]].concat();
        let columns = columns.into_iter().chain(clear);
        let columns = columns.collect::<Vec<_>>().join(", ");
        let numbered = |from: usize| {
            let numbers = (0..key.len()).map(|index| format!("${}", from + index));
            numbers.collect::<Vec<_>>()
        };
        let after = numbered(2).join(", ");
        let of_row = key.iter().zip(numbered(3));
        let of_row: Vec<String> = of_row
            .map(|(name, number)| format!("{name} = {number}"))
            .collect();
        let named =
            names_key.map_or_else(String::new, |name| format!(", {name} = ${}", 3 + key.len()));
        // A few dozen statements, for as long as the process lives.
        let kept = |sql: String| -> &'static str { sql.leak() };
        Step {
            column,
            name: column.name(),
            first: kept(format!(
                "select {columns} from {table} order by {keys} limit $1"
            )),
            next: kept(format!(
                "select {columns} from {table} where ({keys}) > ({after}) order by {keys} limit $1"
            )),
            count: kept(format!(
                "select count(*) as n from {table} where {sealed} is not null"
            )),
            update: kept(format!(
                "update {table} set {sealed} = $1{named} where {} and {sealed} = $2",
                of_row.join(" and ")
            )),
            part: clear.map(|clear| {
                let before = 3 + key.len();
                kept(format!(
                    "update {table} set {sealed} = $1, {clear} = $2 where {} and {clear} = ${before} and {sealed} is null",
                    of_row.join(" and ")
                ))
            }),
        }
    }
}

/// How far a rotation has come.
struct At {
    column: String,
    row: Vec<Value>,
    pass: i64,
    found_in_pass: i64,
    rows_in_all: Option<i64>,
    unreadable: i64,
    unreadable_before: i64,
    settled_at: Timestamp,
}

/// What a portion is to change.
#[derive(Default)]
pub(super) struct Anew {
    pub(super) writes: Vec<Write>,
    /// Rows that were looked at.
    pub(super) looked_at: i64,
    /// Rows that were found under a former key.
    pub(super) found: i64,
    pub(super) unreadable: i64,
    /// The key of the last row; `None` when the column is through.
    pub(super) last: Option<Vec<Value>>,
}

impl SqlStore {
    pub(super) async fn seal_next_portion(
        &self,
        claim: &RotationClaim,
        wall: Timestamp,
        lease_until: Timestamp,
        at_most: i64,
    ) -> Result<Portion, StoreFailure> {
        for _ in 0..TRIES {
            let Some(at) = self.at(claim).await? else {
                return Ok(Portion::Lost);
            };
            // Whoever had not heard of the new keys has stored what he had sealed.
            if at.pass > 1 && at.column == KEYS && at.row.is_empty() && wall < at.settled_at {
                return Ok(Portion::Wait(at.settled_at));
            }
            let rows_in_all = match at.rows_in_all {
                Some(rows) => rows,
                None => self.count_sealed().await?,
            };
            let mut anew = if at.column == KEYS {
                self.keys_anew(&at, wall, at_most).await?
            } else {
                self.values_anew(&at, wall, at_most).await?
            };
            let (found, gives_keys) = (anew.found as u64, at.column == KEYS && anew.found > 0);
            let mut writes = std::mem::take(&mut anew.writes);
            let is_over = is_over(&at, &anew);
            if is_over {
                writes.extend(self.finish(claim, &at, &anew, wall));
            } else {
                writes.push(moved(claim, &at, &anew, rows_in_all, lease_until));
            }
            if gives_keys || is_over {
                writes.push(subject_keys::changed());
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

    async fn at(&self, claim: &RotationClaim) -> Result<Option<At>, StoreFailure> {
        let read = Read::new(AT, values![claim.rotation_id.as_str(), claim.fence]);
        let Some(row) = self.engine.fetch_optional(read).await.map_err(failure)? else {
            return Ok(None);
        };
        let number = |column| row.int(column).map_err(failure);
        let column = match row.str("at_column").map_err(failure)? {
            "" => KEYS,
            name => name,
        };
        Ok(Some(At {
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

    async fn count_sealed(&self) -> Result<i64, StoreFailure> {
        let mut all = 0;
        let counts = STEPS.iter().map(|step| step.count);
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

    async fn keys_anew(
        &self,
        at: &At,
        wall: Timestamp,
        at_most: i64,
    ) -> Result<Anew, StoreFailure> {
        let after = match at.row.first() {
            Some(Value::Text(key_id)) => key_id.as_str(),
            _ => "",
        };
        // What a first pass found unreadable may need keys that nothing else does.
        let deletes = at.pass > 1 && at.unreadable_before == 0;
        self.keys.anew(after, deletes, wall, at_most).await
    }

    async fn values_anew(
        &self,
        at: &At,
        wall: Timestamp,
        at_most: i64,
    ) -> Result<Anew, StoreFailure> {
        let Some(step) = STEPS.iter().find(|step| step.name == at.column) else {
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
        let mut anew = Anew::default();
        let mut sealing = self.keys.for_anew();
        for row in &rows {
            let done = match &column.clear {
                Clear::Payment if row.opt_bytes(column.column).map_err(failure)?.is_none() => {
                    anew.found += self.part_payment(row, wall).await?;
                    continue;
                }
                Clear::Payment | Clear::Nowhere | Clear::Column { .. } => {
                    value_anew(step, row, &opening, &mut sealing, wall).await
                }
            };
            match done {
                Ok(Some(write)) => {
                    anew.writes.push(write);
                    anew.found += 1;
                }
                // With a destroyed key nobody opens it.
                Ok(None) | Err(StoreFailure::Destroyed(_)) => {}
                Err(StoreFailure::Broken(why)) => {
                    let column = step.name.as_str();
                    tracing::error!(
                        column,
                        why,
                        "what rests sealed can't be opened and stays under its former key"
                    );
                    anew.unreadable += 1;
                }
                Err(failure) => return Err(failure),
            }
        }
        let mut writes = sealing.take_made();
        writes.append(&mut anew.writes);
        anew.writes = writes;
        anew.looked_at = rows.len() as i64;
        if anew.looked_at == at_most
            && let Some(last) = rows.last()
        {
            anew.last = Some(key_of(column, last)?);
        }
        Ok(anew)
    }

    /// Seals who paid, beside the records that told of him; answers how many payments it found. What is changed at the same
    /// time is found by the next pass.
    async fn part_payment(&self, row: &Row, wall: Timestamp) -> Result<i64, StoreFailure> {
        let subject = payments::subject_of_row(row)?;
        let payment_id = PaymentId::parse(row.str("payment_id").map_err(failure)?);
        let payment_id = record::id(payment_id)?;
        let (engine, merchant_id) = (&self.engine, &subject.merchant_id);
        let found = payments::payment_of_nobody(engine, merchant_id, &payment_id).await;
        let payment = match found {
            Ok(Some(payment)) => payment,
            Ok(None) => return Ok(0),
            // Of a later version: its servers seal it.
            Err(StoreFailure::Broken(_)) => return Ok(0),
            Err(failure) => return Err(failure),
        };
        let Some(personal) = payment.personal() else {
            return Ok(0);
        };
        let key = match self.keys.own(&subject, wall).await {
            Ok(key) => key,
            // He was redacted, and so will the payment be.
            Err(StoreFailure::Destroyed(_)) => return Ok(0),
            Err(failure) => return Err(failure),
        };
        let writes = lower_payment::part(&payment, &personal, &key)?;
        match self.engine.write(writes).await {
            Ok(_) | Err(WriteError::Miss(_)) => Ok(1),
            Err(WriteError::Store(error)) => Err(failure(error)),
        }
    }

    fn finish(&self, claim: &RotationClaim, at: &At, anew: &Anew, wall: Timestamp) -> Vec<Write> {
        let unreadable = at.unreadable + anew.unreadable;
        let parameters = values![
            claim.rotation_id.as_str(),
            claim.fence,
            wall.as_micros(),
            anew.looked_at,
            unreadable
        ];
        let mut writes = vec![Write::new(FINISH, parameters), sealed_forms::reached()];
        // What could not be opened may be mended, and is no use without its key then.
        if unreadable == 0 {
            writes.push(Write::new(DELETE_RETIRED, Vec::new()).any_rows());
            let retire = values![wall.as_micros(), self.keys.installation_key()];
            writes.push(Write::new(RETIRE, retire).any_rows());
        }
        writes
    }
}

/// What seals a row anew; `None` where that isn't called for.
async fn value_anew(
    step: &Step,
    row: &Row,
    opening: &OpenKeys<'_>,
    sealing: &mut AnewKeys<'_>,
    now: Timestamp,
) -> Result<Option<Write>, StoreFailure> {
    let column = step.column;
    let Some(sealed) = row.opt_bytes(column.column).map_err(failure)? else {
        return value_sealed(step, row, sealing, now).await;
    };
    let subject = (column.subject)(row)?;
    let key = match sealing.of(&subject, now).await? {
        Some(key) => key,
        // What came after the customer's key was destroyed is under his merchant's.
        None => {
            let merchant = Subject::merchant(&subject.merchant_id);
            let Some(key) = sealing.of(&merchant, now).await? else {
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

/// What seals what stands in the clear; `None` where nothing does.
async fn value_sealed(
    step: &Step,
    row: &Row,
    sealing: &mut AnewKeys<'_>,
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
    let Some(key) = sealing.of(&(column.subject)(row)?, now).await? else {
        return Ok(None);
    };
    let place = column.place(row)?;
    let sealed = key.seal(&place, &SecretText::new(text));
    let mut parameters = values![sealed, left];
    parameters.extend(key_of(column, row)?);
    parameters.push(Value::from(before));
    Ok(Some(Write::new(sql, parameters).any_rows()))
}

/// A pass that nobody who hadn't heard of the new keys can have disturbed, and that found nothing.
fn is_over(at: &At, anew: &Anew) -> bool {
    let is_last_column = STEPS.last().is_some_and(|step| step.name == at.column);
    let is_pass_over = is_last_column && anew.last.is_none();
    is_pass_over && at.pass > 1 && at.found_in_pass + anew.found == 0
}

/// Where the work goes on.
fn moved(
    claim: &RotationClaim,
    at: &At,
    anew: &Anew,
    rows_in_all: i64,
    lease_until: Timestamp,
) -> Write {
    let found = at.found_in_pass + anew.found;
    let unreadable = at.unreadable + anew.unreadable;
    let position = STEPS.iter().position(|step| step.name == at.column);
    let next_column = match position {
        None => STEPS.first(),
        Some(position) => STEPS.get(position + 1),
    };
    let same_pass = |column: &str, row: String| {
        (
            column.to_owned(),
            row,
            at.pass,
            found,
            unreadable,
            at.unreadable_before,
        )
    };
    let (column, row, pass, found, unreadable, unreadable_before) = match (&anew.last, next_column)
    {
        (Some(last), _) => same_pass(&at.column, write_row_key(last)),
        (None, Some(next)) => same_pass(&next.name, String::new()),
        (None, None) => (
            KEYS.to_owned(),
            String::new(),
            at.pass + 1,
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
        anew.looked_at,
        anew.found,
        unreadable,
        unreadable_before,
        rows_in_all,
        lease_until.as_micros()
    ];
    Write::new(MOVE, parameters)
}

fn key_of(column: &SealedColumn, row: &Row) -> Result<Vec<Value>, StoreFailure> {
    let value = |name: &&'static str| row.value(*name).cloned().map_err(failure);
    column.key.iter().map(value).collect()
}

/// The key of a row as a JSON array, to go on from there.
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
