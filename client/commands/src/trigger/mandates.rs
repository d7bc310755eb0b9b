//! Events of mandates.

use multirail_client::types::{
    AcceptanceType, Currency, CustomerAcceptance, MandateData, MandateLimits, MandateStatus,
    MandateType, PaymentStatus,
};

use super::stage::{AMOUNT, APPROVED, Stage, check_status, done, is_as_wanted};
use crate::failure::Failure;

pub(super) async fn active(stage: &mut Stage<'_>) -> Result<(), Failure> {
    make(stage).await.map(drop)
}

pub(super) async fn revoked(stage: &mut Stage<'_>) -> Result<(), Failure> {
    let mandate_id = make(stage).await?;
    let call = stage.client.mandates_revoke().mandate_id(&mandate_id);
    let revoked = done("the revocation", call.send().await)?;
    let wanted = MandateStatus::Revoked;
    is_as_wanted("mandate", &mandate_id, &revoked.status, &wanted)
}

/// Pays with a card, and with consent to later charges. Returns the mandate.
async fn make(stage: &mut Stage<'_>) -> Result<String, Failure> {
    let customer_id = stage.customer().await?.customer_id;
    let consent = consent(AMOUNT, Currency::Usd);
    let paid = stage.pays(APPROVED, |order| {
        order.customer_id(customer_id).mandate_data(consent)
    });
    let paid = paid.await?;
    check_status(&paid, &PaymentStatus::Succeeded)?;
    let mandate_id = paid.mandate_id.ok_or_else(|| {
        Failure::Unexpected(format!("the payment {} has no mandate", paid.payment_id))
    })?;
    stage.made("mandate", &mandate_id)?;
    Ok(mandate_id)
}

/// Returns a payer's consent to later charges of at most this amount.
pub(crate) fn consent(amount: i64, currency: Currency) -> MandateData {
    let limits = MandateLimits::new().amount(amount).currency(currency);
    MandateData::new()
        .mandate_type(MandateType::new().multi_use(limits))
        .customer_acceptance(CustomerAcceptance::new(AcceptanceType::Offline))
}
