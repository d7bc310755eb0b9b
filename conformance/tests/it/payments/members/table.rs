//! The members, in the order of the document.

use serde_json::{Value, json};

use super::another_card;
use super::fate::Fate::{CapturesLater, Changes, Confirms, Judged, Lasts, Refused, Told};
use super::fate::{CREATE, Case, LATER, On, no_effect, not_built, note, told};

/// 65.40 and what is added.
fn with_added(more: i64) -> Value {
    json!(6540 + more)
}

pub fn cases() -> Vec<Case> {
    [
        money(),
        identity(),
        running(),
        payer(),
        instrument(),
        future_use(),
        account(),
        hosted_page(),
    ]
    .concat()
}

fn money() -> Vec<Case> {
    let manual = || json!({ "capture_method": "manual" });
    vec![
        told("amount", json!(7000), "/amount"),
        told("currency", json!("EUR"), "/currency"),
        Case::new("amount_to_capture", json!(4000), CapturesLater(4000)).beside(manual()),
        // With a capture in the same step it can only be the total; so where each capture names its amount.
        Case::new("amount_to_capture", json!(4000), Judged(400, "IR_16")),
        Case::new("amount_to_capture", json!(4000), Judged(400, "IR_16"))
            .beside(json!({ "capture_method": "manual_multiple" })),
        Case::new(
            "shipping_cost",
            json!(500),
            Told("/amount", with_added(500)),
        ),
        told("shipping_cost", json!(500), "/details/order/shipping_cost"),
        Case::new(
            "order_tax_amount",
            json!(60),
            Told("/amount", with_added(60)),
        ),
        told(
            "order_tax_amount",
            json!(60),
            "/details/order/order_tax_amount",
        ),
        Case::new(
            "surcharge_details",
            surcharge(),
            Told("/amount", with_added(120)),
        ),
        Case::new(
            "surcharge_details",
            surcharge(),
            Changes("/net_amount", with_added(120)),
        ),
        Case::new(
            "surcharge_details",
            surcharge(),
            Changes("/surcharge_details", surcharge()),
        ),
        Case::new(
            "surcharge_details",
            surcharge(),
            Told("/details/order/surcharge_amount", json!(100)),
        ),
        Case::new(
            "surcharge_details",
            surcharge(),
            Told("/details/order/surcharge_tax_amount", json!(20)),
        ),
        told(
            "discount_amount",
            json!(300),
            "/details/order/discount_amount",
        ),
        told(
            "shipping_amount_tax",
            json!(40),
            "/details/order/shipping_amount_tax",
        ),
        told("duty_amount", json!(70), "/details/order/duty_amount"),
        told("tax_status", json!("exempt"), "/details/order/tax_status"),
        no_effect("skip_external_tax_calculation", json!(true)),
    ]
}

fn surcharge() -> Value {
    json!({ "surcharge_amount": 100, "tax_amount": 20 })
}

fn identity() -> Vec<Case> {
    let text = "/details/descriptor/text";
    vec![
        Case::new(
            "payment_id",
            json!("pay_of_members"),
            Changes("/payment_id", json!("pay_of_members")),
        )
        .on(CREATE),
        Case::new("payment_id", json!("pay_of_others"), Judged(422, "IR_06")).on(LATER),
        Case::new("merchant_id", json!("flower_shop"), Judged(404, "HE_02"))
            .on(CREATE)
            .named_as("merchant account"),
        Case::new("profile_id", json!("pro_of_others"), Judged(404, "HE_02"))
            .on(CREATE)
            .named_as("business profile"),
        Case::new("profile_id", json!("pro_of_others"), Judged(422, "IR_06")).on(LATER),
        note("business_country", json!("NG")).on(CREATE),
        note("business_label", json!("books")).on(CREATE),
        note("business_sub_label", json!("old_books")).on(CREATE),
        told(
            "merchant_order_reference_id",
            json!("B-17"),
            "/details/order/reference",
        ),
        told("description", json!("Two books"), "/details/description"),
        note("metadata", json!({ "order": "B-17", "lines": [1, 2] })),
        told("statement_descriptor_name", json!("BOOKS"), text),
        told(
            "statement_descriptor_suffix",
            json!("B17"),
            "/details/descriptor/suffix",
        ),
        Case::new(
            "billing_descriptor",
            json!({
                "name": "Books",
                "city": "Lagos",
                "phone": "5550100",
                "statement_descriptor": "THE BOOK SHOP",
                "statement_descriptor_suffix": "B18",
                "reference": "R-1",
            }),
            Told(
                "/details/descriptor",
                json!({
                    "text": "THE BOOK SHOP",
                    "suffix": "B18",
                    "name": "Books",
                    "city": "Lagos",
                    "phone": "5550100",
                    "reference": "R-1",
                }),
            ),
        ),
        told("order_details", items(), "/details/order/items"),
        Case::new(
            "order_date",
            json!("2026-01-05T10:11:12.345Z"),
            Told("/details/order/date", json!("2026-01-05T10:11:12.345Z")),
        ),
    ]
}

