//! The tables of every subject, for the store.

use std::sync::Arc;

use multirail_app::platform::ports::Seal;
use multirail_database::Engine;
use multirail_store::{CORE, Declared, REQUEST_LOG, SqlStore, VAULT};

use super::StartupError;

/// Returns the subjects' declarations in the order in which a change of all data keys reseals them. Since such a change may
/// be in progress, a new subject comes last.
fn declared() -> Vec<Declared> {
    let identity = multirail_identity::store::DECLARED;
    let billing = multirail_billing::store::DECLARED;
    [CORE, &[identity, VAULT, billing, REQUEST_LOG]].concat()
}

/// Returns the store over an open, migrated database.
pub(super) fn store(
    engine: &Engine,
    seal: Arc<dyn Seal>,
    in_flight_seconds: i64,
) -> Result<SqlStore, StartupError> {
    SqlStore::new(engine.clone(), seal, in_flight_seconds, declared())
        .map_err(|twice| StartupError::Refused(twice.to_string()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use multirail_database::{Options, Read, Row};

    use super::*;

    /// Returns the columns of the schema for which this condition holds.
    async fn columns(condition: &str) -> BTreeSet<String> {
        let directory = tempfile::tempdir().expect("a directory");
        let url = format!("sqlite:{}/test.db", directory.path().display());
        let engine = Engine::open(&url, Options::default()).await;
        let engine = engine.expect("an engine");
        engine.migrate().await.expect("a schema");
        let sql = format!(
            "select t.name as \"table\", c.name as \"column\" from sqlite_master t, pragma_table_info(t.name) c \
             where t.type = 'table' and ({condition}) and t.name not like '\\_%' escape '\\'"
        );
        let rows = engine.fetch(Read::new(sql, Vec::new())).await;
        let text = |row: &Row, column| row.text(column).expect("a name");
        let name = |row: &Row| format!("{}.{}", text(row, "table"), text(row, "column"));
        let named = rows.expect("the schema").iter().map(name).collect();
        engine.close().await;
        named
    }

    fn sealed() -> Vec<String> {
        let columns = declared()
            .into_iter()
            .flat_map(|subject| subject.sealed_columns);
        columns.map(|column| column.name()).collect()
    }

    /// The sealed columns of the schema are those that subjects declare, and the keys themselves.
    #[tokio::test]
    async fn every_sealed_column_of_the_schema_is_declared() {
        let keys = [
            "subject_keys.wrapped",
            "wrapped_keys.wrapped",
            "wrapped_keys.next_wrapped",
        ];
        let known: BTreeSet<String> = sealed()
            .into_iter()
            .chain(keys.map(str::to_owned))
            .collect();
        assert_eq!(columns("lower(c.type) = 'blob'").await, known);
    }

    /// Columns for JSON under these four names and all sealed columns are records, or their subject says why not.
    #[tokio::test]
    async fn every_record_of_the_schema_is_declared() {
        let stored = columns(
            "lower(c.type) = 'blob' or c.name in ('record', 'fingerprint', 'card_details', 'particulars')",
        );
        let mut known = BTreeSet::new();
        for subject in declared() {
            let opaque = subject.opaque.iter().map(|(column, _)| column);
            for column in subject.records.iter().chain(opaque) {
                assert!(
                    known.insert((*column).to_owned()),
                    "{column} is named twice"
                );
            }
        }
        assert_eq!(stored.await, known);
    }

    /// A change of all data keys stores the column that it has reached, and continues after it.
    #[test]
    fn the_order_of_resealed_columns_stays() {
        insta::assert_snapshot!(sealed().join("\n"), @"
        merchant_accounts.secrets
        business_profiles.secrets
        connector_accounts.secrets
        customers.personal
        payments.personal
        disputes.evidence_sealed
        payment_methods.holder_name_sealed
        payment_methods.nick_name_sealed
        payment_methods.particulars_sealed
        cards_to_save.holder_name_sealed
        cards_to_save.nick_name_sealed
        cards_to_save.particulars_sealed
        payment_methods.consent_sealed
        held_cards.sealed
        held_credentials.sealed
        held_refund_credentials.sealed
        idempotency_keys.answer
        events.body
        events.personal
        delivery_attempts.sealed
        notices.content
        evidence_files.sealed
        users.personal
        user_sessions.client
        user_second_factors.secrets
        vault_cards.sealed
        cards_to_save.sealed
        request_log.request_body
        request_log.answer_body
        ");
    }
}
