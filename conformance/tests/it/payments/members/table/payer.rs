//! Members about the payer and the instrument.

use multirail_conformance::bodies::{card, with};
use serde_json::{Value, json};

use super::super::fate::Fate::{Changes, Judged, Sent};
use super::super::fate::{Case, On, not_built, note, sent};

/// A card that differs from the one in [`order_with`](multirail_conformance::bodies::order_with).
fn another_card() -> Value {
    card("4242424242424242")
}

pub fn payer() -> Vec<Case> {
    vec![
        sent(
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
            Sent(
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
        sent("email", json!("ada@example.com"), "/details/payer/email"),
        sent("name", json!("Ada Okafor"), "/details/payer/name"),
        // Without its country code a number is useless to a processor.
        Case::new(
            "phone",
            json!("+234 555-0100"),
            Sent("/details/payer/phone", json!("5550100")),
        ),
        sent(
            "phone_country_code",
            json!("+234"),
            "/details/payer/phone_country_code",
        ),
        sent("billing", address("1 Marina"), "/details/payer/billing"),
        sent("shipping", address("2 Harbour"), "/details/payer/shipping"),
        sent("browser_info", browser(), "/details/authentication/browser"),
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

pub fn instrument() -> Vec<Case> {
    let wallet = json!({
        "payment_method_type": "google_pay",
        "payment_method_data": { "card": null, "wallet": { "google_pay_redirect": {} } },
    });
    let mut card_with_address = another_card();
    card_with_address["payment_method_data"]["billing"] = address("3 Quay");
    let data = || another_card()["payment_method_data"].clone();
    let card = || json!({ "payment_method": "card", "payment_method_data": data() });
    vec![
        Case::new("payment_method", json!("wallet"), Judged(400, "IR_19")).along_with(wallet),
        Case::new(
            "payment_method_type",
            json!("debit"),
            Changes("/payment_method_type", json!("debit")),
        )
        .along_with(card()),
        Case::new(
            "payment_method_data",
            data(),
            Changes("/payment_method_data/card/last4", json!("4242")),
        )
        .along_with(json!({ "payment_method": "card" })),
        Case::new("payment_token", json!("token_1"), Judged(422, "IR_29")),
        Case::new("card_cvc", json!("123"), Judged(422, "IR_06")),
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
        sent(
            "installment_data",
            json!({ "number_of_installments": 3, "billing_frequency": "month", "installment_interest": 1.5 }),
            "/details/installments",
        ),
    ]
}

pub fn future_use() -> Vec<Case> {
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
        sent(
            "setup_future_usage",
            json!("on_session"),
            "/details/initiation/future_usage",
        )
        .along_with(somebody()),
        sent(
            "setup_future_usage",
            json!("off_session"),
            "/details/initiation/future_usage",
        )
        .along_with(with(somebody(), json!({ "customer_acceptance": consent }))),
        sent(
            "off_session",
            json!(true),
            "/details/initiation/off_session",
        ),
        sent(
            "customer_acceptance",
            consent,
            "/details/initiation/consent",
        ),
        // A mandate needs a customer.
        Case::new("mandate_data", mandate, Judged(400, "IR_16")),
        // A card is given too.
        Case::new("mandate_id", json!("man_1"), Judged(422, "IR_06"))
            .along_with(with(another_card(), json!({ "off_session": true })))
            .on(&[On::Create, On::Confirm]),
        Case::new(
            "recurring_details",
            json!({ "type": "payment_method_id", "data": "pm_1" }),
            // A card is given too.
            Judged(422, "IR_06"),
        )
        .along_with(with(another_card(), json!({ "off_session": true }))),
        sent(
            "is_stored_credential",
            json!(true),
            "/details/initiation/is_stored_credential",
        ),
        sent(
            "mit_category",
            json!("recurring"),
            "/details/initiation/mit_category",
        )
        .along_with(json!({ "off_session": true })),
    ]
}
