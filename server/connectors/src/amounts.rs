//! Amounts in a processor's own units. Most of them count in the minor units of ISO 4217, as we do, and each has a few
//! currencies of which it thinks otherwise.

use multirail_domain::currency::Currency;
use multirail_domain::money::Money;
use multirail_domain::session::Wallet;

/// How a processor counts money.
#[derive(Clone, Copy, Debug)]
pub struct Units {
    /// Currencies of which the processor counts other decimals than we do, and how many.
    pub decimals: &'static [(Currency, u8)],
    /// Currencies of which the processor takes only multiples of so many of its units.
    pub steps: &'static [(Currency, i64)],
}

/// What one of the two sides can't write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotWritable {
    #[error("the processor has no unit that is small enough for {0}")]
    Amount(Money),
    /// Routing chooses no account for it: this is for what it doesn't see.
    #[error("this connector has no place for {0} in this form")]
    Instrument(&'static str),
}

impl NotWritable {
    pub const NETWORK_TOKEN: NotWritable = NotWritable::Instrument("network_token");
    /// What another processor keeps, or another account of this one.
    pub const KEPT_ELSEWHERE: NotWritable = NotWritable::Instrument("processor_payment_token");

    /// What a wallet sealed, or gave out, and the connector doesn't know.
    pub fn instrument_of(wallet: Wallet) -> Self {
        NotWritable::Instrument(wallet.as_str())
    }
}

impl Units {
    /// Those of ISO 4217.
    pub const ISO: Units = Units {
        decimals: &[],
        steps: &[],
    };

    /// How many decimals the processor counts.
    pub fn decimals(&self, currency: Currency) -> u8 {
        of(self.decimals, currency).unwrap_or_else(|| currency.exponent())
    }

    /// Our amount in the processor's units.
    ///
    /// # Errors
    /// [`NotWritable`]: we don't round what a payer was told.
    pub fn to_processor(&self, money: Money) -> Result<i64, NotWritable> {
        let currency = money.currency;
        let (ours, theirs) = (currency.exponent(), self.decimals(currency));
        let amount = scaled(money.amount_minor, ours, theirs).ok_or(NotWritable::Amount(money))?;
        let step = of(self.steps, currency).unwrap_or(1);
        if amount % step == 0 {
            Ok(amount)
        } else {
            Err(NotWritable::Amount(money))
        }
    }

    /// The processor's amount in our units. `None` where it is no whole number of them, or less than nothing, so that an answer
    /// which says it can't be read.
    pub fn from_processor(&self, amount: i64, currency: Currency) -> Option<i64> {
        scaled(
            counted(amount)?,
            self.decimals(currency),
            currency.exponent(),
        )
    }

    /// As [`Units::from_processor`], with the currency as a processor writes it, in letters of either size. With it comes the
    /// currency as we write it.
    pub fn told(&self, amount: i64, currency: &str) -> Option<(i64, String)> {
        let word = currency.to_ascii_uppercase();
        let amount = self.from_processor(amount, word.parse().ok()?)?;
        Some((amount, word))
    }
}

/// An amount that a processor counts in our units. `None` where it is less than nothing.
pub fn counted(amount: i64) -> Option<i64> {
    (amount >= 0).then_some(amount)
}

fn of<T: Copy>(table: &[(Currency, T)], currency: Currency) -> Option<T> {
    let mut rows = table.iter();
    rows.find(|(own, _)| *own == currency)
        .map(|(_, value)| *value)
}

/// The same amount with another number of decimals, if it is a whole number then.
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
        decimals: &[(Currency::ISK, 0), (Currency::CLP, 2)],
        steps: &[(Currency::KWD, 10)],
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
            assert_eq!(amount.ok(), expected, "{money}");
            if let Ok(amount) = amount {
                let back = UNITS.from_processor(amount, money.currency);
                assert_eq!(back, Some(money.amount_minor));
            }
        }
        assert_eq!(UNITS.from_processor(6540, Currency::CLP), None);
        assert_eq!(UNITS.told(65, "isk"), Some((6500, "ISK".to_owned())));
        for (amount, currency) in [(6540, "CLP"), (65, "XYZ"), (65, "")] {
            assert_eq!(UNITS.told(amount, currency), None, "{currency}");
        }
        let refused = UNITS.to_processor(Money::new(6540, Currency::ISK));
        assert_eq!(
            refused.map_err(|error| error.to_string()),
            Err("the processor has no unit that is small enough for 65.40 ISK".to_owned())
        );
    }
}
