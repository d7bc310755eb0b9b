//! `multirail webhooks listen`, and the receiver of `multirail listen`. It receives deliveries as a merchant's server
//! would, checks their signatures with the client library, prints them, and can fail on purpose or forward them.

mod forward;
mod object;
mod run;
mod show;

use std::collections::HashMap;
use std::convert::Infallible;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use multirail_client::types::EventType;
use multirail_webhooks::{
    Event, SIGNATURE_512, Verifier, WEBHOOK_ID, WEBHOOK_SIGNATURE, WebhookError,
};
use tokio::net::{TcpListener, TcpStream};

pub(crate) use forward::Forwarder;
pub(crate) use run::{StopSignals, bind, read_secrets, run, serve_until_stopped};

/// The most bytes of a delivery.
const DELIVERY_BYTES: usize = 1_048_576;
/// The pause after a failed accept, mostly for want of file descriptors.
const BREATHER: Duration = Duration::from_millis(50);

/// The checks, and the answers to deliveries.
#[derive(Clone, Debug, Default)]
pub(crate) struct Manners {
    /// Checks `webhook-signature`, if a secret is known.
    pub(crate) by_secret: Option<Verifier>,
    /// Checks `x-webhook-signature-512`, if the key is known.
    pub(crate) by_hash_key: Option<Verifier>,
    /// So many deliveries are answered 500 before the others are answered 200.
    pub(crate) fail_next: u32,
    /// True if the whole body is printed.
    pub(crate) shows_body: bool,
    /// True if a delivery without a valid signature is answered 400.
    pub(crate) requires_signature: bool,
    /// The types that are shown and forwarded; all of them if the list is empty.
    pub(crate) events: Vec<EventType>,
    /// Another receiver, whose answers are passed on.
    pub(crate) forwarder: Option<Forwarder>,
}

/// Returns the time, to measure the age of a delivery.
pub(crate) type Now = fn() -> DateTime<Utc>;

/// A receiver and its output.
pub(crate) struct WebhookListener {
    manners: Manners,
    now: Now,
    seen: Mutex<Seen>,
}

/// The deliveries so far. Printed under the same lock, so that the lines of two deliveries don't mix.
struct Seen {
    deliveries: u64,
    /// By event.
    tries: HashMap<String, u64>,
    out: Box<dyn Write + Send>,
}

/// The result of a check.
enum Check {
    Fits,
    Refused(WebhookError),
    /// There is a signature, and nothing to check it with.
    Unchecked,
    Absent,
}

/// One received delivery.
struct Delivery<'a> {
    /// Counted from 1.
    number: u64,
    /// The deliveries of its event, counted from 1.
    tries: u64,
    path: &'a str,
    body: &'a [u8],
    event: Result<Event, WebhookError>,
    by_secret: Check,
    by_hash_key: Check,
    /// The answer of the other receiver, or the reason why there is none.
    forwarded: Option<Result<StatusCode, String>>,
    status: StatusCode,
    shows_body: bool,
}

/// The request of a delivery.
struct Received<'a> {
    path: &'a str,
    headers: &'a HeaderMap,
    body: &'a Bytes,
}

impl WebhookListener {
    /// Prints to `out`.
    pub(crate) fn new(manners: Manners, now: Now, out: Box<dyn Write + Send>) -> Self {
        let seen = Seen {
            deliveries: 0,
            tries: HashMap::new(),
            out,
        };
        WebhookListener {
            manners,
            now,
            seen: Mutex::new(seen),
        }
    }

