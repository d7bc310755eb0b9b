//! The same stories through the generated client: what a Rust program sees.

use multirail_client::{Connection, Error, request_id, requests, types};
use multirail_conformance::bodies::{
    APPROVED, DECLINED, DISPUTED, THREE_DS, order, order_with, paid_with, with,
};
use multirail_conformance::notice::webhook_details;
use multirail_conformance::{Browser, Shop};
use serde_json::json;

use crate::disputes::{dispute_id, raised};

/// A body as the client's own type.
fn typed(body: serde_json::Value) -> types::PaymentCreateRequest {
    serde_json::from_value(body).expect("a body of the document")
}

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
async fn known_found_and_forgotten() {
    let shop = Shop::open().await;
    let client = shop.client();
    let body = types::CustomerCreateRequest {
        name: Some("Ada Example".to_owned()),
        email: Some("ada@shopper.example".to_owned()),
        ..Default::default()
    };
    let ada = client.customers_create().body(body).send().await;
    let ada = ada.expect("noted").into_inner();
    let more = types::CustomerUpdateRequest {
        phone: Some("2025550132".to_owned()),
        ..Default::default()
    };
    let id = ada.customer_id.as_str();
    let update = client.customers_update().customer_id(id).body(more);
    let updated = update.send().await.expect("more is noted").into_inner();
    let read = client.customers_retrieve().customer_id(id).send().await;
    assert_eq!(read.expect("read").phone, updated.phone);
    let found = client
        .customers_list()
        .email("ada@shopper.example")
        .limit(1);
    let found = found.send().await.expect("found").into_inner();
    assert_eq!(
        found
            .iter()
            .map(|one| one.customer_id.as_str())
            .collect::<Vec<_>>(),
        [id]
    );
    let gone = client.customers_delete().customer_id(id).send().await;
    assert!(gone.expect("forgotten").customer_deleted);
    let read = client.customers_retrieve().customer_id(id).send().await;
    let error = read.map(|_| ()).map_err(Error::from).expect_err("nobody");
    assert_eq!(error.code(), Some("IR_11"));
}

#[tokio::test]
async fn saved_listed_and_paid_with() {
    let shop = Shop::open().await;
    let client = shop.client();
    let nobody_yet = types::CustomerCreateRequest::default();
    let ada = client.customers_create().body(nobody_yet).send().await;
    let ada = ada.expect("noted").into_inner();
    let id = ada.customer_id.as_str();
    let card = json!({ "card_number": APPROVED, "card_exp_month": "10", "card_exp_year": "35" });
    let body = json!({ "payment_method": "card", "customer_id": id, "card": card });
    let body: types::SavedMethodCreateRequest = serde_json::from_value(body).expect("a body");
    let saved = client.payment_methods_create().body(body).send().await;
    let saved = saved.expect("saved").into_inner();
    let method_id = saved.payment_method_id.as_str();
    let key = types::EphemeralKeyCreateRequest {
        customer_id: id.to_owned(),
    };
    let key = client.ephemeral_keys_create().body(key).send().await;
    assert!(key.expect("a key").secret.starts_with("epk_"));
    let lists = || {
        let list = client.customer_payment_methods_list().customer_id(id);
        list.card_networks("Visa,Mastercard").limit(1)
    };
    let listed = lists().send().await.expect("listed").into_inner();
    let listed = &listed.customer_payment_methods[0];
    assert_eq!(listed.payment_method_id, method_id);
    let mut body = requests::payment(6540, types::Currency::Usd);
    body.customer_id = Some(id.to_owned());
    body.confirm = Some(true);
    body.payment_token = Some(listed.payment_token.clone());
    body.card_cvc = Some("123".into());
    let paid = client.payments_create().body(body.clone()).send().await;
    let paid = paid.expect("paid").into_inner();
    assert_eq!(paid.payment_method_id.as_deref(), Some(method_id));
    let again = client.payments_create().body(body).send().await;
    let error = again.map(|_| ()).map_err(Error::from);
    assert_eq!(error.expect_err("used").code(), Some("IR_29"));
    let gone = client.payment_methods_delete().payment_method_id(method_id);
    assert!(gone.send().await.expect("deleted").deleted);
    let left = lists().send().await.expect("listed").into_inner();
    assert!(left.customer_payment_methods.is_empty());
}

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
async fn a_link_that_payers_can_be_sent() {
    let shop = Shop::open().await;
    let body = typed(with(order(), json!({ "payment_link": true })));
    let made = shop.client().payments_create().body(body).send().await;
    let link = made.expect("created").into_inner().payment_link;
    let address = link.expect("a link").link;
    let page = Browser::new(&shop.wire).opens(&address).await;
    assert!(page.expect("a page").html.contains("$65.40"));
}

