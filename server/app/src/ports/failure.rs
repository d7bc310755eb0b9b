//! Why the store didn't do what it was asked.

use multirail_sql::Standstill;

/// The store could not do its work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreFailure {
    /// Not reachable or overloaded right now; worth trying again.
    #[error("the store is not available: {0}")]
    Unavailable(String),
    /// Nothing can be stored until the operator has mended the cause; what is stored can be read.
    #[error("nothing can be stored: {0}: {1}")]
    Standstill(Standstill, String),
    /// What was asked for can't be read by anybody: the key that sealed it was destroyed, on purpose.
    #[error("what rests at {0} went with its key")]
    Destroyed(String),
    /// A fault: of the data, of a statement, of our own.
    #[error("the store failed: {0}")]
    Broken(String),
}

/// Why a change-set was not committed. Nothing of it was stored then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommitError {
    /// Something was changed since it was read: load and decide again.
    #[error("the object was changed meanwhile")]
    Conflict,
    /// An object of this identity exists already; the name says which identity.
    #[error("{0} exists already")]
    Duplicate(&'static str),
    /// Something that the change-set needs is not there, or not for it; the name says what.
    #[error("{0} is gone")]
    Gone(&'static str),
    #[error(transparent)]
    Failed(#[from] StoreFailure),
}

/// The names in [`CommitError::Duplicate`].
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

/// The names in [`CommitError::Gone`].
pub mod gone {
    /// What a mandate is about: its method, or, where it is changed, itself as an active one.
    pub const MANDATE: &str = "what a mandate is about";
    /// A payment token, which lapsed, or is another payment's.
    pub const PAYMENT_TOKEN: &str = "a payment token";
}
