//! Open operations at processors, which payments, refunds and disputes share.

pub(crate) mod error_mappings;
pub(crate) mod notices;
pub(crate) mod open_operations;
pub(crate) mod operation_rows;
pub(crate) mod tables;
