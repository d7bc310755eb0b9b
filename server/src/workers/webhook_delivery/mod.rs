//! Delivers events to merchants' endpoints.
//!
//! One loop knows which endpoints may have due deliveries. Commits of this server report them at once. The loop polls the
//! store twice a second for other servers' commits, retries and expired leases. Claims and attempts are tasks of their
//! own, so that no endpoint waits for another.

mod scheduler;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use multirail_app::Services;
use multirail_app::accounts::ports::profiles::Endpoint;
use multirail_app::platform::ports::{StoreFailure, metric};
use multirail_app::webhooks::events;
use multirail_app::webhooks::events::DeliveryOutcome;
use multirail_app::webhooks::ports::events::Claimed;
use multirail_kernel::ids::EventId;
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval};

use self::scheduler::Scheduler;
use super::tasks::{Tasks, caught};

const POLL_EVERY: Duration = Duration::from_millis(500);
/// Polls from one measurement of the queue to the next: a minute.
const MEASURE_EVERY: u32 = 120;
/// How long an attempt under way may take when the server stops. After a longer one, the next start or another server sends
/// again.
const STOP_PATIENCE: Duration = Duration::from_secs(5);

/// The functions that the loop calls.
#[async_trait]
trait Deliveries: Send + Sync + 'static {
    /// Returns the endpoints that this server queued deliveries for; waits until there are any.
    async fn notified_endpoints(&self) -> BTreeSet<Endpoint>;
    async fn due(&self) -> Result<Vec<Endpoint>, StoreFailure>;
    async fn claim(&self, endpoint: &Endpoint, limit: usize) -> Result<Vec<Claimed>, StoreFailure>;
    async fn deliver(&self, claimed: Claimed) -> Result<DeliveryOutcome, StoreFailure>;
    /// Ends the leases of deliveries that were claimed and are not sent.
    async fn release(&self, claimed: &[Claimed]) -> Result<(), StoreFailure>;
    /// Measures the queue.
    async fn measure(&self);
}

#[async_trait]
impl Deliveries for events::Deliveries {
    async fn notified_endpoints(&self) -> BTreeSet<Endpoint> {
        self.notifier.notified_endpoints().await
    }

    async fn due(&self) -> Result<Vec<Endpoint>, StoreFailure> {
        self.due_endpoints().await
    }

    async fn claim(&self, endpoint: &Endpoint, limit: usize) -> Result<Vec<Claimed>, StoreFailure> {
        events::Deliveries::claim(self, endpoint, limit).await
    }

    async fn deliver(&self, claimed: Claimed) -> Result<DeliveryOutcome, StoreFailure> {
        events::Deliveries::deliver(self, claimed).await
    }

    async fn release(&self, claimed: &[Claimed]) -> Result<(), StoreFailure> {
        self.store.release(claimed).await
    }

    async fn measure(&self) {
        match self.store.queue_state().await {
            Ok(state) => {
                let overdue = state
                    .next_at
                    .map(|next| self.base.now().seconds_since(next));
                let overdue = overdue.unwrap_or(0).max(0);
                metrics::gauge!(metric::WEBHOOK_QUEUE).set(state.waiting as f64);
                metrics::gauge!(metric::WEBHOOK_OLDEST_DUE).set(overdue as f64);
            }
            Err(error) => tracing::debug!(%error, "the queue of webhooks could not be measured"),
        }
    }
}

pub(super) async fn run(services: Arc<Services>, stopped: watch::Receiver<bool>) {
    let terms = &services.deliveries.terms;
    let scheduler = Scheduler::new(terms.concurrency, terms.endpoint_concurrency);
    Dispatcher::new(Arc::clone(&services.deliveries), scheduler)
        .run(stopped)
        .await;
}

/// The outcome of a task.
enum Done {
    Polled(Result<Vec<Endpoint>, StoreFailure>),
    Claimed(Endpoint, usize, Result<Vec<Claimed>, StoreFailure>),
    Attempted(
        Endpoint,
        EventId,
        Instant,
        Result<DeliveryOutcome, StoreFailure>,
    ),
    Measured(Result<(), StoreFailure>),
    Released(Result<(), StoreFailure>),
}

struct Dispatcher<D> {
    work: Arc<D>,
    scheduler: Scheduler,
    tasks: Tasks<Done>,
    is_polling: bool,
    polls: u32,
    is_stopping: bool,
}

impl<D: Deliveries> Dispatcher<D> {
    fn new(work: Arc<D>, scheduler: Scheduler) -> Self {
        Dispatcher {
            work,
            scheduler,
            tasks: Tasks::default(),
            is_polling: false,
            polls: 0,
            is_stopping: false,
        }
    }

