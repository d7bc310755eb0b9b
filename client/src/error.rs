//! How a call fails.

use multirail_types::{ErrorBody, unreadable};
use reqwest::StatusCode;

use crate::SendError;
use crate::answers::{is_illegible, request_id_in};

/// A call that got no answer of its kind.
///
/// A declined card isn't among these: it is an ordinary answer, a payment whose status is `failed`.
///
/// ```
/// # use multirail_client::Error;
/// fn advice(error: &Error) -> &'static str {
///     match error.code() {
///         Some("HE_02") => "there is no such payment",
///         Some("IR_01") => "the key is wrong",
///         _ if error.is_outcome_unknown() => "retrieve the payment, or repeat with the same idempotency key",
///         _ if error.is_retryable() => "try again in a moment",
///         _ => "the request has to change",
///     }
/// }
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The service refused the call, or failed in it.
    #[error("{message} ({code}, HTTP {}{})", status.as_u16(), request(request_id))]
    Api {
        /// HTTP status. One code can stand with several statuses.
        status: StatusCode,
        /// Who is to act: `invalid_request`, `api`, `connector`, `blocked`. Words may be added.
        error_type: String,
        /// What is wrong, for programs, such as `IR_04`.
        code: String,
        /// What is wrong, for people. The wording may change.
        message: String,
        /// The id under which the service's log knows the call.
        request_id: Option<String>,
    },
    /// The call or its answer got lost: no connection, too slow, broken off. Addresses are left out of it, because
    /// they can hold a client secret.
    #[error("the service could not be reached, or its answer not be received")]
    Transport(#[source] reqwest::Error),
    /// Something answered, and not as the API does: a proxy in between, or a server of another kind or version.
    #[error("the answer can't be read: {reason}{}", request(request_id))]
    Unreadable {
        /// HTTP status, where it is still known.
        status: Option<StatusCode>,
        /// What is wrong with the answer. The answer itself is not quoted.
        reason: String,
        /// The id under which the service's log knows the call, where it is still known.
        request_id: Option<String>,
    },
    /// The call was not sent: something it needs is missing, such as its body or an id in its path.
    #[error("the call was not sent: {reason}")]
    NotSent {
        /// What is missing.
        reason: String,
    },
}

impl Error {
    /// The code to decide by, such as `IR_04`, where the service gave one.
    pub fn code(&self) -> Option<&str> {
        match self {
            Self::Api { code, .. } => Some(code),
            Self::Transport(_) | Self::Unreadable { .. } | Self::NotSent { .. } => None,
        }
    }

    /// HTTP status of the answer, where there was one.
    pub fn status(&self) -> Option<StatusCode> {
        match self {
            Self::Api { status, .. } => Some(*status),
            Self::Unreadable { status, .. } => *status,
            Self::Transport(_) | Self::NotSent { .. } => None,
        }
    }

    /// The id that leads the service's operator to the call in the log.
    pub fn request_id(&self) -> Option<&str> {
        match self {
            Self::Api { request_id, .. } | Self::Unreadable { request_id, .. } => {
                request_id.as_deref()
            }
            Self::Transport(_) | Self::NotSent { .. } => None,
        }
    }

    /// Whether the same call may succeed a moment later: the way to the service was at fault, or it was busy. Where
    /// repeating is harmless the client has done so a few times before it tells; see
    /// [`Connection::tries`](crate::Connection::tries).
    ///
    /// It doesn't say that repeating is harmless; see [`Error::is_outcome_unknown`].
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Api { status, code, .. } => {
                is_passing(*status) || is_busy(*status, code) || is_claimed(*status, code)
            }
            Self::Transport(error) => !error.is_builder(),
            Self::Unreadable { status, .. } => status.is_some_and(is_passing),
            Self::NotSent { .. } => false,
        }
    }

    /// Whether the call may have done its work although it failed here, in the last try or in one before it. False
    /// means that it was refused, or never sent.
    ///
    /// Making the same call anew sends another idempotency key, and a capture made anew may capture twice: retrieve
    /// the payment first. With a key of your own (`idempotency_key` of the builder) there is no such doubt: the same
    /// call with the same key is done once, however often and from wherever it is sent.
    pub fn is_outcome_unknown(&self) -> bool {
        match self {
            Self::Api { status, code, .. } => status.is_server_error() || is_claimed(*status, code),
            // Without a connection nothing was sent.
            Self::Transport(error) => !error.is_connect() && !error.is_builder(),
            Self::Unreadable { .. } => true,
            Self::NotSent { .. } => false,
        }
    }
}

pub(crate) fn is_passing(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::REQUEST_TIMEOUT
            | StatusCode::TOO_MANY_REQUESTS
            | StatusCode::BAD_GATEWAY
            | StatusCode::SERVICE_UNAVAILABLE
            | StatusCode::GATEWAY_TIMEOUT
    )
}

/// Another call holds the payment. The same code beside 500 means that the service failed.
pub(crate) fn is_busy(status: StatusCode, code: &str) -> bool {
    status == StatusCode::UNPROCESSABLE_ENTITY && code == "HE_00"
}

/// The first request with this idempotency key is still being worked on.
pub(crate) fn is_claimed(status: StatusCode, code: &str) -> bool {
    status == StatusCode::CONFLICT && code == "MR_02"
}

fn request(id: &Option<String>) -> String {
    id.as_ref()
        .map(|id| format!(", request {id}"))
        .unwrap_or_default()
}

impl From<SendError<ErrorBody>> for Error {
    fn from(error: SendError<ErrorBody>) -> Self {
        match error {
            SendError::ErrorResponse(answer) => {
                let status = answer.status();
                let request_id = request_id_in(answer.headers()).map(str::to_owned);
                let body = answer.into_inner();
                if is_illegible(&body) {
                    let reason = format!("HTTP {} without the body of an error", status.as_u16());
                    return Self::Unreadable {
                        status: Some(status),
                        reason,
                        request_id,
                    };
                }
                let ErrorBody {
                    error_type,
                    message,
                    code,
                } = body;
                Self::Api {
                    status,
                    error_type,
                    code,
                    message,
                    request_id,
                }
            }
            SendError::CommunicationError(error)
            | SendError::InvalidUpgrade(error)
            | SendError::ResponseBodyError(error) => Self::Transport(error.without_url()),
            SendError::InvalidResponsePayload(_, error) => Self::Unreadable {
                status: None,
                reason: unreadable(&error),
                request_id: None,
            },
            SendError::UnexpectedResponse(response) => Self::Unreadable {
                status: Some(response.status()),
                reason: format!(
                    "HTTP {} is no answer of this API",
                    response.status().as_u16()
                ),
                request_id: request_id_in(response.headers()).map(str::to_owned),
            },
            SendError::InvalidRequest(reason) | SendError::Custom(reason) => {
                Self::NotSent { reason }
            }
        }
    }
}
