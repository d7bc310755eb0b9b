//! Calls of the operator's command line to a running server.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use multirail_kernel::secret::SecretText;
use multirail_kernel::target::{AllowedTargets, TargetRules};
use multirail_outbound::{Bounds, Certificate, GuardedClient, Manner, Outgoing, Response};
use rustls::pki_types::CertificateDer;
use serde_json::Value;
use url::Url;

use super::StartupError;
use super::public_listener::choose_cryptography;

const ANSWER_BYTES: usize = 65_536;

/// Sends the call; returns any answer of the server.
///
/// # Errors
/// [`StartupError::Refused`] if no server answers.
pub(super) async fn call(
    method: Method,
    address: &Url,
    admin_key: &SecretText,
    body: Option<&Value>,
    patience: Duration,
    trusted: &[CertificateDer<'static>],
) -> Result<Response, StartupError> {
    choose_cryptography();
    // The operator names the server on the command line, so any address is allowed.
    let everywhere = AllowedTargets::read(["0.0.0.0/0", "::/0"]);
    let rules = TargetRules {
        allows_http: true,
        allows_loopback: true,
        allowed: everywhere.expect("two networks"),
    };
    let key = HeaderValue::from_str(admin_key.expose());
    let mut key =
        key.map_err(|_| unasked(address, "the operator's key can't stand in a header"))?;
    key.set_sensitive(true);
    let mut headers = HeaderMap::from_iter([(HeaderName::from_static("api-key"), key)]);
    if body.is_some() {
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/json"),
        );
    }
    let outgoing = Outgoing {
        method,
        url: address.as_str(),
        headers,
        body: body.map_or_else(Bytes::new, |body| Bytes::from(body.to_string())),
    };
    let bounds = Bounds {
        time: patience,
        body_bytes: ANSWER_BYTES,
    };
    let trusted = trusted.iter().map(|one| Certificate::from_der(one));
    let manner = Manner {
        trusted: trusted
            .collect::<Result<_, _>>()
            .map_err(|error| unasked(address, &error.to_string()))?,
        ..Manner::webhooks()
    };
    let client = GuardedClient::new(rules, &manner);
    let answer = client.send(outgoing, bounds).await;
    answer.map_err(|error| unasked(address, &error.to_string()))
}

/// Returns the error for a call that reached no server.
pub(super) fn unasked(address: &Url, why: &str) -> StartupError {
    StartupError::Refused(format!("{address}: {why}"))
}

/// Returns why the server didn't answer 200.
pub(super) fn reason(answer: &Response) -> String {
    let error: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    let message = error.pointer("/error/message").or(error.get("message"));
    let message = message.and_then(Value::as_str).unwrap_or("no reason given");
    format!("the server answered {}: {message}", answer.status)
}
