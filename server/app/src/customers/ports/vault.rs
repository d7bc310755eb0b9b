//! Where card numbers rest for later payments.

use async_trait::async_trait;
use multirail_domain::customers::saved_method::bank_account::BankAccount;
use multirail_kernel::ids::MerchantId;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::card::{CardFingerprint, CardNumber};

use crate::platform::ports::failure::StoreFailure;

/// Keeps the numbers of saved cards. A card of a merchant is one entry, found by its fingerprint; its code is never one.
#[async_trait]
pub trait Vault: Send + Sync {
    /// The same for the same card of a merchant, and unrelated between merchants.
    fn fingerprint(&self, merchant_id: &MerchantId, number: &CardNumber) -> CardFingerprint;

    /// A keyed hash: the same for the same bank account of a merchant, and unrelated between merchants.
    fn account_hash(&self, merchant_id: &MerchantId, account: &BankAccount) -> String;

    /// Makes the entry of a card. It is good for nothing but [`Vault::open`], for the same merchant.
    ///
    /// # Errors
    /// [`StoreFailure`] when the merchant's key can't be read.
    async fn seal(
        &self,
        merchant_id: &MerchantId,
        number: &CardNumber,
        now: Timestamp,
    ) -> Result<VaultEntry, StoreFailure>;

    /// The number of an entry.
    ///
    /// # Errors
    /// [`StoreFailure::Broken`] when the entry was altered, is another merchant's, or was made with a key that is not ours.
    async fn open(
        &self,
        merchant_id: &MerchantId,
        entry: &VaultEntry,
    ) -> Result<CardNumber, StoreFailure>;
}

/// What the store keeps of a card's number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VaultEntry {
    pub fingerprint: CardFingerprint,
    /// The key that it is sealed with.
    pub key_id: String,
    pub sealed: Vec<u8>,
}
