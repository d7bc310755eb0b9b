//! Steps of payers at the pages of the simulated processor.

use std::time::Duration;

use multirail_client::types::{Currency, NextAction, PaymentCreateRequest, PaymentStatus};
use multirail_client::{PayerMethod, PaysWith};
use reqwest::redirect::Policy;
use url::Url;

use super::stage::{AMOUNT, Stage, check_status};
use crate::failure::{Failure, with_causes};

/// The card whose payer has to approve.
pub(crate) const ASKS_PAYER: &str = "4000003800000446";
pub(crate) const RETURN_URL: &str = "https://shop.example/thanks";
/// The part of the path that all pages of the simulated processor have where a payer decides.
const PAGES: &str = "/dummy-connector/authorize/";
const PATIENCE: Duration = Duration::from_secs(30);
const MOST_REDIRECTS: usize = 10;

pub(super) async fn approves(stage: &mut Stage<'_>) -> Result<(), Failure> {
    authenticates(stage, true, &PaymentStatus::Succeeded).await
}

pub(super) async fn declines(stage: &mut Stage<'_>) -> Result<(), Failure> {
    authenticates(stage, false, &PaymentStatus::Failed).await
}

/// Decides about a payment at the page to which the payer is redirected.
async fn authenticates(
    stage: &mut Stage<'_>,
    is_approved: bool,
    wanted: &PaymentStatus,
) -> Result<(), Failure> {
    let payment = stage
        .pays(ASKS_PAYER, |order| order.return_url(RETURN_URL))
        .await?;
    check_status(&payment, &PaymentStatus::RequiresCustomerAction)?;
    let page = payment.next_action.and_then(|next| next.redirect_to_url);
    decide(page.as_deref(), is_approved).await?;
    stage.becomes(&payment.payment_id, wanted).await.map(drop)
}

/// Pays at the page to which a QR code leads.
pub(super) async fn pays_by_qr_code(stage: &mut Stage<'_>) -> Result<(), Failure> {
    let order = PaymentCreateRequest::new(AMOUNT, Currency::Usd)
        .pays_with(PayerMethod::Cashapp)
        .return_url(RETURN_URL)
        .confirm(true);
    let payment = stage.orders(order).await?;
    check_status(&payment, &PaymentStatus::RequiresCustomerAction)?;
    let code = |next: NextAction| next.qr_code_url;
    let page = payment.next_action.and_then(code);
    decide(page.as_deref(), true).await?;
    let wanted = PaymentStatus::Succeeded;
    stage.becomes(&payment.payment_id, &wanted).await.map(drop)
}

/// Opens a page of the simulated processor in the payer's place, decides there, and returns to the server.
pub(crate) async fn decide(page: Option<&str>, is_approved: bool) -> Result<(), Failure> {
    let start = page.and_then(|page| Url::parse(page).ok());
    let start = start.ok_or_else(|| no_page("the payment has no page for its payer"))?;
    let http = browser(&start)?;
    let shown = http.get(start).send().await.map_err(lost)?;
    let decision = decision(shown.url(), is_approved).filter(|_| shown.status().is_success());
    let decision = decision
        .ok_or_else(|| no_page("the payer's page is no open one of the simulated processor"))?;
    let end = http.post(decision).send().await.map_err(lost)?;
    let status = end.status();
    if status.is_success() || status.is_redirection() {
        return Ok(());
    }
    Err(no_page(&format!("the payer's page answered {status}")))
}

/// Returns the address of a page's button.
fn decision(page: &Url, is_approved: bool) -> Option<Url> {
    let (_, token) = page.path().split_once(PAGES)?;
    let button = format!("../complete/{token}?confirm={is_approved}");
    page.join(&button).ok()
}

/// Returns a client that follows redirects until they leave the server, at the address of the shop.
fn browser(start: &Url) -> Result<reqwest::Client, Failure> {
    let here = start.origin();
    let within = Policy::custom(move |attempt| {
        let is_here = attempt.url().origin() == here;
        if is_here && attempt.previous().len() <= MOST_REDIRECTS {
            attempt.follow()
        } else {
            attempt.stop()
        }
    });
    let http = reqwest::Client::builder()
        .no_proxy()
        .redirect(within)
        .timeout(PATIENCE);
    http.build().map_err(lost)
}

fn lost(error: reqwest::Error) -> Failure {
    let why = with_causes(&error.without_url());
    no_page(&format!("the payer's page can't be opened: {why}"))
}

fn no_page(why: &str) -> Failure {
    Failure::Unexpected(why.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_button_leads_beside_its_page() {
        let pressed = |page: &str, is_approved| {
            let page = Url::parse(page).expect("an address");
            decision(&page, is_approved).map(String::from)
        };
        let page = "http://127.0.0.1:8080/api/dummy-connector/authorize/tok_1?a=b";
        let approved = "http://127.0.0.1:8080/api/dummy-connector/complete/tok_1?confirm=true";
        assert_eq!(pressed(page, true), Some(approved.to_owned()));
        let declined = approved.replace("true", "false");
        assert_eq!(pressed(page, false), Some(declined));
        assert_eq!(pressed("https://bank.example/authorize/tok_1", true), None);
    }
}
