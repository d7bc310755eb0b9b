//! Examples of subscriptions and invoices: a new one, and one with every possible member.

use multirail_billing_domain::calendar::Period;
use multirail_billing_domain::catalogue::CatalogueEntry;
use multirail_billing_domain::charge::{Charge, ReturnOption};
use multirail_billing_domain::chargeable::Chargeable;
use multirail_billing_domain::coupon::AppliedCoupon;
use multirail_billing_domain::invoice::InvoiceDraft;
use multirail_billing_domain::invoice_status::InvoiceStatus;
use multirail_billing_domain::price::Price;
use multirail_billing_domain::refusals::Refusals;
use multirail_billing_domain::subscription::outside::{Asked, Outside, ToRecord, Wish};
use multirail_billing_domain::subscription::{
    Cancelling, ChargedStretch, ChargesHandling, Create, CreditRefund, CreditedPayment, FailedTry,
    Invoice, LeftOfInvoice, Owed, Plan, ReceivablesHandling, RefundableCreditsHandling, Refunding,
    Resuming, Standing, Subscription, SubscriptionStatus, UnbilledChargesOption,
    UnpaidInvoicesHandling,
};
use multirail_domain::payments::refund::RefundStatus;
use multirail_kernel::ids::{
    CustomerId, InvoiceId, PaymentId, PaymentMethodId, ProcessorKey, ProfileId, RefundId,
    SubscriptionId,
};
use multirail_kernel::unread::UnreadMembers;

use super::catalogue::catalogue;
use super::{merchant_id, moment};

fn price() -> Price {
    let mut entries = catalogue().into_iter();
    let price = entries.find_map(|entry| match entry {
        CatalogueEntry::Price(price) => Some(price),
        CatalogueEntry::Product(_) | CatalogueEntry::Item(_) | CatalogueEntry::Coupon(_) => None,
    });
    price.expect("a price")
}

fn coupon() -> AppliedCoupon {
    let mut entries = catalogue().into_iter();
    let coupon = entries.find_map(|entry| match entry {
        CatalogueEntry::Coupon(coupon) => coupon.redeem(price().currency, 0, moment(1)).ok(),
        CatalogueEntry::Product(_) | CatalogueEntry::Item(_) | CatalogueEntry::Price(_) => None,
    });
    coupon.expect("a coupon")
}

pub(in super::super) fn created() -> Standing {
    let create = Create {
        merchant_id: merchant_id(),
        subscription_id: SubscriptionId::parse("sub_1").expect("an id"),
        profile_id: ProfileId::parse("pro_1").expect("an id"),
        customer_id: CustomerId::parse("cus_1").expect("an id"),
        merchant_reference_id: Some("reader-4711".to_owned()),
        plan: Plan {
            name: "Gold".to_owned(),
            price: price(),
            quantity: 2,
            unread: UnreadMembers::default(),
        },
        coupon: Some(coupon()),
        invoice_id: InvoiceId::parse("invoice_1").expect("an id"),
        payment_id: PaymentId::parse("pay_1").expect("an id"),
    };
    Subscription::create(create, Chargeable::ANY, moment(0)).expect("a subscription")
}

