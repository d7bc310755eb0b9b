//! Opens a wallet's sealed token with the key of an account.

use multirail_domain::payments::payment::SealedToken;
use multirail_domain::payments::session::{OpenedWallet, UnreadablePart, WalletKey};
use multirail_kernel::timestamp::Timestamp;

/// The reason why a token can't be opened. It never quotes the token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotOpen {
    #[error("the key of the account can't be read")]
    UnreadableKey,
    #[error("it is not in the wallet's form")]
    Unreadable,
    #[error("it was sealed for another key")]
    AnotherKey,
    #[error("it is not signed by the wallet's provider")]
    NotSigned,
    #[error("it has expired")]
    Expired,
}

/// Opens wallets' sealed tokens. It takes microseconds and sends no request.
pub trait WalletOpener: Send + Sync {
    /// Checks a key before it is stored.
    ///
    /// # Errors
    /// The part of the key that can't be read.
    fn check(&self, key: &WalletKey) -> Result<(), UnreadablePart>;

    /// Checks the token's signature and expiry, and opens it.
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
