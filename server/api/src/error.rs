//! Error answers: a status and exactly `error_type`, `message` and `code`.

use std::fmt;

use dropshot::{Body, HttpError};
use http::{HeaderName, HeaderValue, Response, StatusCode, header};
use serde::Serialize;
use serde_json::{Value, json};

/// The `error_type` of errors that the caller can correct.
pub const INVALID_REQUEST: &str = "invalid_request";
/// The `error_type` of our own failures.
pub const API: &str = "api";

/// An error answer. Holders of the caller's key may read `message`; the context is only for the log.
#[derive(Clone, Debug, Serialize)]
pub struct ApiError {
    /// HTTP status.
    #[serde(skip)]
    pub status: StatusCode,
    /// The family, such as `invalid_request`.
    pub error_type: &'static str,
    /// The reason, with the member's name; never a value that the caller sent.
    pub message: String,
    /// The stable code, such as `IR_04`.
    pub code: &'static str,
    /// Additional headers of the answer.
    #[serde(skip)]
    pub headers: Vec<(HeaderName, HeaderValue)>,
    #[serde(skip)]
    context: Option<String>,
}

impl ApiError {
    /// Returns an error of any kind. `status` is expected to be a 4XX or a 5XX.
    pub fn new(
        status: StatusCode,
        error_type: &'static str,
        code: &'static str,
        message: impl Into<String>,
    ) -> Self {
        Self {
            status,
            error_type,
            code,
            message: message.into(),
            headers: Vec::new(),
            context: None,
        }
    }

    /// Adds a header to the answer.
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Adds a text for the log only. It must not contain secrets either.
    pub fn with_context(mut self, context: impl Into<String>) -> Self {
        self.context = Some(context.into());
        self
    }

    /// Returns the text for the log only.
    pub fn context(&self) -> Option<&str> {
        self.context.as_deref()
    }

    /// 401 `IR_01`: no key, or one that doesn't open this operation.
    pub fn unauthorized() -> Self {
        let message = "This call needs a valid key in the header `api-key`, of a kind that the operation takes.";
        Self::new(StatusCode::UNAUTHORIZED, INVALID_REQUEST, "IR_01", message)
    }

    /// 401 `IR_17`: no token of a user, or one that is not valid (any more).
    pub fn wrong_token() -> Self {
        let message = "This call needs the token of a user who is signed in: `authorization: Bearer <token>`.";
        Self::new(StatusCode::UNAUTHORIZED, INVALID_REQUEST, "IR_17", message)
    }

    /// 403 `IR_22`: the caller is known, and may not do this.
    pub fn not_allowed(message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, INVALID_REQUEST, "IR_22", message)
    }

    /// 404 `IR_02`: no operation has this path.
    pub fn unknown_route() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            INVALID_REQUEST,
            "IR_02",
            "There is nothing at this path.",
        )
    }

    /// 405 `IR_03`: the path exists, but not for this method. `allow` lists the methods, separated by commas.
    pub fn wrong_method(allow: &str) -> Self {
        let message = format!("This path doesn't take this method. It takes: {allow}.");
        let error = Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            INVALID_REQUEST,
            "IR_03",
            message,
        );
        match HeaderValue::from_str(allow) {
            Ok(value) => error.with_header(header::ALLOW, value),
            Err(_) => error,
        }
    }

    /// 400 `IR_04`: a member, parameter or header is missing. `name` is its full path.
    pub fn missing(name: &str) -> Self {
        let message = format!("Missing required parameter: {name}");
        Self::new(StatusCode::BAD_REQUEST, INVALID_REQUEST, "IR_04", message)
    }

    /// 422 `IR_05`: one value has the wrong form.
    pub fn wrong_format(message: impl Into<String>) -> Self {
        Self::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            INVALID_REQUEST,
            "IR_05",
            message,
        )
    }

    /// 400 `IR_06`: the request can't be read.
    pub fn unreadable(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, INVALID_REQUEST, "IR_06", message)
    }

    /// 422 `IR_06`: the request can be read, but a value or a combination is invalid.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            INVALID_REQUEST,
            "IR_06",
            message,
        )
    }

    /// 400 `IR_20`: a member asks for a capability of a later version. `unwanted` are the values that don't ask.
    pub fn not_built(name: &str, unwanted: &[Value]) -> Self {
        let message = match unwanted {
            [] => format!("`{name}` asks for something that isn't built yet; leave it out."),
            [only] => format!(
                "`{name}` asks for something that isn't built yet; it can only be {only} or left out."
            ),
            several => {
                let words: Vec<String> = several.iter().map(Value::to_string).collect();
                format!(
                    "`{name}` asks for something that isn't built yet; it can only be left out or one of: {}.",
                    words.join(", ")
                )
            }
        };
        Self::new(StatusCode::BAD_REQUEST, INVALID_REQUEST, "IR_20", message)
    }

    /// 413 `IR_06`: the body is longer than `limit` bytes.
    pub fn too_large(limit: usize) -> Self {
        let message = format!("The body is longer than {limit} bytes.");
        Self::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            INVALID_REQUEST,
            "IR_06",
            message,
        )
    }

    /// 415 `IR_06`: the body isn't declared to be JSON.
    pub fn wrong_media_type() -> Self {
        let message =
            "The body must be JSON and the header `content-type` must say `application/json`.";
        Self::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            INVALID_REQUEST,
            "IR_06",
            message,
        )
    }

    /// 415 `IR_06`: the body is compressed.
    pub fn wrong_encoding() -> Self {
        Self::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            INVALID_REQUEST,
            "IR_06",
            "The body must not be compressed: leave out the header `content-encoding`.",
        )
        .with_header(
            header::ACCEPT_ENCODING,
            HeaderValue::from_static("identity"),
        )
    }

    /// 408 `IR_06`: the body didn't arrive in time.
    pub fn slow_body() -> Self {
        Self::new(
            StatusCode::REQUEST_TIMEOUT,
            INVALID_REQUEST,
            "IR_06",
            "The body took too long to arrive.",
        )
        .with_header(header::CONNECTION, HeaderValue::from_static("close"))
    }

    /// 500 `HE_00`: our failure. The caller gets only the request id; the log gets the context.
    pub fn internal(context: impl Into<String>) -> Self {
        let message = "Something went wrong on our side. The request id leads to our log.";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, API, "HE_00", message).with_context(context)
    }

    /// Returns the body of the answer.
    pub fn body(&self) -> Value {
        json!({ "error_type": self.error_type, "message": self.message, "code": self.code })
    }

    /// Returns the whole answer with the given body.
    pub(crate) fn respond(&self, body: &Value) -> Response<Body> {
        let mut response = Response::new(Body::from(body.to_string()));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/json"),
        );
        for (name, value) in &self.headers {
            headers.insert(name, value.clone());
        }
        response
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} {}: {}",
            self.status.as_u16(),
            self.code,
            self.message
        )
    }
}

impl std::error::Error for ApiError {}

/// dropshot's own errors reach a method's result only when an answer can't be written.
impl From<HttpError> for ApiError {
    fn from(error: HttpError) -> Self {
        Self::internal(error.internal_message)
    }
}
