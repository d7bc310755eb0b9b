//! Errors of the store, and the names of refused things.

pub use multirail_platform::{CommitError, StoreFailure};

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
    /// The method of a new mandate, or an active mandate that is changed.
    pub const MANDATE: &str = "what a mandate is about";
    /// A payment token that expired or is claimed by another payment.
    pub const PAYMENT_TOKEN: &str = "a payment token";
}
