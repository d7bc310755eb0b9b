//! What the holder of a key that only reads is not shown: secrets by which he could finish payments, or sign webhooks and return
//! links in the service's name.
//!
//! Answers name these members as required, so they stay, without what they hold.

use dropshot::Body;
use http::{Response, header};
use http_body_util::BodyExt;
use multirail_api::ApiError;
use serde_json::{Value, json};

/// The answer without such secrets, wherever in it they stand.
///
/// # Errors
/// An answer that is not what it says that it is.
pub(super) async fn from_readers(answer: Response<Body>) -> Result<Response<Body>, ApiError> {
    let content_type = answer.headers().get(header::CONTENT_TYPE);
    if content_type.is_none_or(|it| !it.as_bytes().starts_with(b"application/json")) {
        return Ok(answer);
    }
    let (mut parts, body) = answer.into_parts();
    let unread = || ApiError::internal("an answer to be hidden from can't be read");
    let bytes = body.collect().await.map_err(|_| unread())?.to_bytes();
    let mut said: Value = serde_json::from_slice(&bytes).map_err(|_| unread())?;
    hide(&mut said);
    parts.headers.remove(header::CONTENT_LENGTH);
    Ok(Response::from_parts(parts, said.to_string().into()))
}

fn hide(said: &mut Value) {
    match said {
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                match (name.as_str(), &*member) {
                    ("client_secret" | "payment_response_hash_key", Value::String(_)) => {
                        *member = json!("");
                    }
                    ("sdk_authorization", Value::String(_)) => *member = Value::Null,
                    ("webhook_secrets", Value::Array(_)) => *member = json!([]),
                    // The merchant's own words.
                    ("metadata", _) => {}
                    (_, _) => hide(member),
                }
            }
        }
        Value::Array(all) => all.iter_mut().for_each(hide),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
