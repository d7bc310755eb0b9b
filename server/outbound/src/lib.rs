//! Calls to addresses that others chose.
//!
//! Every address that a name resolves to is checked, and the connection goes to one of the checked addresses. So a name
//! that resolves differently a moment later changes nothing.
//!
//! Redirects are not followed, since they would bypass the check. Proxies of the machine's environment are not used,
//! since they would resolve the name again. Answers are bounded in time and length.
//!
//! [`Manner`] holds the differences between callers. A webhook goes to any address that a merchant names. A processor
//! is called again and again, with HTTP/2 where it supports that, and through the operator's proxy where there is one.

mod manner;
mod multipart;
mod resolver;
mod tls_problem;

use std::error::Error;
use std::io;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use bytes::Bytes;
use multirail_kernel::target::{ForbiddenTarget, TargetRules};
use reqwest::header::HeaderMap;
use reqwest::{Client, ClientBuilder, Method, redirect};
use tokio::time::{Instant, timeout_at};

pub use manner::Manner;
pub use multipart::{Upload, multipart};
pub use reqwest::Certificate;
pub use resolver::{Lookup, SystemLookup};
pub use tls_problem::TlsProblem;

use resolver::{GuardedResolver, Unresolved};

/// A connection that was idle for this long is not used again: many servers close theirs after a minute or less.
const IDLE: Duration = Duration::from_secs(15);

/// A client that only calls addresses that the rules allow.
pub struct GuardedClient {
    http: Lazy,
    rules: Arc<TargetRules>,
}

/// A client that is made at its first call. Reading the machine's certificate authorities is most of its cost, and a
/// server has a client for each processor, used or not.
type Lazy = LazyLock<Client, Box<dyn FnOnce() -> Client + Send>>;

/// A request to send.
pub struct Outgoing<'a> {
    pub method: Method,
    pub url: &'a str,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// The bounds of an answer.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The time for everything from resolving the name to the last byte of the answer.
    pub time: Duration,
    /// The largest body; the rest is not read.
    pub body_bytes: usize,
}

/// An answer.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub headers: HeaderMap,
    /// The body, or its beginning.
    pub body: Vec<u8>,
    pub body_end: BodyEnd,
}

/// The reason why a body ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyEnd {
    Complete,
    /// The body is larger than the bound.
    Cut,
    /// The rest didn't arrive in time.
    TimedOut,
    /// The connection broke.
    Broken,
}

/// The reason why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OutboundError {
    /// Nothing was sent: the rules forbid the address as written.
    #[error("the address {0}")]
    Forbidden(ForbiddenTarget),
    /// Nothing was sent: the name has no address, or one that the rules forbid.
    #[error("the host's name leads to no address that may be called")]
    NameNotFound,
    /// Nothing was sent.
    #[error("there was no connection")]
    NoConnection,
    /// Nothing was sent: the TLS handshake failed.
    #[error("there was no secure connection: {0}")]
    NotSecure(TlsProblem),
    /// Something may have been sent.
    #[error("there was no answer in time")]
    TimedOut,
    /// Something may have been sent.
    #[error("the connection broke before an answer came")]
    Broken,
}

impl GuardedClient {
    /// Returns a client that trusts the machine's certificate authorities or, where there are none, those of the major
    /// browsers.
    pub fn new(rules: TargetRules, manner: &Manner) -> Self {
        let rules = Arc::new(rules);
        let (of_client, manner) = (Arc::clone(&rules), manner.clone());
        let http: Lazy = LazyLock::new(Box::new(move || trusting(&of_client, &manner)));
        GuardedClient { http, rules }
    }

    /// As [`GuardedClient::new`], with a client certificate. Returns `None` where the key doesn't fit the certificate,
    /// or this machine has no certificate authorities.
    pub fn identified(
        rules: TargetRules,
        manner: &Manner,
        identity: reqwest::Identity,
    ) -> Option<Self> {
        let rules = Arc::new(rules);
        let builder =
            |manner| builder(Arc::new(SystemLookup), &rules, manner).identity(identity.clone());
        let of_machine = builder(manner).tls_certs_merge(manner.trusted.clone());
        let http = of_machine.build().or_else(|_| {
            let mut certificates = bundled();
            certificates.extend(manner.trusted.clone());
            builder(manner).tls_certs_only(certificates).build()
        });
        Some(GuardedClient {
            http: made(http.ok()?),
            rules,
        })
    }

