//! The computations of the billing engine: billed periods, prices, discounts, taxes, credit and retries of failed
//! charges. (Specification 2.5, 4.6; facts 3.13, 7.11)
//!
//! Periods are `[start, end)` and follow one another without a gap. Amounts are minor units. All divisions go through
//! [`rounding`], so that the lines of an invoice always add up to its total.

pub mod account_description;
pub mod calendar;
pub mod catalogue;
pub mod change;
pub mod charge;
pub mod chargeable;
pub mod coupon;
pub mod dunning;
pub mod error;
pub mod invoice;
pub mod invoice_status;
pub mod item;
pub mod opening;
pub mod price;
pub mod product;
pub mod refusals;
pub mod rounding;
pub mod subscription;
pub mod tax;
pub mod term;
mod texts;

pub use error::BillingError;

/// The connector name of accounts of our own engine. Accounts of other billing connectors were stored by an earlier
/// version.
pub const OWN_ENGINE: &str = "multirail_billing";

#[cfg(test)]
mod tests;
