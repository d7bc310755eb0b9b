//! The declarations of the core's subjects, in their order.

use crate::platform::declared::Declared;

pub use crate::customers::tables::VAULT_CARDS as VAULT;
pub use crate::platform::tables::REQUEST_LOG;

/// The subjects of the core. A change of all data keys follows their order; the vault comes after users.
pub const CORE: &[Declared] = &[
    crate::accounts::tables::DECLARED,
    crate::customers::tables::DECLARED,
    crate::payments::tables::DECLARED,
    crate::customers::tables::METHODS,
    crate::payments::tables::HELD,
    crate::platform::tables::IDEMPOTENCY,
    crate::webhooks::tables::DECLARED,
    crate::operations::tables::DECLARED,
    crate::payments::tables::FILES,
    crate::routing::tables::DECLARED,
    crate::platform::tables::KEYS,
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The place is authenticated with the sealed value: a row that was sealed for another place can't be opened.
    #[test]
    fn places_stay_what_rows_were_sealed_for() {
        let subjects = CORE.iter().chain([&VAULT, &REQUEST_LOG]);
        let columns = subjects.flat_map(|subject| subject.sealed_columns);
        let lines = columns.map(|column| {
            let (begins_with, columns) = column.place;
            let customers = column.place_of_customers;
            let customers = customers.map(|place| format!(" (of a customer {place})"));
            let customers = customers.unwrap_or_default();
            let place = columns.join("/");
            format!("{}: {begins_with}:{place}{customers}", column.name())
        });
        let lines: Vec<String> = lines.collect();
        insta::assert_snapshot!(lines.join("\n"), @"
        merchant_accounts.secrets: merchant_accounts:merchant_id/merchant_id
        business_profiles.secrets: business_profiles:merchant_id/profile_id
        connector_accounts.secrets: connector_accounts:merchant_id/merchant_connector_id
        customers.personal: customers:merchant_id/customer_id
        payments.personal: payments:merchant_id/payment_id
        disputes.evidence_sealed: disputes:merchant_id/dispute_id
        payment_methods.holder_name_sealed: payment_methods.holder_name:merchant_id/payment_method_id
        payment_methods.nick_name_sealed: payment_methods.nick_name:merchant_id/payment_method_id
        payment_methods.particulars_sealed: payment_methods.particulars:merchant_id/payment_method_id
        cards_to_save.holder_name_sealed: payment_methods.holder_name:merchant_id/payment_method_id
        cards_to_save.nick_name_sealed: payment_methods.nick_name:merchant_id/payment_method_id
        cards_to_save.particulars_sealed: payment_methods.particulars:merchant_id/payment_method_id
        payment_methods.consent_sealed: payment_methods.consent:merchant_id/payment_method_id
        held_cards.sealed: held_cards:merchant_id/payment_id
        held_credentials.sealed: held_credentials:merchant_id/payment_id/attempt_number
        held_refund_credentials.sealed: held_refund_credentials:merchant_id/refund_id
        idempotency_keys.answer: idempotency_keys:merchant_id/operation/idempotency_key
        events.body: events:merchant_id/event_id (of a customer events.parted)
        events.personal: events.personal:merchant_id/event_id
        delivery_attempts.sealed: delivery_attempts:merchant_id/event_id
        notices.content: notices:notice_id
        evidence_files.sealed: evidence_files:merchant_id/file_id
        vault_cards.sealed: vault:merchant_id/card_fingerprint
        cards_to_save.sealed: vault:merchant_id/card_fingerprint
        request_log.request_body: request_log.request_body:merchant_id/request_id
        request_log.answer_body: request_log.answer_body:merchant_id/request_id
        ");
    }
}
