//! Requests with every member: all settings of a profile and a connector account, all members of an order, and a
//! button of every wallet. They make answers show members that minimal requests never set.

use serde_json::{Value, json};

use crate::bodies::{APPROVED, order, order_with, with};
use crate::run::{Merchant, Run, Stop};
use crate::wallet_settings;

pub(super) async fn said(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let profile = a_profile(run, merchant).await?;
    an_account(run, merchant, &profile).await?;
    an_order(run, merchant, &profile).await?;
    wallets(run, merchant, &profile).await?;
    of_the_merchant(run, merchant).await
}

async fn a_profile(run: &mut Run, merchant: &Merchant) -> Result<Value, Stop> {
    let body = json!({
        "profile_name": "everything",
        "return_url": "https://shop.example/thanks",
        "webhook_details": webhooks(),
        "outgoing_webhook_custom_http_headers": { "X-Shop": "books" },
        "metadata": { "floor": "2" },
        "payment_link_config": look(),
        "max_auto_retries_enabled": 2,
        "is_manual_retry_enabled": true,
        "always_request_extended_authorization": false,
        "always_enable_overcapture": false,
        "merchant_business_country": "US",
        "merchant_category_code": "5942",
        "applepay_verified_domains": ["shop.example"],
        "is_click_to_pay_enabled": true,
        "is_external_vault_enabled": "skip",
    });
    let call = merchant.call("business_profiles_create").json(&body);
    let wanted = [
        ("/merchant_category_code", json!("5942")),
        ("/payment_link_config/theme", json!("#7b2d26")),
        ("/max_auto_retries_enabled", json!(2)),
    ];
    run.works("a profile with every setting", call, &wanted)
        .await
}

/// Webhook settings without an address, so that nothing is sent.
fn webhooks() -> Value {
    json!({
        "webhook_version": "1.0.2", "webhook_username": "books",
        "payment_created_enabled": true, "payment_succeeded_enabled": true, "payment_failed_enabled": true,
        "payment_statuses_enabled": ["succeeded"], "refund_statuses_enabled": ["succeeded"],
    })
}

fn look() -> Value {
    json!({
        "theme": "#7b2d26",
        "logo": "https://cdn.shop.example/logo.svg",
        "seller_name": "The bookshop",
        "display_sdk_only": false,
        "details_layout": "layout2",
        "transaction_details": [{
            "key": "Table", "value": "17",
            "ui_configuration": { "position": 0, "is_key_bold": true, "is_value_bold": false },
        }],
        "payment_button_text": "Settle the bill",
        "payment_button_colour": "#fd0",
        "payment_button_text_colour": "#ffffff",
        "background_colour": "#f4efe6",
        "payment_form_header_text": "Your card",
        "custom_message_for_card_terms": "We keep nothing.",
        "show_card_terms": "always",
        "skip_status_screen": true,
        "enable_button_only_on_form_ready": true,
    })
}

