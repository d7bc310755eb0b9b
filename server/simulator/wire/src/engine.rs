//! The simulated billing engine: what it offers, what it is asked to do, and how a subscription stands there.

use multirail_domain::billing::calendar::{Interval, Period};
use multirail_domain::billing::charge::ReturnOption;
use multirail_domain::billing::invoice::Line;
use multirail_domain::billing::item::ItemType;
use multirail_domain::subscription::{
    ChargesHandling, ReceivablesHandling, SubscriptionStatus, UnbilledChargesOption, When,
};
use multirail_domain::timestamp::Timestamp;
use serde::{Deserialize, Serialize};

/// Under which name it has accounts, and its routes.
pub const ENGINE: &str = "stripe_billing_test";

/// Which items are asked for.
#[derive(Debug, Serialize, Deserialize)]
pub struct EngineItemsBody {
    pub item_type: ItemType,
    pub product: Option<String>,
    pub limit: i64,
    pub offset: i64,
}

/// A page of them.
#[derive(Debug, Serialize, Deserialize)]
pub struct EngineItemsAnswer {
    pub items: Vec<EngineItemAnswer>,
}

/// A plan.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EngineItemAnswer {
    pub id: String,
    pub product: String,
    pub item_type: ItemType,
    pub name: String,
    pub description: Option<String>,
    pub prices: Vec<EnginePriceAnswer>,
}

/// A price of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EnginePriceAnswer {
    pub id: String,
    pub amount: i64,
    pub currency: String,
    /// Absent where it is paid once.
    pub interval: Option<Interval>,
    pub trial_days: u16,
}

/// What would be subscribed to.
#[derive(Debug, Serialize, Deserialize)]
pub struct EngineEstimateBody {
    pub price: String,
    pub quantity: u32,
}

/// An invoice, or what would be one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineInvoiceAnswer {
    /// Empty in an estimate.
    pub reference: String,
    pub amount: i64,
    pub currency: String,
    pub period: Option<Period>,
    pub lines: Vec<EngineLine>,
}

/// A line of an invoice.
pub type EngineLine = Line;

/// What the engine is to do, filed under its key.
#[derive(Debug, Serialize, Deserialize)]
pub struct EngineWishBody {
    /// The engine's id of the subscription; absent with `create`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subscription: Option<String>,
    pub wish: EngineWish,
}

/// One wish.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineWish {
    Create {
        /// What whoever asks calls it.
        own_id: String,
        customer: String,
        price: String,
        quantity: u32,
    },
    Update {
        price: String,
        quantity: u32,
    },
    Pause {
        when: When,
    },
    Resume {
        at: Option<Timestamp>,
        charges: ChargesHandling,
    },
    Cancel {
        when: When,
        unbilled: UnbilledChargesOption,
        receivables: ReceivablesHandling,
        returns: ReturnOption,
    },
    /// An invoice was paid; `invoice` is absent for a first one that came to nothing.
    Record {
        invoice: Option<String>,
        payment: Option<String>,
        amount: i64,
    },
    End,
}

/// How a subscription stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EngineStateAnswer {
    pub reference: String,
    pub status: SubscriptionStatus,
    pub next_billing_at: Option<Timestamp>,
    pub period: Option<Period>,
    pub paused_at: Option<Timestamp>,
    pub pauses_at: Option<Timestamp>,
    pub resumes_at: Option<Timestamp>,
    pub cancelled_at: Option<Timestamp>,
    pub cancels_at: Option<Timestamp>,
    pub open_invoices: Vec<EngineInvoiceAnswer>,
}
