//! A server that breaks the document: it hands every request on, and renames one member of the answers.

use std::convert::Infallible;
use std::net::SocketAddr;

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// Stops when it is dropped.
pub struct Renaming {
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl Renaming {
    /// In front of the server at `url`; the member `from` becomes `to`.
    pub async fn start(url: &str, from: &'static str, to: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let (url, http) = (url.to_owned(), reqwest::Client::new());
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (url, http) = (url.clone(), http.clone());
                tokio::spawn(async move {
                    let service = service_fn(|request| hand_on(&http, &url, request, (from, to)));
                    let io = TokioIo::new(stream);
                    // A connection that breaks is the caller's to notice.
                    let _ = http1::Builder::new().serve_connection(io, service).await;
                });
            }
        });
        Self { address, task }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for Renaming {
    fn drop(&mut self) {
        self.task.abort();
    }
}

pub async fn hand_on(
    http: &reqwest::Client,
    url: &str,
    request: Request<Incoming>,
    (from, to): (&str, &str),
) -> Result<Response<Full<Bytes>>, Infallible> {
    let (parts, body) = request.into_parts();
    let body = body.collect().await.expect("a body").to_bytes();
    let url = format!("{url}{}", parts.uri);
    let mut sent = http.request(parts.method, url).body(body);
    for (name, value) in &parts.headers {
        if name != "host" && name != "content-length" {
            sent = sent.header(name, value);
        }
    }
    let answer = sent.send().await.expect("an answer");
    let mut handed = Response::builder().status(answer.status());
    for (name, value) in answer.headers() {
        if name != "content-length" && name != "transfer-encoding" {
            handed = handed.header(name, value);
        }
    }
    let text = answer.text().await.expect("a text");
    let text = text.replace(&format!("\"{from}\":"), &format!("\"{to}\":"));
    Ok(handed.body(Full::from(text)).expect("an answer"))
}
