//! The hooks through which a server handles every request.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use dropshot::{Body, RequestContext, ServerContext};
use http::{HeaderValue, Method, Request, Response, StatusCode, header};
use serde_json::Value;

use crate::idempotency::{IdempotentRequest, KeyState};
use crate::{ApiError, Client, LoggedCall, OpInfo, Principal, Subscriber};

/// The frame's calls to the server. One value serves all requests.
#[async_trait]
pub trait Hooks<C: ServerContext>: Send + Sync + 'static {
    /// A request's claim on its idempotency key.
    type Claim: Send + Sync + 'static;

    /// The server's record of a request, until the method has answered.
    type Record: Send + Sync + 'static;

    /// Begins a request. The result lives until the request has its answer.
    fn begin(&self, rqctx: &RequestContext<C>) -> Begun {
        Begun {
            client: rqctx.request.remote_addr().ip(),
            request_id: rqctx.request_id.clone(),
            ticket: None,
        }
    }

    /// Admits a request to the server by its method, address and headers, before authentication. `operation` is absent
    /// where the path or the method has none.
    ///
    /// # Errors
    /// There is nothing at this address, or a page of another origin made the request.
    fn admit(
        &self,
        _rqctx: &RequestContext<C>,
        _operation: Option<&'static OpInfo>,
    ) -> Result<(), ApiError> {
        Ok(())
    }

    /// Returns the caller, by the headers alone, before any of the body is read. `operation.security` lists the keys
    /// that the operation takes; the frame doesn't call this method where it is empty.
    ///
    /// # Errors
    /// 401 for a missing or wrong key, or one of another kind.
    async fn authenticate(
        &self,
        rqctx: &RequestContext<C>,
        operation: &'static OpInfo,
    ) -> Result<Authenticated, ApiError>;

    /// Returns whether an authenticated call goes into its merchant's request log.
    fn logs(&self, _operation: &'static OpInfo, _authenticated: &Authenticated) -> bool {
        false
    }

    /// Binds a publishable key to the payment of its client secret. `payment_id` comes from the path, else from the
    /// query or the body. Where none of them names the payment, the secret does.
    ///
    /// # Errors
    /// The payment is unknown, or the secret belongs to another payment or has expired.
    async fn identify_client(
        &self,
        rqctx: &RequestContext<C>,
        operation: &'static OpInfo,
        merchant_id: &str,
        presented: Presented<'_>,
    ) -> Result<Client, ApiError>;

    /// Binds a publishable key to the subscription of its client secret. `subscription_id` comes from the path; where
    /// the path has none, the secret names the subscription.
    ///
    /// # Errors
    /// The profile's header is missing, the subscription is unknown or of another profile, or the secret is wrong or
    /// has expired.
    async fn identify_subscriber(
        &self,
        rqctx: &RequestContext<C>,
        merchant_id: &str,
        subscription_id: Option<&str>,
        client_secret: &str,
    ) -> Result<Subscriber, ApiError>;

    /// Looks up the idempotency key of a request before its method runs. The frame calls this for every request with a
    /// key whose operation takes one. The method stores the claim and the answer together with its changes.
    ///
    /// # Errors
    /// The key was used with another request, or the first request with it is still running.
    async fn claim(
        &self,
        rqctx: &RequestContext<C>,
        principal: &Principal,
        request: &IdempotentRequest,
    ) -> Result<KeyState<Self::Claim>, ApiError>;

    /// Returns the final answer of a request with a claimed key, from its method's answer. The frame calls this where
    /// [`Hooks::claim`] let the method run.
    ///
    /// # Errors
    /// The method's error, or one because of the key.
    async fn conclude(
        &self,
        claim: &Self::Claim,
        answer: Result<Response<Body>, ApiError>,
    ) -> Result<Response<Body>, ApiError>;

    /// Removes the parts of an operation's answer that its caller may not see.
    ///
    /// # Errors
    /// Fails if the answer isn't readable JSON.
    async fn shown(
        &self,
        _operation: &'static OpInfo,
        _principal: &Principal,
        answer: Response<Body>,
    ) -> Result<Response<Body>, ApiError> {
        Ok(answer)
    }

    /// Records a request before its method runs, where that is wanted. The frame calls this for every operation, after
    /// its own checks.
    ///
    /// # Errors
    /// The request can't be recorded, so its method must not run.
    async fn record(
        &self,
        _rqctx: &RequestContext<C>,
        _request: RecordedRequest<'_>,
    ) -> Result<Option<Self::Record>, ApiError> {
        Ok(None)
    }

    /// Checks the texts of a body that fits the document.
    ///
    /// # Errors
    /// 422 `IR_06` for a text that must not be stored.
    fn judge_texts(&self, _body: &Value) -> Result<(), ApiError> {
        Ok(())
    }

    /// Records that the method has succeeded.
    ///
    /// # Errors
    /// The success can't be recorded.
    async fn recorded(&self, _record: Self::Record) -> Result<(), ApiError> {
        Ok(())
    }

    /// Answers paths that the document doesn't have: pages, the document itself. `None` means 404 `IR_02`.
    ///
    /// # Errors
    /// The server has too many requests.
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

    /// Returns the body of an error answer. A server may add members for clients of other versions.
    fn error_body(&self, error: &ApiError) -> Value {
        error.body()
    }

    /// Finishes every request that reached the frame: access line, metrics, headers of every answer.
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
    /// The caller, as far as a key or a token identified them.
    pub principal: &'a Principal,
    /// The values of the path's parameters, from left to right.
    pub variables: &'a [String],
}

