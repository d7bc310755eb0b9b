//! The HTTP client of all connectors. It uses TLS with the machine's certificate authorities,
//! HTTP/2 where offered, and pooled connections, and follows no redirects. Answers have a maximum
//! size, each call has a deadline, and errors say whether anything was sent.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use http::header::{ACCEPT, CONTENT_TYPE, USER_AGENT};
use http::{HeaderMap, HeaderName, HeaderValue};
use multirail_connector_kit::ClientSettings;
use multirail_kernel::target::{ForbiddenTarget, TargetRules};
use multirail_outbound::{
    BodyEnd, Bounds, GuardedClient, Manner, OutboundError, Outgoing, Response as Received,
    TlsProblem,
};
use multirail_platform::account_limits::AccountLimits;
use multirail_sdk::connector::{Access, UnknownReason};
use serde_json::Value;
use tracing::{Level, debug, enabled};

use crate::account::BASE_URL;
use crate::mask;
use crate::pause;
use crate::wire::{Body, WireAnswer, WireRequest};

/// The maximum size of an answer. Most have a few kilobytes; a page of a list or a dispute with its
/// evidence has more.
const ANSWER_BYTES: usize = 524_288;
/// The time limit for a connection to open.
const CONNECT: Duration = Duration::from_secs(10);
const USER_AGENT_TEXT: &str = concat!("multirail/", env!("CARGO_PKG_VERSION"));

/// The result of a request.
pub type Answer = Result<WireAnswer, TransportError>;

/// The reason why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransportError {
    /// No part of the request was sent.
    #[error(transparent)]
    NotSent(NotSent),
    #[error("the connection broke after something may have been sent")]
    Broken,
    #[error("there was no answer in time")]
    TimedOut,
    #[error("the answer is longer than any answer should be")]
    TooLong,
}

/// The reason why nothing was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotSent {
    #[error("the processor's address {0}")]
    Forbidden(ForbiddenTarget),
    #[error(
        "the processor can't be reached: its host's name leads to no address that may be called"
    )]
    NameNotFound,
    #[error("the processor can't be reached: there was no connection")]
    NoConnection,
    #[error("the processor can't be reached: {0}")]
    NotSecure(TlsProblem),
    #[error("the account has no credentials that could be sent")]
    NoCredentials,
    #[error("too many calls of this account are under way")]
    AccountBusy,
    #[error(
        "the request can't be written: a reference or a credential has characters that it can't have"
    )]
    Unwritable,
}

/// The HTTP client for calls to processors. One client serves all connectors, so that they share
/// connections.
pub struct Client {
    guarded: GuardedClient,
    targets: TargetRules,
    deadline: Duration,
    limits: AccountLimits,
    /// Prepared answers that replace the network.
    #[cfg(any(test, fuzzing))]
    canned: Option<crate::canned::Canned>,
}

impl Client {
    pub fn new(settings: ClientSettings) -> Self {
        let manner = Manner {
            // A peer that accepted no connection in half of the time never saw the request.
            connect_timeout: CONNECT.min(settings.deadline / 2),
            http2: true,
            idle_connections: settings.calls_per_account,
            proxy: settings.proxy,
            trusted: settings.trusted,
        };
        Client {
            guarded: GuardedClient::new(settings.targets.clone(), &manner),
            targets: settings.targets,
            deadline: settings.deadline,
            limits: AccountLimits::new(settings.calls_per_account, settings.deadline / 4),
            #[cfg(any(test, fuzzing))]
            canned: None,
        }
    }

    /// Returns a client that returns prepared answers and sends nothing.
    #[cfg(any(test, fuzzing))]
    pub(crate) fn answering(self, canned: crate::canned::Canned) -> Self {
        Client {
            canned: Some(canned),
            ..self
        }
    }

    /// Returns the time limit of a call. Operations of several requests have to keep it in total.
    pub fn deadline(&self) -> Duration {
        self.deadline
    }

    /// Makes the requests of an operation within the time limit of one call.
    pub async fn in_time<T: From<UnknownReason>>(&self, requests: impl Future<Output = T>) -> T {
        let ended = tokio::time::timeout(self.deadline, requests).await;
        ended.unwrap_or_else(|_| T::from(UnknownReason::Timeout))
    }

    /// Sends a request to the processor's address `own`, or to the account's `base_url` if it has
    /// one. Returns the answer with any status. A request that the processor turned away (429) is
    /// sent again under the same key after a pause, while time remains. `own` has no slash at its
    /// end. Dropping the future closes the connection or ends the stream.
    ///
    /// # Errors
    /// [`TransportError`]
    pub async fn send(&self, access: &Access, own: &str, request: WireRequest) -> Answer {
        let began = Instant::now();
        let log = enabled!(Level::DEBUG).then(|| Log::new(&request));
        let answer = self.send_from(began, access, own, request).await;
        if let Some(log) = log {
            log.write(began.elapsed(), &answer);
        }
        answer
    }

