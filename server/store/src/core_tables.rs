//! What the subjects of the core declare.

use super::declared::{Declared, Takeover};
use super::engine::Write;
use super::sealed_columns::{OF_CORE, OF_VAULT};
use super::{
    connector_customers, customers, delivery_leases, idempotency, key_rotations, notices,
    open_operations,
};

/// The subjects of the core.
pub const CORE: Declared = Declared {
    sealed_columns: OF_CORE,
    records: &[
        "api_keys.record",
        "attempts.record",
        "billing_catalogue.record",
        "business_profiles.record",
        "business_profiles.secrets",
        "captures.record",
        "connector_accounts.record",
        "connector_accounts.secrets",
        "customers.personal",
        "customers.record",
        "delivery_attempts.sealed",
        "disputes.evidence_sealed",
        "disputes.record",
        "error_mappings.record",
        "held_cards.sealed",
        "held_credentials.sealed",
        "held_refund_credentials.sealed",
        "idempotency_keys.fingerprint",
        "invoices.record",
        "mandates.record",
        "merchant_accounts.record",
        "merchant_accounts.secrets",
        "notices.content",
        "organizations.record",
        "payment_methods.card_details",
        "payment_methods.particulars",
        "payments.personal",
        "payments.record",
        "refunds.record",
        "routing_configurations.record",
        "subscriptions.record",
    ],
    opaque: &[
        (
            "cards_to_save.card_details",
            "becomes that of a method as it is",
        ),
        (
            "cards_to_save.particulars",
            "become those of a method as they are",
        ),
        (
            "cards_to_save.sealed",
            "becomes an entry of the vault as it is",
        ),
        (
            "cards_to_save.holder_name_sealed",
            "becomes that of a method as it is",
        ),
        (
            "cards_to_save.nick_name_sealed",
            "becomes that of a method as it is",
        ),
        (
            "cards_to_save.particulars_sealed",
            "become those of a method as they are",
        ),
        (
            "payment_methods.holder_name_sealed",
            "is a text and nothing else",
        ),
        (
            "payment_methods.nick_name_sealed",
            "is a text and nothing else",
        ),
        (
            "payment_methods.particulars_sealed",
            "is as payment_methods.particulars",
        ),
        ("events.body", "is sent as it was rendered"),
        (
            "events.personal",
            "goes back into the body as it was cut out",
        ),
        ("evidence_files.sealed", "is handed in as it was brought"),
        ("idempotency_keys.answer", "is answered as it was"),
        ("subject_keys.wrapped", "has its example beside the seal"),
        ("vault_cards.sealed", "is a number and nothing else"),
        ("wrapped_keys.next_wrapped", "is as wrapped_keys.wrapped"),
        ("wrapped_keys.wrapped", "has its example beside the seal"),
    ],
    take_over,
};

/// What the vault seals. It stands behind users: see [`Declared`].
pub const VAULT: Declared = Declared {
    sealed_columns: OF_VAULT,
    ..Declared::NOTHING
};

/// The calls and requests of an earlier run are over, so that nobody has to wait for them. Operations with such a call are asked
/// about now, idempotency keys without an answer are free to be answered from what is stored, and webhooks that were on their way
/// are sent again.
fn take_over(start: &Takeover) -> Vec<Write> {
    let mut writes = vec![idempotency::end_leases(), delivery_leases::end_leases()];
    writes.extend(open_operations::take_over(start.now, start.latest));
    writes.push(notices::take_over(start.now));
    writes.push(key_rotations::take_over());
    writes.push(customers::take_over());
    writes.push(connector_customers::take_over());
    writes
}
