//! The vault, which stores card numbers for later payments.

use async_trait::async_trait;
use multirail_domain::customers::saved_method::bank_account::BankAccount;
use multirail_kernel::ids::MerchantId;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::card::{CardFingerprint, CardNumber};

use crate::platform::ports::failure::StoreFailure;

/// Stores the numbers of saved cards. A card of a merchant is one entry, found by its fingerprint. The vault never
/// stores card codes.
#[async_trait]
pub trait Vault: Send + Sync {
    /// Returns the fingerprint of a card: always the same for one merchant, and unrelated between merchants.
    fn fingerprint(&self, merchant_id: &MerchantId, number: &CardNumber) -> CardFingerprint;

    /// Returns a keyed hash of a bank account: always the same for one merchant, and unrelated between merchants.
    fn account_hash(&self, merchant_id: &MerchantId, account: &BankAccount) -> String;

    /// Seals a card's number into an entry, which only [`Vault::open`] opens, for the same merchant.
    ///
    /// # Errors
    /// [`StoreFailure`] when the merchant's key can't be read.
    async fn seal(
        &self,
        merchant_id: &MerchantId,
        number: &CardNumber,
        now: Timestamp,
    ) -> Result<VaultEntry, StoreFailure>;

    /// Returns the card number of an entry.
    ///
    /// # Errors
    /// [`StoreFailure::Broken`] when the entry was altered, belongs to another merchant, or was sealed with a foreign
    /// key.
    async fn open(
        &self,
        merchant_id: &MerchantId,
        entry: &VaultEntry,
    ) -> Result<CardNumber, StoreFailure>;
}

/// A card's number as the store has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VaultEntry {
    pub fingerprint: CardFingerprint,
    /// The key with which it is sealed.
    pub key_id: String,
    pub sealed: Vec<u8>,
}
