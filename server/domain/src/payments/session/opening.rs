//! Keys with which the server decrypts wallet tokens, and the decrypted data.

use std::fmt;

use multirail_kernel::money::Money;
use multirail_kernel::notes;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::card::{Card, CardNumber, Expiry, GivenCardDetails};
use multirail_sdk::wallet::Wallet;
use serde::Deserialize;
use serde_json::Value;

use crate::accounts::connector_account::{ConnectorAccount, WALLETS_DETAILS};
use crate::payments::payment::wallet::{is_cryptogram, is_eci};
use crate::payments::payment::{NetworkToken, PaymentMethodData, SealedToken};
use crate::payments::session::places::places;

/// An account's key for one wallet. `Debug` doesn't print it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalletKey {
    Apple(AppleKey),
    Google(GoogleKey),
}

/// The key of Apple Pay's payment processing certificate.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct AppleKey {
    pub merchant_identifier: String,
    /// PEM, base64 of it, or base64 of DER.
    #[serde(with = "multirail_kernel::secret::sealed")]
    pub payment_processing_certificate_key: SecretText,
    /// `Connector` lets the processor decrypt the token.
    #[serde(default)]
    payment_processing_details_at: Option<String>,
}

/// The key of Google Pay with direct integration.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct GoogleKey {
    /// PEM, base64 of it, or base64 of DER.
    #[serde(with = "multirail_kernel::secret::sealed")]
    pub private_key: SecretText,
    /// The recipient for whom Google encrypts, such as `merchant:12345678901234567890`.
    pub recipient_id: String,
    /// Google's published keys.
    pub root_signing_keys: Vec<GoogleRootKey>,
}

/// A key with which Google signs its other keys.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GoogleRootKey {
    /// Base64 of a public key in DER.
    pub key_value: String,
    pub protocol_version: String,
    /// Milliseconds since 1970; the key doesn't expire if `None`.
    #[serde(default)]
    pub key_expiration: Option<String>,
}

impl fmt::Debug for AppleKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AppleKey")
            .field("merchant_identifier", &self.merchant_identifier)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for GoogleKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GoogleKey")
            .field("recipient_id", &self.recipient_id)
            .finish_non_exhaustive()
    }
}

impl WalletKey {
    /// Returns the account's key, from its sealed settings only: `metadata` is part of answers, so it holds no keys.
    pub fn for_account(account: &ConnectorAccount, wallet: Wallet) -> Option<Self> {
        let details = notes::find(&account.secrets.notes.0, WALLETS_DETAILS)?;
        let mut places = places(wallet, details.as_object()?).into_iter();
        places.find_map(|place| WalletKey::among(wallet, place.settings).map(|(_, key)| key))
    }

    /// Returns the key in a wallet's settings, and the member that holds it.
    pub(crate) fn among(wallet: Wallet, settings: &Value) -> Option<(&'static str, Self)> {
        match wallet {
            Wallet::ApplePay => {
                let key = AppleKey::read(settings.get(APPLE_IDENTITY)?)?;
                Some((APPLE_IDENTITY, key))
            }
            Wallet::GooglePay => {
                let key = GoogleKey::deserialize(settings.get(GOOGLE_KEY)?).ok()?;
                Some((GOOGLE_KEY, WalletKey::Google(key)))
            }
            Wallet::SamsungPay
            | Wallet::Paypal
            | Wallet::Klarna
            | Wallet::AmazonPay
            | Wallet::Paze
            | Wallet::ClickToPay
            | Wallet::OpenBanking => None,
        }
    }

