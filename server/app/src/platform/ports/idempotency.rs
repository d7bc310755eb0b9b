//! Stored idempotency keys.

use async_trait::async_trait;
use multirail_kernel::idempotency::Fingerprint;
use multirail_kernel::ids::{CustomerId, MerchantId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;

use super::failure::StoreFailure;

/// The stored row of an idempotency key.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyRecord {
    pub fingerprint: Fingerprint,
    pub object_id: String,
    pub answer: StoredAnswer,
    pub lease_until: Timestamp,
}

/// The stored answer of a key.
#[derive(Clone, Debug, PartialEq)]
pub enum StoredAnswer {
    /// The request is under way, or died.
    NotYet,
    Given(SecretText),
    /// The answer contained data of a customer who was redacted since, and can't be read any more.
    Redacted,
}

impl StoredAnswer {
    /// Returns the key's text, if it is readable.
    pub fn given(self) -> Option<SecretText> {
        match self {
            StoredAnswer::Given(text) => Some(text),
            StoredAnswer::NotYet | StoredAnswer::Redacted => None,
        }
    }
}

/// An answer to store.
#[derive(Clone, Debug)]
pub struct Answer {
    pub text: SecretText,
    /// The customer whose data it contains. It is sealed with the customer's key and destroyed with that key.
    pub customer_id: Option<CustomerId>,
}

/// A claim on an idempotency key.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyClaim {
    pub merchant_id: MerchantId,
    pub operation: &'static str,
    pub key: String,
    pub fingerprint: Fingerprint,
    /// The object that the request creates or changes.
    pub object_id: String,
    /// The wall time until which the request counts as running.
    pub lease_until: Timestamp,
    pub created_at: Timestamp,
}

/// A change of an idempotency key.
#[derive(Debug)]
pub enum IdempotencyChange {
    /// The first commit of a request that came with an idempotency key.
    Claim(KeyClaim),
    /// Stores the answer, sealed, with the last commit. A duplicate where the key has an answer or is gone.
    StoreAnswer {
        merchant_id: MerchantId,
        operation: &'static str,
        key: String,
        answer: Answer,
    },
    /// Takes the key over from an earlier try without an answer. Fails like a key that is claimed twice unless the key
    /// still has this lease.
    TakeOver { claim: KeyClaim, left_at: Timestamp },
    /// Holds the key for one more call to a processor. Does nothing where a repeat has stored an answer, or the lease
    /// is longer.
    Renew {
        merchant_id: MerchantId,
        operation: &'static str,
        key: String,
        lease_until: Timestamp,
    },
    /// Frees the key of a request that ends refused. Does nothing where a repeat has stored an answer.
    Abandon {
        merchant_id: MerchantId,
        operation: &'static str,
        key: String,
    },
}

#[async_trait]
pub trait IdempotencyStore: Send + Sync {
    /// Returns the row of an idempotency key of the merchant and the operation.
    async fn idempotency_record(
        &self,
        merchant_id: &MerchantId,
        operation: &str,
        key: &str,
    ) -> Result<Option<KeyRecord>, StoreFailure>;

    /// Deletes idempotency keys made before a time, oldest first; returns their number.
    async fn purge_old_keys(
        &self,
        made_before: Timestamp,
        at_most: i64,
    ) -> Result<u64, StoreFailure>;
}