    /// As [`GuardedClient::new`], with another resolver.
    #[cfg(any(test, feature = "fixture"))]
    pub fn with(rules: TargetRules, lookup: Arc<dyn Lookup>, manner: &Manner) -> Self {
        let rules = Arc::new(rules);
        let builder = builder(lookup, &rules, manner);
        let http = builder.tls_certs_merge(manner.trusted.clone()).build();
        GuardedClient {
            http: made(http.expect("a client")),
            rules,
        }
    }

    /// Sends and waits for the answer, whatever its status. Dropping the future closes the connection.
    ///
    /// # Errors
    /// [`OutboundError`] when no status came.
    pub async fn send(
        &self,
        outgoing: Outgoing<'_>,
        bounds: Bounds,
    ) -> Result<Response, OutboundError> {
        // A host that is an IP address never reaches the resolver.
        let url = self
            .rules
            .check_url(outgoing.url)
            .map_err(OutboundError::Forbidden)?;
        let end = Instant::now() + bounds.time;
        let request = self.http.request(outgoing.method, url);
        let request = request.headers(outgoing.headers).body(outgoing.body);
        let mut response = match timeout_at(end, request.send()).await {
            Ok(sent) => sent.map_err(|error| reason(&error))?,
            Err(_) => return Err(OutboundError::TimedOut),
        };
        let mut body = Vec::new();
        let body_end = loop {
            match timeout_at(end, response.chunk()).await {
                Ok(Ok(Some(chunk))) => {
                    let room = bounds.body_bytes - body.len();
                    body.extend_from_slice(&chunk[..chunk.len().min(room)]);
                    if chunk.len() > room {
                        break BodyEnd::Cut;
                    }
                }
                Ok(Ok(None)) => break BodyEnd::Complete,
                Ok(Err(_)) => break BodyEnd::Broken,
                Err(_) => break BodyEnd::TimedOut,
            }
        };
        Ok(Response {
            status: response.status().as_u16(),
            headers: std::mem::take(response.headers_mut()),
            body,
            body_end,
        })
    }
}

fn made(client: Client) -> Lazy {
    LazyLock::new(Box::new(|| client))
}

/// Returns a client that trusts this machine's certificate authorities or, where they can't be used, those of
/// multirail.
fn trusting(rules: &Arc<TargetRules>, manner: &Manner) -> Client {
    let builder = || builder(Arc::new(SystemLookup), rules, manner);
    let of_machine = builder().tls_certs_merge(manner.trusted.clone()).build();
    of_machine.unwrap_or_else(|error| {
        let why = error.source().map(ToString::to_string);
        tracing::warn!(
            why,
            "this machine's certificate authorities can't be used: using those that multirail brings"
        );
        let mut certificates = bundled();
        certificates.extend(manner.trusted.clone());
        let with_ours = builder().tls_certs_only(certificates).build();
        with_ours.expect("a client with certificates that were chosen at build time")
    })
}

fn builder(lookup: Arc<dyn Lookup>, rules: &Arc<TargetRules>, manner: &Manner) -> ClientBuilder {
    let resolver = match manner.proxy {
        None => GuardedResolver::new(lookup, Arc::clone(rules)),
        // Then only the proxy's own name is resolved here, which the operator chose.
        Some(_) => GuardedResolver::unjudged(lookup),
    };
    let builder = Client::builder()
        .dns_resolver(resolver)
        .redirect(redirect::Policy::none())
        .referer(false)
        .pool_idle_timeout(IDLE);
    manner.apply(builder)
}

fn bundled() -> Vec<Certificate> {
    let roots = webpki_root_certs::TLS_SERVER_ROOT_CERTS.iter();
    roots
        .filter_map(|root| Certificate::from_der(root).ok())
        .collect()
}

fn reason(error: &reqwest::Error) -> OutboundError {
    if cause::<Unresolved>(error).is_some() {
        OutboundError::NameNotFound
    } else if !error.is_connect() {
        OutboundError::Broken
    } else if let Some(error) = tls_error(error) {
        OutboundError::NotSecure(TlsProblem::from_error(error))
    } else {
        OutboundError::NoConnection
    }
}

/// Returns the first error of this type among an error's causes.
fn cause<'a, T: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a T> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        next = error.source();
    }
    None
}

/// Returns the TLS error, which is wrapped in two I/O errors that don't name it as their cause.
fn tls_error(error: &reqwest::Error) -> Option<&rustls::Error> {
    let mut next = cause::<io::Error>(error).and_then(io::Error::get_ref);
    while let Some(inner) = next {
        if let Some(found) = inner.downcast_ref() {
            return Some(found);
        }
        next = inner.downcast_ref().and_then(io::Error::get_ref);
    }
    None
}

#[cfg(any(test, feature = "fixture"))]
pub mod fixture;
#[cfg(test)]
mod tests;
