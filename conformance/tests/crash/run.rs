//! One run: load, kills, a quiet phase, and the comparison.

mod quiet;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use multirail_conformance::Receiver;
use multirail_test_postgres::{Cluster, TestPostgres};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::chance::Chance;
use crate::client::Client;
use crate::compare::differences;
use crate::ledger::{is_debit, text};
use crate::options::{Connector, Engine, Options, say};
use crate::processes::Process;
use crate::processor::Processor;
use crate::seen::Seen;
use crate::still_true::contradictions;
use crate::{debit_books, deliveries, dispute_books, method_books, refund_books, story, visits};

pub use quiet::is_moving;

const WORKERS: u64 = 8;
pub const ADMIN_KEY: &str = "admin_key_of_the_crash_test_only";
/// The server's timeout for calls to the processor. Short, because on PostgreSQL interrupted calls are left alone
/// that long.
const DEADLINE_MS: u64 = 1_000;
/// With this many kills, some must have interrupted a request.
const MANY: u64 = 20;
/// The most differences that are printed.
const SHOWN: usize = 8;

/// The state of one run.
struct Run {
    title: String,
    seed: u64,
    folder: Folder,
    processor: Arc<Processor>,
    servers: Vec<Process>,
    client: Arc<Client>,
    merchant: Receiver,
    end_load: watch::Sender<bool>,
    workers: Vec<JoinHandle<u64>>,
    began: Instant,
}

/// The folder with the files of a run.
enum Folder {
    Passing(TempDir),
    Kept(PathBuf),
}

impl Folder {
    fn path(&self) -> &Path {
        match self {
            Folder::Passing(folder) => folder.path(),
            Folder::Kept(path) => path,
        }
    }
}

/// Kills servers at random moments, sometimes together with the processor or with the loss of its next answer. On
/// PostgreSQL two servers run, and one may finish the work that the killed one began.
pub async fn server_is_killed(options: &Options, engine: Engine, connector: Connector) {
    let cluster = match engine {
        Engine::Sqlite => None,
        Engine::Postgres => match own_cluster().await {
            Some(cluster) => Some(cluster),
            None => return,
        },
    };
    let kills = options.kills;
    let title = format!("{engine:?}, {connector:?}, the server is killed {kills} times");
    let title = title.to_lowercase();
    let database = cluster.as_ref().map(|cluster| cluster.create_database());
    let servers = match engine {
        Engine::Sqlite => 1,
        Engine::Postgres => 2,
    };
    let run = Run::begin(title, options, connector, database.as_deref(), servers).await;
    let mut chance = Chance::for_worker(options.seed, 1_000);
    let mut with_processor = 0;
    for _ in 0..options.kills {
        tokio::time::sleep(Duration::from_millis(chance.between(50, 1_500))).await;
        run.is_alive();
        let doomed = &run.servers[chance.between(1, servers as u64) as usize - 1];
        let also_processor = chance.percent(15);
        doomed.kill();
        if also_processor {
            with_processor += 1;
            run.processor.kill();
            run.processor.returns().await;
        }
        visits::meanwhile(&run.client).await;
        tokio::time::sleep(Duration::from_millis(chance.between(0, 200))).await;
        doomed.start().await;
    }
    let kills = format!(
        "{} kills of the server, {with_processor} of them with the processor or its next answer",
        options.kills
    );
    let counts = &run.client.counts;
    let cut_off = counts.cut_off.load(Ordering::Relaxed);
    let had_begun = counts.had_begun.load(Ordering::Relaxed);
    let visits = run.client.payers.visits.load(Ordering::Relaxed);
    let refunds_cut_off = cut_off_refunds(&run.client.seen());
    run.reckon(&kills).await;
    if options.kills >= MANY {
        assert!(cut_off > 0, "no kill cut a request off");
        assert!(
            had_begun > 0,
            "no kill fell between the first commit of a request and its answer"
        );
        assert!(refunds_cut_off > 0, "no kill cut a refund off");
        assert!(visits > 0, "no payer acted while a server was down");
    }
}

