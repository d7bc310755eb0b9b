//! Wire to domain and back, for customers.

pub(crate) mod bank_account;
pub mod customer;
pub mod mandate;
pub mod saved_method;
pub(crate) mod words;
