//! What stands for a card: a number of its network with the proof of one payment, and what a wallet hands over. (Facts,
//! appendix A)

use std::fmt;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

use crate::card::{Card, CardNumber, Expiry, GivenCardDetails};
use crate::record_object::record_object;
use crate::refusal::Refusal;
use crate::secret::SecretText;
use crate::timestamp::Timestamp;
use crate::wallet::Wallet;

/// The longest cryptogram, in characters; those of the networks have 28 and 40.
pub const LONGEST_CRYPTOGRAM: usize = 64;

/// The number that stands for a card at its network. It doesn't print, and rests nowhere.
#[derive(Clone, PartialEq, Eq)]
pub struct NetworkToken {
    /// The number and until when it is good; it has no code.
    pub card: Card,
    /// What proves this one payment.
    pub cryptogram: Option<SecretText>,
    /// How its holder was authenticated: the network's two digits.
    pub eci: Option<String>,
    /// The wallet that it comes from; unset where the merchant got it from the network.
    pub wallet: Option<Wallet>,
}

/// What a wallet sealed for whoever has the key. It doesn't print, and rests nowhere.
#[derive(Clone, PartialEq, Eq)]
pub struct SealedToken {
    pub wallet: Wallet,
    /// JSON, as the wallet handed it over.
    pub text: SecretText,
    /// What the wallet's own page says of the card.
    pub details: WalletDetails,
}

impl SealedToken {
    /// What is the same in every copy of it: Apple's `transactionId`, the message that Google signed (its `messageId` is
    /// sealed in that), and the whole text where it has neither.
    pub fn identity(&self) -> SecretText {
        let whole = self.text.expose().trim();
        let read: Option<Value> = if whole.starts_with('{') {
            serde_json::from_str(whole).ok()
        } else {
            let bytes = BASE64_STANDARD.decode(whole).ok();
            bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok())
        };
        let text = |pointer| read.as_ref()?.pointer(pointer)?.as_str();
        let own = match self.wallet {
            Wallet::ApplePay => text("/header/transactionId").map(str::to_ascii_lowercase),
            Wallet::GooglePay => text("/signedMessage").map(str::to_owned),
            Wallet::SamsungPay
            | Wallet::Paypal
            | Wallet::Klarna
            | Wallet::AmazonPay
            | Wallet::Paze
            | Wallet::ClickToPay
            | Wallet::OpenBanking => None,
        };
        let own = own.filter(|own| !own.is_empty());
        let own = own.as_deref().unwrap_or(whole);
        SecretText::new(format!("{}:{own}", self.wallet))
    }
}

record_object! {
    /// What is kept and shown of a wallet that pays.
    #[derive(Eq)]
    pub struct WalletDetails {
        wallet: Wallet,
    } and maybe {
        /// Last digits of the card, as the wallet says them.
        last4: String,
        /// The network, in the wallet's word.
        card_network: String,
        /// `debit` or `credit`, or the wallet's own word.
        kind: String,
        /// It came opened by the merchant.
        is_open: bool,
    }
}

/// A wallet's data as the caller wrote it.
#[derive(Clone, Debug)]
pub struct WalletInput {
    pub details: WalletDetails,
    pub data: WalletData,
}

/// What came of the card in a wallet.
#[derive(Clone, Debug)]
pub enum WalletData {
    Sealed(SecretText),
    /// The merchant opened it.
    Open(Box<TokenInput>),
}

/// A number of the network as the caller wrote it.
#[derive(Clone, Debug)]
pub struct TokenInput {
    pub number: SecretText,
    pub exp_month: String,
    pub exp_year: String,
    pub cryptogram: Option<SecretText>,
    pub eci: Option<String>,
    pub given: GivenCardDetails,
}

/// What the members of a network's number are called, each whole.
pub(super) struct TokenMembers {
    pub(super) number: &'static str,
    pub(super) exp_month: &'static str,
    pub(super) exp_year: &'static str,
    pub(super) cryptogram: &'static str,
    pub(super) eci: &'static str,
}

impl TokenInput {
    /// Checks it.
    pub(super) fn check(
        self,
        wallet: Option<Wallet>,
        members: &TokenMembers,
        now: Timestamp,
    ) -> Result<NetworkToken, Refusal> {
        let read = CardNumber::parse(self.number.expose()).map_err(|why| Refusal::Malformed {
            member: members.number.to_owned(),
            why: why.to_string(),
        })?;
        let expiry = Expiry::parse_at(
            (&self.exp_month, members.exp_month),
            (&self.exp_year, members.exp_year),
            now,
        )?;
        if let Some(cryptogram) = &self.cryptogram
            && !is_cryptogram(cryptogram.expose())
        {
            return Err(Refusal::precondition(format!(
                "{} has to have 1 to {LONGEST_CRYPTOGRAM} characters of base64",
                members.cryptogram
            )));
        }
        if self.eci.as_deref().is_some_and(|eci| !is_eci(eci)) {
            return Err(Refusal::precondition(format!(
                "{} has to be one or two digits",
                members.eci
            )));
        }
        Ok(NetworkToken {
            card: Card::new(read, None, expiry, self.given),
            cryptogram: self.cryptogram,
            eci: self.eci,
            wallet,
        })
    }
}

/// What can be the proof of a payment.
pub fn is_cryptogram(text: &str) -> bool {
    (1..=LONGEST_CRYPTOGRAM).contains(&text.len()) && text.bytes().all(is_of_base64)
}

/// Of either alphabet.
fn is_of_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/-_=".contains(&byte)
}

/// One or two digits.
pub fn is_eci(text: &str) -> bool {
    (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Only what may be shown.
impl fmt::Debug for NetworkToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NetworkToken")
            .field("card", &self.card)
            .field("wallet", &self.wallet)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for SealedToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SealedToken")
            .field("details", &self.details)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unread::UnreadMembers;

    fn identity(wallet: Wallet, text: &str) -> String {
        let token = SealedToken {
            wallet,
            text: SecretText::new(text),
            details: WalletDetails {
                wallet,
                last4: None,
                card_network: None,
                kind: None,
                is_open: None,
                unread: UnreadMembers::default(),
            },
        };
        token.identity().expose().to_owned()
    }

    #[test]
    fn what_is_written_in_another_way_is_the_same_and_nothing_else_is() {
        let apple =
            |id: &str| format!(r#"{{"version":"EC_v1","header":{{"transactionId":"{id}"}}}}"#);
        let of_apple = |text: &str| identity(Wallet::ApplePay, text);
        let one = of_apple(&apple("5f1c"));
        assert_eq!(one, "apple_pay:5f1c");
        assert_eq!(of_apple(&BASE64_STANDARD.encode(apple("5f1c"))), one);
        assert_eq!(of_apple(&format!(" {} ", apple("5F1C"))), one);
        assert_ne!(of_apple(&apple("5f1d")), one);
        let google = |more: &str| format!(r#"{{"signedMessage":"{{\"tag\":\"t\"}}"{more}}}"#);
        let of_google = |text: &str| identity(Wallet::GooglePay, text);
        let one = of_google(&google(""));
        assert_eq!(of_google(&google(r#","signature":"another""#)), one);
        assert_ne!(of_google(r#"{"signedMessage":"{}"}"#), one);
        // What says neither is the same where all of it is.
        for (one, other) in [("a", "b"), ("{}", r#"{"header":{}}"#)] {
            assert_eq!(of_apple(one), of_apple(one));
            assert_ne!(of_apple(one), of_apple(other));
        }
    }
}
