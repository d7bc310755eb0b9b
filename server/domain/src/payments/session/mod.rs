//! The session of a payer's checkout: which wallets an account offers for a payment, the data that each wallet needs, and the
//! destination of card details. (Specification 2.11, 4.3)

pub mod apple_pay;
mod authorization;
mod collect;
pub mod google_pay;
mod next_action;
mod offer;
mod opening;
pub mod others;
mod places;
mod secret;
mod settings;
mod token;
mod vault;

pub use crate::payments::payment::offered::check_open;
pub use authorization::SdkAuthorization;
pub use next_action::{NextCall, SdkNextAction, SdkSecrets};
pub use offer::{Answer, Ask, BroughtSettings, Checkout, Offer, offers};
pub use opening::{AppleKey, GoogleKey, GoogleRootKey, OpenedWallet, WalletKey};
pub use secret::{UnreadablePart, WalletSecret, wallet_secrets};
pub use settings::{WalletSettings, check_wallet_details};
pub use token::SessionToken;
pub use vault::{VaultDetails, VgsVault, vault_connector_id, vault_details};
