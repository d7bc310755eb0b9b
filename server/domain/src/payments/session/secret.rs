//! What an account's settings of wallets hold that only cryptography can read.

use multirail_kernel::notes;
use multirail_kernel::refusal::Refusal;
use multirail_sdk::wallet::Wallet;
use serde::Deserialize;
use serde_json::Value;

use crate::accounts::connector_account::{SecretNotes, WALLETS_DETAILS};
use crate::payments::session::apple_pay::{ApplePaySettings, MerchantValidation};
use crate::payments::session::opening::{APPLE_IDENTITY, WalletKey};
use crate::payments::session::places::places;

/// A key or a certificate of an account, for who works with it to say whether it can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalletSecret {
    /// What the wallet seals is opened with it.
    Key(WalletKey),
    /// The merchant proves to Apple with it who it is.
    Identity(MerchantValidation),
}

/// A part of it that can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadablePart {
    /// The member, inside of the object that holds the secret.
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

    /// The refusal of the account. `path`: of the object that holds the secret.
    pub fn refusal(&self, path: &str) -> Refusal {
        Refusal::invalid_format(format!("{path}.{}", self.member), self.expected)
    }
}

/// All of them among what an account keeps sealed, with the path of the object that holds each.
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

/// That of a page; an app shows none.
fn identity(wallet: Wallet, settings: &Value) -> Option<MerchantValidation> {
    let is_apple = wallet == Wallet::ApplePay;
    let settings = is_apple.then(|| ApplePaySettings::deserialize(settings).ok());
    settings.flatten()?.validation()
}
