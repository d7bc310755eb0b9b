//! Customers, their saved methods and mandates.

pub mod customer;
pub mod mandate;
pub mod saved_method;