fn items() -> Value {
    json!([{
        "product_name": "Book",
        "quantity": 2,
        "amount": 3270,
        "total_amount": 6540,
        "unit_discount_amount": 10,
        "tax_rate": 0.19,
        "total_tax_amount": 1044,
        "product_tax_code": "P0000000",
        "product_type": "physical",
        "product_id": "book_1",
        "description": "A book on books",
        "category": "books",
        "sub_category": "old books",
        "brand": "Binders",
        "sku": "B-1",
        "upc": "036000291452",
        "commodity_code": "55101500",
        "unit_of_measure": "piece",
        "product_img_link": "https://shop.example/book.png",
        "requires_shipping": true,
    }])
}

fn running() -> Vec<Case> {
    vec![
        Case::new("confirm", json!(true), Confirms).on(&[On::Create, On::Update]),
        no_effect("confirm", json!(false)).on(&[On::Confirm]),
        Case::new(
            "capture_method",
            json!("manual"),
            Told("/captured_at_once", json!(false)),
        ),
        note("capture_on", json!("2026-02-05T10:11:12.345Z")),
        told(
            "authentication_type",
            json!("three_ds"),
            "/details/authentication/wanted",
        ),
        told(
            "force_3ds_challenge",
            json!(true),
            "/details/authentication/force_challenge",
        ),
        not_built(
            "request_external_three_ds_authentication",
            json!(true),
            json!(false),
        ),
        told(
            "psd2_sca_exemption_type",
            json!("transaction_risk_analysis"),
            "/details/authentication/exemption",
        ),
        told(
            "threeds_method_comp_ind",
            json!("Y"),
            "/details/authentication/device_data_collected",
        ),
        Case::new(
            "return_url",
            json!("https://shop.example/thanks"),
            Changes("/return_url", json!("https://shop.example/thanks")),
        ),
        not_built("is_iframe_redirection_enabled", json!(true), json!(false)),
        Case::new("session_expiry", json!(3600), Lasts(3600)),
        Case::new(
            "client_secret",
            json!("pay_of_members_secret_1"),
            Judged(422, "IR_06"),
        ),
        no_effect("retry_action", json!("manual_retry")),
        not_built("retry_action", json!("requeue"), json!(null)),
        not_built(
            "request_incremental_authorization",
            json!(true),
            json!(false),
        ),
        not_built("request_extended_authorization", json!(true), json!(false)),
        told(
            "enable_partial_authorization",
            json!(true),
            "/details/takes_less",
        ),
        not_built("enable_overcapture", json!(true), json!(false))
            .beside(json!({ "capture_method": "manual" })),
        not_built("payment_type", json!("new_mandate"), json!("normal")),
        told(
            "payment_channel",
            json!("telephone_order"),
            "/details/initiation/channel",
        ),
    ]
}

