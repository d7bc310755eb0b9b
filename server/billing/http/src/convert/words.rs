//! Converts the words of invoices and subscriptions.

use multirail_billing_domain::calendar::IntervalUnit;
use multirail_billing_domain::charge::ReturnOption;
use multirail_billing_domain::invoice::LineKind;
use multirail_billing_domain::invoice_status::InvoiceStatus;
use multirail_billing_domain::item::ItemType;
use multirail_billing_domain::subscription::{
    ChargesHandling, Moment, ReceivablesHandling, RefundableCreditsHandling, SubscriptionStatus,
    UnbilledChargesOption, UnpaidInvoicesHandling,
};
use multirail_http::{to_domain, to_wire, words};
use multirail_types as types;

/// A billing word that has a counterpart on the wire.
pub trait ToWire<W>: Copy {
    /// Returns the word of the wire.
    fn to_wire(self) -> W;
}

/// A wire word that has a counterpart in billing.
pub trait ToDomain<D> {
    /// Returns the word of billing, unless the document lacks this word.
    fn to_domain(&self) -> Option<D>;
}

words! {
    BillingInterval <=> IntervalUnit;
    ChargesHandling <=> ChargesHandling;
    CurrentTermCreditOption <=> ReturnOption;
    InvoiceLineKind <=> LineKind;
    ReceivablesHandling <=> ReceivablesHandling;
    RefundableCreditsHandling <=> RefundableCreditsHandling;
    SubscriptionCancelOption <=> Moment;
    SubscriptionItemType <=> ItemType;
    SubscriptionPauseOption <=> Moment;
    SubscriptionResumeOption => Moment;
    SubscriptionStatus <=> SubscriptionStatus;
    UnbilledChargesOption <=> UnbilledChargesOption;
    UnpaidInvoicesHandling <=> UnpaidInvoicesHandling;
}

// Pairs whose names differ, or where one side has more words.
words! {
    InvoiceStatus <=> InvoiceStatus:
        InvoiceCreated = Created,
        PaymentPending = PaymentPending,
        PaymentPendingTimeout = PaymentPendingTimeout,
        PaymentSucceeded = PaymentSucceeded,
        PaymentFailed = PaymentFailed,
        PaymentCanceled = PaymentCanceled,
        InvoicePaid = Paid,
        ManualReview = ManualReview,
        Voided = Voided;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A listed pair could join two words that differ.
    #[test]
    fn pairs_have_one_word() {
        for own in InvoiceStatus::ALL {
            let wire: types::InvoiceStatus = own.to_wire();
            assert_eq!(wire.as_ref(), own.as_str());
        }
    }
}
