//! Credentials that are checked before an account is made with them.

use multirail_kernel::refusal::Refusal;
use multirail_sdk::connector::{Access, Credentials, CredentialsInput, Description};
use serde_json::{Map, Value};

/// Credentials and settings that are in no account. (Specification 2.7)
#[derive(Debug)]
pub struct UnstoredCredentials {
    pub connector_name: String,
    pub credentials: CredentialsInput,
    pub test_mode: bool,
    /// The settings of the account.
    pub metadata: Map<String, Value>,
}

impl UnstoredCredentials {
    /// Returns what the connector would be called with.
    ///
    /// # Errors
    /// Credentials and settings that a new account couldn't have, and credentials that are none yet.
    pub fn access(self, connector: &Description) -> Result<Access, Refusal> {
        let given = Credentials::temporary().meant_by(self.credentials)?;
        let credentials = Credentials::check(given, Some(connector))?;
        if !credentials.are_real() {
            return Err(Refusal::invalid_format(
                "connector_account_details.auth_type",
                "the kind of real credentials",
            ));
        }
        let access = Access {
            credentials: credentials.to_json(),
            test_mode: self.test_mode,
            metadata: self.metadata,
        };
        connector.check_settings(&access, false)?;
        Ok(access)
    }
}
