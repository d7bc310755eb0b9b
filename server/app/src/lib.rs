//! Use cases: load, decide in the domain, commit, call, commit. Each file holds one operation or small resource.
//! Nothing here knows HTTP, SQL or a particular processor.

pub mod accounts;
pub mod customers;
#[cfg(any(test, feature = "fixture"))]
pub mod fixture;
pub mod operations;
pub mod payments;
pub mod platform;
pub mod routing;
pub mod services;
pub mod store;
pub mod webhooks;

use customers::mandates::announce::MandateContent;
use payments::content::PaymentContent;
use payments::disputes::content::DisputeContent;
use payments::refunds::content::RefundContent;

pub use platform::caller::Origin;
pub use platform::error::AppError;
pub use services::{Retention, Services};

/// Renders objects for the bodies of webhooks, each by the trait of its subject.
pub trait EventContent: PaymentContent + RefundContent + DisputeContent + MandateContent {}

impl<T> EventContent for T where T: PaymentContent + RefundContent + DisputeContent + MandateContent {}
