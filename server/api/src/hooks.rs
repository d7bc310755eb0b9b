//! What a server brings to every request.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use dropshot::{Body, RequestContext, ServerContext};
use http::{HeaderValue, Method, Request, Response, StatusCode, header};
use serde_json::Value;

use crate::idempotency::{IdempotentRequest, KeyState};
use crate::{ApiError, Client, OpInfo, Principal, Subscriber};

/// What the frame asks of a server. One value serves all requests.
#[async_trait]
pub trait Hooks<C: ServerContext>: Send + Sync + 'static {
    /// A request's claim on its idempotency key.
    type Claim: Send + Sync + 'static;

    /// What a server keeps of a request that it records, until the method has answered.
    type Record: Send + Sync + 'static;

    /// A request has come in. What this brings is kept until the request has its answer.
    fn begin(&self, rqctx: &RequestContext<C>) -> Begun {
        Begun {
            client: rqctx.request.remote_addr().ip(),
            request_id: rqctx.request_id.clone(),
            ticket: None,
        }
    }

    /// Who calls, judged by the headers alone. Runs before any of the body is read. `operation.security` says which
    /// keys the operation takes; where it is empty this isn't called.
    ///
    /// # Errors
    /// 401 where no key, a wrong one, or one of another kind was given.
    async fn authenticate(
        &self,
        rqctx: &RequestContext<C>,
        operation: &'static OpInfo,
    ) -> Result<Authenticated, ApiError>;

    /// Binds a publishable key to the payment that its client secret belongs to. `payment_id` is the path's or, where
    /// the path has none, the query's or the body's. Where nothing names the payment, its secret does.
    ///
    /// # Errors
    /// The payment is unknown, or the secret is another payment's or has lapsed.
    async fn identify_client(
        &self,
        rqctx: &RequestContext<C>,
        operation: &'static OpInfo,
        merchant_id: &str,
        presented: Presented<'_>,
    ) -> Result<Client, ApiError>;

    /// Binds a publishable key to the subscription that its client secret belongs to. `subscription_id` is the path's; where the
    /// path has none, the secret says whose it is.
    ///
    /// # Errors
    /// The profile's header is missing, the subscription is unknown or another profile's, or the secret is another's or has
    /// lapsed.
    async fn identify_subscriber(
        &self,
        rqctx: &RequestContext<C>,
        merchant_id: &str,
        subscription_id: Option<&str>,
        client_secret: &str,
    ) -> Result<Subscriber, ApiError>;

    /// Looks up the idempotency key of a request before its method runs. Called for every request with a key whose
    /// operation takes one. The method stores the claim, and the answer, together with what it changes.
    ///
    /// # Errors
    /// The key was used with another request, or the first request with it is still being worked on.
    async fn claim(
        &self,
        rqctx: &RequestContext<C>,
        principal: &Principal,
        request: &IdempotentRequest,
    ) -> Result<KeyState<Self::Claim>, ApiError>;

    /// What a request is told whose key was claimed, from what its method answered. Called wherever [`Hooks::claim`] let
    /// the method run.
    ///
    /// # Errors
    /// The method's, or another one that the key calls for.
    async fn conclude(
        &self,
        claim: &Self::Claim,
        answer: Result<Response<Body>, ApiError>,
    ) -> Result<Response<Body>, ApiError>;

    /// What of a method's answer its caller is shown.
    ///
    /// # Errors
    /// It can't be read.
    async fn shown(
        &self,
        _principal: &Principal,
        answer: Response<Body>,
    ) -> Result<Response<Body>, ApiError> {
        Ok(answer)
    }

    /// A method is about to run: what of its request is to be recorded, where that is wanted. Called for every operation, once
    /// everything that the frame can refuse is looked at.
    ///
    /// # Errors
    /// It can't be recorded, so that it must not happen.
    async fn record(
        &self,
        _rqctx: &RequestContext<C>,
        _request: RecordedRequest<'_>,
    ) -> Result<Option<Self::Record>, ApiError> {
        Ok(None)
    }

    /// Judges the texts of a body that fits the document.
    ///
    /// # Errors
    /// 422 `IR_06` for a text that must not be stored.
    fn judge_texts(&self, _body: &Value) -> Result<(), ApiError> {
        Ok(())
    }

    /// The method has done what was asked.
    ///
    /// # Errors
    /// It couldn't be recorded.
    async fn recorded(&self, _record: Self::Record) -> Result<(), ApiError> {
        Ok(())
    }

    /// Answers paths that the document doesn't have: pages, the document itself. Nothing means 404 `IR_02`.
    ///
    /// # Errors
    /// Too much to do.
    async fn other(
        &self,
        rqctx: &RequestContext<C>,
        request: Request<Body>,
    ) -> Result<Option<Other>, ApiError>;

    /// Answers `OPTIONS` on a path of the document; `allow` lists its methods, separated by commas.
    async fn preflight(
        &self,
        _rqctx: &RequestContext<C>,
        operations: &[&'static OpInfo],
        allow: &str,
    ) -> Response<Body> {
        let _ = operations;
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NO_CONTENT;
        if let Ok(allow) = HeaderValue::from_str(allow) {
            response.headers_mut().insert(header::ALLOW, allow);
        }
        response
    }

    /// The body of an error answer; a server may add members for clients of another generation.
    fn error_body(&self, error: &ApiError) -> Value {
        error.body()
    }

    /// Runs last, for every request that reached the frame: access line, metrics, headers that every answer carries.
    fn finish(&self, finished: &Finished<'_>, response: &mut Response<Body>);

    /// Bounds for reading bodies.
    fn limits(&self) -> Limits {
        Limits::default()
    }
}

/// A request that may be recorded.
#[derive(Clone, Copy)]
pub struct RecordedRequest<'a> {
    pub operation: &'static OpInfo,
    /// Who calls, as far as that was found out by a key or a token.
    pub principal: &'a Principal,
    /// Values of the path's parameters, from left to right.
    pub variables: &'a [String],
}

