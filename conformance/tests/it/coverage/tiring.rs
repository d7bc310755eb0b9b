//! A server that tires: it hands some requests on, and answers none after them.

use std::future::pending;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::renaming::hand_on;

/// Stops when it is dropped.
pub struct Tiring {
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl Tiring {
    /// In front of the server at `url`, for so many requests.
    pub async fn start(url: &str, most: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let (url, http) = (url.to_owned(), reqwest::Client::new());
        let asked = Arc::new(AtomicUsize::new(0));
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (url, http, asked) = (url.clone(), http.clone(), Arc::clone(&asked));
                tokio::spawn(async move {
                    let service = service_fn(|request| {
                        let is_tired = asked.fetch_add(1, Ordering::Relaxed) >= most;
                        let answer = hand_on(&http, &url, request, ("nothing", "nothing"));
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

impl Drop for Tiring {
    fn drop(&mut self) {
        self.task.abort();
    }
}
