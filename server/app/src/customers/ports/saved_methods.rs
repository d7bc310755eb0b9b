//! Stored payment methods that customers saved, and the short-lived tokens that stand for them.

use async_trait::async_trait;
use multirail_domain::customers::customer::CustomerStatus;
use multirail_domain::customers::saved_method::{SavedMethod, TokenListing};
use multirail_kernel::ids::{
    ConnectorAccountId, CustomerId, MerchantId, PaymentId, PaymentMethodId, PaymentToken,
};
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Changes;
use multirail_sdk::connector::{AccountMandate, KnownBy};
use multirail_sdk::consent::Consent;

use super::vault::VaultEntry;
use crate::platform::ports::failure::StoreFailure;

/// The shortest time that a card waits for the approval of its payment before it is saved: seven days, as long as most
/// authorizations last.
pub const CARDS_WAIT_SECONDS: i64 = 7 * 86_400;

/// A change of a customer's saved methods.
#[derive(Debug)]
pub enum SavedMethodChange {
    /// Saves a method, which becomes the default where the customer has none. Conflicts where it exists already, the
    /// customer has too many, or isn't active any more.
    Insert {
        method: Box<SavedMethod>,
        /// The largest number of methods that the customer may then have.
        room: i64,
        /// Set for cards; the method itself stores a bank account.
        entry: Option<VaultEntry>,
    },
    /// Conflicts where the version changed since it was read.
    Update(Box<SavedMethod>),
    /// Conflicts where the version changed since it was read. Clears the customer's default and removes the method's
    /// tokens.
    Delete(Box<SavedMethod>),
    /// Deletes everything that a customer has saved, and everything that payments under way would save.
    DeleteAll {
        merchant_id: MerchantId,
        customer_id: CustomerId,
    },
    SetDefault {
        merchant_id: MerchantId,
        customer_id: CustomerId,
        payment_method_id: PaymentMethodId,
    },
    /// Stores the card of an attempt until its approval is known.
    Hold(Box<CardToSave>),
    /// Saves the held card of an approved attempt. A card that is saved already gets the new expiry, names and
    /// agreement.
    SaveHeld {
        merchant_id: MerchantId,
        payment_id: PaymentId,
        attempt: u32,
        customer_id: CustomerId,
        payment_method_id: PaymentMethodId,
        /// The time from which the payer's consent counts. A later revocation prevails over it.
        consented_at: Timestamp,
        /// The consent itself. The newest is stored.
        consent: Option<Box<Consent>>,
        known_by: KnownBy,
    },
    /// Adds references that became known after the payment that saved the method.
    Learn {
        merchant_id: MerchantId,
        payment_id: PaymentId,
        payment_method_id: PaymentMethodId,
        /// The time from which the payer's consent counts. References of a later consent stay.
        consented_at: Timestamp,
        known_by: KnownBy,
        /// True if its payer agreed with that payment to be charged without them. Otherwise a reference replaces no
        /// other.
        is_agreed: bool,
    },
    /// Deletes the held card of an attempt that was not approved.
    ForgetHeld {
        merchant_id: MerchantId,
        payment_id: PaymentId,
        attempt: u32,
    },
    /// Records that a payment with the method was approved.
    Used {
        merchant_id: MerchantId,
        payment_id: PaymentId,
        customer_id: CustomerId,
        payment_method_id: PaymentMethodId,
        /// The time from which the payer's consent counts. A later revocation prevails over it.
        consented_at: Timestamp,
        /// The consent itself. The newest is stored, where the payer agreed to be charged without them.
        consent: Option<Box<Consent>>,
        /// The new references, where the payer agreed with that payment to be charged without them.
        agreed: Option<Box<KnownBy>>,
    },
    /// Stores the id by which the processor of this account knows the customer. The first id stays.
    KeepConnectorCustomer {
        merchant_id: MerchantId,
        customer_id: CustomerId,
        merchant_connector_id: ConnectorAccountId,
        connector_customer_id: String,
    },
    /// Removes an id by which the processor no longer knows the customer.
    ForgetConnectorCustomer {
        merchant_id: MerchantId,
        customer_id: CustomerId,
        merchant_connector_id: ConnectorAccountId,
        connector_customer_id: String,
    },
    /// Gives each active method of a customer a token of this listing. Stores one row, whatever their number.
    GiveTokens {
        merchant_id: MerchantId,
        customer_id: CustomerId,
        listing: TokenListing,
        /// Methods that are saved later have no token of this listing.
        listed_at: Timestamp,
        expires_at: Timestamp,
    },
    /// Claims a token for a payment, which may claim it again. Fails with
    /// [`Gone::PaymentToken`](crate::platform::ports::failure::Gone) where the token is gone or claimed by another
    /// payment.
    ClaimToken {
        merchant_id: MerchantId,
        token: PaymentToken,
        payment_id: PaymentId,
    },
    /// Releases a claimed token.
    FreeToken {
        merchant_id: MerchantId,
        token: PaymentToken,
        payment_id: PaymentId,
    },
    /// Makes a token unusable.
    UseUpToken {
        merchant_id: MerchantId,
        token: PaymentToken,
    },
}

/// The card or bank account of an attempt, which is saved if the attempt is approved.
#[derive(Debug)]
pub struct CardToSave {
    pub payment_id: PaymentId,
    pub attempt: u32,
    /// True if its payer agrees to be charged without them.
    pub is_agreed: bool,
    pub method: SavedMethod,
    /// Set for cards; the method itself has a bank account.
    pub entry: Option<VaultEntry>,
}

/// A method with its card's entry in the vault; other methods have no entry.
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

    /// Returns the customer's status and active methods, last used first; `None` where the customer doesn't exist.
    async fn saved_methods_of(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
        at_most: i64,
    ) -> Result<Option<(CustomerStatus, Vec<SavedMethod>)>, StoreFailure>;

    /// Returns the active method for a token that is still valid.
    async fn method_of_token(
        &self,
        merchant_id: &MerchantId,
        token: &PaymentToken,
        now: Timestamp,
    ) -> Result<Option<MethodEntry>, StoreFailure>;

    /// Returns an active method.
    async fn method_with_card(
        &self,
        merchant_id: &MerchantId,
        payment_method_id: &PaymentMethodId,
    ) -> Result<Option<MethodEntry>, StoreFailure>;

    /// Returns the references that processors store for a method, newest first.
    async fn connector_mandates_of(
        &self,
        merchant_id: &MerchantId,
        payment_method_id: &PaymentMethodId,
    ) -> Result<Vec<AccountMandate>, StoreFailure>;

    /// Deletes a portion of the methods that customers of deleted merchants saved; returns the number of rows.
    async fn purge_methods_of_the_deleted(&self, at_most: i64) -> Result<u64, StoreFailure>;

    /// Deletes a portion of the listings, and of the claims to their tokens, that expired before a time. Returns the
    /// larger of the two numbers.
    async fn purge_payment_tokens(
        &self,
        lapsed_before: Timestamp,
        at_most: i64,
    ) -> Result<u64, StoreFailure>;

    /// Deletes a portion of the cards whose attempts were confirmed before a time and are still undecided. Cards stay
    /// while a worker still syncs the attempt or the merchant has to decide. Returns the number of deleted cards.
    async fn purge_cards_to_save(
        &self,
        held_before: Timestamp,
        at_most: i64,
    ) -> Result<u64, StoreFailure>;
}
