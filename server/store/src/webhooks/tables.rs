//! Declares the tables of webhooks.

use crate::platform::declared::Declared;
use crate::platform::sealed_columns::{SealedColumn, payer};
use crate::webhooks::delivery_leases;
use crate::webhooks::events::{BODY, PARTED_PLACE, PERSONAL, PERSONAL_PLACE, TABLE};

pub(crate) const DECLARED: Declared = Declared {
    sealed_columns: &[
        SealedColumn {
            place_of_customers: Some(PARTED_PLACE),
            also: &["customer_id"],
            ..SealedColumn::of_merchant(TABLE, BODY, &["merchant_id", "event_id"])
        },
        SealedColumn {
            place: (PERSONAL_PLACE, &["merchant_id", "event_id"]),
            also: &["customer_id"],
            subject: payer,
            ..SealedColumn::of_merchant(TABLE, PERSONAL, &["merchant_id", "event_id"])
        },
        SealedColumn::of_merchant("delivery_attempts", "sealed", &["merchant_id", "event_id"]),
    ],
    records: &["delivery_attempts.sealed"],
    opaque: &[
        ("events.body", "is sent as it was rendered"),
        (
            "events.personal",
            "goes back into the body as it was cut out",
        ),
    ],
    // Deliveries that were under way are sent again.
    take_over: |_| delivery_leases::end_leases(),
};
