//! The crash test: a processor and a server run as processes under a mixed load, and get SIGKILL at random moments,
//! again and again. The processor is the simulator, which is sometimes killed too, or a stand-in of a real processor,
//! which loses answers instead. Payers act at the processor while servers are down.
//!
//! Afterwards these must hold:
//! - The processor's ledger agrees with our payments, refunds and disputes. No account is debited twice.
//! - Every answer that a client saw is still true.
//! - Every event has arrived at the merchant's endpoint, in order for each payment, refund and dispute.
//! - Nothing is stuck.
//!
//! | Variable | |
//! |---|---|
//! | `MULTIRAIL_CRASH_KILLS` | how many kills, 5 unless given; `.ci/run` gives 12 |
//! | `MULTIRAIL_CRASH_SEED` | the seed that an earlier run has printed |
//! | `MULTIRAIL_CRASH_ENGINE` | `sqlite` or `postgres`; both unless given |
//! | `MULTIRAIL_CRASH_KEEP` | a folder that the logs and databases are left in |
//!
//! The seed repeats the requests and the moments of the kills. It can't repeat the scheduling of the operating
//! system.

mod announced;
mod backup;
mod chance;
mod client;
mod compare;
mod debit_books;
mod debits;
mod deliveries;
mod dispute_books;
mod disputes;
mod ledger;
mod method;
mod method_books;
mod methods;
mod options;
mod payer;
mod payers;
mod processes;
mod processor;
mod refund_books;
mod refunds;
mod restart;
mod run;
mod seen;
mod still_true;
mod story;
mod stripe_books;
mod unsettled;
mod visits;

use options::{Connector, Engine, Options};
use tokio::sync::Mutex;

/// The runs take turns. They are measured in kills, so they must not compete for the CPU.
static TURN: Mutex<()> = Mutex::const_new(());

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_loses_and_doubles_nothing() {
    let options = Options::from_environment();
    if options.wants(Engine::Sqlite) {
        let _turn = TURN.lock().await;
        run::server_is_killed(&options, Engine::Sqlite, Connector::Simulator).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_loses_and_doubles_nothing() {
    let options = Options::from_environment();
    if options.wants(Engine::Postgres) {
        let _turn = TURN.lock().await;
        run::server_is_killed(&options, Engine::Postgres, Connector::Simulator).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_loses_and_doubles_nothing_at_stripe() {
    let options = Options::from_environment();
    if options.wants(Engine::Sqlite) {
        let _turn = TURN.lock().await;
        run::server_is_killed(&options, Engine::Sqlite, Connector::Stripe).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_loses_and_doubles_nothing_at_stripe() {
    let options = Options::from_environment();
    if options.wants(Engine::Postgres) {
        let _turn = TURN.lock().await;
        run::server_is_killed(&options, Engine::Postgres, Connector::Stripe).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restored_backup_tells_what_the_processor_did() {
    let options = Options::from_environment();
    let _turn = TURN.lock().await;
    backup::a_restored_backup_tells_what_the_processor_did(&options).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restart_does_not_wait_for_calls_of_the_earlier_run() {
    let _turn = TURN.lock().await;
    restart::a_restart_does_not_wait_for_calls_of_an_earlier_run().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interrupted_call_says_so_until_it_is_known() {
    let _turn = TURN.lock().await;
    restart::an_interrupted_call_says_so_until_it_is_known().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_server_outlives_its_postgres() {
    let options = Options::from_environment();
    if options.wants(Engine::Postgres) {
        let _turn = TURN.lock().await;
        run::postgres_is_killed(&options).await;
    }
}
