//! The particulars of a payment, as read and as stored.

use std::collections::BTreeSet;

use insta::assert_snapshot;
use multirail_domain::payments::payment::Notes;
use serde_json::{Value, json};

use super::super::payment_request;
use super::*;

fn look() -> Value {
    json!({"theme": "#1a73e8", "logo": "https://shop.example/logo.png",
            "seller_name": "The bookshop", "display_sdk_only": false, "details_layout": "layout2",
            "transaction_details": [{"key": "Table", "value": "17",
                "ui_configuration": {"position": 1, "is_key_bold": true, "is_value_bold": false}}],
            "payment_button_text": "Pay the bill", "payment_button_colour": "#000",
            "payment_button_text_colour": "#fff", "background_colour": "#eeeeee",
            "payment_form_header_text": "Your card", "custom_message_for_card_terms": "We keep nothing.",
            "show_card_terms": "always", "skip_status_screen": true, "enable_button_only_on_form_ready": true})
}

fn said() -> Value {
    let address = json!({
        "address": {"first_name": "Ada", "last_name": "Okafor", "line1": "1 Marina", "line2": "Floor 2",
            "line3": "Door 3", "city": "Lagos", "state": "Lagos", "zip": "100221", "country": "NG",
            "origin_zip": "100222"},
        "phone": {"number": "5550100", "country_code": "+234"},
        "email": "ada@example.com",
    });
    json!({
        "description": "Two books",
        "merchant_order_reference_id": "B-17",
        "order_date": "2026-01-05T10:11:12.345Z",
        "order_details": [{"product_name": "Book", "quantity": 2, "amount": 3270, "total_amount": 6540,
            "unit_discount_amount": 10, "tax_rate": 0.19, "total_tax_amount": 1044,
            "product_tax_code": "P0000000", "product_type": "physical", "product_id": "book_1",
            "description": "A book on books", "category": "books", "sub_category": "old books",
            "brand": "Binders", "sku": "B-1", "upc": "036000291452", "commodity_code": "55101500",
            "unit_of_measure": "piece", "product_img_link": "https://shop.example/book.png",
            "requires_shipping": true}],
        "shipping_amount_tax": 40,
        "discount_amount": 300,
        "duty_amount": 70,
        "tax_status": "exempt",
        "installment_data": {"number_of_installments": 3, "billing_frequency": "month",
            "installment_interest": 1.5},
        "customer": {"id": "cus_bo", "name": "Bo", "email": "bo@example.com", "phone": "5550101",
            "phone_country_code": "+46", "tax_registration_id": "SE1234",
            "document_details": {"document_type": "CPF", "document_number": "123"}},
        "name": "Ada Okafor",
        "email": "ada@example.com",
        "phone": "5550100",
        "phone_country_code": "+234",
        "billing": address,
        "shipping": address,
        "browser_info": {"color_depth": 24, "java_enabled": false, "java_script_enabled": true,
            "language": "en-NG", "screen_height": 723, "screen_width": 1536, "time_zone": -60,
            "ip_address": "203.0.113.9", "accept_header": "text/html", "user_agent": "Browser/1.0",
            "os_type": "Linux", "os_version": "6.1", "device_model": "X1", "accept_language": "en-NG",
            "referer": "https://shop.example/basket"},
        "billing_descriptor": {"name": "Books", "city": "Lagos", "phone": "5550100",
            "statement_descriptor": "THE BOOK SHOP", "statement_descriptor_suffix": "B18", "reference": "R-1"},
        "statement_descriptor_name": "BOOKS",
        "statement_descriptor_suffix": "B17",
        "force_3ds_challenge": true,
        "psd2_sca_exemption_type": "low_value",
        "threeds_method_comp_ind": "Y",
        "payment_channel": "telephone_order",
        "off_session": true,
        "is_stored_credential": false,
        "mit_category": "recurring",
        "customer_acceptance": {"acceptance_type": "online", "accepted_at": "2026-01-05T10:11:12.345Z",
            "online": {"ip_address": "203.0.113.9", "user_agent": "Browser/1.0"}},
        "mandate_data": {"update_mandate_id": "man_1", "mandate_type": {"single_use": {"amount": 6540, "currency": "USD",
            "start_date": "2026-01-05T10:11:12.345Z", "end_date": "2026-02-05T10:11:12.345Z", "metadata": {"order": 42}}}},
        "allowed_payment_method_types": ["credit", "debit"],
        "business_country": "NG",
        "business_label": "books",
        "connector_metadata": {"fauxpay": {"shop": "B"}},
        "payment_link": true,
        "payment_link_config": look(),
        "metadata": {"order": "B-17"},
        "payment_experience": "redirect_to_url",
        "business_sub_label": "old_books",
    })
}