/// Kills and restarts PostgreSQL while the server runs.
pub async fn postgres_is_killed(options: &Options) {
    let Some(cluster) = own_cluster().await else {
        return;
    };
    let kills = options.kills.div_ceil(4).max(3);
    let database = cluster.create_database();
    let title = format!("postgres itself is killed {kills} times");
    let run = Run::begin(title, options, Connector::Simulator, Some(&database), 1).await;
    let mut chance = Chance::for_worker(options.seed, 2_000);
    for kill in 0..kills {
        tokio::time::sleep(Duration::from_millis(chance.between(500, 2_500))).await;
        let down_for = Duration::from_millis(chance.between(100, 1_500));
        on_a_thread(&cluster, Cluster::kill).await;
        visits::meanwhile(&run.client).await;
        tokio::time::sleep(down_for).await;
        // A short pause may pass while all requests wait for a connection, so that nobody hears of it.
        if kill == 0 {
            run.client.hears_unavailable().await;
        }
        on_a_thread(&cluster, Cluster::start).await;
        run.is_alive();
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    run.reckon(&format!("{kills} kills of PostgreSQL")).await;
}

async fn on_a_thread(cluster: &Arc<Cluster>, step: fn(&Cluster)) {
    let cluster = Arc::clone(cluster);
    let stepped = tokio::task::spawn_blocking(move || step(&cluster));
    stepped.await.expect("PostgreSQL is killed or started");
}

async fn own_cluster() -> Option<Arc<Cluster>> {
    let started = tokio::task::spawn_blocking(TestPostgres::start_own_or_explain);
    started.await.expect("PostgreSQL was looked for").ok()
}

impl Run {
    async fn begin(
        title: String,
        options: &Options,
        connector: Connector,
        database_url: Option<&str>,
        servers: usize,
    ) -> Self {
        let seed = options.seed;
        say(&format!("{title}; MULTIRAIL_CRASH_SEED={seed}"));
        let folder = match &options.keep {
            None => Folder::Passing(tempfile::tempdir().expect("a folder")),
            Some(parent) => {
                let name: String = title
                    .chars()
                    .map(|c| if c.is_alphanumeric() { c } else { '_' })
                    .collect();
                let path = parent.join(format!("{name}_{seed}"));
                std::fs::create_dir_all(&path).expect("a folder");
                Folder::Kept(path)
            }
        };
        let delay_ms = Chance::for_worker(seed, 3_000).between(2, 40);
        let processor = Processor::start(connector, folder.path(), delay_ms).await;
        let processor = Arc::new(processor);
        let mut running = Vec::with_capacity(servers);
        for number in 1..=servers {
            let server = Process::server(
                number,
                folder.path(),
                processor.setting(),
                ADMIN_KEY,
                database_url,
                DEADLINE_MS,
            );
            server.start().await;
            running.push(server);
        }
        let urls = running.iter().map(|server| server.url.clone()).collect();
        let merchant = Receiver::open().await;
        let client = Arc::new(
            Client::found(
                urls,
                ADMIN_KEY,
                Arc::clone(&processor),
                Some(merchant.url()),
            )
            .await,
        );
        let (end_load, ends) = watch::channel(false);
        let workers = (1..=WORKERS)
            .map(|number| {
                let chance = Chance::for_worker(seed, number);
                tokio::spawn(story::worker(
                    Arc::clone(&client),
                    chance,
                    number,
                    ends.clone(),
                ))
            })
            .collect();
        Run {
            title,
            seed,
            folder,
            processor,
            servers: running,
            client,
            merchant,
            end_load,
            workers,
            began: Instant::now(),
        }
    }

    /// # Panics
    /// Panics when a server that should run has ended.
    fn is_alive(&self) {
        for server in &self.servers {
            assert!(
                server.is_alive(),
                "a server ended by itself:\n{}",
                server.last_words()
            );
        }
    }

    /// Ends the load, waits for the quiet phase, and compares.
    async fn reckon(mut self, kills: &str) {
        self.end_load.send(true).expect("the workers listen");
        let mut created = 0;
        let mut wrong = Vec::new();
        for worker in std::mem::take(&mut self.workers) {
            match worker.await {
                Ok(payments) => created += payments,
                Err(error) => wrong.push(format!("a worker of the load gave up: {error}")),
            }
        }
        let loaded_for = self.began.elapsed();
        visits::finish(&self.client).await;
        self.processor.recovers();
        let end = self.wait_for_quiet().await;
        let end = self.with_returned_debits(end).await;
        let end = self.with_disputes_as_they_stand(end).await;
        let events = deliveries::events(&self.client).await;
        let arrived = self.merchant.seen();
        let ledger = self.processor.ledger().await;
        let seen = self.client.seen();
        wrong.extend(self.client.wrong());
        let unsettled = self.unsettled().await;
        wrong.extend(differences(&ledger, &end, &unsettled));
        wrong.extend(contradictions(&ledger, &seen, &end, &unsettled));
        wrong.extend(dispute_books::differences(&ledger, &seen, &end));
        let finished = self.client.payers.finished();
        wrong.extend(method_books::differences(&ledger, &end, &finished));
        wrong.extend(debit_books::differences(&ledger, &end));
        wrong.extend(deliveries::differences(&events, &arrived, &seen, &end));
        let refunds = refund_books::by_id(&end);
        wrong.extend(self.unlisted_refunds(refunds.len()).await);
        let counts = &self.client.counts;
        let count = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed);
        say(&format!(
            "{}: {kills} in {loaded_for:.1?}; {created} payments; {} requests, {} without an answer, {} told 503, {} told \
             that the first still runs; {} answers seen, {} of them after the first try was cut off, and of these {} to a \
             request that had already begun; at the processor {} authorizations, {} captures, \
             {} voids, {} refunds; {} events, told in {} deliveries; {:?}; {} refunds, {} answers about them after the \
             first try was cut off; {:?}; {:?}, {} answers about disputes after the first try was cut off; {} debits, \
             {} returns; {} visits of payers while a server was down; {} payments wait for what the processor never heard of",
            self.title,
            count(&counts.sent),
            count(&counts.unanswered),
            count(&counts.unavailable),
            count(&counts.in_use),
            seen.len(),
            count(&counts.cut_off),
            count(&counts.had_begun),
            ledger.authorizations.len(),
            ledger.captures.len(),
            ledger.voids.len(),
            ledger.refunds.len(),
            events.len(),
            arrived.len(),
            statuses(end.values(), "status"),
            refunds.len(),
            cut_off_refunds(&seen),
            statuses(refunds.values().copied(), "status"),
            statuses(dispute_books::all(&end), "dispute_status"),
            cut_off_disputes(&seen),
            end.values().filter(|one| is_debit(one)).count(),
            debit_books::returned(&end),
            count(&self.client.payers.visits),
            unsettled.len(),
        ));
        if !wrong.is_empty() {
            for server in &self.servers {
                say(&format!(
                    "the end of a server's log:\n{}",
                    server.last_words()
                ));
            }
            let shown = wrong
                .iter()
                .take(SHOWN)
                .cloned()
                .collect::<Vec<_>>()
                .join("\n");
            panic!(
                "{} things are wrong (MULTIRAIL_CRASH_SEED={}, files in {}):\n{shown}",
                wrong.len(),
                self.seed,
                self.folder.path().display()
            );
        }
    }

    /// Returns how the list of refunds differs from the refunds that the payments show.
    async fn unlisted_refunds(&self, shown: usize) -> Option<String> {
        let one = json!({ "limit": 1 });
        let page = self.client.list("/refunds/list", &one).await;
        let listed = &page["total_count"];
        (*listed != shown).then(|| format!("payments show {shown} refunds, {listed} are listed"))
    }
}

/// Counts the same for disputes.
fn cut_off_disputes(seen: &[Seen]) -> usize {
    let cut_off = |seen: &&Seen| seen.cut_off && seen.dispute_id().is_some();
    seen.iter().filter(cut_off).count()
}

/// Counts answered refund requests whose earlier try got no answer.
fn cut_off_refunds(seen: &[Seen]) -> usize {
    let cut_off = |seen: &&Seen| seen.cut_off && seen.refund_id().is_some();
    seen.iter().filter(cut_off).count()
}

fn statuses<'a>(
    objects: impl Iterator<Item = &'a Value>,
    member: &str,
) -> BTreeMap<&'a str, usize> {
    let mut statuses = BTreeMap::new();
    for object in objects {
        *statuses.entry(text(object, member)).or_default() += 1;
    }
    statuses
}
