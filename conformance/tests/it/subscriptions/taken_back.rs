//! Resuming undoes a planned cancellation or pause: periods are billed as before.

use multirail_conformance::Shop;
use multirail_conformance::bodies::without;
use multirail_conformance::response::moment;
use serde_json::{Value, json};

use super::{DAY, invoice_becomes, now, offers, on, subscribed};

/// Returns the operations that plan an end, with bodies for the end of the term and for ten days from now.
async fn plans(shop: &Shop) -> [(&'static str, Value); 4] {
    let today = moment(&shop.time_passes(0).await["now"]);
    let date = (today + chrono::Duration::days(10)).to_rfc3339();
    [
        (
            "subscriptions_cancel",
            json!({ "cancel_option": "end_of_term", "cancel_reason_code": "too_dear" }),
        ),
        (
            "subscriptions_cancel",
            json!({ "cancel_option": "specific_date", "cancel_at": date }),
        ),
        (
            "subscriptions_pause",
            json!({ "pause_option": "end_of_term" }),
        ),
        (
            "subscriptions_pause",
            json!({ "pause_option": "specific_date", "pause_at": date }),
        ),
    ]
}

async fn stands(shop: &Shop, subscription: &Value) -> Value {
    without(now(shop, subscription).await, "modified_at")
}

#[tokio::test]
async fn a_planned_end_is_taken_back() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let mut all = Vec::new();
    for (operation, body) in plans(&shop).await {
        let active = subscribed(&shop, "reader_monthly").await;
        let before = stands(&shop, &active).await;
        let planned = on(&shop, operation, &active).json(&body).await.ok();
        assert_eq!(planned["status"], "active", "{operation} {body}");
        let with_plan = stands(&shop, &active).await;
        assert_ne!(with_plan, before, "{operation} {body}: the plan is shown");
        let resume = |body: Value| on(&shop, "subscriptions_resume", &active).json(&body);
        let resumed = resume(json!({})).await.ok();
        assert_eq!(resumed["status"], "active");
        assert_eq!(resumed["next_billing_at"], active["next_billing_at"]);
        assert_eq!(stands(&shop, &active).await, before, "{operation} {body}");
        // No end is planned any more.
        let said = resume(json!({})).await.refused(400, "IR_16");
        assert_eq!(
            said,
            "You cannot resume this subscription because it has status active"
        );
        all.push(active);
    }
    for month in 0..2 {
        shop.time_passes(31 * DAY).await;
        for active in &all {
            invoice_becomes(&shop, active, 2 + month, "invoice_paid").await;
            assert_eq!(now(&shop, active).await["status"], "active");
        }
    }
    assert_eq!(shop.money().captured, 4 * 3 * 990);
}

/// Options that only apply to a pause would have no effect, so they are refused and the plan stays.
#[tokio::test]
async fn a_plan_is_taken_back_at_once_and_with_nothing_else() {
    let shop = Shop::open().await;
    offers(&shop).await;
    for (operation, body) in plans(&shop).await {
        let active = subscribed(&shop, "reader_monthly").await;
        on(&shop, operation, &active).json(&body).await.ok();
        let planned = stands(&shop, &active).await;
        let resume = |body: Value| on(&shop, "subscriptions_resume", &active).json(&body);
        for more in [
            json!({ "resume_option": "specific_date", "resume_date": "2099-01-01T00:00:00Z" }),
            json!({ "charges_handling": "add_to_unbilled_charges" }),
            json!({ "unpaid_invoices_handling": "schedule_payment_collection" }),
        ] {
            let said = resume(more.clone()).await.refused(400, "IR_16");
            assert!(said.contains("taken back at once"), "{more}: {said}");
            assert_eq!(stands(&shop, &active).await, planned, "{operation} {more}");
        }
        let at_once = json!({ "resume_option": "immediately" });
        resume(at_once).await.ok();
        assert_ne!(stands(&shop, &active).await, planned, "{operation} {body}");
    }
}
