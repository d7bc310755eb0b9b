//! What a payment's confirm waits for or its open attempt needs: cards and brought credentials, sealed at rest.

use async_trait::async_trait;
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Changes;
use multirail_sdk::card::Card;

use crate::platform::ports::failure::StoreFailure;

/// A change of what is held for a payment.
#[derive(Debug)]
pub enum HeldChange {
    HoldCard {
        merchant_id: MerchantId,
        payment_id: PaymentId,
        card: Box<Card>,
        expires_at: Timestamp,
    },
    DeleteCard {
        merchant_id: MerchantId,
        payment_id: PaymentId,
    },
    /// Keeps the credentials that were brought for an attempt, in place of those that were kept before.
    HoldCredentials {
        merchant_id: MerchantId,
        payment_id: PaymentId,
        attempt: u32,
        credentials: SecretText,
        /// When the client secret of a payment that wasn't sent lapses; `None` once it was.
        expires_at: Option<Timestamp>,
    },
    DeleteCredentials {
        merchant_id: MerchantId,
        payment_id: PaymentId,
        attempt: u32,
    },
    /// Keeps what a wallet handed over for this payment: a [`duplicate::WALLET_TOKEN`](crate::platform::ports::failure::duplicate) where it was
    /// another payment's, no change where it is this one's already.
    ClaimWalletToken {
        merchant_id: MerchantId,
        payment_id: PaymentId,
        /// See [`SealedToken::identity`](multirail_domain::payments::payment::SealedToken::identity).
        identity: SecretText,
    },
    /// Deletes what waits for a confirm of this payment and has lapsed, whatever the payment's own row says.
    DeleteLapsed {
        merchant_id: MerchantId,
        payment_id: PaymentId,
    },
    /// Sets until when what waits for a confirm of this payment is kept.
    PutOffLapse {
        merchant_id: MerchantId,
        payment_id: PaymentId,
        expires_at: Timestamp,
    },
}

#[async_trait]
pub trait HeldStore: Changes<HeldChange> + Send + Sync {
    /// The card held for a payment, without its code.
    async fn held_card(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        now: Timestamp,
    ) -> Result<Option<Card>, StoreFailure>;

    /// The credentials that were brought for an attempt and are still kept.
    async fn held_credentials(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        attempt: u32,
        now: Timestamp,
    ) -> Result<Option<SecretText>, StoreFailure>;

    /// Forgets what wallets handed over before a time; answers how many.
    async fn purge_wallet_tokens(
        &self,
        claimed_before: Timestamp,
        at_most: i64,
    ) -> Result<u64, StoreFailure>;

    /// Payments with a card or credentials that waited for a confirm and have lapsed, the longest lapsed first. A
    /// payment may come twice.
    async fn lapsed(
        &self,
        now: Timestamp,
        at_most: i64,
    ) -> Result<Vec<(MerchantId, PaymentId)>, StoreFailure>;
}
