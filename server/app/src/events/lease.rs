//! How long a delivery is ours.
//!
//! A lease is much shorter than an exchange may take, and made longer for as long as the exchange goes on: what a server
//! had on its way when it died is taken up by another one within ten seconds, however patient the exchange. Where nobody
//! else can use the database there is nobody to take it up before the next start, which ends all leases.

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use futures::future::{Either, select};
use multirail_domain::timestamp::Timestamp;

use super::super::App;
use crate::ports::StoreFailure;
use crate::ports::events::Claimed;

/// Three of [`RENEW_EVERY`], and a second for clocks that differ.
const SECONDS: i64 = 10;
const RENEW_EVERY: Duration = Duration::from_secs(3);

/// What a lease that isn't renewed has to cover beside the exchange.
const MARGIN: Duration = Duration::from_secs(15);

impl App {
    /// The end of a lease that begins now, in wall time.
    pub(super) fn delivery_lease(&self) -> Timestamp {
        let wall = self.clock.wall();
        let seconds = if self.renews_leases() {
            SECONDS
        } else {
            (self.settings.deliveries.timeout + MARGIN).as_secs() as i64
        };
        wall.plus_seconds(seconds).unwrap_or(wall)
    }

    fn renews_leases(&self) -> bool {
        self.settings.alone_since.is_none()
    }

    /// Does `work`, keeping the lease for as long as it takes. Answers with the claim as it is then.
    pub(super) async fn holding<T>(
        &self,
        claimed: &Claimed,
        work: impl Future<Output = T>,
    ) -> (T, Timestamp) {
        if !self.renews_leases() {
            return (work.await, claimed.lease_until);
        }
        let renew = |lease_until| async move {
            let next = self.delivery_lease();
            let kept = self.events.prolong(claimed, lease_until, next).await?;
            Ok(kept.then_some(next))
        };
        renewing(claimed.lease_until, work, renew).await
    }
}

/// Does `work` and calls `renew` with the lease's end every few seconds meanwhile; it answers the new end, or none where
/// the lease is somebody else's by now. A call that was begun is waited for.
async fn renewing<T, R>(
    mut lease_until: Timestamp,
    work: impl Future<Output = T>,
    mut renew: impl FnMut(Timestamp) -> R,
) -> (T, Timestamp)
where
    R: Future<Output = Result<Option<Timestamp>, StoreFailure>>,
{
    let mut work = pin!(work);
    loop {
        if let Ok(done) = tokio::time::timeout(RENEW_EVERY, work.as_mut()).await {
            return (done, lease_until);
        }
        let renewal = pin!(renew(lease_until));
        let (done, renewed) = match select(work.as_mut(), renewal).await {
            Either::Left((done, renewal)) => (Some(done), renewal.await),
            Either::Right((renewed, _)) => (None, renewed),
        };
        match renewed {
            Ok(Some(next)) => lease_until = next,
            // What becomes of the delivery somebody else says now; that it was made is recorded all the same.
            Ok(None) => {
                let done = match done {
                    Some(done) => done,
                    None => work.await,
                };
                return (done, lease_until);
            }
            Err(error) => tracing::warn!(%error, "the lease of a webhook could not be renewed"),
        }
        if let Some(done) = done {
            return (done, lease_until);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::ready;

    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::EPOCH.plus_seconds(second).unwrap()
    }

    async fn works(seconds: u64) -> &'static str {
        tokio::time::sleep(Duration::from_secs(seconds)).await;
        "done"
    }

    #[tokio::test(start_paused = true)]
    async fn a_lease_is_renewed_for_as_long_as_the_work_takes() {
        let mut seen = Vec::new();
        let renewed = renewing(at(10), works(10), |lease_until: Timestamp| {
            seen.push(lease_until);
            ready(Ok(lease_until.plus_seconds(3)))
        });
        assert_eq!(renewed.await, ("done", at(19)));
        assert_eq!(seen, [at(10), at(13), at(16)]);
    }

    #[tokio::test(start_paused = true)]
    async fn quick_work_renews_nothing() {
        let mut calls = 0;
        let renewed = renewing(at(10), works(1), |_| {
            calls += 1;
            ready(Ok(None))
        });
        assert_eq!(renewed.await, ("done", at(10)));
        assert_eq!(calls, 0);
    }

    #[tokio::test(start_paused = true)]
    async fn a_lease_that_is_lost_is_left_alone_and_the_work_goes_on() {
        let mut calls = 0;
        let renewed = renewing(at(10), works(20), |_| {
            calls += 1;
            ready(Ok(None))
        });
        assert_eq!(renewed.await, ("done", at(10)));
        assert_eq!(calls, 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_store_that_is_away_is_asked_again() {
        let mut calls = 0;
        let renewed = renewing(at(10), works(8), |_| {
            calls += 1;
            ready(match calls {
                1 => Err(StoreFailure::Unavailable("away".to_owned())),
                _ => Ok(Some(at(16))),
            })
        });
        assert_eq!(renewed.await, ("done", at(16)));
    }
}
