//! Totals of invoices.

use super::*;
use crate::BillingError;

fn term(start: &str) -> Term {
    let schedule = crate::calendar::Schedule::new(
        moment(start),
        interval(IntervalUnit::Month, 1),
        Zone::utc(),
    );
    Term::first(schedule).expect("a term")
}

fn draft(charges: Vec<Charge>) -> InvoiceDraft<'static> {
    InvoiceDraft {
        currency: Currency::EUR,
        charges,
        returned: Vec::new(),
        coupon: None,
        credit_minor: 0,
        carried_minor: 0,
        chargeable: Chargeable::ANY,
    }
}

#[test]
fn a_period_with_coupon_tax_and_credit() {
    let mut price = price(1_999);
    price.taxes = vec![vat(1_900)];
    let tenth = coupon(
        Discount::Percent {
            basis_points: 1_000,
        },
        CouponDuration::Once {},
    );
    let charge = Charge::for_term(&price, "Gold", 3, &term("2027-01-31T00:00:00Z"));
    let billed = InvoiceDraft {
        coupon: Some(&tenth),
        credit_minor: 100,
        ..draft(vec![charge.expect("a charge")])
    };
    let billed = billed.compute().expect("an invoice");
    insta::assert_snapshot!(shown(&billed), @r"
    subscription 3 x   1999 =   5997  Gold 2027-01-31 - 2027-02-28
    discount     1 x   -600 =   -600  Spring
    tax          1 x   1025 =   1025  VAT
    credit_used  1 x   -100 =   -100  Paid from your credit
    total 63.22 EUR
    ");
    assert!(billed.is_coupon_used);
    assert_eq!(
        (
            billed.subtotal_minor,
            billed.discount_minor,
            billed.tax_minor
        ),
        (5_997, 600, 1_025)
    );
    assert_eq!(billed.charged[0].gross_minor(), 6_422);
}

#[test]
fn a_change_to_a_cheaper_plan_puts_the_excess_on_the_credit() {
    let (gold, silver) = (price(9_000), price(3_000));
    let opening =
        open(&gold, "Gold", 1, None, 0, moment("2027-04-01T00:00:00Z")).expect("an invoice");
    let term = opening.term.expect("a term");
    let at = moment("2027-04-11T00:00:00Z");
    let change =
        change_plan(&term, &opening.billed.charged, &silver, "Silver", 1, at).expect("a change");
    assert_eq!(change.term, term, "periods are as long as before");
    let billed = InvoiceDraft {
        returned: change.returned,
        ..draft(change.charges)
    };
    let billed = billed.compute().expect("an invoice");
    insta::assert_snapshot!(shown(&billed), @r"
    proration    1 x   3000 =   2000  Silver 2027-04-11 - 2027-05-01
    return       1 x  -6000 =  -6000  Gold 2027-04-11 - 2027-05-01
    credit_given 1 x   4000 =   4000  Added to your credit
    total 0.00 EUR
    ");
    assert_eq!(change.kept[0].net_minor, 3_000);
}

#[test]
fn a_change_to_periods_of_another_length_begins_a_new_one() {
    let monthly = price(3_000);
    let mut yearly = price(30_000);
    yearly.interval = Some(interval(IntervalUnit::Year, 1));
    let opening = open(
        &monthly,
        "Month",
        1,
        None,
        0,
        moment("2027-04-01T00:00:00Z"),
    )
    .expect("an invoice");
    let at = moment("2027-04-16T00:00:00Z");
    let term = opening.term.expect("a term");
    let change =
        change_plan(&term, &opening.billed.charged, &yearly, "Year", 1, at).expect("a change");
    assert_eq!(
        change.term.period,
        Period {
            start: at,
            end: moment("2028-04-16T00:00:00Z")
        }
    );
    let billed = InvoiceDraft {
        returned: change.returned,
        ..draft(change.charges)
    };
    assert_eq!(
        billed.compute().expect("an invoice").total.amount_minor,
        28_500
    );
}

#[test]
fn a_trial_costs_nothing_and_moves_nothing_when_the_plan_changes() {
    let mut price = price(3_000);
    price.trial_days = 14;
    let fixed = coupon(
        Discount::Amount {
            amount_minor: 500,
            currency: Currency::EUR,
        },
        CouponDuration::Once {},
    );
    let opening = open(
        &price,
        "Gold",
        1,
        Some(&fixed),
        700,
        moment("2027-04-01T00:00:00Z"),
    )
    .expect("an invoice");
    insta::assert_snapshot!(shown(&opening.billed), @r"
    trial        1 x   3000 =      0  Gold 2027-04-01 - 2027-04-15
    total 0.00 EUR
    ");
    assert!(
        !opening.billed.is_coupon_used,
        "the first charge is discounted"
    );
    let term = opening.term.expect("a term");
    let mut yearly = super::price(30_000);
    yearly.interval = Some(interval(IntervalUnit::Year, 1));
    let at = moment("2027-04-03T00:00:00Z");
    let change =
        change_plan(&term, &opening.billed.charged, &yearly, "Year", 1, at).expect("a change");
    assert_eq!((change.charges.len(), change.returned.len()), (0, 0));
    let first = change.term.next().expect("a term");
    assert_eq!(
        first.period,
        Period {
            start: moment("2027-04-15T00:00:00Z"),
            end: moment("2028-04-15T00:00:00Z")
        }
    );
}

#[test]
fn an_amount_off_is_as_much_less_for_a_part_of_a_period() {
    let fixed = coupon(
        Discount::Amount {
            amount_minor: 1_000,
            currency: Currency::EUR,
        },
        CouponDuration::Once {},
    );
    let opening = open(
        &price(3_000),
        "Gold",
        1,
        Some(&fixed),
        0,
        moment("2027-04-01T00:00:00Z"),
    )
    .expect("an invoice");
    assert_eq!(opening.billed.total.amount_minor, 2_000);
    let at = moment("2027-04-16T00:00:00Z");
    let term = opening.term.expect("a term");
    let used = fixed.used(term.period.start);
    let change = change_plan(
        &term,
        &opening.billed.charged,
        &price(6_000),
        "Platinum",
        1,
        at,
    )
    .expect("a change");
    let billed = InvoiceDraft {
        returned: change.returned,
        coupon: Some(&used).filter(|used| used.applies(change.term.period.start)),
        ..draft(change.charges)
    };
    let billed = billed.compute().expect("an invoice");
    insta::assert_snapshot!(shown(&billed), @r"
    proration    1 x   6000 =   3000  Platinum 2027-04-16 - 2027-05-01
    discount     1 x   -500 =   -500  Spring
    return       1 x  -1000 =  -1000  Gold 2027-04-16 - 2027-05-01
    total 15.00 EUR
    ");
    assert_eq!(
        used.used(term.period.start),
        used,
        "that period counts once"
    );
    assert!(!used.applies(term.period.end));
}

/// The parts before and after a change of plan stand on one invoice. Together they make a whole period, so the fixed
/// discount applies in full.
#[test]
fn an_amount_off_is_whole_for_all_parts_of_a_period() {
    let fixed = coupon(
        Discount::Amount {
            amount_minor: 1_000,
            currency: Currency::EUR,
        },
        CouponDuration::Forever {},
    );
    let term = term("2027-04-01T00:00:00Z");
    let at = moment("2027-04-11T00:00:00Z");
    let whole = Charge::for_term(&price(3_000), "Gold", 1, &term).expect("a charge");
    let before = whole.until(at).expect("ten days");
    let rest = Charge::for_rest(&price(6_000), "Platinum", 1, &term.period, at).expect("a charge");
    let off = |charges: Vec<Charge>| {
        let draft = InvoiceDraft {
            coupon: Some(&fixed),
            ..draft(charges)
        };
        draft.compute().expect("an invoice").discount_minor
    };
    let rest = rest.expect("twenty days");
    assert_eq!(off(vec![before.clone()]), 333);
    assert_eq!(off(vec![rest.clone()]), 667);
    assert_eq!(off(vec![before.clone(), rest.clone()]), 1_000);
    let next = Charge::for_term(&price(6_000), "Platinum", 1, &term.next().expect("a term"));
    let all = vec![before, rest, next.expect("a charge")];
    assert_eq!(off(all), 1_000, "once for an invoice");
}

#[test]
fn a_coupon_above_the_charges_leaves_nothing_to_be_paid() {
    let fixed = coupon(
        Discount::Amount {
            amount_minor: 5_000,
            currency: Currency::EUR,
        },
        CouponDuration::Forever {},
    );
    let opening = open(
        &price(3_000),
        "Gold",
        1,
        Some(&fixed),
        0,
        moment("2027-04-01T00:00:00Z"),
    )
    .expect("an invoice");
    assert_eq!(
        (
            opening.billed.total.amount_minor,
            opening.billed.credit_given_minor
        ),
        (0, 0)
    );
    let dollars = coupon(
        Discount::Amount {
            amount_minor: 5_000,
            currency: Currency::USD,
        },
        CouponDuration::Forever {},
    );
    let opening = open(
        &price(3_000),
        "Gold",
        1,
        Some(&dollars),
        0,
        moment("2027-04-01T00:00:00Z"),
    )
    .expect("an invoice");
    assert_eq!(opening.billed.total.amount_minor, 3_000, "another currency");
}

#[test]
fn a_one_time_payment_has_no_term() {
    let mut price = price(3_000);
    price.interval = None;
    let start = moment("2027-04-01T00:00:00Z");
    let opening = open(&price, "Licence", 2, None, 0, start).expect("an invoice");
    assert_eq!(opening.term, None);
    insta::assert_snapshot!(shown(&opening.billed), @r"
    single_payment2 x   3000 =   6000  Licence
    total 60.00 EUR
    ");
    let (kept, returned) = opening.billed.charged[0].split(start, ReturnOption::Full);
    assert_eq!((kept.is_some(), returned), (true, None));
    let term = term("2027-04-01T00:00:00Z");
    let refused = change_plan(&term, &[], &price, "Licence", 1, start);
    assert_eq!(refused, Err(BillingError::NoInterval));
}

#[test]
fn unchargeable_totals_are_refused() {
    let term = term("2027-01-31T00:00:00Z");
    for (amount, quantity) in [
        (MAX_AMOUNT_MINOR, 2),
        (i64::MAX, 2),
        (MAX_AMOUNT_MINOR, u32::MAX),
    ] {
        let charge = Charge::for_term(&price(amount), "Gold", quantity, &term);
        assert_eq!(charge, Err(BillingError::TooLarge));
    }
    let charge = Charge::for_term(&price(MAX_AMOUNT_MINOR), "Gold", 1, &term).expect("a charge");
    assert!(draft(vec![charge.clone()]).compute().is_ok());
    assert_eq!(
        draft(vec![charge.clone(); 2]).compute(),
        Err(BillingError::TooLarge)
    );
    let dollars = InvoiceDraft {
        currency: Currency::USD,
        ..draft(vec![charge])
    };
    assert_eq!(dollars.compute(), Err(BillingError::OtherCurrency));
}

fn any_discount() -> impl Strategy<Value = Discount> {
    prop_oneof![
        (1_u32..=10_000).prop_map(|basis_points| Discount::Percent { basis_points }),
        (1_i64..500_000).prop_map(|amount_minor| Discount::Amount {
            amount_minor,
            currency: Currency::EUR
        }),
    ]
}

proptest! {
    /// For any charges, taxes, coupon, returns and credit the lines add up to a total that is never negative. The
    /// stored charges match the lines.
    #[test]
    fn lines_add_up(
        charges in proptest::collection::vec((0_i64..200_000, 1_u32..5, proptest::collection::vec(0_u32..3_000, 0..3)), 0..6),
        returned in proptest::collection::vec((0_i64..200_000, 0_u32..3_000, 1_i64..2_600_000), 0..4),
        discount in proptest::option::of(any_discount()),
        credit_minor in 0_i64..300_000,
    ) {
        let term = term("2027-01-31T00:00:00Z");
        let charges = charges.iter().map(|(amount, quantity, rates)| {
            let mut price = price(*amount);
            price.taxes = rates.iter().map(|rate| TaxRate::new(&format!("tax {rate}"), *rate).expect("a tax")).collect();
            Charge::for_term(&price, "Gold", *quantity, &term).expect("a charge")
        }).collect();
        let returned = returned.iter().filter_map(|(amount, rate, seconds)| {
            let mut price = price(*amount);
            price.taxes = vec![vat(*rate)];
            let before = draft(vec![Charge::for_term(&price, "Gold", 1, &term).expect("a charge")]).compute().expect("an invoice");
            let at = term.period.start.plus_seconds(*seconds).expect("in range");
            let charged = &before.charged[0];
            let (kept, returned) = charged.split(at, ReturnOption::Prorate);
            let parts = kept.map_or(0, |kept| kept.gross_minor()) + returned.as_ref().map_or(0, Returned::gross_minor);
            assert_eq!(parts, charged.gross_minor(), "nothing is lost or made");
            returned
        }).collect();
        let coupon = discount.map(|discount| coupon(discount, CouponDuration::Forever {}));
        let draft = InvoiceDraft { currency: Currency::EUR, charges, returned, coupon: coupon.as_ref(), credit_minor, carried_minor: 0, chargeable: Chargeable::ANY };
        let billed = draft.compute().expect("an invoice");
        let sum: i64 = billed.lines.iter().map(|line| line.amount_minor).sum();
        prop_assert_eq!(sum, billed.total.amount_minor);
        prop_assert!(sum >= 0);
        prop_assert_eq!(
            billed.subtotal_minor - billed.discount_minor + billed.tax_minor - billed.returned_minor
                - billed.credit_used_minor + billed.credit_given_minor,
            sum
        );
        prop_assert!((0..=credit_minor).contains(&billed.credit_used_minor));
        prop_assert!(billed.credit_used_minor == 0 || billed.credit_given_minor == 0);
        let gross: i64 = billed.charged.iter().map(Charged::gross_minor).sum();
        prop_assert_eq!(gross, billed.subtotal_minor - billed.discount_minor + billed.tax_minor);
        let signs_are_right = billed.lines.iter().all(|line| match line.kind {
            LineKind::Subscription | LineKind::Trial | LineKind::Proration | LineKind::SinglePayment | LineKind::Tax
            | LineKind::CreditGiven | LineKind::CarriedIn => line.amount_minor >= 0,
            LineKind::Discount | LineKind::Return | LineKind::TaxReturn | LineKind::CreditUsed
            | LineKind::CarriedOver => line.amount_minor <= 0,
            LineKind::Rounding => true,
        });
        prop_assert!(signs_are_right);
        for charged in &billed.charged {
            prop_assert!(charged.net_minor >= 0 && charged.taxes.iter().all(|tax| tax.amount_minor >= 0));
        }
    }
}