async fn an_account(run: &mut Run, merchant: &Merchant, profile: &Value) -> Result<Value, Stop> {
    let cards = json!({
        "payment_method": "card",
        "payment_method_types": ["credit", "debit"],
        "payment_method_issuers": ["Bank of Books"],
        "payment_schemes": ["Visa", "Mastercard"],
        "accepted_currencies": { "type": "enable_only", "list": ["USD", "EUR"] },
        "accepted_countries": { "type": "disable_only", "list": ["AQ"] },
        "minimum_amount": 1,
        "maximum_amount": 1_000_000,
        "recurring_enabled": true,
        "installment_payment_enabled": true,
        "payment_experience": "redirect_to_url",
    });
    let wallets = json!({
        "payment_method": "wallet",
        "payment_method_types": ["apple_pay", "google_pay", "samsung_pay", "paypal", "amazon_pay", "paze"],
    });
    let body = json!({
        "connector_type": "payment_processor",
        "connector_name": merchant.connector,
        "connector_label": "everything",
        "connector_account_details": { "auth_type": "HeaderKey", "api_key": "conformance" },
        "profile_id": profile["profile_id"],
        "test_mode": true,
        "payment_methods_enabled": [
            cards,
            wallets,
            { "payment_method": "pay_later", "payment_method_types": ["klarna"] },
            { "payment_method": "open_banking", "payment_method_types": ["open_banking_pis"] },
        ],
        "metadata": { "region": "west" },
        "connector_wallets_details": wallet_settings::payable(),
        "frm_configs": "[]",
        "fee_table": [{
            "percentage_basis_points": 200, "fixed_amount": 30, "currency": "USD",
            "payment_method": "card", "card_network": "Visa", "country": "US",
        }],
        "applepay_verified_domains": ["shop.example"],
        "business_country": "US",
        "business_label": "books",
        "business_sub_label": "old books",
    });
    let call = || merchant.call("connector_accounts_create").json(&body);
    let wanted = [
        ("/business_label", json!("books")),
        (
            "/payment_methods_enabled/0/accepted_currencies/list",
            json!(["USD", "EUR"]),
        ),
    ];
    let account = run
        .works("an account with every setting", call(), &wanted)
        .await?;
    run.is_refused("by the same label", call(), 400, "HE_01")
        .await;
    let call = merchant.call("connector_accounts_list");
    run.works("all accounts with all of it", call, &[]).await?;
    Ok(account)
}

/// Returns an address with every member.
fn address(line: &str) -> Value {
    json!({
        "address": {
            "first_name": "Ada", "last_name": "Okafor", "line1": line, "line2": "Floor 2", "line3": "Door 3",
            "city": "Lagos", "state": "Lagos", "zip": "100221", "country": "NG", "origin_zip": "100222",
        },
        "phone": { "number": "5550100", "country_code": "+234" },
        "email": "ada@shopper.example",
    })
}

async fn an_order(run: &mut Run, merchant: &Merchant, profile: &Value) -> Result<(), Stop> {
    let payer = json!({
        "customer": {
            "id": "everything", "name": "Ada Okafor", "email": "ada@shopper.example", "phone": "5550100", "phone_country_code": "+234",
            "document_details": { "document_type": "CPF", "document_number": "123" },
        },
        "billing": address("1 Marina"),
        "shipping": address("2 Harbour"),
        "payment_method_data": { "billing": address("3 Quay") },
        "browser_info": {
            "color_depth": 24, "java_enabled": false, "java_script_enabled": true, "language": "en-NG",
            "screen_height": 723, "screen_width": 1536, "time_zone": -60, "ip_address": "203.0.113.9",
            "accept_header": "text/html", "user_agent": "Browser/1.0", "os_type": "Linux", "os_version": "6.1",
            "device_model": "X1", "accept_language": "en-NG", "referer": "https://shop.example/basket",
        },
    });
    let items = json!([{
        "product_name": "Book", "quantity": 2, "amount": 3270, "total_amount": 6540, "unit_discount_amount": 10,
        "tax_rate": 0.19, "total_tax_amount": 1044, "product_tax_code": "P0000000", "product_type": "physical",
        "product_id": "book_1", "description": "A book on books", "category": "books",
        "sub_category": "old books", "brand": "Binders", "sku": "B-1", "upc": "036000291452",
        "commodity_code": "55101500", "unit_of_measure": "piece",
        "product_img_link": "https://shop.example/book.png", "requires_shipping": true,
    }]);
    let said = json!({
        "profile_id": profile["profile_id"], "confirm": true, "capture_method": "manual",
        "shipping_cost": 500, "order_tax_amount": 60,
        "surcharge_details": { "surcharge_amount": 100, "tax_amount": 20 },
        "description": "Two books", "metadata": { "order": "B-17" }, "merchant_order_reference_id": "B-17",
        "business_country": "NG", "business_label": "books", "business_sub_label": "old books",
        "statement_descriptor_name": "BOOKS", "statement_descriptor_suffix": "B17",
        "billing_descriptor": {
            "name": "Books", "city": "Lagos", "phone": "5550100", "statement_descriptor": "THE BOOK SHOP",
            "statement_descriptor_suffix": "B18", "reference": "R-1",
        },
        "order_details": items,
        "payment_experience": "redirect_to_url", "payment_channel": "telephone_order",
        "installment_options": { "at_most": 6 },
        "installment_data": { "number_of_installments": 3, "billing_frequency": "month", "installment_interest": 1.5 },
        "connector_metadata": { "noon": { "order_category": "pay" } },
        "feature_metadata": { "search_tags": ["a"] }, "frm_metadata": { "basket": 2 },
        "tokenization": { "at": "processor" }, "is_stored_credential": true,
        "request_extended_authorization": true, "enable_overcapture": true, "enable_partial_authorization": true,
        "force_3ds_challenge": false,
    });
    let body = with(with(order_with(APPROVED), payer), said);
    let call = merchant.call("payments_create").json(&body);
    let wanted = [
        ("/status", json!("requires_capture")),
        ("/net_amount", json!(7220)),
        ("/order_details/0/sku", json!("B-1")),
        ("/billing/address/line3", json!("Door 3")),
        ("/browser_info/color_depth", json!(24)),
        ("/billing_descriptor/reference", json!("R-1")),
        ("/installment_data/number_of_installments", json!(3)),
    ];
    let payment = run
        .works("an order that says everything", call, &wanted)
        .await?;
    let call = merchant.on("payments_capture", &payment);
    run.works("all of it is captured", call, &[]).await?;
    let call = merchant.on("payments_retrieve", &payment);
    let call = call
        .query("expand_attempts", true)
        .query("expand_captures", true);
    let wanted = [
        ("/status", json!("succeeded")),
        ("/attempts/0/status", json!("charged")),
        ("/attempts/0/order_tax_amount", json!(60)),
    ];
    run.works("with its attempts", call, &wanted).await?;
    Ok(())
}

