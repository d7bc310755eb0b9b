//! Concurrent requests with the same card.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, DECLINED, paid_with, with};
use serde_json::json;
use tokio::task::JoinSet;

use super::{by_token, known, listed, on, order_of, paid_by_token, saved_for, saves};

#[tokio::test(flavor = "multi_thread")]
async fn payments_that_save_the_same_card_save_it_once() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    let customer = json!({ "customer_id": "ada" });
    let saving = with(
        with(paid_with(APPROVED), saved_for("off_session")),
        customer,
    );
    let mut crowd = JoinSet::new();
    for _ in 0..8 {
        let call = shop.creates(saving.clone());
        crowd.spawn(async { call.await.ok() });
    }
    for _ in 0..4 {
        let call = saves(&shop, "ada", APPROVED);
        crowd.spawn(async { call.await.ok() });
    }
    let made = crowd.join_all().await;
    let methods = listed(&shop, "ada").await;
    assert_eq!(methods.len(), 1);
    for made in &made {
        assert_eq!(made["payment_method_id"], methods[0]["payment_method_id"]);
    }
    assert_eq!(methods[0]["default_payment_method_set"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_is_deleted_by_one_customer_and_saved_by_another() {
    let shop = Shop::open().await;
    for customer in ["ada", "grace"] {
        known(&shop, customer).await;
    }
    for _ in 0..12 {
        let method = saves(&shop, "ada", DECLINED).await.ok();
        let (deleted, saved) = tokio::join!(
            async { on(&shop, "payment_methods_delete", &method).await.ok() },
            async { saves(&shop, "grace", DECLINED).await.ok() },
        );
        assert_eq!(deleted["deleted"], true);
        let methods = listed(&shop, "grace").await;
        assert_eq!(methods.len(), 1);
        // The card's number is stored, so it can pay.
        let tried = shop
            .creates(super::paid_by_token("grace", &methods[0]))
            .await
            .ok();
        assert_eq!(tried["status"], "failed");
        on(&shop, "payment_methods_delete", &saved).await.ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_one_of_many_payments_with_one_token_is_made() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    saves(&shop, "ada", APPROVED).await.ok();
    for round in 1..=4 {
        let method = listed(&shop, "ada").await.remove(0);
        let mut crowd = JoinSet::new();
        for n in 0..8 {
            // Half of the payments exist already and are confirmed.
            let call = if n % 2 == 0 {
                shop.creates(paid_by_token("ada", &method))
            } else {
                let payment = shop.creates(order_of("ada")).await.ok();
                shop.confirms(&payment, by_token(&method))
            };
            crowd.spawn(call.into_future());
        }
        let answers = crowd.join_all().await;
        let paid = answers.iter().filter(|one| one.status == 200);
        assert_eq!(paid.count(), 1, "one has paid with it");
        for answer in answers.iter().filter(|one| one.status != 200) {
            assert_eq!(answer.body["code"], "IR_29", "{:?}", answer.body);
        }
        let asked = shop.processor().ledger().authorizations();
        assert_eq!(asked.expect("the ledger can be read").len(), round);
    }
}

/// A card that is saved during the customer's deletion is deleted too.
#[tokio::test(flavor = "multi_thread")]
async fn a_card_is_saved_while_its_customer_is_deleted() {
    let shop = Shop::open().await;
    for n in 0..24 {
        let customer = format!("ada_{n}");
        known(&shop, &customer).await;
        let delete = shop.call("customers_delete").at("customer_id", &customer);
        let save = saves(&shop, &customer, APPROVED);
        let (deleted, saved) = if n % 2 == 0 {
            tokio::join!(delete.into_future(), save.into_future())
        } else {
            let (saved, deleted) = tokio::join!(save.into_future(), delete.into_future());
            (deleted, saved)
        };
        assert_eq!(deleted.ok()["payment_methods_deleted"], true);
        if saved.status == 200 {
            let gone = on(&shop, "payment_methods_retrieve", &saved.ok());
            gone.await.refused(404, "HE_02");
        } else {
            saved.refused(400, "IR_11");
        }
    }
}
