//! Events: what merchants may be told, recorded together with the change that they announce. (Specification 6)

use crate::words::words;

words! {
    /// What happened. Only types that something emits are here; the others join with their capability.
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
    /// The family of an event.
    pub enum EventClass {
        Payments = "payments",
        Refunds = "refunds",
        Disputes = "disputes",
        Mandates = "mandates",
        Subscriptions = "subscriptions",
    }
}

impl EventType {
    /// The class that this type belongs to.
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

    /// Whether a later attempt or stage of the same object can bring the same news again. The others are recorded once.
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
