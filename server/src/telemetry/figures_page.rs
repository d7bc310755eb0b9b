//! `GET /metrics` on a listener of its own, so that an operator can read the metrics whatever the API's routes, rate limits
//! and load.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Method, Request, Response, StatusCode, header};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

use super::figures::Figures;

const PATH: &str = "/metrics";
const TEXT: HeaderValue = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
/// A scraper needs one connection.
const CONNECTIONS: usize = 16;
/// How long a connection may stay, busy or not; a scraper that keeps its connection makes a new one now and then.
const STAY: Duration = Duration::from_secs(600);
const HEAD_DEADLINE: Duration = Duration::from_secs(10);
const TIDY_EVERY: Duration = Duration::from_secs(5);

/// The listener, which ends when this is dropped.
pub struct FiguresPage {
    /// The bound address.
    pub address: SocketAddr,
    serving: JoinHandle<()>,
}

impl Drop for FiguresPage {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl FiguresPage {
    /// Serves the metrics.
    ///
    /// # Errors
    /// Fails when the address can't be listened on.
    pub async fn open(listen: SocketAddr, figures: Figures) -> std::io::Result<Self> {
        let listener = TcpListener::bind(listen).await?;
        let address = listener.local_addr()?;
        let serving = tokio::spawn(serve(listener, figures));
        Ok(Self { address, serving })
    }
}

async fn serve(listener: TcpListener, figures: Figures) {
    let slots = Arc::new(Semaphore::new(CONNECTIONS));
    let mut tidying = tokio::time::interval(TIDY_EVERY);
    loop {
        tokio::select! {
            _ = tidying.tick() => figures.tidy(),
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    // Dropped, and thereby closed, when all slots are taken.
                    if let Ok(slot) = Arc::clone(&slots).try_acquire_owned() {
                        let figures = figures.clone();
                        tokio::spawn(async move {
                            converse(stream, figures).await;
                            drop(slot);
                        });
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, "the listener of the metrics can't take a connection");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            },
        }
    }
}

async fn converse(stream: TcpStream, figures: Figures) {
    let service = service_fn(move |request: Request<Incoming>| {
        let response = answer(request.method(), request.uri().path(), &figures);
        async move { Ok::<_, Infallible>(response) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_DEADLINE)
        .serve_connection(TokioIo::new(stream), service);
    // A scraper with a broken connection connects again.
    let _ = tokio::time::timeout(STAY, connection).await;
}

fn answer(method: &Method, path: &str, figures: &Figures) -> Response<Full<Bytes>> {
    let is_read = *method == Method::GET || *method == Method::HEAD;
    let (status, text) = match (path, is_read) {
        (PATH, true) => (StatusCode::OK, figures.text()),
        (PATH, false) => (StatusCode::METHOD_NOT_ALLOWED, String::new()),
        _ => (StatusCode::NOT_FOUND, String::new()),
    };
    let mut response = Response::new(Full::new(Bytes::from(text)));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, TEXT);
    if status == StatusCode::METHOD_NOT_ALLOWED {
        headers.insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
    }
    response
}
