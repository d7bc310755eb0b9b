//! Inputs of the stories: a price, a plan, a coupon, commands and outcomes.

use multirail_billing_domain::calendar::{Interval, IntervalUnit, Zone};
use multirail_billing_domain::charge::ReturnOption;
use multirail_billing_domain::coupon::{AppliedCoupon, CouponDuration, Discount};
use multirail_billing_domain::dunning::RetryAdvice;
use multirail_billing_domain::price::Price;
use multirail_billing_domain::subscription::*;
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::*;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;

pub const DAY: i64 = 86_400;

pub fn moment(text: &str) -> Timestamp {
    Timestamp::parse_rfc3339(text).expect(text)
}

/// Ten euros a month.
pub fn monthly() -> Price {
    Price {
        merchant_id: MerchantId::parse("bookshop").expect("an id"),
        merchant_connector_id: ConnectorAccountId::parse("mca_1").expect("an id"),
        item_price_id: ItemPriceId::parse("reader_monthly").expect("an id"),
        item_id: ItemId::parse("reader").expect("an id"),
        amount_minor: 1_000,
        currency: Currency::EUR,
        trial_days: 0,
        min_quantity: 1,
        max_quantity: 100,
        taxes: Vec::new(),
        zone: Zone::utc(),
        is_archived: false,
        created_at: Timestamp::EPOCH,
        modified_at: Timestamp::EPOCH,
        interval: Some(Interval::new(IntervalUnit::Month, 1).expect("an interval")),
        billing_cycles: None,
        unread: UnreadMembers::NONE,
    }
}

pub fn plan(price: Price) -> Plan {
    Plan {
        name: "Reader".to_owned(),
        price,
        quantity: 1,
        unread: UnreadMembers::default(),
    }
}

/// Changes to another price with the same quantity. A stored price never changes, so each amount has its own id.
pub fn update(price: Price) -> Update {
    let id = format!("reader_for_{}", price.amount_minor);
    Update {
        name: "Reader".to_owned(),
        price: Price {
            item_price_id: ItemPriceId::parse(&id).expect("an id"),
            ..price
        },
        quantity: None,
    }
}

/// Makes the inputs of a create.
pub fn wanted(price: Price, coupon: Option<AppliedCoupon>) -> Create {
    Create {
        merchant_id: MerchantId::parse("bookshop").expect("an id"),
        subscription_id: SubscriptionId::parse("sub_1").expect("an id"),
        profile_id: ProfileId::parse("pro_1").expect("an id"),
        customer_id: CustomerId::parse("cus_1").expect("an id"),
        merchant_reference_id: None,
        plan: plan(price),
        coupon,
        invoice_id: InvoiceId::parse("invoice_1").expect("an id"),
        payment_id: PaymentId::parse("pay_1").expect("an id"),
    }
}

/// Half off the first invoice.
pub fn half() -> AppliedCoupon {
    AppliedCoupon {
        code: CouponCode::parse("HALF").expect("a code"),
        name: "Half".to_owned(),
        discount: Discount::Percent {
            basis_points: 5_000,
        },
        duration: CouponDuration::Once {},
        invoices_discounted: 0,
        discounted_from: None,
        unread: UnreadMembers::NONE,
    }
}

/// Makes an unused coupon.
pub fn coupon(discount: Discount, duration: CouponDuration) -> AppliedCoupon {
    AppliedCoupon {
        discount,
        duration,
        ..half()
    }
}

pub fn paid() -> Outcome {
    Outcome::Paid {
        payment_method_id: Some(PaymentMethodId::parse("pm_1").expect("an id")),
    }
}

pub fn failed(advice: RetryAdvice) -> Outcome {
    Outcome::Failed {
        why: "insufficient funds".to_owned(),
        advice,
    }
}

pub fn resume(at: Option<Timestamp>) -> Resume {
    Resume {
        at,
        charges: ChargesHandling::InvoiceImmediately,
        unpaid_invoices: UnpaidInvoicesHandling::NoAction,
    }
}

/// Charges another saved method from now on.
pub fn replace(payment_method_id: &str) -> Command {
    Command::Replace(Box::new(Replace {
        payment_method_id: PaymentMethodId::parse(payment_method_id).expect("an id"),
        update: None,
    }))
}

pub fn cancel(when: When) -> Cancel {
    Cancel {
        when,
        unbilled: UnbilledChargesOption::Invoice,
        receivables: ReceivablesHandling::NoAction,
        returns: ReturnOption::None,
        credits: RefundableCreditsHandling::NoAction,
        reason_code: None,
    }
}
