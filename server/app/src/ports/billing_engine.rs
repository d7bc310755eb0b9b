//! An outside billing engine: who counts the periods of a subscription in place of our own. Connectors implement it.

use async_trait::async_trait;
use multirail_domain::billing::calendar::Interval;
use multirail_domain::billing::invoice::Line;
use multirail_domain::billing::item::ItemType;
use multirail_domain::connector::{Access, AccountCheck, Description, UnknownReason};
use multirail_domain::currency::Currency;
use multirail_domain::ids::{
    CustomerId, ItemId, ItemPriceId, ProcessorKey, ProductId, SubscriptionId,
};
use multirail_domain::subscription::outside::{EngineOutcome, EngineState, Wish};

/// One engine.
///
/// The calls never panic. Those that change something answer with an [`EngineOutcome`] and never guess one: what was sent and has
/// no answer that can be trusted is `Unknown`. Each carries a key that was stored before the call; a request with the same key may
/// come again, and the engine does it once.
///
/// The engine never collects a payment by itself: what its invoices want is charged here, and recorded with it.
#[async_trait]
pub trait BillingEngine: Send + Sync {
    /// What can be said about it as data.
    fn description(&self) -> &'static Description;

    /// One page of what it offers, in an order of its own that doesn't change.
    async fn items(
        &self,
        access: Access,
        page: EngineItems,
    ) -> Result<Vec<EngineItem>, EngineFailure>;

    /// A price that it offers, with its item alone; nothing where there is none of this id.
    async fn price(
        &self,
        access: Access,
        item_price_id: ItemPriceId,
    ) -> Result<Option<EngineItem>, EngineFailure>;

    /// What the first invoice of a subscription would come to that began now.
    async fn estimate(
        &self,
        access: Access,
        item_price_id: ItemPriceId,
        quantity: u32,
    ) -> Result<EngineEstimate, EngineFailure>;

    /// Do what is wished, once for its key.
    async fn act(&self, request: EngineRequest) -> EngineOutcome;

    /// What became of the request with this key.
    async fn look_up(&self, access: Access, key: ProcessorKey) -> EngineFinding;

    /// How a subscription stands.
    async fn state(&self, access: Access, reference: String) -> Result<EngineState, EngineFailure>;

    /// Asks whether the engine takes the credentials.
    async fn check(&self, access: Access) -> AccountCheck;
}

/// What is asked for.
#[derive(Debug)]
pub struct EngineRequest {
    pub access: Access,
    pub key: ProcessorKey,
    /// The engine's id of the subscription; unset for [`Wish::Create`].
    pub reference: Option<String>,
    /// Our own.
    pub subscription_id: SubscriptionId,
    pub customer_id: CustomerId,
    /// What is subscribed to before it is done.
    pub item_price_id: ItemPriceId,
    pub quantity: u32,
    pub wish: Wish,
}

/// What became of an earlier request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineFinding {
    Outcome(EngineOutcome),
    /// The engine itself says that it has no trace of it.
    Absent,
}

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineFailure {
    Refused { code: String, message: String },
    Unknown(UnknownReason),
}

/// Which items are asked for.
#[derive(Clone, Debug)]
pub struct EngineItems {
    pub item_type: ItemType,
    pub product_id: Option<ProductId>,
    pub limit: i64,
    pub offset: i64,
}

/// What an engine offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineItem {
    pub item_id: ItemId,
    pub product_id: ProductId,
    pub item_type: ItemType,
    pub name: String,
    pub description: Option<String>,
    pub prices: Vec<EnginePrice>,
}

/// What that costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnginePrice {
    pub item_price_id: ItemPriceId,
    /// Of one piece, for one period, in minor units.
    pub amount: i64,
    pub currency: Currency,
    /// Unset where it is paid once.
    pub interval: Option<Interval>,
    pub trial_days: u16,
}

/// A first invoice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineEstimate {
    /// In minor units; the sum of the lines.
    pub amount: i64,
    pub currency: Currency,
    pub lines: Vec<Line>,
}
