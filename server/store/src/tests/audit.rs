//! The stored audit log: the entries that commits leave, their chain, and that nothing deletes one.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use multirail_app::accounts::ports::OrganizationChange;
use multirail_app::platform::ports::audit::{AuditNote, AuditRecord, AuditSearch};
use multirail_app::platform::ports::{AuditStore, ChangeSetStore, ClockChange, CommitError};
use multirail_domain::accounts::organization::Organization;
use multirail_kernel::audit::{
    AuditEntry, Chained, Head, Named, Stamp, Stamped, Stamper, Walk, stamp_text,
};
use multirail_kernel::random::SeededRandom;
use multirail_kernel::timestamp::Timestamp;
use sha2::{Digest, Sha256};

use super::super::engine::{Dialect, Read, Write, values};
use crate::fixture::on_both_engines;
use crate::fixture::{TestStore, changing};

on_both_engines! {
    an_entry_is_stored_with_its_change_or_not_at_all
    of_servers_that_chain_at_once_one_does
    nothing_takes_an_entry_back
    an_entry_is_taken_without_reading_the_log
    entries_are_found_by_what_they_say
}

struct Plain;

impl Stamper for Plain {
    fn stamp(&self, parts: &[&[u8]]) -> Stamp {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        hash.finalize().into()
    }
}

fn entry(number: i64) -> AuditEntry {
    AuditEntry {
        request_id: format!("request_{number}"),
        recorded_at: Timestamp::from_micros(number * 1_000),
        operation: "users_sign_out".to_owned(),
        principal: "user".to_owned(),
        principal_id: Some(format!("usr_{}", number % 2)),
        merchant_id: (number % 2 == 0).then(|| "bookshop".to_owned()),
        target: vec![Named::new("user_id", "usr_1")],
        objects: Vec::new(),
        ip: "192.0.2.1".to_owned(),
        stray: None,
    }
}

fn record(entry: AuditEntry) -> AuditRecord {
    let ip = IpAddr::V4(Ipv4Addr::LOCALHOST);
    let (request_id, at) = (entry.request_id.clone(), entry.recorded_at);
    let note = AuditNote::new(request_id, at, "users_sign_out", ip);
    let stamp = entry.stamp(&Plain);
    AuditRecord {
        note: Arc::new(note),
        stamped: Stamped { entry, stamp },
    }
}

/// Commits with this entry: a change that always succeeds, or with `used_up` one that always fails.
async fn commit(test: &TestStore, record: AuditRecord, used_up: bool) -> Result<(), CommitError> {
    let advance = ClockChange::Advance { seconds: 0 };
    let mut changes = vec![changing(advance)];
    if used_up {
        let nobodys = Organization::standard(None, Timestamp::EPOCH, &SeededRandom::new(3));
        changes.push(changing(OrganizationChange::Update(nobodys)));
    }
    let mut change_set = test.change_set(Timestamp::EPOCH, changes);
    change_set.audit = Some(record);
    test.store.commit(change_set).await
}

async fn leaves(test: &TestStore, numbers: std::ops::Range<i64>) {
    for number in numbers {
        commit(test, record(entry(number)), false)
            .await
            .expect("a commit");
    }
}

/// Chains the waiting entries; returns whether this call did it.
async fn chains(test: &TestStore, head: &Head) -> bool {
    let left = test.store.unchained_entries(100).await.expect("a read");
    let (chained, next) = head.append(left, &Plain);
    let done = test
        .store
        .chain_entries(head.entries, &chained, &next)
        .await;
    done.expect("a commit")
}

async fn head(test: &TestStore) -> Head {
    let stored = test.store.audit_head().await.expect("a read");
    stored.unwrap_or_else(|| Head::empty(&Plain))
}

async fn all(test: &TestStore) -> Vec<Chained> {
    test.store.audit_portion(1, 100).await.expect("a read")
}

async fn an_entry_is_stored_with_its_change_or_not_at_all(test: TestStore) {
    let refused = record(entry(1));
    let note = Arc::clone(&refused.note);
    let outcome = commit(&test, refused, true).await;
    assert_eq!(outcome, Err(CommitError::Conflict));
    assert!(!note.is_stored());
    let left = test.store.unchained_entries(100).await.expect("a read");
    assert_eq!(left, []);

    let again = record(entry(1));
    let (note, stamped) = (Arc::clone(&again.note), again.stamped.clone());
    commit(&test, again.clone(), false).await.expect("a commit");
    assert!(note.is_stored());
    // A commit whose answer was lost is made once more.
    commit(&test, again, false).await.expect("a commit");
    let left = test.store.unchained_entries(100).await.expect("a read");
    assert_eq!(left, [stamped]);
}

async fn of_servers_that_chain_at_once_one_does(test: TestStore) {
    let (here, there) = (&test, test.another());
    let empty = Head::empty(&Plain);
    leaves(here, 1..4).await;
    let both = futures::join!(chains(here, &empty), chains(&there, &empty));
    assert!(both.0 != both.1, "{both:?}");
    leaves(here, 4..6).await;
    let former = head(&there).await;
    let both = futures::join!(chains(here, &former), chains(&there, &former));
    assert!(both.0 != both.1, "{both:?}");
    let chained = all(here).await;
    let sequences: Vec<i64> = chained.iter().map(|one| one.sequence).collect();
    assert_eq!(sequences, [1, 2, 3, 4, 5]);
    let (walk, fault) = Walk::begin().over(&chained, &Plain);
    assert_eq!(fault, None);
    assert_eq!(walk.end(&head(here).await, &Plain), Ok(()));
    let portion = test.store.audit_portion(4, 1).await.expect("a read");
    assert_eq!(portion, chained[3..4]);
    let left = test.store.unchained_entries(100).await.expect("a read");
    assert_eq!(left, []);
}

