//! Subscriptions and their invoices at rest, and which of them time does something to.

use async_trait::async_trait;
use multirail_billing_domain::subscription::{Invoice, Standing, Subscription};
use multirail_kernel::ids::{CustomerId, InvoiceId, MerchantId, ProfileId, SubscriptionId};
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Changes;

use multirail_app::platform::ports::StoreFailure;

/// A change of subscriptions.
#[derive(Debug)]
pub enum SubscriptionChange {
    /// With its first invoice. A duplicate where the merchant's reference is taken.
    Insert(Box<Standing>),
    /// A conflict where the version moved since it was read. With the invoices that are new or changed, all of them written under
    /// that version.
    Update {
        subscription: Box<Subscription>,
        invoices: Vec<Invoice>,
        /// When time does something to it next.
        due_at: Option<Timestamp>,
        /// Somebody may just be confirming it.
        is_begun: bool,
    },
    /// Deletes one that nobody has confirmed, with its invoice.
    Delete(Box<Subscription>),
    /// A payment of its invoices has an outcome that nobody passes on, or has changed since: it has news, and is due at once, until a
    /// change of a version that knew of them says otherwise.
    Nudge {
        merchant_id: MerchantId,
        subscription_id: SubscriptionId,
    },
    /// It begins with this commit, or goes on: its customer and its merchant account are there, and are not deleted at the same
    /// moment. A conflict where one of them is not there any more.
    KeepOwners {
        merchant_id: MerchantId,
        subscription_id: SubscriptionId,
        customer_id: CustomerId,
    },
    /// A conflict while a subscription of the merchant account goes on, or of the customer where one is named. It stands after the
    /// change that deletes that object.
    NoneLives {
        merchant_id: MerchantId,
        customer_id: Option<CustomerId>,
    },
}

/// A subscription that this server has claimed, until its lease ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedSubscription {
    pub merchant_id: MerchantId,
    pub subscription_id: SubscriptionId,
    /// Counts the claims: the holder of an older one has lost it.
    pub fence: i64,
}

/// How subscriptions are claimed.
#[derive(Clone, Copy, Debug)]
pub struct ClaimTerms {
    /// What is due by then, in business time.
    pub now: Timestamp,
    /// Leases that end by then are over.
    pub wall: Timestamp,
    /// In wall time.
    pub lease_until: Timestamp,
    pub at_most: i64,
}

/// Whose turn it is where more is due than finds room. Only a hint, which each server has for itself: a new one begins anywhere.
#[derive(Debug, Default)]
pub struct Turns {
    /// Merchants up to this one had theirs.
    pub after: Option<MerchantId>,
    /// Payments that have changed came first, rather than what was planned.
    pub is_for_news: bool,
}

/// A page of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    pub limit: i64,
    pub offset: i64,
}

#[async_trait]
pub trait SubscriptionStore: Changes<SubscriptionChange> {
    /// With its open invoices.
    async fn subscription(
        &self,
        merchant_id: &MerchantId,
        subscription_id: &SubscriptionId,
    ) -> Result<Option<Standing>, StoreFailure>;

    /// With its newest invoice, both as they stood at one moment.
    async fn subscription_with_last_invoice(
        &self,
        merchant_id: &MerchantId,
        subscription_id: &SubscriptionId,
    ) -> Result<Option<(Subscription, Option<Invoice>)>, StoreFailure>;

    /// One page of a profile's subscriptions, the newest first.
    async fn subscriptions(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        page: Page,
    ) -> Result<Vec<Subscription>, StoreFailure>;

    async fn invoice(
        &self,
        merchant_id: &MerchantId,
        invoice_id: &InvoiceId,
    ) -> Result<Option<Invoice>, StoreFailure>;

    /// The newest invoice of a subscription.
    async fn last_invoice(
        &self,
        merchant_id: &MerchantId,
        subscription_id: &SubscriptionId,
    ) -> Result<Option<Invoice>, StoreFailure>;

    /// One page of a subscription's invoices, the newest first.
    async fn invoices(
        &self,
        merchant_id: &MerchantId,
        subscription_id: &SubscriptionId,
        page: Page,
    ) -> Result<Vec<Invoice>, StoreFailure>;

    /// Takes up to so many subscriptions that are due and that nobody holds: all of them, or where there are more, one of each merchant
    /// whose turn it is, and for the rest of the room the longest due.
    async fn claim_subscriptions(
        &self,
        terms: ClaimTerms,
        turns: &mut Turns,
    ) -> Result<Vec<ClaimedSubscription>, StoreFailure>;

    /// One of the merchant's subscriptions goes on: it may bill again, wait for its first payment, or just be confirmed. `customer_id`:
    /// this customer's.
    async fn has_live_subscription(
        &self,
        merchant_id: &MerchantId,
        customer_id: Option<&CustomerId>,
    ) -> Result<bool, StoreFailure>;

    /// Gives a claim back, where this server still has it.
    async fn release_subscription(&self, claimed: &ClaimedSubscription)
    -> Result<(), StoreFailure>;
}
