//! Payment instruments: the data sent to a processor, and the data that is stored and shown.
//! (Specification 4.12)

mod data;
mod holder;
mod record;

use std::fmt;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use multirail_kernel::ids::ConnectorAccountId;
use multirail_kernel::record_object::record_object;
use multirail_kernel::secret::SecretText;
use multirail_kernel::unread::UnreadMembers;
use serde::Deserialize;
use serde_json::Value;

use crate::bank_account::BankAccountDetails;
use crate::card::{Card, CardDetails, CardRecord};
use crate::payer_method::PayerMethod;
use crate::payment_method::{PaymentMethod, PaymentMethodType};
use crate::wallet::Wallet;

pub use data::PaymentMethodData;
pub use holder::InstrumentHolder;

/// The stored part of an instrument, with which nobody can pay again.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(from = "record::ReadInstrument")]
pub struct Instrument {
    pub payment_method: PaymentMethod,
    pub payment_method_type: Option<PaymentMethodType>,
    pub details: InstrumentDetails,
    pub holder: InstrumentHolder,
    pub unread: UnreadMembers,
}

/// The stored details of an instrument, by family.
#[derive(Clone, Debug, PartialEq)]
pub enum InstrumentDetails {
    Card(CardDetails),
    /// Details of the token, which differ from those of the card behind it.
    NetworkToken(CardDetails),
    Wallet(WalletDetails),
    /// An instrument stored at the processor, with no other details.
    Kept(KeptDetails),
    /// A method that the payer finishes elsewhere.
    Payer(Box<PayerMethod>),
    /// A bank account that is debited.
    BankDebit(BankAccountDetails),
}

record_object! {
    /// The account that stores an instrument.
    #[derive(Eq)]
    pub struct KeptDetails {
        merchant_connector_id: ConnectorAccountId,
    } and maybe {
    }
}

/// A network token: the scheme's replacement for a card number. It doesn't print and is never
/// stored.
#[derive(Clone, PartialEq, Eq)]
pub struct NetworkToken {
    /// Number and expiry of the token. It has no code.
    pub card: Card,
    /// The one-time proof for this payment.
    pub cryptogram: Option<SecretText>,
    /// Two digits of the network that say how the holder was authenticated.
    pub eci: Option<String>,
    /// The wallet of the token; unset where the merchant got the token from the network.
    pub wallet: Option<Wallet>,
}

/// A wallet's encrypted payment data. It doesn't print and is never stored.
#[derive(Clone, PartialEq, Eq)]
pub struct SealedToken {
    pub wallet: Wallet,
    /// The JSON from the wallet.
    pub text: SecretText,
    /// The card's details, as the wallet's page shows them.
    pub details: WalletDetails,
}

record_object! {
    /// The stored details of a wallet.
    #[derive(Eq)]
    pub struct WalletDetails {
        wallet: Wallet,
    } and maybe {
        /// Last digits of the card, from the wallet.
        last4: String,
        /// The network, in the wallet's spelling.
        card_network: String,
        /// `debit`, `credit` or the wallet's own word.
        kind: String,
        /// True when the merchant decrypted the wallet's data.
        is_open: bool,
    }
}

impl Instrument {
    /// Returns the details of a card with its holder, or `None` for other instruments.
    pub fn card_record(&self) -> Option<CardRecord> {
        self.details.card().map(|details| CardRecord {
            details: details.clone(),
            holder: self.holder.card.clone(),
        })
    }

    /// Returns the data that pays, where the stored part is enough. The payer enters a secret again,
    /// whose traces are removed.
    pub fn stored_data(&mut self) -> Option<PaymentMethodData> {
        match &mut self.details {
            InstrumentDetails::Payer(method) => {
                method.forget_secret();
                let method = PayerMethod::clone(method);
                Some(PaymentMethodData::Payer(Box::new(method.into())))
            }
            InstrumentDetails::Card(_)
            | InstrumentDetails::NetworkToken(_)
            | InstrumentDetails::Wallet(_)
            | InstrumentDetails::Kept(_)
            | InstrumentDetails::BankDebit(_) => None,
        }
    }

    /// Returns the instrument with its holder replaced.
    pub fn with_holder(&self, holder: InstrumentHolder) -> Instrument {
        Instrument {
            payment_method: self.payment_method,
            payment_method_type: self.payment_method_type,
            details: self.details.clone(),
            holder,
            unread: self.unread.clone(),
        }
    }
}

impl InstrumentDetails {
    /// Returns the details of a card, or `None` for other instruments.
    pub fn card(&self) -> Option<&CardDetails> {
        match self {
            InstrumentDetails::Card(card) => Some(card),
            InstrumentDetails::NetworkToken(_)
            | InstrumentDetails::Wallet(_)
            | InstrumentDetails::Kept(_)
            | InstrumentDetails::Payer(_)
            | InstrumentDetails::BankDebit(_) => None,
        }
    }

    /// Returns the details of a debited account, or `None` for other instruments.
    pub fn bank_debit(&self) -> Option<&BankAccountDetails> {
        match self {
            InstrumentDetails::BankDebit(account) => Some(account),
            InstrumentDetails::Card(_)
            | InstrumentDetails::NetworkToken(_)
            | InstrumentDetails::Wallet(_)
            | InstrumentDetails::Kept(_)
            | InstrumentDetails::Payer(_) => None,
        }
    }

    /// Checks whether a payment can save the instrument for later ones.
    pub fn may_be_saved(&self) -> bool {
        match self {
            InstrumentDetails::Card(_) | InstrumentDetails::BankDebit(_) => true,
            InstrumentDetails::NetworkToken(_)
            | InstrumentDetails::Wallet(_)
            | InstrumentDetails::Kept(_)
            | InstrumentDetails::Payer(_) => false,
        }
    }

    /// Returns the payment method type for which connectors have rules, or `None` for instruments
    /// without such rules.
    pub fn ruled_type(&self) -> Option<PaymentMethodType> {
        match self {
            InstrumentDetails::Payer(method) => Some(method.kind),
            InstrumentDetails::BankDebit(account) => account.scheme.debited_as(),
            InstrumentDetails::Card(_)
            | InstrumentDetails::NetworkToken(_)
            | InstrumentDetails::Wallet(_)
            | InstrumentDetails::Kept(_) => None,
        }
    }
}

impl SealedToken {
    /// Returns a value that is equal in all copies of the same token. It is Apple's
    /// `transactionId`, or Google's signed message (the `messageId` is encrypted inside), or else
    /// the whole text.
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

/// Prints only the details that may be shown.
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
    use multirail_kernel::unread::UnreadMembers;

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
    fn equal_tokens_have_equal_identities_and_no_others() {
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
        // Texts without either member are identical only if they are equal.
        for (one, other) in [("a", "b"), ("{}", r#"{"header":{}}"#)] {
            assert_eq!(of_apple(one), of_apple(one));
            assert_ne!(of_apple(one), of_apple(other));
        }
    }
}
