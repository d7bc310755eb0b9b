//! Delivers events to merchants' endpoints.
//!
//! One loop knows which endpoints may have something due: from commits of this server at once, from the store, where
//! other servers' commits, retries and lapsed leases show, twice a second. Claims and tries are tasks beside it, so that
//! no endpoint waits for another.

mod board;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval};

use self::board::Board;
use super::tasks::{Tasks, caught};
use crate::app::App;
use crate::app::events::Told;
use crate::ports::events::{Claimed, Endpoint};
use crate::ports::{StoreFailure, metric};

const LOOK_EVERY: Duration = Duration::from_millis(500);
/// Looks from one count of the queue to the next: a minute.
const COUNT_EVERY: u32 = 120;
/// What is on its way when the server stops may take this long. What takes longer is sent again by whoever starts next.
const STOP_PATIENCE: Duration = Duration::from_secs(5);

/// What the loop has done.
#[async_trait]
trait Deliveries: Send + Sync + 'static {
    /// Endpoints for which something was queued here; waits until there are any.
    async fn woken(&self) -> BTreeSet<Endpoint>;
    async fn due(&self) -> Result<Vec<Endpoint>, StoreFailure>;
    async fn claim(&self, endpoint: &Endpoint, limit: usize) -> Result<Vec<Claimed>, StoreFailure>;
    async fn deliver(&self, claimed: Claimed) -> Result<Told, StoreFailure>;
    /// Gives back what was claimed and isn't sent.
    async fn release(&self, claimed: &[Claimed]) -> Result<(), StoreFailure>;
    /// Measures the queue.
    async fn measure(&self);
}

#[async_trait]
impl Deliveries for App {
    async fn woken(&self) -> BTreeSet<Endpoint> {
        self.deliveries.woken().await
    }

    async fn due(&self) -> Result<Vec<Endpoint>, StoreFailure> {
        self.due_endpoints().await
    }

    async fn claim(&self, endpoint: &Endpoint, limit: usize) -> Result<Vec<Claimed>, StoreFailure> {
        self.claim_deliveries(endpoint, limit).await
    }

    async fn deliver(&self, claimed: Claimed) -> Result<Told, StoreFailure> {
        App::deliver(self, claimed).await
    }

    async fn release(&self, claimed: &[Claimed]) -> Result<(), StoreFailure> {
        self.events.release(claimed).await
    }

    async fn measure(&self) {
        match self.events.queue_state().await {
            Ok(state) => {
                let overdue = state.next_at.map(|next| self.now().seconds_since(next));
                let overdue = overdue.unwrap_or(0).max(0);
                metrics::gauge!(metric::WEBHOOK_QUEUE).set(state.waiting as f64);
                metrics::gauge!(metric::WEBHOOK_OLDEST_DUE).set(overdue as f64);
            }
            Err(error) => tracing::debug!(%error, "the queue of webhooks could not be measured"),
        }
    }
}

pub(super) async fn run(app: Arc<App>, stopped: watch::Receiver<bool>) {
    let terms = &app.settings.deliveries;
    let board = Board::new(terms.concurrency, terms.endpoint_concurrency);
    Dispatcher::new(app, board).run(stopped).await;
}

/// What a task has come to.
enum Done {
    Looked(Result<Vec<Endpoint>, StoreFailure>),
    Claimed(Endpoint, usize, Result<Vec<Claimed>, StoreFailure>),
    Tried(Endpoint, Instant, Result<Told, StoreFailure>),
    Measured(Result<(), StoreFailure>),
    Released(Result<(), StoreFailure>),
}

struct Dispatcher<D> {
    work: Arc<D>,
    board: Board,
    tasks: Tasks<Done>,
    is_looking: bool,
    looks: u32,
    is_stopping: bool,
}

impl<D: Deliveries> Dispatcher<D> {
    fn new(work: Arc<D>, board: Board) -> Self {
        Dispatcher {
            work,
            board,
            tasks: Tasks::default(),
            is_looking: false,
            looks: 0,
            is_stopping: false,
        }
    }

