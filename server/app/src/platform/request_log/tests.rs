use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread::{self, ThreadId};

use async_trait::async_trait;

use super::*;
use crate::fixture::{Committed, base};
use crate::platform::ports::request_log::LoggedBody;

/// A request of a size that names no merchant.
struct Held(usize);

impl WaitingRequest for Held {
    fn size(&self) -> usize {
        self.0
    }

    fn masked(self: Box<Self>) -> Option<LoggedRequest> {
        None
    }
}

#[test]
fn a_second_has_room_for_so_many() {
    let quota = Quota::new(2);
    let at = |micros| Timestamp::from_micros(micros);
    let taken = [5_000_000, 5_400_000, 5_999_999, 6_000_000].map(|micros| quota.take(at(micros)));
    assert_eq!(taken, [true, true, false, true]);
    assert!(!Quota::new(0).take(at(5_000_000)), "0 logs nothing");
}

#[test]
fn a_full_queue_drops_and_one_that_was_emptied_does_not() {
    let queue = Queue::default();
    let kept = (0..2_000).filter(|_| queue.push(Box::new(Held(1)))).count();
    assert_eq!(kept, 1_000, "so many wait at most");
    assert_eq!(queue.take(400).len(), 400);
    assert_eq!(queue.take(usize::MAX).len(), 600);
    assert!(queue.push(Box::new(Held(1))), "there is room again");
}

#[test]
fn a_queue_bounds_its_bytes() {
    let queue = Queue::default();
    let mebibyte = || Box::new(Held(1_024 * 1_024));
    let kept = (0..20).filter(|_| queue.push(mebibyte())).count();
    assert_eq!(kept, 8);
    queue.take(1);
    assert!(
        queue.push(mebibyte()),
        "the bytes of taken requests are free"
    );
}

/// A request that notes the thread which masks it.
struct Noting(mpsc::Sender<ThreadId>);

impl WaitingRequest for Noting {
    fn size(&self) -> usize {
        1
    }

    fn masked(self: Box<Self>) -> Option<LoggedRequest> {
        self.0.send(thread::current().id()).expect("a listener");
        None
    }
}

/// This test's runtime has one thread, which other requests would have to wait for.
#[tokio::test]
async fn requests_are_masked_beside_the_runtime() {
    let (sender, threads) = mpsc::channel();
    let log = log(Arc::new(Away::default()));
    (0..2).for_each(|_| log.add(Box::new(Noting(sender.clone()))));
    drop(sender);
    assert_eq!(log.store_waiting().await, Err(Away::failure()));
    let threads: Vec<ThreadId> = threads.iter().collect();
    assert_eq!(threads.len(), 2);
    assert!(!threads.contains(&thread::current().id()));
}

/// A request that can't be masked.
struct Broken;

impl WaitingRequest for Broken {
    fn size(&self) -> usize {
        1
    }

    fn masked(self: Box<Self>) -> Option<LoggedRequest> {
        panic!("it can't be masked");
    }
}

#[tokio::test]
async fn a_request_that_cannot_be_masked_is_lost_and_reported() {
    let log = log(Arc::new(Away::default()));
    log.add(Box::new(Broken));
    let failure = log.store_waiting().await.expect_err("a failure");
    assert!(matches!(failure, StoreFailure::Broken(_)), "{failure}");
    assert!(log.queue.take(1).is_empty());
}

/// A store that doesn't answer, and counts the commits that were tried.
#[derive(Default)]
struct Away(AtomicUsize);

impl Away {
    fn failure() -> StoreFailure {
        StoreFailure::Unavailable("away".to_owned())
    }
}

#[async_trait]
impl RequestLogStore for Away {
    async fn store_requests(&self, _: &[LoggedRequest], _: Timestamp) -> Result<(), StoreFailure> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Err(Self::failure())
    }

    async fn logged_requests(
        &self,
        _: &MerchantId,
        _: &RequestSearch,
    ) -> Result<Vec<LoggedRequest>, StoreFailure> {
        Err(Self::failure())
    }

    async fn logged_request(
        &self,
        _: &MerchantId,
        _: &str,
    ) -> Result<Option<LoggedRequest>, StoreFailure> {
        Err(Self::failure())
    }

    async fn purge_requests(&self, _: Timestamp, _: i64) -> Result<u64, StoreFailure> {
        Err(Self::failure())
    }

    async fn merchants_over(&self, _: i64) -> Result<Vec<MerchantId>, StoreFailure> {
        Err(Self::failure())
    }

    async fn trim_requests(&self, _: &MerchantId, _: i64, _: i64) -> Result<u64, StoreFailure> {
        Err(Self::failure())
    }
}

