//! Checks keys and certificates of wallets before they are stored.

use std::sync::Arc;

use multirail_domain::accounts::connector_account::SecretNotes;
use multirail_domain::payments::session::{WalletSecret, check_wallet_details, wallet_secrets};
use multirail_kernel::refusal::Refusal;

use crate::accounts::ports::connector_accounts::WalletSecrets;
use crate::payments::ports::{MerchantSessions, WalletOpener};

/// Asks the ports that use a secret whether they can read it.
pub struct ReadableSecrets {
    pub wallet_opener: Arc<dyn WalletOpener>,
    pub merchant_sessions: Arc<dyn MerchantSessions>,
}

impl WalletSecrets for ReadableSecrets {
    fn check_form(&self, given: &SecretNotes) -> Result<(), Refusal> {
        check_wallet_details(given)
    }

    fn check(&self, given: &SecretNotes) -> Result<(), Refusal> {
        for (path, secret) in wallet_secrets(given) {
            let checked = match &secret {
                WalletSecret::Key(key) => self.wallet_opener.check(key),
                WalletSecret::Identity(identity) => self.merchant_sessions.check(identity),
            };
            checked.map_err(|part| part.refusal(&path))?;
        }
        Ok(())
    }
}
