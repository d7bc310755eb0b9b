//! What billing declares.

use crate::declared::Declared;

pub(super) const DECLARED: Declared = Declared {
    records: &[
        "billing_catalogue.record",
        "invoices.record",
        "subscriptions.record",
    ],
    ..Declared::NOTHING
};