pub(super) fn subscriptions() -> Vec<Subscription> {
    let made = created().subscription;
    let term = made.term.clone().expect("a trial");
    let term = term.next().expect("a period");
    let charge = Charge::for_term(&price(), "Gold", 2, &term).expect("a charge");
    let draft = InvoiceDraft {
        currency: price().currency,
        charges: vec![charge.clone()],
        returned: Vec::new(),
        coupon: None,
        credit_minor: 0,
        carried_minor: 0,
        chargeable: Chargeable::ANY,
    };
    let charged = draft.compute().expect("an invoice").charged.remove(0);
    let invoice_id = InvoiceId::parse("invoice_2").expect("an id");
    let (_, returned) = charged.split(term.period.start, ReturnOption::Full);
    let full = Subscription {
        status: SubscriptionStatus::Paused,
        coupon: Some(coupon().used(moment(1))),
        is_coupon_back: true,
        payment_method_id: PaymentMethodId::parse("pm_1").ok(),
        refusals: vec![Refusals {
            payment_method_id: PaymentMethodId::parse("pm_1").expect("an id"),
            at: vec![moment(5), moment(6)],
            is_forbidden: true,
            again_at: Some(moment(7)),
            not_before: Some(moment(8)),
            unread: UnreadMembers::default(),
        }],
        cycles: 3,
        next_billing_at: Some(moment(9)),
        restarts: true,
        holds_charge: true,
        charged: vec![ChargedStretch {
            invoice_id: invoice_id.clone(),
            charged,
            unread: UnreadMembers::default(),
        }],
        unbilled: vec![charge],
        left: vec![LeftOfInvoice {
            invoice_id: invoice_id.clone(),
            amount: 990,
            given_at: None,
            taken: 30,
            unread: UnreadMembers::default(),
        }],
        credited: vec![CreditedPayment {
            payment_id: PaymentId::parse("pay_2").expect("an id"),
            invoice_id: invoice_id.clone(),
            amount: 60,
            back_before: 10,
            taken: 20,
            credited_at: moment(10),
            unread: UnreadMembers::default(),
        }],
        owed: vec![Owed {
            invoice_id,
            returned: returned.expect("all of it"),
            unread: UnreadMembers::default(),
        }],
        credit: 120,
        carried: 15,
        refunding: Some(Refunding {
            due_at: Some(moment(11)),
            at_most: Some(40),
            unread: UnreadMembers::default(),
        }),
        refunds: vec![CreditRefund {
            refund_id: RefundId::parse("ref_1").expect("an id"),
            payment_id: PaymentId::parse("pay_1").expect("an id"),
            amount: 80,
            status: RefundStatus::Failed,
            why: Some("closed account".to_owned()),
            is_made_anew: true,
            may_arrive_until: Some(moment(13)),
            looks: 1,
            due_at: Some(moment(12)),
            created_at: moment(10),
            unread: UnreadMembers::default(),
        }],
        invoices: 2,
        pausing_at: Some(moment(3)),
        pauses_with_term: Some(true),
        resuming: Some(Resuming {
            at: moment(9),
            charges: ChargesHandling::AddToUnbilledCharges,
            unpaid_invoices: UnpaidInvoicesHandling::SchedulePaymentCollection,
            unread: UnreadMembers::default(),
        }),
        cancelling: Some(Cancelling {
            at: moment(10),
            is_end_of_term: Some(true),
            unbilled: UnbilledChargesOption::Delete,
            receivables: ReceivablesHandling::WriteOff,
            returns: ReturnOption::Prorate,
            credits: RefundableCreditsHandling::ScheduleRefund,
            unread: UnreadMembers::default(),
        }),
        paused_at: Some(moment(4)),
        cancelled_at: Some(moment(10)),
        cancel_reason_code: Some("too_expensive".to_owned()),
        modified_at: moment(4),
        term: Some(term),
        ..made.clone()
    };
    let outside = Subscription {
        outside: Some(outside()),
        coupon: None,
        ..made.clone()
    };
    vec![made, full, outside]
}

/// All that can be stored about an external billing engine.
fn outside() -> Outside {
    let record = |number: &str| ToRecord {
        invoice_id: InvoiceId::parse(number).expect("an id"),
        reference: Some("in_7".to_owned()),
        payment_id: PaymentId::parse("pay_1").ok(),
        amount: 990,
        currency: price().currency,
        unread: UnreadMembers::default(),
    };
    Outside {
        reference: Some("sub_engine_1".to_owned()),
        has_begun: true,
        is_unpaid: true,
        is_to_end: true,
        period: Some(Period {
            start: moment(0),
            end: moment(9),
        }),
        asked: Some(Asked {
            key: ProcessorKey::parse("mrk_1").expect("a key"),
            wish: Wish::Record(record("invoice_1")),
            looks: 2,
            due_at: moment(3),
            unread: UnreadMembers::default(),
        }),
        to_record: vec![record("invoice_2")],
        tell_again_at: Some(moment(4)),
        refusals: 1,
        invoices: vec!["in_7".to_owned()],
        waiting: vec![InvoiceId::parse("invoice_3").expect("an id")],
        look_at: Some(moment(5)),
        looked_at: Some(moment(2)),
        unread: UnreadMembers::default(),
    }
}

pub(super) fn invoices() -> Vec<Invoice> {
    let made = created().open.remove(0);
    let mut full = made.clone();
    full.status = InvoiceStatus::PaymentFailed;
    full.credit_used = 120;
    full.is_collected = false;
    full.collected_from = 1;
    full.is_given_up = true;
    full.due_at = Some(moment(5));
    full.paid_at = Some(moment(6));
    full.payment_method_id = PaymentMethodId::parse("pm_1").ok();
    full.billing_processor_invoice_id = Some("in_7".to_owned());
    full.tries[0].failed = Some(FailedTry {
        at: moment(2),
        why: "insufficient funds".to_owned(),
        is_uncounted: false,
        is_set_aside: false,
        unread: UnreadMembers::default(),
    });
    full.tries[0].payment_method_id = PaymentMethodId::parse("pm_2").ok();
    full.tries[0].is_late = true;
    full.tries[0].is_credited = true;
    full.tries[0].is_followed = true;
    full.tries[0].part = 7;
    full.tries[0].is_taken_back = true;
    vec![made, full]
}
