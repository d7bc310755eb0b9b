//! The one way to addresses that somebody else chose. Every address that a name resolves to is judged, and the
//! connection goes to one of those that were judged: a name that resolves differently a moment later changes nothing.
//! No redirects are followed, since they would be a way around that; no proxy of the machine's environment is used,
//! since it would resolve the name anew. Time and length of answers are bounded.
//!
//! [`Manner`] says what differs between those who call: a webhook goes to whoever a merchant names, and a processor is
//! called again and again, by HTTP/2 where it speaks that, through the operator's proxy where there is one.

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

/// A connection that wasn't used for so long is not used again: many servers close theirs after a minute or less.
const IDLE: Duration = Duration::from_secs(15);

/// A client that only calls what the rules allow.
pub struct GuardedClient {
    http: Lazy,
    rules: Arc<TargetRules>,
}

/// Made when it is first called with: reading the certificate authorities of the machine is most of what a client costs, and a
/// server has a client for each processor, whether its merchants use it or not.
type Lazy = LazyLock<Client, Box<dyn FnOnce() -> Client + Send>>;

/// What is sent.
pub struct Outgoing<'a> {
    pub method: Method,
    pub url: &'a str,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// How long and how much we listen.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// For everything from resolving the name to the last byte of the answer.
    pub time: Duration,
    /// Of the answer's body; no more of it is read.
    pub body_bytes: usize,
}

/// What came back.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub headers: HeaderMap,
    /// The body or the beginning of it.
    pub body: Vec<u8>,
    pub body_end: BodyEnd,
}

/// Where a body ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyEnd {
    Complete,
    /// There is more than we wanted.
    Cut,
    /// The rest didn't come in time.
    TimedOut,
    /// The connection broke.
    Broken,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OutboundError {
    /// Nothing was sent: the rules forbid the address as it is written.
    #[error("the address {0}")]
    Forbidden(ForbiddenTarget),
    /// Nothing was sent: the name has no address, or one that the rules forbid.
    #[error("the host's name leads to no address that may be called")]
    NameNotFound,
    /// Nothing was sent.
    #[error("there was no connection")]
    NoConnection,
    /// Nothing was sent: TLS could not be agreed upon.
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
    /// A client that trusts the certificate authorities of this machine, or where it has none those of the major
    /// browsers.
    pub fn new(rules: TargetRules, manner: &Manner) -> Self {
        let rules = Arc::new(rules);
        let (of_client, manner) = (Arc::clone(&rules), manner.clone());
        let http: Lazy = LazyLock::new(Box::new(move || trusting(&of_client, &manner)));
        GuardedClient { http, rules }
    }

    /// As [`GuardedClient::new`], with a certificate of its own that it shows; nothing where its key is another one's, or this
    /// machine has no certificate authorities.
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
        // A host that is an IP address never gets to the resolver.
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

/// A client that trusts this machine's certificate authorities, or where they can't be used those that multirail brings.
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
        // All that is resolved here then is the proxy's own name, and the operator chose it.
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
        OutboundError::NotSecure(TlsProblem::of(error))
    } else {
        OutboundError::NoConnection
    }
}

/// What is among an error's causes.
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

/// What TLS complains of comes inside an I/O error inside an I/O error, and neither names it as its cause.
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
