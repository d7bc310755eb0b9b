//! Taxes as the merchant gives them: nothing is looked up, and they come on top of the price.

use super::rounding::WHOLE_BASIS_POINTS;
use super::texts;
use crate::record_object::record_object;
use crate::refusal::Refusal;
use crate::unread::UnreadMembers;

/// How many taxes one price may have.
pub const MOST_TAXES: usize = 5;
const LONGEST_NAME: usize = 64;

record_object! {
    /// One tax of a price.
    #[derive(Eq)]
    pub struct TaxRate {
        /// As it stands on the invoice, such as `VAT 19 %`.
        name: String,
        /// Hundredths of a percent of what is charged after discounts: 1900 are 19 %. Up to 10000.
        basis_points: u32,
    } and maybe {}
}

impl TaxRate {
    /// A tax of up to 100 %.
    ///
    /// # Errors
    /// [`Refusal::InvalidFormat`] naming `taxes.name` or `taxes.basis_points`.
    pub fn new(name: &str, basis_points: u32) -> Result<Self, Refusal> {
        if i64::from(basis_points) > WHOLE_BASIS_POINTS {
            return Err(Refusal::invalid_format(
                "taxes.basis_points",
                format!("0 to {WHOLE_BASIS_POINTS}, in hundredths of a percent"),
            ));
        }
        Ok(TaxRate {
            name: texts::line("taxes.name", name, 1, LONGEST_NAME)?,
            basis_points,
            unread: UnreadMembers::NONE,
        })
    }

    /// The taxes of a price: a few, each name once.
    ///
    /// # Errors
    /// [`Refusal::InvalidFormat`] naming `taxes`.
    pub fn check_all(taxes: &[TaxRate]) -> Result<(), Refusal> {
        let is_repeated = |(index, tax): (usize, &TaxRate)| {
            taxes[..index].iter().any(|other| other.name == tax.name)
        };
        if taxes.len() > MOST_TAXES || taxes.iter().enumerate().any(is_repeated) {
            return Err(Refusal::invalid_format(
                "taxes",
                format!("at most {MOST_TAXES}, each with a name of its own"),
            ));
        }
        Ok(())
    }
}

record_object! {
    /// What one tax came to on one charge.
    #[derive(Eq)]
    pub struct ChargedTax {
        name: String,
        basis_points: u32,
        amount_minor: i64,
    } and maybe {}
}

impl ChargedTax {
    /// Of this rate.
    pub fn of(rate: &TaxRate, amount_minor: i64) -> Self {
        ChargedTax {
            name: rate.name.clone(),
            basis_points: rate.basis_points,
            amount_minor,
            unread: UnreadMembers::NONE,
        }
    }

    /// The same tax with another amount.
    pub fn with(&self, amount_minor: i64) -> Self {
        ChargedTax {
            amount_minor,
            ..self.clone()
        }
    }
}
