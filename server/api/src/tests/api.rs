//! An implementation of every trait that answers with the document's own examples and notes what reached it.

use dropshot::{Path, Query, RequestContext, TypedBody};
use serde::de::DeserializeOwned;

use super::server::Notes;
use crate::schema::{document, resolve};
use crate::*;

pub struct TestApi;

/// The first example of an operation's 200 answer.
pub fn example<T: DeserializeOwned>(id: &str) -> T {
    let info = OPERATIONS.iter().find(|info| info.id == id).unwrap();
    let operation = &document()["paths"][info.path][info.method.as_str().to_lowercase()];
    let media = &operation["responses"]["200"]["content"]["application/json"];
    let first = resolve(
        media["examples"]
            .as_object()
            .unwrap()
            .values()
            .next()
            .unwrap(),
    );
    serde_json::from_value(first["value"].clone()).unwrap()
}

macro_rules! methods {
    ($($method:ident($($argument:ident: $kind:ty),*) -> $answer:ty;)*) => {
        $(async fn $method(
            rqctx: RequestContext<Notes>,
            $($argument: $kind),*
        ) -> Result<JsonAnswer<$answer>, ApiError> {
            #[allow(unused_mut)]
            let mut line = stringify!($method).to_owned();
            $(line.push_str(&format!(" {:?}", $argument.into_inner()));)*
            rqctx.context().lock().unwrap().push(line);
            Ok(JsonAnswer::of(example(stringify!($method))))
        })*
    };
}

impl payments::PaymentsApi for TestApi {
    type Context = Notes;

    methods! {
        payments_create(caller: Caller<Merchant>, body: TypedBody<Box<types::PaymentCreateRequest>>) -> types::Payment;
        payments_retrieve(
            caller: Caller<MerchantOrClient>,
            path: Path<payments::PaymentsRetrievePath>,
            query: Query<payments::PaymentsRetrieveQuery>
        ) -> types::Payment;
        payments_update(
            caller: Caller<MerchantOrClient>,
            path: Path<payments::PaymentsUpdatePath>,
            body: TypedBody<Box<types::PaymentUpdateRequest>>
        ) -> types::Payment;
        payments_confirm(
            caller: Caller<MerchantOrClient>,
            path: Path<payments::PaymentsConfirmPath>,
            body: TypedBody<Box<types::PaymentConfirmRequest>>
        ) -> types::Payment;
        payments_complete_authorize(
            caller: Caller<MerchantOrClient>,
            path: Path<payments::PaymentsCompleteAuthorizePath>,
            body: TypedBody<Box<types::PaymentCompleteAuthorizeRequest>>
        ) -> types::Payment;
        payments_capture(
            caller: Caller<Merchant>,
            path: Path<payments::PaymentsCapturePath>,
            body: TypedBody<Box<types::PaymentCaptureRequest>>
        ) -> types::Payment;
        payments_cancel_post_capture(
            caller: Caller<Merchant>,
            path: Path<payments::PaymentsCancelPostCapturePath>,
            body: TypedBody<Box<types::PaymentCancelPostCaptureRequest>>
        ) -> types::Payment;
        payments_approve(
            caller: Caller<Merchant>,
            path: Path<payments::PaymentsApprovePath>
        ) -> types::Payment;
        payments_reject(
            caller: Caller<Merchant>,
            path: Path<payments::PaymentsRejectPath>
        ) -> types::Payment;
        payments_incremental_authorization(
            caller: Caller<Merchant>,
            path: Path<payments::PaymentsIncrementalAuthorizationPath>,
            body: TypedBody<Box<types::PaymentIncrementalAuthorizationRequest>>
        ) -> types::Payment;
        payments_update_metadata(
            caller: Caller<Merchant>,
            path: Path<payments::PaymentsUpdateMetadataPath>,
            body: TypedBody<Box<types::PaymentMetadataUpdateRequest>>
        ) -> types::PaymentMetadata;
    }

    async fn payments_cancel(
        _: RequestContext<Notes>,
        _: Caller<Merchant>,
        _: Path<payments::PaymentsCancelPath>,
        _: TypedBody<Box<types::PaymentCancelRequest>>,
    ) -> Result<JsonAnswer<types::Payment>, ApiError> {
        panic!("cancel panics in these tests");
    }
}

