//! Offers the methods of a payment, for an operation of saved methods.

use multirail_api::ApiError;
use multirail_api::saved_methods::AccountPaymentMethodsListQuery;
use multirail_app::payments::offer::{MethodOffers, OfferMethods};
use multirail_domain::payments::payment::Payment;
use multirail_kernel::ids::MerchantId;
use multirail_types as types;

use super::convert::offered;
use crate::customers::convert::saved_method;
use crate::customers::saved_methods::{OfferedTo, Offers};
use crate::platform::errors::{api_error, refused};

impl Offers for MethodOffers {
    async fn offer(
        &self,
        to: OfferedTo,
        query: AccountPaymentMethodsListQuery,
    ) -> Result<types::OfferedMethods, ApiError> {
        let OfferedTo {
            merchant_id,
            reach,
            profile_id,
        } = to;
        let (secret, query) = saved_method::of_account(query);
        let payment = payment_of(self, &merchant_id, secret).await?;
        let (filter, limit) = saved_method::filter(query).map_err(refused)?;
        let request = OfferMethods {
            merchant_id,
            reach,
            payment,
            profile_id,
            filter,
        };
        let found = self.list(request).await;
        let mut found = found.map_err(api_error)?;
        found.keep_first(limit);
        Ok(offered::answer(&found))
    }
}

/// Returns the payment in checkout, if a client secret names one.
async fn payment_of(
    offers: &MethodOffers,
    merchant_id: &MerchantId,
    client_secret: Option<String>,
) -> Result<Option<Box<Payment>>, ApiError> {
    let Some(secret) = client_secret else {
        return Ok(None);
    };
    let found = offers
        .payments
        .payment_of_client_secret(merchant_id, &secret)
        .await;
    found
        .map(|payment| Some(Box::new(payment)))
        .map_err(api_error)
}
