//! The fees that a processor charges for payments through an account, as the merchant reports them.

use multirail_kernel::country::CountryCode;
use multirail_kernel::currency::Currency;
use multirail_kernel::money::MAX_AMOUNT_MINOR;
use multirail_kernel::refusal::Refusal;
use multirail_sdk::card::Network;
use multirail_sdk::payment_method::PaymentMethod;
use serde::{Deserialize, Serialize};

use crate::accounts::connector_account::PaymentQuery;

/// The largest number of entries in one table.
const MOST_ENTRIES: usize = 100;

/// The whole amount, in hundredths of a percent.
const WHOLE: i64 = 10_000;

/// One entry of a fee table. A condition that is absent restricts nothing; the first entry that fits a payment counts. A stored
/// entry with unknown members is refused, because it could count for too many payments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fee {
    /// Share of the amount, in hundredths of a percent: 0 to 10,000.
    pub percentage_basis_points: i64,
    /// Added to the share, in minor units of `currency`.
    #[serde(default)]
    pub fixed_amount: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment_method: Option<PaymentMethod>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card_network: Option<Network>,
    /// Country of the billing address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country: Option<CountryCode>,
}

impl Fee {
    fn fits(&self, query: &PaymentQuery) -> bool {
        self.currency.is_none_or(|only| only == query.currency)
            && self
                .payment_method
                .is_none_or(|only| only == query.payment_method)
            && self
                .card_network
                .is_none_or(|only| Some(only) == query.card_network)
            && self.country.is_none_or(|only| Some(only) == query.country)
    }

    /// Returns the fee in minor units of the payment's currency; half a unit is rounded up.
    fn cost(&self, amount: i64) -> i64 {
        let share = i128::from(amount) * i128::from(self.percentage_basis_points);
        let rounded = (share + i128::from(WHOLE / 2)) / i128::from(WHOLE);
        i64::try_from(rounded)
            .unwrap_or(i64::MAX)
            .saturating_add(self.fixed_amount)
    }
}

/// Returns the expected fee of the payment, in minor units of its currency. `None` if no entry fits.
pub fn expected_cost(table: &[Fee], query: &PaymentQuery) -> Option<i64> {
    let mut entries = table.iter();
    let fee = entries.find(|fee| fee.fits(query))?;
    Some(fee.cost(query.amount))
}

/// Checks a table that a caller sends.
///
/// # Errors
/// [`Refusal::InvalidValue`], which names the member.
pub fn check_fee_table(table: &[Fee]) -> Result<(), Refusal> {
    let refused = |message: String| Err(Refusal::invalid_value(message));
    if table.len() > MOST_ENTRIES {
        return refused(format!("fee_table has more than {MOST_ENTRIES} entries"));
    }
    for (place, fee) in table.iter().enumerate() {
        if !(0..=WHOLE).contains(&fee.percentage_basis_points) {
            return refused(format!(
                "fee_table[{place}].percentage_basis_points has to lie between 0 and {WHOLE}"
            ));
        }
        if !(0..=MAX_AMOUNT_MINOR).contains(&fee.fixed_amount) {
            return refused(format!(
                "fee_table[{place}].fixed_amount has to lie between 0 and {MAX_AMOUNT_MINOR}"
            ));
        }
        if fee.fixed_amount > 0 && fee.currency.is_none() {
            return refused(format!(
                "fee_table[{place}].fixed_amount needs a currency beside it"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUERY: PaymentQuery = PaymentQuery {
        payment_method: PaymentMethod::Card,
        payment_method_type: None,
        card_network: Some(Network::Visa),
        currency: Currency::EUR,
        country: None,
        amount: 6540,
        recurs: false,
    };

    fn fee(percentage_basis_points: i64, fixed_amount: i64) -> Fee {
        Fee {
            percentage_basis_points,
            fixed_amount,
            currency: (fixed_amount > 0).then_some(Currency::EUR),
            payment_method: None,
            card_network: None,
            country: None,
        }
    }

    #[test]
    fn a_share_is_rounded_and_the_fixed_part_added() {
        let cost = |fee: Fee| expected_cost(&[fee], &QUERY);
        assert_eq!(cost(fee(0, 0)), Some(0));
        assert_eq!(cost(fee(140, 25)), Some(92 + 25), "91.56 and 25");
        assert_eq!(cost(fee(10_000, 0)), Some(6540));
        let half = PaymentQuery {
            amount: 50,
            ..QUERY
        };
        assert_eq!(expected_cost(&[fee(100, 0)], &half), Some(1), "half a unit");
    }

    #[test]
    fn the_first_entry_that_fits_counts() {
        let german = Fee {
            country: Some("DE".parse().expect("a country")),
            ..fee(1, 0)
        };
        let mastercard = Fee {
            card_network: Some(Network::Mastercard),
            ..fee(2, 0)
        };
        let dollars = Fee {
            currency: Some(Currency::USD),
            ..fee(3, 0)
        };
        let wallets = Fee {
            payment_method: Some(PaymentMethod::Wallet),
            ..fee(4, 0)
        };
        let table = [german.clone(), mastercard, dollars, wallets, fee(200, 0)];
        assert_eq!(expected_cost(&table, &QUERY), Some(131));
        let in_germany = PaymentQuery {
            country: german.country,
            ..QUERY
        };
        assert_eq!(expected_cost(&table, &in_germany), Some(1));
        assert_eq!(expected_cost(&table[..4], &QUERY), None, "nothing fits");
    }

    #[test]
    fn what_a_table_may_not_say() {
        let table = [
            (fee(10_001, 0), "percentage_basis_points"),
            (fee(-1, 0), "percentage_basis_points"),
            (fee(0, -1), "fixed_amount"),
            (
                Fee {
                    currency: None,
                    ..fee(0, 25)
                },
                "fixed_amount",
            ),
        ];
        for (wrong, member) in table {
            let refusal = check_fee_table(&[fee(1, 1), wrong]).expect_err("a refusal");
            let message = refusal.to_string();
            assert!(
                message.contains(&format!("fee_table[1].{member}")),
                "{message}"
            );
        }
        assert!(check_fee_table(&vec![fee(0, 0); 101]).is_err());
    }
}