impl payments::PaymentsApiLiterals for TestApi {
    type Context = Notes;

    methods! {
        payments_list(caller: Caller<Merchant>, query: Query<payments::PaymentsListQuery>) -> types::PaymentList;
        payments_session_tokens(
            caller: Caller<Client>,
            body: TypedBody<Box<types::SessionTokensRequest>>
        ) -> types::SessionTokens;
        payments_filter(
            caller: Caller<Merchant>,
            body: TypedBody<Box<types::PaymentFilterRequest>>
        ) -> types::PaymentFilterResponse;
    }
}

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

impl refunds::RefundsApi for TestApi {
    type Context = Notes;

    methods! {
        refunds_create(caller: Caller<Merchant>, body: TypedBody<Box<types::RefundCreateRequest>>) -> types::Refund;
        refunds_retrieve(
            caller: Caller<Merchant>,
            path: Path<refunds::RefundsRetrievePath>,
            query: Query<refunds::RefundsRetrieveQuery>
        ) -> types::Refund;
        refunds_update(
            caller: Caller<Merchant>,
            path: Path<refunds::RefundsUpdatePath>,
            body: TypedBody<Box<types::RefundUpdateRequest>>
        ) -> types::Refund;
    }
}

impl refunds::RefundsApiLiterals for TestApi {
    type Context = Notes;

    methods! {
        refunds_list(caller: Caller<Merchant>, body: TypedBody<Box<types::RefundListRequest>>) -> types::RefundList;
    }
}

impl customers::CustomersApi for TestApi {
    type Context = Notes;

    methods! {
        customers_create(
            caller: Caller<Merchant>,
            body: TypedBody<Box<types::CustomerCreateRequest>>
        ) -> types::Customer;
        customers_retrieve(
            caller: Caller<MerchantOrCustomer>,
            path: Path<customers::CustomersRetrievePath>
        ) -> types::Customer;
        customers_update(
            caller: Caller<Merchant>,
            path: Path<customers::CustomersUpdatePath>,
            body: TypedBody<Box<types::CustomerUpdateRequest>>
        ) -> types::Customer;
        customers_delete(
            caller: Caller<Merchant>,
            path: Path<customers::CustomersDeletePath>
        ) -> types::CustomerDeleted;
    }
}

impl customers::CustomersApiLiterals for TestApi {
    type Context = Notes;

    methods! {
        customers_list(
            caller: Caller<Merchant>,
            query: Query<customers::CustomersListQuery>
        ) -> Vec<types::Customer>;
    }
}

impl mandates::MandatesApi for TestApi {
    type Context = Notes;

    methods! {
        mandates_retrieve(
            caller: Caller<Merchant>,
            path: Path<mandates::MandatesRetrievePath>
        ) -> types::Mandate;
        customer_mandates_list(
            caller: Caller<Merchant>,
            path: Path<mandates::CustomerMandatesListPath>,
            query: Query<mandates::CustomerMandatesListQuery>
        ) -> Vec<types::Mandate>;
    }
}

impl mandates::MandatesApiLiterals for TestApi {
    type Context = Notes;

    methods! {
        mandates_list(
            caller: Caller<Merchant>,
            query: Query<mandates::MandatesListQuery>
        ) -> Vec<types::Mandate>;
        mandates_revoke(
            caller: Caller<Merchant>,
            path: Path<mandates::MandatesRevokePath>
        ) -> types::MandateRevoked;
    }
}

impl routing::RoutingApi for TestApi {
    type Context = Notes;

    methods! {
        routing_list(
            caller: Caller<Merchant>,
            query: Query<routing::RoutingListQuery>
        ) -> types::RoutingDictionary;
        routing_create(
            caller: Caller<Merchant>,
            body: TypedBody<Box<types::RoutingCreateRequest>>
        ) -> types::RoutingRecord;
        routing_retrieve(
            caller: Caller<Merchant>,
            path: Path<routing::RoutingRetrievePath>
        ) -> types::RoutingConfiguration;
        routing_activate(
            caller: Caller<Merchant>,
            path: Path<routing::RoutingActivatePath>,
            body: TypedBody<Box<types::RoutingActivateRequest>>
        ) -> types::RoutingRecord;
    }
}