    async fn run(mut self, mut stopped: watch::Receiver<bool>) {
        let mut looks = interval(LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let work = Arc::clone(&self.work);
        loop {
            self.claim_what_fits();
            tokio::select! {
                _ = stopped.wait_for(|stop| *stop) => break,
                endpoints = work.woken() => endpoints.iter().for_each(|one| self.board.hint(one)),
                Some(done) = self.tasks.join_next() => self.take_in(done),
                _ = looks.tick() => self.look(),
            }
        }
        self.is_stopping = true;
        let give_up_at = Instant::now() + STOP_PATIENCE;
        while let Ok(Some(done)) = tokio::time::timeout_at(give_up_at, self.tasks.join_next()).await
        {
            self.take_in(done);
        }
    }

    fn claim_what_fits(&mut self) {
        while let Some((endpoint, limit)) = self.board.next() {
            let work = Arc::clone(&self.work);
            self.tasks.spawn(async move {
                let claimed = unharmed(work.claim(&endpoint, limit)).await;
                Done::Claimed(endpoint, limit, claimed)
            });
        }
    }

    /// One look at a time, beside everything else.
    fn look(&mut self) {
        self.board.notice(Instant::now());
        if self.is_looking {
            return;
        }
        self.is_looking = true;
        let work = Arc::clone(&self.work);
        self.tasks
            .spawn(async move { Done::Looked(unharmed(work.due()).await) });
        if self.looks.is_multiple_of(COUNT_EVERY) {
            let work = Arc::clone(&self.work);
            let measure = async move {
                work.measure().await;
                Ok(())
            };
            self.tasks
                .spawn(async move { Done::Measured(unharmed(measure).await) });
        }
        self.looks = self.looks.wrapping_add(1);
    }

    fn take_in(&mut self, done: Result<Done, tokio::task::JoinError>) {
        match done {
            Ok(Done::Looked(found)) => {
                self.is_looking = false;
                match found {
                    Ok(endpoints) => endpoints.iter().for_each(|one| self.board.hint(one)),
                    Err(error) => {
                        tracing::warn!(%error, "could not look which webhooks are due");
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
                self.board.claimed(&endpoint, asked, claimed.len(), began);
                claimed
                    .into_iter()
                    .for_each(|one| self.send(&endpoint, one, began));
            }
            Ok(Done::Tried(endpoint, began, told)) => {
                let taken_in = match told {
                    Ok(Told::Delivered) => Some(true),
                    Ok(Told::Failed) => Some(false),
                    Ok(Told::Released) => None,
                    Err(error) => {
                        tracing::warn!(%error, "could not record how a webhook went; it is sent again");
                        None
                    }
                };
                self.board.ended(&endpoint, began, taken_in, Instant::now());
            }
            Ok(Done::Measured(Ok(())) | Done::Released(Ok(()))) => {}
            Ok(Done::Measured(Err(error))) => {
                tracing::warn!(%error, "the queue of webhooks could not be measured");
            }
            Ok(Done::Released(Err(error))) => {
                tracing::warn!(%error, "could not give back webhooks; they are sent a little later");
            }
            Err(error) => tracing::error!(%error, "a task of webhook_delivery had failed"),
        }
    }

    /// What was still being claimed when the server stopped is for others, or for the next start, without waiting for
    /// our lease.
    fn release(&mut self, claimed: Vec<Claimed>) {
        if claimed.is_empty() {
            return;
        }
        let work = Arc::clone(&self.work);
        self.tasks.spawn(async move {
            let released = unharmed(work.release(&claimed)).await;
            Done::Released(released)
        });
    }

    fn send(&mut self, endpoint: &Endpoint, claimed: Claimed, began: Instant) {
        let (work, endpoint) = (Arc::clone(&self.work), endpoint.clone());
        self.tasks.spawn(async move {
            let told = unharmed(work.deliver(claimed)).await;
            Done::Tried(endpoint, began, told)
        });
    }
}

/// A task that panics must not keep its slots for ever.
async fn unharmed<T>(
    work: impl Future<Output = Result<T, StoreFailure>>,
) -> Result<T, StoreFailure> {
    let done = caught("webhook_delivery", work).await;
    done.unwrap_or_else(|panicked| Err(StoreFailure::Broken(panicked.to_string())))
}
