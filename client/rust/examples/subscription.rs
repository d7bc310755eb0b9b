//! A customer subscribes to a magazine: the first payment saves the card, and the renewal is charged automatically
//! after the sandbox's clock is advanced by a month.
//!
//! Start the server with `cargo run`, take both keys from its output, and then run
//! `MULTIRAIL_API_KEY=... MULTIRAIL_ADMIN_API_KEY=... cargo run -p multirail-client --example subscription`.

mod sandbox;

use std::process::ExitCode;
use std::time::Duration;

use futures::TryStreamExt;
use multirail_client::types::*;
use multirail_client::{Error, requests};
use sandbox::Shop;

const MONTH: i64 = 32 * 24 * 60 * 60;
/// The maximum number of checks whether the renewal is paid, ten in a second.
const LOOKS: u32 = 300;

#[tokio::main]
async fn main() -> ExitCode {
    sandbox::run_in_shop(run).await
}

async fn run(shop: &Shop) -> Result<(), Error> {
    let client = &shop.client;
    shop.connects(ConnectorName::Fauxpay, |same| same).await?;
    shop.bills().await?;
    let magazine = ProductCreateRequest::new("The magazine");
    let magazine = client.subscription_products_create().body(magazine);
    let magazine = magazine.send().await?.product_id.clone();
    let plan = SubscriptionItemCreateRequest::new(magazine, SubscriptionItemType::Plan, "Reader");
    let plan = client.subscription_items_create().body(plan).send().await?;
    let price = ItemPriceCreateRequest::new(&*plan.item_id, 990, Currency::Usd);
    let price = price.interval(BillingInterval::Month);
    let price = client.subscription_item_prices_create().body(price);
    let price = price.send().await?.item_price_id.clone();

    let reader = client.customers_create().body(CustomerCreateRequest::new());
    let reader = reader.send().await?.customer_id.clone();
    let pays = SubscriptionFirstPaymentDetails::new("https://shop.example/thanks")
        .payment_method(PaymentMethod::Card)
        .payment_method_data(requests::card("4111111111111111", "10", "2035", "123"))
        .customer_acceptance(CustomerAcceptance::new(AcceptanceType::Offline));
    let order = SubscriptionCreateAndConfirmRequest::new(price, reader, pays);
    let call = client.subscriptions_create_and_confirm().body(order);
    let made = call.send().await?;
    println!("{} is {}", made.id, made.status);
    assert_eq!(made.status, SubscriptionStatus::Active);

    let operator = shop.operator();
    let call = operator.sandbox_clock_advance();
    let later = call.body(SandboxClockAdvanceRequest::new(MONTH)).send();
    println!("it is {} now", later.await?.now.date_naive());
    assert_eq!(once_paid(shop, &made.id, 2).await?.amount, 990);

    let call = client.subscriptions_cancel().subscription_id(&made.id);
    let over = call.body(SubscriptionCancelRequest::new()).send().await?;
    assert_eq!(over.status, SubscriptionStatus::Cancelled);
    Ok(())
}

/// Waits until the invoice with this number is paid, and returns it.
async fn once_paid(shop: &Shop, id: &str, number: i32) -> Result<Invoice, Error> {
    for _ in 0..LOOKS {
        let call = shop.client.subscriptions_list_invoices();
        let all: Vec<Invoice> = call.subscription_id(id).stream().try_collect().await?;
        let is_it = |one: &Invoice| one.number == Some(number);
        if let Some(invoice) = all.into_iter().find(is_it) {
            println!("  invoice {number} is {}", invoice.status);
            if invoice.status == InvoiceStatus::InvoicePaid {
                return Ok(invoice);
            }
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the renewal isn't paid")
}
