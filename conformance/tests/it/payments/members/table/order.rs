//! Members about the order: amounts, texts, items.

use serde_json::{Value, json};

use super::super::fate::Fate::{CapturesLater, Changes, Judged, Sent};
use super::super::fate::{CREATE, Case, LATER, not_built, note, sent};

pub fn money() -> Vec<Case> {
    let manual = || json!({ "capture_method": "manual" });
    vec![
        sent("amount", json!(7000), "/amount"),
        sent("currency", json!("EUR"), "/currency"),
        // A manual capture without an amount takes everything.
        Case::new("amount_to_capture", json!(4000), CapturesLater(6540)).along_with(manual()),
        // With an automatic capture or several captures, it can only be the total.
        Case::new("amount_to_capture", json!(4000), Judged(400, "IR_16")),
        Case::new("amount_to_capture", json!(4000), Judged(400, "IR_16"))
            .along_with(json!({ "capture_method": "manual_multiple" })),
        Case::new(
            "shipping_cost",
            json!(500),
            Sent("/amount", with_added(500)),
        ),
        sent("shipping_cost", json!(500), "/details/order/shipping_cost"),
        Case::new(
            "order_tax_amount",
            json!(60),
            Sent("/amount", with_added(60)),
        ),
        sent(
            "order_tax_amount",
            json!(60),
            "/details/order/order_tax_amount",
        ),
        Case::new(
            "surcharge_details",
            surcharge(),
            Sent("/amount", with_added(120)),
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
            Sent("/details/order/surcharge_amount", json!(100)),
        ),
        Case::new(
            "surcharge_details",
            surcharge(),
            Sent("/details/order/surcharge_tax_amount", json!(20)),
        ),
        sent(
            "discount_amount",
            json!(300),
            "/details/order/discount_amount",
        ),
        sent(
            "shipping_amount_tax",
            json!(40),
            "/details/order/shipping_amount_tax",
        ),
        sent("duty_amount", json!(70), "/details/order/duty_amount"),
        sent("tax_status", json!("exempt"), "/details/order/tax_status"),
        not_built("skip_external_tax_calculation", json!(true), json!(false)),
    ]
}

fn surcharge() -> Value {
    json!({ "surcharge_amount": 100, "tax_amount": 20 })
}

/// Returns 65.40 plus this addition.
fn with_added(more: i64) -> Value {
    json!(6540 + more)
}

pub fn identity() -> Vec<Case> {
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
        sent(
            "merchant_order_reference_id",
            json!("B-17"),
            "/details/order/reference",
        ),
        sent("description", json!("Two books"), "/details/description"),
        Case::new(
            "metadata",
            json!({ "order": "B-17", "lines": [1, 2] }),
            Sent(
                "/details/metadata",
                json!({ "lines": "[1,2]", "order": "B-17" }),
            ),
        ),
        sent("statement_descriptor_name", json!("BOOKS"), text),
        sent(
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
            Sent(
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
        sent("order_details", items(), "/details/order/items"),
        Case::new(
            "order_date",
            json!("2026-01-05T10:11:12.345Z"),
            Sent("/details/order/date", json!("2026-01-05T10:11:12.345Z")),
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
