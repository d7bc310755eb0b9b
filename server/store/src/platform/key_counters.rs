//! The counters by which servers notice that another one has changed or destroyed keys.

use crate::engine::{Write, values};

/// The counters that servers watch: changes of keys, and destructions of customers' keys.
pub(crate) const CHANGED: &str = "keys_changed";
pub(crate) const DESTROYED: &str = "keys_destroyed";
/// Counts the changes of all data keys that have begun.
pub(crate) const ROTATIONS: &str = "key_rotations";
/// The setting for merchants' own keys. An older server can't open data that those seal. So a database that an older
/// server may still use has none until an operator changes its keys.
pub(crate) const OF_MERCHANTS: &str = "keys_of_merchants";

const COUNT_UP: &str = "insert into settings (name, value) values ($1, '1') \
     on conflict (name) do update set value = cast(cast(settings.value as bigint) + 1 as text)";

/// Returns the statement that counts a change of keys.
pub(crate) fn changed() -> Write {
    Write::new(COUNT_UP, values![CHANGED])
}

/// Returns the statement that counts a destruction of a customer's keys.
pub(crate) fn destroyed() -> Write {
    Write::new(COUNT_UP, values![DESTROYED])
}

/// Returns the statement that counts the begin of a change of all data keys.
pub(crate) fn rotation_began() -> Write {
    Write::new(COUNT_UP, values![ROTATIONS])
}

/// Returns the statement that records that merchants of this database have keys of their own.
pub(crate) fn begin_with_merchants() -> Write {
    Write::new(COUNT_UP, values![OF_MERCHANTS])
}
