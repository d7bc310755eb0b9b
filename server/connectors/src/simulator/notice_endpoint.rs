//! Entering with the simulated processor where an account's notices go, as a merchant does in the dashboard of a real one.

use multirail_kernel::secret::SecretText;
use multirail_sdk::connector::Access;
use multirail_simulator_wire::{NoticeEndpointBody, Transport, WireRequest};

use super::map;
use crate::account::credential;

/// Has the processor send the notices of an account of `connector` to an address of this machine, signed with `secret`.
///
/// # Errors
/// Why it won't, or why nobody knows.
pub async fn enter(
    transport: &dyn Transport,
    connector: &str,
    access: &Access,
    address: &str,
    secret: &SecretText,
) -> Result<(), String> {
    let api_key =
        credential(access, "api_key").ok_or("the account has no credentials that could be sent")?;
    let body = NoticeEndpointBody {
        address: address.to_owned(),
        secret: secret.clone(),
    };
    let path = format!("/{connector}/account/notices");
    let request = WireRequest {
        key: None,
        ..WireRequest::post(path, api_key, "", &body)
    };
    match map::answer(transport.send(request).await) {
        Ok(answer) if answer.status == 200 => Ok(()),
        Ok(answer) => Err(format!("the processor answered {}", answer.status)),
        Err(error) => Err(error.to_string()),
    }
}
