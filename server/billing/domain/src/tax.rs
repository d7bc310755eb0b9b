//! Taxes as the merchant gives them: nothing is looked up. They come on top of the price, or are included in it.

use multirail_kernel::record_object::record_object;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::unread::UnreadMembers;

use super::rounding::{WHOLE_BASIS_POINTS, WHOLE_MILLIONTHS};
use super::texts;

/// How many taxes one price may have.
pub const MOST_TAXES: usize = 5;
const LONGEST_NAME: usize = 64;

record_object! {
    /// One tax of a price.
    #[derive(Eq)]
    pub struct TaxRate {
        /// As it stands on the invoice, such as `VAT 19 %`.
        name: String,
        /// Hundredths of a percent of what is charged after discounts: 1900 are 19 %. Up to 10000. Rounded, where the rate is given
        /// more exactly.
        basis_points: u32,
    } and maybe {
        /// The exact rate, where hundredths of a percent don't say it: 99750 are 9.975 %.
        parts_per_million: u32,
        /// The price includes it: it is computed out of what is charged, not put on top.
        is_included: bool,
    }
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
            parts_per_million: None,
            is_included: None,
            unread: UnreadMembers::NONE,
        })
    }

    /// A tax of up to 100 %, whose percentage has up to four decimals.
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

    /// The same tax, included in the price.
    pub fn included(self) -> Self {
        TaxRate {
            is_included: Some(true),
            ..self
        }
    }

    /// The rate in millionths.
    pub fn millionths(&self) -> u32 {
        let rounded = self.basis_points.saturating_mul(100);
        self.parts_per_million.unwrap_or(rounded)
    }

    /// Returns whether the price includes it.
    pub fn is_included(&self) -> bool {
        self.is_included == Some(true)
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
    } and maybe {
        /// As of the rate.
        parts_per_million: u32,
    }
}

impl ChargedTax {
    /// Of this rate.
    pub fn of(rate: &TaxRate, amount_minor: i64) -> Self {
        ChargedTax {
            name: rate.name.clone(),
            basis_points: rate.basis_points,
            amount_minor,
            parts_per_million: rate.parts_per_million,
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
