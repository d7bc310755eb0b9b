//! The traffic of a server: the number of simultaneous requests, their rate, and their origins.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Instant;

use http::HeaderMap;
use multirail_api::{ApiError, Finished, Op, OpInfo, Ticket};
use multirail_app::platform::ports::metric;
use multirail_guard::{Asking, Visitors, network};

use super::answer_quota::AnswerQuota;
use super::errors::{crowded, overloaded, rate_limited};
use super::forwarded;
use super::forwarded::{Forwarded, UnreadableHeader};
use super::places::{Full, Place, Places};
use super::rate_limit::{Asker, RateLimit};

/// The label of requests outside the operations: pages and unknown paths.
const OTHER: &str = "other";

/// The limits of a server, and its current requests.
pub struct Traffic {
    /// The clients behind the connections that came through the guard.
    pub visitors: Visitors,
    /// True if a proxy of ours writes `x-forwarded-for`.
    pub is_behind_proxy: bool,
    /// The requests that are read and worked on at once.
    pub places: Arc<Places>,
    /// Absent without a rate limit.
    pub rate_limit: Option<RateLimit>,
    /// The quotas of stored answers.
    pub answers: AnswerQuota,
    /// Warns the operator of unreadable headers of the proxy.
    pub unreadable: UnreadableHeader,
}

/// Counts a request until it has its answer.
struct Counted {
    place: Place,
    asking: Option<Asking>,
}

impl Ticket for Counted {
    fn reads(&self, operation: Option<&'static OpInfo>) -> Result<(), ApiError> {
        match needs_place(operation) {
            true => self.place.reads().map_err(refused),
            false => Ok(()),
        }
    }

    fn arrived(&self) {
        if let Some(asking) = &self.asking {
            asking.arrived();
        }
    }

    fn works(&self, operation: Option<&'static OpInfo>) -> Result<(), ApiError> {
        match needs_place(operation) {
            true => self.place.works().map_err(refused),
            false => Ok(()),
        }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        metrics::gauge!(metric::REQUESTS_IN_FLIGHT).decrement(1.0);
    }
}

/// Returns whether an operation needs a place. Health probes need none, so they work on a full server.
fn needs_place(operation: Option<&'static OpInfo>) -> bool {
    operation.is_none_or(|operation| !matches!(operation.op, Op::HealthCheck | Op::HealthReady))
}

fn refused(full: Full) -> ApiError {
    metrics::counter!(metric::OVERLOADED).increment(1);
    match full {
        Full::Server => overloaded(),
        Full::Client => crowded("network"),
        Full::Connection => crowded("connection"),
    }
}

impl Traffic {
    /// Begins a request: returns its client's address, and a ticket that counts it until its answer.
    pub fn begin(&self, seen: SocketAddr, headers: &HeaderMap) -> (IpAddr, Arc<dyn Ticket>) {
        metrics::gauge!(metric::REQUESTS_IN_FLIGHT).increment(1.0);
        if self.is_behind_proxy && forwarded::last(headers) == Forwarded::Unreadable {
            self.unreadable.tell();
        }
        let visit = self.visitors.find(seen);
        let client = self.client(seen, headers);
        let ticket = Counted {
            place: self.places.begin(network::client_network(client), seen),
            asking: visit.map(|visit| visit.asks()),
        };
        (client, Arc::new(ticket))
    }

    /// Checks that the server would work on one more request.
    ///
    /// # Errors
    /// 503 `HE_00`.
    pub fn check_room(&self) -> Result<(), ApiError> {
        match self.places.has_room() {
            true => Ok(()),
            false => Err(overloaded()),
        }
    }

    /// Returns the address of a request's client. Behind a proxy it is the header's last address, which the proxy
    /// itself has seen. The client may have written the earlier ones.
    pub fn client(&self, seen: SocketAddr, headers: &HeaderMap) -> IpAddr {
        let forwarded = match self.is_behind_proxy {
            true => forwarded::last(headers),
            false => Forwarded::Nothing,
        };
        let connected = || match self.visitors.find(seen) {
            Some(visit) => visit.client().ip(),
            None => seen.ip(),
        };
        match forwarded {
            Forwarded::From(address) => address.to_canonical(),
            Forwarded::Nothing | Forwarded::Unreadable => connected().to_canonical(),
        }
    }

    /// Returns the number of requests without an answer yet.
    pub fn unanswered(&self) -> usize {
        self.places.unanswered()
    }

    /// Applies the rate limit of a secret key.
    ///
    /// # Errors
    /// 429 `MR_03`.
    pub fn admit_key(&self, key_id: &str) -> Result<(), ApiError> {
        self.admit("secret", || Asker::key(key_id))
    }

    /// Applies the rate limit of a payer's client.
    ///
    /// # Errors
    /// 429 `MR_03`.
    pub fn admit_client(&self, publishable_key: &str, client: IpAddr) -> Result<(), ApiError> {
        self.admit("publishable", || Asker::client(publishable_key, client))
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

/// Records the metrics of an answered request.
pub fn measure(finished: &Finished<'_>) {
    let operation = finished.operation.map_or(OTHER, |operation| operation.id);
    let status = finished.status.as_str().to_owned();
    metrics::counter!(metric::REQUESTS, "operation" => operation, "status" => status).increment(1);
    metrics::histogram!(metric::REQUEST_SECONDS, "operation" => operation)
        .record(finished.duration.as_secs_f64());
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use http::HeaderValue;

    use super::*;
    use crate::platform::forwarded::FORWARDED_FOR;
    use crate::platform::places::Limits;

    fn traffic(is_behind_proxy: bool, max_requests: usize) -> Traffic {
        Traffic {
            visitors: Visitors::default(),
            is_behind_proxy,
            places: Places::new(Limits {
                working: max_requests,
                working_per_client: 256,
                reading: 256,
                per_connection: 100,
            }),
            rate_limit: Some(RateLimit::new(1, 2, Instant::now())),
            answers: AnswerQuota::new(100, Duration::from_secs(3_600), Instant::now()),
            unreadable: UnreadableHeader::default(),
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
        let (_, first) = traffic.begin(peer(), &HeaderMap::new());
        let (_, second) = traffic.begin(peer(), &HeaderMap::new());
        let pays = Op::PaymentsCreate.info();
        assert!(first.reads(Some(pays)).is_ok() && second.reads(Some(pays)).is_ok());
        assert!(traffic.check_room().is_ok());
        assert!(first.works(Some(pays)).is_ok());
        for refused in [second.works(Some(pays)), traffic.check_room()] {
            let refused = refused.unwrap_err();
            assert_eq!((refused.status.as_u16(), refused.code), (503, "HE_00"));
            assert_eq!(refused.headers[0].0, "retry-after");
        }
        assert!(second.works(Some(Op::HealthReady.info())).is_ok());
        drop(first);
        assert!(second.works(Some(pays)).is_ok());
    }

    #[test]
    fn callers_that_are_too_fast_get_429_with_a_time() {
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
