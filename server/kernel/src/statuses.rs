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

impl DisputeStatus {
    /// Whether a dispute of this status can come to that one within the same stage. A further stage begins with any.
    pub fn may_become(self, next: DisputeStatus) -> bool {
        match self {
            DisputeStatus::Opened => true,
            DisputeStatus::Challenged => next != DisputeStatus::Opened,
            DisputeStatus::Expired
            | DisputeStatus::Accepted
            | DisputeStatus::Cancelled
            | DisputeStatus::Won
            | DisputeStatus::Lost => next == self,
        }
    }

    /// Nothing moves a dispute out of these within its stage.
    pub fn is_final(self) -> bool {
        match self {
            DisputeStatus::Opened | DisputeStatus::Challenged => false,
            DisputeStatus::Expired
            | DisputeStatus::Accepted
            | DisputeStatus::Cancelled
            | DisputeStatus::Won
            | DisputeStatus::Lost => true,
        }
    }
}

impl PaymentStatus {
    /// Nothing moves a payment out of these by itself; `failed` can still be retried where the profile allows it.
    pub fn is_terminal(self) -> bool {
        match self {
            PaymentStatus::Succeeded
            | PaymentStatus::PartiallyCaptured
            | PaymentStatus::Failed
            | PaymentStatus::Cancelled
            | PaymentStatus::CancelledPostCapture
            | PaymentStatus::Expired => true,
            PaymentStatus::RequiresPaymentMethod
            | PaymentStatus::RequiresConfirmation
            | PaymentStatus::RequiresCustomerAction
            | PaymentStatus::RequiresMerchantAction
            | PaymentStatus::Processing
            | PaymentStatus::RequiresCapture
            | PaymentStatus::PartiallyAuthorizedAndRequiresCapture
            | PaymentStatus::PartiallyCapturedAndCapturable
            | PaymentStatus::PartiallyCapturedAndProcessing
            | PaymentStatus::Conflicted => false,
        }
    }
}
