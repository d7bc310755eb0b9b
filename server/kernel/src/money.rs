//! Amounts in whole minor units with their currency, and checked arithmetic.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::currency::Currency;
use crate::refusal::Refusal;

/// The maximum amount of a payment, in minor units of any currency. It covers a house in Indonesian rupiah, and the
/// number fits into a JavaScript client.
pub const MAX_AMOUNT_MINOR: i64 = 999_999_999_999;

/// An amount in the smallest unit of its currency: 6540 USD is 65.40 dollars, 6540 JPY is 6540 yen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Money {
    pub amount_minor: i64,
    pub currency: Currency,
}

/// The reason why two amounts can't be combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoneyError {
    /// The result doesn't fit.
    #[error("the amount is too large to be computed")]
    Overflow,
    /// The amounts have different currencies, which are never converted.
    #[error("an amount in {left} and one in {right} can't be put together")]
    OtherCurrency { left: Currency, right: Currency },
}

impl Money {
    /// Creates an amount in minor units.
    pub fn new(amount_minor: i64, currency: Currency) -> Self {
        Money {
            amount_minor,
            currency,
        }
    }

    /// Returns 0 in this currency.
    pub fn zero(currency: Currency) -> Self {
        Money::new(0, currency)
    }

    /// Returns the sum of two amounts of the same currency.
    pub fn checked_add(self, other: Money) -> Result<Money, MoneyError> {
        self.same_currency(other)?;
        let sum = self.amount_minor.checked_add(other.amount_minor);
        sum.map(|amount_minor| Money::new(amount_minor, self.currency))
            .ok_or(MoneyError::Overflow)
    }

    /// Returns the difference of two amounts of the same currency; it may be negative.
    pub fn checked_sub(self, other: Money) -> Result<Money, MoneyError> {
        self.same_currency(other)?;
        let difference = self.amount_minor.checked_sub(other.amount_minor);
        difference
            .map(|amount_minor| Money::new(amount_minor, self.currency))
            .ok_or(MoneyError::Overflow)
    }

    /// Compares two amounts. `Ord` isn't implemented, because amounts of two currencies have no order.
    pub fn checked_cmp(self, other: Money) -> Result<Ordering, MoneyError> {
        self.same_currency(other)?;
        Ok(self.amount_minor.cmp(&other.amount_minor))
    }

    /// Formats the amount in major units without the currency: `65.40`, `6540`, `-0.05`.
    pub fn in_major_units(self) -> String {
        let decimals = usize::from(self.currency.exponent());
        let sign = if self.amount_minor < 0 { "-" } else { "" };
        let digits = format!(
            "{:0>width$}",
            self.amount_minor.unsigned_abs(),
            width = decimals + 1
        );
        let (whole, fraction) = digits.split_at(digits.len() - decimals);
        if fraction.is_empty() {
            format!("{sign}{whole}")
        } else {
            format!("{sign}{whole}.{fraction}")
        }
    }

    fn same_currency(self, other: Money) -> Result<(), MoneyError> {
        if self.currency == other.currency {
            Ok(())
        } else {
            Err(MoneyError::OtherCurrency {
                left: self.currency,
                right: other.currency,
            })
        }
    }
}

/// Formats the amount in major units with the currency: `65.40 USD`.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.in_major_units(), self.currency)
    }
}

/// Checks an amount from a caller: from 0 (a card check) to [`MAX_AMOUNT_MINOR`]. The refusal names `member`.
pub fn check_amount(member: &str, amount_minor: i64) -> Result<(), Refusal> {
    if amount_minor < 0 {
        return Err(Refusal::invalid_format(
            member,
            "a whole number of minor units, not negative",
        ));
    }
    if amount_minor > MAX_AMOUNT_MINOR {
        return Err(Refusal::precondition(format!(
            "{member} may be at most {MAX_AMOUNT_MINOR}"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn major_units_follow_the_decimals_of_the_currency() {
        let table = [
            (6540, Currency::USD, "65.40 USD"),
            (6540, Currency::JPY, "6540 JPY"),
            (6540, Currency::KWD, "6.540 KWD"),
            (6540, Currency::CLF, "0.6540 CLF"),
            (5, Currency::USD, "0.05 USD"),
            (-5, Currency::USD, "-0.05 USD"),
            (0, Currency::USD, "0.00 USD"),
            (0, Currency::JPY, "0 JPY"),
            (i64::MIN, Currency::JPY, "-9223372036854775808 JPY"),
        ];
        for (amount_minor, currency, expected) in table {
            assert_eq!(Money::new(amount_minor, currency).to_string(), expected);
        }
    }

    #[test]
    fn other_currencies_and_overflow_are_refused() {
        let dollars = Money::new(100, Currency::USD);
        let euros = Money::new(100, Currency::EUR);
        let other = MoneyError::OtherCurrency {
            left: Currency::USD,
            right: Currency::EUR,
        };
        assert_eq!(dollars.checked_add(euros), Err(other));
        assert_eq!(dollars.checked_sub(euros), Err(other));
        assert_eq!(dollars.checked_cmp(euros), Err(other));
        let most = Money::new(i64::MAX, Currency::USD);
        assert_eq!(most.checked_add(dollars), Err(MoneyError::Overflow));
        let least = Money::new(i64::MIN, Currency::USD);
        assert_eq!(least.checked_sub(dollars), Err(MoneyError::Overflow));
    }

    #[test]
    fn amounts_from_zero_to_the_limit_may_be_asked_for() {
        assert_eq!(check_amount("amount", 0), Ok(()));
        assert_eq!(check_amount("amount", MAX_AMOUNT_MINOR), Ok(()));
        assert!(matches!(
            check_amount("amount", -1),
            Err(Refusal::InvalidFormat { .. })
        ));
        assert!(matches!(
            check_amount("amount", MAX_AMOUNT_MINOR + 1),
            Err(Refusal::Precondition { .. })
        ));
    }

    proptest! {
        #[test]
        fn subtraction_reverses_addition(left in -1_000_000_000_i64..1_000_000_000, right in -1_000_000_000_i64..1_000_000_000) {
            let (left, right) = (Money::new(left, Currency::EUR), Money::new(right, Currency::EUR));
            let sum = left.checked_add(right).expect("no overflow in this range");
            prop_assert_eq!(sum.checked_sub(right), Ok(left));
        }
    }
}