/// A request under way.
pub struct Begun {
    /// The client's address, as far as the server knows it.
    pub client: IpAddr,
    /// The request's id in answers, log lines and stored changes.
    pub request_id: String,
    /// A ticket for counting. It is dropped when the request has its answer, or is given up.
    pub ticket: Option<Arc<dyn Ticket>>,
}

/// Follows a request through the frame.
pub trait Ticket: Send + Sync {
    /// Called when the request's head is read, before its body. `operation` is absent where the path has none.
    ///
    /// # Errors
    /// There are too many requests: this one is refused before authentication.
    fn reads(&self, _operation: Option<&'static OpInfo>) -> Result<(), ApiError> {
        Ok(())
    }

    /// Called when the request is read completely.
    fn arrived(&self) {}

    /// Called when the request is read and checked, before its method.
    ///
    /// # Errors
    /// There are too many requests: this one is refused before anything is done.
    fn works(&self, _operation: Option<&'static OpInfo>) -> Result<(), ApiError> {
        Ok(())
    }
}

/// An answer to a path outside the document.
pub struct Other {
    /// The path with names in place of its variable parts, such as `/payments/redirect/{payment_id}`.
    pub path: &'static str,
    pub response: Response<Body>,
}

/// The result of authentication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Authenticated {
    /// A caller whom the key identifies.
    Principal(Principal),
    /// A publishable key. The client secret, which is read later, names its payment.
    Publishable {
        /// The merchant of the key.
        merchant_id: String,
        /// The session that came in one text with the key, if any.
        session: Option<Session>,
    },
}

/// The session of an `sdk_authorization`. It has no `Debug` output.
#[derive(Clone, PartialEq, Eq)]
pub struct Session {
    pub client_secret: String,
    /// The profile of its payment.
    pub profile_id: String,
    /// The customer of its payment, if it had one.
    pub customer_id: Option<String>,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("profile_id", &self.profile_id)
            .finish_non_exhaustive()
    }
}

/// The credentials of a client for its payment.
#[derive(Clone, Copy)]
pub struct Presented<'a> {
    /// The payment's id from the path, else from the body.
    pub payment_id: Option<&'a str>,
    pub client_secret: &'a str,
    /// The profile that the payment has to belong to, if one is given.
    pub profile_id: Option<&'a str>,
    /// The customer that the payment has to belong to, if one is given.
    pub customer_id: Option<&'a str>,
}

impl Authenticated {
    /// Returns the merchant of the key.
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
    /// The longest body, in bytes.
    pub body_bytes: usize,
    /// The longest time for the arrival of a whole body.
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

/// A request with its answer.
#[derive(Debug)]
pub struct Finished<'a> {
    /// The id from [`Begun::request_id`].
    pub request_id: &'a str,
    /// The method as sent, including `HEAD`.
    pub method: &'a Method,
    /// The template of the path, because clients may write card numbers or secrets into a path. `unknown` for an
    /// unknown path.
    pub path: &'static str,
    /// The header `origin`, for cross-origin answers.
    pub origin: Option<&'a HeaderValue>,
    /// The client's address from [`Hooks::begin`].
    pub client: IpAddr,
    /// The operation of the path and method, if there is one.
    pub operation: Option<&'static OpInfo>,
    /// The merchant of the key.
    pub merchant_id: Option<&'a str>,
    /// The status of the answer.
    pub status: StatusCode,
    /// The time from the frame's first to its last step.
    pub duration: Duration,
    /// The error of the answer, with its context.
    pub error: Option<&'a ApiError>,
    /// The call, where [`Hooks::logs`] wanted it.
    pub logged: Option<&'a Arc<LoggedCall>>,
}
