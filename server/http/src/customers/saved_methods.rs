//! The operations of saved methods: translate, call, translate. Customers belong to the merchant: no profile narrows
//! their saved methods.

use dropshot::RequestContext;
use multirail_api::saved_methods::*;
use multirail_api::{
    ApiError, Caller, Client, JsonAnswer, Merchant, MerchantOrClient, MerchantOrCustomer,
    MerchantOrPayer, Path, Query, TypedBody,
};
use multirail_app::Origin;
use multirail_app::customers::ports::checkouts::Checkout;
use multirail_app::customers::saved_methods::{ListMethods, Reach};
use multirail_kernel::ids::{CustomerId, MerchantId, PaymentId, PaymentMethodId, ProfileId};
use multirail_kernel::refusal::Object;
use multirail_types as types;

use super::convert::saved_method;
use super::convert::saved_method::AskedBy;
use crate::platform::errors::{api_error, refused};
use crate::platform::origin;
use crate::platform::scope::{found_profile, merchant_id, merchants_profile, not_found};
use crate::{Api, ApiResult, Context};

/// The caller who asks for the methods of a payment.
pub(crate) struct OfferedTo {
    pub merchant_id: MerchantId,
    pub reach: Reach,
    /// The profile that the caller's key is narrowed to.
    pub profile_id: Option<ProfileId>,
}

/// Lists the methods that can pay a payment. Payments implement it.
pub(crate) trait Offers {
    /// Answers the operation `account_payment_methods_list`.
    ///
    /// # Errors
    /// A client secret that names no payment, words that can't be read, refusals of the use case.
    async fn offer(
        &self,
        to: OfferedTo,
        query: AccountPaymentMethodsListQuery,
    ) -> Result<types::OfferedMethods, ApiError>;
}

impl SavedMethodsApi for Api {
    type Context = Context;

    async fn customer_payment_methods_list(
        rqctx: RequestContext<Context>,
        caller: Caller<MerchantOrPayer>,
        path: Path<CustomerPaymentMethodsListPath>,
        query: Query<CustomerPaymentMethodsListQuery>,
    ) -> ApiResult<types::SavedMethodList> {
        let merchant_id = merchant_id(caller.merchant_id())?;
        let customer_id = customer_id(&path.into_inner().customer_id)?;
        let mut query = query.into_inner();
        let checkout = checkout_of(&rqctx, &merchant_id, query.client_secret.take()).await?;
        let (filter, limit) = saved_method::filter(query).map_err(refused)?;
        let (reach, profile_id) = reach_of_payer(&caller)?;
        let origin = origin::merchant_or_payer(&rqctx, &caller);
        let request = ListMethods {
            merchant_id,
            customer_id: Some(customer_id),
            reach,
            checkout,
            profile_id,
            filter,
            limit,
        };
        listed(&rqctx, origin, request).await
    }

    async fn account_payment_methods_list(
        rqctx: RequestContext<Context>,
        caller: Caller<MerchantOrClient>,
        query: Query<AccountPaymentMethodsListQuery>,
    ) -> ApiResult<types::OfferedMethods> {
        let to = OfferedTo {
            merchant_id: merchant_id(caller.merchant_id())?,
            reach: reach_of_client(&caller)?,
            profile_id: match &*caller {
                MerchantOrClient::Merchant(merchant) => merchants_profile(merchant),
                MerchantOrClient::Client(_) => None,
            },
        };
        let offered = rqctx
            .context()
            .services
            .method_offers
            .offer(to, query.into_inner());
        Ok(JsonAnswer::new(offered.await?))
    }

    async fn payment_methods_set_default(
        rqctx: RequestContext<Context>,
        caller: Caller<MerchantOrCustomer>,
        path: Path<PaymentMethodsSetDefaultPath>,
    ) -> ApiResult<types::CustomerDefaultMethod> {
        let path = path.into_inner();
        let merchant_id = merchant_id(caller.merchant_id())?;
        let customer_id = customer_id(&path.customer_id)?;
        let method_id = method_id(&path.payment_method_id)?;
        let reach = reach_of_customer(&caller)?;
        let origin = origin::merchant_or_customer(&rqctx, &caller);
        let services = &rqctx.context().services;
        let chosen = services.saved_methods.set_default(
            &origin,
            &merchant_id,
            &reach,
            &customer_id,
            &method_id,
        );
        let chosen = chosen.await.map_err(api_error)?;
        Ok(JsonAnswer::new(saved_method::default(&chosen)))
    }

