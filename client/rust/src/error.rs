//! The errors of calls.

use multirail_types::{ErrorBody, unreadable};
use reqwest::StatusCode;

use crate::SendError;
use crate::answers::{is_illegible, request_id_in};

/// The reason why a call failed.
///
/// A declined card isn't an error. It is an ordinary answer: a payment whose status is `failed`.
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
    /// The service refused the call, or failed.
    #[error("{message} ({code}, HTTP {}{})", status.as_u16(), request(request_id))]
    Api {
        /// HTTP status. The same code can occur with several statuses.
        status: StatusCode,
        /// The party that must act: `invalid_request`, `api`, `connector`, `blocked`. Words may be added.
        error_type: String,
        /// The error for programs, such as `IR_04`.
        code: String,
        /// The error for people. The wording may change.
        message: String,
        /// The id of the call in the service's log.
        request_id: Option<String>,
    },
    /// The call or its answer got lost: no connection, too slow, broken off. The address is left out, because it can
    /// contain a client secret.
    #[error("the service could not be reached, or its answer not be received")]
    Transport(#[source] reqwest::Error),
    /// The answer isn't one of the API. It came from a proxy, or from a server of another kind or version.
    #[error("the answer can't be read: {reason}{}", request(request_id))]
    Unreadable {
        /// HTTP status, if it is known.
        status: Option<StatusCode>,
        /// The problem with the answer. The answer itself is not included.
        reason: String,
        /// The id of the call in the service's log, if it is known.
        request_id: Option<String>,
    },
    /// The call was not sent, because something is missing, such as its body or an id in its path.
    #[error("the call was not sent: {reason}")]
    NotSent {
        /// The missing part.
        reason: String,
    },
}

impl Error {
    /// Returns the code of the service's error, such as `IR_04`, if there is one.
    pub fn code(&self) -> Option<&str> {
        match self {
            Self::Api { code, .. } => Some(code),
            Self::Transport(_) | Self::Unreadable { .. } | Self::NotSent { .. } => None,
        }
    }

    /// Returns the HTTP status of the answer, if there is one.
    pub fn status(&self) -> Option<StatusCode> {
        match self {
            Self::Api { status, .. } => Some(*status),
            Self::Unreadable { status, .. } => *status,
            Self::Transport(_) | Self::NotSent { .. } => None,
        }
    }

    /// Returns the id by which the service's operator finds the call in the log.
    pub fn request_id(&self) -> Option<&str> {
        match self {
            Self::Api { request_id, .. } | Self::Unreadable { request_id, .. } => {
                request_id.as_deref()
            }
            Self::Transport(_) | Self::NotSent { .. } => None,
        }
    }

    /// Checks whether the same call may succeed later, because the network failed or the service was busy. The client
    /// has already retried harmless calls; see [`Connection::tries`](crate::Connection::tries).
    ///
    /// It doesn't say that a repetition is harmless; see [`Error::is_outcome_unknown`].
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

    /// Checks whether the call may have taken effect although it failed, in the last try or an earlier one. False means
    /// that it was refused or never sent.
    ///
    /// Repeating the call sends another idempotency key, and a repeated capture may capture twice: retrieve the payment
    /// first. A key of your own (`idempotency_key` of the builder) avoids this doubt. The same call with the same key
    /// takes effect once, however often it is sent.
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

/// Checks whether another call holds the payment. With status 500 the same code means that the service failed.
pub(crate) fn is_busy(status: StatusCode, code: &str) -> bool {
    status == StatusCode::UNPROCESSABLE_ENTITY && code == "HE_00"
}

/// Checks whether the first request with this idempotency key is still being processed.
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
