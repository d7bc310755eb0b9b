//! Taxes as the merchant states them, without any lookup. A tax is added to the price or included in it.

use multirail_kernel::record_object::record_object;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::unread::UnreadMembers;

use super::rounding::{WHOLE_BASIS_POINTS, WHOLE_MILLIONTHS};
use super::texts;

/// The maximum number of taxes of one price.
pub const MOST_TAXES: usize = 5;
const LONGEST_NAME: usize = 64;

record_object! {
    /// One tax of a price.
    #[derive(Eq)]
    pub struct TaxRate {
        /// The name on the invoice, such as `VAT 19 %`.
        name: String,
        /// The rate in hundredths of a percent of the discounted charge: 1900 means 19 %. At most 10000, and rounded if
        /// the exact rate has more decimals.
        basis_points: u32,
    } and maybe {
        /// The exact rate in millionths, if hundredths of a percent can't express it: 99750 means 9.975 %.
        parts_per_million: u32,
        /// True if the price includes the tax.
        is_included: bool,
    }
}

impl TaxRate {
    /// Creates a tax of up to 100 %.
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
            parts_per_million: None,
            is_included: None,
            unread: UnreadMembers::NONE,
        })
    }

    /// Creates a tax of up to 100 %, whose percentage has up to four decimals.
    ///
    /// # Errors
    /// [`Refusal::InvalidFormat`] naming `taxes.name` or `taxes.parts_per_million`.
    pub fn exact(name: &str, parts_per_million: u32) -> Result<Self, Refusal> {
        if i64::from(parts_per_million) > WHOLE_MILLIONTHS {
            return Err(Refusal::invalid_format(
                "taxes.parts_per_million",
                format!("0 to {WHOLE_MILLIONTHS}, in ten-thousandths of a percent"),
            ));
        }
        let basis_points = parts_per_million.saturating_add(50) / 100;
        let is_rounded = basis_points * 100 != parts_per_million;
        Ok(TaxRate {
            parts_per_million: is_rounded.then_some(parts_per_million),
            ..TaxRate::new(name, basis_points)?
        })
    }

    /// Returns the tax as one that the price includes.
    pub fn included(self) -> Self {
        TaxRate {
            is_included: Some(true),
            ..self
        }
    }

    /// Returns the rate in millionths.
    pub fn millionths(&self) -> u32 {
        let rounded = self.basis_points.saturating_mul(100);
        self.parts_per_million.unwrap_or(rounded)
    }

    /// Checks whether the price includes the tax.
    pub fn is_included(&self) -> bool {
        self.is_included == Some(true)
    }

    /// Checks the number of a price's taxes and that their names differ.
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
    /// The amount of one tax on one charge.
    #[derive(Eq)]
    pub struct ChargedTax {
        name: String,
        basis_points: u32,
        amount_minor: i64,
    } and maybe {
        /// The exact rate, as in [`TaxRate`].
        parts_per_million: u32,
    }
}

impl ChargedTax {
    /// Creates the amount of a tax with this rate.
    pub fn new(rate: &TaxRate, amount_minor: i64) -> Self {
        ChargedTax {
            name: rate.name.clone(),
            basis_points: rate.basis_points,
            amount_minor,
            parts_per_million: rate.parts_per_million,
            unread: UnreadMembers::NONE,
        }
    }

    /// Returns the same tax with another amount.
    pub fn with(&self, amount_minor: i64) -> Self {
        ChargedTax {
            amount_minor,
            ..self.clone()
        }
    }
}
