//! The units in which a processor counts money, as data. Most processors use the minor units of ISO
//! 4217, as we do. Each has a few currencies with other decimals, with steps, or with a smallest
//! charge.

use std::fmt;

use multirail_kernel::currency::Currency;
use multirail_kernel::money::Money;

use crate::payment_method::PaymentMethodType;

/// The units in which a processor counts money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Units {
    /// Currencies with another number of decimals at the processor, and that number.
    pub decimals: &'static [(Currency, u8)],
    /// Currencies of which the processor accepts only multiples of this many of its units.
    pub steps: &'static [(Currency, i64)],
    /// The smallest charge by currency, in our minor units.
    pub minimums: &'static [(Currency, i64)],
    /// The maximum number of digits of a charge, in the processor's units; unlimited where unset.
    pub most_digits: Option<u32>,
    /// Currencies with another maximum number of digits.
    pub digits: &'static [(Currency, u32)],
}

/// The reason why a processor can't count or charge an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotCounted {
    /// The amount is not a multiple of this one.
    Step(Money),
    /// The amount is below the smallest charge.
    BelowMinimum(Money),
    /// The amount has more digits than the processor accepts.
    TooLarge { most_digits: u32 },
    /// The payment method accepts only amounts in this range.
    OutsideMethod {
        kind: PaymentMethodType,
        least: Money,
        most: Money,
    },
}

impl fmt::Display for NotCounted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotCounted::Step(step) => write!(f, "takes only multiples of {step}"),
            NotCounted::BelowMinimum(minimum) => write!(f, "charges no less than {minimum}"),
            NotCounted::TooLarge { most_digits } => {
                write!(f, "takes amounts of at most {most_digits} digits")
            }
            NotCounted::OutsideMethod { kind, least, most } => {
                write!(
                    f,
                    "takes payment_method_type {kind} only from {least} to {most}"
                )
            }
        }
    }
}

impl Units {
    /// The units of ISO 4217, without a smallest charge.
    pub const ISO: Units = Units {
        decimals: &[],
        steps: &[],
        minimums: &[],
        most_digits: None,
        digits: &[],
    };

    /// Returns the number of decimals at the processor.
    pub fn decimals(&self, currency: Currency) -> u8 {
        row(self.decimals, currency).unwrap_or_else(|| currency.exponent())
    }

    /// Converts our amount to the processor's units. Returns `None` where that isn't exact: amounts
    /// are never rounded.
    pub fn to_processor(&self, money: Money) -> Option<i64> {
        let (ours, theirs) = (money.currency.exponent(), self.decimals(money.currency));
        let amount = scaled(money.amount_minor, ours, theirs)?;
        (amount % self.step_of_processor(money.currency) == 0).then_some(amount)
    }

    /// Converts the processor's amount to our units. Returns `None` where that isn't exact or the
    /// amount is negative; such an answer counts as unreadable.
    pub fn from_processor(&self, amount: i64, currency: Currency) -> Option<i64> {
        let counted = (amount >= 0).then_some(amount)?;
        scaled(counted, self.decimals(currency), currency.exponent())
    }

    /// Converts like [`Units::from_processor`], with the currency in the processor's spelling, in
    /// upper or lower case. Returns the amount and our spelling of the currency.
    pub fn read(&self, amount: i64, currency: &str) -> Option<(i64, String)> {
        let word = currency.to_ascii_uppercase();
        let amount = self.from_processor(amount, word.parse().ok()?)?;
        Some((amount, word))
    }

    /// Returns the smallest amount, in our minor units, of which every amount at the processor is a
    /// multiple.
    pub fn step(&self, currency: Currency) -> i64 {
        let (ours, theirs) = (currency.exponent(), self.decimals(currency));
        let step = self.step_of_processor(currency);
        let factor = 10_i64
            .checked_pow(u32::from(ours.abs_diff(theirs)))
            .unwrap_or(1);
        if theirs >= ours {
            step / gcd(step, factor)
        } else {
            step.saturating_mul(factor)
        }
    }

    /// Returns the smallest charge, in our minor units: a multiple of the step.
    pub fn minimum(&self, currency: Currency) -> i64 {
        let step = self.step(currency);
        let minimum = row(self.minimums, currency).unwrap_or(1).max(1);
        minimum
            .checked_add(step - 1)
            .map_or(minimum, |most| most - most % step)
    }

