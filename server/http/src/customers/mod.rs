//! The customers operations: translate, call, translate. Customers belong to the merchant: no profile narrows them.

pub mod convert;
pub(crate) mod mandates;
pub(crate) mod saved_methods;

use dropshot::RequestContext;
use multirail_api::customers::*;
use multirail_api::{
    ApiError, Caller, JsonAnswer, Merchant, MerchantOrCustomer, Path, Query, TypedBody,
};
use multirail_kernel::ids::CustomerId;
use multirail_kernel::refusal::{Object, Refusal};
use multirail_types as types;

use super::{Api, ApiResult, Context};
use crate::customers::convert::customer;
use crate::customers::convert::saved_method::AskedBy;
use crate::platform::errors::{api_error, refused};
use crate::platform::origin;
use crate::platform::scope::{merchant_id, not_found};

impl CustomersApi for Api {
    type Context = Context;

    async fn customers_create(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        body: TypedBody<Box<types::CustomerCreateRequest>>,
    ) -> ApiResult<types::Customer> {
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let request = customer::create(merchant_id, *body.into_inner()).map_err(refused)?;
        let origin = origin::merchant(&rqctx, &caller);
        let services = &rqctx.context().services;
        let made = services.customers.create(&origin, request).await;
        let made = made.map_err(api_error)?;
        Ok(JsonAnswer::new(customer::answer(&made)))
    }

    async fn customers_retrieve(
        rqctx: RequestContext<Context>,
        caller: Caller<MerchantOrCustomer>,
        path: Path<CustomersRetrievePath>,
    ) -> ApiResult<types::Customer> {
        let merchant_id = merchant_id(caller.merchant_id())?;
        let customer_id = customer_id(&path.into_inner().customer_id)?;
        let asked_by = match &*caller {
            MerchantOrCustomer::Merchant(_) => AskedBy::Merchant,
            MerchantOrCustomer::Customer(own) if own.customer_id == customer_id.as_str() => {
                AskedBy::Payer
            }
            MerchantOrCustomer::Customer(_) => return Err(refused(Refusal::NotThisCustomersKey)),
        };
        let services = &rqctx.context().services;
        let found = services
            .customers
            .retrieve(&merchant_id, &customer_id)
            .await;
        let found = found.map_err(api_error)?;
        let answer = customer::answer(&found);
        Ok(JsonAnswer::new(match asked_by {
            AskedBy::Merchant => answer,
            // The merchant's own notes about the customer are not for the customer.
            AskedBy::Payer => types::Customer {
                description: None,
                metadata: None,
                ..answer
            },
        }))
    }

    async fn customers_update(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<CustomersUpdatePath>,
        body: TypedBody<Box<types::CustomerUpdateRequest>>,
    ) -> ApiResult<types::Customer> {
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let customer_id = customer_id(&path.into_inner().customer_id)?;
        let said = customer::update(*body.into_inner()).map_err(refused)?;
        let origin = origin::merchant(&rqctx, &caller);
        let services = &rqctx.context().services;
        let updated = services
            .customers
            .update(&origin, &merchant_id, &customer_id, said);
        let updated = updated.await.map_err(api_error)?;
        Ok(JsonAnswer::new(customer::answer(&updated)))
    }

    async fn customers_delete(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<CustomersDeletePath>,
    ) -> ApiResult<types::CustomerDeleted> {
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let customer_id = customer_id(&path.into_inner().customer_id)?;
        let origin = origin::merchant(&rqctx, &caller);
        let services = &rqctx.context().services;
        let redacted = services
            .customers
            .redact(&origin, &merchant_id, &customer_id);
        let redacted = redacted.await.map_err(api_error)?;
        Ok(JsonAnswer::new(customer::deleted(&redacted)))
    }
}

impl CustomersApiLiterals for Api {
    type Context = Context;

    async fn customers_list(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        query: Query<CustomersListQuery>,
    ) -> ApiResult<Vec<types::Customer>> {
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let request = customer::list(query.into_inner()).map_err(refused)?;
        let services = &rqctx.context().services;
        let found = services.customers.list(&merchant_id, request).await;
        let found = found.map_err(api_error)?;
        Ok(JsonAnswer::new(
            found.iter().map(customer::answer).collect(),
        ))
    }
}

fn customer_id(of_path: &str) -> Result<CustomerId, ApiError> {
    CustomerId::parse(of_path).map_err(|_| not_found(Object::Customer))
}
