//! The filters for a list of payments.

use multirail_kernel::ids::PaymentId;
use multirail_kernel::timestamp::Timestamp;

/// The filter. A payment has to match every member that is set; an empty list matches all.
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

impl PaymentSearch {
    /// Returns whether the page is a contiguous piece of the merchant's payments by creation, so that the query skips
    /// none.
    pub fn is_contiguous(&self) -> bool {
        let bare = Self {
            created_from: self.created_from,
            created_until: self.created_until,
            created_after: self.created_after,
            created_before: self.created_before,
            order: self.order,
            position: self.position.clone(),
            limit: self.limit,
            ..Self::default()
        };
        let passes_over = matches!(self.position, Position::Offset(1..));
        *self == bare && self.order.is_by_creation() && !passes_over
    }
}

/// The order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    #[default]
    NewestFirst,
    OldestFirst,
    LargestFirst,
    SmallestFirst,
}

impl Order {
    /// Returns whether the order is the time of creation.
    pub fn is_by_creation(self) -> bool {
        matches!(self, Order::NewestFirst | Order::OldestFirst)
    }
}

/// The position at which the page begins.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Position {
    #[default]
    Start,
    /// Behind this many payments.
    Offset(i64),
    /// After this payment, towards older ones.
    After {
        created_at: Timestamp,
        payment_id: PaymentId,
    },
    /// Before this payment, towards newer ones; the page ends just before it.
    Before {
        created_at: Timestamp,
        payment_id: PaymentId,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_by_cursor_is_contiguous_and_one_by_filter_is_not() {
        let between = PaymentSearch {
            created_from: Some(Timestamp::EPOCH),
            created_before: Some(Timestamp::EPOCH),
            position: Position::After {
                created_at: Timestamp::EPOCH,
                payment_id: PaymentId::parse("pay_1").expect("an id"),
            },
            limit: 100,
            ..PaymentSearch::default()
        };
        assert!(between.is_contiguous());
        let of_a_customer = PaymentSearch {
            customer_id: Some("cus_ada".to_owned()),
            ..between.clone()
        };
        let failed = PaymentSearch {
            statuses: vec!["failed".to_owned()],
            ..between.clone()
        };
        let largest = PaymentSearch {
            order: Order::LargestFirst,
            ..between.clone()
        };
        let deep = PaymentSearch {
            position: Position::Offset(10),
            ..between
        };
        for search in [of_a_customer, failed, largest, deep] {
            assert!(!search.is_contiguous(), "{search:?}");
        }
    }
}
