//! The payer's decision about an authorization.

use multirail_kernel::money::Money;
use multirail_kernel::timestamp::Timestamp;
use multirail_simulator_wire::AuthorizationStatus;
use multirail_simulator_wire::errors::ErrorCode;

use super::record::AuthorizationRecord;
use super::{LedgerError, Processor};

/// Seconds that a payer has to decide.
pub const PAGE_VALID_SECONDS: i64 = 36_000;

/// The state of a payer's page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Page {
    /// The payer can decide.
    Open(Asked),
    /// Decided or voided: the payer returns to the merchant.
    Closed { return_url: String },
    /// The time to decide is over.
    Expired,
    /// Unknown token.
    Unknown,
}

/// The question to the payer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    pub connector: String,
    pub money: Money,
    /// The name of the method that is paid with, unless it is a card.
    pub method: Option<&'static str>,
    /// The bank that the payer chose.
    pub bank: Option<String>,
}

impl Processor {
    /// Returns the page of this token.
    pub fn page(&self, token: &str) -> Result<Page, LedgerError> {
        self.visit(token, None)
    }

    /// Records the payer's decision. Only the first decision counts; later ones also redirect to
    /// the merchant.
    pub fn decide(&self, token: &str, approve: bool) -> Result<Page, LedgerError> {
        self.visit(token, Some(approve))
    }

    fn visit(&self, token: &str, approve: Option<bool>) -> Result<Page, LedgerError> {
        let now = self.now();
        self.ledger.write(|tx| {
            let Some(mut record) = AuthorizationRecord::find_by_token(tx, token)? else {
                return Ok(Page::Unknown);
            };
            if is_over(&record, now) {
                return Ok(Page::Expired);
            }
            if record.status != AuthorizationStatus::AwaitingCustomer {
                return Ok(Page::Closed {
                    return_url: record.return_url,
                });
            }
            match approve {
                None => {
                    let currency = record.currency.parse();
                    let currency = currency.expect("the currency was read before it was filed");
                    let (method, bank) = match record.payer_method() {
                        Some((method, payer)) => (Some(method.name), payer.bank),
                        None => (None, None),
                    };
                    return Ok(Page::Open(Asked {
                        connector: record.connector,
                        money: Money::new(record.amount, currency),
                        method,
                        bank,
                    }));
                }
                Some(true) if record.error.is_some() => {
                    record.status = AuthorizationStatus::Declined;
                }
                Some(true) => {
                    let amount = record.amount;
                    self.approve(tx, &mut record, amount, now)?;
                }
                Some(false) => reject(&mut record),
            }
            record.save(tx)?;
            self.tell_later(tx, &record, 0)?;
            Ok(Page::Closed {
                return_url: record.return_url,
            })
        })
    }
}

/// Checks whether the payer or their browser has to act.
pub(super) fn awaits_payer(status: AuthorizationStatus) -> bool {
    match status {
        AuthorizationStatus::AwaitingCustomer | AuthorizationStatus::AwaitingDeviceData => true,
        AuthorizationStatus::Approved
        | AuthorizationStatus::Declined
        | AuthorizationStatus::Pending
        | AuthorizationStatus::Cancelled
        | AuthorizationStatus::Lapsed => false,
    }
}

/// Checks whether the time to decide has passed.
pub(super) fn is_overdue(record: &AuthorizationRecord, now: Timestamp) -> bool {
    awaits_payer(record.status) && is_over(record, now)
}

fn is_over(record: &AuthorizationRecord, now: Timestamp) -> bool {
    now.seconds_since(record.created_at) >= PAGE_VALID_SECONDS
}

/// Returns the end of the time to decide, if a decision is needed.
pub(super) fn decides_until(record: &AuthorizationRecord) -> Option<Timestamp> {
    let end = record.created_at.plus_seconds(PAGE_VALID_SECONDS);
    end.filter(|_| awaits_payer(record.status))
}

/// Declines an authorization whose payer didn't decide in time.
pub(super) fn give_up(record: &mut AuthorizationRecord) {
    fail(record, "Payment declined: The payer did not decide in time");
}

fn reject(record: &mut AuthorizationRecord) {
    if record.payer_method().is_some() {
        record.status = AuthorizationStatus::Declined;
        record.error = Some(ErrorCode::CancelledByPayer.plain());
    } else {
        fail(record, "Payment declined: Rejected by the payer");
    }
}

fn fail(record: &mut AuthorizationRecord, message: &str) {
    let mut error = ErrorCode::Declined.saying(message);
    // Only cards are authenticated here.
    error.in_authentication = record.payer_method().is_none();
    record.status = AuthorizationStatus::Declined;
    record.error = Some(error);
}
