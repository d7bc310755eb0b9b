//! The sales of the demo's week. The plan depends on the seed only.

use multirail_client::types::PaymentStatus;
use multirail_kernel::random::Random;

use super::means::Means::{
    self, Boleto, Card, Ideal, Klarna, Oxxo, Paypal, Pix, SepaDebit, SepaTransfer, Swish,
};
use super::people::{PEOPLE, Person};
use crate::trigger::debits::{LACKS_FUNDS, PAYS, RETURNS};
use crate::trigger::disputes::DISPUTED;
use crate::trigger::payers::ASKS_PAYER;
use crate::trigger::payments::{DECLINED, HELD_FOR_DECISION, PENDING};
use crate::trigger::refunds::REFUNDS_DECLINED;
use crate::trigger::stage::APPROVED;

/// The number of days.
pub(super) const DAYS: usize = 7;
const DAY_SECONDS: i64 = 24 * 60 * 60;
/// The last hour of each day has no sales, except on the last day those that stay open.
const OPEN_SECONDS: i64 = 23 * 60 * 60;
/// The time between the sales that stay open.
const OPEN_GAP: i64 = 60;
/// The number of usual sales on each day, and the number of further ones that chance may add.
const USUAL_A_DAY: usize = 6;
const MORE_A_DAY: u64 = 3;

/// The steps of a payment after its creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    /// Nothing happens: it is declined, or waits for somebody.
    Rests,
    /// It is approved at once.
    Sold,
    /// It is approved, and the customer's card is saved.
    Saves,
    /// It is approved, with a mandate for later charges.
    Agrees,
    /// Its payer pays at a page or with an app.
    PayerPays,
    /// Its payer declines there.
    PayerDeclines,
    /// The payer's bank pays.
    BankPays,
    /// The payer's bank refuses.
    BankRefuses,
    /// The payer's bank pays, and returns the debit three days later.
    BankReturns,
    /// It has a link; the first card is declined, the second one approved.
    Retried,
    /// It stays authorized.
    Holds,
    Captured,
    CapturedInPart,
    Cancelled,
    Refunded,
    RefundedInPart,
    RefundFails,
    Disputed(Answer),
}

/// The merchant's answer to a dispute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// None: the dispute is due.
    None,
    Accepts,
    Wins,
    Loses,
}

/// A sale.
#[derive(Debug, PartialEq)]
pub(super) struct Sale {
    pub(super) payment_id: String,
    /// Counted from 1.
    pub(super) day: usize,
    /// The seconds since the sale before.
    pub(super) gap: i64,
    pub(super) person: &'static Person,
    pub(super) amount: i64,
    pub(super) means: Means,
    pub(super) then: Then,
}

/// The sales that each of the days has.
const OF_DAY: [&[(Means, Then)]; DAYS] = [
    &[
        (Card(APPROVED), Then::Saves),
        (Card(DISPUTED), Then::Disputed(Answer::Wins)),
        (SepaDebit(RETURNS), Then::BankReturns),
        (Boleto, Then::Rests),
        (Card(APPROVED), Then::Refunded),
    ],
    &[
        (Card(DECLINED), Then::Retried),
        (Ideal, Then::PayerPays),
        (Oxxo, Then::PayerPays),
        (Card(DISPUTED), Then::Disputed(Answer::Loses)),
        (Card(APPROVED), Then::Captured),
    ],
    &[
        (Card(APPROVED), Then::Agrees),
        (Pix, Then::PayerPays),
        (SepaDebit(LACKS_FUNDS), Then::BankRefuses),
        (Card(APPROVED), Then::CapturedInPart),
        (Card(REFUNDS_DECLINED), Then::RefundFails),
    ],
    &[
        (Card(ASKS_PAYER), Then::PayerDeclines),
        (Klarna, Then::PayerPays),
        (Card(DISPUTED), Then::Disputed(Answer::Accepts)),
        (Card(APPROVED), Then::Holds),
        (SepaTransfer, Then::PayerPays),
    ],
    &[
        (Paypal, Then::PayerDeclines),
        (Swish, Then::PayerPays),
        (Card(APPROVED), Then::Cancelled),
        (Card(DISPUTED), Then::Disputed(Answer::None)),
        (Card(DECLINED), Then::Retried),
    ],
    &[
        (Card(APPROVED), Then::Saves),
        (Paypal, Then::PayerPays),
        (Card(APPROVED), Then::Holds),
        (SepaDebit(PAYS), Then::BankPays),
        (Card(APPROVED), Then::RefundedInPart),
    ],
    &[
        (Card(ASKS_PAYER), Then::PayerPays),
        (Card(APPROVED), Then::Agrees),
        (Card(DISPUTED), Then::Disputed(Answer::None)),
        (Card(APPROVED), Then::Refunded),
        (Boleto, Then::PayerPays),
    ],
];