async fn wallets(run: &mut Run, merchant: &Merchant, profile: &Value) -> Result<(), Stop> {
    let more = json!({
        "profile_id": profile["profile_id"], "email": "ada@shopper.example", "phone": "5550100",
        "phone_country_code": "+44",
    });
    let call = merchant.call("payments_create").json(&with(order(), more));
    let payment = run.works("an order for a wallet", call, &[]).await?;
    let body = json!({
        "payment_id": payment["payment_id"], "client_secret": payment["client_secret"], "wallets": [],
    });
    let call = merchant.call("payments_session_tokens");
    let call = call.key(&merchant.publishable_key).json(&body);
    let names = [
        "apple_pay",
        "google_pay",
        "samsung_pay",
        "paypal",
        "klarna",
        "amazon_pay",
        "paze",
        "click_to_pay",
        "open_banking",
    ];
    let places: Vec<String> = (0..names.len())
        .map(|index| format!("/session_token/{index}/wallet_name"))
        .collect();
    let places = places.iter().map(String::as_str);
    let wanted: Vec<(&str, Value)> = places.zip(names.map(Value::from)).collect();
    run.works("a button of every wallet", call, &wanted).await?;
    Ok(())
}

async fn of_the_merchant(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let body = json!({
        "merchant_details": {
            "primary_contact_person": "Ada Okafor", "primary_phone": "5550100",
            "primary_email": "ada@shop.example", "secondary_contact_person": "Bo Lindqvist",
            "secondary_phone": "5550101", "secondary_email": "bo@shop.example",
            "website": "https://shop.example", "about_business": "Old books",
            "address": address("1 Marina")["address"], "merchant_tax_registration_id": "NG-1",
        },
        "return_url": "https://shop.example/thanks",
        "webhook_details": webhooks(),
        "metadata": { "floor": "2" },
        "primary_business_details": [{ "country": "NG", "business": "books" }],
    });
    let call = run.operator("merchant_accounts_update", &merchant.id);
    let wanted = [
        (
            "/merchant_details/primary_contact_person",
            json!("Ada Okafor"),
        ),
        ("/primary_business_details/0/business", json!("books")),
    ];
    run.works("all about the merchant", call.json(&body), &wanted)
        .await?;
    Ok(())
}
