//! Authorizations.

use multirail_kernel::currency::Currency;
use multirail_kernel::random::alphanumeric;
use multirail_sdk::connector::OperationKind;
use multirail_simulator_wire::errors::{self, ErrorCode};
use multirail_simulator_wire::{
    AuthorizationAnswer, AuthorizationStatus, AuthorizeBody, ErrorBody, ReviewBody, WireResponse,
};
use serde_json::{Map, Value};

use super::cards::{Verdict, approved_amount, is_disputed, refund_behavior, verdict};
use super::debit;
use super::dispute_record::DisputeRecord;
use super::filed::Filed;
use super::issuer::{self, Reason};
use super::notices::{SETTLED_AFTER_SECONDS, Subject};
use super::payer::{awaits_payer, decides_until, next_news_at};
use super::payer_method;
use super::record::AuthorizationRecord;
use super::shown::shows;
use super::{Failure, Processor, Twist, invalid};

/// The card that is charged in place of a stored one.
const KEPT: &str = "4242424242424242";

impl Processor {
    pub(super) fn authorize(
        &self,
        account: &str,
        connector: &str,
        key: &str,
        body: &AuthorizeBody,
        twist: Option<Twist>,
    ) -> Result<WireResponse, Failure> {
        if body.amount < 0 {
            return Err(invalid("amount"));
        }
        if body.currency.parse::<Currency>().is_err() {
            return Err(invalid("currency"));
        }
        let named = initiation(&body.details, "mandate");
        let named = named.and_then(|mandate| mandate.get("connector_mandate_id"));
        let kept = match &body.debit {
            Some(debited) => debit::mandate_id(account, debited),
            None => stored_card_id(account),
        };
        if named.is_some_and(|named| named != kept.as_str()) {
            return Err(invalid("details.initiation.mandate"));
        }
        if let Some(debited) = &body.debit {
            debit::check(body, debited)?;
        }
        if let Some(payer) = &body.payer {
            payer_method::check(body, payer)?;
        }
        let number = match (&body.card, named) {
            (Some(card), _) => card.number.expose(),
            // Stored cards were approved before.
            (None, Some(_)) => KEPT,
            // Refunds of it behave like those of an ordinary card.
            (None, None) if body.payer.is_some() || body.debit.is_some() => KEPT,
            (None, None) => return Err(invalid("card")),
        };
        let mut approved = body.amount;
        let verdict = match twist {
            Some(Twist::Decline(error)) => Verdict::Decline(error),
            Some(Twist::Pend) => Verdict::Pend,
            Some(Twist::PendThenDecline(error)) => Verdict::PendThenDecline(error),
            Some(Twist::ApproveOnly(amount)) => {
                approved = amount.clamp(0, body.amount);
                Verdict::Approve
            }
            None => match (&body.payer, &body.debit) {
                (Some(_), _) => payer_method::verdict(connector, body),
                (None, Some(debited)) => debit::verdict(debited),
                (None, None) => {
                    approved = approved_amount(number, body.amount);
                    let authenticates = wants_authentication(body);
                    verdict(connector, number, authenticates)
                }
            },
        };
        // A card check reserves nothing.
        let is_held = verdict == Verdict::Hold && body.amount > 0;
        let record = self.ledger.write(|tx| {
            if let Some(earlier) = AuthorizationRecord::find(tx, key)? {
                return if is_repeated(&earlier, account, connector, body) {
                    Ok(earlier)
                } else {
                    Err(ErrorCode::KeyUsedOtherwise.into())
                };
            }
            let (status, error) = match verdict {
                Verdict::Approve | Verdict::Hold => (AuthorizationStatus::Approved, None),
                Verdict::ApproveNoCapture(error) => (AuthorizationStatus::Approved, Some(error)),
                Verdict::Decline(error) => (AuthorizationStatus::Declined, Some(error)),
                Verdict::Pend => (AuthorizationStatus::Pending, None),
                Verdict::PendThenDecline(error) => (AuthorizationStatus::Pending, Some(error)),
                Verdict::AskCustomer
                | Verdict::CollectDeviceData
                | Verdict::AskCustomerThenDecline(_)
                    if !payer_is_there(&body.details) =>
                {
                    of_series(&body.details)
                }
                Verdict::AskCustomer
                | Verdict::CollectDeviceData
                | Verdict::AskCustomerThenDecline(_)
                    if !is_web_address(&body.return_url) =>
                {
                    return Err(invalid("return_url"));
                }
                Verdict::AskCustomer => (AuthorizationStatus::AwaitingCustomer, None),
                Verdict::CollectDeviceData => (AuthorizationStatus::AwaitingDeviceData, None),
                Verdict::AskCustomerThenDecline(error) => {
                    (AuthorizationStatus::AwaitingCustomer, Some(error))
                }
                Verdict::Trouble => return Err(ErrorCode::Internal.into()),
            };
            let has_page = awaits_payer(status);
            let mut record = AuthorizationRecord {
                key: key.to_owned(),
                reference: self.reference(),
                account: account.to_owned(),
                connector: connector.to_owned(),
                amount: body.amount,
                currency: body.currency.clone(),
                captured_at_once: body.capture,
                is_held,
                status,
                approved_amount: None,
                received: 0,
                capture_before: None,
                error,
                refund_behavior: refund_behavior(number),
                return_url: body.return_url.clone(),
                page_token: has_page.then(|| alphanumeric(&*self.random, 32)),
                details: payer_method::filed(account, body),
                created_at: self.now(),
            };
            if status == AuthorizationStatus::Approved {
                let now = record.created_at;
                self.approve(tx, &mut record, approved, now)?;
            }
            record.save(tx)?;
            if status == AuthorizationStatus::Approved {
                self.plan_return(tx, &record, record.created_at)?;
            }
            match status {
                AuthorizationStatus::Pending => {
                    self.tell_later(tx, &record, SETTLED_AFTER_SECONDS)?;
                }
                AuthorizationStatus::AwaitingCustomer | AuthorizationStatus::AwaitingDeviceData => {
                    let subject = Subject::Operation(OperationKind::Authorize);
                    let end = next_news_at(&record);
                    self.tell_at(tx, account, subject, key, end)?;
                }
                AuthorizationStatus::Approved
                | AuthorizationStatus::Declined
                | AuthorizationStatus::Cancelled
                | AuthorizationStatus::Lapsed => {}
            }
            if is_disputed(number) {
                DisputeRecord::new(&record).save(tx)?;
                self.raise_dispute(tx, key)?;
            }
            Ok::<_, Failure>(record)
        })?;
        Ok(match &record.error {
            Some(error) if record.status == AuthorizationStatus::Declined => {
                errors::answer(error.clone())
            }
            Some(_) | None => self.show_authorization(&record),
        })
    }