/// The very first sale. It shows that the profile pays through a simulated processor.
const FIRST: (Means, Then) = (Card(APPROVED), Then::Sold);

/// The sales among which chance chooses.
const USUAL: [(Means, Then); 12] = [
    (Card(APPROVED), Then::Sold),
    (Card("5555555555554444"), Then::Sold),
    (Card("378282246310005"), Then::Sold),
    (Card("4000056655665556"), Then::Sold),
    (Card("2223003122003222"), Then::Sold),
    (Card(APPROVED), Then::RefundedInPart),
    (Card(ASKS_PAYER), Then::PayerPays),
    (Card(DECLINED), Then::Rests),
    (Card("4000000000006975"), Then::Rests),
    (Ideal, Then::PayerPays),
    (Paypal, Then::PayerPays),
    (SepaDebit(PAYS), Then::BankPays),
];

/// The sales at the end of the week, which still wait for somebody.
const OPEN: [(Means, Then); 7] = [
    (Card(APPROVED), Then::Holds),
    (Card(HELD_FOR_DECISION), Then::Rests),
    (SepaTransfer, Then::Rests),
    (Oxxo, Then::Rests),
    (Card(ASKS_PAYER), Then::Rests),
    (Ideal, Then::Rests),
    (Card(PENDING), Then::Rests),
];

/// The parts of a price below the unit of 100.
const ENDINGS: [i64; 4] = [0, 50, 90, 99];

/// Plans the week of a seed. `random` is the sequence of this seed.
pub(super) fn week(seed: u64, random: &dyn Random) -> Vec<Sale> {
    let mut sales = Vec::new();
    let mut last_at = None;
    for (day, fixed) in (1..=DAYS).zip(OF_DAY) {
        for (number, (at, (means, then))) in (1..).zip(day_of(day, fixed, random)) {
            let before = last_at.replace(at).unwrap_or(at);
            sales.push(Sale {
                payment_id: format!("demo_{seed}_{day}_{number:02}"),
                day,
                gap: at - before,
                person: means.payer().unwrap_or_else(|| *pick(random, &PEOPLE)),
                amount: amount(random, means),
                means,
                then,
            });
        }
    }
    sales
}

/// Returns the sales of a day with their times, in seconds since the beginning of the week.
fn day_of(day: usize, fixed: &[(Means, Then)], random: &dyn Random) -> Vec<(i64, (Means, Then))> {
    let mut kinds = mixed(fixed, random);
    if day == 1 {
        kinds.insert(0, FIRST);
    }
    let start = (day as i64 - 1) * DAY_SECONDS;
    let slot = OPEN_SECONDS / kinds.len() as i64;
    let slots = (0..).map(|number| start + number * slot);
    let times: Vec<_> = slots
        .take(kinds.len())
        .map(|at| at + below(random, slot as u64) as i64)
        .collect();
    let mut sales: Vec<_> = times.into_iter().zip(kinds).collect();
    if day == DAYS {
        let from = start + OPEN_SECONDS;
        let times = (0..).map(|number| from + number * OPEN_GAP);
        sales.extend(times.zip(OPEN));
    }
    sales
}

