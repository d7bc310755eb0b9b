//! Methods that payers finish at a page of the processor.

mod adyen;
mod stripe;