impl routing::RoutingApiLiterals for TestApi {
    type Context = Notes;

    methods! {
        routing_active(
            caller: Caller<Merchant>,
            query: Query<routing::RoutingActiveQuery>
        ) -> types::RoutingActive;
        routing_deactivate(
            caller: Caller<Merchant>,
            body: TypedBody<Box<types::RoutingDeactivateRequest>>
        ) -> types::RoutingRecord;
        routing_evaluate(
            caller: Caller<Merchant>,
            body: TypedBody<Box<types::RoutingEvaluateRequest>>
        ) -> types::RoutingEvaluation;
        routing_default_retrieve(
            caller: Caller<Merchant>,
            query: Query<routing::RoutingDefaultRetrieveQuery>
        ) -> Vec<types::RoutableConnector>;
        routing_default_update(
            caller: Caller<Merchant>,
            query: Query<routing::RoutingDefaultUpdateQuery>,
            body: TypedBody<Box<types::RoutingDefaultRequest>>
        ) -> Vec<types::RoutableConnector>;
        routing_default_list(
            caller: Caller<Merchant>,
            query: Query<routing::RoutingDefaultListQuery>
        ) -> Vec<types::ProfileDefaultRouting>;
        routing_default_update_of_profile(
            caller: Caller<Merchant>,
            path: Path<routing::RoutingDefaultUpdateOfProfilePath>,
            query: Query<routing::RoutingDefaultUpdateOfProfileQuery>,
            body: TypedBody<Box<types::RoutingDefaultRequest>>
        ) -> types::ProfileDefaultRouting;
    }
}

impl saved_methods::SavedMethodsApiLiterals for TestApi {
    type Context = Notes;

    methods! {
        payer_payment_methods_list(
            caller: Caller<Client>,
            query: Query<saved_methods::PayerPaymentMethodsListQuery>
        ) -> types::SavedMethodList;
    }
}

impl saved_methods::SavedMethodsApi for TestApi {
    type Context = Notes;

    methods! {
        customer_payment_methods_list(
            caller: Caller<MerchantOrPayer>,
            path: Path<saved_methods::CustomerPaymentMethodsListPath>,
            query: Query<saved_methods::CustomerPaymentMethodsListQuery>
        ) -> types::SavedMethodList;
        account_payment_methods_list(
            caller: Caller<MerchantOrClient>,
            query: Query<saved_methods::AccountPaymentMethodsListQuery>
        ) -> types::OfferedMethods;
        payment_methods_set_default(
            caller: Caller<MerchantOrCustomer>,
            path: Path<saved_methods::PaymentMethodsSetDefaultPath>
        ) -> types::CustomerDefaultMethod;
        payment_methods_create(
            caller: Caller<MerchantOrClient>,
            body: TypedBody<Box<types::SavedMethodCreateRequest>>
        ) -> types::SavedMethod;
        payment_methods_retrieve(
            caller: Caller<Merchant>,
            path: Path<saved_methods::PaymentMethodsRetrievePath>
        ) -> types::SavedMethod;
        payment_methods_delete(
            caller: Caller<MerchantOrCustomer>,
            path: Path<saved_methods::PaymentMethodsDeletePath>
        ) -> types::SavedMethodDeleted;
        payment_methods_update(
            caller: Caller<MerchantOrClient>,
            path: Path<saved_methods::PaymentMethodsUpdatePath>,
            body: TypedBody<Box<types::SavedMethodUpdateRequest>>
        ) -> types::SavedMethod;
        ephemeral_keys_create(
            caller: Caller<Merchant>,
            body: TypedBody<Box<types::EphemeralKeyCreateRequest>>
        ) -> types::EphemeralKey;
    }
}

impl disputes::DisputesApi for TestApi {
    type Context = Notes;

