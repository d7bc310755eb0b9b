//! What routing declares.

use crate::declared::Declared;

pub(super) const DECLARED: Declared = Declared {
    records: &["routing_configurations.record"],
    ..Declared::NOTHING
};
