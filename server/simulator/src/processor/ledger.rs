//! The processor's ledger, in an SQLite file or in memory. Tests compare it with multirail's
//! records.
//!
//! The file survives the death of the process, but not of the machine: no write waits for the disk,
//! so that the simulator hardly affects measurements.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use multirail_simulator_wire::OperationStatus;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::dispute_record::DisputeRecord;
use super::dispute_request::DisputeRequest;
use super::filed::Filed;
use super::increment::IncrementRecord;
use super::record::{AuthorizationRecord, CaptureRecord, VoidRecord};
use super::refund_record::RefundRecord;
use super::void_kind::VoidKind;

/// Pages of the write-ahead log before a checkpoint.
const CHECKPOINT_PAGES: i64 = 8_000;

/// The first version of the tables.
const TABLES: &str = "
    create table authorizations (
        key text not null primary key,
        reference text not null,
        connector text not null,
        amount integer not null check (amount >= 0),
        currency text not null,
        captured_at_once integer not null,
        status text not null,
        approved_amount integer check (approved_amount between 0 and amount),
        error_code text,
        error_message text,
        error_in_authentication integer not null,
        return_url text not null,
        page_token text,
        created_at integer not null
    ) strict;
    create unique index authorizations_page_token on authorizations (page_token) where page_token is not null;
    create table captures (
        key text not null primary key,
        reference text not null,
        authorization_key text not null,
        amount integer not null,
        currency text not null,
        is_final integer not null,
        status text not null,
        error_code text,
        error_message text,
        created_at integer not null
    ) strict;
    create index captures_of_authorization on captures (authorization_key);
    create table voids (
        key text not null primary key,
        reference text not null,
        authorization_key text not null,
        kind text not null,
        amount integer not null,
        status text not null,
        error_code text,
        error_message text,
        created_at integer not null
    ) strict;
    create index voids_of_authorization on voids (authorization_key);
";

/// Adds the account to each row.
const KEEP_ACCOUNTS_APART: &str = "
    alter table authorizations add column account text not null default '';
    alter table captures add column account text not null default '';
    alter table voids add column account text not null default '';
";

/// Adds the details of requests.
const KEEP_WHAT_WAS_SAID: &str = "
    alter table authorizations add column details text not null default '{}';
    alter table captures add column descriptor text not null default '{}';
    alter table voids add column reason text;
";

/// Adds refunds, and the refund behavior of cards.
const KEEP_REFUNDS: &str = "
    create table refunds (
        key text not null primary key,
        reference text not null,
        account text not null,
        authorization_key text not null,
        amount integer not null check (amount > 0),
        currency text not null,
        reason text,
        status text not null,
        error_code text,
        error_message text,
        created_at integer not null
    ) strict;
    create index refunds_of_authorization on refunds (authorization_key);
    alter table authorizations add column refund_behavior text not null default 'done';
";

/// Adds notice endpoints and waiting notices. Without `due_at` a notice is held by a script.
const KEEP_NOTICES: &str = "
    create table notice_endpoints (
        account text not null primary key,
        address text not null,
        secret text not null
    ) strict;
    create table notices (
        id text not null primary key,
        account text not null,
        operation text not null,
        operation_key text not null,
        happened_at integer not null,
        due_at integer,
        tries integer not null
    ) strict;
    create unique index notices_of_operation on notices (operation, operation_key);
    create index notices_by_due_at on notices (due_at);
";

/// Adds disputes.
const KEEP_DISPUTES: &str = "
    create table disputes (
        key text not null primary key,
        account text not null,
        authorization_key text not null,
        status text not null,
        created_at integer not null
    ) strict;
";

/// Adds increments.
const KEEP_INCREMENTS: &str = "
    create table increments (
        key text not null primary key,
        reference text not null,
        account text not null,
        authorization_key text not null,
        amount integer not null,
        currency text not null,
        reason text,
        status text not null,
        error_code text,
        error_message text,
        created_at integer not null
    ) strict;
    create index increments_of_authorization on increments (authorization_key);
";

/// Adds later states of disputes.
const LET_DISPUTES_GO_ON: &str = "
    alter table disputes add column stage text not null default 'dispute';
    alter table disputes add column later_stage text;
    alter table disputes add column later_status text;
    alter table disputes add column later_from integer;
    alter table disputes add column raised_at integer;
    alter table disputes add column updated_at integer;
    create index disputes_of_account on disputes (account, key);
";

/// Adds requests about disputes.
const KEEP_DISPUTE_REQUESTS: &str = "
    create table dispute_requests (
        key text not null primary key,
        account text not null,
        dispute_key text not null,
        kind text not null,
        times integer not null,
        created_at integer not null
    ) strict;
  ";

