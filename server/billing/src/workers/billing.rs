//! Bills subscriptions: begins periods, charges invoices, checks payments. Servers on one database share the work and
//! claim subscriptions by a lease.

use std::sync::Arc;
use std::time::Duration;

use multirail_app::Origin;
use multirail_app::platform::ports::Actor;
use multirail_platform::workers::pause;
use multirail_platform::workers::tasks::{Tasks, caught};
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

use crate::app::subscriptions::Collector;
use crate::ports::subscriptions::{ClaimedSubscription, Turns};

pub(super) const WORKER: &str = "billing";
const POLL_EVERY: Duration = Duration::from_millis(500);
/// The number of subscriptions worked on concurrently, enough to keep the pace while a processor is slow. No more are
/// claimed than are worked on, so that no lease runs out while waiting.
const SIDE_BY_SIDE: usize = 32;
/// The pace: one subscription starts every 20 ms, which leaves the database and the processors room for payers' own
/// payments. 50 a second are 180,000 an hour for each server.
const ONE_EVERY: Duration = Duration::from_millis(20);

pub(super) async fn run(collector: Arc<Collector>, mut stopped: watch::Receiver<bool>) {
    // Work runs in tasks, not in futures of this loop: tasks hold database connections and must continue while the loop
    // waits for one.
    let mut running = Tasks::default();
    let mut turns = Turns::default();
    let mut pace = interval(ONE_EVERY);
    // Missed ticks of a busy server are not made up in a burst, which would slow payers down.
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let room = SIDE_BY_SIDE.saturating_sub(running.len());
        let claimed = if room == 0 {
            Vec::new()
        } else {
            claim(&collector, room, &mut turns).await
        };
        // If all room was taken, more may be due.
        let is_full = claimed.len() == room;
        for one in claimed {
            pace.tick().await;
            running.spawn(work(Arc::clone(&collector), one));
        }
        let waits = async {
            if is_full {
                running.join_next().await;
                true
            } else {
                tokio::select! {
                    goes_on = pause(POLL_EVERY, &mut stopped) => goes_on,
                    () = collector.reads.notifier.requested() => true,
                }
            }
        };
        if !waits.await || *stopped.borrow() {
            break;
        }
        while running.try_join_next().is_some() {}
    }
    while running.join_next().await.is_some() {}
}

async fn claim(collector: &Collector, room: usize, turns: &mut Turns) -> Vec<ClaimedSubscription> {
    let claimed = collector.claim(room, turns).await;
    claimed.unwrap_or_else(|error| {
        tracing::warn!(%error, "due subscriptions could not be claimed");
        Vec::new()
    })
}

async fn work(collector: Arc<Collector>, claimed: ClaimedSubscription) {
    let origin = Origin::of_service(Actor::Worker(WORKER));
    let worked = caught(WORKER, collector.work_on(&origin, &claimed)).await;
    let subscription_id = &claimed.subscription_id;
    match worked {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            tracing::warn!(%subscription_id, %error, "the due work of a subscription is postponed");
        }
        Err(panicked) => {
            tracing::error!(%subscription_id, %panicked, "the due work of a subscription is postponed");
        }
    }
}
