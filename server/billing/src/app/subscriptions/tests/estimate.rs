//! Tests of estimates of a change, over a store in memory.

use std::sync::Arc;

use multirail_app::fixture::base_over;
use multirail_kernel::ids::{ProfileId, SubscriptionId};

use super::super::{Named, Wanted};
use super::fakes::{Core, Ledger, collector, subscriptions};
use super::turns::{active, merchant_id};

fn three() -> Wanted {
    Wanted {
        item_price_id: "reader_monthly".to_owned(),
        plan_id: Some("reader".to_owned()),
        coupon_code: None,
        quantity: Some(3),
    }
}

#[tokio::test]
async fn an_estimate_is_the_change_that_nobody_stores() {
    let (ledger, core) = (Ledger::new(active()), Arc::new(Core::default()));
    let base = base_over(ledger.clone());
    let subscriptions = subscriptions(&collector(&base, &ledger, &core), &core);
    let before = ledger.standing.lock().expect("no panic").clone();
    let (merchant_id, other) = (merchant_id(), ProfileId::parse("pro_2").expect("an id"));
    let subscription_id = SubscriptionId::parse("sub_1").expect("an id");
    let named = Named {
        merchant_id: &merchant_id,
        profile_id: None,
        subscription_id: &subscription_id,
    };
    let estimate = subscriptions.estimate_update(named, three()).await;
    let estimate = estimate.expect("an estimate");
    assert_eq!(estimate.subscription.plan.quantity, 3);
    let amounts: Vec<i64> = estimate.invoices.iter().map(|one| one.amount).collect();
    // Three for the whole month, less the one that is paid.
    assert_eq!(amounts, [2_000]);

    let of_other = Named {
        profile_id: Some(&other),
        ..named
    };
    let hidden = subscriptions.estimate_update(of_other, three()).await;
    assert!(hidden.is_err(), "another profile's subscription is unknown");
    assert_eq!(*ledger.standing.lock().expect("no panic"), before);
    assert_eq!(*ledger.commits.lock().expect("no panic"), 0);
    assert!(core.asked().is_empty());
}
