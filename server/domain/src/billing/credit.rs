//! What a merchant owes a customer: the excess of what was given back. It is used up by the next invoices.

use super::BillingError;
use crate::currency::Currency;
use crate::ids::{CustomerId, MerchantId};
use crate::refusal::Refusal;
use crate::timestamp::Timestamp;

/// The most that a balance may hold, in minor units: many invoices' worth.
pub const MOST_CREDIT_MINOR: i64 = 1_000_000_000_000_000;

/// The credit of a customer in one currency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreditBalance {
    pub merchant_id: MerchantId,
    pub customer_id: CustomerId,
    pub currency: Currency,
    /// Never negative.
    pub balance_minor: i64,
    pub modified_at: Timestamp,
}

impl CreditBalance {
    /// Nothing yet.
    pub fn none(
        merchant_id: MerchantId,
        customer_id: CustomerId,
        currency: Currency,
        now: Timestamp,
    ) -> Self {
        CreditBalance {
            merchant_id,
            customer_id,
            currency,
            balance_minor: 0,
            modified_at: now,
        }
    }

    /// With so much more, in minor units.
    ///
    /// # Errors
    /// [`BillingError::TooLarge`] above [`MOST_CREDIT_MINOR`].
    pub fn given(&self, amount_minor: i64, now: Timestamp) -> Result<Self, BillingError> {
        let balance_minor = self.balance_minor.checked_add(amount_minor.max(0));
        match balance_minor {
            Some(balance_minor) if balance_minor <= MOST_CREDIT_MINOR => Ok(CreditBalance {
                balance_minor,
                modified_at: now,
                ..self.clone()
            }),
            Some(_) | None => Err(BillingError::TooLarge),
        }
    }

    /// With so much less.
    ///
    /// # Errors
    /// [`Refusal::Busy`] when there is less: somebody else has used it since it was read.
    pub fn taken(&self, amount_minor: i64, now: Timestamp) -> Result<Self, Refusal> {
        if !(0..=self.balance_minor).contains(&amount_minor) {
            return Err(Refusal::Busy);
        }
        Ok(CreditBalance {
            balance_minor: self.balance_minor - amount_minor,
            modified_at: now,
            ..self.clone()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_taken_than_there_is_and_none_is_made() {
        let ids = (
            MerchantId::parse("m").expect("an id"),
            CustomerId::parse("c").expect("an id"),
        );
        let none = CreditBalance::none(ids.0, ids.1, Currency::EUR, Timestamp::EPOCH);
        let some = none.given(100, Timestamp::EPOCH).expect("fits");
        assert_eq!(some.taken(100, Timestamp::EPOCH), Ok(none.clone()));
        assert_eq!(some.taken(101, Timestamp::EPOCH), Err(Refusal::Busy));
        assert_eq!(some.taken(-1, Timestamp::EPOCH), Err(Refusal::Busy));
        assert_eq!(none.given(-5, Timestamp::EPOCH), Ok(none.clone()));
        assert_eq!(
            none.given(MOST_CREDIT_MINOR + 1, Timestamp::EPOCH),
            Err(BillingError::TooLarge)
        );
        assert_eq!(
            some.given(i64::MAX, Timestamp::EPOCH),
            Err(BillingError::TooLarge)
        );
    }
}
