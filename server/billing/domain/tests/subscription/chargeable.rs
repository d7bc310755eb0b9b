//! Stories about invoices of amounts that processors can't charge.

use multirail_billing_domain::chargeable::Chargeable;
use multirail_billing_domain::price::Price;
use multirail_billing_domain::subscription::*;
use multirail_kernel::currency::Currency;
use multirail_sdk::connector::Units;

use crate::given::*;
use crate::story::*;

const UNITS: Units = Units {
    steps: &[(Currency::KWD, 10)],
    minimums: &[(Currency::EUR, 50)],
    ..Units::ISO
};

fn begun(price: Price) -> Story {
    let chargeable = Chargeable::for_processors([&UNITS], price.currency);
    let mut story = Story::created_where(price, None, chargeable);
    story.does(Command::Confirm);
    story.reports(paid());
    story
}

fn at(amount_minor: i64, currency: Currency) -> Price {
    Price {
        amount_minor,
        currency,
        ..monthly()
    }
}

fn bills(story: &Story) -> Vec<String> {
    let line = |invoice: &Invoice| {
        let lines = invoice.lines.iter();
        let lines = lines.map(|line| format!("{} {}", line.kind, line.amount_minor));
        let lines: Vec<String> = lines.collect();
        let (status, amount) = (invoice.status, invoice.amount);
        format!("{status} {amount}: {}", lines.join(", "))
    };
    story.invoices.iter().map(line).collect()
}

#[test]
fn small_amounts_are_carried_over_until_they_can_be_charged() {
    let mut story = begun(at(20, Currency::EUR));
    story.passes(100);
    insta::assert_snapshot!(bills(&story).join("\n"), @"
    invoice_paid 0: subscription 20, carried_over -20
    invoice_paid 0: subscription 20, carried_in 20, carried_over -40
    invoice_paid 60: subscription 20, carried_in 40
    invoice_paid 0: subscription 20, carried_over -20
    ");
    assert_eq!(story.status(), SubscriptionStatus::Active);
    let tries = story.invoices.iter().map(|it| it.tries.len());
    assert_eq!(tries.collect::<Vec<_>>(), [1, 0, 1, 0]);
    // The rest at the end is never charged.
    story.does(Command::Cancel(cancel(When::Now)));
    story.passes(10);
    assert_eq!(story.invoices.len(), 4);
}

#[test]
fn amounts_are_rounded_to_what_processors_count() {
    let mut story = begun(at(1_235, Currency::KWD));
    story.passes(30);
    insta::assert_snapshot!(bills(&story).join("\n"), @"
    invoice_paid 1240: subscription 1235, rounding 5
    invoice_paid 1240: subscription 1235, rounding 5
    ");
}

#[test]
fn a_one_time_payment_has_no_later_invoice() {
    let once = Price {
        interval: None,
        ..at(20, Currency::EUR)
    };
    let chargeable = Chargeable::for_processors([&UNITS], Currency::EUR);
    let refused = Subscription::create(
        wanted(once, None),
        chargeable,
        moment("2026-01-31T09:00:00Z"),
    );
    insta::assert_snapshot!(refused.expect_err("too little").to_string(), @"item_price_id comes to 0.20 EUR, which no payment account of the profile can charge: the least is 0.50 EUR");
}

#[test]
fn a_request_that_is_refused_is_no_refusal_of_the_card() {
    let mut story = Story::active();
    story.until(story.now.plus_seconds(40 * DAY).expect("in range"), |_| {
        Outcome::NotAsked {
            why: "amount_too_small: Amount must be at least 50 cents".to_owned(),
        }
    });
    assert_eq!(story.status(), SubscriptionStatus::Active);
    let renewal = &story.invoices[1];
    assert_eq!(renewal.failures(), 0, "no try of dunning");
    assert!(!renewal.is_given_up);
}