    methods! {
        disputes_retrieve(
            caller: Caller<Merchant>,
            path: Path<disputes::DisputesRetrievePath>,
            query: Query<disputes::DisputesRetrieveQuery>
        ) -> types::Dispute;
    }
}

impl disputes::DisputesApiLiterals for TestApi {
    type Context = Notes;

    methods! {
        disputes_list(caller: Caller<Merchant>, query: Query<disputes::DisputesListQuery>) -> Vec<types::Dispute>;
        disputes_profile_list(
            caller: Caller<Merchant>,
            query: Query<disputes::DisputesProfileListQuery>
        ) -> Vec<types::Dispute>;
        disputes_accept(caller: Caller<Merchant>, path: Path<disputes::DisputesAcceptPath>) -> types::Dispute;
        disputes_challenge(
            caller: Caller<Merchant>,
            body: TypedBody<Box<types::DisputeChallengeRequest>>
        ) -> types::Dispute;
        disputes_fetch(
            caller: Caller<Merchant>,
            path: Path<disputes::DisputesFetchPath>,
            query: Query<disputes::DisputesFetchQuery>
        ) -> Vec<types::Dispute>;
        disputes_retrieve_evidence(
            caller: Caller<Merchant>,
            path: Path<disputes::DisputesRetrieveEvidencePath>
        ) -> types::DisputeEvidence;
        disputes_delete_evidence(
            caller: Caller<Merchant>,
            path: Path<disputes::DisputesDeleteEvidencePath>,
            query: Query<disputes::DisputesDeleteEvidenceQuery>
        ) -> types::DisputeEvidence;
    }

    async fn disputes_attach(
        rqctx: RequestContext<Notes>,
        _caller: Caller<Merchant>,
        query: Query<disputes::DisputesAttachQuery>,
        body: RawBody,
    ) -> Result<JsonAnswer<types::DisputeFileAttached>, ApiError> {
        let line = format!("disputes_attach {:?} {:?}", query.into_inner(), body.bytes);
        rqctx.context().lock().unwrap().push(line);
        Ok(JsonAnswer::of(example("disputes_attach")))
    }
}

impl connector_accounts::ConnectorAccountsApi for TestApi {
    type Context = Notes;

    methods! {
        connector_accounts_list(
            caller: Caller<Merchant>,
            path: Path<connector_accounts::ConnectorAccountsListPath>
        ) -> Vec<types::ConnectorAccountListItem>;
        connector_accounts_create(
            caller: Caller<AdminOrMerchant>,
            path: Path<connector_accounts::ConnectorAccountsCreatePath>,
            body: TypedBody<Box<types::ConnectorAccountCreateRequest>>
        ) -> types::ConnectorAccount;
        connector_accounts_retrieve(
            caller: Caller<AdminOrMerchant>,
            path: Path<connector_accounts::ConnectorAccountsRetrievePath>
        ) -> types::ConnectorAccount;
        connector_accounts_update(
            caller: Caller<AdminOrMerchant>,
            path: Path<connector_accounts::ConnectorAccountsUpdatePath>,
            body: TypedBody<Box<types::ConnectorAccountUpdateRequest>>
        ) -> types::ConnectorAccount;
        connector_accounts_check(
            caller: Caller<AdminOrMerchant>,
            path: Path<connector_accounts::ConnectorAccountsCheckPath>
        ) -> types::ConnectorAccountCheck;
        connector_accounts_delete(
            caller: Caller<AdminOrUser>,
            path: Path<connector_accounts::ConnectorAccountsDeletePath>
        ) -> types::ConnectorAccountDeleted;
    }
}

impl organizations::OrganizationsApi for TestApi {
    type Context = Notes;

    methods! {
        organizations_create(
            caller: Caller<Admin>,
            body: TypedBody<Box<types::OrganizationCreateRequest>>
        ) -> types::Organization;
        organizations_retrieve(
            caller: Caller<AdminOrUser>,
            path: Path<organizations::OrganizationsRetrievePath>
        ) -> types::Organization;
        organizations_update(
            caller: Caller<AdminOrUser>,
            path: Path<organizations::OrganizationsUpdatePath>,
            body: TypedBody<Box<types::OrganizationUpdateRequest>>
        ) -> types::Organization;
        organization_accounts_list(
            caller: Caller<AdminOrUser>,
            path: Path<organizations::OrganizationAccountsListPath>,
            query: Query<organizations::OrganizationAccountsListQuery>
        ) -> Vec<types::OrganizationAccount>;
    }
}

