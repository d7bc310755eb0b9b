//! What billing declares.

use crate::platform::declared::Declared;

pub(crate) const DECLARED: Declared = Declared {
    records: &[
        "billing_catalogue.record",
        "invoices.record",
        "subscriptions.record",
    ],
    ..Declared::NOTHING
};