#[tokio::test]
async fn disputed_defended_and_given_in() {
    let shop = Shop::open().await;
    shop.reconnects(webhook_details()).await.ok();
    let client = shop.client();
    let payment = shop.creates(paid_with(DISPUTED)).await.ok();
    let dispute = raised(&shop, &payment, "dispute", "dispute_opened").await;
    let id = dispute_id(&dispute);
    let attached = client
        .disputes_attach()
        .dispute_id(id)
        .evidence_type(types::EvidenceType::Receipt)
        .body(b"%PDF-1.7 what was bought has arrived".to_vec())
        .send()
        .await
        .expect("attached");
    let mut challenge = requests::challenge(id);
    challenge.customer_name = Some("Ada Example".to_owned());
    let challenged = client.disputes_challenge().body(challenge).send().await;
    assert_eq!(
        challenged.expect("challenged").dispute_status,
        types::DisputeStatus::DisputeChallenged
    );
    let evidence = client.disputes_retrieve_evidence().dispute_id(id).send();
    let evidence = evidence.await.expect("the evidence").into_inner();
    let file = &evidence.files[0];
    assert_eq!(
        (file.file_id.as_str(), file.content_type.as_str()),
        (attached.file_id.as_str(), "application/pdf")
    );
    assert_eq!(evidence.texts[0].text, "Ada Example");
    let listed = client
        .disputes_profile_list()
        .dispute_status("dispute_challenged")
        .send()
        .await
        .expect("a list");
    assert_eq!(listed[0].dispute_id, id);
    let accepted = client.disputes_accept().dispute_id(id).send().await;
    let accepted = accepted.expect("given in").into_inner();
    assert_eq!(
        accepted.dispute_status,
        types::DisputeStatus::DisputeAccepted
    );
    let again = client.disputes_accept().dispute_id(id).send().await;
    let error = again
        .map(|_| ())
        .map_err(Error::from)
        .expect_err("it is over");
    assert_eq!(error.code(), Some("HE_03"));
    let read = client.disputes_retrieve().dispute_id(id).send().await;
    assert_eq!(read.expect("read").into_inner(), accepted);
}

#[tokio::test]
async fn a_checkout_asks_for_wallets() {
    let shop = Shop::open().await;
    let enabled = json!([{
        "payment_method": "wallet", "payment_method_types": ["google_pay", "paypal"],
    }]);
    let delayed = json!({ "google_pay": { "delayed_session_token": true } });
    shop.reconnects(json!({ "payment_methods_enabled": enabled, "metadata": delayed }))
        .await
        .ok();
    let payment = shop.creates(order()).await.ok();
    let authorization = payment["sdk_authorization"].as_str().expect("a text");
    let checkout = Connection::new(shop.url())
        .sdk_authorization(authorization)
        .build()
        .expect("a client");
    let body = types::SessionTokensRequest {
        payment_id: multirail_conformance::shop::id(&payment).to_owned(),
        wallets: Vec::new(),
        client_secret: None,
        merchant_connector_details: None,
    };
    let session = checkout.payments_session_tokens().body(body).send().await;
    let session = session.expect("a session").into_inner();
    // Both forms of Google Pay are one variant here: what one of them lacks is absent.
    let [
        types::SessionToken::GooglePay {
            delayed_session_token: true,
            merchant_info: None,
            ..
        },
        types::SessionToken::Paypal { session_token, .. },
    ] = session.session_token.as_slice()
    else {
        panic!("two wallets: {session:?}");
    };
    assert_eq!(session_token, "sandbox_client");
    let types::VaultDetails::InternalVault(own) = session.vault_details else {
        panic!("this service's own vault");
    };
    assert_eq!(own.sdk_authorization, authorization);
}

#[tokio::test]
async fn a_payers_program_pays() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    let secret = payment["client_secret"]
        .as_str()
        .expect("a secret")
        .to_owned();
    let payer = Connection::new(shop.url())
        .publishable_key(shop.publishable_key.as_str())
        .build()
        .expect("a client");
    let id = multirail_conformance::shop::id(&payment);
    let confirm = types::PaymentConfirmRequest {
        payment_method: Some(types::PaymentMethod::Card),
        payment_method_data: Some(requests::card(THREE_DS, "10", "2035", "123")),
        client_secret: Some(secret.clone()),
        ..Default::default()
    };
    let asked = payer
        .payments_confirm()
        .payment_id(id)
        .body(confirm)
        .send()
        .await
        .expect("confirmed")
        .into_inner();
    assert_eq!(asked.status, types::PaymentStatus::RequiresCustomerAction);
    let action = asked.next_action.expect("something to do");
    assert_eq!(action.type_, types::NextActionType::RedirectToUrl);
    let browser = Browser::new(&shop.wire);
    let page = browser
        .opens(&action.redirect_to_url.expect("an address"))
        .await
        .expect("a page");
    browser
        .presses(&page, "Approve")
        .await
        .expect("the last page");
    let read = payer
        .payments_retrieve()
        .payment_id(id)
        .client_secret(secret.as_str())
        .send()
        .await
        .expect("read");
    assert_eq!(read.status, types::PaymentStatus::Succeeded);
    let stranger = payer
        .payments_retrieve()
        .payment_id(id)
        .client_secret("nonsense")
        .send()
        .await;
    let error = stranger
        .map(|_| ())
        .map_err(Error::from)
        .expect_err("another secret");
    assert_eq!(error.code(), Some("IR_09"));
}
