//! A connector's abilities for wallets, as data.

use super::{Ability, WalletSessions};
use crate::wallet::Wallet;

/// The wallets that a connector supports, and how.
#[derive(Clone, Copy, Debug)]
pub struct WalletAbilities {
    /// Wallets for which the processor opens sessions.
    pub sessions: Option<(Ability<dyn WalletSessions>, &'static [Wallet])>,
    /// The wallet settings (a JSON object) of an account without its own. Only for a processor that
    /// moves no money, and only for wallets in the account's `payment_methods_enabled`.
    pub tried_with: Option<&'static str>,
    /// Wallets whose encrypted data the processor decrypts.
    pub opens_sealed: &'static [Wallet],
    /// True when network tokens with cryptograms are accepted, from decrypted wallets and from the
    /// merchant.
    pub network_tokens: bool,
}

impl WalletAbilities {
    /// A connector without wallet abilities: only the account's settings decide.
    pub const NONE: WalletAbilities = WalletAbilities {
        sessions: None,
        tried_with: None,
        opens_sealed: &[],
        network_tokens: false,
    };

    /// Checks whether the processor opens sessions of this wallet.
    pub fn opens(&self, wallet: Wallet) -> bool {
        self.sessions
            .is_some_and(|(_, wallets)| wallets.contains(&wallet))
    }
}
