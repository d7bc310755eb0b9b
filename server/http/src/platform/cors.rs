//! Cross-origin answers for the operations that a payer's browser calls.

use http::{HeaderMap, HeaderValue, header};
use multirail_api::{OpInfo, Scheme};

/// The origins that may read answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cors {
    /// Any origin, as in the sandbox.
    Any,
    /// These origins, compared as written.
    Only(Vec<String>),
}

impl Cors {
    /// Adds the headers of an answer, where the operation is one for browsers and the origin is allowed.
    pub fn allow(&self, operation: &OpInfo, origin: &HeaderValue, headers: &mut HeaderMap) {
        if !is_for_browsers(operation) {
            return;
        }
        let allowed = match self {
            Cors::Any => HeaderValue::from_static("*"),
            Cors::Only(origins) if origins.iter().any(|o| o.as_bytes() == origin.as_bytes()) => {
                origin.clone()
            }
            Cors::Only(_) => return,
        };
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, allowed);
        headers.insert(
            header::ACCESS_CONTROL_EXPOSE_HEADERS,
            HeaderValue::from_static("request-id, x-request-id, idempotent-replayed, retry-after"),
        );
        headers.append(header::VARY, HeaderValue::from_static("origin"));
    }

    /// Adds the headers of a preflight answer.
    pub fn preflight(
        &self,
        operations: &[&'static OpInfo],
        origin: &HeaderValue,
        headers: &mut HeaderMap,
    ) {
        let for_browsers: Vec<&&'static OpInfo> =
            operations.iter().filter(|o| is_for_browsers(o)).collect();
        let Some(operation) = for_browsers.first() else {
            return;
        };
        self.allow(operation, origin, headers);
        let methods: Vec<&str> = for_browsers.iter().map(|o| o.method.as_str()).collect();
        if let Ok(methods) = HeaderValue::from_str(&methods.join(", ")) {
            headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, methods);
        }
        headers.insert(
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            HeaderValue::from_static(
                "api-key, authorization, content-type, idempotency-key, x-client-source, x-client-version, x-profile-id",
            ),
        );
        headers.insert(
            header::ACCESS_CONTROL_MAX_AGE,
            HeaderValue::from_static("600"),
        );
    }
}

/// Returns whether payers' browsers call the operation, with either key.
fn is_for_browsers(operation: &OpInfo) -> bool {
    operation.is_for_clients() || operation.accepts(Scheme::EphemeralKey)
}
