//! Backups are taken under load. Then the server is destroyed with its database, and the last backup is restored.
//! Every answer from before the backup must still hold, and no payment may claim more than the processor's ledger
//! shows.
//!
//! | Variable | |
//! |---|---|
//! | `MULTIRAIL_CRASH_BACKUPS` | how many backups are taken, 1 unless given; the last one is restored; `.ci/nightly`
//! gives 20 |

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::sync::watch;

use crate::chance::Chance;
use crate::client::Client;
use crate::compare::differences;
use crate::ledger::{Ledger, authorizations_of, number, payment_named_by, text};
use crate::options::{Connector, Options, say};
use crate::processes::{MASTER_KEY, Process};
use crate::processor::Processor;
use crate::run::{ADMIN_KEY, is_moving};
use crate::story;

const WORKERS: u64 = 6;
const DEADLINE_MS: u64 = 1_000;
/// Duration of the load before, between and after backups.
const CALM: Duration = Duration::from_millis(2_500);
/// Longest wait for open operations to settle after the restore.
const QUIET_LIMIT: Duration = Duration::from_secs(60);

pub async fn a_restored_backup_tells_what_the_processor_did(options: &Options) {
    let rounds = std::env::var("MULTIRAIL_CRASH_BACKUPS");
    let rounds: u32 = rounds.map_or(1, |text| text.parse().expect("a number of rounds"));
    say(&format!(
        "{rounds} backups under load; MULTIRAIL_CRASH_SEED={}",
        options.seed
    ));
    let folder = tempfile::tempdir().expect("a folder");
    let processor = Processor::start(Connector::Simulator, folder.path(), 10).await;
    let processor = Arc::new(processor);
    let setting = processor.setting();
    let server = Process::server(1, folder.path(), setting, ADMIN_KEY, None, DEADLINE_MS);
    server.start().await;
    let bases = vec![server.url.clone()];
    let client = Client::found(bases, ADMIN_KEY, Arc::clone(&processor), None).await;
    let client = Arc::new(client);
    let (end_load, ends) = watch::channel(false);
    let workers: Vec<_> = (1..=WORKERS)
        .map(|number| {
            let chance = Chance::for_worker(options.seed, number);
            let client = Arc::clone(&client);
            tokio::spawn(story::worker(client, chance, number, ends.clone()))
        })
        .collect();

    let data = folder.path().join("data_1");
    let mut backup = folder.path().join("backup_0");
    let mut before = 0;
    let mut speed = Speed::default();
    for round in 1..=rounds {
        speed.without_backup(&client, CALM).await;
        before = client.seen().len();
        backup = folder.path().join(format!("backup_{round}"));
        let to = backup.to_string_lossy().into_owned();
        speed
            .meanwhile(&client, multirail(&data, &["backup", "--to", &to]))
            .await;
    }
    tokio::time::sleep(CALM).await;
    end_load.send_replace(true);
    for worker in workers {
        worker.await.expect("a worker");
    }

    // Destroys the process, the database file and SQLite's files next to it.
    server.kill();
    for name in [
        "multirail.sqlite",
        "multirail.sqlite-wal",
        "multirail.sqlite-shm",
    ] {
        let _ = std::fs::remove_file(data.join(name));
    }
    let from = backup.to_string_lossy().into_owned();
    let checked = multirail(&data, &["restore", "--check", &from]).await;
    assert!(checked.ends_with("all of it is whole\n"), "{checked}");
    multirail(&data, &["restore", &from]).await;
    server.start().await;

    let seen = client.seen();
    let known: BTreeSet<String> = seen[..before]
        .iter()
        .filter(|seen| seen.operation == "create" && seen.status == 200)
        .map(|seen| seen.payment_id.clone())
        .collect();
    let went_on: BTreeSet<&str> = seen[before..]
        .iter()
        .map(|seen| seen.payment_id.as_str())
        .collect();
    let ids: BTreeSet<String> = seen.iter().map(|seen| seen.payment_id.clone()).collect();
    let ours = settled(&client, &ids).await;
    let missing: Vec<&String> = known.iter().filter(|id| !ours.contains_key(*id)).collect();
    assert!(
        missing.is_empty(),
        "answered before the backup, and lost: {missing:?}"
    );

    let ledger = known_to(processor.ledger().await, &ours);
    let wrong = differences(&ledger, &ours, &BTreeSet::new());
    let is_of_later = |line: &&String| {
        let id = line.split(':').next().unwrap_or_default();
        went_on.contains(id)
    };
    let (later, wrong): (Vec<String>, Vec<String>) =
        wrong.into_iter().partition(|line| is_of_later(&line));
    say(&format!(
        "{} payments were answered before the backup, {} are restored, {} of them went on after it, {} differ from the ledger \
         by what came later; {speed}",
        known.len(),
        ours.len(),
        ours.keys()
            .filter(|id| went_on.contains(id.as_str()))
            .count(),
        later.len(),
    ));
    assert!(
        wrong.is_empty(),
        "{} payments that were finished before the backup differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    for (id, payment) in &ours {
        let taken = taken(&ledger, id);
        let received = number(payment, "amount_received");
        assert!(
            received <= taken,
            "{id} says {received}, the ledger {taken}: {payment}"
        );
    }
}