impl merchant_accounts::MerchantAccountsApi for TestApi {
    type Context = Notes;

    methods! {
        merchant_accounts_create(
            caller: Caller<Admin>,
            body: TypedBody<Box<types::MerchantAccountCreateRequest>>
        ) -> types::MerchantAccount;
        merchant_accounts_retrieve(
            caller: Caller<AdminOrMerchant>,
            path: Path<merchant_accounts::MerchantAccountsRetrievePath>
        ) -> types::MerchantAccount;
        merchant_accounts_update(
            caller: Caller<AdminOrUser>,
            path: Path<merchant_accounts::MerchantAccountsUpdatePath>,
            body: TypedBody<Box<types::MerchantAccountUpdateRequest>>
        ) -> types::MerchantAccount;
        merchant_accounts_delete(
            caller: Caller<Admin>,
            path: Path<merchant_accounts::MerchantAccountsDeletePath>,
            query: Query<merchant_accounts::MerchantAccountsDeleteQuery>
        ) -> types::MerchantAccountDeleted;
    }
}

impl business_profiles::BusinessProfilesApi for TestApi {
    type Context = Notes;

    methods! {
        business_profiles_list(
            caller: Caller<AdminOrMerchant>,
            path: Path<business_profiles::BusinessProfilesListPath>
        ) -> Vec<types::BusinessProfile>;
        business_profiles_create(
            caller: Caller<AdminOrMerchant>,
            path: Path<business_profiles::BusinessProfilesCreatePath>,
            body: TypedBody<Box<types::BusinessProfileCreateRequest>>
        ) -> types::BusinessProfile;
        business_profiles_retrieve(
            caller: Caller<AdminOrMerchant>,
            path: Path<business_profiles::BusinessProfilesRetrievePath>
        ) -> types::BusinessProfile;
        business_profiles_update(
            caller: Caller<AdminOrMerchant>,
            path: Path<business_profiles::BusinessProfilesUpdatePath>,
            body: TypedBody<Box<types::BusinessProfileUpdateRequest>>
        ) -> types::BusinessProfile;
        business_profiles_rotate_webhook_secret(
            caller: Caller<AdminOrMerchant>,
            path: Path<business_profiles::BusinessProfilesRotateWebhookSecretPath>,
            body: TypedBody<Box<types::WebhookSecretRotateRequest>>
        ) -> types::BusinessProfile;
        business_profiles_resume_webhook_delivery(
            caller: Caller<AdminOrMerchant>,
            path: Path<business_profiles::BusinessProfilesResumeWebhookDeliveryPath>
        ) -> types::BusinessProfile;
    }
}

impl events::EventsApi for TestApi {
    type Context = Notes;

    methods! {
        events_list(
            caller: Caller<AdminOrUser>,
            path: Path<events::EventsListPath>,
            body: TypedBody<Box<types::EventListRequest>>
        ) -> types::EventList;
        events_attempts(
            caller: Caller<AdminOrUser>,
            path: Path<events::EventsAttemptsPath>
        ) -> Vec<types::DeliveryAttempt>;
        events_retry(caller: Caller<AdminOrUser>, path: Path<events::EventsRetryPath>) -> types::DeliveryAttempt;
    }
}

impl events::EventsApiLiterals for TestApi {
    type Context = Notes;

    methods! {
        events_replay(
            caller: Caller<Admin>,
            path: Path<events::EventsReplayPath>,
            body: TypedBody<Box<types::EventReplayRequest>>
        ) -> types::EventReplay;
    }
}

impl events::EventsApiLiterals2 for TestApi {
    type Context = Notes;

    methods! {
        events_profile_list(
            caller: Caller<User>,
            body: TypedBody<Box<types::EventListRequest>>
        ) -> types::EventList;
    }
}