    /// Returns whether settings with a key are complete.
    pub(crate) fn is_whole(wallet: Wallet, settings: &Value) -> bool {
        match wallet {
            Wallet::ApplePay => match settings.get(APPLE_IDENTITY) {
                Some(data) if data.get(APPLE_KEY).is_some_and(|key| !key.is_null()) => {
                    AppleKey::deserialize(data).is_ok()
                }
                Some(_) | None => true,
            },
            Wallet::GooglePay => match settings.get(GOOGLE_KEY) {
                Some(key) if !key.is_null() => {
                    GoogleKey::deserialize(key).is_ok_and(|key| !key.root_signing_keys.is_empty())
                }
                Some(_) | None => true,
            },
            Wallet::SamsungPay
            | Wallet::Paypal
            | Wallet::Klarna
            | Wallet::AmazonPay
            | Wallet::Paze
            | Wallet::ClickToPay
            | Wallet::OpenBanking => true,
        }
    }
}

/// The member of Apple's settings with the merchant's own identity.
pub(crate) const APPLE_IDENTITY: &str = "session_token_data";
/// The member of that identity with the key.
const APPLE_KEY: &str = "payment_processing_certificate_key";
/// The member of Google's settings with the server's key.
const GOOGLE_KEY: &str = "payment_decryption";

impl AppleKey {
    fn read(value: &Value) -> Option<WalletKey> {
        let key = AppleKey::deserialize(value).ok()?;
        let is_elsewhere = key.payment_processing_details_at.as_deref() == Some("Connector");
        (!is_elsewhere).then_some(WalletKey::Apple(key))
    }
}

impl ConnectorAccount {
    /// Returns whether the server decrypts this wallet's tokens for the account.
    pub fn opens(&self, wallet: Wallet) -> bool {
        WalletKey::for_account(self, wallet).is_some()
    }
}

/// The decrypted data of a wallet token. `Debug` doesn't print it.
#[derive(Clone)]
pub struct OpenedWallet {
    pub number: SecretText,
    /// One or two digits.
    pub exp_month: String,
    /// Two or four digits.
    pub exp_year: String,
    /// If `None`, the number is the card's own.
    pub cryptogram: Option<SecretText>,
    pub eci: Option<String>,
    pub holder_name: Option<String>,
    /// The payment that the payer agreed to: the currency's number in ISO 4217, and the amount in minor units.
    pub agreed: Option<(u16, i64)>,
}

impl fmt::Debug for OpenedWallet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenedWallet").finish_non_exhaustive()
    }
}

impl OpenedWallet {
    /// Returns the payment method data. `total`: the amount to pay.
    ///
    /// # Errors
    /// [`Refusal::Precondition`] if the payer agreed to another amount, or if number, expiry or cryptogram is invalid.
    pub fn pays(
        self,
        token: &SealedToken,
        total: Money,
        now: Timestamp,
    ) -> Result<PaymentMethodData, Refusal> {
        let wallet = token.wallet;
        if let Some((currency, amount)) = &self.agreed
            && (*currency != total.currency.number() || *amount != total.amount_minor)
        {
            return Err(Refusal::precondition(format!(
                "the payer agreed in {wallet} to another amount or currency than the payment's"
            )));
        }
        let number = CardNumber::parse(self.number.expose()).map_err(|why| {
            Refusal::precondition(format!("the token of {wallet} is invalid: {why}"))
        })?;
        if self
            .cryptogram
            .as_ref()
            .is_some_and(|own| !is_cryptogram(own.expose()))
        {
            return Err(Refusal::precondition(format!(
                "the token of {wallet} is invalid: it has no cryptogram that proves the payment"
            )));
        }
        let path = format!("payment_method_data.wallet.{wallet}");
        let expiry = Expiry::parse(&self.exp_month, &self.exp_year, &path, now)?;
        let given = GivenCardDetails {
            holder_name: self.holder_name,
            ..GivenCardDetails::default()
        };
        let card = Card::new(number, None, expiry, given);
        Ok(match self.cryptogram {
            None => PaymentMethodData::Card(card),
            cryptogram @ Some(_) => PaymentMethodData::NetworkToken(NetworkToken {
                card,
                cryptogram,
                eci: self.eci.filter(|eci| is_eci(eci)),
                wallet: Some(wallet),
            }),
        })
    }
}
