//! Stand-ins of processors, for contract tests, scenarios, crash tests and measurements.
//!
//! A [`Peer`] is a local server with TLS and HTTP/2. It accepts only requests that the processor's
//! OpenAPI document describes, and fails by script. A [`Processor`] answers the accepted requests.
//! [`stripe`], [`adyen`] and [`checkout`] are processors written from the public references,
//! without code of our connectors. Each is also a [`StandIn`], which gives tests its books, cards
//! and notices.

pub mod adyen;
pub mod apple_pay;
pub mod checkout;
mod document;
mod faults;
mod form;
mod notice;
mod references;
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

/// A processor with its books in memory, written from its public reference.
#[async_trait]
pub trait Processor: Send + Sync + 'static {
    /// Returns the used part of its API (`peer.yaml`).
    fn document(&self) -> &'static Document;

    /// Answers a request that the document describes.
    async fn answer(&self, call: Call) -> Reply;

    /// Refuses a request that the document doesn't describe.
    fn refuse(&self, message: &str) -> Reply;
}

/// A validated request.
#[derive(Clone, Debug)]
pub struct Call {
    /// Method and path as in the document: `POST /v1/charges/{charge}/capture`.
    pub operation: String,
    /// Values of the path's parameters.
    pub path: BTreeMap<String, String>,
    /// The query as an object. Keys with brackets are nested, and values have the types of the
    /// document.
    pub query: Value,
    pub headers: HeaderMap,
    /// The JSON or form body, typed like the query; null if there is none.
    pub body: Value,
    /// Method, path with query, and body as received.
    pub raw: Raw,
}

/// A request as received.
#[derive(Clone, Debug)]
pub struct Raw {
    pub method: http::Method,
    pub path: String,
    pub query: Option<String>,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Call {
    /// Returns a header, or an empty text.
    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name).and_then(|value| value.to_str().ok());
        value.unwrap_or_default()
    }

    /// Returns the value at this pointer in the body, such as `/amount/value`. Null if there is
    /// none.
    pub fn at(&self, pointer: &str) -> &Value {
        self.body.pointer(pointer).unwrap_or(&Value::Null)
    }
}

/// An answer.
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

/// A running processor. Its drop panics after invalid requests or answers, and if faults are
/// unused.
pub struct Peer {
    address: SocketAddr,
    /// The certificate in PEM, with TLS.
    certificate: Option<String>,
    state: Arc<serve::State>,
    server: JoinHandle<()>,
}

impl Peer {
    /// Starts a processor with TLS, and with HTTP/2 for clients that want it.
    pub async fn start(processor: Arc<dyn Processor>) -> Self {
        let tls = serve::Tls::new();
        let certificate = tls.certificate.clone();
        Peer::serve(processor, Some(tls), Some(certificate)).await
    }

    /// Starts a processor with plain HTTP.
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

    /// Returns the address without a path.
    pub fn origin(&self) -> String {
        let scheme = if self.certificate.is_some() {
            "https"
        } else {
            "http"
        };
        format!("{scheme}://{}", self.address)
    }

    /// Returns the address with the path of the document's server.
    pub fn url(&self) -> String {
        let base = self.state.processor.document().base_path();
        format!("{}{base}", self.origin())
    }

    /// Returns the certificates that a client must trust.
    pub fn certificates(&self) -> Vec<Certificate> {
        let pem = self.certificate.iter();
        pem.map(|pem| Certificate::from_pem(pem.as_bytes()).expect("a certificate"))
            .collect()
    }

    /// Returns the certificate in PEM.
    ///
    /// # Panics
    /// If the peer uses plain HTTP.
    pub fn certificate_pem(&self) -> &str {
        self.certificate.as_deref().expect("it speaks TLS")
    }

    /// Delays every request: half of the time passes before its execution, and half before its
    /// answer. A client that hangs up can't know whether the request was executed.
    pub fn answers_after(&self, delay: Duration) {
        self.state.set_delay(delay);
    }

    pub fn faults(&self) -> &Faults {
        &self.state.faults
    }

    /// Returns the number of requests, of any outcome.
    pub fn requests(&self) -> usize {
        self.state.requests()
    }

    /// Returns the number of connections.
    pub fn connections(&self) -> usize {
        self.state.connections()
    }

    /// Returns the last body, as read by the document.
    pub fn last_body(&self) -> Value {
        self.state.last_body()
    }

    /// Takes the list of invalid requests and answers, so that the drop doesn't report them.
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
