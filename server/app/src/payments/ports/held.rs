//! Cards, bank accounts and callers' credentials, stored sealed for a payment's confirm or its open attempt.

use async_trait::async_trait;
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Changes;
use multirail_sdk::instrument::PaymentMethodData;

use crate::platform::ports::failure::StoreFailure;

/// A change of the data held for a payment.
#[derive(Debug)]
pub enum HeldChange {
    HoldData {
        merchant_id: MerchantId,
        payment_id: PaymentId,
        /// See [`PaymentMethodData::to_sealable`].
        text: SecretText,
        expires_at: Timestamp,
    },
    DeleteCard {
        merchant_id: MerchantId,
        payment_id: PaymentId,
    },
    /// Stores a caller's credentials for an attempt, in place of earlier ones.
    HoldCredentials {
        merchant_id: MerchantId,
        payment_id: PaymentId,
        attempt: u32,
        credentials: SecretText,
        /// The expiry of the client secret before the payment is sent; `None` afterwards.
        expires_at: Option<Timestamp>,
    },
    DeleteCredentials {
        merchant_id: MerchantId,
        payment_id: PaymentId,
        attempt: u32,
    },
    /// Claims a wallet's token for this payment. Fails as a
    /// [`duplicate::WALLET_TOKEN`](crate::platform::ports::failure::duplicate) where another payment claimed it;
    /// changes nothing where this one did.
    ClaimWalletToken {
        merchant_id: MerchantId,
        payment_id: PaymentId,
        /// See [`SealedToken::identity`](multirail_domain::payments::payment::SealedToken::identity).
        identity: SecretText,
    },
    /// Deletes expired data that waits for a confirm of this payment, whatever the payment's own row says.
    DeleteLapsed {
        merchant_id: MerchantId,
        payment_id: PaymentId,
    },
    /// Sets the expiry of the data that waits for a confirm of this payment.
    PutOffLapse {
        merchant_id: MerchantId,
        payment_id: PaymentId,
        expires_at: Timestamp,
    },
}

#[async_trait]
pub trait HeldStore: Changes<HeldChange> + Send + Sync {
    /// Returns the card held for a payment, without its code, or the bank account.
    async fn held_data(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        now: Timestamp,
    ) -> Result<Option<PaymentMethodData>, StoreFailure>;

    /// Returns the caller's credentials for an attempt, while they are stored.
    async fn held_credentials(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        attempt: u32,
        now: Timestamp,
    ) -> Result<Option<SecretText>, StoreFailure>;

    /// Deletes wallets' tokens that were claimed before a time; returns their number.
    async fn purge_wallet_tokens(
        &self,
        claimed_before: Timestamp,
        at_most: i64,
    ) -> Result<u64, StoreFailure>;

    /// Returns payments whose held card or credentials have expired, longest expired first. A payment may occur twice.
    async fn lapsed(
        &self,
        now: Timestamp,
        at_most: i64,
    ) -> Result<Vec<(MerchantId, PaymentId)>, StoreFailure>;
}