    /// Returns the authorization's answer.
    pub(super) fn show_authorization(&self, record: &AuthorizationRecord) -> WireResponse {
        let token = record.page_token.as_deref();
        let page = match record.status {
            AuthorizationStatus::AwaitingCustomer => token.map(|token| self.page_url(token)),
            AuthorizationStatus::AwaitingDeviceData => token.map(|token| self.method_url(token)),
            AuthorizationStatus::Approved
            | AuthorizationStatus::Declined
            | AuthorizationStatus::Pending
            | AuthorizationStatus::Cancelled
            | AuthorizationStatus::Lapsed => None,
        };
        let is_page = record.status == AuthorizationStatus::AwaitingCustomer;
        let page_to_show = page.as_deref().filter(|_| is_page);
        let shows = page_to_show.and_then(|page| shows(record, page));
        let is_refused = matches!(
            record.status,
            AuthorizationStatus::Declined
                | AuthorizationStatus::Cancelled
                | AuthorizationStatus::Lapsed
        );
        let has_issuer = record.payer_method().is_none() && record.debit_scheme().is_none();
        let of_card = record.approved_amount.filter(|_| has_issuer);
        let answer = AuthorizationAnswer {
            key: record.key.clone(),
            reference: record.reference.clone(),
            status: record.status,
            amount: record.amount,
            approved_amount: record.approved_amount,
            currency: record.currency.clone(),
            redirect_url: page.filter(|_| shows.is_none()),
            shows,
            sent_back: record.sent_back(),
            excess: record.excess(),
            expires_at: decides_until(record).map(|end| end.to_string()),
            capture_before: record.capture_before.map(|end| end.to_string()),
            extended: record.is_extended(),
            most_capturable: record
                .approved_amount
                .filter(|approved| record.beyond(*approved) > 0)
                .map(|approved| approved + record.beyond(approved)),
            error: record.error.clone().filter(|_| is_refused),
            auth_code: of_card.map(issuer::auth_code),
            network_transaction_id: of_card
                .filter(|_| record.is_of_series())
                .map(|_| issuer::network_transaction_id(&record.reference)),
            authentication: of_card
                .and(record.page_token.as_ref())
                .map(|_| issuer::authentication())
                .unwrap_or_default(),
            kept_as: record
                .approved_amount
                .filter(|_| record.stores_card())
                .map(|_| record.debit_mandate())
                .map(|mandate| mandate.unwrap_or_else(|| stored_card_id(&record.account))),
            review: record.is_held.then(|| review(record)),
        };
        WireResponse::json(200, &answer)
    }
}

