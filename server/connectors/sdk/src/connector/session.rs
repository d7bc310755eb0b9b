//! Opening a wallet's session at a processor. Nothing of money's is done for it.

use multirail_kernel::country::CountryCode;
use multirail_kernel::ids::PaymentId;
use multirail_kernel::money::Money;

use super::{Access, UnknownReason};
use crate::wallet::Wallet;

/// For what a session is opened.
#[derive(Clone, Debug)]
pub struct OpenSessionRequest {
    pub access: Access,
    pub wallet: Wallet,
    pub payment_id: PaymentId,
    pub money: Money,
    /// Where the payer is billed.
    pub country: Option<CountryCode>,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionOpening {
    Opened {
        /// The processor's id of the session.
        id: String,
        /// What opens the wallet's kit.
        token: String,
    },
    /// The processor doesn't know the account, or doesn't open one for it.
    Refused { message: String },
    /// There was no answer that can be trusted.
    NotKnown(UnknownReason),
}
