//! Concurrent charges under one mandate.

use multirail_conformance::Shop;
use multirail_conformance::bodies::with;
use serde_json::json;
use tokio::task::JoinSet;

use super::{charged, made, on, once, status, under};

#[tokio::test(flavor = "multi_thread")]
async fn only_one_of_many_charges_under_a_single_use_is_made() {
    let shop = Shop::open().await;
    for _ in 0..4 {
        let mandate = made(&shop, once()).await;
        let before = authorizations(&shop);
        let mut calls = Vec::new();
        for n in 0..8 {
            // Half of the payments exist already and are confirmed.
            calls.push(if n % 2 == 0 {
                shop.creates(charged(&mandate, 100 + n))
            } else {
                let order = json!({ "amount": 100 + n, "currency": "USD", "customer_id": "ada" });
                let payment = shop.creates(with(order, under(&mandate))).await.ok();
                shop.confirms(&payment, json!({}))
            });
        }
        let mut crowd = JoinSet::new();
        for call in calls {
            crowd.spawn(call.into_future());
        }
        let answers = crowd.join_all().await;
        let paid: Vec<_> = answers.iter().filter(|one| one.status == 200).collect();
        assert_eq!(paid.len(), 1, "one has charged it");
        assert_eq!(
            authorizations(&shop),
            before + 1,
            "the processor was asked once"
        );
        for answer in answers.iter().filter(|one| one.status != 200) {
            assert_eq!(answer.body["code"], "HE_03", "{:?}", answer.body);
        }
        assert_eq!(status(&shop, &mandate).await, "inactive");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_charged_that_begins_after_a_revocation() {
    let shop = Shop::open().await;
    for _ in 0..8 {
        let mandate = made(&shop, super::often()).await;
        let before = authorizations(&shop);
        let charge = shop.creates(charged(&mandate, 100)).into_future();
        let revoke = on(&shop, "mandates_revoke", &mandate).into_future();
        let (charge, revoked) = tokio::join!(charge, revoke);
        assert_eq!(revoked.ok()["status"], "revoked");
        let made = usize::from(charge.status == 200);
        assert_eq!(authorizations(&shop), before + made);
        shop.creates(charged(&mandate, 1))
            .await
            .refused(400, "HE_03");
    }
}

fn authorizations(shop: &Shop) -> usize {
    let all = shop.processor().ledger().authorizations();
    all.expect("the ledger can be read").len()
}
