//! Saved payment methods at rest, and what stands for them for a short time.

use async_trait::async_trait;
use multirail_domain::customers::customer::CustomerStatus;
use multirail_domain::customers::saved_method::{SavedMethod, TokenListing};
use multirail_kernel::ids::{
    ConnectorAccountId, CustomerId, MerchantId, PaymentId, PaymentMethodId, PaymentToken,
};
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Changes;
use multirail_sdk::connector::{AccountMandate, KnownBy};

use super::vault::VaultEntry;
use crate::platform::ports::failure::StoreFailure;

/// How long a card that is to be saved waits at least for the approval of its payment: seven days, as most authorizations stand.
pub const CARDS_WAIT_SECONDS: i64 = 7 * 86_400;

/// A change of what a customer has saved.
#[derive(Debug)]
pub enum SavedMethodChange {
    /// A conflict where it is there already, where the customer has as many, and where he is not active any more. It becomes his
    /// default where there is none.
    Insert {
        method: Box<SavedMethod>,
        /// How many he may have with it.
        room: i64,
        /// Of a card; an account rests with the method.
        entry: Option<VaultEntry>,
    },
    /// A conflict where the version moved since it was read.
    Update(Box<SavedMethod>),
    /// A conflict where the version moved since it was read. It is nobody's default and has no tokens any more.
    Delete(Box<SavedMethod>),
    /// Everything that a customer has saved, or would have saved by payments that are under way.
    DeleteAll {
        merchant_id: MerchantId,
        customer_id: CustomerId,
    },
    SetDefault {
        merchant_id: MerchantId,
        customer_id: CustomerId,
        payment_method_id: PaymentMethodId,
    },
    /// Keeps the card of an attempt until it is known whether it is approved.
    Hold(Box<CardToSave>),
    /// It was approved: what was held is saved. Of a card that is saved already, expiry and names are renewed, and what its
    /// payer agreed to is added.
    SaveHeld {
        merchant_id: MerchantId,
        payment_id: PaymentId,
        attempt: u32,
        customer_id: CustomerId,
        payment_method_id: PaymentMethodId,
        known_by: KnownBy,
    },
    /// By what the payment that saved it is known became known later.
    Learn {
        merchant_id: MerchantId,
        payment_method_id: PaymentMethodId,
        known_by: KnownBy,
        /// Its payer agreed by that payment to be charged without being there. Else a reference takes the place of no other.
        is_agreed: bool,
    },
    /// It was not.
    ForgetHeld {
        merchant_id: MerchantId,
        payment_id: PaymentId,
        attempt: u32,
    },
    /// A payment with it was approved.
    Used {
        merchant_id: MerchantId,
        payment_id: PaymentId,
        payment_method_id: PaymentMethodId,
        /// By what it is known since, where its payer agreed by that payment to be charged without being there.
        agreed: Option<Box<KnownBy>>,
    },
    /// The processor of this account knows the customer by this id. The first id stays.
    KeepConnectorCustomer {
        merchant_id: MerchantId,
        customer_id: CustomerId,
        merchant_connector_id: ConnectorAccountId,
        connector_customer_id: String,
    },
    /// The processor doesn't know the customer by this id any more.
    ForgetConnectorCustomer {
        merchant_id: MerchantId,
        customer_id: CustomerId,
        merchant_connector_id: ConnectorAccountId,
        connector_customer_id: String,
    },
    /// Gives each active method of a customer a token of this listing: one row, however many they are.
    GiveTokens {
        merchant_id: MerchantId,
        customer_id: CustomerId,
        listing: TokenListing,
        /// What is saved later has no token of it.
        listed_at: Timestamp,
        expires_at: Timestamp,
    },
    /// A [`gone::PAYMENT_TOKEN`](crate::platform::ports::failure::gone) where it isn't there, or another payment's. The same payment may claim it
    /// again.
    ClaimToken {
        merchant_id: MerchantId,
        token: PaymentToken,
        payment_id: PaymentId,
    },
    /// Takes the claim back.
    FreeToken {
        merchant_id: MerchantId,
        token: PaymentToken,
        payment_id: PaymentId,
    },
    /// Nobody pays with it any more.
    UseUpToken {
        merchant_id: MerchantId,
        token: PaymentToken,
    },
}

/// The card of an attempt that is to be saved if that is approved.
#[derive(Debug)]
pub struct CardToSave {
    pub payment_id: PaymentId,
    pub attempt: u32,
    /// Its payer agrees to be charged without being there.
    pub is_agreed: bool,
    pub method: SavedMethod,
    pub entry: VaultEntry,
}

/// A method with its card's entry of the vault. What is no card has none.
#[derive(Clone, Debug)]
pub struct MethodEntry {
    pub method: SavedMethod,
    pub entry: Option<VaultEntry>,
}

#[async_trait]
pub trait SavedMethodStore: Changes<SavedMethodChange> {
    async fn saved_method(
        &self,
        merchant_id: &MerchantId,
        payment_method_id: &PaymentMethodId,
    ) -> Result<Option<SavedMethod>, StoreFailure>;

    /// The customer's status and the active methods, the last used first; nothing where there is no such customer.
    async fn saved_methods_of(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
        at_most: i64,
    ) -> Result<Option<(CustomerStatus, Vec<SavedMethod>)>, StoreFailure>;

    /// The active method behind a token that is still good.
    async fn method_of_token(
        &self,
        merchant_id: &MerchantId,
        token: &PaymentToken,
        now: Timestamp,
    ) -> Result<Option<MethodEntry>, StoreFailure>;

    /// An active method.
    async fn method_with_card(
        &self,
        merchant_id: &MerchantId,
        payment_method_id: &PaymentMethodId,
    ) -> Result<Option<MethodEntry>, StoreFailure>;

    /// What processors keep of a method, the newest first.
    async fn connector_mandates_of(
        &self,
        merchant_id: &MerchantId,
        payment_method_id: &PaymentMethodId,
    ) -> Result<Vec<AccountMandate>, StoreFailure>;

    /// Deletes a portion of what customers of deleted merchants have saved; answers how many rows.
    async fn purge_methods_of_the_deleted(&self, at_most: i64) -> Result<u64, StoreFailure>;

    /// Deletes a portion of the listings, and of the claims to their tokens, that lapsed before a time; answers how many of the more
    /// numerous.
    async fn purge_payment_tokens(
        &self,
        lapsed_before: Timestamp,
        at_most: i64,
    ) -> Result<u64, StoreFailure>;

    /// Deletes a portion of the cards whose attempts were confirmed before a time and have not been decided since, unless somebody asks
    /// about that still or their merchant has to say; answers how many.
    async fn purge_cards_to_save(
        &self,
        held_before: Timestamp,
        at_most: i64,
    ) -> Result<u64, StoreFailure>;
}