/// Adds holds for the merchant's decision.
const HOLD_FOR_REVIEW: &str = "
    alter table authorizations add column is_held integer not null default 0;
";

/// Adds expiry times of authorizations.
const KEEP_HOLDS: &str = "
    alter table authorizations add column capture_before integer;
";

/// Tables of the simulated billing engine of earlier versions, which nothing reads.
const KEEP_SUBSCRIPTIONS: &str = "
    create table engine_subscriptions (
        reference text not null primary key,
        account text not null,
        record text not null
    ) strict;
    create table engine_requests (
        key text not null primary key,
        account text not null,
        body text not null,
        subscription text,
        error text
    ) strict;
";

/// Allows several receivers per account, identified by the path of the address.
const KEEP_RECEIVERS: &str = "
    alter table notice_endpoints rename to single_endpoints;
    create table notice_endpoints (
        account text not null,
        receiver text not null,
        address text not null,
        secret text not null,
        primary key (account, receiver)
    ) strict;
    insert into notice_endpoints select account, '', address, secret from single_endpoints;
    drop table single_endpoints;
    alter table notices add column receiver text not null default '';
    drop index notices_of_operation;
    create unique index notices_of_operation on notices (operation, operation_key, receiver);
";

/// Adds the part of a transfer that has arrived.
const COUNT_TRANSFERS: &str = "
    alter table authorizations add column received integer not null default 0;
";

/// Tells refunds of the part of a transfer above its amount apart.
const TELL_EXCESS_APART: &str = "
    alter table refunds add column of_excess integer not null default 0;
";

/// The migrations, in order. The ledger's version is the number of applied ones.
const STEPS: &[&str] = &[
    TABLES,
    KEEP_ACCOUNTS_APART,
    KEEP_WHAT_WAS_SAID,
    KEEP_REFUNDS,
    KEEP_NOTICES,
    KEEP_DISPUTES,
    KEEP_INCREMENTS,
    LET_DISPUTES_GO_ON,
    KEEP_DISPUTE_REQUESTS,
    HOLD_FOR_REVIEW,
    KEEP_HOLDS,
    KEEP_SUBSCRIPTIONS,
    KEEP_RECEIVERS,
    COUNT_TRANSFERS,
    TELL_EXCESS_APART,
];

/// The reason why the ledger couldn't be opened or read.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    #[error("the simulator's ledger: {0}")]
    Sqlite(#[from] rusqlite::Error),
    #[error("the simulator's ledger: {0}")]
    File(#[from] std::io::Error),
    #[error(
        "the simulator's ledger was written by another version (form {found}, this one knows {})",
        STEPS.len()
    )]
    OtherVersion { found: i64 },
}

/// The processor's ledger.
pub struct Ledger {
    connection: Mutex<Connection>,
}

/// The totals of one authorization, in minor units. `captured` includes money that was returned
/// later: `reversed` by voids, and `refunded` by refunds. The excess of a transfer is in none of
/// them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub authorized: i64,
    pub captured: i64,
    pub released: i64,
    pub reversed: i64,
    pub refunded: i64,
}

