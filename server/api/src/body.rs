//! Request bodies: read within limits, then parsed as one JSON value.

use dropshot::Body;
use http::{HeaderMap, header};
use http_body_util::BodyExt;
use serde_json::{Map, Value};
use zeroize::Zeroizing;

use crate::{ApiError, Limits, json};

/// Reads a whole body. Dropping the bytes overwrites them, because they may contain a card.
///
/// # Errors
/// 415 where it is compressed, 413 where it is too long, 408 where it takes too long, 400 where the connection fails on the way.
pub async fn read(
    body: Body,
    headers: &HeaderMap,
    limits: Limits,
) -> Result<Zeroizing<Vec<u8>>, ApiError> {
    if is_encoded(headers) {
        return Err(ApiError::wrong_encoding());
    }
    let declared = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    if declared.is_some_and(|length| length > limits.body_bytes) {
        return Err(ApiError::too_large(limits.body_bytes));
    }
    tokio::time::timeout(
        limits.body_deadline,
        collect(body, declared.unwrap_or(0), limits.body_bytes),
    )
    .await
    .unwrap_or_else(|_| Err(ApiError::slow_body()))
}

async fn collect(
    mut body: Body,
    declared: usize,
    limit: usize,
) -> Result<Zeroizing<Vec<u8>>, ApiError> {
    // The buffer has its full size from the start: a growing one would leave copies behind that no one overwrites.
    let room = if declared == 0 { limit } else { declared };
    let mut bytes = Zeroizing::new(Vec::new());
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| {
            ApiError::unreadable("The body broke off.")
                .with_context(format!("reading the body: {error}"))
        })?;
        if let Some(data) = frame.data_ref() {
            if bytes.capacity() == 0 {
                bytes.reserve_exact(room);
            }
            if bytes.len() + data.len() > limit {
                return Err(ApiError::too_large(limit));
            }
            bytes.extend_from_slice(data);
        }
    }
    Ok(bytes)
}

/// Parses a body. An empty body counts as an empty object.
///
/// # Errors
/// 415 where the body isn't declared to be JSON, else as [`json::read`].
pub fn parse(bytes: &[u8], headers: &HeaderMap) -> Result<Value, ApiError> {
    if bytes.is_empty() {
        return Ok(Value::Object(Map::new()));
    }
    if !is_json(headers) {
        return Err(ApiError::wrong_media_type());
    }
    json::read(bytes)
}

/// Returns whether `content-encoding` names anything but `identity`.
fn is_encoded(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(header::CONTENT_ENCODING).iter();
    values.any(|value| {
        let is_plain = |coding: &str| {
            let coding = coding.trim();
            coding.is_empty() || coding.eq_ignore_ascii_case("identity")
        };
        !value
            .to_str()
            .is_ok_and(|codings| codings.split(',').all(is_plain))
    })
}

/// Returns whether `content-type` names JSON, with or without parameters.
fn is_json(headers: &HeaderMap) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .is_some_and(|media| media.trim().eq_ignore_ascii_case("application/json"))
}