/// A request that is being worked on.
pub struct Begun {
    /// Where it comes from, as far as the server can tell.
    pub client: IpAddr,
    /// What the request is called from now on: in answers, lines of the log, and where it is stored what it changed.
    pub request_id: String,
    /// Dropped when the request has its answer, also when that is never given: for counting.
    pub ticket: Option<Arc<dyn Ticket>>,
}

/// Follows a request on its way.
pub trait Ticket: Send + Sync {
    /// The head of the request is read. Its body, if it has one, is next. `operation` is unset where its path has none.
    ///
    /// # Errors
    /// There are too many requests: this one is refused before anybody is authenticated.
    fn reads(&self, _operation: Option<&'static OpInfo>) -> Result<(), ApiError> {
        Ok(())
    }

    /// All of the request has been read.
    fn arrived(&self) {}

    /// All of the request has been read and judged by itself. Its method is next.
    ///
    /// # Errors
    /// There are too many requests: this one is refused before anything is done.
    fn works(&self, _operation: Option<&'static OpInfo>) -> Result<(), ApiError> {
        Ok(())
    }
}

/// An answer beside the document.
pub struct Other {
    /// The path with names in place of what stands for something, such as `/payments/redirect/{payment_id}`.
    pub path: &'static str,
    pub response: Response<Body>,
}

/// What authentication found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Authenticated {
    /// A caller that is known by its key.
    Principal(Principal),
    /// A publishable key. Which payment it is about is known once the client secret has been read.
    Publishable {
        /// The merchant that the key belongs to.
        merchant_id: String,
        /// What came with the key, where both came in one text.
        session: Option<Session>,
    },
}

/// What an `sdk_authorization` says beside the key. It doesn't print.
#[derive(Clone, PartialEq, Eq)]
pub struct Session {
    pub client_secret: String,
    /// The profile of the payment that it is for.
    pub profile_id: String,
    /// Its customer, where it had one.
    pub customer_id: Option<String>,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("profile_id", &self.profile_id)
            .finish_non_exhaustive()
    }
}

/// What a client shows for its payment.
#[derive(Clone, Copy)]
pub struct Presented<'a> {
    /// Of the path or, where the path has none, of the body.
    pub payment_id: Option<&'a str>,
    pub client_secret: &'a str,
    /// The profile that the payment has to be of, where that was said.
    pub profile_id: Option<&'a str>,
    /// Likewise the customer.
    pub customer_id: Option<&'a str>,
}

impl Authenticated {
    /// The merchant that the key belongs to.
    pub fn merchant_id(&self) -> Option<&str> {
        match self {
            Self::Principal(principal) => principal.merchant_id(),
            Self::Publishable { merchant_id, .. } => Some(merchant_id),
        }
    }
}

/// Bounds for reading bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Longest body in bytes.
    pub body_bytes: usize,
    /// Time that a whole body may take to arrive.
    pub body_deadline: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 32_768,
            body_deadline: Duration::from_secs(10),
        }
    }
}

/// A request that has its answer.
#[derive(Debug)]
pub struct Finished<'a> {
    /// As [`Begun::request_id`].
    pub request_id: &'a str,
    /// Method as asked, also `HEAD`.
    pub method: &'a Method,
    /// The template of the path: what a client writes into a path may be a card number or a secret. `unknown` where
    /// nothing stands at the path.
    pub path: &'static str,
    /// The header `origin`, for cross-origin answers.
    pub origin: Option<&'a HeaderValue>,
    /// Where it came from, as [`Hooks::begin`] said.
    pub client: IpAddr,
    /// The operation, where the path and method have one.
    pub operation: Option<&'static OpInfo>,
    /// The merchant whose key was used.
    pub merchant_id: Option<&'a str>,
    /// Status of the answer.
    pub status: StatusCode,
    /// Time from the frame's first to its last touch.
    pub duration: Duration,
    /// The error that was answered, with its context.
    pub error: Option<&'a ApiError>,
}