impl api_keys::ApiKeysApi for TestApi {
    type Context = Notes;

    methods! {
        api_keys_create(
            caller: Caller<AdminOrUser>,
            path: Path<api_keys::ApiKeysCreatePath>,
            body: TypedBody<Box<types::ApiKeyCreateRequest>>
        ) -> types::ApiKeyCreated;
        api_keys_retrieve(caller: Caller<AdminOrUser>, path: Path<api_keys::ApiKeysRetrievePath>) -> types::ApiKey;
        api_keys_update(
            caller: Caller<AdminOrUser>,
            path: Path<api_keys::ApiKeysUpdatePath>,
            body: TypedBody<Box<types::ApiKeyUpdateRequest>>
        ) -> types::ApiKey;
        api_keys_revoke(caller: Caller<AdminOrUser>, path: Path<api_keys::ApiKeysRevokePath>) -> types::ApiKeyRevoked;
    }
}

impl api_keys::ApiKeysApiLiterals for TestApi {
    type Context = Notes;

    methods! {
        api_keys_list(
            caller: Caller<AdminOrUser>,
            path: Path<api_keys::ApiKeysListPath>,
            query: Query<api_keys::ApiKeysListQuery>
        ) -> Vec<types::ApiKey>;
    }
}

impl dynamic_routing::DynamicRoutingApi for TestApi {
    type Context = Notes;

