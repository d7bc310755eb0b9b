//! `POST /customers/{customer_id}` updates a customer.

use multirail_conformance::Shop;
use multirail_conformance::bodies::with;
use serde_json::json;

use super::{ada, creates, on, updates};

#[tokio::test]
async fn sent_members_are_replaced_and_the_others_stay() {
    let shop = Shop::open().await;
    let made = creates(&shop, ada()).await.ok();
    shop.time_passes(60).await;
    let sent = json!({
        "name": "Ada Lovelace", "address": { "city": "Dublin" }, "metadata": { "since": 1843 },
    });
    let updated = updates(&shop, &made, sent.clone()).await.ok();
    let mut expected = with(made.clone(), json!({ "name": "Ada Lovelace" }));
    // Metadata is replaced as a whole, not member by member.
    expected["metadata"] = sent["metadata"].clone();
    for (member, value) in expected["address"].as_object_mut().expect("an address") {
        *value = if member == "city" {
            json!("Dublin")
        } else {
            json!(null)
        };
    }
    let written = |customer: &serde_json::Value| {
        let mut customer = customer.clone();
        let address = customer["address"].as_object_mut().expect("an address");
        address.retain(|_, value| !value.is_null());
        customer
    };
    assert_eq!(written(&updated), written(&expected));
    let nothing = json!({ "name": null, "metadata": null });
    assert_eq!(updates(&shop, &made, nothing).await.ok(), updated);
    assert_eq!(on(&shop, "customers_update", &made).await.ok(), updated);
    assert_eq!(on(&shop, "customers_retrieve", &made).await.ok(), updated);
}

#[tokio::test]
async fn an_id_stays() {
    let shop = Shop::open().await;
    let made = creates(&shop, ada()).await.ok();
    let other = json!({ "customer_id": "grace" });
    updates(&shop, &made, other).await.refused(400, "IR_06");
}

#[tokio::test]
async fn no_concurrent_update_is_lost() {
    let shop = Shop::open().await;
    let made = creates(&shop, json!({ "customer_id": "ada" })).await.ok();
    let members = [
        "name",
        "email",
        "phone",
        "description",
        "tax_registration_id",
    ];
    let calls = members.map(|member| {
        let call = updates(&shop, &made, json!({ member: "said" }));
        tokio::spawn(call.send())
    });
    for call in calls {
        call.await.expect("an answer").expect("an answer").ok();
    }
    let read = on(&shop, "customers_retrieve", &made).await.ok();
    for member in members {
        assert_eq!(read[member], "said", "{member}");
    }
}
