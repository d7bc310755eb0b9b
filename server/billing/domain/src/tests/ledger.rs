//! Random walks through a subscription's life. Active time is charged exactly once, other time never. Every unit paid
//! is charged for something or stands on the customer's credit.

use super::*;

/// An event of the walk.
#[derive(Clone, Debug)]
enum Event {
    /// The term ends and the next one is charged.
    Renewal,
    /// After these thousandths of the term the plan changes to this amount, interval and quantity.
    Change(i64, i64, Interval, u32),
    /// After these thousandths of the term the subscription pauses for these seconds.
    Pause(i64, i64),
}

/// The subscription that the walk drives.
struct Walk {
    price: Price,
    quantity: u32,
    term: Term,
    coupon: Option<AppliedCoupon>,
    /// All charges ever made and not returned.
    charged: Vec<Charged>,
    credit_minor: i64,
    paid_minor: i64,
    /// The active periods up to the end of the current term.
    active: Vec<Period>,
}

impl Walk {
    fn begin(price: Price, coupon: Option<AppliedCoupon>, start: Timestamp) -> Self {
        let opening = open(&price, "Gold", 1, coupon.as_ref(), 0, start).expect("an invoice");
        let term = opening.term.clone().expect("a term");
        let mut walk = Walk {
            price,
            quantity: 1,
            active: vec![term.period],
            term,
            coupon,
            charged: Vec::new(),
            credit_minor: 0,
            paid_minor: 0,
        };
        walk.book(opening.billed);
        walk
    }

    fn book(&mut self, billed: Billed) {
        self.credit_minor += billed.credit_given_minor - billed.credit_used_minor;
        self.paid_minor += billed.total.amount_minor;
        self.charged.extend(billed.charged);
        if billed.is_coupon_used {
            let begins = self.term.period.start;
            self.coupon = self.coupon.as_ref().map(|coupon| coupon.used(begins));
        }
    }

    fn bill(&mut self, charges: Vec<Charge>, returned: Vec<Returned>) {
        let begins = self.term.period.start;
        let coupon = self.coupon.clone().filter(|it| it.applies(begins));
        let draft = InvoiceDraft {
            currency: Currency::EUR,
            charges,
            returned,
            coupon: coupon.as_ref(),
            credit_minor: self.credit_minor,
            carried_minor: 0,
            chargeable: Chargeable::ANY,
        };
        self.book(draft.compute().expect("an invoice"));
    }

    fn bill_term(&mut self) {
        let charge =
            Charge::for_term(&self.price, "Gold", self.quantity, &self.term).expect("a charge");
        self.bill(vec![charge], Vec::new());
    }

    /// Returns the moment after these thousandths of the term.
    fn within(&self, thousandths: i64) -> Timestamp {
        let micros = i128::from(self.term.period.micros()) * i128::from(thousandths) / 1_000;
        Timestamp::from_micros(self.term.period.start.as_micros() + micros as i64)
    }

    fn happen(&mut self, event: &Event) {
        match event {
            Event::Renewal => {
                self.term = self.term.next().expect("a term");
                self.active.push(self.term.period);
                self.bill_term();
            }
            Event::Change(thousandths, amount, interval, quantity) => {
                let at = self.within(*thousandths);
                self.price.amount_minor = *amount;
                self.price.interval = Some(*interval);
                self.quantity = *quantity;
                let change = change_plan(
                    &self.term,
                    &self.charged,
                    &self.price,
                    "Other",
                    *quantity,
                    at,
                );
                let change = change.expect("a change");
                self.charged = change.kept;
                if change.term.period != self.term.period {
                    self.active.push(change.term.period);
                    let last = self.active.len() - 2;
                    self.active[last].end = at;
                }
                self.term = change.term;
                self.bill(change.charges, change.returned);
            }
            Event::Pause(thousandths, seconds) => {
                let at = self.within(*thousandths);
                let charged = std::mem::take(&mut self.charged);
                let split = |charged: &Charged| charged.split(at, ReturnOption::Prorate);
                let (kept, returned): (Vec<_>, Vec<_>) = charged.iter().map(split).unzip();
                self.charged = kept.into_iter().flatten().collect();
                self.bill(Vec::new(), returned.into_iter().flatten().collect());
                self.active.last_mut().expect("a term").end = at;
                let again = at.plus_seconds(*seconds).expect("in range");
                let interval = self.price.interval.expect("an interval");
                let zone = self.term.schedule.zone.clone();
                self.term = self.term.restart(again, interval, zone).expect("a term");
                self.active.push(self.term.period);
                self.bill_term();
            }
        }
    }
}

