//! Opens sealed tokens of wallets: Apple Pay's EC_v1 and Google Pay's ECv2, with an account's own key. Nothing is
//! stored.

mod apple;
mod ber;
mod google;
mod keys;
mod merchant_key;
mod signed;

use multirail_app::payments::ports::wallet_opener::{CannotOpen, WalletOpener};
use multirail_domain::payments::session::{OpenedWallet, UnreadablePart, WalletKey};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::instrument::SealedToken;
use multirail_sdk::wallet::Wallet;

pub use merchant_key::MerchantKey;

/// Opens wallets' tokens for accounts with keys.
pub struct Wallets {
    /// The DER of the certificate that vouches for Apple Pay's signatures.
    apple_root: Vec<u8>,
}

/// Apple Root CA - G3 as PEM, valid until April 2039.
pub const APPLE_ROOT: &str = include_str!("apple_root_ca_g3.pem");

fn readable(key: &SecretText, member: &str) -> Result<(), UnreadablePart> {
    let expected = "a private key of the curve P-256 in PEM, base64 of it, or base64 of DER";
    let unreadable = |_| UnreadablePart::new(member, expected);
    keys::private(key).map(|_| ()).map_err(unreadable)
}

impl Wallets {
    /// Makes the opener. `apple_root` is the PEM of the root certificate of Apple Pay's signatures.
    ///
    /// # Errors
    /// A text without a certificate.
    pub fn new(apple_root: &str) -> Result<Self, CannotOpen> {
        let apple_root = keys::armored(apple_root).ok_or(CannotOpen::UnreadableKey)?;
        signed::check_readable(&apple_root)?;
        Ok(Wallets {
            apple_root: apple_root.to_vec(),
        })
    }
}

impl WalletOpener for Wallets {
    fn check(&self, key: &WalletKey) -> Result<(), UnreadablePart> {
        match key {
            WalletKey::Apple(key) => readable(
                &key.payment_processing_certificate_key,
                "payment_processing_certificate_key",
            ),
            WalletKey::Google(key) => {
                readable(&key.private_key, "private_key")?;
                google::check(key)
            }
        }
    }

    fn open(
        &self,
        token: &SealedToken,
        key: &WalletKey,
        now: Timestamp,
    ) -> Result<OpenedWallet, CannotOpen> {
        match (token.wallet, key) {
            (Wallet::ApplePay, WalletKey::Apple(key)) => {
                apple::open(token.text.expose(), key, &self.apple_root, now)
            }
            (Wallet::GooglePay, WalletKey::Google(key)) => {
                google::open(token.text.expose(), key, now)
            }
            (_, WalletKey::Apple(_) | WalletKey::Google(_)) => Err(CannotOpen::AnotherKey),
        }
    }
}
