//! The operations on the catalogue of a profile's billing account, and estimates. Each translates the request, calls a
//! use case and translates the result.

use dropshot::RequestContext;
use multirail_api::billing::*;
use multirail_api::{Caller, JsonAnswer, Merchant, MerchantOrSubscriber, Path, Query, TypedBody};
use multirail_billing::app::catalogue::Listed;
use multirail_billing_domain::coupon::Coupon;
use multirail_billing_domain::item::Item;
use multirail_billing_domain::price::Price;
use multirail_billing_domain::product::Product;
use multirail_http::platform::errors::{api_error, refused};
use multirail_http::platform::origin;
use multirail_http::platform::scope::{profile_named, profile_named_by};
use multirail_http::{ApiResult, Context};
use multirail_types as types;

use super::convert::catalogue;
use super::{Api, BillingState};

impl BillingApi for Api {
    type Context = Context;

    async fn subscription_products_list(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        query: Query<SubscriptionProductsListQuery>,
    ) -> ApiResult<Vec<types::Product>> {
        let (merchant_id, profile_id) = profile_named(&caller)?;
        let SubscriptionProductsListQuery { limit, offset } = query.into_inner();
        let catalogue = &BillingState::services(&rqctx)?.catalogue;
        let found = catalogue.list(&merchant_id, &profile_id, catalogue::page(limit, offset));
        let found: Vec<Listed<Product>> = found.await.map_err(api_error)?;
        Ok(JsonAnswer::new(
            found
                .iter()
                .map(|(own, _)| catalogue::product_answer(own))
                .collect(),
        ))
    }

    async fn subscription_products_create(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        body: TypedBody<Box<types::ProductCreateRequest>>,
    ) -> ApiResult<types::Product> {
        let (merchant_id, profile_id) = profile_named(&caller)?;
        let request = catalogue::product(*body.into_inner()).map_err(refused)?;
        let origin = origin::merchant(&rqctx, &caller);
        let catalogue = &BillingState::services(&rqctx)?.catalogue;
        let made = catalogue.create_product(&origin, &merchant_id, &profile_id, request);
        let made = made.await.map_err(api_error)?;
        Ok(JsonAnswer::new(catalogue::product_answer(&made)))
    }

    async fn subscription_products_retrieve(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<SubscriptionProductsRetrievePath>,
    ) -> ApiResult<types::Product> {
        let (merchant_id, profile_id) = profile_named(&caller)?;
        let id = path.into_inner().product_id;
        let catalogue = &BillingState::services(&rqctx)?.catalogue;
        let found = catalogue.find(&merchant_id, &profile_id, &id);
        let found: Listed<Product> = found.await.map_err(api_error)?;
        Ok(JsonAnswer::new(catalogue::product_answer(&found.0)))
    }

    async fn subscription_products_archive(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<SubscriptionProductsArchivePath>,
    ) -> ApiResult<types::Product> {
        let (merchant_id, profile_id) = profile_named(&caller)?;
        let id = path.into_inner().product_id;
        let origin = origin::merchant(&rqctx, &caller);
        let catalogue = &BillingState::services(&rqctx)?.catalogue;
        let found = catalogue.archive(&origin, &merchant_id, &profile_id, &id);
        let found: Listed<Product> = found.await.map_err(api_error)?;
        Ok(JsonAnswer::new(catalogue::product_answer(&found.0)))
    }

    async fn subscription_items_list(
        rqctx: RequestContext<Context>,
        caller: Caller<MerchantOrSubscriber>,
        query: Query<SubscriptionItemsListQuery>,
    ) -> ApiResult<Vec<types::OfferedItem>> {
        let (merchant_id, profile_id) = profile_named_by(&caller)?;
        let request = catalogue::items_query(query.into_inner()).map_err(refused)?;
        let catalogue = &BillingState::services(&rqctx)?.catalogue;
        let found = catalogue.offered(&merchant_id, &profile_id, request);
        let found = found.await.map_err(api_error)?;
        Ok(JsonAnswer::new(
            found.iter().map(catalogue::offered).collect(),
        ))
    }

