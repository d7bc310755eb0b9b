//! The payer's decision about an authorization.

use multirail_kernel::money::Money;
use multirail_kernel::timestamp::Timestamp;
use multirail_simulator_wire::errors::ErrorCode;
use multirail_simulator_wire::{AuthorizationStatus, Step};
use rusqlite::Transaction;

use super::notices::SETTLED_AFTER_SECONDS;
use super::record::AuthorizationRecord;
use super::{LedgerError, Processor};

/// Seconds that a payer has to decide at a page.
pub const PAGE_VALID_SECONDS: i64 = Step::Page.valid_seconds();

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
    /// The amount, or the part of a transfer that hasn't arrived yet.
    pub money: Money,
    /// The payer chooses the amount of a transfer.
    pub is_transfer: bool,
    /// The name of the method that is paid with, unless it is a card.
    pub method: Option<&'static str>,
    /// The bank that the payer chose.
    pub bank: Option<String>,
}

/// The payer's decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decision {
    Approve,
    Reject,
    /// Transfers this amount, in minor units.
    Transfer(i64),
}

impl Processor {
    /// Returns the page of this token.
    pub fn page(&self, token: &str) -> Result<Page, LedgerError> {
        self.visit(token, None)
    }

    /// Records the payer's decision. Only the first decision counts; later ones also redirect to
    /// the merchant.
    pub fn decide(&self, token: &str, approve: bool) -> Result<Page, LedgerError> {
        let decision = match approve {
            true => Decision::Approve,
            false => Decision::Reject,
        };
        self.visit(token, Some(decision))
    }

    /// Records a transfer. The authorization is approved once the whole amount has arrived.
    pub fn transfer(&self, token: &str, amount: i64) -> Result<Page, LedgerError> {
        self.visit(token, Some(Decision::Transfer(amount)))
    }

    fn visit(&self, token: &str, decision: Option<Decision>) -> Result<Page, LedgerError> {
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
            let is_transfer = step(&record) == Step::Transfer;
            match decision {
                None => {
                    let currency = record.currency.parse();
                    let currency = currency.expect("the currency was read before it was filed");
                    let (method, bank) = match record.payer_method() {
                        Some((method, payer)) => (Some(method.name), payer.bank),
                        None => (None, None),
                    };
                    return Ok(Page::Open(Asked {
                        connector: record.connector,
                        money: Money::new(record.amount - record.received, currency),
                        is_transfer,
                        method,
                        bank,
                    }));
                }
                Some(Decision::Transfer(amount)) if is_transfer => {
                    record.received = record.received.saturating_add(amount.max(0));
                    if record.received >= record.amount {
                        self.agree(tx, &mut record, now)?;
                    }
                }
                Some(Decision::Approve | Decision::Transfer(_)) => {
                    self.agree(tx, &mut record, now)?;
                }
                Some(Decision::Reject) => reject(&mut record),
            }
            record.save(tx)?;
            self.tell_later(tx, &record, 0)?;
            Ok(Page::Closed {
                return_url: record.return_url,
            })
        })
    }

    /// Records the payer's agreement. A planned decline follows it.
    pub(super) fn agree(
        &self,
        tx: &Transaction<'_>,
        record: &mut AuthorizationRecord,
        now: Timestamp,
    ) -> rusqlite::Result<()> {
        if record.error.is_some() {
            record.status = AuthorizationStatus::Declined;
            return Ok(());
        }
        let amount = record.amount;
        self.approve(tx, record, amount, now)
    }
}

/// Returns the form of the payer's step.
fn step(record: &AuthorizationRecord) -> Step {
    record
        .payer_method()
        .map_or(Step::Page, |(method, _)| method.step)
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
    now.seconds_since(record.created_at) >= step(record).valid_seconds()
}

/// Checks whether a payer who acts in an app of their own has acted.
pub(super) fn acts_by(record: &AuthorizationRecord, now: Timestamp) -> bool {
    awaits_payer(record.status)
        && record.acts_by_itself()
        && now.seconds_since(record.created_at) >= SETTLED_AFTER_SECONDS
}

/// Returns the time at which the payer has acted, or has no more time.
pub(super) fn next_news_at(record: &AuthorizationRecord) -> Timestamp {
    let seconds = match record.acts_by_itself() {
        true => SETTLED_AFTER_SECONDS,
        false => step(record).valid_seconds(),
    };
    let start = record.created_at;
    start.plus_seconds(seconds).unwrap_or(start)
}

/// Returns the end of the time to decide, if a decision is needed.
pub(super) fn decides_until(record: &AuthorizationRecord) -> Option<Timestamp> {
    let end = record.created_at.plus_seconds(step(record).valid_seconds());
    end.filter(|_| awaits_payer(record.status))
}

/// Declines an authorization whose payer didn't decide in time.
pub(super) fn give_up(record: &mut AuthorizationRecord) {
    let late = ErrorCode::OutOfTime;
    let partly = "Payment declined: Only a part of the transfer came in time, and was sent back";
    if record.payer_method().is_none() {
        fail(record, late.message());
        return;
    }
    record.status = AuthorizationStatus::Declined;
    record.error = Some(match record.received {
        0 => late.plain(),
        _ => late.saying(partly),
    });
}

fn reject(record: &mut AuthorizationRecord) {
    if record.payer_method().is_some() {
        record.status = AuthorizationStatus::Declined;
        record.error = Some(ErrorCode::CancelledByPayer.plain());
    } else {
        fail(record, "Payment declined: Rejected by the payer");
    }
}

/// Declines a card whose payer wasn't authenticated.
fn fail(record: &mut AuthorizationRecord, message: &str) {
    let mut error = ErrorCode::Declined.saying(message);
    error.in_authentication = true;
    record.status = AuthorizationStatus::Declined;
    record.error = Some(error);
}
