//! Wallet sessions at a processor. They move no money.

use multirail_kernel::country::CountryCode;
use multirail_kernel::ids::PaymentId;
use multirail_kernel::money::Money;

use super::{Access, UnknownReason};
use crate::wallet::Wallet;

/// A request to open a session.
#[derive(Clone, Debug)]
pub struct OpenSessionRequest {
    pub access: Access,
    pub wallet: Wallet,
    pub payment_id: PaymentId,
    pub money: Money,
    /// The country of the billing address.
    pub country: Option<CountryCode>,
}

/// The result of the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionOpening {
    Opened {
        /// The processor's id of the session.
        id: String,
        /// The token that starts the wallet's client library.
        token: String,
    },
    /// The processor doesn't know the account, or refuses a session for it.
    Refused { message: String },
    /// No answer that can be trusted.
    NotKnown(UnknownReason),
}
