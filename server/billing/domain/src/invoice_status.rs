//! The statuses of an invoice and their transitions. (Facts 1.3, 7.11)

use multirail_kernel::refusal::Refusal;
use multirail_kernel::words::words;

words! {
    /// Status of an invoice.
    pub enum InvoiceStatus {
        /// Created; no payment was started.
        Created = "invoice_created",
        /// The invoice's payment is pending.
        PaymentPending = "payment_pending",
        /// The invoice's payment has been pending for longer than expected.
        PaymentPendingTimeout = "payment_pending_timeout",
        /// The invoice's payment succeeded, and the billing engine hasn't recorded that yet.
        PaymentSucceeded = "payment_succeeded",
        /// The last payment failed; another may be made.
        PaymentFailed = "payment_failed",
        /// The last payment was cancelled; another may be made.
        PaymentCanceled = "payment_canceled",
        /// Paid.
        Paid = "invoice_paid",
        /// The merchant must review it.
        ManualReview = "manual_review",
        /// Void: no payment is due any more.
        Voided = "voided",
    }
}

words! {
    /// An event that can change an invoice's status.
    pub enum InvoiceTrigger {
        /// A payment for the invoice starts.
        PaymentStarted = "payment_started",
        /// The payment has no outcome within the expected time.
        PaymentOverdue = "payment_overdue",
        PaymentSucceeded = "payment_succeeded",
        PaymentFailed = "payment_failed",
        PaymentCanceled = "payment_canceled",
        /// The billing engine recorded the payment. Our own engine does so at once.
        Recorded = "recorded",
        /// The amount due is 0.
        NothingDue = "nothing_due",
        ReviewNeeded = "review_needed",
        /// The payment that paid the invoice was reversed, or may have been.
        PaymentReversed = "payment_reversed",
        /// The merchant voids the invoice.
        Void = "void",
    }
}

impl InvoiceStatus {
    /// Returns the status after the trigger. Outcomes of payments are accepted even late if money can have moved. The
    /// same trigger twice changes nothing.
    ///
    /// # Errors
    /// [`Refusal::Precondition`] for a trigger that the status forbids. Above all, an invoice with a pending payment
    /// can't be paid again or voided.
    pub fn after(self, trigger: InvoiceTrigger) -> Result<InvoiceStatus, Refusal> {
        use InvoiceStatus as S;
        use InvoiceTrigger as T;
        let next = match (self, trigger) {
            (S::Created | S::PaymentFailed | S::PaymentCanceled, T::PaymentStarted) => {
                Some(S::PaymentPending)
            }
            // An earlier payment of an invoice under review may have succeeded.
            (
                S::PaymentPending
                | S::PaymentPendingTimeout
                | S::PaymentSucceeded
                | S::Paid
                | S::ManualReview
                | S::Voided,
                T::PaymentStarted,
            ) => None,

            (S::PaymentPending | S::PaymentPendingTimeout, T::PaymentOverdue) => {
                Some(S::PaymentPendingTimeout)
            }
            (
                S::Created
                | S::PaymentSucceeded
                | S::PaymentFailed
                | S::PaymentCanceled
                | S::Paid
                | S::ManualReview
                | S::Voided,
                T::PaymentOverdue,
            ) => None,

            (
                S::Created
                | S::PaymentPending
                | S::PaymentPendingTimeout
                | S::PaymentSucceeded
                | S::PaymentFailed
                | S::PaymentCanceled
                | S::ManualReview,
                T::PaymentSucceeded,
            ) => Some(S::PaymentSucceeded),
            (S::Paid, T::PaymentSucceeded) => Some(S::Paid),
            // The voided invoice was paid after all, so the merchant must find out where the money belongs.
            (S::Voided, T::PaymentSucceeded) => Some(S::ManualReview),

            (
                S::PaymentPending | S::PaymentPendingTimeout | S::PaymentFailed | S::ManualReview,
                T::PaymentFailed,
            ) => Some(S::PaymentFailed),
            (
                S::Created | S::PaymentSucceeded | S::PaymentCanceled | S::Paid | S::Voided,
                T::PaymentFailed,
            ) => None,

            (
                S::Created
                | S::PaymentPending
                | S::PaymentPendingTimeout
                | S::PaymentCanceled
                | S::ManualReview,
                T::PaymentCanceled,
            ) => Some(S::PaymentCanceled),
            (S::PaymentSucceeded | S::PaymentFailed | S::Paid | S::Voided, T::PaymentCanceled) => {
                None
            }

            (S::PaymentSucceeded | S::Paid, T::Recorded) => Some(S::Paid),
            (
                S::Created
                | S::PaymentPending
                | S::PaymentPendingTimeout
                | S::PaymentFailed
                | S::PaymentCanceled
                | S::ManualReview
                | S::Voided,
                T::Recorded,
            ) => None,

            (S::Created | S::Paid, T::NothingDue) => Some(S::Paid),
            (
                S::PaymentPending
                | S::PaymentPendingTimeout
                | S::PaymentSucceeded
                | S::PaymentFailed
                | S::PaymentCanceled
                | S::ManualReview
                | S::Voided,
                T::NothingDue,
            ) => None,

            (
                S::Created
                | S::PaymentPending
                | S::PaymentPendingTimeout
                | S::PaymentFailed
                | S::PaymentCanceled
                | S::ManualReview,
                T::ReviewNeeded,
            ) => Some(S::ManualReview),
            (S::PaymentSucceeded | S::Paid | S::Voided, T::ReviewNeeded) => None,

            // Only the merchant can have the invoice charged again.
            (S::PaymentSucceeded | S::Paid, T::PaymentReversed) => Some(S::ManualReview),
            (
                S::Created
                | S::PaymentPending
                | S::PaymentPendingTimeout
                | S::PaymentFailed
                | S::PaymentCanceled
                | S::ManualReview
                | S::Voided,
                T::PaymentReversed,
            ) => None,

            (
                S::Created | S::PaymentFailed | S::PaymentCanceled | S::ManualReview | S::Voided,
                T::Void,
            ) => Some(S::Voided),
            (
                S::PaymentPending | S::PaymentPendingTimeout | S::PaymentSucceeded | S::Paid,
                T::Void,
            ) => None,
        };
        next.ok_or_else(|| {
            Refusal::precondition(format!("the invoice is {self}: {trigger} isn't possible"))
        })
    }