impl Ledger {
    /// Opens the file, or creates it with access for the owner only. Several processes may share
    /// it.
    pub fn open(path: &Path) -> Result<Self, LedgerError> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(path)?;
        Ledger::prepare(Connection::open(path)?)
    }

    /// Creates a ledger in memory.
    pub fn in_memory() -> Result<Self, LedgerError> {
        Ledger::prepare(Connection::open_in_memory()?)
    }

    fn prepare(mut connection: Connection) -> Result<Self, LedgerError> {
        connection.busy_timeout(Duration::from_secs(10))?;
        connection.pragma_update(None, "journal_mode", "wal")?;
        // Writes leave the process, but don't wait for the disk.
        connection.pragma_update(None, "synchronous", "off")?;
        connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
        connection.set_prepared_statement_cache_capacity(32);
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let found: i64 = tx.query_row("pragma user_version", [], |row| row.get(0))?;
        let missing = usize::try_from(found)
            .ok()
            .and_then(|seen| STEPS.get(seen..));
        for step in missing.ok_or(LedgerError::OtherVersion { found })? {
            tx.execute_batch(step)?;
        }
        tx.pragma_update(None, "user_version", STEPS.len() as i64)?;
        tx.commit()?;
        Ok(Ledger {
            connection: Mutex::new(connection),
        })
    }

    /// Returns every authorization, oldest first.
    pub fn authorizations(&self) -> Result<Vec<AuthorizationRecord>, LedgerError> {
        self.list()
    }

    /// Returns every increment, oldest first.
    pub fn increments(&self) -> Result<Vec<IncrementRecord>, LedgerError> {
        self.list()
    }

    /// Returns every capture, oldest first.
    pub fn captures(&self) -> Result<Vec<CaptureRecord>, LedgerError> {
        self.list()
    }

    /// Returns every void, oldest first.
    pub fn voids(&self) -> Result<Vec<VoidRecord>, LedgerError> {
        self.list()
    }

    /// Returns every refund, oldest first.
    pub fn refunds(&self) -> Result<Vec<RefundRecord>, LedgerError> {
        self.list()
    }

    /// Returns every dispute, oldest first, including those not raised yet.
    pub fn disputes(&self) -> Result<Vec<DisputeRecord>, LedgerError> {
        self.list()
    }

    /// Returns every accepted request about a dispute, oldest first.
    pub fn dispute_requests(&self) -> Result<Vec<DisputeRequest>, LedgerError> {
        self.list()
    }

    /// Returns the totals of each authorization, by its key. Refused and pending operations don't
    /// count.
    pub fn totals(&self) -> Result<BTreeMap<String, Totals>, LedgerError> {
        let mut totals = BTreeMap::new();
        for authorization in self.authorizations()? {
            let approved = authorization.approved_amount.unwrap_or(0);
            let sums = Totals {
                authorized: approved,
                captured: if authorization.took_at_once() {
                    approved
                } else {
                    0
                },
                ..Totals::default()
            };
            totals.insert(authorization.key, sums);
        }
        for increment in self.increments()? {
            if let Some(sums) = totals.get_mut(&increment.authorization_key)
                && increment.status == OperationStatus::Done
            {
                sums.authorized = sums.authorized.max(increment.amount);
            }
        }
        for capture in self.captures()? {
            if let Some(sums) = totals.get_mut(&capture.authorization_key)
                && capture.status == OperationStatus::Done
            {
                sums.captured += capture.amount;
                if capture.is_final {
                    sums.released = (sums.authorized - sums.captured).max(0);
                }
            }
        }
        for void in self.voids()? {
            if let Some(sums) = totals.get_mut(&void.authorization_key)
                && void.status == OperationStatus::Done
            {
                match void.kind {
                    VoidKind::Cancellation => {}
                    VoidKind::Release | VoidKind::Lapse => sums.released += void.amount,
                    VoidKind::Reversal => {
                        sums.reversed += void.amount;
                        sums.released = (sums.authorized - sums.captured).max(0);
                    }
                }
            }
        }
        for refund in self.refunds()? {
            if let Some(sums) = totals.get_mut(&refund.authorization_key)
                && refund.status == OperationStatus::Done
                && !refund.of_excess
            {
                sums.refunded += refund.amount;
            }
        }
        Ok(totals)
    }

    fn list<T: Filed>(&self) -> Result<Vec<T>, LedgerError> {
        let connection = self
            .connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let sql = format!("select {} from {} order by rowid", T::COLUMNS, T::TABLE);
        let mut statement = connection.prepare(&sql)?;
        let rows = statement.query_map([], T::read)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Runs `work` in an exclusive transaction, which is rolled back on error.
    pub(super) fn write<T, E: From<rusqlite::Error>>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        // A panic inside rolls the transaction back, so the connection stays usable.
        let mut connection = self
            .connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let done = work(&tx)?;
        tx.commit()?;
        Ok(done)
    }
}

#[cfg(test)]
mod tests {
    use super::super::refund_behavior::RefundBehavior;
    use super::*;

    #[test]
    fn a_ledger_of_the_first_form_grows() {
        let connection = Connection::open_in_memory().expect("memory");
        connection.execute_batch(TABLES).expect("tables");
        connection
            .execute_batch(
                "insert into authorizations values ('a', 'sim_1', 'fauxpay', 6540, 'USD', 1, 'approved', 6540, null, \
                 null, 0, 'https://shop.example', null, 0); pragma user_version = 1;",
            )
            .expect("a row");
        let ledger = Ledger::prepare(connection).expect("a ledger");
        let filed = ledger.authorizations().expect("a list");
        assert_eq!((filed[0].amount, filed[0].details.len()), (6540, 0));
        assert_eq!(filed[0].refund_behavior, RefundBehavior::Done);
        assert_eq!(ledger.refunds().expect("a list"), []);
        assert_eq!(ledger.dispute_requests().expect("a list"), []);
    }

    #[test]
    fn a_ledger_of_another_form_is_not_touched() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("simulator.sqlite");
        let connection = Connection::open(&path).expect("a file");
        connection
            .pragma_update(None, "user_version", 99)
            .expect("written");
        let refused = Ledger::open(&path).err();
        assert!(matches!(
            refused,
            Some(LedgerError::OtherVersion { found: 99 })
        ));
    }
}
