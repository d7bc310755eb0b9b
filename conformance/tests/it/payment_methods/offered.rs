//! `GET /account/payment_methods`: the methods that the accounts take.

use multirail_conformance::bodies::{APPROVED, card, order, with, without};
use multirail_conformance::{Call, Shop};
use serde_json::{Value, json};

use super::{known, listed, lists, methods, saves};

fn asks(shop: &Shop) -> Call {
    shop.call("account_payment_methods_list")
}

/// Returns the varieties, each with its first networks and their connectors.
fn varieties(answer: &Value) -> Vec<String> {
    let methods = answer["payment_methods"].as_array().expect("methods");
    let kinds = methods.iter().flat_map(|method| {
        let kinds = method["payment_method_types"].as_array().expect("types");
        kinds.iter()
    });
    kinds
        .map(|kind| {
            let networks = kind["card_networks"].as_array().expect("networks");
            let networks: Vec<String> = networks
                .iter()
                .map(|one| {
                    let takers = one["eligible_connectors"].as_array().expect("connectors");
                    let takers: Vec<&str> = takers.iter().filter_map(Value::as_str).collect();
                    format!(
                        "{} {}",
                        one["card_network"].as_str().expect("a network"),
                        takers.join("+")
                    )
                })
                .collect();
            format!(
                "{}: {}",
                kind["payment_method_type"].as_str().expect("a type"),
                networks.join(", ")
            )
        })
        .collect()
}

/// Opens a shop that takes Visa through two connectors and Mastercard through one of them, for different amounts and
/// currencies.
async fn shop() -> Shop {
    let shop = Shop::open().await;
    let item = |kind: &str, network: &str, more: Value| {
        let item = json!({ "payment_method_type": kind, "card_networks": [network] });
        json!({ "payment_method": "card", "payment_method_types": [with(item, more)] })
    };
    let euros = json!({ "accepted_currencies": { "type": "enable_only", "list": ["EUR"] } });
    let large = json!({ "minimum_amount": 1000, "recurring_enabled": true });
    let first = [
        item("credit", "Visa", json!({})),
        item("debit", "Mastercard", euros),
    ];
    shop.reconnects(json!({ "payment_methods_enabled": first }))
        .await
        .ok();
    let abroad = json!({ "accepted_countries": { "type": "disable_only", "list": ["FR"] } });
    let second = [item("credit", "Visa", with(large, abroad))];
    shop.connects("stripe_test", json!({ "payment_methods_enabled": second }))
        .await
        .ok();
    shop
}

/// Query parameters that filter the list, with their values.
type Filters = &'static [(&'static str, &'static str)];

#[tokio::test]
async fn methods_that_accounts_take_are_offered() {
    let shop = shop().await;
    let (visa, both) = ("credit: Visa fauxpay", "credit: Visa fauxpay+stripe_test");
    let debit = "debit: Mastercard fauxpay";
    let table: [(Filters, Vec<&str>); 10] = [
        (&[], vec![both, debit]),
        (&[("amount", "999")], vec![visa, debit]),
        (&[("accepted_currencies", "USD")], vec![both]),
        (&[("accepted_currencies", "USD,EUR")], vec![both, debit]),
        (&[("accepted_countries", "FR")], vec![visa, debit]),
        (&[("card_networks", "mastercard")], vec![debit]),
        (&[("card_network", "JCB")], vec![]),
        (&[("recurring_enabled", "false")], vec![visa, debit]),
        (&[("limit", "1")], vec![both]),
        (
            &[("amount", "999"), ("accepted_currencies", "USD")],
            vec![visa],
        ),
    ];
    for (filters, wanted) in table {
        let call = filters
            .iter()
            .fold(asks(&shop), |call, (name, value)| call.query(name, value));
        assert_eq!(varieties(&call.await.ok()), wanted, "{filters:?}");
    }
    asks(&shop).query("limits", 1).await.refused(400, "IR_06");
    asks(&shop)
        .query("card_networks", "Visum")
        .await
        .refused(400, "IR_06");
    shop.reconnects(json!({ "disabled": true })).await.ok();
    assert_eq!(
        varieties(&asks(&shop).await.ok()),
        ["credit: Visa stripe_test"]
    );
}

