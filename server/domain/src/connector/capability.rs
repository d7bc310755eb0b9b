//! What a connector can do, as data: routing and the domain ask this table, not the connector's code.

use crate::payment::CaptureMethod;
use crate::payment_method::PaymentMethod;

/// One connector's abilities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capabilities {
    pub payment_methods: &'static [PaymentMethod],
    pub capture_methods: &'static [CaptureMethod],
    /// A payer may be sent to a page of the processor.
    pub redirects: bool,
    /// A zero amount checks the card.
    pub verifies_cards: bool,
}

impl Capabilities {
    /// Whether the connector takes this payment method at all.
    pub fn takes(&self, method: PaymentMethod) -> bool {
        self.payment_methods.contains(&method)
    }

    /// Whether the connector can capture in this way.
    pub fn captures(&self, method: CaptureMethod) -> bool {
        self.capture_methods.contains(&method)
    }
}