fn log(store: Arc<Away>) -> RequestLog {
    RequestLog {
        base: base(&Arc::new(Committed::default())),
        store,
        quota: Quota::new(0),
        queue: Queue::default(),
        retention_seconds: 1,
        per_merchant: 1,
    }
}

#[tokio::test]
async fn a_stopping_server_gives_up_at_the_first_failure() {
    let store = Arc::new(Away::default());
    let log = log(Arc::clone(&store));
    (0..1_000).for_each(|_| log.add(Box::new(Held(1))));
    assert_eq!(log.store_last().await, Err(Away::failure()));
    assert_eq!(store.0.load(Ordering::Relaxed), 1, "one commit is tried");
    assert!(log.queue.take(1).is_empty(), "nothing waits any more");
}

/// A request that names its merchant.
struct Named;

impl WaitingRequest for Named {
    fn size(&self) -> usize {
        1
    }

    fn masked(self: Box<Self>) -> Option<LoggedRequest> {
        Some(LoggedRequest {
            merchant_id: MerchantId::parse("bookshop").expect("an id"),
            request_id: "0199e2c4-51c8-7b1e-9d0a-4f7a6c1b2d3e".to_owned(),
            requested_at: Timestamp::EPOCH,
            duration_ms: 1,
            method: "GET".to_owned(),
            path: "/payments/list".to_owned(),
            path_template: "/payments/list".to_owned(),
            operation: "payments_list".to_owned(),
            status: 200,
            error_code: None,
            caller: "api_key".to_owned(),
            caller_id: None,
            profile_id: None,
            payment_id: None,
            object_id: None,
            idempotency_key: None,
            user_agent: None,
            request_body: LoggedBody::default(),
            answer_body: LoggedBody::default(),
        })
    }
}

/// A store that counts its rows, and answers nothing else.
#[derive(Default)]
struct Rows(AtomicUsize);

#[async_trait]
impl RequestLogStore for Rows {
    async fn store_requests(
        &self,
        requests: &[LoggedRequest],
        _: Timestamp,
    ) -> Result<(), StoreFailure> {
        self.0.fetch_add(requests.len(), Ordering::Relaxed);
        Ok(())
    }

    async fn logged_requests(
        &self,
        _: &MerchantId,
        _: &RequestSearch,
    ) -> Result<Vec<LoggedRequest>, StoreFailure> {
        Err(Away::failure())
    }

    async fn logged_request(
        &self,
        _: &MerchantId,
        _: &str,
    ) -> Result<Option<LoggedRequest>, StoreFailure> {
        Err(Away::failure())
    }

    async fn purge_requests(&self, _: Timestamp, _: i64) -> Result<u64, StoreFailure> {
        Err(Away::failure())
    }

    async fn merchants_over(&self, _: i64) -> Result<Vec<MerchantId>, StoreFailure> {
        Err(Away::failure())
    }

    async fn trim_requests(&self, _: &MerchantId, _: i64, _: i64) -> Result<u64, StoreFailure> {
        Err(Away::failure())
    }
}

/// The clock stands, so all requests are of one second.
#[tokio::test]
async fn a_second_above_its_rate_leaves_as_many_rows_as_the_rate() {
    let rows = Arc::new(Rows::default());
    let log = RequestLog {
        store: rows.clone(),
        quota: Quota::new(2),
        ..log(Arc::new(Away::default()))
    };
    for _ in 0..5 {
        if log.has_room() {
            log.add(Box::new(Named));
        }
    }
    assert_eq!(log.store_waiting().await, Ok(()));
    assert_eq!(rows.0.load(Ordering::Relaxed), 2);
}
