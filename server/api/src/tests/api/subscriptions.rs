//! Subscriptions, and their plans.

use dropshot::RequestContext;

use super::{Notes, TestApi, example};
use crate::*;

impl subscriptions::SubscriptionsApi for TestApi {
    type Context = Notes;

    methods! {
        subscriptions_create_and_confirm(
            caller: Caller<Merchant>,
            body: TypedBody<Box<types::SubscriptionCreateAndConfirmRequest>>
        ) -> types::Subscription;
        subscriptions_list(
            caller: Caller<Merchant>,
            query: Query<subscriptions::SubscriptionsListQuery>
        ) -> Vec<types::Subscription>;
        subscriptions_retrieve(
            caller: Caller<Merchant>,
            path: Path<subscriptions::SubscriptionsRetrievePath>
        ) -> types::Subscription;
        subscriptions_confirm(
            caller: Caller<MerchantOrSubscriber>,
            path: Path<subscriptions::SubscriptionsConfirmPath>,
            body: TypedBody<Box<types::SubscriptionConfirmRequest>>
        ) -> types::Subscription;
        subscriptions_update(
            caller: Caller<Merchant>,
            path: Path<subscriptions::SubscriptionsUpdatePath>,
            body: TypedBody<Box<types::SubscriptionUpdateRequest>>
        ) -> types::Subscription;
        subscriptions_pause(
            caller: Caller<Merchant>,
            path: Path<subscriptions::SubscriptionsPausePath>,
            body: TypedBody<Box<types::SubscriptionPauseRequest>>
        ) -> types::SubscriptionPaused;
        subscriptions_resume(
            caller: Caller<Merchant>,
            path: Path<subscriptions::SubscriptionsResumePath>,
            body: TypedBody<Box<types::SubscriptionResumeRequest>>
        ) -> types::SubscriptionResumed;
        subscriptions_cancel(
            caller: Caller<Merchant>,
            path: Path<subscriptions::SubscriptionsCancelPath>,
            body: TypedBody<Box<types::SubscriptionCancelRequest>>
        ) -> types::SubscriptionCancelled;
        subscriptions_refund_credit(
            caller: Caller<Merchant>,
            path: Path<subscriptions::SubscriptionsRefundCreditPath>
        ) -> types::SubscriptionCancelled;
        subscriptions_list_invoices(
            caller: Caller<Merchant>,
            path: Path<subscriptions::SubscriptionsListInvoicesPath>,
            query: Query<subscriptions::SubscriptionsListInvoicesQuery>
        ) -> Vec<types::Invoice>;
        subscriptions_retrieve_invoice(
            caller: Caller<Merchant>,
            path: Path<subscriptions::SubscriptionsRetrieveInvoicePath>
        ) -> types::Invoice;
        subscriptions_void_invoice(
            caller: Caller<Merchant>,
            path: Path<subscriptions::SubscriptionsVoidInvoicePath>
        ) -> types::Invoice;
        subscriptions_collect_invoice(
            caller: Caller<Merchant>,
            path: Path<subscriptions::SubscriptionsCollectInvoicePath>
        ) -> types::Invoice;
    }
}

impl subscriptions::SubscriptionsApiLiterals for TestApi {
    type Context = Notes;

    methods! {
        subscriptions_create(
            caller: Caller<Merchant>,
            body: TypedBody<Box<types::SubscriptionCreateRequest>>
        ) -> types::Subscription;
    }
}

impl user_subscriptions::UserSubscriptionsApi for TestApi {
    type Context = Notes;

