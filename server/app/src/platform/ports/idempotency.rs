//! Idempotency keys at rest.

use async_trait::async_trait;
use multirail_kernel::idempotency::Fingerprint;
use multirail_kernel::ids::{CustomerId, MerchantId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;

use super::failure::StoreFailure;

/// What is stored under an idempotency key.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyRecord {
    pub fingerprint: Fingerprint,
    pub object_id: String,
    pub answer: StoredAnswer,
    pub lease_until: Timestamp,
}

/// The answer under a key, as it is found.
#[derive(Clone, Debug, PartialEq)]
pub enum StoredAnswer {
    /// The request is being worked on, or died.
    NotYet,
    Given(SecretText),
    /// It told of a customer who was redacted since, and nobody can read it any more.
    Redacted,
}

impl StoredAnswer {
    /// Its text, where there is one that can be read.
    pub fn given(self) -> Option<SecretText> {
        match self {
            StoredAnswer::Given(text) => Some(text),
            StoredAnswer::NotYet | StoredAnswer::Redacted => None,
        }
    }
}

/// An answer that is to be stored.
#[derive(Clone, Debug)]
pub struct Answer {
    pub text: SecretText,
    /// Whom it tells of: with his key it is sealed, and goes with him.
    pub customer_id: Option<CustomerId>,
}

/// A claim on an idempotency key.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyClaim {
    pub merchant_id: MerchantId,
    pub operation: &'static str,
    pub key: String,
    pub fingerprint: Fingerprint,
    /// What the request made or changed.
    pub object_id: String,
    /// Wall time until which the request counts as being worked on.
    pub lease_until: Timestamp,
    pub created_at: Timestamp,
}

/// A change of an idempotency key.
#[derive(Debug)]
pub enum IdempotencyChange {
    /// The first commit of a request that came with an idempotency key.
    Claim(KeyClaim),
    /// The last one: the answer, which rests sealed. A duplicate when there is one already, or the key is gone.
    StoreAnswer {
        merchant_id: MerchantId,
        operation: &'static str,
        key: String,
        answer: Answer,
    },
    /// The same of a request that is carried out once more: it takes the key over from its earlier try, which left it
    /// without an answer. Counts as claimed by another one unless the key has this lease still.
    TakeOver { claim: KeyClaim, left_at: Timestamp },
    /// A commit of a request after which it calls a processor once more: its key is held for that call too. Does nothing where
    /// a repeat has an answer by now, or a longer lease.
    Renew {
        merchant_id: MerchantId,
        operation: &'static str,
        key: String,
        lease_until: Timestamp,
    },
    /// Frees the key of a request that is refused at its end. Does nothing where a repeat has an answer by now.
    Abandon {
        merchant_id: MerchantId,
        operation: &'static str,
        key: String,
    },
}

#[async_trait]
pub trait IdempotencyStore: Send + Sync {
    /// What is stored under an idempotency key of the merchant and the operation.
    async fn idempotency_record(
        &self,
        merchant_id: &MerchantId,
        operation: &str,
        key: &str,
    ) -> Result<Option<KeyRecord>, StoreFailure>;

    /// Deletes idempotency keys made before a time, the oldest first; answers how many.
    async fn purge_old_keys(
        &self,
        made_before: Timestamp,
        at_most: i64,
    ) -> Result<u64, StoreFailure>;
}
