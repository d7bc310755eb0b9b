//! `multirail connector certify`: reads its options and the merchant's test account.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use multirail_kernel::currency::Currency;
use multirail_kernel::secret::SecretText;
use multirail_sdk::connector::CredentialsInput;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::connector::wrong;
use crate::config::{Config, Problems};

/// The largest file that can be an account.
const ACCOUNT_BYTES: usize = 65_536;

/// The account to certify, and the settings of the calls.
#[derive(Debug)]
pub struct Certification {
    pub config: Config,
    pub connector: String,
    pub credentials: CredentialsInput,
    pub test_mode: bool,
    /// The account's `metadata`.
    pub metadata: Map<String, Value>,
    /// The currency of card payments.
    pub currency: Currency,
}

/// An account, with the names of the contract.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AccountFile {
    connector_name: String,
    connector_account_details: Map<String, Value>,
    #[serde(default)]
    test_mode: bool,
    #[serde(default)]
    metadata: Map<String, Value>,
}

impl Certification {
    /// Reads the account at a place, and the other options.
    ///
    /// # Errors
    /// An account that can't be read, and an unknown currency.
    pub(super) fn read(place: &str, currency: &str, config: Config) -> Result<Self, Problems> {
        let text = account(place)?;
        // Parsers quote the text around a mistake, which may be a secret.
        let file: AccountFile = serde_json::from_str(text.expose()).map_err(|_| {
            wrong(
                "--account has to be a JSON object with connector_name, connector_account_details, test_mode and optionally \
                 metadata, as for a connector account",
            )
        })?;
        let currency = currency.parse();
        Ok(Certification {
            config,
            connector: file.connector_name,
            credentials: credentials(file.connector_account_details)?,
            test_mode: file.test_mode,
            metadata: file.metadata,
            currency: currency.map_err(|_| wrong("--currency has to be a code such as EUR"))?,
        })
    }
}

/// Reads the account from a file, or from the environment variable of this name.
fn account(place: &str) -> Result<SecretText, Problems> {
    let path = Path::new(place);
    let read = match path.is_file() {
        true => fs::read_to_string(path).ok(),
        false => std::env::var(place).ok(),
    };
    let text = read.map(SecretText::new);
    let text = text.filter(|text| text.expose().len() <= ACCOUNT_BYTES);
    text.ok_or_else(|| {
        wrong("--account has to name a readable file, or an environment variable, with an account")
    })
}

fn credentials(details: Map<String, Value>) -> Result<CredentialsInput, Problems> {
    let kind = details.get("auth_type").and_then(Value::as_str);
    let kind = kind.and_then(|kind| kind.parse().ok());
    let kind = kind.ok_or_else(|| {
        wrong("connector_account_details.auth_type has to be one of the contract's words")
    })?;
    let mut members = BTreeMap::new();
    for (name, value) in details.into_iter().filter(|(name, _)| name != "auth_type") {
        let text = match value {
            Value::String(text) => text,
            Value::Object(_) => value.to_string(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {
                return Err(wrong(&format!(
                    "connector_account_details.{name} has to be a text"
                )));
            }
        };
        members.insert(name, SecretText::new(text));
    }
    Ok(CredentialsInput { kind, members })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, currency: &str) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("account.json");
        fs::write(&file, text).expect("a file");
        let config = Config::read(&crate::config::Inputs::default()).expect("settings");
        match Certification::read(&file.to_string_lossy(), currency, config) {
            Ok(read) => format!(
                "{} {} {} {}",
                read.connector, read.credentials.kind, read.test_mode, read.currency
            ),
            Err(problems) => problems.0[0].to_string(),
        }
    }

    #[test]
    fn an_account_is_read_like_that_of_a_request() {
        let whole = r#"{"connector_name": "acme", "test_mode": true,
            "connector_account_details": {"auth_type": "HeaderKey", "api_key": "sesame"}}"#;
        let table = [
            read(whole, "EUR"),
            read(&whole.replace("true", "false"), "USD"),
            read(whole, "euro"),
            read(&whole.replace("test_mode", "testing"), "EUR"),
            read(&whole.replace("HeaderKey", "Header"), "EUR"),
            read(&whole.replace(r#""sesame""#, "17"), "EUR"),
            read("sesame", "EUR"),
        ];
        insta::assert_snapshot!(table.join("\n"), @"
        acme HeaderKey true EUR
        acme HeaderKey false USD
        --currency has to be a code such as EUR
        --account has to be a JSON object with connector_name, connector_account_details, test_mode and optionally metadata, as for a connector account
        connector_account_details.auth_type has to be one of the contract's words
        connector_account_details.api_key has to be a text
        --account has to be a JSON object with connector_name, connector_account_details, test_mode and optionally metadata, as for a connector account
        ");
        assert!(!table[3..].join("").contains("sesame"));
    }

    #[test]
    fn an_account_that_is_nowhere_is_not_quoted() {
        let config = Config::read(&crate::config::Inputs::default()).expect("settings");
        let read = Certification::read("sk_test_given_by_mistake", "USD", config);
        let problems = read.expect_err("no account");
        let told = problems.0[0].to_string();
        assert!(!told.contains("sk_test"), "{told}");
    }
}
