//! The particulars of a payment, wire to domain and back.

use multirail_domain::payments::payment::customer::Customer;
use multirail_domain::payments::payment::particulars::BillingDescriptor;
use multirail_domain::payments::payment::{Particulars, PayerDetails};
use multirail_kernel::ids::CustomerId;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::browser::Browser;
use multirail_sdk::charge::Document;
use multirail_sdk::charge::Installments;
use multirail_sdk::order_item::OrderItem;
use multirail_sdk::payment_method::PaymentMethodType;
use multirail_types as types;
use serde_json::Map;

use super::payment_members::Said;
use crate::platform::convert::address::maybe_address;
use crate::platform::convert::consent::consent;
use crate::platform::convert::moments::moment;
use crate::platform::convert::words::{ToWire, maybe_word, words};

/// Reads the typed particulars of a request, and its payer.
///
/// # Errors
///
/// A word that this version doesn't know, an invalid id or address.
pub fn particulars(said: Said) -> Result<(Particulars, PayerDetails), Refusal> {
    let Said {
        discount_amount,
        shipping_amount_tax,
        duty_amount,
        tax_status,
        merchant_order_reference_id,
        description,
        statement_descriptor_name,
        statement_descriptor_suffix,
        billing_descriptor,
        order_details,
        order_date,
        capture_on,
        force_3ds_challenge,
        psd2_sca_exemption_type,
        threeds_method_comp_ind,
        request_incremental_authorization,
        request_extended_authorization,
        payment_channel,
        customer,
        email,
        name,
        phone,
        phone_country_code,
        billing,
        shipping,
        browser_info,
        allowed_payment_method_types,
        installment_data,
        off_session,
        customer_acceptance,
        is_stored_credential,
        mit_category,
        connector_metadata,
        payment_link,
    } = said;
    let payer = PayerDetails {
        customer: customer
            .map(|it| self::customer(it).map(Box::new))
            .transpose()?,
        name,
        email,
        phone,
        phone_country_code,
        billing: maybe_address(billing, "billing")?,
        shipping: maybe_address(shipping, "shipping")?,
        browser: browser_info.map(|it| browser(it).into()),
        consent: customer_acceptance
            .map(|it| consent(it, "customer_acceptance").map(Box::new))
            .transpose()?,
        saved_consent: None,
        unread: UnreadMembers::default(),
    };
    let particulars = Particulars {
        description,
        order_reference: merchant_order_reference_id,
        order_date: order_date.map(moment),
        request_incremental_authorization,
        request_extended_authorization,
        capture_on: capture_on.map(moment),
        order_items: order_details.map(order_items),
        shipping_amount_tax,
        discount_amount,
        duty_amount,
        tax_status: maybe_word(tax_status, "tax_status")?,
        installment_data: installment_data.map(|plan| installments(plan).into()),
        billing_descriptor: billing_descriptor.map(|parts| self::billing_descriptor(parts).into()),
        statement_descriptor_name,
        statement_descriptor_suffix,
        force_challenge: force_3ds_challenge,
        sca_exemption: maybe_word(psd2_sca_exemption_type, "psd2_sca_exemption_type")?,
        device_data_collected: maybe_word(threeds_method_comp_ind, "threeds_method_comp_ind")?,
        payment_channel,
        off_session,
        is_stored_credential,
        mit_category: maybe_word(mit_category, "mit_category")?,
        mandate: None,
        allowed_payment_method_types: allowed_payment_method_types
            .map(|list| words(&list, "allowed_payment_method_types"))
            .transpose()?,
        business_country: None,
        business_label: None,
        connector_metadata,
        payment_link,
        link_config: None,
        notes: Map::new(),
    };
    Ok((particulars, payer))
}

/// Declares the two conversions between a group of the wire and the same group of the domain. The compiler finds
/// members that only one of them has.
macro_rules! same_members {
    ($(types::$wire:ident <=> $ours:ident by $read:ident, $answer:ident: $($member:ident)+;)+) => { $(
        pub fn $read(types::$wire { $($member),+ }: types::$wire) -> $ours {
            $ours { $($member,)+ unread: UnreadMembers::default() }
        }

        pub fn $answer($ours { $($member,)+ unread: _ }: $ours) -> types::$wire {
            types::$wire { $($member),+ }
        }
    )+ };
}

