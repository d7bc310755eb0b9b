//! Reading, changing and deleting saved methods, and the default.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, DECLINED, DISPUTED, with};
use serde_json::{Value, json};

use super::{known, listed, method_id, on, paid_by_token, saves};

fn chooses(shop: &Shop, customer: &str, method: &Value) -> multirail_conformance::Call {
    on(shop, "payment_methods_set_default", method).at("customer_id", customer)
}

/// Returns the default that both customer and list show.
async fn default_of(shop: &Shop, customer: &str) -> Option<String> {
    let told = shop
        .call("customers_retrieve")
        .at("customer_id", customer)
        .await
        .ok();
    let told = told["default_payment_method_id"]
        .as_str()
        .map(str::to_owned);
    let methods = listed(shop, customer).await;
    let marked = methods
        .iter()
        .find(|m| m["default_payment_method_set"] == true);
    assert_eq!(marked.map(|m| method_id(m).to_owned()), told);
    told
}

#[tokio::test]
async fn the_first_is_the_default_until_another_is_chosen() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    let first = saves(&shop, "ada", APPROVED).await.ok();
    let second = saves(&shop, "ada", DECLINED).await.ok();
    assert_eq!(
        default_of(&shop, "ada").await.as_deref(),
        Some(method_id(&first))
    );
    let chosen = chooses(&shop, "ada", &second).await.ok();
    let wanted = json!({
        "default_payment_method_id": second["payment_method_id"], "customer_id": "ada", "payment_method": "card",
        "payment_method_type": "credit",
    });
    assert_eq!(chosen, wanted);
    assert_eq!(
        default_of(&shop, "ada").await.as_deref(),
        Some(method_id(&second))
    );
    chooses(&shop, "ada", &second).await.refused(400, "IR_16");
    // An update of the customer keeps the default.
    let named = json!({ "name": "Ada" });
    shop.call("customers_update")
        .at("customer_id", "ada")
        .json(&named)
        .await
        .ok();
    assert_eq!(
        default_of(&shop, "ada").await.as_deref(),
        Some(method_id(&second))
    );
    on(&shop, "payment_methods_delete", &second).await.ok();
    assert_eq!(default_of(&shop, "ada").await, None);
    chooses(&shop, "ada", &second).await.refused(400, "IR_16");
    let third = saves(&shop, "ada", DISPUTED).await.ok();
    assert_eq!(
        default_of(&shop, "ada").await.as_deref(),
        Some(method_id(&third))
    );
    chooses(&shop, "nobody", &first).await.refused(404, "HE_02");
    known(&shop, "grace").await;
    chooses(&shop, "grace", &first).await.refused(400, "IR_16");
    shop.call("customers_delete")
        .at("customer_id", "ada")
        .await
        .ok();
    chooses(&shop, "ada", &first).await.refused(400, "IR_11");
}

#[tokio::test]
async fn a_saved_card_is_updated() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    let saved = saves(&shop, "ada", APPROVED).await.ok();
    let updates = |body: Value| on(&shop, "payment_methods_update", &saved).json(&body);
    let renewed = updates(
        json!({ "card": { "card_exp_month": "3", "card_exp_year": "38", "nick_name": "mine" } }),
    );
    let renewed = renewed.await.ok();
    let changes =
        json!({ "card": { "expiry_month": "03", "expiry_year": "2038", "nick_name": "mine" } });
    assert_eq!(renewed, with(saved.clone(), changes));
    assert_eq!(updates(json!({})).await.ok(), renewed);
    let named = updates(json!({ "card": { "card_holder_name": "A. Okafor" } }))
        .await
        .ok();
    assert_eq!(named["card"]["card_holder_name"], "A. Okafor");
    assert_eq!(named["card"]["expiry_year"], "2038");
    let table = [
        (json!({ "card": { "card_exp_year": "2020" } }), 400, "IR_16"),
        (json!({ "card": { "card_exp_month": "13" } }), 400, "IR_16"),
        (json!({ "card": { "card_exp_month": "May" } }), 400, "IR_07"),
        (json!({ "card": { "card_number": APPROVED } }), 400, "IR_06"),
        (
            json!({ "card": { "nick_name": "n".repeat(256) } }),
            422,
            "IR_05",
        ),
    ];
    for (body, status, code) in table {
        updates(body).await.refused(status, code);
    }
    // The card pays with its current data.
    let method = listed(&shop, "ada").await.remove(0);
    let paid = shop.creates(paid_by_token("ada", &method)).await.ok();
    assert_eq!(paid["payment_method_data"]["card"]["card_exp_year"], "2038");
    assert_eq!(
        paid["payment_method_data"]["card"]["card_holder_name"],
        "A. Okafor"
    );
}

#[tokio::test]
async fn a_deleted_method_is_gone_for_its_customer_alone() {
    let shop = Shop::open().await;
    for customer in ["ada", "grace"] {
        known(&shop, customer).await;
        saves(&shop, customer, APPROVED).await.ok();
    }
    let method = listed(&shop, "ada").await.remove(0);
    let paid = shop.creates(paid_by_token("ada", &method)).await.ok();
    let deleted = on(&shop, "payment_methods_delete", &method).await.ok();
    let wanted = json!({ "payment_method_id": method["payment_method_id"], "deleted": true });
    assert_eq!(deleted, wanted);
    for operation in [
        "payment_methods_retrieve",
        "payment_methods_delete",
        "payment_methods_update",
    ] {
        on(&shop, operation, &method).await.refused(404, "HE_02");
    }
    assert!(listed(&shop, "ada").await.is_empty());
    assert_eq!(shop.retrieves(&paid).await.ok()["status"], "succeeded");
    // Another customer's same card still pays.
    let others = listed(&shop, "grace").await.remove(0);
    let paid = shop.creates(paid_by_token("grace", &others)).await.ok();
    assert_eq!(paid["status"], "succeeded");
    let none = shop
        .call("payment_methods_retrieve")
        .at("payment_method_id", "pm_none");
    none.await.refused(404, "HE_02");
}
