//! The methods that a checkout offers, and the accounts that routing chooses for them.

use std::sync::Arc;

use multirail_conformance::Shop;
use multirail_conformance::bodies::with;
use multirail_peers::adyen::Adyen;
use multirail_peers::stripe::Stripe;
use multirail_peers::system_time;
use serde_json::{Value, json};

use super::{asked, ideal, klarna, order_by};
use crate::processors::production_shop::ProductionShop;

/// Opens a shop whose first account takes cards, and whose second one takes iDEAL and Klarna.
async fn shop_of_two() -> Shop {
    let shop = Shop::open().await;
    let cards = json!([{ "payment_method": "card" }]);
    shop.reconnects(json!({ "payment_methods_enabled": cards }))
        .await
        .ok();
    let others = json!([
        { "payment_method": "bank_redirect", "payment_method_types": ["ideal"] },
        { "payment_method": "pay_later", "payment_method_types": ["klarna"], "maximum_amount": 7000 },
    ]);
    shop.connects("paypal_test", json!({ "payment_methods_enabled": others }))
        .await
        .ok();
    shop
}

/// Returns the offered types that aren't cards, with everything that a checkout is told of them.
async fn offered(shop: &Shop, payment: &Value) -> Vec<Value> {
    let call = shop
        .payer_of(payment)
        .call("account_payment_methods_list")
        .query(
            "client_secret",
            payment["client_secret"].as_str().expect("a secret"),
        );
    let answer = call.await.ok();
    let families = answer["payment_methods"].as_array().expect("families");
    let others = families
        .iter()
        .filter(|family| family["payment_method"] != "card");
    others
        .flat_map(|family| family["payment_method_types"].as_array().expect("types"))
        .cloned()
        .collect()
}