fn given(mut members: Value) -> Result<payment_request::Given, Refusal> {
    members["amount"] = json!(6540);
    members["currency"] = json!("USD");
    payment_request::create(serde_json::from_value(members).expect("a request"))
}

/// The notes as the payment's record has them.
fn notes(members: Value) -> Notes {
    let changes = given(members).expect("a request").changes;
    Notes {
        particulars: changes.particulars,
        payer: changes.payer,
    }
}

/// Servers of earlier versions read all particulars from one object, under these names and in this form.
#[test]
fn what_has_a_type_is_stored_as_the_contract_writes_it() {
    let read = notes(said());
    let unread = &read.particulars.notes;
    let notes: BTreeSet<&str> = unread.keys().map(String::as_str).collect();
    let expected = ["business_sub_label", "metadata", "payment_experience"];
    assert_eq!(notes, expected.into());
    let stored = serde_json::to_value(&read).expect("JSON");
    assert_eq!(stored, said());
    let again: Notes = serde_json::from_value(stored).expect("notes");
    assert_eq!(again, read);
}

#[test]
fn groups_that_say_nothing_stay_what_they_are() {
    let nothing = json!({
        "billing": {}, "shipping": {"address": {}, "phone": {}}, "browser_info": {}, "order_details": [],
        "billing_descriptor": {}, "installment_data": {}, "allowed_payment_method_types": [],
        "connector_metadata": {}, "payment_link": false, "payment_link_config": {},
    });
    let read = notes(nothing.clone());
    assert_eq!(serde_json::to_value(&read).ok(), Some(nothing));
}

#[test]
fn a_word_that_is_none_of_ours_is_named_by_its_path() {
    let strange = [
        json!({"tax_status": "later"}),
        json!({"psd2_sca_exemption_type": "later"}),
        json!({"threeds_method_comp_ind": "later"}),
        json!({"customer_acceptance": {"acceptance_type": "later"}}),
        json!({"mandate_data": {"customer_acceptance": {"acceptance_type": "later"}}}),
        json!({"allowed_payment_method_types": ["credit", "later"]}),
        json!({"business_country": "XX"}),
        json!({"billing": {"address": {"country": "XX"}}}),
        json!({"shipping": {"address": {"country": "XX"}}}),
        json!({"payment_method_data": {"billing": {"address": {"country": "XX"}}}}),
        json!({"customer": {"id": "a customer"}}),
    ];
    let refusals = strange.map(|members| given(members).expect_err("a refusal").to_string());
    assert_snapshot!(refusals.join("\n"), @"
    tax_status has a word that this version doesn't know
    psd2_sca_exemption_type has a word that this version doesn't know
    threeds_method_comp_ind has a word that this version doesn't know
    customer_acceptance.acceptance_type has a word that this version doesn't know
    mandate_data.customer_acceptance.acceptance_type has a word that this version doesn't know
    allowed_payment_method_types has a word that this version doesn't know
    business_country has a word that this version doesn't know
    billing.address.country has a word that this version doesn't know
    shipping.address.country has a word that this version doesn't know
    payment_method_data.billing.address.country has a word that this version doesn't know
    customer.id is not in the expected form: 1 to 64 letters, digits, underscores and dashes
    ");
}
