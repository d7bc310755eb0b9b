//! Customers, their mandates and saved methods.

use dropshot::RequestContext;

use super::{Notes, TestApi, example};
use crate::*;

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