    /// Checks whether an amount is still due, as far as is known.
    pub fn is_open(self) -> bool {
        match self {
            InvoiceStatus::Created
            | InvoiceStatus::PaymentPending
            | InvoiceStatus::PaymentPendingTimeout
            | InvoiceStatus::PaymentFailed
            | InvoiceStatus::PaymentCanceled
            | InvoiceStatus::ManualReview => true,
            InvoiceStatus::PaymentSucceeded | InvoiceStatus::Paid | InvoiceStatus::Voided => false,
        }
    }

    /// Checks whether a payment may be made for the invoice now.
    pub fn may_be_charged(self) -> bool {
        self.after(InvoiceTrigger::PaymentStarted).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_machine() {
        let mut table = String::new();
        for status in InvoiceStatus::ALL {
            for trigger in InvoiceTrigger::ALL {
                let next = status.after(*trigger);
                let next = next.map_or("-", InvoiceStatus::as_str);
                table.push_str(&format!(
                    "{status:<24}{trigger:<18}{next}\n",
                    status = status.as_str(),
                    trigger = trigger.as_str()
                ));
            }
        }
        insta::assert_snapshot!(table);
    }

    /// After success no later trigger leads to a second payment. A reversal leads to a review.
    #[test]
    fn a_paid_invoice_is_never_charged_again() {
        let mut reached = vec![InvoiceStatus::PaymentSucceeded];
        let mut looked_at = 0;
        while let Some(status) = reached.get(looked_at).copied() {
            assert!(!status.may_be_charged(), "{status}");
            looked_at += 1;
            for next in InvoiceTrigger::ALL
                .iter()
                .filter(|trigger| **trigger != InvoiceTrigger::PaymentReversed)
                .flat_map(|trigger| status.after(*trigger))
            {
                if !reached.contains(&next) {
                    reached.push(next);
                }
            }
        }
        assert_eq!(
            reached,
            [InvoiceStatus::PaymentSucceeded, InvoiceStatus::Paid]
        );
    }

    #[test]
    fn no_invoice_is_charged_while_a_payment_may_still_succeed() {
        for status in [
            InvoiceStatus::PaymentPending,
            InvoiceStatus::PaymentPendingTimeout,
            InvoiceStatus::ManualReview,
            InvoiceStatus::Voided,
        ] {
            assert!(!status.may_be_charged(), "{status}");
        }
    }
}
