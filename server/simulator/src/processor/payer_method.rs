//! Authorizations by a method that the payer finishes at the processor's page.

use multirail_simulator_wire::{AuthorizeBody, PayerBody, PayerMethod};
use serde_json::{Map, Value};

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
    // Nothing can be checked without an amount.
    if body.amount == 0 {
        return Err(invalid("amount"));
    }
    if !body.capture && !method.reserves {
        return Err(invalid("capture"));
    }
    if body.card.is_some() {
        return Err(invalid("card"));
    }
    Ok(())
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
