//! A call that goes into its merchant's request log, while it is under way.

use std::fmt;
use std::sync::OnceLock;

use bytes::Bytes;
use dropshot::Body;
use futures::FutureExt;
use http::{HeaderMap, HeaderValue, Response, header};
use http_body_util::BodyExt;
use hyper::body::{Body as _, Frame};
use zeroize::Zeroizing;

use crate::idempotency::IDEMPOTENCY_KEY;
use crate::{Authenticated, OpInfo, Principal};

/// The parts of a call that its answer no longer has. Nothing is copied out of the body: its buffer is handed over when
/// the call doesn't need it any more, and overwritten when this value is dropped.
pub struct LoggedCall {
    /// The operation.
    pub operation: &'static OpInfo,
    /// The caller; `None` for a payer's client with a publishable key.
    pub principal: Option<Principal>,
    /// The merchant of the key.
    pub merchant_id: String,
    /// The values of the path's parameters, from left to right.
    pub variables: Vec<String>,
    pub user_agent: Option<HeaderValue>,
    pub idempotency_key: Option<HeaderValue>,
    body: OnceLock<Zeroizing<Vec<u8>>>,
}

impl LoggedCall {
    /// Begins with an authenticated call; `None` where no merchant is known.
    pub(crate) fn begin(
        operation: &'static OpInfo,
        authenticated: &Authenticated,
        variables: &[String],
        headers: &HeaderMap,
    ) -> Option<Self> {
        let principal = match authenticated {
            Authenticated::Principal(principal) => Some(principal.clone()),
            Authenticated::Publishable { .. } => None,
        };
        Some(LoggedCall {
            operation,
            principal,
            merchant_id: authenticated.merchant_id()?.to_owned(),
            variables: variables.to_vec(),
            user_agent: headers.get(header::USER_AGENT).cloned(),
            idempotency_key: headers.get(IDEMPOTENCY_KEY).cloned(),
            body: OnceLock::new(),
        })
    }

    /// Takes the buffer of the body over.
    pub(crate) fn keep_body(&self, bytes: Zeroizing<Vec<u8>>) {
        let _ = self.body.set(bytes);
    }

    /// Returns the body, which may contain a card; empty where none was read.
    pub fn body(&self) -> &[u8] {
        self.body.get().map_or(&[], |bytes| bytes.as_slice())
    }
}

/// The body of an answer, for the request log.
pub enum SharedAnswer {
    Whole(Bytes),
    TooLong,
    /// There is none, or it isn't JSON.
    Nothing,
}

impl SharedAnswer {
    /// Returns the body of an answer without copying it. JSON answers are one piece in memory.
    pub fn read(response: &mut Response<Body>, longest: u64) -> Self {
        let content_type = response.headers().get(header::CONTENT_TYPE);
        let is_json = content_type.is_some_and(|it| it.as_bytes().starts_with(b"application/json"));
        match response.body().size_hint().exact() {
            Some(1..) if !is_json => SharedAnswer::Nothing,
            Some(length @ 1..) if length > longest => SharedAnswer::TooLong,
            Some(1..) => Self::share(response.body_mut()),
            Some(0) | None => SharedAnswer::Nothing,
        }
    }

    fn share(body: &mut Body) -> Self {
        let mut whole = std::mem::replace(body, Body::empty());
        let frame = whole.frame().now_or_never().flatten();
        match frame.and_then(Result::ok).map(Frame::into_data) {
            Some(Ok(bytes)) => {
                *body = Body::from(bytes.clone());
                SharedAnswer::Whole(bytes)
            }
            Some(Err(_)) | None => {
                *body = whole;
                SharedAnswer::Nothing
            }
        }
    }
}

/// Shows neither the body nor the headers.
impl fmt::Debug for LoggedCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoggedCall")
            .field("operation", &self.operation.id)
            .finish_non_exhaustive()
    }
}
