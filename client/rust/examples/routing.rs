//! Routes payments: tries a configuration, activates it, makes a payment, and shows why it went to its processor.
//!
//! Start the server with `cargo run`, take the secret key from its output, and then run
//! `MULTIRAIL_API_KEY=... cargo run -p multirail-client --example routing`.

mod sandbox;

use std::process::ExitCode;

use futures::TryStreamExt;
use multirail_client::types::{
    ConnectorName, Currency, PaymentCreateRequest, PaymentStatus, RoutedBy, RoutingActivateRequest,
    RoutingAlgorithmKind, RoutingAlgorithmRequest, RoutingCreateRequest, RoutingEvaluateRequest,
};
use multirail_client::{Error, PaysWith, requests};
use sandbox::Shop;
use serde_json::json;

#[tokio::main]
async fn main() -> ExitCode {
    sandbox::run_in_shop(run).await
}

async fn run(shop: &Shop) -> Result<(), Error> {
    let client = &shop.client;
    let first = shop.connects(ConnectorName::Fauxpay, |same| same).await?;
    let second = shop
        .connects(ConnectorName::Pretendpay, |same| same)
        .await?;
    // The first account is tried first, and the next one if the first can't take the payment.
    let order = json!([
        { "connector": "pretendpay", "merchant_connector_id": second.merchant_connector_id },
        { "connector": "fauxpay", "merchant_connector_id": first.merchant_connector_id },
    ]);
    let order = RoutingAlgorithmRequest::new(RoutingAlgorithmKind::Priority, order);

    let trial = RoutingEvaluateRequest::new(6540, Currency::Usd).algorithm(order.clone());
    let tried = client.routing_evaluate().body(trial).send().await?;
    let names = tried.connectors.iter().map(|one| one.connector.as_str());
    let names: Vec<&str> = names.collect();
    println!("would go to {}", names.join(", then to "));
    assert_eq!(names, ["pretendpay", "fauxpay"]);

    let stored = RoutingCreateRequest::new("Pretendpay first", "", order, &*shop.profile_id);
    let stored = client.routing_create().body(stored).send().await?;
    let activate = client.routing_activate().routing_id(&stored.id);
    activate.body(RoutingActivateRequest::new()).send().await?;
    let listed: Vec<_> = client.routing_list().stream().try_collect().await?;
    assert_eq!(listed.len(), 1);
    println!("{} decides: {}", listed[0].id, listed[0].name);

    let paid = PaymentCreateRequest::new(6540, Currency::Usd)
        .pays_with(requests::card_of("4111111111111111", "10", "2035", "123"))
        .confirm(true);
    let paid = client.payments_create().body(paid).send().await?;
    assert_eq!(paid.status, PaymentStatus::Succeeded);
    assert_eq!(paid.connector.as_deref(), Some("pretendpay"));
    let call = client.payments_retrieve().payment_id(&paid.payment_id);
    let read = call.expand_routing(true).send().await?;
    let attempts = read.attempts.as_deref().unwrap_or_default();
    let why = attempts[0].routing.as_ref().expect("a reason");
    println!(
        "{} went to pretendpay, by {}",
        paid.payment_id, why.routed_by
    );
    assert_eq!(why.routed_by, RoutedBy::Configuration);
    assert_eq!(why.routing_id.as_ref(), Some(&stored.id));
    Ok(())
}
