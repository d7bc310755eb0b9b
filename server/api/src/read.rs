//! What a request brings, as values that the document's schemas have judged.

use http::HeaderMap;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{ApiError, OpInfo, body, input, query};

/// The values of the path's variables, decoded.
///
/// # Errors
/// 400 `IR_06` where a value isn't an identifier or breaks the document's rules.
pub fn path(info: &'static OpInfo, variables: &[String]) -> Result<Value, ApiError> {
    let names: Vec<&str> = info.path_parameters().collect();
    for (name, value) in names.iter().zip(variables) {
        if !query::is_identifier(value) {
            return Err(ApiError::unreadable(format!(
                "The path parameter `{name}` must be 1 to 64 letters, digits, `_` or `-`."
            )));
        }
    }
    let mut value = query::path(&names, variables);
    input::path(info).check(&mut value)?;
    Ok(value)
}

/// The query, as it came.
///
/// # Errors
/// 400: `IR_04` where a parameter is missing, `IR_06` where one is repeated or breaks the document's rules.
pub fn query(info: &'static OpInfo, text: &str) -> Result<Value, ApiError> {
    let checker = input::query(info);
    let mut value = query::parse(text, checker.schema())?;
    checker.check(&mut value)?;
    Ok(value)
}

/// The body, as it came.
///
/// # Errors
/// See [`body::parse`] and [`Checker::check`](crate::validate::Checker::check).
pub fn body(info: &'static OpInfo, bytes: &[u8], headers: &HeaderMap) -> Result<Value, ApiError> {
    let mut value = body::parse(bytes, headers)?;
    input::body(info).check(&mut value)?;
    Ok(value)
}

/// A value that passed the document's schema fits the type that was generated from it; anything else is our fault, but
/// the caller can still do something about it.
///
/// # Errors
/// 400 `IR_06`
pub fn typed<T: DeserializeOwned>(value: Value) -> Result<T, ApiError> {
    serde_json::from_value(value).map_err(|error| {
        ApiError::unreadable("The request doesn't have the form that the document asks for.")
            .with_context(format!(
                "a valid value doesn't fit its type: line {}",
                error.line()
            ))
    })
}
