//! Registers the address for an account's notices with its processor. Merchants usually do that in the processor's
//! dashboard; the server does it for simulated processors.

use async_trait::async_trait;
use multirail_domain::accounts::connector_account::ConnectorAccount;

/// Registers addresses for notices with processors.
#[async_trait]
pub trait NoticeRegistrar: Send + Sync {
    /// Returns whether this connector's processor accepts an address from us.
    fn serves(&self, connector_name: &str) -> bool;

    /// Asks the processor to send the account's notices to this server, signed with the account's webhook secret. The
    /// call has its own deadline.
    ///
    /// # Errors
    /// The processor's reason for a refusal, or the missing answer.
    async fn register(&self, account: &ConnectorAccount) -> Result<(), String>;
}
