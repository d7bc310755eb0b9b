//! Exact rates, and prices that include their taxes.

use super::*;

fn charge(amount_minor: i64, quantity: u32, taxes: Vec<TaxRate>) -> Charge {
    let mut price = price(amount_minor);
    price.taxes = taxes;
    let at = moment("2027-01-01T00:00:00Z");
    Charge::for_single_payment(&price, "Gold", quantity, at).expect("a charge")
}

fn billed(charges: Vec<Charge>, coupon: Option<&AppliedCoupon>) -> Billed {
    let draft = InvoiceDraft {
        currency: Currency::EUR,
        charges,
        returned: Vec::new(),
        coupon,
        credit_minor: 0,
        carried_minor: 0,
        chargeable: Chargeable::ANY,
    };
    draft.compute().expect("an invoice")
}

fn exact(name: &str, parts_per_million: u32) -> TaxRate {
    TaxRate::exact(name, parts_per_million).expect("a rate")
}

#[test]
fn a_rate_has_four_decimals() {
    let quebec = vec![exact("GST", 50_000), exact("QST", 99_750)];
    insta::assert_snapshot!(shown(&billed(vec![charge(10_000, 2, quebec)], None)), @"
    single_payment2 x  10000 =  20000  Gold
    tax          1 x   1000 =   1000  GST
    tax          1 x   1995 =   1995  QST
    total 229.95 EUR
    ");
    let rate = exact("QST", 99_750);
    assert_eq!((rate.basis_points, rate.millionths()), (998, 99_750));
    assert_eq!(exact("VAT", 190_000), vat(1_900), "one way to say it");
    assert!(TaxRate::exact("VAT", 1_000_001).is_err());
}

#[test]
fn a_price_includes_its_taxes() {
    let fifth = vec![vat(2_000).included()];
    insta::assert_snapshot!(shown(&billed(vec![charge(999, 1, fifth.clone())], None)), @"
    single_payment1 x    999 =    832  Gold
    tax          1 x    167 =    167  VAT
    total 9.99 EUR
    ");
    let tenth = coupon(
        Discount::Percent {
            basis_points: 1_000,
        },
        CouponDuration::Once {},
    );
    insta::assert_snapshot!(shown(&billed(vec![charge(999, 3, fifth)], Some(&tenth))), @"
    single_payment3 x    999 =   2547  Gold
    discount     1 x   -300 =   -300  Spring
    tax          1 x    450 =    450  VAT
    total 26.97 EUR
    ");
}

proptest! {
    #[test]
    fn net_and_taxes_are_the_price(
        amounts in proptest::collection::vec(0_i64..100_000, 1..6),
        rates in proptest::collection::vec(0_u32..=1_000_000, 0..5),
        on_top in 0_u32..=1_000_000,
    ) {
        let named = rates.iter().enumerate();
        let included: Vec<TaxRate> = named
            .map(|(number, rate)| exact(&format!("tax {number}"), *rate).included())
            .collect();
        let charges = amounts.iter().map(|amount| charge(*amount, 1, included.clone()));
        let whole = billed(charges.clone().collect(), None);
        let gross: i64 = amounts.iter().sum();
        prop_assert_eq!(whole.total.amount_minor, gross);
        for (charged, amount) in whole.charged.iter().zip(&amounts) {
            prop_assert_eq!(charged.gross_minor(), *amount);
            prop_assert!(charged.net_minor >= 0);
        }
        let with_more = charges.map(|mut charge| {
            charge.taxes.push(exact("on top", on_top));
            charge
        });
        let more = billed(with_more.collect(), None);
        let sum: i64 = more.lines.iter().map(|line| line.amount_minor).sum();
        prop_assert_eq!(sum, more.total.amount_minor);
        prop_assert_eq!(more.subtotal_minor + more.tax_minor, sum);
        prop_assert!(sum >= gross);
    }
}
