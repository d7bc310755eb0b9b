//! A shop's first day with the client. Each chapter prints one line, and fails with a message if its end is another.

use std::collections::BTreeSet;
use std::error::Error as Failure;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;

use futures::TryStreamExt;
use http::{HeaderMap, HeaderName, HeaderValue};
use multirail_client::types::{
    BusinessProfileUpdateRequest, CaptureMethod, Currency, CustomerCreateRequest, EventType,
    Payment, PaymentCaptureRequest, PaymentConfirmRequest, PaymentCreateRequest, PaymentStatus,
    RefundStatus, WebhookDetailsRequest,
};
use multirail_client::webhooks::{Content, Verifier, WebhookError};
use multirail_client::{Client, Connection, Error, PaymentQuery, PaysWith, is_replayed, requests};

const GOOD_CARD: &str = "4242424242424242";
const DECLINED_CARD: &str = "4000000000000002";

type Done<T = ()> = Result<T, Box<dyn Failure>>;

#[tokio::main]
async fn main() -> Done {
    let key = std::env::var("MULTIRAIL_API_KEY")?;
    let client = Connection::new(std::env::var("MULTIRAIL_URL")?)
        .secret_key(key)
        .build()?;
    let payment_id = pay(&client).await?;
    capture(&client, &payment_id).await?;
    refund(&client, &payment_id).await?;
    refusals(&client, &payment_id).await?;
    list(&client).await?;
    decline(&client).await?;
    repeat(&client).await?;
    webhook(&client, &std::env::var("MULTIRAIL_MERCHANT")?).await
}

async fn pay(client: &Client) -> Done<String> {
    let order =
        PaymentCreateRequest::new(6540, Currency::Usd).capture_method(CaptureMethod::Manual);
    let payment = client
        .payments_create()
        .body(order)
        .send()
        .await
        .map_err(Error::from)?;
    let card = requests::card_of(GOOD_CARD, "10", "2035", "123");
    let confirm = PaymentConfirmRequest::new().pays_with(card);
    let call = client
        .payments_confirm()
        .payment_id(&payment.payment_id)
        .body(confirm);
    let confirmed = call.send().await.map_err(Error::from)?;
    assert_eq!(payment.status, PaymentStatus::RequiresPaymentMethod);
    assert_eq!(confirmed.status, PaymentStatus::RequiresCapture);
    tell(
        "pay",
        &format!("{} is {}", payment.payment_id, confirmed.status),
    );
    Ok(payment.payment_id.clone())
}

async fn capture(client: &Client, payment_id: &str) -> Done {
    let part = PaymentCaptureRequest::new().amount_to_capture(4000);
    let call = client.payments_capture().payment_id(payment_id).body(part);
    let payment = call.send().await.map_err(Error::from)?;
    assert_eq!(payment.status, PaymentStatus::PartiallyCaptured);
    assert_eq!(payment.amount_received, Some(4000));
    tell("capture", &format!("4000 of {}", payment.amount));
    Ok(())
}

async fn refund(client: &Client, payment_id: &str) -> Done {
    let part = requests::refund(payment_id).amount(1500);
    let refund = client
        .refunds_create()
        .body(part)
        .send()
        .await
        .map_err(Error::from)?;
    assert_eq!(refund.status, RefundStatus::Succeeded);
    tell("refund", &format!("{} is {}", refund.amount, refund.status));
    Ok(())
}

async fn refusals(client: &Client, payment_id: &str) -> Done {
    let too_much = requests::refund(payment_id).amount(9999);
    let refused = client.refunds_create().body(too_much).send().await;
    let error = Error::from(refused.map(drop).expect_err("more than is left"));
    let advice = match error.code() {
        Some("IR_13") => "refund less than that",
        Some("HE_02") => "there is no such payment",
        Some(_) | None if error.is_retryable() => "try again later",
        Some(_) | None => "report it",
    };
    assert_eq!(advice, "refund less than that");
    tell("refusals", &format!("typed by code: {advice}"));
    Ok(())
}

async fn list(client: &Client) -> Done {
    let customer_id = customer(client, "Ada").await?;
    for amount in 1..=7 {
        let order = PaymentCreateRequest::new(amount, Currency::Usd).customer_id(&*customer_id);
        client
            .payments_create()
            .body(order)
            .send()
            .await
            .map_err(Error::from)?;
    }
    let found = payments_of(client, &customer_id).await?;
    let amounts: Vec<i64> = found.iter().map(|one| one.amount).collect();
    assert_eq!(amounts, [7, 6, 5, 4, 3, 2, 1]);
    tell(
        "list",
        &format!("{} payments in pages of three", amounts.len()),
    );
    Ok(())
}