/// Mixes usual sales with those that the day has in any case.
fn mixed(fixed: &[(Means, Then)], random: &dyn Random) -> Vec<(Means, Then)> {
    let mut kinds = fixed.to_vec();
    let more = below(random, MORE_A_DAY) as usize;
    for _ in 0..USUAL_A_DAY + more {
        let place = below(random, kinds.len() as u64 + 1) as usize;
        kinds.insert(place, *pick(random, &USUAL));
    }
    kinds
}

/// Returns a price. The last two digits of a disputed payment would decide its dispute, so it has none.
fn amount(random: &dyn Random, means: Means) -> i64 {
    let units = 9 + below(random, 240) as i64;
    let ending = match means == Card(DISPUTED) {
        true => 0,
        false => *pick(random, &ENDINGS),
    };
    units * 100 + ending
}

fn pick<'a, T>(random: &dyn Random, items: &'a [T]) -> &'a T {
    &items[below(random, items.len() as u64) as usize]
}

/// Returns a number below `bound`, or 0 if that is 0.
fn below(random: &dyn Random, bound: u64) -> u64 {
    let mut bytes = [0_u8; 8];
    random.fill(&mut bytes);
    u64::from_le_bytes(bytes)
        .checked_rem(bound)
        .unwrap_or_default()
}

impl Then {
    /// Returns the status in which a payment waits for its step, if it has one.
    pub(super) fn begins_at(self) -> Option<PaymentStatus> {
        match self {
            Then::Rests => None,
            Then::PayerPays | Then::PayerDeclines => Some(PaymentStatus::RequiresCustomerAction),
            Then::BankPays | Then::BankRefuses | Then::BankReturns => {
                Some(PaymentStatus::Processing)
            }
            Then::Retried => Some(PaymentStatus::RequiresPaymentMethod),
            Then::Holds | Then::Captured | Then::CapturedInPart | Then::Cancelled => {
                Some(PaymentStatus::RequiresCapture)
            }
            Then::Sold
            | Then::Saves
            | Then::Agrees
            | Then::Refunded
            | Then::RefundedInPart
            | Then::RefundFails
            | Then::Disputed(_) => Some(PaymentStatus::Succeeded),
        }
    }

    /// Returns whether the payment is authorized first.
    pub(super) fn is_captured_later(self) -> bool {
        self.begins_at() == Some(PaymentStatus::RequiresCapture)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use multirail_kernel::random::SeededRandom;

    use super::*;

    fn week_of(seed: u64) -> Vec<Sale> {
        week(seed, &SeededRandom::new(seed))
    }

    #[test]
    fn every_seed_makes_a_week_of_its_own() {
        assert_eq!(week_of(1), week_of(1));
        assert_ne!(week_of(1), week_of(2));
        for seed in 0..100 {
            let sales = week_of(seed);
            assert!((60..=110).contains(&sales.len()), "{}", sales.len());
            let ids: BTreeSet<_> = sales.iter().map(|sale| &sale.payment_id).collect();
            assert_eq!(ids.len(), sales.len());
            assert!(sales.iter().all(|sale| sale.gap >= 0));
            let passed: i64 = sales.iter().map(|sale| sale.gap).sum();
            let week = DAYS as i64 * DAY_SECONDS;
            assert!((week - DAY_SECONDS..week).contains(&passed), "{passed}");
        }
    }

    /// The first sale tells whether the profile pays through a simulated processor.
    #[test]
    fn the_first_sale_is_a_plain_one() {
        for seed in 0..100 {
            assert_eq!(week_of(seed)[0].then, Then::Sold);
        }
    }

    #[test]
    fn no_amount_decides_a_dispute() {
        let disputed = |sale: &Sale| sale.means == Card(DISPUTED);
        let all: Vec<_> = (0..100).flat_map(week_of).filter(disputed).collect();
        assert_eq!(all.len(), 500);
        assert!(all.iter().all(|sale| sale.amount % 100 == 0));
    }
}