    async fn run(mut self, mut stopped: watch::Receiver<bool>) {
        let mut polls = interval(POLL_EVERY);
        polls.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let work = Arc::clone(&self.work);
        loop {
            self.claim_within_limits();
            tokio::select! {
                _ = stopped.wait_for(|stop| *stop) => break,
                endpoints = work.notified_endpoints() => endpoints.iter().for_each(|one| self.scheduler.mark_due(one)),
                Some(done) = self.tasks.join_next() => self.apply(done),
                _ = polls.tick() => self.poll(),
            }
        }
        self.is_stopping = true;
        let give_up_at = Instant::now() + STOP_PATIENCE;
        while let Ok(Some(done)) = tokio::time::timeout_at(give_up_at, self.tasks.join_next()).await
        {
            self.apply(done);
        }
        self.tasks.abort_all();
    }

    fn claim_within_limits(&mut self) {
        while let Some((endpoint, limit)) = self.scheduler.next_claim() {
            let work = Arc::clone(&self.work);
            self.tasks.spawn(async move {
                let claimed = guarded(work.claim(&endpoint, limit)).await;
                Done::Claimed(endpoint, limit, claimed)
            });
        }
    }

    /// Starts a poll, unless one is running.
    fn poll(&mut self) {
        self.scheduler.reduce_slow(Instant::now());
        if self.is_polling {
            return;
        }
        self.is_polling = true;
        let work = Arc::clone(&self.work);
        self.tasks
            .spawn(async move { Done::Polled(guarded(work.due()).await) });
        if self.polls.is_multiple_of(MEASURE_EVERY) {
            let work = Arc::clone(&self.work);
            let measure = async move {
                work.measure().await;
                Ok(())
            };
            self.tasks
                .spawn(async move { Done::Measured(guarded(measure).await) });
        }
        self.polls = self.polls.wrapping_add(1);
    }

    fn apply(&mut self, done: Result<Done, tokio::task::JoinError>) {
        match done {
            Ok(Done::Polled(found)) => {
                self.is_polling = false;
                match found {
                    Ok(endpoints) => endpoints
                        .iter()
                        .for_each(|one| self.scheduler.mark_due(one)),
                    Err(error) => {
                        tracing::warn!(%error, "could not find out which webhooks are due");
                    }
                }
            }
            Ok(Done::Claimed(endpoint, asked, claimed)) => {
                let claimed = claimed.unwrap_or_else(|error| {
                    tracing::warn!(%error, "could not claim webhooks");
                    Vec::new()
                });
                if self.is_stopping {
                    self.release(claimed);
                    return;
                }
                let began = Instant::now();
                self.scheduler
                    .claimed(&endpoint, asked, claimed.len(), began);
                claimed
                    .into_iter()
                    .for_each(|one| self.send(&endpoint, one, began));
            }
            Ok(Done::Attempted(endpoint, event_id, began, result)) => {
                let accepted = match result {
                    Ok(DeliveryOutcome::Delivered) => Some(true),
                    Ok(DeliveryOutcome::Failed) => Some(false),
                    Ok(DeliveryOutcome::Released) => None,
                    Err(error) => {
                        let merchant_id = &endpoint.merchant_id;
                        tracing::warn!(%merchant_id, %event_id, %error,
                            "the outcome of a webhook could not be recorded; it is sent again");
                        None
                    }
                };
                let now = Instant::now();
                self.scheduler
                    .attempt_ended(&endpoint, began, accepted, now);
            }
            Ok(Done::Measured(Ok(())) | Done::Released(Ok(()))) => {}
            Ok(Done::Measured(Err(error))) => {
                tracing::warn!(%error, "the queue of webhooks could not be measured");
            }
            Ok(Done::Released(Err(error))) => {
                tracing::warn!(%error, "could not give back webhooks; they are sent a little later");
            }
            Err(error) => tracing::error!(%error, "a task of webhook_delivery failed"),
        }
    }

    /// Ends the leases of claims that were under way when the server stopped, so that other servers, or the next start,
    /// need not wait until they expire.
    fn release(&mut self, claimed: Vec<Claimed>) {
        if claimed.is_empty() {
            return;
        }
        let work = Arc::clone(&self.work);
        self.tasks.spawn(async move {
            let released = guarded(work.release(&claimed)).await;
            Done::Released(released)
        });
    }

    fn send(&mut self, endpoint: &Endpoint, claimed: Claimed, began: Instant) {
        let (work, endpoint) = (Arc::clone(&self.work), endpoint.clone());
        self.tasks.spawn(async move {
            let event_id = claimed.event.event_id.clone();
            let result = guarded(work.deliver(claimed)).await;
            Done::Attempted(endpoint, event_id, began, result)
        });
    }
}

/// Turns a panic into a failure: a task that panics must not keep its slots for ever.
async fn guarded<T>(
    work: impl Future<Output = Result<T, StoreFailure>>,
) -> Result<T, StoreFailure> {
    let done = caught("webhook_delivery", work).await;
    done.unwrap_or_else(|panicked| Err(StoreFailure::Broken(panicked.to_string())))
}
