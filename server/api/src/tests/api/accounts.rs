//! Organizations, accounts and their keys.

use dropshot::RequestContext;

use super::{Notes, TestApi, example};
use crate::*;

impl organizations::OrganizationsApi for TestApi {
    type Context = Notes;

    methods! {
        organizations_create(
            caller: Caller<Admin>,
            body: TypedBody<Box<types::OrganizationCreateRequest>>
        ) -> types::Organization;
        organizations_list(
            caller: Caller<Admin>,
            query: Query<organizations::OrganizationsListQuery>
        ) -> Vec<types::Organization>;
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
        merchant_accounts_list(
            caller: Caller<Admin>,
            query: Query<merchant_accounts::MerchantAccountsListQuery>
        ) -> Vec<types::MerchantAccountListed>;
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

impl webhook_endpoints::WebhookEndpointsApi for TestApi {
    type Context = Notes;

    methods! {
        webhook_endpoints_list(
            caller: Caller<AdminOrMerchant>,
            path: Path<webhook_endpoints::WebhookEndpointsListPath>
        ) -> Vec<types::WebhookEndpoint>;
        webhook_endpoints_create(
            caller: Caller<AdminOrMerchant>,
            path: Path<webhook_endpoints::WebhookEndpointsCreatePath>,
            body: TypedBody<Box<types::WebhookEndpointCreateRequest>>
        ) -> types::WebhookEndpointCreated;
        webhook_endpoints_retrieve(
            caller: Caller<AdminOrMerchant>,
            path: Path<webhook_endpoints::WebhookEndpointsRetrievePath>
        ) -> types::WebhookEndpoint;
        webhook_endpoints_update(
            caller: Caller<AdminOrMerchant>,
            path: Path<webhook_endpoints::WebhookEndpointsUpdatePath>,
            body: TypedBody<Box<types::WebhookEndpointUpdateRequest>>
        ) -> types::WebhookEndpoint;
        webhook_endpoints_delete(
            caller: Caller<AdminOrMerchant>,
            path: Path<webhook_endpoints::WebhookEndpointsDeletePath>
        ) -> types::WebhookEndpointDeleted;
        webhook_endpoints_replay(
            caller: Caller<AdminOrMerchant>,
            path: Path<webhook_endpoints::WebhookEndpointsReplayPath>,
            body: TypedBody<Box<types::WebhookEndpointReplayRequest>>
        ) -> types::EventReplay;
        webhook_endpoints_test(
            caller: Caller<AdminOrMerchant>,
            path: Path<webhook_endpoints::WebhookEndpointsTestPath>
        ) -> types::WebhookEndpointTest;
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
        connectors_list(caller: Caller<Merchant>) -> Vec<types::Connector>;
        connectors_check(
            caller: Caller<Merchant>,
            body: TypedBody<Box<types::ConnectorCredentialsCheckRequest>>
        ) -> types::ConnectorCredentialsCheck;
        connector_accounts_delete(
            caller: Caller<AdminOrUser>,
            path: Path<connector_accounts::ConnectorAccountsDeletePath>
        ) -> types::ConnectorAccountDeleted;
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
