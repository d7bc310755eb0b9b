//! Declares tables that belong to no subject: idempotency keys, the request log, and the keys themselves.

use crate::platform::declared::Declared;
use crate::platform::idempotency;
use crate::platform::key_rotations;
use crate::platform::request_log::{ANSWER_PLACE, REQUEST_PLACE};
use crate::platform::sealed_columns::{SealedColumn, payer};

pub(crate) const IDEMPOTENCY: Declared = Declared {
    sealed_columns: &[SealedColumn {
        also: &["customer_id"],
        subject: payer,
        ..SealedColumn::of_merchant(
            "idempotency_keys",
            "answer",
            &["merchant_id", "operation", "idempotency_key"],
        )
    }],
    records: &["idempotency_keys.fingerprint"],
    opaque: &[("idempotency_keys.answer", "is answered as it was")],
    take_over: |_| vec![idempotency::end_leases()],
};

/// Comes last: see [`Declared`].
pub const REQUEST_LOG: Declared = Declared {
    sealed_columns: &[
        SealedColumn {
            place: (REQUEST_PLACE, &["merchant_id", "request_id"]),
            ..SealedColumn::of_merchant(
                "request_log",
                "request_body",
                &["merchant_id", "request_id"],
            )
        },
        SealedColumn {
            place: (ANSWER_PLACE, &["merchant_id", "request_id"]),
            ..SealedColumn::of_merchant(
                "request_log",
                "answer_body",
                &["merchant_id", "request_id"],
            )
        },
    ],
    opaque: &[
        ("request_log.request_body", "is shown as it was masked"),
        ("request_log.answer_body", "is shown as it was masked"),
    ],
    ..Declared::NOTHING
};

pub(crate) const KEYS: Declared = Declared {
    opaque: &[
        ("subject_keys.wrapped", "has its example beside the seal"),
        ("wrapped_keys.next_wrapped", "is as wrapped_keys.wrapped"),
        ("wrapped_keys.wrapped", "has its example beside the seal"),
    ],
    take_over: |_| vec![key_rotations::take_over()],
    ..Declared::NOTHING
};