fn review(record: &AuthorizationRecord) -> ReviewBody {
    ReviewBody {
        service: "simulated_screening".to_owned(),
        reference: format!("review_of_{}", record.reference),
        score: 75,
        code: "elevated_risk".to_owned(),
        message: "The payment looks risky".to_owned(),
    }
}

fn is_repeated(
    earlier: &AuthorizationRecord,
    account: &str,
    connector: &str,
    body: &AuthorizeBody,
) -> bool {
    earlier.is_visible_to(account)
        && earlier.connector == connector
        && earlier.amount == body.amount
        && earlier.currency == body.currency
        && earlier.captured_at_once == body.capture
}

/// Checks whether the merchant asks for authentication.
fn wants_authentication(body: &AuthorizeBody) -> bool {
    let authentication = body.details.get("authentication");
    let wanted = authentication.and_then(|group| group.get("wanted"));
    wanted.and_then(serde_json::Value::as_str) == Some("three_ds")
}

/// Checks whether the payer is present. They are, unless the merchant says otherwise.
fn payer_is_there(details: &Map<String, Value>) -> bool {
    initiation(details, "off_session") != Some(&Value::Bool(true))
}

fn initiation<'a>(details: &'a Map<String, Value>, member: &str) -> Option<&'a Value> {
    details.get("initiation")?.get(member)
}

/// Decides a payment without the payer whose card requires authentication. It is approved if it
/// refers to an earlier payment with the payer, and declined otherwise.
fn of_series(details: &Map<String, Value>) -> (AuthorizationStatus, Option<ErrorBody>) {
    let reference = initiation(details, "network_transaction_id").and_then(Value::as_str);
    if reference.is_some_and(issuer::is_network_transaction_id) {
        (AuthorizationStatus::Approved, None)
    } else {
        let error = Reason::AuthenticationRequired.to_error();
        (AuthorizationStatus::Declined, Some(error))
    }
}

/// Returns the id of the account's stored card. The card itself is in the request.
fn stored_card_id(account: &str) -> String {
    let digits = account.bytes().fold(0_u32, |sum, byte| {
        sum.wrapping_mul(31).wrapping_add(u32::from(byte))
    });
    format!("kept_{digits:08x}")
}

/// Checks whether a URL is a web address.
fn is_web_address(url: &str) -> bool {
    let is_http = url.starts_with("https://") || url.starts_with("http://");
    is_http && url.bytes().all(|byte| byte.is_ascii_graphic())
}