fn payer() -> Vec<Case> {
    vec![
        told(
            "customer_id",
            json!("cus_ada"),
            "/details/payer/customer_id",
        ),
        Case::new(
            "customer",
            json!({
                "id": "cus_bo",
                "name": "Bo Lindqvist",
                "email": "bo@example.com",
                "phone": "5550101",
                "phone_country_code": "+46",
                "tax_registration_id": "SE1234",
                "document_details": { "document_type": "CPF", "document_number": "123" },
            }),
            Told(
                "/details/payer",
                json!({
                    "customer_id": "cus_bo",
                    "name": "Bo Lindqvist",
                    "email": "bo@example.com",
                    "phone": "5550101",
                    "phone_country_code": "+46",
                    "tax_registration_id": "SE1234",
                    "document": { "document_type": "CPF", "document_number": "123" },
                }),
            ),
        ),
        told("email", json!("ada@example.com"), "/details/payer/email"),
        told("name", json!("Ada Okafor"), "/details/payer/name"),
        told("phone", json!("5550100"), "/details/payer/phone"),
        told(
            "phone_country_code",
            json!("+234"),
            "/details/payer/phone_country_code",
        ),
        told("billing", address("1 Marina"), "/details/payer/billing"),
        told("shipping", address("2 Harbour"), "/details/payer/shipping"),
        told("browser_info", browser(), "/details/authentication/browser"),
    ]
}

fn address(line: &str) -> Value {
    json!({
        "address": {
            "first_name": "Ada",
            "last_name": "Okafor",
            "line1": line,
            "line2": "Floor 2",
            "line3": "Door 3",
            "city": "Lagos",
            "state": "Lagos",
            "zip": "100221",
            "country": "NG",
            "origin_zip": "100222",
        },
        "phone": { "number": "5550100", "country_code": "+234" },
        "email": "ada@example.com",
    })
}

fn browser() -> Value {
    json!({
        "color_depth": 24,
        "java_enabled": false,
        "java_script_enabled": true,
        "language": "en-NG",
        "screen_height": 723,
        "screen_width": 1536,
        "time_zone": -60,
        "ip_address": "203.0.113.9",
        "accept_header": "text/html",
        "user_agent": "Browser/1.0",
        "os_type": "Linux",
        "os_version": "6.1",
        "device_model": "X1",
        "accept_language": "en-NG",
        "referer": "https://shop.example/basket",
    })
}

fn instrument() -> Vec<Case> {
    let wallet = json!({
        "payment_method_type": "google_pay",
        "payment_method_data": { "card": null, "wallet": { "google_pay": {} } },
    });
    let mut card_with_address = another_card();
    card_with_address["payment_method_data"]["billing"] = address("3 Quay");
    let data = || another_card()["payment_method_data"].clone();
    let card = || json!({ "payment_method": "card", "payment_method_data": data() });
    vec![
        Case::new("payment_method", json!("wallet"), Judged(400, "IR_19")).beside(wallet),
        Case::new(
            "payment_method_type",
            json!("debit"),
            Changes("/payment_method_type", json!("debit")),
        )
        .beside(card()),
        Case::new(
            "payment_method_data",
            data(),
            Changes("/payment_method_data/card/last4", json!("4242")),
        )
        .beside(json!({ "payment_method": "card" })),
        Case::new(
            "payment_token",
            json!("token_1"),
            Refused {
                status: 422,
                code: "IR_29",
                no: json!(null),
            },
        ),
        Case::new(
            "card_cvc",
            json!("123"),
            Refused {
                status: 422,
                code: "IR_06",
                no: json!(null),
            },
        ),
        note("payment_experience", json!("redirect_to_url")),
        Case::new(
            "allowed_payment_method_types",
            json!(["debit", "klarna"]),
            Judged(422, "IR_06"),
        ),
        not_built(
            "ctp_service_details",
            json!({ "provider": "visa" }),
            json!({}),
        ),
        note("tokenization", json!({ "at": "processor" })),
        note("installment_options", json!({ "at_most": 6 })),
        told(
            "installment_data",
            json!({ "number_of_installments": 3, "billing_frequency": "month", "installment_interest": 1.5 }),
            "/details/installments",
        ),
    ]
}

