//! The processors' other sides: what each does by its public reference, and how the suite gets at it.

pub mod adyen;
pub mod checkout;
pub mod simulator;
pub mod stand_in;
pub mod stripe;
