//! Invoice amounts that processors can charge: multiples of a step, at or above a minimum.

use multirail_kernel::currency::Currency;
use multirail_sdk::connector::Units;
use multirail_sdk::connector::units::gcd;

use super::rounding::share;

/// The amounts that the payment accounts of a profile can charge in one currency, in minor units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chargeable {
    step: i64,
    minimum: i64,
}

impl Chargeable {
    /// Every amount.
    pub const ANY: Chargeable = Chargeable {
        step: 1,
        minimum: 1,
    };

    /// Computes the amounts from the units of each account's processor. The step is one that all processors support, so
    /// that every account can take the payment. The minimum is the lowest one, because routing skips accounts with a
    /// higher minimum.
    pub fn for_processors<'u>(
        processors: impl IntoIterator<Item = &'u Units>,
        currency: Currency,
    ) -> Self {
        let each = processors.into_iter().map(|units| Chargeable {
            step: units.step(currency),
            minimum: units.minimum(currency),
        });
        let common = |one: Chargeable, other: Chargeable| Chargeable {
            step: one.step / gcd(one.step, other.step) * other.step,
            minimum: one.minimum.min(other.minimum),
        };
        each.reduce(common).unwrap_or(Chargeable::ANY)
    }

    /// Returns the amount to charge for the amount due, or 0 if it is below the minimum. Half a step is rounded up.
    pub fn amount_for(&self, due_minor: i64) -> i64 {
        let steps = share(due_minor, 1, self.step);
        let amount = steps.saturating_mul(self.step);
        if amount < self.minimum { 0 } else { amount }
    }

    /// Returns the smallest amount that can be charged.
    pub fn minimum(&self) -> i64 {
        self.minimum.max(self.step)
    }
}

impl Default for Chargeable {
    fn default() -> Self {
        Chargeable::ANY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Units = Units {
        decimals: &[(Currency::CLF, 2)],
        steps: &[(Currency::KWD, 10)],
        minimums: &[(Currency::USD, 50)],
        ..Units::ISO
    };
    const OTHER: Units = Units {
        steps: &[(Currency::KWD, 4)],
        minimums: &[(Currency::USD, 30)],
        ..Units::ISO
    };

    #[test]
    fn all_accounts_count_the_step_and_one_charges_the_minimum() {
        let both = |currency| Chargeable::for_processors([&ONE, &OTHER], currency);
        let table = [
            (Chargeable::for_processors([&ONE], Currency::USD), 49, 0),
            (Chargeable::for_processors([&ONE], Currency::USD), 50, 50),
            (both(Currency::USD), 29, 0),
            (both(Currency::USD), 30, 30),
            (both(Currency::EUR), 1, 1),
            (both(Currency::KWD), 1_234, 1_240),
            (both(Currency::KWD), 1_229, 1_220),
            (both(Currency::KWD), 9, 0),
            (both(Currency::CLF), 149, 100),
            (Chargeable::for_processors([], Currency::USD), 1, 1),
        ];
        for (chargeable, due, expected) in table {
            assert_eq!(chargeable.amount_for(due), expected, "{chargeable:?} {due}");
        }
    }
}
