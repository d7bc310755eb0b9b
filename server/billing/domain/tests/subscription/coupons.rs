//! Stories about coupons: each discounts its periods, whatever is charged within them.

use multirail_billing_domain::coupon::{CouponDuration, Discount};
use multirail_billing_domain::invoice::LineKind;
use multirail_billing_domain::price::Price;
use multirail_billing_domain::subscription::*;
use multirail_kernel::currency::Currency;

use crate::given::*;
use crate::story::*;

const HALF: Discount = Discount::Percent {
    basis_points: 5_000,
};
const THREE_OFF: Discount = Discount::Amount {
    amount_minor: 300,
    currency: Currency::EUR,
};
const ONCE: CouponDuration = CouponDuration::Once {};
const TWICE: CouponDuration = CouponDuration::Repeating { periods: 2 };
const FOREVER: CouponDuration = CouponDuration::Forever {};

fn at(amount_minor: i64) -> Price {
    Price {
        amount_minor,
        ..monthly()
    }
}

fn goes_over_to(story: &mut Story, amount_minor: i64) {
    story.does(Command::Update(Box::new(update(at(amount_minor)))));
}

fn resumes_with_its_charge_held(story: &mut Story) {
    story.does(Command::Resume(Resume {
        charges: ChargesHandling::AddToUnbilledCharges,
        ..resume(None)
    }));
}

/// Returns each invoice's charges after the discount and before returns.
fn charged(story: &Story) -> Vec<i64> {
    let of = |invoice: &Invoice| {
        let lines = invoice.lines.iter();
        let counts = lines.filter(|line| match line.kind {
            LineKind::Subscription
            | LineKind::Trial
            | LineKind::Proration
            | LineKind::SinglePayment
            | LineKind::Discount => true,
            LineKind::Return
            | LineKind::Tax
            | LineKind::TaxReturn
            | LineKind::CreditUsed
            | LineKind::CreditGiven
            | LineKind::CarriedIn
            | LineKind::CarriedOver
            | LineKind::Rounding => false,
        });
        counts.map(|line| line.amount_minor).sum()
    };
    story.invoices.iter().map(of).collect()
}

/// The free period had nothing to discount. The first invoice that charges anything is the coupon's first.
#[test]
fn from_a_free_price_to_one_that_is_paid() {
    let table = [
        (HALF, FOREVER, [0, 500, 500, 500]),
        (THREE_OFF, FOREVER, [0, 700, 700, 700]),
        (HALF, TWICE, [0, 500, 500, 1_000]),
        (THREE_OFF, TWICE, [0, 700, 700, 1_000]),
        (HALF, ONCE, [0, 500, 1_000, 1_000]),
        (THREE_OFF, ONCE, [0, 700, 1_000, 1_000]),
    ];
    for (discount, duration, expected) in table {
        let mut story = Story::begun_with(at(0), Some(coupon(discount, duration)));
        goes_over_to(&mut story, 1_000);
        story.passes(60);
        assert_eq!(charged(&story), expected, "{discount:?} {duration:?}");
    }
}

/// The period was discounted at its start, so its rest is discounted too, whatever the plan was in between.
#[test]
fn over_a_free_price_and_back_within_one_period() {
    for (discount, first, rest) in [(HALF, 500, 125), (THREE_OFF, 700, 175)] {
        for duration in [ONCE, TWICE, FOREVER] {
            let mut story = Story::begun_with(monthly(), Some(coupon(discount, duration)));
            story.passes(14);
            goes_over_to(&mut story, 0);
            story.passes(7);
            goes_over_to(&mut story, 1_000);
            let said = format!("{discount:?} {duration:?}");
            assert_eq!(charged(&story), [first, 0, rest], "{said}");
            let used = story.standing.subscription.coupon.expect("one");
            assert_eq!(used.invoices_discounted, 1, "a period counts once: {said}");
        }
    }
}

