//! Events for merchants, recorded in the commit of the change that they announce. (Specification 6)

use crate::words::words;

words! {
    /// The type of an event. Only emitted types are listed.
    pub enum EventType {
        PaymentSucceeded = "payment_succeeded",
        PaymentFailed = "payment_failed",
        PaymentProcessing = "payment_processing",
        PaymentCancelled = "payment_cancelled",
        PaymentCancelledPostCapture = "payment_cancelled_post_capture",
        PaymentAuthorized = "payment_authorized",
        PaymentPartiallyAuthorized = "payment_partially_authorized",
        PaymentCaptured = "payment_captured",
        PaymentExpired = "payment_expired",
        ActionRequired = "action_required",
        RefundSucceeded = "refund_succeeded",
        RefundFailed = "refund_failed",
        DisputeOpened = "dispute_opened",
        DisputeExpired = "dispute_expired",
        DisputeAccepted = "dispute_accepted",
        DisputeCancelled = "dispute_cancelled",
        DisputeChallenged = "dispute_challenged",
        DisputeWon = "dispute_won",
        DisputeLost = "dispute_lost",
        MandateActive = "mandate_active",
        MandateRevoked = "mandate_revoked",
        InvoicePaid = "invoice_paid",
    }
}

words! {
    /// The class of an event.
    pub enum EventClass {
        Payments = "payments",
        Refunds = "refunds",
        Disputes = "disputes",
        Mandates = "mandates",
        Subscriptions = "subscriptions",
    }
}

impl EventType {
    /// Returns the class of this type.
    pub fn class(self) -> EventClass {
        match self {
            EventType::PaymentSucceeded
            | EventType::PaymentFailed
            | EventType::PaymentProcessing
            | EventType::PaymentCancelled
            | EventType::PaymentCancelledPostCapture
            | EventType::PaymentAuthorized
            | EventType::PaymentPartiallyAuthorized
            | EventType::PaymentCaptured
            | EventType::PaymentExpired
            | EventType::ActionRequired => EventClass::Payments,
            EventType::RefundSucceeded | EventType::RefundFailed => EventClass::Refunds,
            EventType::DisputeOpened
            | EventType::DisputeExpired
            | EventType::DisputeAccepted
            | EventType::DisputeCancelled
            | EventType::DisputeChallenged
            | EventType::DisputeWon
            | EventType::DisputeLost => EventClass::Disputes,
            EventType::MandateActive | EventType::MandateRevoked => EventClass::Mandates,
            EventType::InvoicePaid => EventClass::Subscriptions,
        }
    }

    /// Checks whether a later attempt or stage of the same object can repeat the event. Other events are recorded once.
    pub fn comes_again(self) -> bool {
        match self {
            EventType::PaymentFailed
            | EventType::PaymentProcessing
            | EventType::PaymentCaptured
            | EventType::ActionRequired
            | EventType::DisputeOpened
            | EventType::DisputeExpired
            | EventType::DisputeAccepted
            | EventType::DisputeCancelled
            | EventType::DisputeChallenged
            | EventType::DisputeWon
            | EventType::DisputeLost
            | EventType::InvoicePaid => true,
            EventType::PaymentSucceeded
            | EventType::PaymentCancelled
            | EventType::PaymentCancelledPostCapture
            | EventType::PaymentAuthorized
            | EventType::PaymentPartiallyAuthorized
            | EventType::PaymentExpired
            | EventType::RefundSucceeded
            | EventType::RefundFailed
            | EventType::MandateActive
            | EventType::MandateRevoked => false,
        }
    }
}
