//! Payment calls of a merchant's program.

use multirail_client::{Error, request_id, types};
use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, DECLINED, order_with, with};
use serde_json::json;

use super::typed;

#[tokio::test]
async fn created_confirmed_and_read() {
    let shop = Shop::open().await;
    let client = shop.client();
    let body = typed(order_with(APPROVED));
    let payment = client
        .payments_create()
        .body(body)
        .send()
        .await
        .expect("created")
        .into_inner();
    assert_eq!(payment.status, types::PaymentStatus::RequiresConfirmation);
    let body = types::PaymentConfirmRequest::default();
    let paid = client
        .payments_confirm()
        .payment_id(&payment.payment_id)
        .body(body)
        .send()
        .await
        .expect("confirmed");
    assert_eq!(request_id(&paid).map(str::len), Some(36));
    let paid = paid.into_inner();
    assert_eq!(
        (paid.status.clone(), paid.amount_received),
        (types::PaymentStatus::Succeeded, Some(6540))
    );
    let read = client
        .payments_retrieve()
        .payment_id(&payment.payment_id)
        .expand_attempts(true)
        .send()
        .await;
    let read = read.expect("read").into_inner();
    let attempts = read.attempts.expect("attempts were asked for");
    assert_eq!(attempts[0].status, types::AttemptStatus::Charged);
}

#[tokio::test]
async fn captured_in_part_and_cancelled() {
    let shop = Shop::open().await;
    let client = shop.client();
    let held = || async {
        let body = typed(with(
            order_with(APPROVED),
            json!({ "confirm": true, "capture_method": "manual" }),
        ));
        shop.client()
            .payments_create()
            .body(body)
            .send()
            .await
            .expect("created")
            .into_inner()
    };
    let payment = held().await;
    let body = types::PaymentCaptureRequest {
        amount_to_capture: Some(4000),
        ..Default::default()
    };
    let part = client
        .payments_capture()
        .payment_id(&payment.payment_id)
        .body(body)
        .send()
        .await
        .expect("captured");
    assert_eq!(part.status, types::PaymentStatus::PartiallyCaptured);
    let payment = held().await;
    let body = types::PaymentCancelRequest {
        cancellation_reason: Some("duplicate".to_owned()),
        ..Default::default()
    };
    let gone = client
        .payments_cancel()
        .payment_id(&payment.payment_id)
        .body(body)
        .send()
        .await
        .expect("cancelled");
    assert_eq!(gone.cancellation_reason.as_deref(), Some("duplicate"));
}

#[tokio::test]
async fn raised_captured_and_voided_after_all() {
    let shop = Shop::open().await;
    let client = shop.client();
    let members = json!({
        "confirm": true, "capture_method": "manual", "request_incremental_authorization": true,
    });
    let body = typed(with(order_with(APPROVED), members));
    let held = client.payments_create().body(body).send().await;
    let id = held.expect("authorized").into_inner().payment_id;
    let body = types::PaymentIncrementalAuthorizationRequest {
        amount: 9000,
        reason: Some("a second night".to_owned()),
    };
    let raise = client.payments_incremental_authorization();
    let raised = raise.payment_id(&id).body(body).send().await;
    let raises = raised.expect("raised").into_inner();
    let raises = raises.incremental_authorizations.expect("one");
    assert_eq!(
        (&raises[0].status, raises[0].amount),
        (&types::IncrementalAuthorizationStatus::Success, 9000)
    );
    let capture = client.payments_capture().payment_id(&id);
    let body = types::PaymentCaptureRequest::default();
    let paid = capture.body(body).send().await.expect("captured");
    assert_eq!(paid.amount_received, Some(9000));
    let void = client.payments_cancel_post_capture().payment_id(&id);
    let body = types::PaymentCancelPostCaptureRequest::default();
    let voided = void.body(body).send().await.expect("voided").into_inner();
    assert_eq!(voided.status, types::PaymentStatus::CancelledPostCapture);
    let void = voided
        .state_metadata
        .and_then(|state| state.post_capture_void);
    assert_eq!(
        void.map(|void| void.status),
        Some(types::PostCaptureVoidStatus::Succeeded)
    );
}

#[tokio::test]
async fn declines_and_refusals_are_different_things() {
    let shop = Shop::open().await;
    let client = shop.client();
    let body = typed(with(order_with(DECLINED), json!({ "confirm": true })));
    let failed = client
        .payments_create()
        .body(body)
        .send()
        .await
        .expect("a decline is an answer")
        .into_inner();
    assert_eq!(
        (failed.status, failed.error_code.as_deref()),
        (types::PaymentStatus::Failed, Some("DC_08"))
    );
    let body = types::PaymentCaptureRequest::default();
    let refused = client
        .payments_capture()
        .payment_id(&failed.payment_id)
        .body(body)
        .send()
        .await;
    let error = refused
        .map(|_| ())
        .map_err(Error::from)
        .expect_err("a refusal is an error");
    assert_eq!(
        (error.status().map(|status| status.as_u16()), error.code()),
        (Some(400), Some("IR_14"))
    );
    assert_eq!(error.request_id().map(str::len), Some(36));
    assert!(
        !error.is_retryable() && !error.is_outcome_unknown(),
        "{error}"
    );
}

#[tokio::test]
async fn lists() {
    let shop = Shop::open().await;
    let client = shop.client();
    for _ in 0..3 {
        shop.creates(order_with(APPROVED)).await.ok();
    }
    let page = client
        .payments_list()
        .limit(2)
        .send()
        .await
        .expect("a page")
        .into_inner();
    assert_eq!((page.size, page.data.len()), (2, 2));
    let rest = client
        .payments_list()
        .starting_after(&page.data[1].payment_id)
        .send()
        .await
        .expect("a page");
    assert_eq!(rest.size, 1);
    let accounts = client
        .connector_accounts_list()
        .account_id(&shop.merchant_id)
        .send()
        .await
        .expect("accounts");
    assert_eq!(accounts[0].connector_name, types::ConnectorName::Fauxpay);
}