    /// Checks whether the processor can count an amount, e.g. of a capture or a refund.
    ///
    /// # Errors
    /// [`NotCounted::Step`] and [`NotCounted::TooLarge`].
    pub fn check_counted(&self, money: Money) -> Result<(), NotCounted> {
        let step = self.step(money.currency);
        if money.amount_minor % step != 0 {
            return Err(NotCounted::Step(Money::new(step, money.currency)));
        }
        let most_digits = row(self.digits, money.currency).or(self.most_digits);
        let amount = self.to_processor(money).unwrap_or(i64::MAX);
        match most_digits {
            Some(most_digits) if digits(amount) > most_digits => {
                Err(NotCounted::TooLarge { most_digits })
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Checks whether the processor can charge an amount. An amount of 0 charges nothing: it checks
    /// a card.
    ///
    /// # Errors
    /// [`NotCounted`]
    pub fn check_charged(&self, money: Money) -> Result<(), NotCounted> {
        self.check_counted(money)?;
        let minimum = self.minimum(money.currency);
        if (1..minimum).contains(&money.amount_minor) {
            return Err(NotCounted::BelowMinimum(Money::new(
                minimum,
                money.currency,
            )));
        }
        Ok(())
    }

    fn step_of_processor(&self, currency: Currency) -> i64 {
        row(self.steps, currency).unwrap_or(1).max(1)
    }
}

fn row<T: Copy>(table: &[(Currency, T)], currency: Currency) -> Option<T> {
    let mut rows = table.iter();
    rows.find(|(own, _)| *own == currency)
        .map(|(_, value)| *value)
}

fn digits(amount: i64) -> u32 {
    amount
        .unsigned_abs()
        .checked_ilog10()
        .map_or(1, |log| log + 1)
}

/// Returns the greatest common divisor of two positive numbers.
pub fn gcd(one: i64, other: i64) -> i64 {
    if other == 0 {
        one
    } else {
        gcd(other, one % other)
    }
}

/// Converts an amount to another number of decimals, if the result is a whole number.
fn scaled(amount: i64, from: u8, to: u8) -> Option<i64> {
    let factor = 10_i64.checked_pow(u32::from(from.abs_diff(to)))?;
    if to >= from {
        amount.checked_mul(factor)
    } else {
        (amount % factor == 0).then(|| amount / factor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNITS: Units = Units {
        decimals: &[
            (Currency::ISK, 0),
            (Currency::CLP, 2),
            (Currency::UGX, 2),
            (Currency::CLF, 2),
        ],
        steps: &[
            (Currency::KWD, 10),
            (Currency::UGX, 100),
            (Currency::CLF, 10),
        ],
        minimums: &[(Currency::USD, 50), (Currency::KWD, 155)],
        most_digits: Some(8),
        digits: &[(Currency::JPY, 10)],
    };

    #[test]
    fn amounts_of_every_kind_go_there_and_come_back() {
        let table = [
            (Money::new(6540, Currency::USD), Some(6540)),
            (Money::new(6540, Currency::JPY), Some(6540)),
            (Money::new(6500, Currency::ISK), Some(65)),
            (Money::new(6540, Currency::ISK), None),
            (Money::new(65, Currency::CLP), Some(6500)),
            (Money::new(i64::MAX, Currency::CLP), None),
            (Money::new(6540, Currency::KWD), Some(6540)),
            (Money::new(6541, Currency::KWD), None),
        ];
        for (money, expected) in table {
            let amount = UNITS.to_processor(money);
            assert_eq!(amount, expected, "{money}");
            if let Some(amount) = amount {
                let back = UNITS.from_processor(amount, money.currency);
                assert_eq!(back, Some(money.amount_minor));
            }
        }
        assert_eq!(UNITS.from_processor(6540, Currency::CLP), None);
        assert_eq!(UNITS.from_processor(-1, Currency::USD), None);
        assert_eq!(UNITS.read(65, "isk"), Some((6500, "ISK".to_owned())));
        for (amount, currency) in [(6540, "CLP"), (65, "XYZ"), (65, "")] {
            assert_eq!(UNITS.read(amount, currency), None, "{currency}");
        }
    }

    #[test]
    fn a_step_is_the_smallest_amount_that_divides_all_others() {
        let table = [
            (Currency::USD, 1),
            (Currency::ISK, 100),
            (Currency::CLP, 1),
            (Currency::UGX, 1),
            (Currency::KWD, 10),
            (Currency::CLF, 1_000),
        ];
        for (currency, expected) in table {
            let step = UNITS.step(currency);
            assert_eq!(step, expected, "{currency}");
            for amount_minor in 1..=2 * step {
                let money = Money::new(amount_minor, currency);
                let is_written = UNITS.to_processor(money).is_some();
                assert_eq!(is_written, amount_minor % step == 0, "{money}");
            }
        }
    }

    #[test]
    fn a_refusal_says_what_can_be_charged() {
        let why = |amount_minor, currency| {
            let judged = UNITS.check_charged(Money::new(amount_minor, currency));
            judged.map_or_else(|why| why.to_string(), |()| "charged".to_owned())
        };
        let lines = [
            why(0, Currency::USD),
            why(49, Currency::USD),
            why(50, Currency::USD),
            why(155, Currency::KWD),
            why(150, Currency::KWD),
            why(160, Currency::KWD),
            why(4050, Currency::ISK),
            why(99_999_999, Currency::USD),
            why(100_000_000, Currency::USD),
            why(9_999_999_999, Currency::JPY),
            why(10_000_000_000, Currency::JPY),
            why(1_000_000, Currency::CLP),
        ];
        insta::assert_snapshot!(lines.join("\n"), @"
        charged
        charges no less than 0.50 USD
        charged
        takes only multiples of 0.010 KWD
        charges no less than 0.160 KWD
        charged
        takes only multiples of 1.00 ISK
        charged
        takes amounts of at most 8 digits
        charged
        takes amounts of at most 10 digits
        takes amounts of at most 8 digits
        ");
    }
}
