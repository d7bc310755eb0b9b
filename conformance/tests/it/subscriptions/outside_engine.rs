//! Subscriptions of an outside billing engine, as an earlier version stored them: they can be read, but nothing bills
//! them.
//!
//! `stored.sql` is the database of a server that still had such engines. It holds a merchant whose profile names an
//! account of one, and two subscriptions: an active one, and one that nobody confirmed. The active one is due in the
//! worker's queue.

use multirail_conformance::Shop;
use multirail_conformance::bodies::DECLINED;
use multirail_server::config::Setting;
use serde_json::{Value, json};

use super::{
    DAY, call, id, invoice_becomes, invoices, now, offers, on, operations_on_a_subscription,
    subscribed, wanted, wanted_with,
};
use crate::billing::account;
use crate::servers::site::Site;
use crate::servers::stored;

const ADMIN: &str = "admin_ryYd7q4oDKvfCaC9uGaWHPHLwKdrdxMN279Qy3Pc1brfN1PQ";
const KEY: &str = "snd_3bWnDrKvtKjuYEhdjgAonQ5DD6toyQIBjTOb3fegiPkca758CFNi5h9qbdDDx9JJ";
const ACCOUNT: &str = "mca_rmvp3YiF8kej8f1JbLFw";
const ACTIVE: &str = "sub_5ZuhinAsbK0OQeZ9nbg5";
const CREATED: &str = "sub_ReYK4lvAQIJNTaq1Sc4A";

/// Creates a folder with the stored database.
fn site_before() -> Site {
    let site = Site::on_sqlite();
    let rows = include_str!("outside_engine/stored.sql");
    stored::write(&site.folder("stored"), rows);
    site
}

/// Opens the stored merchant at a server of this version.
async fn opened(site: &Site) -> Shop {
    let admin = |inputs: multirail_server::config::Inputs| inputs.with(Setting::AdminApiKey, ADMIN);
    Shop {
        server: site.server_with("stored", admin).await,
        merchant_id: "demo".to_owned(),
        profile_id: "pro_eLFvsGvUUvAG9cJFHJp9".to_owned(),
        api_key: KEY.to_owned(),
        publishable_key: String::new(),
        connector_account_id: String::new(),
    }
}

/// Returns when a subscription is due, and its version. The server must be stopped.
fn queued(site: &Site, subscription: &str) -> (Option<i64>, i64) {
    stored::due_subscription(&site.folder("stored"), subscription)
}

