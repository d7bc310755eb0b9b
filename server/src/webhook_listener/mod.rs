//! `multirail webhooks listen`: a receiver for developers of receivers. It receives deliveries as a merchant's server
//! would, checks their signatures with the client library, prints them, and can fail on purpose.

mod show;

use std::collections::HashMap;
use std::convert::Infallible;
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use multirail_app::platform::ports::Clock;
use multirail_webhooks::{
    Event, SIGNATURE_512, Verifier, WEBHOOK_ID, WEBHOOK_SIGNATURE, WebhookError,
};
use tokio::net::{TcpListener, TcpStream};

/// The most bytes of a delivery.
const DELIVERY_BYTES: usize = 1_048_576;
/// The pause after a failed accept, mostly for want of file descriptors.
const BREATHER: Duration = Duration::from_millis(50);

/// The checks, and the answers to deliveries.
#[derive(Clone, Debug, Default)]
pub struct Manners {
    /// Checks `webhook-signature`, if a secret is known.
    pub by_secret: Option<Verifier>,
    /// Checks `x-webhook-signature-512`, if the key is known.
    pub by_hash_key: Option<Verifier>,
    /// So many deliveries are answered 500 before the others are answered 200.
    pub fail_next: u32,
    /// Whether the whole body is printed.
    pub shows_body: bool,
}

/// A receiver and its output.
pub struct WebhookListener {
    manners: Manners,
    clock: Arc<dyn Clock>,
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
    status: StatusCode,
    shows_body: bool,
}

impl WebhookListener {
    /// Prints to `out`. `clock` measures the age of a delivery.
    pub fn new(manners: Manners, clock: Arc<dyn Clock>, out: Box<dyn Write + Send>) -> Self {
        let seen = Seen {
            deliveries: 0,
            tries: HashMap::new(),
            out,
        };
        WebhookListener {
            manners,
            clock,
            seen: Mutex::new(seen),
        }
    }

    /// Receives a delivery: prints it and returns the status of the answer.
    fn take(&self, path: &str, headers: &HeaderMap, body: &[u8]) -> StatusCode {
        let manners = &self.manners;
        let by_secret = self.check(manners.by_secret.as_ref(), WEBHOOK_SIGNATURE, headers, body);
        let by_hash_key = self.check(manners.by_hash_key.as_ref(), SIGNATURE_512, headers, body);
        let id = headers.get(WEBHOOK_ID).and_then(|id| id.to_str().ok());
        let mut seen = self.seen.lock().expect("printing doesn't panic");
        seen.deliveries += 1;
        let number = seen.deliveries;
        let tries = id.map_or(1, |id| {
            let tries = seen.tries.entry(id.to_owned()).or_default();
            *tries += 1;
            *tries
        });
        let status = if number <= u64::from(manners.fail_next) {
            StatusCode::INTERNAL_SERVER_ERROR
        } else {
            StatusCode::OK
        };
        let delivery = Delivery {
            number,
            tries,
            path,
            body,
            event: Event::read(body),
            by_secret,
            by_hash_key,
            status,
            shows_body: manners.shows_body,
        };
        // The delivery is answered even if the output is closed.
        let _ = write!(seen.out, "{delivery}").and_then(|()| seen.out.flush());
        status
    }

    fn check(
        &self,
        verifier: Option<&Verifier>,
        header: &str,
        headers: &HeaderMap,
        body: &[u8],
    ) -> Check {
        let now = self.clock.wall().to_datetime();
        match verifier {
            Some(verifier) => match verifier.check_at(headers, body, now) {
                Ok(()) => Check::Fits,
                Err(error) => Check::Refused(error),
            },
            None if headers.contains_key(header) => Check::Unchecked,
            None => Check::Absent,
        }
    }
}

/// Serves until it is dropped.
pub async fn serve(socket: TcpListener, listener: Arc<WebhookListener>) -> Infallible {
    loop {
        match socket.accept().await {
            Ok((stream, _)) => {
                tokio::spawn(converse(stream, Arc::clone(&listener)));
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be taken");
                tokio::time::sleep(BREATHER).await;
            }
        }
    }
}

async fn converse(stream: TcpStream, listener: Arc<WebhookListener>) {
    let service = service_fn(|request| answer(Arc::clone(&listener), request));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .serve_connection(TokioIo::new(stream), service);
    if let Err(error) = connection.await {
        tracing::debug!(%error, "a connection broke");
    }
}

async fn answer(
    listener: Arc<WebhookListener>,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let (head, body) = request.into_parts();
    let status = if head.method == Method::POST {
        match Limited::new(body, DELIVERY_BYTES).collect().await {
            Ok(body) => listener.take(head.uri.path(), &head.headers, &body.to_bytes()),
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
