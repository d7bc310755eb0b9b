//! What opens what a wallet sealed, with the key of an account.

use multirail_domain::payments::payment::SealedToken;
use multirail_domain::payments::session::{OpenedWallet, UnreadablePart, WalletKey};
use multirail_kernel::timestamp::Timestamp;

/// Why it stays closed. None of it quotes what was sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotOpen {
    #[error("the key of the account can't be read")]
    UnreadableKey,
    #[error("it is not in the wallet's form")]
    Unreadable,
    #[error("it was sealed for another key")]
    AnotherKey,
    #[error("it is not signed by who gives the wallet out")]
    NotSigned,
    #[error("it has expired")]
    Expired,
}

/// Opens what wallets seal. It takes microseconds and asks nobody.
pub trait WalletOpener: Send + Sync {
    /// Checks a key before an account has it.
    ///
    /// # Errors
    /// The part of it that can't be read.
    fn check(&self, key: &WalletKey) -> Result<(), UnreadablePart>;

    /// Checks who sealed it and until when it is good, and opens it.
    ///
    /// # Errors
    /// [`CannotOpen`]
    fn open(
        &self,
        token: &SealedToken,
        key: &WalletKey,
        now: Timestamp,
    ) -> Result<OpenedWallet, CannotOpen>;
}