/// The coupon discounted everything, so there is no paid charge to return.
#[test]
fn over_a_coupon_of_all() {
    let all = Discount::Percent {
        basis_points: 10_000,
    };
    let mut story = Story::begun_with(monthly(), Some(coupon(all, ONCE)));
    story.passes(7);
    goes_over_to(&mut story, 2_000);
    story.passes(7);
    goes_over_to(&mut story, 4_000);
    story.passes(20);
    assert_eq!(charged(&story), [0, 0, 0, 4_000]);
}

/// A voided invoice has used the coupon for its period.
#[test]
fn over_an_invoice_that_is_voided() {
    let mut story = Story::begun_with(monthly(), Some(coupon(HALF, TWICE)));
    let end = story.now.plus_seconds(28 * DAY).expect("in range");
    story.until(end, |_| {
        failed(multirail_billing_domain::dunning::RetryAdvice::MayRetry)
    });
    let renewal = story.invoices[1].invoice_id.clone();
    story.does(Command::Void(renewal));
    goes_over_to(&mut story, 2_000);
    story.passes(40);
    assert_eq!(charged(&story), [500, 500, 1_000, 2_000]);
}

/// A period's held charge and its rest at another price are discounted together.
#[test]
fn over_a_resumption_whose_charge_is_held() {
    // 10 and 21 of 31 days: 323 and 1355.
    let table = [
        (HALF, FOREVER, [500, 839, 1_000]),
        (THREE_OFF, FOREVER, [700, 1_378, 1_700]),
        (HALF, TWICE, [500, 839, 2_000]),
        (THREE_OFF, TWICE, [700, 1_378, 2_000]),
        (HALF, ONCE, [500, 1_678, 2_000]),
        (THREE_OFF, ONCE, [700, 1_678, 2_000]),
    ];
    for (discount, duration, expected) in table {
        let mut story = Story::begun_with(monthly(), Some(coupon(discount, duration)));
        story.does(Command::Pause(When::EndOfTerm));
        story.passes(40);
        resumes_with_its_charge_held(&mut story);
        story.passes(10);
        goes_over_to(&mut story, 2_000);
        story.passes(22);
        assert_eq!(charged(&story), expected, "{discount:?} {duration:?}");
    }
}

#[test]
fn the_invoice_of_an_update_gives_back_what_a_pause_left() {
    let paused_and_resumed = |amount_minor| {
        let mut story = Story::begun(at(amount_minor));
        story.passes(10);
        story.does(Command::Pause(When::Now));
        resumes_with_its_charge_held(&mut story);
        story.now = story.now.plus_seconds(3_600).expect("in range");
        story
    };
    let mut story = paused_and_resumed(1_000);
    goes_over_to(&mut story, 2_000);
    let lines = &story.invoices[1].lines;
    let lines: Vec<_> = lines
        .iter()
        .map(|line| (line.kind.as_str(), line.amount_minor))
        .collect();
    // One hour at the old price, the rest at the new one, and the return of 18 of 28 days before the pause.
    let expected = [("proration", 1), ("proration", 1_997), ("return", -643)];
    assert_eq!(lines, expected);
    let subscription = &story.standing.subscription;
    assert_eq!(
        (&subscription.owed[..], &subscription.unbilled[..]),
        (&[][..], &[][..])
    );
    story.passes(30);
    assert_eq!(story.invoices[2].amount, 2_000, "nothing is left for it");
    // The returns exceed the charges, so later invoices use the credit.
    let mut story = paused_and_resumed(5_000);
    goes_over_to(&mut story, 1_000);
    assert_eq!(story.invoices[1].amount, 0);
    // 3214 from before the pause, less 7 for the hour and 999 for the rest.
    assert_eq!(story.standing.subscription.credit, 2_208);
    story.passes(30);
    assert_eq!(story.invoices[2].amount, 0);
    assert_eq!(story.standing.subscription.credit, 1_208);
}