#[tokio::test]
async fn a_checkout_is_offered_what_its_accounts_take() {
    let shop = shop_of_two().await;
    let order = shop.creates(order_by(json!({}))).await.ok();
    insta::assert_json_snapshot!(offered(&shop, &order).await, @r#"
    [
      {
        "payment_method_type": "klarna",
        "payment_experience": [
          {
            "payment_experience_type": "redirect_to_url",
            "eligible_connectors": [
              "paypal_test"
            ]
          }
        ],
        "card_networks": null,
        "required_fields": {}
      },
      {
        "payment_method_type": "ideal",
        "payment_experience": [
          {
            "payment_experience_type": "redirect_to_url",
            "eligible_connectors": [
              "paypal_test"
            ]
          }
        ],
        "card_networks": null,
        "bank_names": [
          {
            "bank_name": [
              "abn_amro",
              "asn_bank",
              "bunq",
              "handelsbanken",
              "ing",
              "knab",
              "moneyou",
              "n26",
              "nationale_nederlanden",
              "rabobank",
              "regiobank",
              "revolut",
              "sns_bank",
              "triodos_bank",
              "van_lanschot",
              "yoursafe"
            ],
            "eligible_connectors": [
              "paypal_test"
            ]
          }
        ],
        "required_fields": {}
      }
    ]
    "#);
    let table = [
        (json!({ "currency": "USD" }), vec!["klarna"]),
        (json!({ "amount": 7001 }), vec!["ideal"]),
        (json!({ "capture_method": "manual" }), vec!["klarna"]),
        (
            json!({ "setup_future_usage": "on_session", "customer_id": "ada" }),
            vec![],
        ),
        (
            json!({ "allowed_payment_method_types": ["ideal"] }),
            vec!["ideal"],
        ),
    ];
    for (more, wanted) in table {
        let order = shop.creates(with(order_by(json!({})), more.clone()));
        let types = offered(&shop, &order.await.ok()).await;
        let types: Vec<&Value> = types
            .iter()
            .map(|one| &one["payment_method_type"])
            .collect();
        assert_eq!(types, wanted, "{more}");
    }
}

#[tokio::test]
async fn a_checkout_asks_for_what_the_processor_needs() {
    let shop = Shop::open().await;
    let order = |more| with(order_by(json!({ "currency": "GBP" })), more);
    let known = json!({ "billing": {
        "email": "ada@example.com", "address": { "first_name": "Ada", "last_name": "Okafor", "country": "GB" },
    } });
    let abroad = json!({ "billing": { "address": { "country": "FR" } } });
    let table = [
        (
            json!({}),
            Some(vec![
                (
                    "payment_method_data.billing.address.first_name",
                    "user_billing_name",
                ),
                (
                    "payment_method_data.billing.address.last_name",
                    "user_billing_name",
                ),
                ("payment_method_data.billing.email", "user_email_address"),
            ]),
        ),
        (known, Some(vec![])),
        (abroad, None),
    ];
    for (more, wanted) in table {
        let order = shop.creates(order(more.clone())).await.ok();
        let offered = offered(&shop, &order).await;
        let mut offered = offered.iter();
        let found = offered.find(|one| one["payment_method_type"] == "afterpay_clearpay");
        let fields = found.map(|found| {
            let fields = found["required_fields"].as_object().expect("fields");
            let told = fields.iter().map(|(path, field)| {
                assert_eq!(field["required_field"], *path);
                (path.as_str(), field["field_type"].as_str().expect("a word"))
            });
            told.collect::<Vec<_>>()
        });
        assert_eq!(fields, wanted, "{more}");
    }
}

/// The profile may keep the payment's address apart from that of the method: no processor would get it.
#[tokio::test]
async fn a_checkout_asks_for_an_address_that_is_kept_apart() {
    let shop = Shop::open().await;
    let known = json!({ "currency": "GBP", "billing": {
        "email": "ada@example.com", "address": { "first_name": "Ada", "last_name": "Okafor", "country": "GB" },
    } });
    let order = shop.creates(order_by(known)).await.ok();
    let missing = async || {
        let offered = offered(&shop, &order).await;
        let mut offered = offered.iter();
        let found = offered.find(|one| one["payment_method_type"] == "afterpay_clearpay");
        let fields = &found.expect("an offer")["required_fields"];
        fields.as_object().expect("fields").len()
    };
    assert_eq!(missing().await, 0);
    let apart = json!({ "use_billing_as_payment_method_billing": false });
    shop.sets_up(apart).await.ok();
    assert_eq!(missing().await, 3);
}

/// At Stripe, Afterpay needs the billing address, too.
#[tokio::test]
async fn a_checkout_asks_for_what_stripe_needs() {
    let stripe = Arc::new(Stripe::new(system_time));
    let shop = ProductionShop::open("stripe", stripe).await;
    let order = order_by(json!({ "currency": "GBP" }));
    let order = shop.creates(order).await.ok();
    let mut rows = Vec::new();
    for one in offered(&shop, &order).await {
        let kind = one["payment_method_type"].as_str().expect("a word");
        let fields = one["required_fields"].as_object().expect("fields").values();
        let fields = fields.map(|field| field["field_type"].as_str().expect("a word"));
        rows.push(format!("{kind} {:?}", fields.collect::<Vec<_>>()));
    }
    rows.sort();
    insta::assert_snapshot!(rows.join("\n"), @r#"
    afterpay_clearpay ["user_address_city", "user_country", "user_billing_name", "user_billing_name", "user_address_line1", "user_address_pincode", "user_email_address"]
    ali_pay []
    bacs ["user_bank_account_number", "user_bank_account_holder_name", "user_bank_sort_code", "user_address_city", "user_country", "user_address_line1", "user_address_pincode", "user_email_address"]
    google_pay []
    klarna ["user_country", "user_email_address"]
    paypal []
    we_chat_pay []
    "#);
}

#[tokio::test]
async fn a_checkout_learns_how_a_payer_pays() {
    let shop = Shop::open().await;
    let mut told = Vec::new();
    for (currency, kinds) in [
        ("BRL", vec!["pix", "boleto"]),
        ("PLN", vec!["blik"]),
        ("INR", vec!["upi_collect", "upi_intent", "upi_qr"]),
        ("SEK", vec!["swish"]),
        ("EUR", vec!["multibanco", "sepa_bank_transfer"]),
    ] {
        let order = order_by(json!({ "currency": currency }));
        let order = shop.creates(order).await.ok();
        let offered = offered(&shop, &order).await;
        for kind in kinds {
            let mut offered = offered.iter();
            let found = offered.find(|one| one["payment_method_type"] == kind);
            let found = found.expect("an offer");
            let experience = &found["payment_experience"][0]["payment_experience_type"];
            let fields = found["required_fields"].as_object().expect("fields");
            let fields: Vec<&String> = fields.keys().collect();
            told.push(format!("{kind}: {experience} {fields:?}"));
        }
    }
    insta::assert_snapshot!(told.join("\n"), @r#"
    pix: "display_qr_code" []
    boleto: null ["payment_method_data.billing.address.first_name", "payment_method_data.billing.address.last_name", "payment_method_data.voucher.boleto.social_security_number"]
    blik: "display_wait_screen" ["payment_method_data.bank_redirect.blik.blik_code"]
    upi_collect: "display_wait_screen" ["payment_method_data.upi.upi_collect.vpa_id"]
    upi_intent: "redirect_to_url" []
    upi_qr: "display_qr_code" []
    swish: "display_qr_code" []
    multibanco: null ["payment_method_data.billing.email"]
    sepa_bank_transfer: null ["payment_method_data.bank_transfer.sepa_bank_transfer.country"]
    "#);
}

/// A payer who has to name a bank chooses among those that Adyen has a number for.
#[tokio::test]
async fn a_checkout_offers_the_banks_of_each_connector() {
    let adyen = Arc::new(Adyen::new());
    let shop = ProductionShop::open("adyen", adyen).await;
    let order = order_by(json!({ "currency": "PLN" }));
    let order = shop.creates(order).await.ok();
    let offered = offered(&shop, &order).await;
    let mut lists = Vec::new();
    for one in offered {
        let kind = one["payment_method_type"].as_str().expect("a word");
        let asks = one["required_fields"].to_string().contains("user_bank\"");
        let banks = one["bank_names"].as_array().into_iter().flatten();
        let banks = banks.map(|list| {
            let names = list["bank_name"].as_array().expect("banks");
            (names.len(), list["eligible_connectors"].clone())
        });
        let banks: Vec<_> = banks.collect();
        assert_eq!(asks, !banks.is_empty(), "{kind}");
        lists.extend(banks);
    }
    assert_eq!(lists, [(19, json!(["adyen"]))]);
}

#[tokio::test]
async fn routing_chooses_only_accounts_that_take_the_method() {
    let shop = shop_of_two().await;
    for method in [ideal(), klarna()] {
        let payment = asked(&shop, method).await;
        assert_eq!(payment["connector"], "paypal_test");
    }
    let large = with(klarna(), json!({ "amount": 7001, "confirm": true }));
    shop.creates(order_by(large)).await.refused(400, "IR_39");
    let trial = json!({
        "amount": 6540, "currency": "USD", "payment_method": "bank_redirect", "payment_method_type": "ideal",
    });
    let dropped = dropped_by(&shop, trial).await;
    assert_eq!(dropped, ["payment_method", "connector_currency"]);

    let shop = Shop::open().await;
    let abroad = json!({
        "amount": 6540, "currency": "GBP", "billing_country": "FR",
        "payment_method": "pay_later", "payment_method_type": "afterpay_clearpay",
    });
    assert_eq!(dropped_by(&shop, abroad).await, ["connector_country"]);
}

/// Tries a payment that no account takes. Returns the reason of each account.
async fn dropped_by(shop: &Shop, trial: Value) -> Vec<Value> {
    let answer = shop.call("routing_evaluate").json(&trial).await.ok();
    assert_eq!(answer["connectors"], json!([]));
    let candidates = answer["routing"]["candidates"].as_array().expect("a list");
    let reasons = candidates.iter().map(|one| one["dropped_because"].clone());
    reasons.collect()
}
