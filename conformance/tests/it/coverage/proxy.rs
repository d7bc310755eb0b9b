//! A faulty proxy in front of a server.

use std::convert::Infallible;
use std::future::pending;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{
    CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue, TRANSFER_ENCODING,
};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// The running proxy, stopped when dropped.
pub struct Proxy {
    address: SocketAddr,
    task: JoinHandle<()>,
}

/// Pairs of a member's name and its replacement.
pub type Renames = &'static [(&'static str, &'static str)];

/// A request on its way to the server.
pub struct Asked {
    pub method: Method,
    /// Path and query.
    pub target: String,
    pub headers: HeaderMap,
    pub text: String,
}

/// An answer on its way back.
pub struct Answered {
    pub status: u16,
    pub headers: HeaderMap,
    pub text: String,
}

/// A deviation from the document.
#[derive(Clone, Copy)]
pub struct Deviation {
    /// Changes a request, or answers it.
    pub asks: fn(&mut Asked) -> Option<Answered>,
    /// Changes an answer.
    pub answers: fn(&Asked, &mut Answered),
}

/// A proxy that changes nothing.
pub const FAITHFUL: Deviation = Deviation {
    asks: |_| None,
    answers: |_, _| (),
};

impl Asked {
    /// Returns the path without the query.
    pub fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// Changes the body if it is JSON.
    pub fn change(&mut self, change: impl FnOnce(&mut Value)) {
        if let Ok(mut body) = serde_json::from_str(&self.text) {
            change(&mut body);
            self.text = body.to_string();
        }
    }
}

impl Answered {
    /// Builds a refusal.
    pub fn refusal(status: u16, code: &str, message: &str) -> Self {
        let text = json!({ "error_type": "invalid_request", "message": message, "code": code });
        let named = [
            ("content-type", "application/json"),
            ("request-id", "0199c8de-4a8c-77c2-91bb-7c48c47642ac"),
            ("x-request-id", "0199c8de-4a8c-47c2-91bb-7c48c47642ac"),
        ];
        let named = named.map(|(name, value)| {
            let name = HeaderName::from_static(name);
            (name, HeaderValue::from_static(value))
        });
        Self {
            status,
            headers: named.into_iter().collect(),
            text: text.to_string(),
        }
    }

    /// Changes the body if it is JSON.
    pub fn change(&mut self, change: impl FnOnce(&mut Value)) {
        if let Ok(mut body) = serde_json::from_str(&self.text) {
            change(&mut body);
            self.text = body.to_string();
        }
    }
}

/// The proxy's behaviour.
#[derive(Clone, Copy)]
struct Habits {
    /// Members and their new names.
    renames: Renames,
    deviation: Deviation,
    /// The number of requests that are forwarded; later ones get no answer.
    most: usize,
}

impl Proxy {
    /// Starts a proxy that renames members in the answers of the server at `url`.
    pub async fn renaming(url: &str, renames: Renames) -> Self {
        let habits = Habits {
            renames,
            deviation: FAITHFUL,
            most: usize::MAX,
        };
        Self::start(url, habits).await
    }

    /// Starts a proxy that forwards only the first `most` requests to the server at `url`.
    pub async fn tiring(url: &str, most: usize) -> Self {
        let habits = Habits {
            renames: &[],
            deviation: FAITHFUL,
            most,
        };
        Self::start(url, habits).await
    }

    /// Starts a proxy with this deviation in front of the server at `url`.
    pub async fn deviating(url: &str, deviation: Deviation) -> Self {
        let habits = Habits {
            renames: &[],
            deviation,
            most: usize::MAX,
        };
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
                        let answer = hand_on(&http, &url, request, habits);
                        async move {
                            if is_tired {
                                pending::<()>().await;
                            }
                            answer.await
                        }
                    });
                    let io = TokioIo::new(stream);
                    // The caller notices a broken connection.
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
    habits: Habits,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let (parts, body) = request.into_parts();
    let body = body.collect().await.expect("a body").to_bytes();
    let Ok(text) = String::from_utf8(body.to_vec()) else {
        return Ok(Response::new(Full::from("no text")));
    };
    let mut asked = Asked {
        method: parts.method,
        target: parts.uri.to_string(),
        headers: parts.headers,
        text,
    };
    let own = (habits.deviation.asks)(&mut asked);
    let mut answered = match own {
        Some(own) => own,
        None => answer_of(http, url, &asked).await,
    };
    (habits.deviation.answers)(&asked, &mut answered);
    for (from, to) in habits.renames {
        let (from, to) = (format!("\"{from}\":"), format!("\"{to}\":"));
        answered.text = answered.text.replace(&from, &to);
    }
    let mut handed = Response::new(Full::from(answered.text));
    *handed.status_mut() = StatusCode::from_u16(answered.status).expect("a status");
    *handed.headers_mut() = answered.headers;
    Ok(handed)
}

async fn answer_of(http: &reqwest::Client, url: &str, asked: &Asked) -> Answered {
    let url = format!("{url}{}", asked.target);
    let mut headers = asked.headers.clone();
    for name in [HOST, CONTENT_LENGTH] {
        headers.remove(name);
    }
    let sent = http.request(asked.method.clone(), url).headers(headers);
    let answer = sent.body(asked.text.clone()).send().await;
    let answer = answer.expect("an answer");
    let (status, mut headers) = (answer.status().as_u16(), answer.headers().clone());
    for name in [CONTENT_LENGTH, TRANSFER_ENCODING] {
        headers.remove(name);
    }
    let is_stream = headers
        .get(CONTENT_TYPE)
        .is_some_and(|media| media == "text/event-stream");
    let text = match is_stream {
        // A stream has no end. Its first line is enough here.
        true => "retry: 3000\n\n".to_owned(),
        false => answer.text().await.expect("a text"),
    };
    Answered {
        status,
        headers,
        text,
    }
}