    methods! {
        user_subscriptions_list(
            caller: Caller<User>,
            query: Query<user_subscriptions::UserSubscriptionsListQuery>
        ) -> Vec<types::Subscription>;
        user_subscriptions_retrieve(
            caller: Caller<User>,
            path: Path<user_subscriptions::UserSubscriptionsRetrievePath>
        ) -> types::Subscription;
        user_subscriptions_list_invoices(
            caller: Caller<User>,
            path: Path<user_subscriptions::UserSubscriptionsListInvoicesPath>,
            query: Query<user_subscriptions::UserSubscriptionsListInvoicesQuery>
        ) -> Vec<types::Invoice>;
        user_subscriptions_estimate(
            caller: Caller<User>,
            path: Path<user_subscriptions::UserSubscriptionsEstimatePath>,
            query: Query<user_subscriptions::UserSubscriptionsEstimateQuery>
        ) -> types::UserSubscriptionEstimate;
        user_subscriptions_update(
            caller: Caller<User>,
            path: Path<user_subscriptions::UserSubscriptionsUpdatePath>,
            body: TypedBody<Box<types::SubscriptionUpdateRequest>>
        ) -> types::Subscription;
        user_subscriptions_pause(
            caller: Caller<User>,
            path: Path<user_subscriptions::UserSubscriptionsPausePath>,
            body: TypedBody<Box<types::SubscriptionPauseRequest>>
        ) -> types::SubscriptionPaused;
        user_subscriptions_resume(
            caller: Caller<User>,
            path: Path<user_subscriptions::UserSubscriptionsResumePath>,
            body: TypedBody<Box<types::SubscriptionResumeRequest>>
        ) -> types::SubscriptionResumed;
        user_subscriptions_cancel(
            caller: Caller<User>,
            path: Path<user_subscriptions::UserSubscriptionsCancelPath>,
            body: TypedBody<Box<types::SubscriptionCancelRequest>>
        ) -> types::SubscriptionCancelled;
        user_subscriptions_refund_credit(
            caller: Caller<User>,
            path: Path<user_subscriptions::UserSubscriptionsRefundCreditPath>
        ) -> types::SubscriptionCancelled;
        user_subscriptions_void_invoice(
            caller: Caller<User>,
            path: Path<user_subscriptions::UserSubscriptionsVoidInvoicePath>
        ) -> types::Invoice;
        user_subscriptions_collect_invoice(
            caller: Caller<User>,
            path: Path<user_subscriptions::UserSubscriptionsCollectInvoicePath>
        ) -> types::Invoice;
    }
}

impl billing::BillingApi for TestApi {
    type Context = Notes;

    methods! {
        subscription_products_list(
            caller: Caller<Merchant>,
            query: Query<billing::SubscriptionProductsListQuery>
        ) -> Vec<types::Product>;
        subscription_products_create(
            caller: Caller<Merchant>,
            body: TypedBody<Box<types::ProductCreateRequest>>
        ) -> types::Product;
        subscription_products_retrieve(
            caller: Caller<Merchant>,
            path: Path<billing::SubscriptionProductsRetrievePath>
        ) -> types::Product;
        subscription_products_archive(
            caller: Caller<Merchant>,
            path: Path<billing::SubscriptionProductsArchivePath>
        ) -> types::Product;
        subscription_items_list(
            caller: Caller<MerchantOrSubscriber>,
            query: Query<billing::SubscriptionItemsListQuery>
        ) -> Vec<types::OfferedItem>;
        subscription_items_create(
            caller: Caller<Merchant>,
            body: TypedBody<Box<types::SubscriptionItemCreateRequest>>
        ) -> types::SubscriptionItem;
        subscription_items_retrieve(
            caller: Caller<Merchant>,
            path: Path<billing::SubscriptionItemsRetrievePath>
        ) -> types::SubscriptionItem;
        subscription_items_archive(
            caller: Caller<Merchant>,
            path: Path<billing::SubscriptionItemsArchivePath>
        ) -> types::SubscriptionItem;
        subscription_item_prices_list(
            caller: Caller<Merchant>,
            query: Query<billing::SubscriptionItemPricesListQuery>
        ) -> Vec<types::ItemPrice>;
        subscription_item_prices_create(
            caller: Caller<Merchant>,
            body: TypedBody<Box<types::ItemPriceCreateRequest>>
        ) -> types::ItemPrice;
        subscription_item_prices_retrieve(
            caller: Caller<Merchant>,
            path: Path<billing::SubscriptionItemPricesRetrievePath>
        ) -> types::ItemPrice;
        subscription_item_prices_archive(
            caller: Caller<Merchant>,
            path: Path<billing::SubscriptionItemPricesArchivePath>
        ) -> types::ItemPrice;
        subscription_coupons_list(
            caller: Caller<Merchant>,
            query: Query<billing::SubscriptionCouponsListQuery>
        ) -> Vec<types::Coupon>;
        subscription_coupons_create(
            caller: Caller<Merchant>,
            body: TypedBody<Box<types::CouponCreateRequest>>
        ) -> types::Coupon;
        subscription_coupons_retrieve(
            caller: Caller<Merchant>,
            path: Path<billing::SubscriptionCouponsRetrievePath>
        ) -> types::Coupon;
        subscription_coupons_archive(
            caller: Caller<Merchant>,
            path: Path<billing::SubscriptionCouponsArchivePath>
        ) -> types::Coupon;
        subscription_estimate(
            caller: Caller<MerchantOrSubscriber>,
            query: Query<billing::SubscriptionEstimateQuery>
        ) -> types::SubscriptionEstimate;
    }
}
