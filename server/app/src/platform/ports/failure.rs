//! Errors of the store, and the names of refused things.

use std::fmt;

pub use multirail_platform::StoreFailure;

/// Why a change-set was not committed.
pub type CommitError = multirail_platform::CommitError<Gone>;

/// The names of duplicates in a [`CommitError`].
pub mod duplicate {
    pub const PAYMENT: &str = "payment_id";
    pub const CUSTOMER: &str = "customer_id";
    pub const REFUND: &str = "refund_id";
    pub const DISPUTE: &str = "connector_dispute_id";
    pub const SUBSCRIPTION_REFERENCE: &str = "merchant_reference_id";
    pub const MERCHANT: &str = "merchant_id";
    pub const PROFILE_NAME: &str = "profile_name";
    pub const CONNECTOR_LABEL: &str = "connector_label";
    pub const CONNECTOR_ACCOUNT: &str = "merchant_connector_id";
    pub const API_KEY: &str = "key_id";
    pub const ORGANIZATION: &str = "organization_id";
    pub const ERROR_MAPPING: &str = "code";
    pub const CATALOGUE_ENTRY: &str = "catalogue entry";
    pub const IDEMPOTENCY_KEY: &str = "idempotency_key";
    pub const ANSWER: &str = "answer";
    pub const USER: &str = "email";
    pub const IDENTITY: &str = "identity";
    pub const WALLET_TOKEN: &str = "wallet_token";
}

/// Declares [`Gone`] and the names that statements give its objects, both ways from one list.
macro_rules! gone {
    ($($(#[$meta:meta])* $object:ident = $name:literal,)+) => {
        /// An object that a change-set needs and that is missing or unsuitable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Gone { $($(#[$meta])* $object,)+ }

        impl Gone {
            /// Returns the name that a statement declares.
            pub fn name(self) -> &'static str {
                match self { $(Gone::$object => $name,)+ }
            }

            /// Returns the object that a statement named.
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Gone::$object),)+
                    _ => None,
                }
            }
        }
    };
}

gone! {
    /// The method of a new mandate, or an active mandate that is changed.
    Mandate = "what a mandate is about",
    /// A payment token that expired or is claimed by another payment.
    PaymentToken = "a payment token",
}

impl fmt::Display for Gone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
