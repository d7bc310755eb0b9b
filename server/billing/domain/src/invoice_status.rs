//! Where an invoice stands, and what moves it. (Facts 1.3, 7.11)

use multirail_kernel::refusal::Refusal;
use multirail_kernel::words::words;

words! {
    /// Status of an invoice.
    pub enum InvoiceStatus {
        /// Made; nothing was asked of a processor.
        Created = "invoice_created",
        /// Its payment is on the way.
        PaymentPending = "payment_pending",
        /// Its payment is on the way for longer than it should be.
        PaymentPendingTimeout = "payment_pending_timeout",
        /// Its payment has succeeded, and the billing engine hasn't taken note of it yet.
        PaymentSucceeded = "payment_succeeded",
        /// Its last payment has failed; another may be made.
        PaymentFailed = "payment_failed",
        /// Its last payment was cancelled; another may be made.
        PaymentCanceled = "payment_canceled",
        /// Paid.
        Paid = "invoice_paid",
        /// Somebody has to look at it.
        ManualReview = "manual_review",
        /// Not to be paid any more.
        Voided = "voided",
    }
}

words! {
    /// What happens to an invoice.
    pub enum InvoiceTrigger {
        /// A payment is made for it.
        PaymentStarted = "payment_started",
        /// Its payment isn't decided after the time that it may take.
        PaymentOverdue = "payment_overdue",
        PaymentSucceeded = "payment_succeeded",
        PaymentFailed = "payment_failed",
        PaymentCanceled = "payment_canceled",
        /// The billing engine has taken note of the payment. Our own does so at once.
        Recorded = "recorded",
        /// There is nothing to be paid.
        NothingDue = "nothing_due",
        ReviewNeeded = "review_needed",
        /// The payment that paid it was taken back, or may have been.
        PaymentReversed = "payment_reversed",
        /// The merchant gives it up.
        Void = "void",
    }
}

impl InvoiceStatus {
    /// The status after it. What became of a payment is never refused where money can have moved: it is the truth even when
    /// it comes late. Twice the same changes nothing.
    ///
    /// # Errors
    /// [`Refusal::Precondition`] for what the status forbids; above all, an invoice whose payment is on the way is neither
    /// paid a second time nor voided.
    pub fn after(self, trigger: InvoiceTrigger) -> Result<InvoiceStatus, Refusal> {
        use InvoiceStatus as S;
        use InvoiceTrigger as T;
        let next = match (self, trigger) {
            (S::Created | S::PaymentFailed | S::PaymentCanceled, T::PaymentStarted) => {
                Some(S::PaymentPending)
            }
            // Under review it isn't known whether an earlier payment has succeeded.
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
            // Paid after all: somebody has to look where the money belongs.
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

            // It isn't charged again unless the merchant wants that.
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

    /// Something is still owed, as far as is known.
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

    /// A payment may be made for it now.
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

    /// Whatever is heard afterwards, no second payment is made for what was paid; where that is taken back somebody has to look.
    #[test]
    fn what_is_paid_is_never_charged_again() {
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
