//! `multirail connector check`: has a running server ask a processor about an account.

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method};
use multirail_domain::webhook::target::{AllowedTargets, TargetRules};
use multirail_outbound::{Bounds, GuardedClient, Manner, Outgoing, Response};
use multirail_types::{ConnectorAccountCheck, ConnectorAccountCheckResult};
use serde_json::Value;

use super::StartupError;
use super::public_listener::choose_cryptography;
use crate::cli::ConnectorCheck;

const ANSWER_BYTES: usize = 65_536;

/// What to print where the processor takes the credentials.
pub(super) async fn run(asked: ConnectorCheck) -> Result<String, StartupError> {
    choose_cryptography();
    // The operator names the server on his own command line: it may stand anywhere.
    let everywhere = AllowedTargets::read(["0.0.0.0/0", "::/0"]);
    let rules = TargetRules {
        allows_http: true,
        allows_loopback: true,
        allowed: everywhere.expect("two networks"),
    };
    let unasked = |why: &str| StartupError::Refused(format!("{}: {why}", asked.address));
    let key = HeaderValue::from_str(asked.admin_key.expose());
    let mut key = key.map_err(|_| unasked("the operator's key can't stand in a header"))?;
    key.set_sensitive(true);
    let outgoing = Outgoing {
        method: Method::POST,
        url: asked.address.as_str(),
        headers: HeaderMap::from_iter([(http::HeaderName::from_static("api-key"), key)]),
        body: Bytes::new(),
    };
    let bounds = Bounds {
        time: asked.patience,
        body_bytes: ANSWER_BYTES,
    };
    let client = GuardedClient::new(rules, &Manner::webhooks());
    let answer = client.send(outgoing, bounds).await;
    judge(&answer.map_err(|error| unasked(&error.to_string()))?).map_err(|error| match error {
        Said::Refused(what) => StartupError::CredentialsRefused(what),
        Said::NotKnown(what) => StartupError::Refused(what),
        Said::Nothing(why) => unasked(&why),
    })
}

/// What else than yes a server can answer.
#[derive(Debug, PartialEq, Eq)]
enum Said {
    /// The processor refuses the credentials.
    Refused(String),
    /// The processor gave no answer that can be trusted.
    NotKnown(String),
    /// Nobody asked it.
    Nothing(String),
}

fn judge(answer: &Response) -> Result<String, Said> {
    let status = answer.status;
    if status != 200 {
        let error: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        let message = error.pointer("/error/message").or(error.get("message"));
        let message = message.and_then(Value::as_str).unwrap_or("no reason given");
        return Err(Said::Nothing(format!(
            "the server answered {status}: {message}"
        )));
    }
    let Ok(check) = serde_json::from_slice::<ConnectorAccountCheck>(&answer.body) else {
        return Err(Said::Nothing("the answer can't be read".to_owned()));
    };
    let (connector, account) = (check.connector_name, check.merchant_connector_id);
    let message = check.message.unwrap_or_default();
    match check.result {
        ConnectorAccountCheckResult::Accepted => {
            Ok(format!("{connector} takes the credentials of {account}"))
        }
        ConnectorAccountCheckResult::Refused => Err(Said::Refused(format!(
            "{connector} refuses the credentials of {account}: {message}"
        ))),
        ConnectorAccountCheckResult::NotKnown => Err(Said::NotKnown(format!(
            "{connector} says nothing about the credentials of {account}: {message}"
        ))),
        ConnectorAccountCheckResult::Unknown(word) => Err(Said::Nothing(format!(
            "the server is of a later version: its result is {word}"
        ))),
    }
}