    async fn send_from(
        &self,
        began: Instant,
        access: &Access,
        own: &str,
        request: WireRequest,
    ) -> Answer {
        let not_sent = TransportError::NotSent;
        let base = self.base(access, own).map_err(not_sent)?;
        let url = address(&base, &request.path).ok_or(not_sent(NotSent::Unwritable))?;
        let headers = headers(&request).ok_or(not_sent(NotSent::Unwritable))?;
        let body = request.body.into_bytes();
        for repeats in 0.. {
            let account = (&base, access.credentials.expose());
            let slot = self.limits.slot(account).await;
            let slot = slot.ok_or(not_sent(NotSent::AccountBusy))?;
            let outgoing = Outgoing {
                method: request.method.clone(),
                url: &url,
                headers: headers.clone(),
                body: body.clone(),
            };
            #[cfg(any(test, fuzzing))]
            if let Some(canned) = &self.canned {
                canned.hear(&outgoing.body);
                return canned.next();
            }
            let bounds = Bounds {
                time: self.left(began),
                body_bytes: ANSWER_BYTES,
            };
            let answer = read(self.guarded.send(outgoing, bounds).await)?;
            let left = self.left(began);
            let Some(pause) = pause::before_repeat(&answer, repeats, left, self.deadline) else {
                return Ok(answer);
            };
            drop(slot);
            tokio::time::sleep(pause).await;
        }
        Err(TransportError::TimedOut)
    }

    fn left(&self, began: Instant) -> Duration {
        self.deadline.saturating_sub(began.elapsed())
    }

    fn base<'a>(&self, access: &'a Access, own: &'a str) -> Result<Cow<'a, str>, NotSent> {
        match access.metadata.get(BASE_URL.name) {
            None | Some(Value::Null) => Ok(own.into()),
            Some(Value::String(text)) => match self.targets.check_listed(text) {
                Ok(_) => Ok(text.trim_end_matches('/').into()),
                Err(forbidden) => Err(NotSent::Forbidden(forbidden)),
            },
            Some(_) => Err(NotSent::Forbidden(ForbiddenTarget::NoWebAddress)),
        }
    }
}

/// Joins base and path. Returns `None` if URL rules would change the path, as with a step up
/// (`..`).
fn address(base: &str, path: &str) -> Option<String> {
    let text = format!("{base}{path}");
    let url = url::Url::parse(&text).ok()?;
    let (path, query) = match path.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (path, None),
    };
    let has_gap = path.contains("//") || path.ends_with('/');
    let is_whole = url.path().ends_with(path) && url.query() == query && url.fragment().is_none();
    (path.starts_with('/') && !has_gap && is_whole).then_some(text)
}

fn headers(request: &WireRequest) -> Option<HeaderMap> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    headers.insert(USER_AGENT, HeaderValue::from_static(USER_AGENT_TEXT));
    if let Some(content_type) = request.body.content_type() {
        headers.insert(CONTENT_TYPE, HeaderValue::from_str(content_type).ok()?);
    }
    for (name, value) in &request.headers {
        let mut value = HeaderValue::from_str(value.expose()).ok()?;
        value.set_sensitive(true);
        headers.insert(HeaderName::from_static(name), value);
    }
    Some(headers)
}

fn read(received: Result<Received, OutboundError>) -> Answer {
    let received = received.map_err(|error| match error {
        OutboundError::Forbidden(forbidden) => {
            TransportError::NotSent(NotSent::Forbidden(forbidden))
        }
        OutboundError::NameNotFound => TransportError::NotSent(NotSent::NameNotFound),
        OutboundError::NoConnection => TransportError::NotSent(NotSent::NoConnection),
        OutboundError::NotSecure(problem) => TransportError::NotSent(NotSent::NotSecure(problem)),
        OutboundError::TimedOut => TransportError::TimedOut,
        OutboundError::Broken => TransportError::Broken,
    })?;
    match received.body_end {
        BodyEnd::Complete => Ok(WireAnswer {
            status: received.status,
            headers: received.headers,
            body: received.body,
        }),
        BodyEnd::Cut => Err(TransportError::TooLong),
        BodyEnd::TimedOut => Err(TransportError::TimedOut),
        BodyEnd::Broken => Err(TransportError::Broken),
    }
}

/// The log lines of one call. They show only the values of members that the connector names.
struct Log {
    method: http::Method,
    path: String,
    body: String,
    shown: &'static [&'static str],
}

impl Log {
    fn new(request: &WireRequest) -> Self {
        let path = request.path.split('?').next().unwrap_or_default();
        Log {
            method: request.method.clone(),
            path: path.to_owned(),
            body: match &request.body {
                // Files are never logged.
                Body::Empty | Body::Multipart { .. } => String::new(),
                Body::Form(text) => mask::form(text.expose(), request.shown),
                Body::Json(text) => mask::json(text.expose().as_bytes(), request.shown),
            },
            shown: request.shown,
        }
    }

    fn write(self, took: Duration, answer: &Answer) {
        let (status, body, error) = match answer {
            Ok(answer) => {
                let body = mask::json(&answer.body, self.shown);
                (Some(answer.status), body, None)
            }
            Err(error) => (None, String::new(), Some(error.to_string())),
        };
        debug!(
            method = %self.method,
            path = self.path,
            request = self.body,
            status,
            answer = body,
            error,
            took_ms = took.as_millis() as u64,
            "processor called"
        );
    }
}

#[cfg(test)]
mod tests;
