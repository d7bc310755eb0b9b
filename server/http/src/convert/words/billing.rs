//! Words of invoices and subscriptions.

use multirail_billing_domain::calendar::IntervalUnit;
use multirail_billing_domain::charge::ReturnOption;
use multirail_billing_domain::invoice::LineKind;
use multirail_billing_domain::invoice_status::InvoiceStatus;
use multirail_billing_domain::item::ItemType;
use multirail_billing_domain::subscription::{
    ChargesHandling, Moment, ReceivablesHandling, RefundableCreditsHandling, SubscriptionStatus,
    UnbilledChargesOption, UnpaidInvoicesHandling,
};
use multirail_types as types;

use super::{ToDomain, ToWire};

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

// One side has other names than the other, or more words.
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
