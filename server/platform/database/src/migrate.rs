//! The schema's history, embedded in the program: `migrations/sqlite` and `migrations/postgres`.
//!
//! Both folders have the same numbers, because `STEPS` names each pair once.

use multirail_sql::{Read, Row, StoreError};
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::{AssertSqlSafe, SqlSafeStr};

use super::{Dialect, Engine};

/// One migration, with its text for each engine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The file's name without its ending: a number of four digits, an underscore, a few words.
    pub(super) name: &'static str,
    pub(super) sqlite: &'static str,
    pub(super) postgres: &'static str,
}

/// Embeds the two files of that name.
macro_rules! step {
    ($name:literal) => {
        Step {
            name: $name,
            sqlite: include_str!(concat!("../../../../migrations/sqlite/", $name, ".sql")),
            postgres: include_str!(concat!("../../../../migrations/postgres/", $name, ".sql")),
        }
    };
}

/// Every migration, in order. A new one is a file in both folders and a line here.
pub(super) const STEPS: &[Step] = &[
    step!("0001_initial"),
    step!("0002_idempotency_keys"),
    step!("0003_deliveries"),
    step!("0004_payment_leases"),
    step!("0005_inline_events"),
    step!("0006_narrow_lists"),
    step!("0007_former_list_index"),
    step!("0008_held_credentials"),
    step!("0009_open_operations"),
    step!("0010_refunds"),
    step!("0011_notices"),
    step!("0012_attempts_by_reference"),
    step!("0013_notice_lists"),
    step!("0014_disputes"),
    step!("0015_attempts_by_merchants_reference"),
    step!("0016_change_sets_by_row"),
    step!("0017_evidence"),
    step!("0018_dispute_lists"),
    step!("0019_customers"),
    step!("0020_payment_methods"),
    step!("0021_dispute_filters"),
    step!("0022_subject_keys"),
    step!("0023_error_mappings"),
    step!("0024_charges_without_payers"),
    step!("0025_routing"),
    step!("0026_payment_personal"),
    step!("0027_connector_mandates"),
    step!("0028_elimination"),
    step!("0029_mandates"),
    step!("0030_wallet_tokens"),
    step!("0031_sealed_holders"),
    step!("0032_success_counts"),
    step!("0033_billing_catalogue"),
    step!("0034_subscriptions"),
    step!("0035_invoices"),
    step!("0036_users"),
    step!("0037_audit_log"),
    step!("0038_sign_ins"),
    step!("0039_saved_accounts"),
    step!("0040_identities"),
    step!("0041_sign_in_tries"),
    step!("0042_live_subscriptions"),
    step!("0043_begun_subscriptions"),
    step!("0044_subscription_turns"),
    step!("0045_outside_invoices"),
    step!("0046_lapsed_mandates"),
    step!("0047_tokens_of_methods"),
    step!("0048_token_listings"),
    step!("0049_answers_of_customers"),
    step!("0050_events_of_customers"),
    step!("0051_audit_inbox_by_index"),
    step!("0052_defaults_that_are_gone"),
    step!("0053_user_invitations"),
    step!("0054_connector_customers"),
    step!("0055_request_log"),
    step!("0056_debits_to_save"),
    step!("0057_ended_consents"),
    step!("0058_consents_to_instruments"),
    step!("0059_newest_consents"),
    step!("0060_sign_in_links"),
    step!("0061_session_kinds"),
    step!("0062_teams"),
    step!("0063_second_factor_rules"),
    step!("0064_offers"),
    step!("0065_webhook_endpoints"),
    step!("0066_subscription_lists"),
    step!("0067_operator_sessions"),
    step!("0068_saved_views"),
];

impl Step {
    pub(super) fn version(&self) -> i64 {
        self.name
            .split('_')
            .next()
            .and_then(|number| number.parse().ok())
            .expect("a migration's name begins with its number: a test holds them to it")
    }

    fn sql(&self, dialect: Dialect) -> &'static str {
        match dialect {
            Dialect::Sqlite => self.sqlite,
            Dialect::Postgres => self.postgres,
        }
    }
}

/// A migration that a database hasn't had yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PendingMigration {
    /// The number of the migration.
    pub version: i64,
    /// The file's name without the ending.
    pub name: &'static str,
}

/// Returns the steps in the form in which sqlx applies them.
pub(super) fn migrator(steps: &[Step], dialect: Dialect) -> Migrator {
    let migrations = steps.iter().map(|step| {
        let sql = step.sql(dialect);
        Migration::new(
            step.version(),
            step.name.into(),
            MigrationType::Simple,
            AssertSqlSafe(sql).into_sql_str(),
            false,
        )
    });
    let mut migrator = Migrator::with_migrations(migrations.collect());
    // A database may be ahead of this program during a rolling update; `pending` has checked the rest.
    migrator.set_ignore_missing(true);
    migrator
}

/// The result of a migration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Migrated {
    /// The number of the last migration before; 0 for a new database.
    pub from: i64,
    /// The number of the last migration now.
    pub to: i64,
    /// The applied migrations, by name and in order.
    pub applied: Vec<&'static str>,
}

