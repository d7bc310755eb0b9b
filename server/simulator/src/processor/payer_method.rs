//! Authorizations by a method that the payer finishes elsewhere.

use multirail_kernel::secret::SecretText;
use multirail_simulator_wire::errors::ErrorCode;
use multirail_simulator_wire::{AuthorizeBody, PayerBody, PayerMethod, Step};
use serde_json::{Map, Value};

use super::cards::{self, Verdict};
use super::debit;
use super::record::AuthorizationRecord;
use super::{Failure, invalid};

/// The member of the filed details with the method.
const MEMBER: &str = "payer_method";
/// The member that says that the payer acts in an app, without a page.
const ACTS: &str = "payer_acts_by_itself";
/// A BLIK code that no bank knows.
const WRONG_CODE: &str = "000000";
/// A BLIK code whose payer does nothing.
const IGNORED_CODE: &str = "999999";
/// The two addresses in UPI.
const UPI_OF_A_PAYER: &str = "success@upi";
const UPI_THAT_DECLINES: &str = "failure@upi";

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
    let text = asked.text.as_ref().map(SecretText::expose);
    let is_tax_number = |text: &str| {
        matches!(text.len(), 11 | 14) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let fits = match text {
        Some(text) if method.word == "boleto" => is_tax_number(text),
        text => text.is_some() == method.needs_text,
    };
    if !fits {
        return Err(invalid("payer.text"));
    }
    Ok(())
}

/// Decides what the payer's method does. A card behind it that is refused is refused once its payer has acted.
pub(super) fn verdict(connector: &str, body: &AuthorizeBody) -> Verdict {
    if let Some(payer) = &body.payer
        && let Some(text) = &payer.text
    {
        return of_text(&payer.method, text.expose());
    }
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

/// Decides by the payer's text, which stands for what they do in their app.
fn of_text(method: &str, text: &str) -> Verdict {
    let declined = |why: &str| ErrorCode::Declined.saying(format!("Payment declined: {why}"));
    match (method, text) {
        ("blik", WRONG_CODE) => Verdict::AskCustomerThenDecline(declined("Wrong BLIK code")),
        ("upi_collect", UPI_OF_A_PAYER) => Verdict::AskCustomer,
        ("upi_collect", UPI_THAT_DECLINES) => {
            Verdict::AskCustomerThenDecline(declined("Refused in the payer's app"))
        }
        ("upi_collect", _) => Verdict::Decline(declined("No payer has this UPI address")),
        _ => Verdict::AskCustomer,
    }
}

/// Returns the details to file, with the method among them. The payer's text isn't filed.
pub(super) fn filed(account: &str, body: &AuthorizeBody) -> Map<String, Value> {
    let mut details = body.details.clone();
    if let Some(debited) = &body.debit {
        debit::file(&mut details, account, debited);
    }
    if let Some(payer) = &body.payer {
        let step = PayerMethod::parse(&payer.method).map(|method| method.step);
        let is_ignored = payer
            .text
            .as_ref()
            .is_some_and(|text| text.expose() == IGNORED_CODE);
        let acts = step == Some(Step::WaitScreen) && !is_ignored;
        details.insert(ACTS.to_owned(), Value::Bool(acts));
        let payer = PayerBody {
            text: None,
            ..payer.clone()
        };
        let payer = serde_json::to_value(payer).expect("texts are JSON");
        details.insert(MEMBER.to_owned(), payer);
    }
    details
}

impl AuthorizationRecord {
    /// Returns the method that the payer finishes elsewhere, if it is one.
    pub(super) fn payer_method(&self) -> Option<(PayerMethod, PayerBody)> {
        let filed = self.details.get(MEMBER)?;
        let payer: PayerBody = serde_json::from_value(filed.clone()).ok()?;
        Some((PayerMethod::parse(&payer.method)?, payer))
    }

    /// Checks whether the payer pays a voucher in cash.
    pub(super) fn is_paid_in_cash(&self) -> bool {
        let method = self.payer_method();
        method.is_some_and(|(method, _)| method.step == Step::Voucher)
    }

    /// Checks whether the payer acts in an app of their own, without a page.
    pub(super) fn acts_by_itself(&self) -> bool {
        self.details.get(ACTS) == Some(&Value::Bool(true))
    }
}
