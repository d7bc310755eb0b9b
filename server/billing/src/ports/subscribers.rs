//! Subscribers, and the saved methods that are charged.

use async_trait::async_trait;
use multirail_domain::customers::customer::CustomerStatus;
use multirail_domain::customers::saved_method::SavedMethod;
use multirail_domain::payments::payment::recurring::FoundMethod;
use multirail_kernel::ids::{CustomerId, MerchantId, PaymentMethodId, PaymentToken};

use multirail_app::AppError;
use multirail_app::platform::ports::StoreFailure;

/// Looks up the customers and merchant accounts of subscriptions.
#[async_trait]
pub trait Subscribers: Send + Sync {
    /// Fails if the customer or the merchant account doesn't exist any more.
    async fn check(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
    ) -> Result<(), AppError>;

    /// Fails if the customer doesn't exist any more.
    async fn check_customer(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
    ) -> Result<(), AppError>;

    async fn customer_status(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
    ) -> Result<Option<CustomerStatus>, StoreFailure>;
}

/// Looks up the saved methods that subscriptions charge.
#[async_trait]
pub trait ChargedMethods: Send + Sync {
    async fn saved(
        &self,
        merchant_id: &MerchantId,
        id: &PaymentMethodId,
    ) -> Result<Option<SavedMethod>, StoreFailure>;

    /// Returns the method that belongs to a token now.
    async fn by_token(
        &self,
        merchant_id: &MerchantId,
        token: &PaymentToken,
    ) -> Result<Option<SavedMethod>, StoreFailure>;

    /// Returns the method by which the customer can be charged while absent.
    async fn charged(
        &self,
        merchant_id: &MerchantId,
        customer_id: Option<&CustomerId>,
        id: &str,
    ) -> Result<FoundMethod, AppError>;
}