same_members! {
    types::BrowserInformation <=> Browser by browser, browser_answer:
        color_depth java_enabled java_script_enabled language screen_height screen_width time_zone ip_address
        accept_header user_agent os_type os_version device_model accept_language referer;
    types::BillingDescriptor <=> BillingDescriptor by billing_descriptor, billing_descriptor_answer:
        name city phone statement_descriptor statement_descriptor_suffix reference;
    types::InstallmentData <=> Installments by installments, installments_answer:
        number_of_installments billing_frequency installment_interest;
}

pub fn customer(customer: types::CustomerRequest) -> Result<Customer, Refusal> {
    let types::CustomerRequest {
        id,
        name,
        email,
        phone,
        phone_country_code,
        tax_registration_id,
        document_details,
    } = customer;
    Ok(Customer {
        id: CustomerId::parse(&id).map_err(|invalid| invalid.refusal("customer.id"))?,
        name,
        email,
        phone,
        phone_country_code,
        tax_registration_id,
        document: document_details.map(document),
        unread: UnreadMembers::default(),
    })
}

fn document(document: types::CustomerDocumentDetails) -> Document {
    let types::CustomerDocumentDetails {
        document_type,
        document_number,
    } = document;
    Document {
        document_type: text(document_type),
        document_number,
        unread: UnreadMembers::default(),
    }
}

pub fn document_answer(document: Document) -> types::CustomerDocumentDetails {
    types::CustomerDocumentDetails {
        document_type: document.document_type.map(Into::into),
        document_number: document.document_number,
    }
}

pub fn order_items(items: Vec<types::OrderDetails>) -> Vec<OrderItem> {
    items.into_iter().map(order_item).collect()
}

fn order_item(item: types::OrderDetails) -> OrderItem {
    let types::OrderDetails {
        product_name,
        quantity,
        amount,
        total_amount,
        unit_discount_amount,
        tax_rate,
        total_tax_amount,
        product_tax_code,
        product_type,
        product_id,
        description,
        category,
        sub_category,
        brand,
        sku,
        upc,
        commodity_code,
        unit_of_measure,
        product_img_link,
        requires_shipping,
    } = item;
    OrderItem {
        product_name,
        quantity,
        amount,
        total_amount,
        unit_discount_amount,
        tax_rate,
        total_tax_amount,
        product_tax_code,
        product_type: text(product_type),
        product_id,
        description,
        category,
        sub_category,
        brand,
        sku,
        upc,
        commodity_code,
        unit_of_measure,
        product_img_link,
        requires_shipping,
        unread: UnreadMembers::default(),
    }
}

pub fn order_items_answer(items: Vec<OrderItem>) -> Vec<types::OrderDetails> {
    let answer = |item: OrderItem| types::OrderDetails {
        product_name: item.product_name,
        quantity: item.quantity,
        amount: item.amount,
        total_amount: item.total_amount,
        unit_discount_amount: item.unit_discount_amount,
        tax_rate: item.tax_rate,
        total_tax_amount: item.total_tax_amount,
        product_tax_code: item.product_tax_code,
        product_type: item.product_type.map(Into::into),
        product_id: item.product_id,
        description: item.description,
        category: item.category,
        sub_category: item.sub_category,
        brand: item.brand,
        sku: item.sku,
        upc: item.upc,
        commodity_code: item.commodity_code,
        unit_of_measure: item.unit_of_measure,
        product_img_link: item.product_img_link,
        requires_shipping: item.requires_shipping,
    };
    items.into_iter().map(answer).collect()
}

pub fn method_types_answer(kinds: Vec<PaymentMethodType>) -> Vec<types::PaymentMethodType> {
    kinds.into_iter().map(ToWire::to_wire).collect()
}

fn text(word: Option<impl AsRef<str>>) -> Option<String> {
    word.map(|word| word.as_ref().to_owned())
}

#[cfg(test)]
mod tests;