    async fn subscription_items_create(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        body: TypedBody<Box<types::SubscriptionItemCreateRequest>>,
    ) -> ApiResult<types::SubscriptionItem> {
        let (merchant_id, profile_id) = profile_named(&caller)?;
        let request = catalogue::item(*body.into_inner()).map_err(refused)?;
        let origin = origin::merchant(&rqctx, &caller);
        let catalogue = &BillingState::services(&rqctx)?.catalogue;
        let made = catalogue.create_item(&origin, &merchant_id, &profile_id, request);
        let made = made.await.map_err(api_error)?;
        Ok(JsonAnswer::new(catalogue::item_answer(&made)))
    }

    async fn subscription_items_retrieve(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<SubscriptionItemsRetrievePath>,
    ) -> ApiResult<types::SubscriptionItem> {
        let (merchant_id, profile_id) = profile_named(&caller)?;
        let id = path.into_inner().item_id;
        let catalogue = &BillingState::services(&rqctx)?.catalogue;
        let found = catalogue.find(&merchant_id, &profile_id, &id);
        let found: Listed<Item> = found.await.map_err(api_error)?;
        Ok(JsonAnswer::new(catalogue::item_answer(&found.0)))
    }

    async fn subscription_items_archive(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<SubscriptionItemsArchivePath>,
    ) -> ApiResult<types::SubscriptionItem> {
        let (merchant_id, profile_id) = profile_named(&caller)?;
        let id = path.into_inner().item_id;
        let origin = origin::merchant(&rqctx, &caller);
        let catalogue = &BillingState::services(&rqctx)?.catalogue;
        let found = catalogue.archive(&origin, &merchant_id, &profile_id, &id);
        let found: Listed<Item> = found.await.map_err(api_error)?;
        Ok(JsonAnswer::new(catalogue::item_answer(&found.0)))
    }

    async fn subscription_item_prices_list(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        query: Query<SubscriptionItemPricesListQuery>,
    ) -> ApiResult<Vec<types::ItemPrice>> {
        let (merchant_id, profile_id) = profile_named(&caller)?;
        let query = query.into_inner();
        let catalogue = &BillingState::services(&rqctx)?.catalogue;
        let found = catalogue.list(&merchant_id, &profile_id, catalogue::prices_query(query));
        let found: Vec<Listed<Price>> = found.await.map_err(api_error)?;
        Ok(JsonAnswer::new(
            found
                .iter()
                .map(|(own, _)| catalogue::price_answer(own))
                .collect(),
        ))
    }

    async fn subscription_item_prices_create(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        body: TypedBody<Box<types::ItemPriceCreateRequest>>,
    ) -> ApiResult<types::ItemPrice> {
        let (merchant_id, profile_id) = profile_named(&caller)?;
        let (item_id, id, request) = catalogue::price(*body.into_inner()).map_err(refused)?;
        let origin = origin::merchant(&rqctx, &caller);
        let catalogue = &BillingState::services(&rqctx)?.catalogue;
        let made =
            catalogue.create_price(&origin, &merchant_id, &profile_id, &item_id, id, request);
        let made = made.await.map_err(api_error)?;
        Ok(JsonAnswer::new(catalogue::price_answer(&made)))
    }

    async fn subscription_item_prices_retrieve(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<SubscriptionItemPricesRetrievePath>,
    ) -> ApiResult<types::ItemPrice> {
        let (merchant_id, profile_id) = profile_named(&caller)?;
        let id = path.into_inner().item_price_id;
        let catalogue = &BillingState::services(&rqctx)?.catalogue;
        let found = catalogue.find(&merchant_id, &profile_id, &id);
        let found: Listed<Price> = found.await.map_err(api_error)?;
        Ok(JsonAnswer::new(catalogue::price_answer(&found.0)))
    }

