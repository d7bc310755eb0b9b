//! The parts of a request, as values that the document's schemas have checked.

use http::HeaderMap;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{ApiError, OpInfo, body, input, query};

/// Reads the decoded values of the path's variables.
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

/// Reads the query.
///
/// # Errors
/// 400: `IR_04` where a parameter is missing, `IR_06` where one is repeated or breaks the document's rules.
pub fn query(info: &'static OpInfo, text: &str) -> Result<Value, ApiError> {
    let checker = input::query(info);
    let mut value = query::parse(text, checker.schema())?;
    checker.check(&mut value)?;
    Ok(value)
}

/// Reads the body.
///
/// # Errors
/// See [`body::parse`] and [`Checker::check`](crate::validate::Checker::check).
pub fn body(info: &'static OpInfo, bytes: &[u8], headers: &HeaderMap) -> Result<Value, ApiError> {
    let mut value = body::parse(bytes, headers)?;
    input::body(info).check(&mut value)?;
    Ok(value)
}

/// Converts a checked value to its generated type. A value that doesn't fit is our fault, but the caller can still
/// change the request.
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
