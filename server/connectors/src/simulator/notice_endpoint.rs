//! Sets the address for an account's notices at the simulated processor. For a real processor
//! merchants do this in its dashboard.

use multirail_kernel::secret::SecretText;
use multirail_sdk::connector::Access;
use multirail_simulator_wire::{NoticeEndpointBody, Transport, WireRequest};

use super::map;
use crate::account::credential;

/// Makes the processor send the notices of a `connector` account to an address of this machine,
/// signed with `secret`.
///
/// # Errors
/// The reason for a refusal or for an unknown result.
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
