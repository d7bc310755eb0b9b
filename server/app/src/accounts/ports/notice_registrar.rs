//! Tells processors where the notices of an account go. Merchants do that themselves in a processor's dashboard, except where
//! the processor is simulated.

use async_trait::async_trait;
use multirail_domain::accounts::connector_account::ConnectorAccount;

/// Registers addresses for notices with processors.
#[async_trait]
pub trait NoticeRegistrar: Send + Sync {
    /// Returns whether this connector's processor takes an address from us.
    fn serves(&self, connector_name: &str) -> bool;

    /// Has the processor send the account's notices here, signed with the account's webhook secret. It ends within a
    /// deadline of its own.
    ///
    /// # Errors
    /// Why the processor refused, or that it gave no answer.
    async fn register(&self, account: &ConnectorAccount) -> Result<(), String>;
}
