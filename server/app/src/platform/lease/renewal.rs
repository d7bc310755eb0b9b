//! Renews a lease for as long as its work takes.

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use futures::future::{Either, select};
use multirail_kernel::timestamp::Timestamp;

use crate::platform::ports::StoreFailure;

/// Does `work`, and meanwhile calls `renew` with the lease's end after each `every`. `renew` returns the new end, or
/// `None` where another server holds the lease. A renewal that was begun is awaited. Returns the outcome of the work
/// and the lease's end.
pub(crate) async fn renewing<T, R>(
    every: Duration,
    mut lease_until: Timestamp,
    work: impl Future<Output = T>,
    mut renew: impl FnMut(Timestamp) -> R,
) -> (T, Timestamp)
where
    R: Future<Output = Result<Option<Timestamp>, StoreFailure>>,
{
    let mut work = pin!(work);
    loop {
        if let Ok(done) = tokio::time::timeout(every, work.as_mut()).await {
            return (done, lease_until);
        }
        let renewal = pin!(renew(lease_until));
        let (done, renewed) = match select(work.as_mut(), renewal).await {
            Either::Left((done, renewal)) => (Some(done), renewal.await),
            Either::Right((renewed, _)) => (None, renewed),
        };
        match renewed {
            Ok(Some(next)) => lease_until = next,
            // The new holder decides about the work. This server's result is recorded all the same.
            Ok(None) => {
                let done = match done {
                    Some(done) => done,
                    None => work.await,
                };
                return (done, lease_until);
            }
            Err(error) => tracing::warn!(%error, "a lease could not be renewed"),
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

    const EVERY: Duration = Duration::from_secs(3);

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
        let renewed = renewing(EVERY, at(10), works(10), |lease_until: Timestamp| {
            seen.push(lease_until);
            ready(Ok(lease_until.plus_seconds(3)))
        });
        assert_eq!(renewed.await, ("done", at(19)));
        assert_eq!(seen, [at(10), at(13), at(16)]);
    }

    #[tokio::test(start_paused = true)]
    async fn quick_work_renews_nothing() {
        let mut calls = 0;
        let renewed = renewing(EVERY, at(10), works(1), |_| {
            calls += 1;
            ready(Ok(None))
        });
        assert_eq!(renewed.await, ("done", at(10)));
        assert_eq!(calls, 0);
    }

    #[tokio::test(start_paused = true)]
    async fn a_lease_that_is_lost_is_left_alone_and_the_work_goes_on() {
        let mut calls = 0;
        let renewed = renewing(EVERY, at(10), works(20), |_| {
            calls += 1;
            ready(Ok(None))
        });
        assert_eq!(renewed.await, ("done", at(10)));
        assert_eq!(calls, 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_store_that_is_away_is_asked_again() {
        let mut calls = 0;
        let renewed = renewing(EVERY, at(10), works(8), |_| {
            calls += 1;
            ready(match calls {
                1 => Err(StoreFailure::Unavailable("away".to_owned())),
                _ => Ok(Some(at(16))),
            })
        });
        assert_eq!(renewed.await, ("done", at(16)));
    }
}
