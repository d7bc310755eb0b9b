//! Declares the tables of routing.

use crate::platform::declared::Declared;

pub(crate) const DECLARED: Declared = Declared {
    records: &["routing_configurations.record"],
    ..Declared::NOTHING
};
