//! Keys and certificates in an account's wallet settings, which only cryptography can check.

use multirail_kernel::notes;
use multirail_kernel::refusal::Refusal;
use multirail_sdk::wallet::Wallet;
use serde::Deserialize;
use serde_json::Value;

use crate::accounts::connector_account::{SecretNotes, WALLETS_DETAILS};
use crate::payments::session::apple_pay::{ApplePaySettings, MerchantValidation};
use crate::payments::session::opening::{APPLE_IDENTITY, WalletKey};
use crate::payments::session::places::places;

/// A key or a certificate of an account, to be checked by the crate that uses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalletSecret {
    /// Decrypts the wallet's tokens.
    Key(WalletKey),
    /// Proves the merchant's identity to Apple.
    Identity(MerchantValidation),
}

/// A part of a secret that can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadablePart {
    /// The member within the object that holds the secret.
    pub member: String,
    pub expected: &'static str,
}

impl UnreadablePart {
    pub fn new(member: impl Into<String>, expected: &'static str) -> Self {
        UnreadablePart {
            member: member.into(),
            expected,
        }
    }

    /// Builds the refusal of the account. `path` is the path of the object that holds the secret.
    pub fn refusal(&self, path: &str) -> Refusal {
        Refusal::invalid_format(format!("{path}.{}", self.member), self.expected)
    }
}

/// Returns all secrets in an account's sealed settings, each with the path of its object.
pub fn wallet_secrets(sealed: &SecretNotes) -> Vec<(String, WalletSecret)> {
    let mut found = Vec::new();
    let details = notes::find(&sealed.0, WALLETS_DETAILS).and_then(Value::as_object);
    let Some(details) = details else {
        return found;
    };
    for wallet in Wallet::ALL {
        for place in places(*wallet, details) {
            if let Some(identity) = identity(*wallet, place.settings) {
                let path = format!("{}.{APPLE_IDENTITY}", place.path);
                found.push((path, WalletSecret::Identity(identity)));
            }
            if let Some((member, key)) = WalletKey::among(*wallet, place.settings) {
                let path = format!("{}.{member}", place.path);
                found.push((path, WalletSecret::Key(key)));
            }
        }
    }
    found
}

/// Returns the identity of a web page; an app has none.
fn identity(wallet: Wallet, settings: &Value) -> Option<MerchantValidation> {
    let is_apple = wallet == Wallet::ApplePay;
    let settings = is_apple.then(|| ApplePaySettings::deserialize(settings).ok());
    settings.flatten()?.validation()
}
