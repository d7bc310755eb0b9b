//! Customers, wire to domain and back. (Facts 7.6)

use multirail_api::customers::CustomersListQuery;
use multirail_app::customers::{CreateCustomer, ListCustomers};
use multirail_domain::customers::customer::{Customer, Personal};
use multirail_kernel::ids::{CustomerId, MerchantId};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::unread::UnreadMembers;
use multirail_types as types;

use crate::platform::convert::address::{postal_address, postal_address_answer};

/// Reads the members of a request. Creates and updates have the same members, and the compiler finds those that are
/// left out.
macro_rules! personal {
    ($wire:ident, $request:expr $(, $other:ident)?) => {{
        let types::$wire {
            $($other: _,)?
            name,
            email,
            phone,
            phone_country_code,
            description,
            address,
            tax_registration_id,
            metadata,
        } = $request;
        let address = address.map(|address| postal_address(address, "address"));
        Personal {
            name,
            email,
            phone,
            phone_country_code,
            description,
            address: address.transpose()?.map(Box::new),
            tax_registration_id,
            metadata,
            unread: UnreadMembers::default(),
        }
    }};
}

/// Converts a request to create a customer.
///
/// # Errors
/// Invalid members that the schema can't check.
pub fn create(
    merchant_id: MerchantId,
    mut request: types::CustomerCreateRequest,
) -> Result<CreateCustomer, Refusal> {
    Ok(CreateCustomer {
        merchant_id,
        customer_id: request.customer_id.take(),
        personal: personal!(CustomerCreateRequest, request, customer_id),
    })
}

/// Converts a request to update a customer.
///
/// # Errors
/// Invalid members that the schema can't check.
pub fn update(request: types::CustomerUpdateRequest) -> Result<Personal, Refusal> {
    Ok(personal!(CustomerUpdateRequest, request))
}

/// Reads the query of a list.
///
/// # Errors
/// An invalid id.
pub fn list(query: CustomersListQuery) -> Result<ListCustomers, Refusal> {
    let CustomersListQuery {
        customer_id,
        email,
        phone,
        limit,
        offset,
    } = query;
    let customer_id = customer_id.as_deref().map(CustomerId::parse);
    let customer_id = customer_id.transpose();
    Ok(ListCustomers {
        customer_id: customer_id.map_err(|invalid| invalid.refusal("customer_id"))?,
        email,
        phone,
        limit: limit.map(i64::from),
        offset: offset.map(i64::from),
    })
}

/// Returns the customer's answer.
pub fn answer(customer: &Customer) -> types::Customer {
    let personal = customer.personal.clone();
    let method = customer.default_payment_method_id.as_ref();
    types::Customer {
        customer_id: customer.customer_id.to_string(),
        name: personal.name,
        email: personal.email,
        phone: personal.phone,
        phone_country_code: personal.phone_country_code,
        description: personal.description,
        address: personal
            .address
            .map(|address| postal_address_answer(*address)),
        tax_registration_id: personal.tax_registration_id,
        metadata: personal.metadata,
        default_payment_method_id: method.map(ToString::to_string),
        created_at: customer.created_at.to_datetime(),
    }
}

/// Returns the answer to a redaction.
pub fn deleted(customer: &Customer) -> types::CustomerDeleted {
    types::CustomerDeleted {
        customer_id: customer.customer_id.to_string(),
        customer_deleted: true,
        address_deleted: true,
        payment_methods_deleted: true,
    }
}