impl Migrated {
    pub(super) fn from_steps(before: &[i64], pending: &[PendingMigration]) -> Self {
        let from = before.iter().copied().max().unwrap_or(0);
        let done = pending.iter().map(|step| step.version);
        Self {
            from,
            to: done.chain([from]).max().unwrap_or(from),
            applied: pending.iter().map(|step| step.name).collect(),
        }
    }
}

/// Returns the numbers of the migrations that a database has had.
pub(super) async fn applied(engine: &Engine) -> Result<Vec<i64>, StoreError> {
    let has_table = match engine.dialect() {
        Dialect::Sqlite => {
            "select count(*) > 0 from sqlite_master where type = 'table' and name = '_sqlx_migrations'"
        }
        Dialect::Postgres => "select to_regclass('_sqlx_migrations') is not null",
    };
    let has_table = engine
        .fetch_optional(Read::new(has_table, Vec::new()))
        .await?;
    if !has_table.map_or(Ok(false), |row| row.bool(0))? {
        return Ok(Vec::new());
    }
    let versions = "select version from _sqlx_migrations order by version";
    let rows = engine.fetch(Read::new(versions, Vec::new())).await?;
    rows.iter().map(|row: &Row| row.int(0)).collect()
}

/// Returns the pending migrations.
///
/// # Errors
/// [`StoreError::Migration`] if the database has had an unknown migration with a number up to our last: then it isn't ours.
/// A database that is merely ahead is accepted, because a migration never breaks the version of the program before it.
pub(super) fn pending(
    steps: &[Step],
    applied: &[i64],
) -> Result<Vec<PendingMigration>, StoreError> {
    let last = steps.last().map_or(0, Step::version);
    for version in applied {
        if *version > last {
            tracing::warn!(
                version,
                "the database has a migration that is newer than this program"
            );
        } else if !steps.iter().any(|step| step.version() == *version) {
            return Err(StoreError::Migration(format!(
                "the database has had number {version}, which this program does not know"
            )));
        }
    }
    Ok(steps
        .iter()
        .filter(|step| !applied.contains(&step.version()))
        .map(|step| PendingMigration {
            version: step.version(),
            name: step.name,
        })
        .collect())
}

/// Returns the error of a failed migration; `of_driver` translates the database's error.
pub(super) fn failure(
    error: MigrateError,
    of_driver: impl FnOnce(sqlx::Error) -> StoreError,
) -> StoreError {
    match error {
        MigrateError::Execute(error) => of_driver(error),
        MigrateError::ExecuteMigration(error, version) => failed(version, of_driver(error)),
        MigrateError::VersionMismatch(version) => changed(version),
        other => StoreError::Migration(other.to_string()),
    }
}

/// Returns the error of a failed migration; a database that can't be reached says so itself.
pub(super) fn failed(version: i64, error: StoreError) -> StoreError {
    match error {
        other @ (StoreError::Unavailable(_) | StoreError::Closed | StoreError::Standstill(..)) => {
            other
        }
        error => StoreError::Migration(format!("number {version} failed: {error}")),
    }
}

/// Returns the error of an applied migration whose text differs from ours.
pub(super) fn changed(version: i64) -> StoreError {
    StoreError::Migration(format!(
        "number {version} was changed after this database had it"
    ))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    fn files(folder: &str) -> BTreeSet<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../../migrations")
            .join(folder);
        let entries = std::fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter_map(|name| name.strip_suffix(".sql").map(str::to_owned))
            .collect()
    }

    #[test]
    fn both_folders_hold_exactly_the_listed_steps() {
        let listed: BTreeSet<_> = STEPS.iter().map(|step| step.name.to_owned()).collect();
        assert_eq!(files("sqlite"), listed, "migrations/sqlite against STEPS");
        assert_eq!(
            files("postgres"),
            listed,
            "migrations/postgres against STEPS"
        );
    }

    #[test]
    fn numbers_rise_by_one_from_one() {
        for (expected, step) in (1..).zip(STEPS) {
            let name = step.name;
            assert!(name.starts_with(&format!("{expected:04}_")), "{name}");
            assert_eq!(step.version(), expected, "{name}");
        }
    }

    #[test]
    fn no_step_defers_a_constraint() {
        // Deferred constraints are checked at COMMIT, which on SQLite many batches share.
        for step in STEPS {
            for sql in [step.sqlite, step.postgres] {
                let sql = sql.to_ascii_lowercase();
                assert!(!sql.contains("initially deferred"), "{}", step.name);
            }
        }
    }

    #[test]
    fn an_unknown_step_among_ours_is_refused_and_a_newer_one_is_not() {
        let step = |name| Step {
            name,
            sqlite: "",
            postgres: "",
        };
        let steps = [step("0001_a"), step("0003_c")];
        assert_eq!(
            pending(&steps, &[1, 9]).unwrap(),
            [PendingMigration {
                version: 3,
                name: "0003_c"
            }]
        );
        assert!(matches!(
            pending(&steps, &[1, 2]),
            Err(StoreError::Migration(_))
        ));
    }
}