    /// Receives a delivery: prints it and returns the status of the answer.
    async fn take(&self, received: Received<'_>) -> StatusCode {
        let Received { headers, body, .. } = received;
        let manners = &self.manners;
        let event = Event::read(body);
        if !manners.shows(&event) {
            return StatusCode::OK;
        }
        let by_secret = self.check(manners.by_secret.as_ref(), WEBHOOK_SIGNATURE, headers, body);
        let by_hash_key = self.check(manners.by_hash_key.as_ref(), SIGNATURE_512, headers, body);
        let is_genuine = by_secret.fits() && by_hash_key.fits();
        let (number, tries) = self.count(headers);
        let mut forwarded = None;
        let status = if number <= u64::from(manners.fail_next) {
            StatusCode::INTERNAL_SERVER_ERROR
        } else if manners.requires_signature && !is_genuine {
            StatusCode::BAD_REQUEST
        } else if let Some(forwarder) = &manners.forwarder {
            let answer = forwarder.forward(headers, body.clone()).await;
            let status = answer.clone().unwrap_or(StatusCode::BAD_GATEWAY);
            forwarded = Some(answer);
            status
        } else {
            StatusCode::OK
        };
        self.print(&Delivery {
            number,
            tries,
            path: received.path,
            body,
            event,
            by_secret,
            by_hash_key,
            forwarded,
            status,
            shows_body: manners.shows_body,
        });
        status
    }

    /// Counts a delivery; returns its number and the number of tries of its event.
    fn count(&self, headers: &HeaderMap) -> (u64, u64) {
        let id = headers.get(WEBHOOK_ID).and_then(|id| id.to_str().ok());
        let mut seen = self.seen();
        seen.deliveries += 1;
        let tries = id.map_or(1, |id| {
            let tries = seen.tries.entry(id.to_owned()).or_default();
            *tries += 1;
            *tries
        });
        (seen.deliveries, tries)
    }

    /// Prints a delivery. It is answered even if the output is closed.
    fn print(&self, delivery: &Delivery<'_>) {
        let mut seen = self.seen();
        let _ = write!(seen.out, "{delivery}").and_then(|()| seen.out.flush());
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn check(
        &self,
        verifier: Option<&Verifier>,
        header: &str,
        headers: &HeaderMap,
        body: &[u8],
    ) -> Check {
        match verifier {
            Some(verifier) => match verifier.check_at(headers, body, (self.now)()) {
                Ok(()) => Check::Fits,
                Err(error) => Check::Refused(error),
            },
            None if headers.contains_key(header) => Check::Unchecked,
            None => Check::Absent,
        }
    }
}

impl Manners {
    /// Checks whether a delivery is shown and forwarded. An unreadable one always is.
    fn shows(&self, event: &Result<Event, WebhookError>) -> bool {
        let is_wanted = |event: &Event| self.events.contains(&event.event_type);
        self.events.is_empty() || event.as_ref().map_or(true, is_wanted)
    }
}

impl Check {
    fn fits(&self) -> bool {
        match self {
            Check::Fits => true,
            Check::Refused(_) | Check::Unchecked | Check::Absent => false,
        }
    }
}

/// Serves until it is dropped.
pub(crate) async fn serve(socket: TcpListener, listener: Arc<WebhookListener>) -> Infallible {
    loop {
        match socket.accept().await {
            Ok((stream, _)) => {
                tokio::spawn(converse(stream, Arc::clone(&listener)));
            }
            Err(_) => tokio::time::sleep(BREATHER).await,
        }
    }
}

async fn converse(stream: TcpStream, listener: Arc<WebhookListener>) {
    let service = service_fn(|request| answer(Arc::clone(&listener), request));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .serve_connection(TokioIo::new(stream), service);
    // The sender notices a broken connection, and tries again.
    let _ = connection.await;
}

async fn answer(
    listener: Arc<WebhookListener>,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let (head, body) = request.into_parts();
    let status = if head.method == Method::POST {
        match Limited::new(body, DELIVERY_BYTES).collect().await {
            Ok(body) => {
                let received = Received {
                    path: head.uri.path(),
                    headers: &head.headers,
                    body: &body.to_bytes(),
                };
                listener.take(received).await
            }
            Err(_) => StatusCode::PAYLOAD_TOO_LARGE,
        }
    } else {
        StatusCode::METHOD_NOT_ALLOWED
    };
    let mut response = Response::new(Full::default());
    *response.status_mut() = status;
    Ok(response)
}

#[cfg(test)]
mod tests;