async fn nothing_takes_an_entry_back(test: TestStore) {
    leaves(&test, 1..3).await;
    assert!(chains(&test, &Head::empty(&Plain)).await);
    leaves(&test, 3..4).await;
    let attempts = [
        "update audit_log set ip = '192.0.2.2' where sequence = $1",
        "delete from audit_log where sequence = $1",
        "update audit_inbox set ip = '192.0.2.2' where $1 = 1",
        "delete from audit_inbox where $1 = 1",
    ];
    for sql in attempts {
        let write = Write::new(sql, values![1_i64]).any_rows();
        let outcome = test.engine.write(vec![write]).await;
        let said = outcome.expect_err("a refusal");
        // PostgreSQL's own words may hold values, so only the code of its errors is kept: that of a raised exception.
        let said = format!("{said:?}");
        assert!(
            said.contains("audit log") || said.contains("P0001"),
            "{said}"
        );
    }
    assert_eq!(all(&test).await.len(), 2);
    let left = test.store.unchained_entries(100).await.expect("a read");
    assert_eq!(left.len(), 1);
    // The stamp is stored as text.
    let read = Read::new("select stamp from audit_log where sequence = 1", values![]);
    let row = test.engine.fetch_optional(read).await.expect("a read");
    let row = row.expect("a row");
    let stamp = stamp_text(&entry(1).stamp(&Plain));
    assert_eq!(row.str("stamp").expect("a text"), stamp);
}

/// So many entries that reading all of them would show.
const LOGGED: &str = "insert into audit_log (sequence, request_id, recorded_at, operation, principal, target, objects, ip, \
     stamp, link) with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 5000) \
     select n, 'req_' || n, n, 'users_sign_in', 'user', '[]', '[]', '192.0.2.1', 'stamp', 'link' from numbers";

/// Two of the entries are still in the inbox.
const LEFT: &str = "insert into audit_inbox (request_id, recorded_at, operation, principal, target, objects, ip, stamp) \
     with recursive numbers(n) as (select 7 union all select n + 4900 from numbers where n < 4900) \
     select 'req_' || n, n, 'users_sign_in', 'user', '[]', '[]', '192.0.2.1', 'stamp' from numbers";

/// The trigger looks for an entry in the log by an index. Otherwise each entry would cost as much as all before it.
async fn an_entry_is_taken_without_reading_the_log(test: TestStore) {
    for rows in [LOGGED, LEFT, "analyze audit_log"] {
        test.insert(Write::new(rows, Vec::new()).any_rows()).await;
    }
    match test.engine.dialect() {
        Dialect::Sqlite => {
            // The query of the trigger, as its plan isn't shown.
            let sql = "select 1 from audit_inbox old where not exists (select 1 from audit_log \
                 where audit_log.request_id = old.request_id and audit_log.stamp = old.stamp)";
            let plan = test.explained(sql).await.join("\n");
            assert!(
                plan.contains("SEARCH audit_log USING INDEX audit_log_by_request"),
                "{plan}"
            );
        }
        Dialect::Postgres => {
            // Counts the scans of the whole log by this statement.
            let sql = "with taken as (delete from audit_inbox where stamp = 'stamp' returning 1) \
                 select (select count(*) from taken) as taken, pg_stat_get_xact_numscans('audit_log'::regclass) as scans";
            let row = test.engine.fetch_optional(Read::new(sql, Vec::new())).await;
            let row = row.expect("a read").expect("a row");
            let seen = (
                row.int("taken").expect("a number"),
                row.int("scans").expect("a number"),
            );
            assert_eq!(seen, (2, 0));
        }
    }
}

async fn entries_are_found_by_what_they_say(test: TestStore) {
    leaves(&test, 1..6).await;
    assert!(chains(&test, &Head::empty(&Plain)).await);
    let found = async |search: AuditSearch| {
        let search = AuditSearch { limit: 3, ..search };
        let found = test.store.audit_entries(&search).await.expect("a read");
        found.iter().map(|one| one.sequence).collect::<Vec<_>>()
    };
    let any = AuditSearch::default;
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(found(any()).await, [5, 4, 3]);
    let before = Some(3);
    assert_eq!(found(AuditSearch { before, ..any() }).await, [2, 1]);
    let merchant_id = text("bookshop");
    assert_eq!(
        found(AuditSearch {
            merchant_id,
            ..any()
        })
        .await,
        [4, 2]
    );
    let principal_id = text("usr_1");
    let of_one = AuditSearch {
        principal: text("user"),
        principal_id,
        ..any()
    };
    assert_eq!(found(of_one).await, [5, 3, 1]);
    let operation = text("users_sign_in");
    assert_eq!(found(AuditSearch { operation, ..any() }).await, [0; 0]);
    let request_id = text("request_4");
    assert_eq!(
        found(AuditSearch {
            request_id,
            ..any()
        })
        .await,
        [4]
    );
    let times = AuditSearch {
        from: Some(Timestamp::from_micros(2_000)),
        until: Some(Timestamp::from_micros(3_000)),
        ..any()
    };
    assert_eq!(found(times).await, [3, 2]);
}
