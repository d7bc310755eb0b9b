//! The engine's subscriptions as they are filed.

use multirail_domain::billing::calendar::Period;
use multirail_domain::billing::charge::Charge;
use multirail_domain::billing::invoice::{Billed, Line};
use multirail_domain::billing::term::Term;
use multirail_domain::currency::Currency;
use multirail_domain::subscription::SubscriptionStatus;
use multirail_domain::timestamp::Timestamp;
use multirail_simulator_wire::{EngineInvoiceAnswer, EngineStateAnswer};
use rusqlite::{OptionalExtension, Transaction, params};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::unnamed;

/// A subscription as the engine has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EngineSubscription {
    pub reference: String,
    /// What whoever had it made calls it.
    pub own_id: String,
    pub customer: String,
    pub price: String,
    pub quantity: u32,
    pub status: SubscriptionStatus,
    pub term: Option<Term>,
    pub paused_at: Option<Timestamp>,
    pub pauses_at: Option<Timestamp>,
    pub resumes_at: Option<Timestamp>,
    /// The period that begins with the resumption is billed with the next one.
    pub holds: bool,
    pub unbilled: Vec<Charge>,
    pub cancelled_at: Option<Timestamp>,
    pub cancels_at: Option<Timestamp>,
    /// The oldest first.
    pub invoices: Vec<EngineInvoice>,
}

/// An invoice of the engine's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EngineInvoice {
    pub reference: String,
    pub amount: i64,
    pub currency: Currency,
    pub period: Option<Period>,
    pub lines: Vec<Line>,
    /// The payment that it was told of.
    pub payment: Option<String>,
    pub is_paid: bool,
    pub is_void: bool,
}

impl EngineInvoice {
    pub(super) fn of(reference: String, billed: &Billed, period: Option<Period>) -> Self {
        EngineInvoice {
            reference,
            amount: billed.total.amount_minor,
            currency: billed.total.currency,
            period,
            lines: billed.lines.clone(),
            payment: None,
            is_paid: false,
            is_void: false,
        }
    }

    pub(super) fn is_open(&self) -> bool {
        !self.is_paid && !self.is_void
    }
}

impl EngineSubscription {
    /// # Errors
    /// A record of another version.
    pub(in super::super) fn read(record: &str) -> rusqlite::Result<Self> {
        parsed(record)
    }

    pub(super) fn find(
        tx: &Transaction<'_>,
        account: &str,
        reference: &str,
    ) -> rusqlite::Result<Option<Self>> {
        tx.prepare_cached(
            "select record from engine_subscriptions where reference = ?1 and account = ?2",
        )?
        .query_row([reference, account], |row| {
            Self::read(&row.get::<_, String>("record")?)
        })
        .optional()
    }

    /// The one of this name, and whose it is.
    pub(super) fn of_any(
        tx: &Transaction<'_>,
        reference: &str,
    ) -> rusqlite::Result<Option<(String, Self)>> {
        tx.prepare_cached("select account, record from engine_subscriptions where reference = ?1")?
            .query_row([reference], |row| {
                let record: String = row.get("record")?;
                Ok((row.get("account")?, Self::read(&record)?))
            })
            .optional()
    }

    pub(super) fn save(&self, tx: &Transaction<'_>, account: &str) -> rusqlite::Result<()> {
        tx.prepare_cached(
            "insert into engine_subscriptions (reference, account, record) values (?1, ?2, ?3) \
             on conflict (reference) do update set record = excluded.record",
        )?
        .execute(params![self.reference, account, text(self)])?;
        Ok(())
    }

    pub(super) fn answer(&self) -> EngineStateAnswer {
        let runs = self.status.is_running();
        let period = self.term.as_ref().map(|term| term.period);
        EngineStateAnswer {
            reference: self.reference.clone(),
            status: self.status,
            next_billing_at: period.filter(|_| runs).map(|period| period.end),
            period,
            paused_at: self.paused_at,
            pauses_at: self.pauses_at,
            resumes_at: self.resumes_at,
            cancelled_at: self.cancelled_at,
            cancels_at: self.cancels_at,
            open_invoices: self
                .invoices
                .iter()
                .filter(|invoice| invoice.is_open())
                .map(|invoice| EngineInvoiceAnswer {
                    reference: invoice.reference.clone(),
                    ..unnamed(invoice)
                })
                .collect(),
        }
    }
}

pub(super) fn text(record: &impl Serialize) -> String {
    serde_json::to_string(record).expect("our own records are plain JSON")
}

pub(super) fn parsed<T: DeserializeOwned>(text: &str) -> rusqlite::Result<T> {
    serde_json::from_str(text).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, Box::new(error))
    })
}
