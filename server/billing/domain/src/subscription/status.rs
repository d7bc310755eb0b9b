//! The statuses of a subscription. (Specification 2.5; facts 3.13)

use multirail_kernel::words::words;

words! {
    /// Status of a subscription, as merchants see it.
    pub enum SubscriptionStatus {
        Active = "active",
        /// Created; not paid yet.
        Created = "created",
        /// Ended without renewal.
        InActive = "in_active",
        /// Confirmed; its first payment has no outcome yet.
        Pending = "pending",
        /// Confirmed, in a free trial.
        Trial = "trial",
        Paused = "paused",
        /// An invoice could not be collected.
        Unpaid = "unpaid",
        /// Paid by a one-time payment.
        Onetime = "onetime",
        Cancelled = "cancelled",
        /// The first payment failed.
        Failed = "failed",
    }
}

impl SubscriptionStatus {
    /// Checks whether the status is final.
    pub fn is_final(self) -> bool {
        match self {
            SubscriptionStatus::Active
            | SubscriptionStatus::Created
            | SubscriptionStatus::Pending
            | SubscriptionStatus::Trial
            | SubscriptionStatus::Paused
            | SubscriptionStatus::Unpaid => false,
            SubscriptionStatus::InActive
            | SubscriptionStatus::Onetime
            | SubscriptionStatus::Cancelled
            | SubscriptionStatus::Failed => true,
        }
    }

    /// Checks whether the first payment decides what follows.
    pub fn awaits_first_payment(self) -> bool {
        match self {
            SubscriptionStatus::Created | SubscriptionStatus::Pending => true,
            SubscriptionStatus::Active
            | SubscriptionStatus::InActive
            | SubscriptionStatus::Trial
            | SubscriptionStatus::Paused
            | SubscriptionStatus::Unpaid
            | SubscriptionStatus::Onetime
            | SubscriptionStatus::Cancelled
            | SubscriptionStatus::Failed => false,
        }
    }

    /// Checks whether periods begin and are billed.
    pub fn is_running(self) -> bool {
        match self {
            SubscriptionStatus::Active | SubscriptionStatus::Trial => true,
            SubscriptionStatus::Created
            | SubscriptionStatus::InActive
            | SubscriptionStatus::Pending
            | SubscriptionStatus::Paused
            | SubscriptionStatus::Unpaid
            | SubscriptionStatus::Onetime
            | SubscriptionStatus::Cancelled
            | SubscriptionStatus::Failed => false,
        }
    }
}
