//! A server that hands requests on to another, and does it badly.

use std::convert::Infallible;
use std::future::pending;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// Stops when it is dropped.
pub struct Proxy {
    address: SocketAddr,
    task: JoinHandle<()>,
}

/// Names of members, each with the one that stands in its place.
pub type Renames = &'static [(&'static str, &'static str)];

/// What it does to answers.
#[derive(Clone, Copy)]
struct Habits {
    /// Members, and what each is called instead.
    renames: Renames,
    /// How many requests it hands on; none is answered after them.
    most: usize,
}

impl Proxy {
    /// In front of the server at `url`, which it has break the document.
    pub async fn renaming(url: &str, renames: Renames) -> Self {
        let habits = Habits {
            renames,
            most: usize::MAX,
        };
        Self::start(url, habits).await
    }

    /// In front of the server at `url`, for so many requests.
    pub async fn tiring(url: &str, most: usize) -> Self {
        let habits = Habits { renames: &[], most };
        Self::start(url, habits).await
    }

    async fn start(url: &str, habits: Habits) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let (url, http) = (url.to_owned(), reqwest::Client::new());
        let asked = Arc::new(AtomicUsize::new(0));
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (url, http, asked) = (url.clone(), http.clone(), Arc::clone(&asked));
                tokio::spawn(async move {
                    let service = service_fn(|request| {
                        let is_tired = asked.fetch_add(1, Ordering::Relaxed) >= habits.most;
                        let answer = hand_on(&http, &url, request, habits.renames);
                        async move {
                            if is_tired {
                                pending::<()>().await;
                            }
                            answer.await
                        }
                    });
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

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn hand_on(
    http: &reqwest::Client,
    url: &str,
    request: Request<Incoming>,
    renames: Renames,
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
    let mut text = answer.text().await.expect("a text");
    for (from, to) in renames {
        text = text.replace(&format!("\"{from}\":"), &format!("\"{to}\":"));
    }
    Ok(handed.body(Full::from(text)).expect("an answer"))
}
