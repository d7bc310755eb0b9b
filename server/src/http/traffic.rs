//! How much is asked at once, how fast, and from where.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use http::HeaderMap;
use multirail_api::{ApiError, Finished, Ticket};
use multirail_app::ports::metric;
use multirail_guard::{Asking, Visitors};

use super::errors::{overloaded, rate_limited};
use super::rate_limit::{Asker, RateLimit};
use super::sign_in_limit::SignInLimit;

/// The header in which a proxy in front says who asked it.
const FORWARDED_FOR: &str = "x-forwarded-for";

/// The label of requests beside the operations: pages, unknown paths.
const OTHER: &str = "other";

/// What a server allows and what goes on.
pub struct Traffic {
    /// Who is behind the connections that came through the guard.
    pub visitors: Visitors,
    /// Whether `x-forwarded-for` was written by a proxy of ours.
    pub is_behind_proxy: bool,
    /// Requests that are worked on at once.
    pub max_requests: usize,
    /// None where there is no limit.
    pub rate_limit: Option<RateLimit>,
    pub sign_in_limit: SignInLimit,
    pub in_flight: Arc<AtomicUsize>,
}

/// Counts a request until it has its answer.
struct Counted {
    in_flight: Arc<AtomicUsize>,
    asking: Option<Asking>,
}

impl Ticket for Counted {
    fn arrived(&self) {
        if let Some(asking) = &self.asking {
            asking.arrived();
        }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.in_flight.fetch_sub(1, Ordering::Relaxed);
        metrics::gauge!(metric::REQUESTS_IN_FLIGHT).decrement(1.0);
    }
}

impl Traffic {
    /// A request has come in: where from, and what counts it until it has its answer.
    pub fn begin(&self, seen: SocketAddr, headers: &HeaderMap) -> (IpAddr, Arc<dyn Ticket>) {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
        metrics::gauge!(metric::REQUESTS_IN_FLIGHT).increment(1.0);
        let visit = self.visitors.find(seen);
        let ticket = Counted {
            in_flight: Arc::clone(&self.in_flight),
            asking: visit.map(|visit| visit.asks()),
        };
        (self.client(seen, headers), Arc::new(ticket))
    }

    /// Where a request comes from. Behind a proxy it is the last address of the header: the one that the proxy itself
    /// has seen. What stands before it is what the client says.
    pub fn client(&self, seen: SocketAddr, headers: &HeaderMap) -> IpAddr {
        let forwarded = if self.is_behind_proxy {
            let last = headers.get_all(FORWARDED_FOR).iter().next_back();
            last.and_then(|value| value.to_str().ok())
                .and_then(|value| value.rsplit(',').next()?.trim().parse().ok())
        } else {
            None
        };
        let connected = || match self.visitors.find(seen) {
            Some(visit) => visit.client().ip(),
            None => seen.ip(),
        };
        forwarded.unwrap_or_else(connected).to_canonical()
    }

    /// Requests that have no answer yet.
    pub fn unanswered(&self) -> usize {
        self.in_flight.load(Ordering::Relaxed)
    }

    /// Refuses while more is being worked on than may be.
    ///
    /// # Errors
    /// 503 `HE_00`.
    pub fn check_room(&self) -> Result<(), ApiError> {
        if self.in_flight.load(Ordering::Relaxed) <= self.max_requests {
            return Ok(());
        }
        metrics::counter!(metric::OVERLOADED).increment(1);
        Err(overloaded())
    }

    /// Lets the holder of a secret key ask, as often as it may.
    ///
    /// # Errors
    /// 429 `MR_03`.
    pub fn admit_key(&self, key_id: &str) -> Result<(), ApiError> {
        self.admit("secret", || Asker::key(key_id))
    }

    /// Lets a payer's client ask, as often as it may.
    ///
    /// # Errors
    /// 429 `MR_03`.
    pub fn admit_client(&self, publishable_key: &str, client: IpAddr) -> Result<(), ApiError> {
        self.admit("publishable", || Asker::client(publishable_key, client))
    }

