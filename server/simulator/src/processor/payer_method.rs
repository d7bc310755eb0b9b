//! Authorizations by a method that the payer finishes at the processor's page.

use multirail_simulator_wire::{AuthorizeBody, PayerBody, PayerMethod};
use serde_json::{Map, Value};

use super::cards::{self, Verdict};
use super::record::AuthorizationRecord;
use super::{Failure, invalid};

/// The member of the filed details with the method.
const MEMBER: &str = "payer_method";

/// Checks the request of a payer's method.
pub(super) fn check(body: &AuthorizeBody, asked: &PayerBody) -> Result<(), Failure> {
    let method = PayerMethod::parse(&asked.method).ok_or_else(|| invalid("payer.method"))?;
    let mut currencies = method.currencies.iter();
    if !currencies.any(|one| one.as_str() == body.currency) {
        return Err(invalid("currency"));
    }
    let country = body
        .details
        .get("payer")
        .and_then(|payer| payer.pointer("/billing/address/country")?.as_str());
    let mut countries = method.countries.iter();
    if !method.countries.is_empty()
        && country.is_some_and(|country| !countries.any(|one| one.as_str() == country))
    {
        return Err(invalid("details.payer.billing.address.country"));
    }
    // Nothing can be checked without an amount.
    if body.amount == 0 {
        return Err(invalid("amount"));
    }
    if !body.capture && !method.reserves {
        return Err(invalid("capture"));
    }
    if body.card.is_some() && method.word != PayerMethod::WITH_CARD {
        return Err(invalid("card"));
    }
    Ok(())
}

/// Decides what the payer's method does. A card behind it that is refused is refused once its payer has acted.
pub(super) fn verdict(connector: &str, body: &AuthorizeBody) -> Verdict {
    let number = body.card.as_ref().map(|card| card.number.expose());
    match number.map(|number| cards::verdict(connector, number, true)) {
        Some(Verdict::Decline(error) | Verdict::AskCustomerThenDecline(error)) => {
            Verdict::AskCustomerThenDecline(error)
        }
        Some(
            Verdict::Approve
            | Verdict::Hold
            | Verdict::ApproveNoCapture(_)
            | Verdict::AskCustomer
            | Verdict::CollectDeviceData
            | Verdict::Pend
            | Verdict::PendThenDecline(_)
            | Verdict::Trouble,
        )
        | None => Verdict::AskCustomer,
    }
}

/// Returns the details to file, with the method among them.
pub(super) fn filed(body: &AuthorizeBody) -> Map<String, Value> {
    let mut details = body.details.clone();
    if let Some(payer) = &body.payer {
        let payer = serde_json::to_value(payer).expect("texts are JSON");
        details.insert(MEMBER.to_owned(), payer);
    }
    details
}

impl AuthorizationRecord {
    /// Returns the method that the payer finishes at the processor's page, if it is one.
    pub(super) fn payer_method(&self) -> Option<(PayerMethod, PayerBody)> {
        let filed = self.details.get(MEMBER)?;
        let payer: PayerBody = serde_json::from_value(filed.clone()).ok()?;
        Some((PayerMethod::parse(&payer.method)?, payer))
    }
}
