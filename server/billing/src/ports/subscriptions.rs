//! The stored subscriptions and invoices, and the claims of due ones.

use async_trait::async_trait;
use multirail_billing_domain::subscription::{Invoice, Standing, Subscription, SubscriptionStatus};
use multirail_kernel::ids::{CustomerId, InvoiceId, MerchantId, ProfileId, SubscriptionId};
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Changes;

use multirail_app::platform::ports::StoreFailure;

/// A change of subscriptions.
#[derive(Debug)]
pub enum SubscriptionChange {
    /// Inserts a subscription with its first invoice. A duplicate if the merchant's reference is taken.
    Insert(Box<Standing>),
    /// Updates a subscription and writes its new or changed invoices. A conflict if its version has changed since it
    /// was read.
    Update {
        subscription: Box<Subscription>,
        invoices: Vec<Invoice>,
        /// The time of the next due work.
        due_at: Option<Timestamp>,
        /// True if a request may be confirming it.
        is_begun: bool,
    },
    /// Deletes an unconfirmed subscription with its invoice.
    Delete(Box<Subscription>),
    /// Marks a subscription with changed payments and makes it due at once. The mark stays until a change removes it
    /// that was decided on a version with the mark.
    Nudge {
        merchant_id: MerchantId,
        subscription_id: SubscriptionId,
    },
    /// Protects the customer and the merchant account from deletion while a subscription begins or continues. A
    /// conflict if one of them doesn't exist any more.
    KeepOwners {
        merchant_id: MerchantId,
        subscription_id: SubscriptionId,
        customer_id: CustomerId,
    },
    /// A conflict while the merchant account, or the customer if named, has an active subscription. It comes after the
    /// change that deletes the account or customer.
    NoneLives {
        merchant_id: MerchantId,
        customer_id: Option<CustomerId>,
    },
}

/// A subscription that this server has claimed until its lease ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedSubscription {
    pub merchant_id: MerchantId,
    pub subscription_id: SubscriptionId,
    /// The fencing counter. A claim with an older number has been lost.
    pub fence: i64,
}

/// The terms of a claim.
#[derive(Clone, Copy, Debug)]
pub struct ClaimTerms {
    /// Work due by this business time is claimed.
    pub now: Timestamp,
    /// Leases that end by this wall time have expired.
    pub wall: Timestamp,
    /// In wall time.
    pub lease_until: Timestamp,
    pub at_most: i64,
}

/// The position in the merchants' turns, used if more is due than can be claimed. It is only a hint of one server, and
/// a new server begins anywhere.
#[derive(Debug, Default)]
pub struct Turns {
    /// The last merchant that had its turn.
    pub after: Option<MerchantId>,
    /// True if subscriptions with changed payments came before planned work.
    pub is_for_news: bool,
}

/// A page of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    pub limit: i64,
    pub offset: i64,
}

/// The subscriptions of a list. A subscription matches every filter that is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubscriptionSearch {
    pub profile_id: Option<ProfileId>,
    pub customer_id: Option<CustomerId>,
    pub status: Option<SubscriptionStatus>,
    pub page: Page,
}

#[async_trait]
pub trait SubscriptionStore: Changes<SubscriptionChange> {
    /// Returns a subscription with its open invoices.
    async fn subscription(
        &self,
        merchant_id: &MerchantId,
        subscription_id: &SubscriptionId,
    ) -> Result<Option<Standing>, StoreFailure>;

    /// Returns a subscription with its newest invoice, both read at the same moment.
    async fn subscription_with_last_invoice(
        &self,
        merchant_id: &MerchantId,
        subscription_id: &SubscriptionId,
    ) -> Result<Option<(Subscription, Option<Invoice>)>, StoreFailure>;

    /// Returns one page of a merchant's subscriptions, the newest first.
    async fn subscriptions(
        &self,
        merchant_id: &MerchantId,
        search: &SubscriptionSearch,
    ) -> Result<Vec<Subscription>, StoreFailure>;

    async fn invoice(
        &self,
        merchant_id: &MerchantId,
        invoice_id: &InvoiceId,
    ) -> Result<Option<Invoice>, StoreFailure>;

    /// Returns the newest invoice of a subscription.
    async fn last_invoice(
        &self,
        merchant_id: &MerchantId,
        subscription_id: &SubscriptionId,
    ) -> Result<Option<Invoice>, StoreFailure>;

    /// Returns one page of a subscription's invoices, the newest first.
    async fn invoices(
        &self,
        merchant_id: &MerchantId,
        subscription_id: &SubscriptionId,
        page: Page,
    ) -> Result<Vec<Invoice>, StoreFailure>;

    /// Claims due subscriptions that no server holds, up to the limit. If more are due, one of each merchant comes
    /// first by turns, and the longest due ones fill the rest.
    async fn claim_subscriptions(
        &self,
        terms: ClaimTerms,
        turns: &mut Turns,
    ) -> Result<Vec<ClaimedSubscription>, StoreFailure>;

    /// Checks whether the merchant, or this customer if given, has an active subscription: one that may bill again,
    /// waits for its first payment, or is being confirmed.
    async fn has_live_subscription(
        &self,
        merchant_id: &MerchantId,
        customer_id: Option<&CustomerId>,
    ) -> Result<bool, StoreFailure>;

    /// Releases a claim if this server still holds it.
    async fn release_subscription(&self, claimed: &ClaimedSubscription)
    -> Result<(), StoreFailure>;
}