/// Makes our own engine bill for the profile.
async fn goes_over(shop: &Shop) {
    let own = shop.connects("multirail_billing", account()).await.ok();
    let profile = json!({ "billing_processor_id": own["merchant_connector_id"] });
    shop.sets_up(profile).await.ok();
    offers(shop).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stored_subscription_is_read_and_never_billed() {
    let site = site_before();
    assert!(queued(&site, ACTIVE).0.is_some(), "it was due before");
    let shop = opened(&site).await;
    let [active, created] = [ACTIVE, CREATED].map(|id| json!({ "id": id }));
    let before = now(&shop, &active).await;
    assert_eq!(before["status"], "active");
    assert!(before["billing_processor_subscription_id"].is_string());
    let billed = invoices(&shop, &active).await;
    assert_eq!(billed.len(), 1);
    assert_eq!(billed[0]["status"], "invoice_paid");
    let listed = call(&shop, "subscriptions_list").await.ok();
    let listed = listed.as_array().expect("a list");
    assert_eq!(listed.iter().map(id).collect::<Vec<_>>(), [CREATED, ACTIVE]);

    // A subscription of our own engine proves that the worker ran twice.
    goes_over(&shop).await;
    let own = subscribed(&shop, "reader_monthly").await;
    for number in [2, 3] {
        shop.time_passes(31 * DAY).await;
        invoice_becomes(&shop, &own, number, "invoice_paid").await;
    }
    assert_eq!(now(&shop, &active).await, before);
    assert_eq!(invoices(&shop, &active).await, billed);
    assert_eq!(now(&shop, &created).await["status"], "created");
    assert_eq!(shop.money().captured, 3 * 990, "what the own one paid");

    let Shop { server, .. } = shop;
    server.stops().await.expect("it stops");
    assert_eq!(queued(&site, ACTIVE), (None, 5), "it was claimed once");
    assert_eq!(queued(&site, CREATED), (None, 1), "it was never claimed");
    let shop = opened(&site).await;
    for subscription in [&active, &created] {
        let cancel = on(&shop, "subscriptions_cancel", subscription);
        let over: Value = cancel.json(&json!({})).await.ok();
        assert_eq!(over["status"], "cancelled");
        assert!(over["cancelled_at"].is_string());
        let again = on(&shop, "subscriptions_cancel", subscription);
        again.json(&json!({})).await.refused(400, "IR_16");
    }
    let still = invoices(&shop, &active).await;
    assert_eq!(
        (still.len(), &still[0]["status"]),
        (1, &billed[0]["status"])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn other_operations_on_a_stored_subscription_are_refused() {
    let site = site_before();
    let shop = opened(&site).await;
    for subscription in [ACTIVE, CREATED] {
        let subscription = json!({ "id": subscription });
        let before = now(&shop, &subscription).await;
        let billed = invoices(&shop, &subscription).await;
        for (operation, body) in operations_on_a_subscription() {
            let mut asked = on(&shop, operation, &subscription);
            if operation.ends_with("_invoice") {
                let invoice = billed[0]["id"].as_str().expect("an id");
                asked = asked.at("invoice_id", invoice);
            }
            match (operation, body) {
                ("subscriptions_retrieve" | "subscriptions_list_invoices", _)
                | ("subscriptions_retrieve_invoice", _) => {
                    asked.await.ok();
                }
                ("subscriptions_cancel", _) => {
                    for option in [
                        json!({ "cancel_option": "end_of_term" }),
                        json!({ "credit_option_for_current_term_charges": "prorate" }),
                    ] {
                        let later = on(&shop, operation, &subscription).json(&option);
                        later.await.refused(400, "IR_20");
                    }
                }
                ("subscriptions_void_invoice" | "subscriptions_collect_invoice", _)
                    if before["status"] == "active" =>
                {
                    asked.await.refused(400, "IR_16");
                }
                (_, Some(body)) => {
                    asked.json(&body).await.refused(400, "IR_20");
                }
                (_, None) => {
                    asked.await.refused(400, "IR_20");
                }
            }
        }
        assert_eq!(now(&shop, &subscription).await, before);
        assert_eq!(invoices(&shop, &subscription).await, billed);
    }
    assert_eq!(shop.money().captured, 0, "nobody was charged");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stored_account_is_read_and_sells_nothing() {
    let site = site_before();
    let shop = opened(&site).await;
    let on_account = |operation: &str| {
        let call = shop.server.operator(operation);
        call.at("account_id", "demo")
            .at("merchant_connector_id", ACCOUNT)
    };
    let account = on_account("connector_accounts_retrieve").await.ok();
    assert_eq!(account["connector_name"], "stripe_billing_test");
    for (operation, body) in [
        ("subscriptions_create", wanted("sim_reader_monthly")),
        (
            "subscriptions_create_and_confirm",
            wanted_with("sim_reader_monthly", DECLINED),
        ),
    ] {
        let made = call(&shop, operation).json(&body);
        made.await.refused(400, "IR_20");
    }
    let estimate = call(&shop, "subscription_estimate");
    let estimate = estimate.query("item_price_id", "sim_reader_monthly");
    estimate.await.refused(400, "IR_20");
    let items = call(&shop, "subscription_items_list").query("item_type", "plan");
    items.await.refused(400, "IR_20");
    let catalogue = call(&shop, "subscription_products_list");
    catalogue.await.refused(400, "IR_20");

    let another = json!({
        "connector_type": "billing_processor",
        "connector_account_details": { "auth_type": "HeaderKey", "api_key": "sim_key" },
        "connector_label": "another",
    });
    let another = shop.connects("stripe_billing_test", another);
    another.await.refused(422, "IR_06");
    on_account("connector_accounts_delete").await.ok();
    let gone = call(&shop, "subscription_products_list");
    gone.await.refused(404, "HE_02");
    let still = json!({ "id": ACTIVE });
    assert_eq!(now(&shop, &still).await["status"], "active");
}
