//! The statuses of a subscription. (Specification 2.5; facts 3.13)

use multirail_kernel::words::words;

words! {
    /// Status of a subscription, as merchants see it.
    pub enum SubscriptionStatus {
        Active = "active",
        /// Made; nobody has paid yet.
        Created = "created",
        /// Over: it isn't renewed.
        InActive = "in_active",
        /// Confirmed; its first payment has no outcome yet.
        Pending = "pending",
        /// Confirmed, and free for now.
        Trial = "trial",
        Paused = "paused",
        /// An invoice could not be collected.
        Unpaid = "unpaid",
        /// Paid once and for all.
        Onetime = "onetime",
        Cancelled = "cancelled",
        /// Its first payment failed.
        Failed = "failed",
    }
}

impl SubscriptionStatus {
    /// Nothing moves a subscription out of these.
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

    /// It begins, or fails, with its first payment.
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

    /// Its periods begin and end, and are billed.
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
