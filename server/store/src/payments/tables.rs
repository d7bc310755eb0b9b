//! Declares the tables of payments, refunds and disputes.

use crate::payments;
use crate::payments::disputes;
use crate::payments::parted;
use crate::platform::declared::Declared;
use crate::platform::sealed_columns::{Clear, SealedColumn, payer};

pub(crate) const DECLARED: Declared = Declared {
    sealed_columns: &[
        SealedColumn {
            also: &["customer_id"],
            subject: payer,
            clear: Clear::Elsewhere(parted::part_row),
            ..SealedColumn::of_merchant(
                "payments",
                payments::PERSONAL,
                &["merchant_id", "payment_id"],
            )
        },
        SealedColumn {
            also: &["customer_id"],
            subject: payer,
            clear: Clear::Column {
                name: "record",
                part: disputes::part_record,
            },
            ..SealedColumn::of_merchant(
                "disputes",
                disputes::EVIDENCE,
                &["merchant_id", "dispute_id"],
            )
        },
    ],
    records: &[
        "attempts.record",
        "captures.record",
        "disputes.evidence_sealed",
        "disputes.record",
        "payments.personal",
        "payments.record",
        "refunds.record",
    ],
    ..Declared::NOTHING
};

/// Cards and credentials that wait for a confirm or for a processor's answer.
pub(crate) const HELD: Declared = Declared {
    sealed_columns: &[
        SealedColumn::of_merchant("held_cards", "sealed", &["merchant_id", "payment_id"]),
        SealedColumn::of_merchant(
            "held_credentials",
            "sealed",
            &["merchant_id", "payment_id", "attempt_number"],
        ),
        SealedColumn::of_merchant(
            "held_refund_credentials",
            "sealed",
            &["merchant_id", "refund_id"],
        ),
    ],
    records: &[
        "held_cards.sealed",
        "held_credentials.sealed",
        "held_refund_credentials.sealed",
    ],
    ..Declared::NOTHING
};

pub(crate) const FILES: Declared = Declared {
    sealed_columns: &[SealedColumn::of_merchant(
        "evidence_files",
        "sealed",
        &["merchant_id", "file_id"],
    )],
    opaque: &[("evidence_files.sealed", "is handed in as it was brought")],
    ..Declared::NOTHING
};