    async fn payment_methods_create(
        rqctx: RequestContext<Context>,
        caller: Caller<MerchantOrClient>,
        body: TypedBody<Box<types::SavedMethodCreateRequest>>,
    ) -> ApiResult<types::SavedMethod> {
        let merchant_id = merchant_id(caller.merchant_id())?;
        let reach = reach_of_client(&caller)?;
        let asked_by = AskedBy::from_reach(&reach);
        let services = &rqctx.context().services;
        let request =
            saved_method::save(merchant_id, reach, *body.into_inner(), services.base.now());
        let origin = origin::merchant_or_client(&rqctx, &caller);
        let saved = services
            .saved_methods
            .save(&origin, request.map_err(refused)?)
            .await;
        Ok(JsonAnswer::new(saved_method::answer(
            &saved.map_err(api_error)?,
            asked_by,
        )))
    }

    async fn payment_methods_retrieve(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<PaymentMethodsRetrievePath>,
    ) -> ApiResult<types::SavedMethod> {
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let method_id = method_id(&path.into_inner().payment_method_id)?;
        let services = &rqctx.context().services;
        let found = services
            .saved_methods
            .retrieve(&merchant_id, &method_id)
            .await;
        Ok(JsonAnswer::new(saved_method::answer(
            &found.map_err(api_error)?,
            AskedBy::Merchant,
        )))
    }

    async fn payment_methods_delete(
        rqctx: RequestContext<Context>,
        caller: Caller<MerchantOrCustomer>,
        path: Path<PaymentMethodsDeletePath>,
    ) -> ApiResult<types::SavedMethodDeleted> {
        let merchant_id = merchant_id(caller.merchant_id())?;
        let method_id = method_id(&path.into_inner().payment_method_id)?;
        let reach = reach_of_customer(&caller)?;
        let origin = origin::merchant_or_customer(&rqctx, &caller);
        let services = &rqctx.context().services;
        let deleted = services
            .saved_methods
            .delete(&origin, &merchant_id, &reach, &method_id);
        deleted.await.map_err(api_error)?;
        Ok(JsonAnswer::new(types::SavedMethodDeleted {
            payment_method_id: method_id.to_string(),
            deleted: true,
        }))
    }

    async fn payment_methods_update(
        rqctx: RequestContext<Context>,
        caller: Caller<MerchantOrClient>,
        path: Path<PaymentMethodsUpdatePath>,
        body: TypedBody<Box<types::SavedMethodUpdateRequest>>,
    ) -> ApiResult<types::SavedMethod> {
        let merchant_id = merchant_id(caller.merchant_id())?;
        let method_id = method_id(&path.into_inner().payment_method_id)?;
        let reach = reach_of_client(&caller)?;
        let update = saved_method::update(*body.into_inner());
        let origin = origin::merchant_or_client(&rqctx, &caller);
        let services = &rqctx.context().services;
        let updated =
            services
                .saved_methods
                .update(&origin, &merchant_id, &reach, &method_id, update);
        let updated = updated.await.map_err(api_error)?;
        let asked_by = AskedBy::from_reach(&reach);
        Ok(JsonAnswer::new(saved_method::answer(&updated, asked_by)))
    }

    async fn ephemeral_keys_create(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        body: TypedBody<Box<types::EphemeralKeyCreateRequest>>,
    ) -> ApiResult<types::EphemeralKey> {
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let types::EphemeralKeyCreateRequest { customer_id } = *body.into_inner();
        let customer_id = CustomerId::parse(&customer_id)
            .map_err(|invalid| refused(invalid.refusal("customer_id")))?;
        let services = &rqctx.context().services;
        let made = services
            .ephemeral_keys
            .create(&merchant_id, customer_id)
            .await;
        Ok(JsonAnswer::new(saved_method::ephemeral_key(
            &made.map_err(api_error)?,
        )))
    }
}

