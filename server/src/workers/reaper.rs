//! Deletes data after its time:
//!
//! - cards and credentials held for a confirm whose client secret has expired, and card codes in memory
//! - payment tokens, wallet tokens, rate limits, and sign-ins of users
//! - cards to be saved whose payment was never decided
//! - saved data of customers of deleted merchants
//! - idempotency keys, and the rows that prove commits
//! - old requests of the request log
//! - evidence of disputes that ended long ago
//! - old events with their delivery attempts

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures::TryFutureExt;
use multirail_app::customers::ports::saved_methods::CARDS_WAIT_SECONDS;
use multirail_app::platform::ports::{Actor, StoreFailure};
use multirail_app::{Origin, Services};
use multirail_kernel::timestamp::Timestamp;
use tokio::sync::watch;

use super::pause;

const PAUSE: Duration = Duration::from_secs(5);
/// Rounds from one deletion of old events to the next.
const EVENTS_EVERY: u32 = 12;
/// Rows (or events) that are deleted in one commit, so that payments are not kept waiting; and commits in a round.
const AT_ONCE: i64 = 500;
const PORTIONS: u32 = 100;
/// How long used wallet tokens are remembered: longer than any of them is valid.
const WALLET_TOKENS_SECONDS: i64 = 90 * 86_400;

pub(super) async fn run(services: Arc<Services>, mut stopped: watch::Receiver<bool>) {
    let origin = Origin::of_service(Actor::Worker("reaper"));
    let mut rounds: u32 = 0;
    while pause(PAUSE, &mut stopped).await {
        services.codes.delete_lapsed();
        let (store, events) = (&services.store, &services.events.store);
        let retention = services.retention;
        let now = services.base.now();
        let lapsed = |at_most| services.payments.let_lapse(&origin, at_most);
        tell(
            "cards and credentials held for a confirm",
            in_portions(&stopped, lapsed).await,
        );
        let tokens = |at_most| store.purge_payment_tokens(now, at_most);
        tell("payment tokens", in_portions(&stopped, tokens).await);
        let tries = |at_most| store.purge_tries(now, at_most);
        tell("counted tries", in_portions(&stopped, tries).await);
        for satellite in &services.purges {
            let purge = |at_most| satellite.purge(now, at_most);
            tell(satellite.what(), in_portions(&stopped, purge).await);
        }
        let oldest = ago(now, CARDS_WAIT_SECONDS);
        let cards = |at_most| store.purge_cards_to_save(oldest, at_most);
        tell(
            "cards that waited to be saved",
            in_portions(&stopped, cards).await,
        );
        let oldest = ago(now, WALLET_TOKENS_SECONDS);
        let wallets = |at_most| store.purge_wallet_tokens(oldest, at_most);
        tell("tokens of wallets", in_portions(&stopped, wallets).await);
        let oldest = ago(now, retention.idempotency_seconds);
        let keys = |at_most| store.purge_old_keys(oldest, at_most);
        tell("idempotency keys", in_portions(&stopped, keys).await);
        let oldest = ago(now, retention.change_set_seconds);
        let change_sets = |at_most| store.purge_change_sets(oldest, at_most);
        tell("change-sets", in_portions(&stopped, change_sets).await);
        let requests = |at_most| services.request_log.purge(now, at_most);
        tell("logged requests", in_portions(&stopped, requests).await);
        let learned = |at_most| store.purge_dynamic_routing(now, at_most);
        tell(
            "counts of dynamic routing",
            in_portions(&stopped, learned).await,
        );
        if rounds.is_multiple_of(EVENTS_EVERY) {
            let oldest = ago(now, services.deliveries.terms.retention_seconds);
            let undelivered = AtomicU64::new(0);
            let events = |at_most| {
                let purged = events.purge_events(oldest, at_most);
                purged.map_ok(|purged| {
                    undelivered.fetch_add(purged.undelivered, Ordering::Relaxed);
                    purged.events
                })
            };
            let notices = |at_most| store.purge_notices(oldest, at_most);
            let evidence = |at_most| services.disputes.forget_evidence(&origin, oldest, at_most);
            tell(
                "evidence against disputes",
                in_portions(&stopped, evidence).await,
            );
            let methods = |at_most| store.purge_methods_of_the_deleted(at_most);
            tell(
                "saved methods of deleted merchants",
                in_portions(&stopped, methods).await,
            );
            let surplus = |at_most| services.request_log.trim(at_most);
            tell(
                "logged requests above an account's number",
                in_portions(&stopped, surplus).await,
            );
            tell("notices", in_portions(&stopped, notices).await);
            tell("events", in_portions(&stopped, events).await);
            tell_undelivered(undelivered.into_inner());
        }
        rounds = rounds.wrapping_add(1);
    }
}

/// Repeats `purge`, which deletes a portion and returns its size.
async fn in_portions<F>(
    stopped: &watch::Receiver<bool>,
    purge: impl Fn(i64) -> F,
) -> Result<u64, StoreFailure>
where
    F: Future<Output = Result<u64, StoreFailure>>,
{
    let mut purged = 0;
    for _ in 0..PORTIONS {
        let portion = purge(AT_ONCE).await?;
        purged += portion;
        if portion < AT_ONCE as u64 || *stopped.borrow() {
            break;
        }
    }
    Ok(purged)
}

fn ago(now: Timestamp, seconds: i64) -> Timestamp {
    now.plus_seconds(-seconds).unwrap_or(Timestamp::EPOCH)
}

fn tell_undelivered(undelivered: u64) {
    if undelivered > 0 {
        tracing::warn!(
            undelivered,
            "deleted events that were never delivered within their retention"
        );
    }
}

fn tell(what: &'static str, deleted: Result<u64, StoreFailure>) {
    match deleted {
        Ok(0) => {}
        Ok(count) => tracing::info!(what, count, "deleted expired data"),
        Err(error) => {
            tracing::warn!(what, %error, "the reaper could not delete expired data")
        }
    }
}
