//! The same card at the same time.

use futures::future::join_all;
use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, DECLINED, paid_with, with};
use serde_json::json;

use super::{kept, known, listed, on, saves};

#[tokio::test(flavor = "multi_thread")]
async fn payments_that_save_the_same_card_save_it_once() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    let customer = json!({ "customer_id": "ada" });
    let saving = with(with(paid_with(APPROVED), kept("off_session")), customer);
    let calls = (0..8).map(|_| async { shop.creates(saving.clone()).await.ok() });
    let direct = (0..4).map(|_| async { saves(&shop, "ada", APPROVED).await.ok() });
    let (paid, saved) = futures::join!(join_all(calls), join_all(direct));
    let methods = listed(&shop, "ada").await;
    assert_eq!(methods.len(), 1);
    for made in paid.iter().chain(&saved) {
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
        let (deleted, saved) = futures::join!(
            async { on(&shop, "payment_methods_delete", &method).await.ok() },
            async { saves(&shop, "grace", DECLINED).await.ok() },
        );
        assert_eq!(deleted["deleted"], true);
        let methods = listed(&shop, "grace").await;
        assert_eq!(methods.len(), 1);
        // Its number is there: it can be tried.
        let tried = shop
            .creates(super::paid_by_token("grace", &methods[0]))
            .await
            .ok();
        assert_eq!(tried["status"], "failed");
        on(&shop, "payment_methods_delete", &saved).await.ok();
    }
}