impl SavedMethodsApiLiterals for Api {
    type Context = Context;

    async fn payer_payment_methods_list(
        rqctx: RequestContext<Context>,
        caller: Caller<Client>,
        query: Query<PayerPaymentMethodsListQuery>,
    ) -> ApiResult<types::SavedMethodList> {
        // Authentication found the payment by the caller's key or authorization.
        let (_, query) = saved_method::of_payer(query.into_inner());
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let (filter, limit) = saved_method::filter(query).map_err(refused)?;
        let request = ListMethods {
            merchant_id,
            customer_id: None,
            reach: payer_of(&caller.payment_id)?,
            checkout: None,
            profile_id: None,
            filter,
            limit,
        };
        listed(&rqctx, origin::client(&rqctx, &caller), request).await
    }
}

fn reach_of_payer(caller: &MerchantOrPayer) -> Result<(Reach, Option<ProfileId>), ApiError> {
    Ok(match caller {
        MerchantOrPayer::Merchant(merchant) => (Reach::Merchant, merchants_profile(merchant)),
        MerchantOrPayer::Client(client) => (payer_of(&client.payment_id)?, None),
        MerchantOrPayer::Customer(customer) => (
            of_customer(&customer.customer_id)?,
            found_profile(customer.profile_id.as_deref()),
        ),
    })
}

fn reach_of_client(caller: &MerchantOrClient) -> Result<Reach, ApiError> {
    match caller {
        MerchantOrClient::Merchant(_) => Ok(Reach::Merchant),
        MerchantOrClient::Client(client) => payer_of(&client.payment_id),
    }
}

fn reach_of_customer(caller: &MerchantOrCustomer) -> Result<Reach, ApiError> {
    match caller {
        MerchantOrCustomer::Merchant(_) => Ok(Reach::Merchant),
        MerchantOrCustomer::Customer(customer) => of_customer(&customer.customer_id),
    }
}

/// Returns the payment in checkout, if a client secret names one.
async fn checkout_of(
    rqctx: &RequestContext<Context>,
    merchant_id: &MerchantId,
    client_secret: Option<String>,
) -> Result<Option<Checkout>, ApiError> {
    let Some(secret) = client_secret else {
        return Ok(None);
    };
    let services = &rqctx.context().services;
    let found = services
        .payments
        .checkout_of_client_secret(merchant_id, &secret)
        .await;
    found.map(Some).map_err(api_error)
}

async fn listed(
    rqctx: &RequestContext<Context>,
    origin: Origin,
    request: ListMethods,
) -> ApiResult<types::SavedMethodList> {
    let asked_by = AskedBy::from_reach(&request.reach);
    let services = &rqctx.context().services;
    let listed = services.saved_methods.list(&origin, request).await;
    let listed = listed.map_err(api_error)?;
    let checkout = listed.checkout.as_ref();
    let surcharge = checkout.and_then(|checkout| checkout.surcharge.as_ref());
    let surcharge = surcharge.map(saved_method::surcharge);
    let answer = saved_method::list(&listed, surcharge.as_ref(), asked_by);
    Ok(JsonAnswer::new(answer))
}

/// Authentication checked these ids.
fn payer_of(payment_id: &str) -> Result<Reach, ApiError> {
    let payment_id = PaymentId::parse(payment_id).map_err(|_| not_found(Object::Payment))?;
    Ok(Reach::PayerOf(payment_id))
}

fn of_customer(of_key: &str) -> Result<Reach, ApiError> {
    customer_id(of_key).map(Reach::Customer)
}

fn customer_id(of_path: &str) -> Result<CustomerId, ApiError> {
    CustomerId::parse(of_path).map_err(|_| not_found(Object::Customer))
}

fn method_id(of_path: &str) -> Result<PaymentMethodId, ApiError> {
    PaymentMethodId::parse(of_path).map_err(|_| not_found(Object::PaymentMethod))
}
