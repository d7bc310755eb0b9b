//! Requests that come with an idempotency key: what a server needs to tell whether it has seen one before.

use dropshot::{Body, HttpError};
use http::Response;
use serde_json::Value;

use crate::{ApiError, OpInfo};

/// The header that carries the key.
pub const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// A request with an idempotency key, as far as it can differ from another one with the same key.
#[derive(Clone, Debug)]
pub struct IdempotentRequest {
    /// The operation; a key is good for one.
    pub operation: &'static OpInfo,
    /// The key as it came.
    pub key: String,
    /// The path's parameters with their values.
    pub target: Vec<(&'static str, String)>,
    /// The body after validation: unknown members may still be in it, nulls are not.
    pub body: Value,
}

/// Why a call goes no further.
pub(crate) enum Stop {
    Error(ApiError),
    /// It has its answer already.
    Answer(Response<Body>),
}

impl From<ApiError> for Stop {
    fn from(error: ApiError) -> Self {
        Stop::Error(error)
    }
}

impl From<HttpError> for Stop {
    fn from(error: HttpError) -> Self {
        Stop::Error(error.into())
    }
}
