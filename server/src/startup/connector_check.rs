//! `multirail connector check`: has a running server ask a processor about an account.

use http::Method;
use multirail_outbound::Response;
use multirail_types::{ConnectorAccountCheck, ConnectorAccountCheckResult};

use super::StartupError;
use super::operator_call::{call, reason, unasked};
use crate::cli::ConnectorCheck;

/// Returns the text to print if the processor accepts the credentials.
pub(super) async fn run(asked: ConnectorCheck) -> Result<String, StartupError> {
    let (address, key) = (&asked.address, &asked.admin_key);
    let answer = call(
        Method::POST,
        address,
        key,
        None,
        asked.patience,
        &asked.trusted,
    )
    .await?;
    judge(&answer).map_err(|error| match error {
        Said::Refused(what) => StartupError::CredentialsRefused(what),
        Said::NotKnown(what) => StartupError::Refused(what),
        Said::Nothing(why) => unasked(address, &why),
    })
}

/// The answers of a server other than yes.
#[derive(Debug, PartialEq, Eq)]
enum Said {
    /// The processor refuses the credentials.
    Refused(String),
    /// The processor gave no reliable answer.
    NotKnown(String),
    /// The processor was not asked.
    Nothing(String),
}

fn judge(answer: &Response) -> Result<String, Said> {
    if answer.status != 200 {
        return Err(Said::Nothing(reason(answer)));
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
