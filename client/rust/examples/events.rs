//! Receives a webhook about a payment: verifies and reads the delivery. Then the operator finds its event and delivery,
//! and sends it again.
//!
//! Start the server with `cargo run`, take both keys from its output, and then run
//! `MULTIRAIL_API_KEY=... MULTIRAIL_ADMIN_API_KEY=... cargo run -p multirail-client --example events`.

mod sandbox;

use std::process::ExitCode;
use std::time::Duration;

use futures::TryStreamExt;
use multirail_client::types::*;
use multirail_client::webhooks::{Content, Verifier};
use multirail_client::{Error, PaysWith, requests};
use sandbox::Shop;
use wiremock::{Mock, MockServer, Request, ResponseTemplate, matchers::any};

#[tokio::main]
async fn main() -> ExitCode {
    sandbox::run_in_shop(run).await
}

async fn run(shop: &Shop) -> Result<(), Error> {
    // Stands for the shop's endpoint: it answers 200 and stores the requests.
    let endpoint = MockServer::start().await;
    let answers = Mock::given(any()).respond_with(ResponseTemplate::new(200));
    answers.mount(&endpoint).await;
    shop.connects(ConnectorName::Fauxpay, |same| same).await?;
    let tell = WebhookDetailsRequest::new().webhook_url(endpoint.uri());
    let settings = BusinessProfileUpdateRequest::new().webhook_details(tell);
    let profile = shop.sets_up(settings).await?;
    let verifier = Verifier::with_secret(&profile.webhook_secrets[0].secret).expect("a secret");

    let order = PaymentCreateRequest::new(6540, Currency::Usd)
        .pays_with(requests::card_of("4111111111111111", "10", "2035", "123"))
        .confirm(true);
    let paid = shop.client.payments_create().body(order).send().await?;
    let mut delivery = delivered(&endpoint, 1).await;
    let heard = verifier.verify(&delivery.headers, &delivery.body);
    let heard = heard.expect("it is the service's");
    assert_eq!(heard.event_type, EventType::PaymentSucceeded);
    let Content::Payment(told) = &heard.content else {
        panic!("it is about a payment");
    };
    println!("{}: {} is {}", heard.event_id, told.payment_id, told.status);
    assert_eq!(told.payment_id, paid.payment_id);
    delivery.body.push(b' ');
    let altered = verifier.verify(&delivery.headers, &delivery.body);
    println!("and altered: {}", altered.expect_err("a forgery"));

    let operator = shop.operator();
    let of_payment = EventListRequest::new().object_id(&*paid.payment_id);
    let events = operator.events(&shop.merchant_id, of_payment);
    let events: Vec<Event> = events.try_collect().await?;
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].event_id, heard.event_id);

    let all = EventReplayRequest::new().profile_id(&*shop.profile_id);
    let all = all.only_failed(false).dry_run(false);
    let call = operator.events_replay().merchant_id(&shop.merchant_id);
    println!("sent once more: {}", call.body(all).send().await?.queued);
    let again = delivered(&endpoint, 2).await;
    let again = verifier.verify(&again.headers, &again.body);
    assert_eq!(again.expect("signed anew").event_id, heard.event_id);
    Ok(())
}

/// Waits for the delivery with this number. It checks ten times a second.
async fn delivered(endpoint: &MockServer, number: usize) -> Request {
    for _ in 0..300 {
        let seen = endpoint.received_requests().await.unwrap_or_default();
        if let Some(request) = seen.into_iter().nth(number - 1) {
            return request;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("no delivery {number} came")
}
