//! Debits of bank accounts.

use multirail_client::PaysWith;
use multirail_client::types::{
    AcceptanceType, Currency, CustomerAcceptance, DisputeStatus, OnlineAcceptance,
    PaymentCreateRequest, PaymentStatus, SepaDebitRequest,
};

use super::disputes::{becomes, find};
use super::stage::{AMOUNT, Stage};
use crate::failure::Failure;

/// The account whose bank returns each debit three days after it was paid.
pub(crate) const RETURNS: &str = "DE35370400440532013002";
/// An account whose bank pays, and one without funds.
pub(crate) const PAYS: &str = "DE89370400440532013000";
pub(crate) const LACKS_FUNDS: &str = "DE62370400440532013001";
const THREE_DAYS: i64 = 3 * 24 * 60 * 60;
/// The time after which an opened return is lost.
const A_MINUTE: i64 = 60;

/// Debits an account, and moves the sandbox's clock on until the payer's bank returns the debit.
pub(super) async fn returned(stage: &mut Stage<'_>) -> Result<(), Failure> {
    let operator = stage.operator_for("debit_returned")?;
    let payment = stage.orders(order(RETURNS, "Ada Okafor", AMOUNT)).await?;
    let wanted = PaymentStatus::Succeeded;
    let payment = stage.becomes(&payment.payment_id, &wanted).await?;
    stage.advance(&operator, THREE_DAYS).await?;
    let dispute = find(stage, &payment, |_| true).await?;
    stage.made("dispute", &dispute.dispute_id)?;
    stage.advance(&operator, A_MINUTE).await?;
    becomes(stage, &payment, &dispute, &DisputeStatus::DisputeLost).await
}

/// Returns the order of a SEPA debit in euro, with the payer's consent.
pub(crate) fn order(iban: &str, holder: &str, amount: i64) -> PaymentCreateRequest {
    let account = SepaDebitRequest::new(iban).bank_account_holder_name(holder);
    let page = OnlineAcceptance::new("multirail trigger").ip_address("192.0.2.7");
    PaymentCreateRequest::new(amount, Currency::Eur)
        .pays_with(account)
        .customer_acceptance(CustomerAcceptance::new(AcceptanceType::Online).online(page))
        .confirm(true)
}
