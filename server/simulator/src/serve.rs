//! The simulated processor as an HTTP server, with its payers' pages and its ledger.
//!
//! In addition to the requests of [`multirail_simulator_wire`]:
//!
//! | Request | Answer (200) |
//! |---|---|
//! | `GET /health` | `ok` |
//! | `GET /ledger/{authorizations,captures,voids,refunds}` | every record, refused ones too, oldest first |
//! | `GET /ledger/{disputes,dispute_requests}` | every dispute, and every accepted request about one |
//! | `POST /clock?advance_seconds=` and a number | `ok`; moves the processor's clock forward, until it ends |
//! | the addresses of [`crate::pages`] | HTML |
//!
//! [`crate::send_notices()`] runs alongside and sends the notices.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::request::Parts;
use http::{Method, Request, Response, StatusCode, header};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use multirail_kernel::secret::SecretText;
use multirail_simulator_wire::{
    self as wire, API_KEY_HEADER, KEY_HEADER, WireRequest, WireResponse,
};
use serde::Serialize;
use tokio::net::{TcpListener, TcpStream};

use crate::pages::{self, PageResponse};
use crate::processor::{LedgerError, Processor, Reply};

/// The maximum size of a request.
const REQUEST_BYTES: usize = 1_048_576;
/// The pause after a failed accept, which usually lacks file descriptors.
const BREATHER: Duration = Duration::from_millis(50);

type HttpResponse = Response<Full<Bytes>>;

/// The connection is closed without an answer.
#[derive(Debug, thiserror::Error)]
#[error("the simulator hangs up")]
struct HangUp;

/// Serves until it is dropped.
pub async fn serve(listener: TcpListener, processor: Arc<Processor>) -> Infallible {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                tokio::spawn(converse(stream, Arc::clone(&processor)));
            }
            Err(error) => {
                tracing::warn!(%error, "the simulator could not take a connection");
                tokio::time::sleep(BREATHER).await;
            }
        }
    }
}

async fn converse(stream: TcpStream, processor: Arc<Processor>) {
    // Answers are small, and clients wait for them.
    let _ = stream.set_nodelay(true);
    let service = service_fn(|request| answer(Arc::clone(&processor), request));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .serve_connection(TokioIo::new(stream), service);
    if let Err(error) = connection.await {
        tracing::debug!(%error, "a connection to the simulator broke");
    }
}

async fn answer(
    processor: Arc<Processor>,
    request: Request<Incoming>,
) -> Result<HttpResponse, HangUp> {
    let (head, body) = request.into_parts();
    let Ok(body) = Limited::new(body, REQUEST_BYTES).collect().await else {
        return Ok(plain(StatusCode::PAYLOAD_TOO_LARGE, "too long"));
    };
    if let Some(page) = page(&processor, &head) {
        return Ok(html(page));
    }
    let path = head.uri.path();
    if head.method == Method::GET && path == "/health" {
        return Ok(plain(StatusCode::OK, "ok"));
    }
    if head.method == Method::GET
        && let Some(book) = path.strip_prefix("/ledger/")
    {
        return Ok(ledger(&processor, book));
    }
    if head.method == Method::POST && path == "/clock" {
        return Ok(clock(&processor, head.uri.query().unwrap_or_default()));
    }
    let Some(request) = wire_request(&head, &body.to_bytes()) else {
        return Ok(plain(
            StatusCode::METHOD_NOT_ALLOWED,
            "GET or POST, in UTF-8",
        ));
    };
    let reply = processor.handle(request);
    // The delay follows the execution, as in `InProcess`.
    let delay = processor.script().delay();
    if !delay.is_zero() {
        tokio::time::sleep(delay).await;
    }
    match reply {
        Reply::Answer(WireResponse { status, body }) => {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            Ok(json(status, body))
        }
        Reply::HangUp => Err(HangUp),
        // Until the client gives up.
        Reply::Silence => std::future::pending().await,
    }
}

fn page(processor: &Processor, head: &Parts) -> Option<PageResponse> {
    let query = head.uri.query().unwrap_or_default();
    pages::answer(processor, head.method.as_str(), head.uri.path(), query)
}

fn wire_request(head: &Parts, body: &[u8]) -> Option<WireRequest> {
    let method = match head.method {
        Method::GET => wire::Method::Get,
        Method::POST => wire::Method::Post,
        _ => return None,
    };
    let header = |name: &str| head.headers.get(name)?.to_str().ok().map(str::to_owned);
    Some(WireRequest {
        method,
        path: head.uri.path().to_owned(),
        api_key: SecretText::new(header(API_KEY_HEADER).unwrap_or_default()),
        key: header(KEY_HEADER),
        body: SecretText::new(std::str::from_utf8(body).ok()?),
    })
}

fn clock(processor: &Processor, query: &str) -> HttpResponse {
    let seconds = query.strip_prefix("advance_seconds=");
    match seconds.and_then(|seconds| seconds.parse().ok()) {
        Some(seconds) => {
            processor.advance(seconds);
            plain(StatusCode::OK, "ok")
        }
        None => plain(
            StatusCode::BAD_REQUEST,
            "The address needs advance_seconds, a number of seconds.",
        ),
    }
}

fn ledger(processor: &Processor, book: &str) -> HttpResponse {
    let ledger = processor.ledger();
    let found = match book {
        "authorizations" => ledger.authorizations().map(|records| written(&records)),
        "captures" => ledger.captures().map(|records| written(&records)),
        "voids" => ledger.voids().map(|records| written(&records)),
        "refunds" => ledger.refunds().map(|records| written(&records)),
        "disputes" => ledger.disputes().map(|records| written(&records)),
        "dispute_requests" => ledger.dispute_requests().map(|records| written(&records)),
        _ => return plain(StatusCode::NOT_FOUND, "there is no such book"),
    };
    found.map_or_else(
        |error: LedgerError| plain(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
        |text| json(StatusCode::OK, text),
    )
}

fn written(records: &impl Serialize) -> String {
    serde_json::to_string(records).expect("records are plain JSON")
}

fn html(page: PageResponse) -> HttpResponse {
    let mut answer = Response::new(Full::from(page.html.clone()));
    *answer.status_mut() = StatusCode::from_u16(page.status).unwrap_or(StatusCode::OK);
    for (name, value) in page.headers() {
        if let Ok(value) = value.parse() {
            answer.headers_mut().insert(name, value);
        }
    }
    answer
}

fn json(status: StatusCode, text: String) -> HttpResponse {
    typed(status, "application/json", text)
}

fn plain(status: StatusCode, text: &str) -> HttpResponse {
    typed(status, "text/plain; charset=utf-8", text.to_owned())
}

fn typed(status: StatusCode, media_type: &'static str, text: String) -> HttpResponse {
    let mut answer = Response::new(Full::from(text));
    *answer.status_mut() = status;
    let media_type = http::HeaderValue::from_static(media_type);
    answer
        .headers_mut()
        .insert(header::CONTENT_TYPE, media_type);
    answer
}
