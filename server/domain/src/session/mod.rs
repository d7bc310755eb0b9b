//! What a payer's checkout is told before it shows the buttons of wallets: which wallets an account offers for a payment, what
//! each of them needs, and where card details go. (Specification 2.11, 4.3)

pub mod apple_pay;
mod authorization;
mod collect;
pub mod google_pay;
mod offer;
mod opening;
pub mod others;
mod secret;
mod settings;
mod token;
mod vault;

use multirail_kernel::refusal::Refusal;

pub use authorization::SdkAuthorization;
pub use offer::{Answer, Ask, BroughtSettings, Checkout, Offer, offers};
pub use opening::{AppleKey, GoogleKey, GoogleRootKey, OpenedWallet, WalletKey};
pub use secret::{UnreadablePart, WalletSecret, wallet_secrets};
pub use settings::{WALLETS_DETAILS, WalletSettings, check_wallet_details};
pub use token::{NextCall, SdkNextAction, SdkSecrets, SessionToken};
pub use vault::{VaultDetails, VgsVault, vault_connector_id, vault_details};

use crate::payment::Payment;

/// Whether there is a session for the payment: there is none once it has ended.
///
/// # Errors
/// [`Refusal::Precondition`] naming the status.
pub fn check_open(payment: &Payment) -> Result<(), Refusal> {
    if payment.status.is_terminal() {
        return Err(Refusal::precondition(format!(
            "there is no session for this payment any more: its status is {}",
            payment.status
        )));
    }
    Ok(())
}
