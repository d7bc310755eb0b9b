//! Works on processors' notices from the inbox. Servers on one database share the work: each claims notices by a lease.

use std::sync::Arc;
use std::time::Duration;

use multirail_app::operations::ports::notices::ClaimedNotice;
use multirail_app::platform::ports::{Actor, metric};
use multirail_app::{Origin, Services};
use tokio::sync::watch;

use super::pause;
use super::tasks::{Tasks, caught};

const WORKER: &str = "notices";
/// The metric's label for a notice that could not be worked on.
const FAILED: &str = "failed";
const POLL_EVERY: Duration = Duration::from_millis(500);
/// Notices worked on in parallel. No more are claimed, so that no lease is spent waiting.
const SIDE_BY_SIDE: usize = 16;
/// Polls from one measurement to the next: ten seconds.
const MEASURE_EVERY: u32 = 20;

pub(super) async fn run(services: Arc<Services>, mut stopped: watch::Receiver<bool>) {
    let mut running = Tasks::default();
    let mut polls: u32 = 0;
    loop {
        let free = SIDE_BY_SIDE - running.len();
        let claimed = if free > 0 {
            claim(&services, free).await
        } else {
            Vec::new()
        };
        let may_be_more = claimed.len() == free && free > 0;
        for one in claimed {
            running.spawn(work(Arc::clone(&services), one));
        }
        if polls.is_multiple_of(MEASURE_EVERY) {
            services.notices.measure().await;
        }
        tokio::select! {
            goes_on = pause(POLL_EVERY, &mut stopped) => {
                if !goes_on { break }
                polls = polls.wrapping_add(1);
            }
            () = services.notices.notifier.filed() => {}
            Some(_) = running.join_next(), if may_be_more || running.len() == SIDE_BY_SIDE => {}
        }
        while running.try_join_next().is_some() {}
    }
    while running.join_next().await.is_some() {}
}

async fn claim(services: &Services, at_most: usize) -> Vec<ClaimedNotice> {
    let claimed = services.notices.claim(at_most as i64).await;
    claimed.unwrap_or_else(|error| {
        tracing::warn!(%error, "due notices could not be claimed");
        Vec::new()
    })
}

async fn work(services: Arc<Services>, claimed: ClaimedNotice) {
    let origin = Origin::of_service(Actor::Worker(WORKER));
    let notice_id = &claimed.notice_id;
    let status = match caught(WORKER, services.notices.work_on(&origin, &claimed)).await {
        Ok(Ok(status)) => status.as_str(),
        Ok(Err(error)) => {
            tracing::warn!(%notice_id, %error, "a notice could not be worked on");
            FAILED
        }
        Err(panicked) => {
            tracing::error!(%notice_id, %panicked, "a notice could not be worked on");
            FAILED
        }
    };
    let connector = claimed.connector.clone();
    metrics::counter!(metric::NOTICES_WORKED_ON, "connector" => connector, "status" => status)
        .increment(1);
}
