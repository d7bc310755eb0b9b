//! Bills subscriptions: begins periods, charges invoices, looks what became of payments. Servers on one database share the work:
//! each takes up subscriptions by a lease.

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
/// Subscriptions that are worked on side by side: enough to keep the pace while a processor takes its time. No more are claimed than
/// are worked on at once: a lease isn't spent waiting, but for the pace.
const SIDE_BY_SIDE: usize = 32;
/// The pace: one subscription is begun after the other, so that payers' own payments find the database and the processors free in
/// between. 50 a second are 180,000 an hour, by each server.
const ONE_EVERY: Duration = Duration::from_millis(20);

pub(super) async fn run(collector: Arc<Collector>, mut stopped: watch::Receiver<bool>) {
    // Tasks, not futures of this loop: they must go on while it waits for a database connection, as they hold some.
    let mut running = Tasks::default();
    let mut turns = Turns::default();
    let mut pace = interval(ONE_EVERY);
    // What a busy server didn't begin in time isn't made up for at once: payers would wait for it.
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let room = SIDE_BY_SIDE.saturating_sub(running.len());
        let claimed = if room == 0 {
            Vec::new()
        } else {
            claim(&collector, room, &mut turns).await
        };
        // Where all room was taken, more may be due.
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
        tracing::warn!(%error, "subscriptions that are due could not be taken up");
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
            tracing::warn!(%subscription_id, %error, "what is due of a subscription waits");
        }
        Err(panicked) => {
            tracing::error!(%subscription_id, %panicked, "what is due of a subscription waits");
        }
    }
}