#[tokio::test]
async fn a_checkout_sees_the_methods_of_its_payment() {
    let shop = shop().await;
    let french = json!({
        "amount": 6540, "billing": { "address": { "country": "FR" } }, "return_url": "https://shop.example/thanks",
    });
    let payment = shop.creates(with(order(), french)).await.ok();
    let payer = shop.payer_of(&payment);
    let asks_as_payer = |secret: &str| {
        payer
            .call("account_payment_methods_list")
            .query("client_secret", secret)
    };
    let answer = asks_as_payer(&payer.client_secret).await.ok();
    insta::assert_json_snapshot!(answer, @r#"
    {
      "redirect_url": "https://shop.example/thanks",
      "currency": "USD",
      "payment_methods": [
        {
          "payment_method": "card",
          "payment_method_types": [
            {
              "payment_method_type": "credit",
              "payment_experience": [
                {
                  "payment_experience_type": "redirect_to_url",
                  "eligible_connectors": [
                    "fauxpay"
                  ]
                }
              ],
              "card_networks": [
                {
                  "card_network": "Visa",
                  "surcharge_details": null,
                  "eligible_connectors": [
                    "fauxpay"
                  ]
                }
              ],
              "required_fields": {
                "payment_method_data.card.card_cvc": {
                  "required_field": "payment_method_data.card.card_cvc",
                  "display_name": "card_cvc",
                  "field_type": "user_card_cvc",
                  "value": null
                },
                "payment_method_data.card.card_exp_month": {
                  "required_field": "payment_method_data.card.card_exp_month",
                  "display_name": "card_exp_month",
                  "field_type": "user_card_expiry_month",
                  "value": null
                },
                "payment_method_data.card.card_exp_year": {
                  "required_field": "payment_method_data.card.card_exp_year",
                  "display_name": "card_exp_year",
                  "field_type": "user_card_expiry_year",
                  "value": null
                },
                "payment_method_data.card.card_number": {
                  "required_field": "payment_method_data.card.card_number",
                  "display_name": "card_number",
                  "field_type": "user_card_number",
                  "value": null
                }
              }
            }
          ]
        }
      ],
      "mandate_payment": null,
      "merchant_name": null,
      "show_surcharge_breakup_screen": false,
      "payment_type": "normal",
      "request_external_three_ds_authentication": false,
      "is_tax_calculation_enabled": false,
      "collect_shipping_details_from_wallets": false,
      "collect_billing_details_from_wallets": false
    }
    "#);
    let by_merchant = asks(&shop).query("client_secret", &payer.client_secret);
    assert_eq!(by_merchant.await.ok(), answer);
    let only_debit = json!({ "allowed_payment_method_types": ["debit"], "currency": "EUR" });
    let debit = shop.creates(with(order(), only_debit)).await.ok();
    let debit = shop.payer_of(&debit);
    let call = debit
        .call("account_payment_methods_list")
        .query("client_secret", &debit.client_secret);
    assert_eq!(varieties(&call.await.ok()), ["debit: Mastercard fauxpay"]);
    let authorization = payment["sdk_authorization"].as_str().expect("a text");
    let by_authorization = shop.server.wire.call("account_payment_methods_list");
    let by_authorization = by_authorization.header("authorization", authorization);
    assert_eq!(by_authorization.await.ok(), answer);
    asks_as_payer("nonsense").await.refused(400, "IR_09");
    payer
        .call("account_payment_methods_list")
        .await
        .refused(400, "IR_04");
    shop.time_passes(1_000).await;
    asks_as_payer(&payer.client_secret)
        .await
        .refused(400, "IR_08");
}

#[tokio::test]
async fn recurring_payments_offer_only_methods_that_can_be_charged_again() {
    let shop = Shop::open().await;
    let once = json!({ "payment_method_type": "credit", "card_networks": ["Visa"], "recurring_enabled": false });
    let items = [json!({ "payment_method": "card", "payment_method_types": [once] })];
    shop.reconnects(json!({ "payment_methods_enabled": items }))
        .await
        .ok();
    known(&shop, "ada").await;
    for (usage, offered) in [
        ("on_session", vec!["credit: Visa fauxpay"]),
        ("off_session", vec![]),
    ] {
        let kept = json!({ "customer_id": "ada", "setup_future_usage": usage });
        let payer = shop.payer_of(&shop.creates(with(order(), kept)).await.ok());
        let asks = payer
            .call("account_payment_methods_list")
            .query("client_secret", &payer.client_secret);
        assert_eq!(varieties(&asks.await.ok()), offered, "{usage}");
    }
}

#[tokio::test]
async fn each_profile_has_its_own() {
    let shop = shop().await;
    let second = shop.second_profile().await;
    let none = asks(&shop).header("X-Profile-Id", &second).await.ok();
    assert_eq!(none["payment_methods"], json!([]));
    assert_eq!(
        (&none["currency"], &none["payment_type"]),
        (&Value::Null, &Value::Null)
    );
}

#[tokio::test]
async fn a_checkout_sees_surcharges_and_mandate_terms() {
    let shop = shop().await;
    known(&shop, "ada").await;
    saves(&shop, "ada", APPROVED).await.ok();
    let permits = json!({ "multi_use": { "amount": 9000, "currency": "USD" } });
    let payment = json!({
        "amount": 6540, "customer_id": "ada", "surcharge_details": { "surcharge_amount": 150, "tax_amount": 29 },
        "mandate_data": { "mandate_type": permits, "customer_acceptance": { "acceptance_type": "offline" } },
    });
    let payment = shop.creates(with(order(), payment)).await.ok();
    let secret = payment["client_secret"].as_str().expect("a secret");
    let answer = asks(&shop).query("client_secret", secret).await.ok();
    let surcharge = json!({
        "surcharge": { "type": "fixed", "value": 150.0 }, "display_surcharge_amount": 1.5,
        "display_tax_on_surcharge_amount": 0.29, "display_total_surcharge_amount": 1.79, "tax_on_surcharge": null,
    });
    let networks = &answer["payment_methods"][0]["payment_method_types"][0]["card_networks"];
    assert_eq!(networks[0]["surcharge_details"], surcharge);
    assert_eq!(answer["show_surcharge_breakup_screen"], true);
    assert_eq!(answer["payment_type"], "new_mandate");
    let mut said = answer["mandate_payment"]["multi_use"].clone();
    let members = said.as_object_mut().expect("limits");
    members.retain(|_, value| !value.is_null());
    assert_eq!(said, permits["multi_use"]);
    // The list of saved methods shows the same.
    let own = lists(&shop, "ada")
        .query("client_secret", secret)
        .await
        .ok();
    assert_eq!(methods(&own)[0]["surcharge_details"], surcharge);
    assert_eq!(
        listed(&shop, "ada").await[0]["surcharge_details"],
        Value::Null
    );
    // A currency without a minor unit.
    let yen = json!({ "currency": "JPY", "surcharge_details": { "surcharge_amount": 150 }, "customer_id": "ada" });
    let yen = shop.creates(with(order(), yen)).await.ok();
    let secret = yen["client_secret"].as_str().expect("a secret");
    let own = lists(&shop, "ada")
        .query("client_secret", secret)
        .await
        .ok();
    let surcharge = &methods(&own)[0]["surcharge_details"];
    assert_eq!(surcharge["display_total_surcharge_amount"], 150.0);
    // A zero amount, and a charge without the payer.
    let kinds = [
        (
            json!({ "amount": 0, "setup_future_usage": "off_session" }),
            "setup_mandate",
        ),
        (json!({ "off_session": true }), "recurring_mandate"),
        (json!({ "setup_future_usage": "on_session" }), "normal"),
    ];
    for (more, kind) in kinds {
        let more = with(more, json!({ "customer_id": "ada" }));
        let payment = shop.creates(with(order(), more)).await.ok();
        let secret = payment["client_secret"].as_str().expect("a secret");
        let answer = asks(&shop).query("client_secret", secret).await.ok();
        assert_eq!(answer["payment_type"], kind);
        assert_eq!(answer["mandate_payment"], Value::Null);
        assert_eq!(answer["show_surcharge_breakup_screen"], false);
    }
}

#[tokio::test]
async fn a_profile_says_what_wallets_are_asked_for() {
    let shop = shop().await;
    let wants = json!({
        "collect_shipping_details_from_wallet_connector": true,
        "always_collect_billing_details_from_wallet_connector": true,
    });
    shop.sets_up(wants).await.ok();
    let answer = asks(&shop).await.ok();
    assert_eq!(answer["collect_shipping_details_from_wallets"], true);
    assert_eq!(answer["collect_billing_details_from_wallets"], true);
}

/// A card of an unknown variety pays as one that the payment allows, if an account takes that variety.
#[tokio::test]
async fn methods_that_are_not_offered_are_refused() {
    let shop = Shop::open().await;
    let only_credit = json!([{ "payment_method": "card", "payment_method_types": ["credit"] }]);
    shop.reconnects(json!({ "payment_methods_enabled": only_credit }))
        .await
        .ok();
    for (allowed, is_taken) in [
        (json!(["debit"]), false),
        (json!(["credit"]), true),
        (json!(["credit", "debit"]), true),
        (json!(null), true),
    ] {
        let allows = json!({ "allowed_payment_method_types": allowed });
        let payment = shop.creates(with(order(), allows)).await.ok();
        let payer = shop.payer_of(&payment);
        let asked = payer.call("account_payment_methods_list");
        let asked = asked.query("client_secret", &payer.client_secret);
        let offered = asked.await.ok()["payment_methods"] != json!([]);
        assert_eq!(offered, is_taken, "{allowed}");
        let confirmed = payer
            .confirms(without(card(APPROVED), "payment_method_type"))
            .await;
        if is_taken {
            assert_eq!(confirmed.ok()["status"], "succeeded", "{allowed}");
        } else {
            confirmed.refused(400, "IR_39");
        }
    }
}
