//! The crash test: a processor and a server as processes of their own, a mixed load, and SIGKILL at random moments, again
//! and again. The processor is the simulated one, which is killed now and then too, or the stand-in of a real one, which loses
//! answers instead. Afterwards the processor's ledger and our payments, refunds and disputes must tell the same story, every
//! answer that a client saw must still be true, every event must have arrived at the merchant's endpoint, those of one payment,
//! refund or dispute in their order, and nothing may be stuck.
//!
//! | Variable | |
//! |---|---|
//! | `MULTIRAIL_CRASH_KILLS` | how many kills, 5 unless given; `.ci/run` gives 12 |
//! | `MULTIRAIL_CRASH_SEED` | the seed that an earlier run has printed |
//! | `MULTIRAIL_CRASH_ENGINE` | `sqlite` or `postgres`; both unless given |
//! | `MULTIRAIL_CRASH_KEEP` | a folder that the logs and databases are left in |
//!
//! The seed repeats what is asked and when somebody is killed; what the operating system does in between it can't.

mod announced;
mod backup;
mod chance;
mod client;
mod compare;
mod dispute_books;
mod disputes;
mod ledger;
mod options;
mod payer;
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
mod told;
mod unsettled;

use options::{Connector, Engine, Options};
use tokio::sync::Mutex;

/// One at a time: they are measured in kills, not in who gets the processor's time.
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
async fn after_a_restart_nobody_waits_for_calls_of_the_earlier_run() {
    let _turn = TURN.lock().await;
    restart::nobody_waits_for_calls_of_an_earlier_run().await;
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
