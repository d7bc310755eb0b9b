//! The check whether a mandate may be charged.

use multirail_kernel::currency::Currency;
use multirail_kernel::ids::CustomerId;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;

use crate::customers::mandate::{Mandate, MandateStatus};

/// A charge that a payment wants to make.
#[derive(Clone, Copy, Debug)]
pub struct Charge<'a> {
    pub customer_id: Option<&'a CustomerId>,
    /// The payment's total, in minor units.
    pub amount: i64,
    pub currency: Currency,
    pub now: Timestamp,
}

impl Mandate {
    /// Checks a charge against all limits of the payer. The commit of the charge makes sure that a single use isn't used twice
    /// at once: it stores nothing if the mandate is no longer active.
    ///
    /// # Errors
    /// [`Refusal::MandateMismatch`] for another customer or currency. [`Refusal::Mandate`] for a mandate that isn't active, a
    /// time outside its dates, or an amount above its own.
    pub fn check_charge(&self, charge: Charge<'_>) -> Result<(), Refusal> {
        if charge.customer_id != Some(&self.customer_id) {
            return Err(Refusal::MandateMismatch {
                member: "customer_id",
            });
        }
        self.check_active()?;
        let Some(limits) = self.terms.limits() else {
            return Ok(());
        };
        if limits.starts_at().is_some_and(|start| charge.now < start) {
            return Err(refused("its start_date has not come"));
        }
        if limits.ends_at().is_some_and(|end| charge.now > end) {
            return Err(refused("its end_date is over"));
        }
        if limits
            .currency
            .is_some_and(|currency| currency != charge.currency)
        {
            return Err(Refusal::MandateMismatch { member: "currency" });
        }
        match limits.amount {
            Some(most) if charge.amount > most => Err(above(charge.amount, most)),
            Some(_) | None => Ok(()),
        }
    }

    fn check_active(&self) -> Result<(), Refusal> {
        match self.status {
            MandateStatus::Active => Ok(()),
            MandateStatus::Pending => Err(refused(
                "the payment by which its payer agreed is not approved",
            )),
            MandateStatus::Inactive => Err(refused(
                "it is for one charge, and that has been made or is under way",
            )),
            MandateStatus::Revoked => Err(refused("it is revoked")),
        }
    }

    /// Builds the refusal for a mandate whose payment method no longer exists. Deleting the method normally revokes the
    /// mandate.
    pub(crate) fn without_method(&self) -> Refusal {
        let gone = || refused("the payment method that it charges is deleted");
        self.check_active().err().unwrap_or_else(gone)
    }

    /// Checks that a payment of this customer may change the mandate and that it can be charged afterwards.
    ///
    /// # Errors
    /// Those of [`Mandate::check_charge`] for customer and status.
    pub fn check_change(&self, customer_id: Option<&CustomerId>) -> Result<(), Refusal> {
        if customer_id != Some(&self.customer_id) {
            return Err(Refusal::MandateMismatch {
                member: "customer_id",
            });
        }
        match self.status {
            MandateStatus::Active => Ok(()),
            MandateStatus::Pending | MandateStatus::Inactive | MandateStatus::Revoked => {
                Err(Refusal::Mandate {
                    why: format!("a mandate that is {} can't be changed", self.status),
                })
            }
        }
    }
}

fn refused(why: &str) -> Refusal {
    Refusal::Mandate {
        why: format!("the mandate can't be charged: {why}"),
    }
}

/// Builds the refusal for a charge above the permitted amount.
pub(crate) fn above(amount: i64, most: i64) -> Refusal {
    refused(&format!("{amount} is above its amount of {most}"))
}