    methods! {
        dynamic_routing_elimination_create(
            caller: Caller<Merchant>,
            path: Path<dynamic_routing::DynamicRoutingEliminationCreatePath>,
            query: Query<dynamic_routing::DynamicRoutingEliminationCreateQuery>,
            body: TypedBody<Box<types::EliminationRoutingConfig>>
        ) -> types::RoutingRecord;
        dynamic_routing_elimination_toggle(
            caller: Caller<Merchant>,
            path: Path<dynamic_routing::DynamicRoutingEliminationTogglePath>,
            query: Query<dynamic_routing::DynamicRoutingEliminationToggleQuery>
        ) -> types::RoutingRecord;
        dynamic_routing_elimination_update(
            caller: Caller<Merchant>,
            path: Path<dynamic_routing::DynamicRoutingEliminationUpdatePath>,
            body: TypedBody<Box<types::EliminationRoutingConfigUpdate>>
        ) -> types::RoutingRecord;
        dynamic_routing_success_based_create(
            caller: Caller<Merchant>,
            path: Path<dynamic_routing::DynamicRoutingSuccessBasedCreatePath>,
            query: Query<dynamic_routing::DynamicRoutingSuccessBasedCreateQuery>,
            body: TypedBody<Box<types::SuccessBasedRoutingConfig>>
        ) -> types::RoutingRecord;
        dynamic_routing_success_based_toggle(
            caller: Caller<Merchant>,
            path: Path<dynamic_routing::DynamicRoutingSuccessBasedTogglePath>,
            query: Query<dynamic_routing::DynamicRoutingSuccessBasedToggleQuery>
        ) -> types::RoutingRecord;
        dynamic_routing_success_based_update(
            caller: Caller<Merchant>,
            path: Path<dynamic_routing::DynamicRoutingSuccessBasedUpdatePath>,
            body: TypedBody<Box<types::SuccessBasedRoutingConfig>>
        ) -> types::RoutingRecord;
        dynamic_routing_set_volume_split(
            caller: Caller<Merchant>,
            path: Path<dynamic_routing::DynamicRoutingSetVolumeSplitPath>,
            query: Query<dynamic_routing::DynamicRoutingSetVolumeSplitQuery>
        ) -> types::DynamicRoutingSplit;
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

impl error_mappings::ErrorMappingsApi for TestApi {
    type Context = Notes;

    methods! {
        gsm_create(
            caller: Caller<Admin>,
            body: TypedBody<Box<types::ErrorMappingCreateRequest>>
        ) -> types::ErrorMapping;
        gsm_retrieve(
            caller: Caller<Admin>,
            body: TypedBody<Box<types::ErrorMappingKey>>
        ) -> types::ErrorMapping;
        gsm_update(
            caller: Caller<Admin>,
            body: TypedBody<Box<types::ErrorMappingUpdateRequest>>
        ) -> types::ErrorMapping;
        gsm_delete(
            caller: Caller<Admin>,
            body: TypedBody<Box<types::ErrorMappingKey>>
        ) -> types::ErrorMapping;
    }
}

impl notices::NoticesApi for TestApi {
    type Context = Notes;

    async fn notices_receive(
        rqctx: RequestContext<Notes>,
        path: Path<notices::NoticesReceivePath>,
        body: RawBody,
    ) -> Result<PlainText, ApiError> {
        let line = format!("notices_receive {:?} {:?}", path.into_inner(), body.bytes);
        rqctx.context().lock().unwrap().push(line);
        Ok(PlainText("[accepted]".to_owned()))
    }

    methods! {
        notices_list(
            caller: Caller<Admin>,
            query: Query<notices::NoticesListQuery>
        ) -> Vec<types::Notice>;
        notices_retrieve(
            caller: Caller<Admin>,
            path: Path<notices::NoticesRetrievePath>
        ) -> types::NoticeWithBody;
        notices_replay(
            caller: Caller<Admin>,
            path: Path<notices::NoticesReplayPath>
        ) -> types::Notice;
    }
}

impl unresolved_operations::UnresolvedOperationsApi for TestApi {
    type Context = Notes;

    methods! {
        unresolved_operations_list(
            caller: Caller<Admin>,
            query: Query<unresolved_operations::UnresolvedOperationsListQuery>
        ) -> Vec<types::UnresolvedOperation>;
    }
}

impl users::UsersApi for TestApi {
    type Context = Notes;

    methods! {
        users_sign_up(body: TypedBody<Box<types::UserSignUpRequest>>) -> types::UserToken;
        users_sign_in(body: TypedBody<Box<types::UserSignInRequest>>) -> types::UserToken;
        users_sign_in_v2(body: TypedBody<Box<types::UserSignInRequest>>) -> types::UserToken;
        users_retrieve(caller: Caller<User>) -> types::UserDetails;
        users_invite(
            caller: Caller<Admin>,
            body: TypedBody<Box<types::UserInviteRequest>>
        ) -> types::UserInvited;
        users_remove_role(
            caller: Caller<Admin>,
            body: TypedBody<Box<types::UserRoleRemoveRequest>>
        ) -> types::UserRoleRemoved;
        users_reset_sign_in(
            caller: Caller<Admin>,
            body: TypedBody<Box<types::UserSignInResetRequest>>
        ) -> types::UserSignInReset;
        users_create_platform(
            caller: Caller<User>,
            body: TypedBody<Box<types::PlatformCreateRequest>>
        ) -> types::PlatformAccount;
        users_create_merchant(
            caller: Caller<User>,
            body: TypedBody<Box<types::UserMerchantCreateRequest>>
        ) -> types::UserMerchant;
        users_switch_merchant(
            caller: Caller<User>,
            body: TypedBody<Box<types::UserSwitchRequest>>
        ) -> types::UserToken;
    }

    async fn users_sign_out(
        _: RequestContext<Notes>,
        _: Caller<User>,
    ) -> Result<PlainText, ApiError> {
        Ok(PlainText(String::new()))
    }

    async fn users_change_password(
        _: RequestContext<Notes>,
        _: Caller<User>,
        _: TypedBody<Box<types::UserPasswordChangeRequest>>,
    ) -> Result<PlainText, ApiError> {
        Ok(PlainText(String::new()))
    }

    async fn users_forgot_password(
        _: RequestContext<Notes>,
        _: TypedBody<Box<types::UserPasswordForgottenRequest>>,
    ) -> Result<PlainText, ApiError> {
        Ok(PlainText(String::new()))
    }

    async fn users_reset_password(
        _: RequestContext<Notes>,
        _: TypedBody<Box<types::UserPasswordResetRequest>>,
    ) -> Result<PlainText, ApiError> {
        Ok(PlainText(String::new()))
    }
}

impl user_sessions::UserSessionsApi for TestApi {
    type Context = Notes;

    methods! {
        user_sessions_list(caller: Caller<User>) -> Vec<types::UserSession>;
    }

    async fn user_sessions_end(
        _: RequestContext<Notes>,
        _: Caller<User>,
        _: Path<user_sessions::UserSessionsEndPath>,
    ) -> Result<PlainText, ApiError> {
        Ok(PlainText(String::new()))
    }

    async fn user_sessions_end_others(
        _: RequestContext<Notes>,
        _: Caller<User>,
    ) -> Result<PlainText, ApiError> {
        Ok(PlainText(String::new()))
    }
}

impl oidc::OidcApi for TestApi {
    type Context = Notes;

    methods! {
        oidc_methods() -> Vec<types::AuthMethodListed>;
        oidc_begin() -> types::OidcBegun;
        oidc_sign_in(body: TypedBody<Box<types::OidcSignInRequest>>) -> types::UserToken;
    }

    async fn oidc_link(
        _: RequestContext<Notes>,
        _: Caller<User>,
        _: TypedBody<Box<types::OidcLinkRequest>>,
    ) -> Result<PlainText, ApiError> {
        Ok(PlainText(String::new()))
    }

    async fn oidc_unlink(
        _: RequestContext<Notes>,
        _: Caller<User>,
        _: TypedBody<Box<types::OidcUnlinkRequest>>,
    ) -> Result<PlainText, ApiError> {
        Ok(PlainText(String::new()))
    }
}

impl two_factor::TwoFactorApi for TestApi {
    type Context = Notes;

    methods! {
        two_factor_begin(
            caller: Caller<User>,
            body: TypedBody<Box<types::TwoFactorBeginRequest>>
        ) -> types::TwoFactorBegun;
        two_factor_confirm(
            caller: Caller<User>,
            body: TypedBody<Box<types::TwoFactorConfirmRequest>>
        ) -> types::TwoFactorRecoveryCodes;
        two_factor_renew_recovery_codes(
            caller: Caller<User>,
            body: TypedBody<Box<types::TwoFactorProofRequest>>
        ) -> types::TwoFactorRecoveryCodes;
        two_factor_sign_in(
            body: TypedBody<Box<types::TwoFactorSignInRequest>>
        ) -> types::UserToken;
    }

    async fn two_factor_end(
        _: RequestContext<Notes>,
        _: Caller<User>,
        _: TypedBody<Box<types::TwoFactorProofRequest>>,
    ) -> Result<PlainText, ApiError> {
        Ok(PlainText(String::new()))
    }
}

impl audit::AuditApi for TestApi {
    type Context = Notes;

    methods! {
        audit_list(caller: Caller<Admin>, query: Query<audit::AuditListQuery>) -> Vec<types::AuditEntry>;
        audit_verify(caller: Caller<Admin>, query: Query<audit::AuditVerifyQuery>) -> types::AuditCheck;
    }

    async fn audit_export(
        rqctx: RequestContext<Notes>,
        _: Caller<Admin>,
        _: Query<audit::AuditExportQuery>,
    ) -> Result<PlainText, ApiError> {
        rqctx
            .context()
            .lock()
            .unwrap()
            .push("audit_export".to_owned());
        Ok(PlainText(String::new()))
    }
}

impl service_keys::ServiceKeysApi for TestApi {
    type Context = Notes;

    methods! {
        keys_retrieve(
            caller: Caller<Admin>
        ) -> types::ServiceKeys;
        keys_rotate(
            caller: Caller<Admin>,
            body: TypedBody<Box<types::KeysRotateRequest>>
        ) -> types::ServiceKeys;
    }
}

impl sandbox::SandboxApi for TestApi {
    type Context = Notes;

    methods! {
        sandbox_clock_advance(
            caller: Caller<Admin>,
            body: TypedBody<Box<types::SandboxClockAdvanceRequest>>
        ) -> types::SandboxClock;
    }
}

impl health::HealthApi for TestApi {
    type Context = Notes;

    async fn health_check(_: RequestContext<Notes>) -> Result<PlainText, ApiError> {
        Ok(PlainText("health is good".to_owned()))
    }

    methods! {
        health_ready() -> types::Readiness;
    }
}