async fn customer(client: &Client, name: &str) -> Done<String> {
    let call = client
        .customers_create()
        .body(CustomerCreateRequest::new().name(name));
    Ok(call.send().await.map_err(Error::from)?.customer_id.clone())
}

async fn payments_of(client: &Client, customer_id: &str) -> Done<Vec<Payment>> {
    let query = PaymentQuery {
        customer_id: Some(customer_id.to_owned()),
        page_size: Some(3),
        ..PaymentQuery::default()
    };
    Ok(client.payments(query).try_collect().await?)
}

async fn decline(client: &Client) -> Done {
    let order = PaymentCreateRequest::new(6540, Currency::Usd)
        .pays_with(requests::card_of(DECLINED_CARD, "10", "2035", "123"))
        .confirm(true);
    let payment = client
        .payments_create()
        .body(order)
        .send()
        .await
        .map_err(Error::from)?;
    assert_eq!(payment.status, PaymentStatus::Failed);
    let code = payment.error_code.as_deref().expect("a reason");
    tell(
        "decline",
        &format!("no error: {} with {code}", payment.status),
    );
    Ok(())
}

async fn repeat(client: &Client) -> Done {
    let customer_id = customer(client, "Grace").await?;
    let mut ids = BTreeSet::new();
    for is_second in [false, true] {
        let order = PaymentCreateRequest::new(6540, Currency::Usd).customer_id(&*customer_id);
        let call = client
            .payments_create()
            .idempotency_key("order-2041")
            .body(order);
        let payment = call.send().await.map_err(Error::from)?;
        assert_eq!(is_replayed(&payment), is_second);
        ids.insert(payment.payment_id.clone());
    }
    assert_eq!(ids.len(), 1);
    assert_eq!(payments_of(client, &customer_id).await?.len(), 1);
    tell("repeat", "two requests with one key made 1 payment");
    Ok(())
}

async fn webhook(client: &Client, merchant_id: &str) -> Done {
    let shop = TcpListener::bind("127.0.0.1:0")?;
    let address = format!("http://{}", shop.local_addr()?);
    let listed = client
        .business_profiles_list()
        .account_id(merchant_id)
        .send()
        .await;
    let profile_id = listed.map_err(Error::from)?[0].profile_id.clone();
    let settings = BusinessProfileUpdateRequest::new()
        .webhook_details(WebhookDetailsRequest::new().webhook_url(address));
    let call = client.business_profiles_update().account_id(merchant_id);
    let call = call.profile_id(&profile_id).body(settings);
    let profile = call.send().await.map_err(Error::from)?;
    let verifier = Verifier::with_secret(&profile.webhook_secrets[0].secret)?;

    let delivery = tokio::task::spawn_blocking(move || received(&shop));
    let order = PaymentCreateRequest::new(6540, Currency::Usd)
        .pays_with(requests::card_of(GOOD_CARD, "10", "2035", "123"))
        .confirm(true);
    let paid = client
        .payments_create()
        .body(order)
        .send()
        .await
        .map_err(Error::from)?;
    let (headers, mut body) = delivery.await??;

    let event = verifier.verify(&headers, &body)?;
    assert_eq!(event.event_type, EventType::PaymentSucceeded);
    let Content::Payment(told) = &event.content else {
        panic!("it is about a payment");
    };
    assert_eq!(told.payment_id, paid.payment_id);
    body.push(b' ');
    let forged = verifier.verify(&headers, &body);
    assert!(matches!(forged, Err(WebhookError::WrongSignature(_))));
    tell(
        "webhook",
        &format!("{} is genuine, its forgery is refused", event.event_type),
    );
    Ok(())
}

/// Receives one request, and answers 200.
fn received(shop: &TcpListener) -> std::io::Result<(HeaderMap, Vec<u8>)> {
    let (stream, _) = shop.accept()?;
    let mut reader = BufReader::new(&stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut headers = HeaderMap::new();
    loop {
        line.clear();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(std::io::Error::other)?;
        let value = HeaderValue::from_str(value.trim()).map_err(std::io::Error::other)?;
        headers.insert(name, value);
    }
    let length = headers
        .get("content-length")
        .and_then(|value| value.to_str().ok());
    let length = length.and_then(|value| value.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    (&stream).write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")?;
    Ok((headers, body))
}

fn tell(chapter: &str, end: &str) {
    println!("{chapter:9} {end}");
}
