//! The rows of subjects' keys: stored and destroyed.

use multirail_app::platform::ports::seal::{Subject, WrappedDataKey};
use multirail_app::platform::ports::{Change, StoreFailure};
use multirail_kernel::ids::{CustomerId, MerchantId};
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Invalidates;

use super::super::key_counters;
use super::super::record;
use super::super::record::failure;
use crate::engine::{Row, Write, values};

pub(crate) const TABLE: &str = "subject_keys";

/// The duplicate of a change-set for whose subject another server has created a key meanwhile: the change-set is sealed
/// again, with that key.
pub(crate) const MADE_MEANWHILE: &str = "subject key";

const INSERT: &str = "insert into subject_keys (key_id, merchant_id, customer_id, generation, wrapped, rotation, created_at) \
     values ($1, $2, $3, $4, $5, $6, $7) on conflict (merchant_id, customer_id, generation) do nothing";

/// The row stays, to distinguish a destroyed key from a lost one. SQLite overwrites freed space (`secure_delete`).
const DESTROY: &str = "update subject_keys set wrapped = $3, destroyed_at = coalesce(destroyed_at, $4) \
     where merchant_id = $1 and customer_id = $2";

pub(crate) struct StoredSubjectKey {
    pub(crate) subject: Subject,
    pub(crate) key: WrappedDataKey,
    pub(crate) is_destroyed: bool,
}

impl StoredSubjectKey {
    pub(crate) fn read(row: &Row) -> Result<Self, StoreFailure> {
        let merchant_id = row.str("merchant_id").map_err(failure)?;
        let customer_id = row.str("customer_id").map_err(failure)?;
        Ok(StoredSubjectKey {
            subject: Subject {
                merchant_id: record::id(MerchantId::parse(merchant_id))?,
                customer_id: match customer_id {
                    "" => None,
                    some => Some(record::id(CustomerId::parse(some))?),
                },
            },
            key: WrappedDataKey {
                key_id: row.text("key_id").map_err(failure)?,
                wrapped: row.bytes("wrapped").map_err(failure)?,
            },
            is_destroyed: row.opt_int("destroyed_at").map_err(failure)?.is_some(),
        })
    }
}

/// Returns the column's text; it is empty for a merchant, as no customer has an empty id.
pub(crate) fn customer_of(subject: &Subject) -> &str {
    subject.customer_id.as_ref().map_or("", |id| id.as_str())
}

/// Returns a statement that stores a key of a subject. `generation` counts the subject's keys, `rotation` the changes of
/// all keys.
pub(crate) fn insert(
    subject: &Subject,
    stored: &WrappedDataKey,
    generation: i64,
    rotation: i64,
    at: Timestamp,
) -> Write {
    let parameters = values![
        stored.key_id.as_str(),
        subject.merchant_id.as_str(),
        customer_of(subject),
        generation,
        stored.wrapped.clone(),
        rotation,
        at.as_micros()
    ];
    Write::new(INSERT, parameters).or_duplicate(MADE_MEANWHILE)
}

/// Returns the statements that destroy a customer's keys. Everything that they sealed is unreadable from this commit on,
/// also in backups made after it.
pub(crate) fn destroy(
    merchant_id: &MerchantId,
    customer_id: &CustomerId,
    at: Timestamp,
) -> [Write; 3] {
    let parameters = values![
        merchant_id.as_str(),
        customer_id.as_str(),
        Vec::new(),
        at.as_micros()
    ];
    let destroy = Write::new(DESTROY, parameters).any_rows().erasing();
    // Twice: the first waits for a server that is giving the customer a new key, the second sees that key.
    [destroy.clone(), destroy, key_counters::destroyed()]
}

/// Returns whether a change destroys keys.
pub(crate) fn destroys(change: &Change) -> bool {
    change.invalidates() == Invalidates::CustomerKeys
}
