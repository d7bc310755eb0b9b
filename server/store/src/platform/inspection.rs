//! Inspects a whole database, such as a restored one: whether the keys open every sealed value. Reads only.

use multirail_app::platform::ports::StoreFailure;

use super::record::failure;
use super::sql_store::SqlStore;
use crate::engine::{Read, values};

/// Rows that are read at once.
pub(crate) const AT_ONCE: i64 = 300;

/// Faults that are named; the others are counted.
const NAMED: usize = 10;

/// The findings of an inspection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inspection {
    /// Number of values or payments that were inspected.
    pub looked_at: u64,
    /// Sealed values whose key was destroyed on purpose, with a customer.
    pub destroyed: u64,
    pub faults: u64,
    /// The first faults, a line each.
    pub named: Vec<String>,
}

impl Inspection {
    pub(crate) fn fault(&mut self, what: String) {
        self.faults += 1;
        if self.named.len() < NAMED {
            self.named.push(what);
        }
    }
}

impl SqlStore {
    /// Checks that every sealed value opens with the keys at hand.
    ///
    /// # Errors
    /// Fails when the database can't be read.
    pub async fn inspect_sealed(&self) -> Result<Inspection, StoreFailure> {
        let mut found = Inspection::default();
        for step in &self.steps {
            let mut read = Read::new(step.first, values![AT_ONCE]);
            loop {
                let rows = self.engine.fetch(read.long()).await.map_err(failure)?;
                let opening = match self.keys.to_open(&rows, step.column.column).await {
                    Ok(opening) => opening,
                    // A key of these rows doesn't open; the rows are then opened one by one.
                    Err(StoreFailure::Broken(_)) => self.keys.to_open([], "").await?,
                    Err(failure) => return Err(failure),
                };
                for row in &rows {
                    let Some(sealed) = row.opt_bytes(step.column.column).map_err(failure)? else {
                        continue;
                    };
                    found.looked_at += 1;
                    let place = step.column.place(row)?;
                    let mut opened = opening.open_bytes(&place, &sealed);
                    if let Err(StoreFailure::Broken(_)) = opened {
                        opened = match self.keys.to_open_bytes(&sealed).await {
                            Ok(own) => own.open_bytes(&place, &sealed),
                            Err(failure) => Err(failure),
                        };
                    }
                    match opened {
                        Ok(_) => {}
                        Err(StoreFailure::Destroyed(_)) => found.destroyed += 1,
                        Err(StoreFailure::Broken(why)) => {
                            found.fault(format!("{}: {why}", step.name));
                        }
                        Err(failure) => return Err(failure),
                    }
                }
                let Some(last) = rows.last().filter(|_| rows.len() as i64 == AT_ONCE) else {
                    break;
                };
                let mut after = values![AT_ONCE];
                after.extend(step.key_of(last)?);
                read = Read::new(step.next, after);
            }
        }
        Ok(found)
    }
}
