//! Notices about payments with credentials from the request. They count if they name the processor's own reference.
//! Otherwise the server syncs the payment with those credentials.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{PENDING, order_with, with};
use multirail_conformance::notice::declined;
use serde_json::{Value, json};

use super::{last_notice, open_key, shop_with_notice_secret, tells};

async fn begun(shop: &Shop) -> Value {
    let mine = json!({ "confirm": true, "merchant_connector_details": {
        "creds_identifier": "mine",
        "encoded_data": { "connector_account_details": { "auth_type": "HeaderKey", "api_key": "of my own account" } },
    } });
    shop.creates(with(order_with(PENDING), mine)).await.ok()
}

#[tokio::test]
async fn the_processors_own_reference_counts() {
    let shop = shop_with_notice_secret().await;
    let payment = begun(&shop).await;
    assert_eq!(payment["status"], "processing");
    let mut notice = declined(&open_key(&shop).await, 6540);
    notice["answer"]["reference"] = payment["connector_transaction_id"].clone();
    tells(&shop, &notice).await.ok();
    let filed = last_notice(&shop, "applied").await;
    assert_eq!(filed["objects"], json!([payment["payment_id"]]));
    let failed = shop.retrieves(&payment).await.ok();
    assert_eq!(
        (&failed["status"], &failed["error_code"]),
        (&json!("failed"), &json!("DC_02"))
    );
}

#[tokio::test]
async fn our_key_alone_has_the_processor_asked() {
    let shop = shop_with_notice_secret().await;
    let payment = begun(&shop).await;
    let mut notice = declined(&open_key(&shop).await, 6540);
    notice["answer"]["reference"] = json!("another_reference");
    tells(&shop, &notice).await.ok();
    let filed = last_notice(&shop, "contradicted").await;
    assert_eq!(filed["objects"], json!([payment["payment_id"]]));
    // The sync with the payment's own credentials contradicts the notice.
    assert_eq!(shop.retrieves(&payment).await.ok()["status"], "succeeded");
}
