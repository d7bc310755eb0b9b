//! What a list of payments is narrowed to.

use multirail_domain::ids::PaymentId;
use multirail_domain::timestamp::Timestamp;

/// Every condition that is set has to hold; an empty list holds always.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PaymentSearch {
    pub payment_id: Option<PaymentId>,
    pub profile_id: Option<String>,
    pub customer_id: Option<String>,
    pub merchant_order_reference_id: Option<String>,
    /// Inclusive.
    pub created_from: Option<Timestamp>,
    /// Inclusive.
    pub created_until: Option<Timestamp>,
    /// Exclusive.
    pub created_after: Option<Timestamp>,
    /// Exclusive.
    pub created_before: Option<Timestamp>,
    /// Minor units, inclusive.
    pub amount_from: Option<i64>,
    /// Minor units, inclusive.
    pub amount_until: Option<i64>,
    pub connectors: Vec<String>,
    pub merchant_connector_ids: Vec<String>,
    pub currencies: Vec<String>,
    pub statuses: Vec<String>,
    pub payment_methods: Vec<String>,
    pub payment_method_types: Vec<String>,
    pub authentication_types: Vec<String>,
    pub card_networks: Vec<String>,
    pub card_discoveries: Vec<String>,
    pub order: Order,
    pub position: Position,
    pub limit: i64,
}

/// What a list is sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    #[default]
    NewestFirst,
    OldestFirst,
    LargestFirst,
    SmallestFirst,
}

/// Where the page begins.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Position {
    #[default]
    Start,
    /// This many are left out.
    Offset(i64),
    /// After this payment, towards older ones.
    After {
        created_at: Timestamp,
        payment_id: PaymentId,
    },
    /// Before this payment, towards newer ones; the page is the one that ends just before it.
    Before {
        created_at: Timestamp,
        payment_id: PaymentId,
    },
}
