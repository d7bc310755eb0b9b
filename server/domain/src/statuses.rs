//! Statuses that merchants are told of. How they follow from one another each subject says.

use crate::words::words;

words! {
    /// Status of a payment, as merchants see it. It always follows the newest attempt.
    pub enum PaymentStatus {
        RequiresPaymentMethod = "requires_payment_method",
        RequiresConfirmation = "requires_confirmation",
        RequiresCustomerAction = "requires_customer_action",
        RequiresMerchantAction = "requires_merchant_action",
        Processing = "processing",
        RequiresCapture = "requires_capture",
        PartiallyAuthorizedAndRequiresCapture = "partially_authorized_and_requires_capture",
        PartiallyCapturedAndCapturable = "partially_captured_and_capturable",
        PartiallyCapturedAndProcessing = "partially_captured_and_processing",
        Succeeded = "succeeded",
        PartiallyCaptured = "partially_captured",
        Failed = "failed",
        Cancelled = "cancelled",
        CancelledPostCapture = "cancelled_post_capture",
        Conflicted = "conflicted",
        Expired = "expired",
    }
}

words! {
    /// Status of a refund, as merchants see it.
    pub enum RefundStatus {
        /// The processor hasn't decided, or nobody knows: its amount stays taken from what can be refunded.
        Pending = "pending",
        Succeeded = "succeeded",
        Failed = "failed",
        /// The processor's words can't be reconciled with what was asked: somebody has to look.
        Review = "review",
    }
}

words! {
    /// Status of a dispute, as merchants see it.
    pub enum DisputeStatus {
        /// The merchant may accept or challenge it.
        Opened = "dispute_opened",
        /// Nobody answered in time.
        Expired = "dispute_expired",
        /// The merchant gave in.
        Accepted = "dispute_accepted",
        /// The payer or the issuer took it back.
        Cancelled = "dispute_cancelled",
        /// The merchant's evidence is being judged.
        Challenged = "dispute_challenged",
        Won = "dispute_won",
        Lost = "dispute_lost",
    }
}

words! {
    /// Whether a mandate can be charged.
    pub enum MandateStatus {
        /// Its first payment is not approved. A mandate is stored with that approval, so none rests here.
        Pending = "pending",
        Active = "active",
        /// It was for one charge, which has been made or may have been.
        Inactive = "inactive",
        /// Nobody may charge it any more.
        Revoked = "revoked",
    }
}