/// Joins adjacent periods, drops empty ones and checks that none overlaps another.
fn joined(mut periods: Vec<Period>) -> Vec<Period> {
    periods.retain(|period| !period.is_empty());
    periods.sort_by_key(|period| period.start);
    let mut joined: Vec<Period> = Vec::new();
    for period in periods {
        match joined.last_mut() {
            Some(last) if last.end == period.start => last.end = period.end,
            Some(last) => {
                assert!(
                    !last.overlaps(&period),
                    "{last:?} and {period:?} are both charged"
                );
                joined.push(period);
            }
            None => joined.push(period),
        }
    }
    joined
}

fn any_interval() -> impl Strategy<Value = Interval> {
    (proptest::sample::select(IntervalUnit::ALL), 1_u16..4)
        .prop_map(|(unit, count)| interval(unit, count))
}

fn any_event() -> impl Strategy<Value = Event> {
    let change = (0_i64..1_000, 0_i64..100_000, any_interval(), 1_u32..4);
    prop_oneof![
        3 => Just(Event::Renewal),
        2 => change.prop_map(|(at, amount, interval, quantity)| Event::Change(at, amount, interval, quantity)),
        1 => (0_i64..=1_000, 0_i64..10_000_000).prop_map(|(at, seconds)| Event::Pause(at, seconds)),
    ]
}

proptest! {
    #[test]
    fn active_time_is_charged_once_and_money_goes_nowhere_else(
        start in 1_700_000_000_i64..2_600_000_000,
        zone in proptest::sample::select(vec!["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca"]),
        interval in any_interval(),
        trial_days in prop_oneof![Just(0_u16), 1_u16..40],
        rate in 0_u32..2_500,
        percent in proptest::option::of(1_u32..=10_000),
        amount in 0_i64..100_000,
        events in proptest::collection::vec(any_event(), 0..25),
    ) {
        let mut price = price(amount);
        price.zone = Zone::parse(zone).expect("a zone");
        price.interval = Some(interval);
        price.trial_days = trial_days;
        price.taxes = vec![vat(rate)];
        let coupon = percent.map(|basis_points| coupon(Discount::Percent { basis_points }, CouponDuration::Repeating { periods: 3 }));
        let mut walk = Walk::begin(price, coupon, Timestamp::from_micros(start * 1_000_000));
        for event in &events {
            walk.happen(event);
        }
        let charged = joined(walk.charged.iter().map(|charged| charged.period).collect());
        prop_assert_eq!(charged, joined(walk.active.clone()));
        let gross: i64 = walk.charged.iter().map(Charged::gross_minor).sum();
        prop_assert_eq!(walk.paid_minor, gross + walk.credit_minor);
        prop_assert!(walk.credit_minor >= 0);
    }
}

#[test]
fn a_year_of_months_is_twelve_periods_without_a_gap() {
    let mut price = price(1_000);
    price.zone = Zone::parse("Europe/Berlin").expect("a zone");
    price.trial_days = 31;
    let mut walk = Walk::begin(price, None, moment("2026-12-31T10:00:00Z"));
    assert_eq!((walk.term.kind, walk.paid_minor), (TermKind::Trial, 0));
    for _ in 0..12 {
        walk.happen(&Event::Renewal);
    }
    let ends: Vec<String> = walk
        .active
        .iter()
        .map(|period| period.end.to_string()[..13].to_owned())
        .collect();
    insta::assert_snapshot!(ends.join(" "), @"2027-01-31T10 2027-02-28T10 2027-03-31T09 2027-04-30T09 2027-05-31T09 2027-06-30T09 2027-07-31T09 2027-08-31T09 2027-09-30T09 2027-10-31T10 2027-11-30T10 2027-12-31T10 2028-01-31T10");
    assert_eq!(walk.paid_minor, 12_000);
}