/// Returns the amount that the processor captured for a payment, before refunds.
fn taken(ledger: &Ledger, payment_id: &str) -> i64 {
    let own = authorizations_of(ledger, payment_id);
    own.map(|authorization| {
        let key = text(authorization, "key");
        let at_once = match authorization["captured_at_once"] == true {
            true if authorization["status"] == "approved" => {
                number(authorization, "approved_amount")
            }
            true | false => 0,
        };
        let captures = ledger
            .captures
            .iter()
            .filter(|capture| text(capture, "authorization_key") == key);
        at_once
            + captures
                .map(|capture| number(capture, "amount"))
                .sum::<i64>()
    })
    .sum()
}

/// Returns the ledger without the payments that the restored database doesn't know.
fn known_to(mut ledger: Ledger, ours: &BTreeMap<String, Value>) -> Ledger {
    ledger
        .authorizations
        .retain(|one| ours.contains_key(payment_named_by(one)));
    let keys: BTreeSet<String> = ledger
        .authorizations
        .iter()
        .map(|one| text(one, "key").to_owned())
        .collect();
    for book in [&mut ledger.captures, &mut ledger.voids, &mut ledger.refunds] {
        book.retain(|one| keys.contains(text(one, "authorization_key")));
    }
    ledger
}

/// Returns the payments of the restored server once their open operations are settled.
async fn settled(client: &Client, ids: &BTreeSet<String>) -> BTreeMap<String, Value> {
    let limit = Instant::now() + QUIET_LIMIT;
    loop {
        client.time_passes(100_000).await;
        tokio::time::sleep(Duration::from_millis(1_500)).await;
        let mut payments = BTreeMap::new();
        for id in ids {
            let path = format!("/payments/{id}?expand_attempts=true&expand_captures=true");
            let (status, payment) = client.get(&path).await;
            if status == 200 {
                payments.insert(id.clone(), payment);
            }
        }
        if !payments.values().any(is_moving) || Instant::now() > limit {
            return payments;
        }
    }
}

/// Answers per second: with and without a backup running.
#[derive(Default)]
struct Speed {
    without: (usize, Duration),
    during: (usize, Duration),
}

impl Speed {
    async fn without_backup(&mut self, client: &Client, time: Duration) {
        let (began, seen) = (Instant::now(), client.seen().len());
        tokio::time::sleep(time).await;
        self.without.0 += client.seen().len() - seen;
        self.without.1 += began.elapsed();
    }

    async fn meanwhile(&mut self, client: &Client, work: impl Future<Output = String>) {
        let (began, seen) = (Instant::now(), client.seen().len());
        work.await;
        self.during.0 += client.seen().len() - seen;
        self.during.1 += began.elapsed();
    }
}

impl std::fmt::Display for Speed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let rate = |(answers, time): (usize, Duration)| answers as f64 / time.as_secs_f64();
        write!(
            f,
            "{:.0} answers a second without backups, {:.0} during them ({:.1?})",
            rate(self.without),
            rate(self.during),
            self.during.1
        )
    }
}

/// Runs the program on the server's data and returns its output.
async fn multirail(data: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_multirail-under-test"));
    command
        .args(arguments)
        .env("MULTIRAIL_DATA_DIRECTORY", data)
        .env("MULTIRAIL_MASTER_KEY", MASTER_KEY)
        .env("MULTIRAIL_LOG_LEVEL", "error");
    let output = tokio::task::spawn_blocking(move || command.output()).await;
    let output = output.expect("it ends").expect("the program is there");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