fn future_use() -> Vec<Case> {
    let consent = json!({
        "acceptance_type": "online",
        "accepted_at": "2026-01-05T10:11:12.345Z",
        "online": { "ip_address": "203.0.113.9", "user_agent": "Browser/1.0" },
    });
    let mandate = json!({
        "mandate_type": { "single_use": { "amount": 6540, "currency": "USD" } },
    });
    let somebody = || json!({ "customer_id": "cus_ada" });
    vec![
        told(
            "setup_future_usage",
            json!("on_session"),
            "/details/initiation/future_usage",
        )
        .beside(somebody()),
        not_built("setup_future_usage", json!("off_session"), json!(null)).beside(somebody()),
        told(
            "off_session",
            json!(true),
            "/details/initiation/off_session",
        ),
        told(
            "customer_acceptance",
            consent,
            "/details/initiation/consent",
        ),
        not_built("mandate_data", mandate, json!({})),
        not_built("mandate_id", json!("man_1"), json!(null)).on(&[On::Create, On::Confirm]),
        not_built(
            "recurring_details",
            json!({ "type": "mandate_id", "data": "man_1" }),
            json!(null),
        ),
        told(
            "is_stored_credential",
            json!(true),
            "/details/initiation/is_stored_credential",
        ),
        not_built("mit_category", json!("recurring"), json!(null)),
    ]
}

fn account() -> Vec<Case> {
    let other = json!({ "type": "single", "data": { "connector": "stripe_test" } });
    vec![
        Case::new(
            "routing",
            other,
            Changes("/connector", json!("stripe_test")),
        ),
        Case::new(
            "connector",
            json!(["stripe_test"]),
            Changes("/connector", json!("stripe_test")),
        ),
        Case::new(
            "merchant_connector_details",
            json!({ "creds_identifier": "mine" }),
            Judged(422, "IR_06"),
        ),
        // Only what is for the processor that is asked.
        Case::new(
            "connector_metadata",
            json!({ "fauxpay": { "shop": "B" }, "noon": { "order_category": "pay" } }),
            Told("/details/connector_metadata", json!({ "shop": "B" })),
        ),
        note("feature_metadata", json!({ "search_tags": ["a"] })),
        note("frm_metadata", json!({ "basket": 2 })),
        not_built(
            "split_payments",
            json!({ "stripe_split_payment": { "application_fees": 10 } }),
            json!({}),
        ),
        not_built("three_ds_data", json!({ "eci": "05" }), json!(null)),
        not_built("external_surcharge_strategy", json!("theirs"), json!(null)),
        no_effect(
            "partner_merchant_identifier_details",
            json!({ "name": "Builder" }),
        ),
        no_effect("profile_acquirer_id", json!("acq_1")),
        no_effect("all_keys_required", json!(true)),
    ]
}

fn hosted_page() -> Vec<Case> {
    vec![
        not_built("payment_link", json!(true), json!(false)),
        not_built("payment_link_config", json!({ "theme": "#000" }), json!({})),
        not_built("payment_link_config_id", json!("dark"), json!("")),
    ]
}

pub fn cases_of_capture() -> Vec<Case> {
    vec![
        told("amount_to_capture", json!(4000), "/amount"),
        told(
            "statement_descriptor_suffix",
            json!("B17"),
            "/descriptor/suffix",
        ),
        told(
            "statement_descriptor_prefix",
            json!("BOOKS*"),
            "/descriptor/prefix",
        ),
        Case::new(
            "merchant_connector_details",
            json!({ "creds_identifier": "mine" }),
            Judged(422, "IR_06"),
        ),
        no_effect("merchant_id", json!("bookshop")),
        no_effect("refund_uncaptured_amount", json!(true)),
        no_effect("all_keys_required", json!(true)),
    ]
}

pub fn cases_of_cancel() -> Vec<Case> {
    vec![
        told("cancellation_reason", json!("out_of_stock"), "/reason"),
        Case::new(
            "merchant_connector_details",
            json!({ "creds_identifier": "mine" }),
            Judged(422, "IR_06"),
        ),
        no_effect("all_keys_required", json!(true)),
    ]
}
