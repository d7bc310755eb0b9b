//! A bank authenticates the payer (3-D Secure): the payer's browser opens the bank's page, and the merchant reads the
//! result. The example presses the button of the simulated page itself.
//!
//! Start the server with `cargo run`, take the secret key from its output, and then run
//! `MULTIRAIL_API_KEY=... cargo run -p multirail-client --example three_ds`.

mod sandbox;

use std::process::ExitCode;

use multirail_client::types::{AuthenticationType, Currency, PaymentCreateRequest, PaymentStatus};
use multirail_client::{Client, Error, PaysWith, requests};
use reqwest::redirect::Policy;

/// The simulator's card whose bank asks for authentication.
const ASKED_CARD: &str = "4000003800000446";

#[tokio::main]
async fn main() -> ExitCode {
    sandbox::run(run).await
}

async fn run(client: &Client) -> Result<(), Error> {
    for (answer, comes_out) in [
        ("Approve", PaymentStatus::Succeeded),
        ("Reject", PaymentStatus::Failed),
    ] {
        let order = PaymentCreateRequest::new(6540, Currency::Usd)
            .pays_with(requests::card_of(ASKED_CARD, "10", "2035", "123"))
            .authentication_type(AuthenticationType::ThreeDs)
            .return_url("https://shop.example/thanks")
            .confirm(true);
        let payment = client.payments_create().body(order).send().await?;
        assert_eq!(payment.status, PaymentStatus::RequiresCustomerAction);
        let action = payment.next_action.as_ref().expect("something to do");
        let page = action.redirect_to_url.as_deref().expect("a page to open");
        println!("{} waits for its payer", payment.payment_id);

        let thanks = presses(page, answer).await.expect("the bank's page");
        assert!(thanks.starts_with("https://shop.example/thanks?"));
        println!("  the payer presses {answer}, and comes back to the shop");
        // The browser's address contains the result too, but it can't be trusted, because payers can change addresses.
        let call = client.payments_retrieve().payment_id(&payment.payment_id);
        let payment = call.send().await?;
        println!("  {}", payment.status);
        assert_eq!(payment.status, comes_out);
    }
    Ok(())
}

/// Opens the page like the payer's browser and submits the form of a button. Returns the shop's address that follows.
async fn presses(page: &str, button: &str) -> Result<String, reqwest::Error> {
    let browser = reqwest::Client::builder().redirect(Policy::custom(|next| {
        match next.url().host_str() == Some("shop.example") {
            true => next.stop(),
            false => next.follow(),
        }
    }));
    let browser = browser.no_proxy().build()?;
    let shown = browser.get(page).send().await?;
    let address = shown.url().clone();
    let html = shown.text().await?;
    let form = html.split("<form").find(|form| form.contains(button));
    let action = form.and_then(|form| form.split('"').nth(3));
    let action = action.expect("a form with that button, and where it goes");
    let action = address.join(action).expect("an address");
    let answer = browser.post(action).send().await?;
    let led = answer.headers().get("location").expect("led to the shop");
    Ok(led.to_str().expect("an address").to_owned())
}
