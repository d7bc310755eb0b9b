//! Processors' other sides, for everything that has to be seen without them: the contract suite, scenarios, the crash test
//! and measurements.
//!
//! A [`Peer`] is a server on this machine that speaks TLS and HTTP/2, takes no request that the processor's own document
//! doesn't describe, and breaks by script. What it does with the requests that it takes a [`Processor`] says. [`stripe`],
//! [`adyen`] and [`checkout`] are such processors, written from their public references and without a line of our connectors; as a
//! [`StandIn`] each shows its books, its cards and what it tells unasked.

pub mod adyen;
pub mod apple_pay;
pub mod checkout;
mod document;
mod faults;
mod form;
mod notice;
mod serve;
mod stand_in;
pub mod stripe;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use async_trait::async_trait;
use http::HeaderMap;
use reqwest::Certificate;
use serde_json::Value;
use tokio::task::JoinHandle;

pub use document::Document;
pub use faults::{Fault, Faults};
pub use notice::Notice;
pub use stand_in::{
    Booked, Bookkeeper, Books, ByHand, CardThat, DisputeBooks, StandIn, TestCard, system_time,
};

/// What a processor does, as its public reference says, with books in memory.
#[async_trait]
pub trait Processor: Send + Sync + 'static {
    /// The part of its API that is used (`peer.yaml`).
    fn document(&self) -> &'static Document;

    /// What it answers to a request that its document describes.
    async fn answer(&self, call: Call) -> Reply;

    /// Its words for a request that its document doesn't describe.
    fn refuse(&self, message: &str) -> Reply;
}

/// A request that was checked.
#[derive(Clone, Debug)]
pub struct Call {
    /// Method and path as the document has them: `POST /v1/charges/{charge}/capture`.
    pub operation: String,
    /// Values of the path's parameters.
    pub path: BTreeMap<String, String>,
    /// As an object; keys with brackets are nested, and each value has the type that the document says.
    pub query: Value,
    pub headers: HeaderMap,
    /// JSON or a form, typed as the query is; null where there is none.
    pub body: Value,
    /// Method, path with query, and body as they came.
    pub raw: Raw,
}

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Raw {
    pub method: http::Method,
    pub path: String,
    pub query: Option<String>,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Call {
    /// The header, or nothing.
    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name).and_then(|value| value.to_str().ok());
        value.unwrap_or_default()
    }

    /// The value at this place of the body: `/amount/value`. Null where there is none.
    pub fn at(&self, pointer: &str) -> &Value {
        self.body.pointer(pointer).unwrap_or(&Value::Null)
    }
}

/// What is answered.
#[derive(Clone, Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: Value,
}

impl Reply {
    pub fn new(status: u16, body: Value) -> Self {
        Reply {
            status,
            headers: Vec::new(),
            body,
        }
    }
}

/// A processor that is running. Dropped at the end of a test it complains of every request that it couldn't take.
pub struct Peer {
    address: SocketAddr,
    /// In PEM, where it speaks TLS.
    certificate: Option<String>,
    state: Arc<serve::State>,
    server: JoinHandle<()>,
}

impl Peer {
    /// Over TLS, with HTTP/2 where the client wants it.
    pub async fn start(processor: Arc<dyn Processor>) -> Self {
        let tls = serve::Tls::new();
        let certificate = tls.certificate.clone();
        Peer::serve(processor, Some(tls), Some(certificate)).await
    }

    /// In plain HTTP.
    pub async fn start_plain(processor: Arc<dyn Processor>) -> Self {
        Peer::serve(processor, None, None).await
    }

    async fn serve(
        processor: Arc<dyn Processor>,
        tls: Option<serve::Tls>,
        certificate: Option<String>,
    ) -> Self {
        let state = Arc::new(serve::State::new(processor));
        let (address, server) = serve::listen(Arc::clone(&state), tls).await;
        Peer {
            address,
            certificate,
            state,
            server,
        }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address without a path.
    pub fn origin(&self) -> String {
        let scheme = if self.certificate.is_some() {
            "https"
        } else {
            "http"
        };
        format!("{scheme}://{}", self.address)
    }

    /// The address with the path that the document's server has.
    pub fn url(&self) -> String {
        let base = self.state.processor.document().base_path();
        format!("{}{base}", self.origin())
    }

    /// What a client has to trust.
    pub fn certificates(&self) -> Vec<Certificate> {
        let pem = self.certificate.iter();
        pem.map(|pem| Certificate::from_pem(pem.as_bytes()).expect("a certificate"))
            .collect()
    }

    /// The same as a file has it.
    ///
    /// # Panics
    /// Where the peer speaks plain HTTP.
    pub fn certificate_pem(&self) -> &str {
        self.certificate.as_deref().expect("it speaks TLS")
    }

    /// From now on a request waits half of this before it is done, and the answer the other half: whoever hangs up in between
    /// has had it done, or not.
    pub fn answers_after(&self, delay: Duration) {
        self.state.set_delay(delay);
    }

    pub fn faults(&self) -> &Faults {
        &self.state.faults
    }

    /// How many requests came, whatever became of them.
    pub fn requests(&self) -> usize {
        self.state.requests()
    }

    /// How many connections were made.
    pub fn connections(&self) -> usize {
        self.state.connections()
    }

    /// The body of the last request that had one, as its document reads it.
    pub fn told(&self) -> Value {
        self.state.told()
    }

    /// What was wrong with the requests so far, taken away: nobody complains of it again.
    pub fn take_violations(&self) -> Vec<String> {
        self.state.take_violations()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.server.abort();
        let violations = self.state.take_violations();
        if !thread::panicking() {
            assert!(
                violations.is_empty(),
                "the processor knows nothing of {violations:#?}"
            );
            let waiting = self.faults().waiting();
            assert_eq!(waiting, 0, "faults that nobody met");
        }
    }
}