    /// Lets somebody try to sign in, or to choose a password, as often as one may. `about`: what the account is known by.
    ///
    /// # Errors
    /// 429 `MR_03`.
    pub fn admit_sign_in(&self, about: &str, client: IpAddr) -> Result<(), ApiError> {
        counted(self.sign_in_limit.take(about, client, Instant::now()))
    }

    /// As [`Traffic::admit_sign_in`], where it isn't known yet who signs in.
    ///
    /// # Errors
    /// 429 `MR_03`.
    pub fn admit_visitor(&self, client: IpAddr) -> Result<(), ApiError> {
        counted(self.sign_in_limit.take_visit(client, Instant::now()))
    }

    fn admit(&self, kind: &'static str, asker: impl FnOnce() -> Asker) -> Result<(), ApiError> {
        let Some(limit) = &self.rate_limit else {
            return Ok(());
        };
        limit.take(asker(), Instant::now()).map_err(|wait| {
            metrics::counter!(metric::RATE_LIMITED, "key" => kind).increment(1);
            rate_limited(wait)
        })
    }
}

/// Takes the figures of a request that has its answer.
pub fn measure(finished: &Finished<'_>) {
    let operation = finished.operation.map_or(OTHER, |operation| operation.id);
    let status = finished.status.as_str().to_owned();
    metrics::counter!(metric::REQUESTS, "operation" => operation, "status" => status).increment(1);
    metrics::histogram!(metric::REQUEST_SECONDS, "operation" => operation)
        .record(finished.duration.as_secs_f64());
}

/// What comes of a try to sign in.
fn counted(taken: Result<(), Duration>) -> Result<(), ApiError> {
    taken.map_err(|wait| {
        metrics::counter!(metric::RATE_LIMITED, "key" => "sign_in").increment(1);
        rate_limited(wait)
    })
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn traffic(is_behind_proxy: bool, max_requests: usize) -> Traffic {
        Traffic {
            visitors: Visitors::default(),
            is_behind_proxy,
            max_requests,
            rate_limit: Some(RateLimit::new(1, 2, Instant::now())),
            sign_in_limit: SignInLimit::new(Instant::now()),
            in_flight: Arc::default(),
        }
    }

    fn peer() -> SocketAddr {
        "198.51.100.4:5000".parse().unwrap()
    }

    #[test]
    fn only_a_proxy_of_ours_is_believed_and_only_its_own_word() {
        let mut headers = HeaderMap::new();
        let forwarded = |text| HeaderValue::from_static(text);
        headers.append(FORWARDED_FOR, forwarded("192.0.2.1"));
        headers.append(FORWARDED_FOR, forwarded("192.0.2.2, 203.0.113.7"));
        let client = |is_behind, headers: &HeaderMap| {
            let traffic = traffic(is_behind, 1);
            traffic.client(peer(), headers).to_string()
        };
        assert_eq!(client(true, &headers), "203.0.113.7");
        assert_eq!(client(false, &headers), "198.51.100.4");
        assert_eq!(client(true, &HeaderMap::new()), "198.51.100.4");
        headers.append(FORWARDED_FOR, forwarded("nonsense"));
        assert_eq!(client(true, &headers), "198.51.100.4");
    }

    #[test]
    fn more_than_may_be_worked_on_is_refused_with_503() {
        let traffic = traffic(false, 1);
        let first = traffic.begin(peer(), &HeaderMap::new());
        assert!(traffic.check_room().is_ok());
        let second = traffic.begin(peer(), &HeaderMap::new());
        let refused = traffic.check_room().unwrap_err();
        assert_eq!((refused.status.as_u16(), refused.code), (503, "HE_00"));
        assert_eq!(refused.headers[0].0, "retry-after");
        drop((first, second));
        assert_eq!(traffic.in_flight.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn who_asks_too_fast_is_refused_with_429_and_told_when() {
        let traffic = traffic(false, 1);
        assert!(traffic.admit_key("key").is_ok());
        assert!(traffic.admit_key("key").is_ok());
        let refused = traffic.admit_key("key").unwrap_err();
        assert_eq!((refused.status.as_u16(), refused.code), (429, "MR_03"));
        assert_eq!(
            refused.headers,
            [(http::header::RETRY_AFTER, HeaderValue::from_static("1"))]
        );
        assert!(traffic.admit_client("key", peer().ip()).is_ok());
    }
}
