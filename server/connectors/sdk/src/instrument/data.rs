//! Complete instruments, and the parts of them that may be stored.

use multirail_kernel::address::Address;
use multirail_kernel::ids::ConnectorAccountId;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::{self, SecretText, UnreadableSecrets};
use multirail_kernel::unread::UnreadMembers;
use serde::{Deserialize, Serialize};

use super::{
    Instrument, InstrumentDetails, InstrumentHolder, KeptDetails, NetworkToken, SealedToken,
};
use crate::bank_account::BankAccount;
use crate::card::{Card, CardHolder};
use crate::payer_method::PayerData;
use crate::payment_method::{PaymentMethod, PaymentMethodType};

/// A complete instrument, as it is sent to the processor. It doesn't print, and is only ever stored
/// sealed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PaymentMethodData {
    Card(Card),
    NetworkToken(NetworkToken),
    /// A token that only the processor can open, or this server with the account's key.
    Sealed(SealedToken),
    /// An instrument stored at the processor of this account, which charges it by its own id.
    Kept(ConnectorAccountId),
    /// A method that the payer finishes elsewhere.
    Payer(Box<PayerData>),
    /// A bank account to debit.
    BankDebit(Box<BankAccount>),
}

/// The sealed form of a bank account. Its only member tells it from a card's.
#[derive(Serialize, Deserialize)]
struct HeldDebit {
    bank_debit: Box<BankAccount>,
}

impl PaymentMethodData {
    /// Checks whether this is a card without its code.
    pub fn lacks_code(&self) -> bool {
        match self {
            PaymentMethodData::Card(card) => card.code.is_none(),
            PaymentMethodData::NetworkToken(_)
            | PaymentMethodData::Sealed(_)
            | PaymentMethodData::Kept(_)
            | PaymentMethodData::Payer(_)
            | PaymentMethodData::BankDebit(_) => false,
        }
    }

    /// Checks whether the instrument may be stored for a later confirm. Cryptograms, encrypted
    /// wallet data and secrets of payers' methods may not: they serve one payment, or can't be read
    /// here.
    pub fn may_rest(&self) -> bool {
        match self {
            PaymentMethodData::Card(_)
            | PaymentMethodData::Kept(_)
            | PaymentMethodData::BankDebit(_) => true,
            PaymentMethodData::Payer(payer) => payer.secret.is_none(),
            PaymentMethodData::NetworkToken(_) | PaymentMethodData::Sealed(_) => false,
        }
    }

    /// Checks whether the data is held, sealed, until the confirm. The record of the payment has all
    /// of a payer's method.
    pub fn is_held(&self) -> bool {
        match self {
            PaymentMethodData::Card(_)
            | PaymentMethodData::Kept(_)
            | PaymentMethodData::BankDebit(_) => true,
            PaymentMethodData::NetworkToken(_)
            | PaymentMethodData::Sealed(_)
            | PaymentMethodData::Payer(_) => false,
        }
    }

    /// Returns the text that is sealed until the confirm: a card without its code, or a bank account.
    /// `None` for instruments without such a text.
    pub fn to_sealable(&self) -> Option<SecretText> {
        match self {
            PaymentMethodData::Card(card) => Some(card.to_sealable()),
            PaymentMethodData::BankDebit(account) => {
                let held = HeldDebit {
                    bank_debit: account.clone(),
                };
                Some(secret::to_sealable(&held))
            }
            PaymentMethodData::Kept(_)
            | PaymentMethodData::NetworkToken(_)
            | PaymentMethodData::Sealed(_)
            | PaymentMethodData::Payer(_) => None,
        }
    }

    /// Reads the text of [`to_sealable`](Self::to_sealable).
    ///
    /// # Errors
    /// A text that is neither; the error doesn't repeat it.
    pub fn from_sealable(text: &SecretText) -> Result<Self, UnreadableSecrets> {
        match secret::from_sealable::<HeldDebit>(text) {
            Ok(held) => Ok(PaymentMethodData::BankDebit(held.bank_debit)),
            Err(_) => Card::from_sealable(text).map(PaymentMethodData::Card),
        }
    }

    /// Refuses to store an instrument that [`may_rest`](Self::may_rest) excludes.
    ///
    /// # Errors
    /// [`Refusal::FlowNotSupported`]
    pub fn check_may_rest(&self) -> Result<(), Refusal> {
        if self.may_rest() {
            return Ok(());
        }
        Err(Refusal::FlowNotSupported {
            flow: match self {
                PaymentMethodData::Payer(_) => {
                    "payment_method_data with a payer's secret before the confirm"
                }
                PaymentMethodData::Card(_)
                | PaymentMethodData::NetworkToken(_)
                | PaymentMethodData::Sealed(_)
                | PaymentMethodData::Kept(_)
                | PaymentMethodData::BankDebit(_) => {
                    "payment_method_data with a wallet or a network token before the confirm"
                }
            }
            .to_owned(),
        })
    }

    /// Returns the stored part of this instrument, with the billing address that was given with it.
    pub fn instrument(
        &self,
        payment_method: PaymentMethod,
        payment_method_type: Option<PaymentMethodType>,
        billing: Option<Box<Address>>,
    ) -> Instrument {
        Instrument {
            payment_method,
            payment_method_type,
            details: self.details(),
            holder: InstrumentHolder {
                card: self.card_holder().cloned().unwrap_or_default(),
                account: self.account_holder().map(str::to_owned),
                billing,
            },
            unread: UnreadMembers::default(),
        }
    }

    /// Returns the holder of a card or of a network token.
    fn card_holder(&self) -> Option<&CardHolder> {
        match self {
            PaymentMethodData::Card(card) => Some(&card.holder),
            PaymentMethodData::NetworkToken(token) => Some(&token.card.holder),
            PaymentMethodData::Sealed(_)
            | PaymentMethodData::Kept(_)
            | PaymentMethodData::Payer(_)
            | PaymentMethodData::BankDebit(_) => None,
        }
    }

    /// Returns the name of a bank account's holder.
    fn account_holder(&self) -> Option<&str> {
        match self {
            PaymentMethodData::BankDebit(account) => account.holder_name.as_deref(),
            PaymentMethodData::Card(_)
            | PaymentMethodData::NetworkToken(_)
            | PaymentMethodData::Sealed(_)
            | PaymentMethodData::Kept(_)
            | PaymentMethodData::Payer(_) => None,
        }
    }

    /// Returns the details that may be stored and shown.
    fn details(&self) -> InstrumentDetails {
        match self {
            PaymentMethodData::Card(card) => InstrumentDetails::Card(card.details.clone()),
            PaymentMethodData::NetworkToken(token) => {
                InstrumentDetails::NetworkToken(token.card.details.clone())
            }
            PaymentMethodData::Sealed(token) => InstrumentDetails::Wallet(token.details.clone()),
            PaymentMethodData::Kept(account) => InstrumentDetails::Kept(KeptDetails {
                merchant_connector_id: account.clone(),
                unread: UnreadMembers::default(),
            }),
            PaymentMethodData::Payer(payer) => {
                InstrumentDetails::Payer(Box::new(payer.method.clone()))
            }
            PaymentMethodData::BankDebit(account) => {
                InstrumentDetails::BankDebit(account.details())
            }
        }
    }
}
