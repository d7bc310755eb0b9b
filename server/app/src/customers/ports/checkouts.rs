//! Payments in checkout, as saved methods see them. Payments implement it.

use async_trait::async_trait;
use multirail_kernel::ids::{CustomerId, MerchantId, PaymentId, ProfileId};
use multirail_kernel::money::Money;

use crate::platform::ports::failure::StoreFailure;

/// A payment in checkout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkout {
    /// Absent where a guest pays.
    pub customer_id: Option<CustomerId>,
    pub profile_id: ProfileId,
    /// True if a saved card pays without its code.
    pub spares_code: bool,
    pub surcharge: Option<CheckoutSurcharge>,
}

/// The surcharge of a payment in checkout, and the tax on it in minor units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckoutSurcharge {
    pub amount: Money,
    pub tax: i64,
}

/// Looks up payments in checkout.
#[async_trait]
pub trait Checkouts: Send + Sync {
    async fn checkout(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> Result<Option<Checkout>, StoreFailure>;
}
