//! Refunds.

use multirail_client::{Error, requests, types};
use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, order_with, with};
use serde_json::json;

use super::typed;

#[tokio::test]
async fn refunded_noted_and_listed() {
    let shop = Shop::open().await;
    let client = shop.client();
    let body = typed(with(order_with(APPROVED), json!({ "confirm": true })));
    let paid = client.payments_create().body(body).send().await;
    let paid = paid.expect("paid").into_inner();

    let mut part = requests::refund(&paid.payment_id);
    part.amount = Some(2000);
    part.refund_id = Some("return-2071".to_owned());
    let sent = client.refunds_create().body(part.clone()).send().await;
    let refund = sent.expect("refunded").into_inner();
    assert_eq!(
        (refund.status, refund.amount, refund.refund_id.as_str()),
        (types::RefundStatus::Succeeded, 2000, "return-2071")
    );
    let again = client.refunds_create().body(part).send().await;
    let error = again
        .map(|_| ())
        .map_err(Error::from)
        .expect_err("there is one already");
    assert_eq!(error.code(), Some("HE_01"));
    assert!(!error.is_retryable() && !error.is_outcome_unknown());

    let note = types::RefundUpdateRequest {
        reason: Some("Damaged in transit".to_owned()),
        ..Default::default()
    };
    let noted = client
        .refunds_update()
        .refund_id("return-2071")
        .body(note)
        .send()
        .await
        .expect("noted");
    assert_eq!(noted.reason.as_deref(), Some("Damaged in transit"));
    let read = client
        .refunds_retrieve()
        .refund_id("return-2071")
        .force_sync(true)
        .send()
        .await
        .expect("read");
    assert_eq!(read.reason, noted.reason);
    let rest = client
        .refunds_create()
        .body(types::RefundCreateRequest {
            amount: Some(4540),
            ..requests::refund(&paid.payment_id)
        })
        .send()
        .await
        .expect("refunded");
    let filter = types::RefundListRequest {
        payment_id: Some(paid.payment_id.clone()),
        refund_status: Some(vec![types::RefundStatus::Succeeded]),
        limit: Some(1),
        ..Default::default()
    };
    let page = client.refunds_list().body(filter).send().await;
    let page = page.expect("a page").into_inner();
    assert_eq!((page.count, page.total_count), (1, 2));
    assert_eq!(page.data[0].refund_id, rest.refund_id);

    let payment = client
        .payments_retrieve()
        .payment_id(&paid.payment_id)
        .send()
        .await
        .expect("read")
        .into_inner();
    assert_eq!(payment.status, types::PaymentStatus::Succeeded);
    assert_eq!(payment.refunds.map(|refunds| refunds.len()), Some(2));
    let state = payment.state_metadata.expect("money went back");
    assert_eq!(state.total_refunded_amount, 6540);
}