    async fn subscription_item_prices_archive(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<SubscriptionItemPricesArchivePath>,
    ) -> ApiResult<types::ItemPrice> {
        let (merchant_id, profile_id) = profile_named(&caller)?;
        let id = path.into_inner().item_price_id;
        let origin = origin::merchant(&rqctx, &caller);
        let catalogue = &BillingState::services(&rqctx)?.catalogue;
        let found = catalogue.archive(&origin, &merchant_id, &profile_id, &id);
        let found: Listed<Price> = found.await.map_err(api_error)?;
        Ok(JsonAnswer::new(catalogue::price_answer(&found.0)))
    }

    async fn subscription_coupons_list(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        query: Query<SubscriptionCouponsListQuery>,
    ) -> ApiResult<Vec<types::Coupon>> {
        let (merchant_id, profile_id) = profile_named(&caller)?;
        let SubscriptionCouponsListQuery { limit, offset } = query.into_inner();
        let catalogue = &BillingState::services(&rqctx)?.catalogue;
        let found = catalogue.list(&merchant_id, &profile_id, catalogue::page(limit, offset));
        let found: Vec<Listed<Coupon>> = found.await.map_err(api_error)?;
        Ok(JsonAnswer::new(
            found
                .iter()
                .map(|(own, redemptions)| catalogue::coupon_answer(own, *redemptions))
                .collect(),
        ))
    }

    async fn subscription_coupons_create(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        body: TypedBody<Box<types::CouponCreateRequest>>,
    ) -> ApiResult<types::Coupon> {
        let (merchant_id, profile_id) = profile_named(&caller)?;
        let request = catalogue::coupon(*body.into_inner()).map_err(refused)?;
        let origin = origin::merchant(&rqctx, &caller);
        let catalogue = &BillingState::services(&rqctx)?.catalogue;
        let made = catalogue.create_coupon(&origin, &merchant_id, &profile_id, request);
        let made = made.await.map_err(api_error)?;
        Ok(JsonAnswer::new(catalogue::coupon_answer(&made, 0)))
    }

    async fn subscription_coupons_retrieve(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<SubscriptionCouponsRetrievePath>,
    ) -> ApiResult<types::Coupon> {
        let (merchant_id, profile_id) = profile_named(&caller)?;
        let id = path.into_inner().coupon_code;
        let catalogue = &BillingState::services(&rqctx)?.catalogue;
        let found = catalogue.find(&merchant_id, &profile_id, &id);
        let found: Listed<Coupon> = found.await.map_err(api_error)?;
        Ok(JsonAnswer::new(catalogue::coupon_answer(&found.0, found.1)))
    }

    async fn subscription_coupons_archive(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<SubscriptionCouponsArchivePath>,
    ) -> ApiResult<types::Coupon> {
        let (merchant_id, profile_id) = profile_named(&caller)?;
        let id = path.into_inner().coupon_code;
        let origin = origin::merchant(&rqctx, &caller);
        let catalogue = &BillingState::services(&rqctx)?.catalogue;
        let found = catalogue.archive(&origin, &merchant_id, &profile_id, &id);
        let found: Listed<Coupon> = found.await.map_err(api_error)?;
        Ok(JsonAnswer::new(catalogue::coupon_answer(&found.0, found.1)))
    }

    async fn subscription_estimate(
        rqctx: RequestContext<Context>,
        caller: Caller<MerchantOrSubscriber>,
        query: Query<SubscriptionEstimateQuery>,
    ) -> ApiResult<types::SubscriptionEstimate> {
        let (merchant_id, profile_id) = profile_named_by(&caller)?;
        let request = catalogue::estimate_query(query.into_inner()).map_err(refused)?;
        let catalogue = &BillingState::services(&rqctx)?.catalogue;
        let estimate = catalogue.estimate(&merchant_id, &profile_id, request);
        let estimate = estimate.await.map_err(api_error)?;
        let customer_id = match &*caller {
            MerchantOrSubscriber::Merchant(_) => None,
            MerchantOrSubscriber::Subscriber(subscriber) => Some(subscriber.customer_id.clone()),
        };
        Ok(JsonAnswer::new(types::SubscriptionEstimate {
            customer_id,
            ..catalogue::estimate(&estimate)
        }))
    }
}
