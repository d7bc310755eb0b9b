//! The ledger's rows of disputes.

use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{DisputeStage, DisputeStatus};
use rusqlite::{Row, Transaction, params};
use serde::Serialize;

use super::column::Word;
use super::dispute_course::{Course, Standing};
use super::filed::Filed;
use super::record::AuthorizationRecord;

/// A dispute. It is filed together with its authorization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DisputeRecord {
    /// The processor's reference of the dispute.
    pub key: String,
    /// See `AuthorizationRecord::account`.
    pub account: String,
    pub authorization_key: String,
    pub stage: DisputeStage,
    pub status: DisputeStatus,
    /// The state that it reaches by itself later.
    pub later: Option<Later>,
    pub created_at: Timestamp,
    /// Unset until money is captured.
    pub raised_at: Option<Timestamp>,
    /// The time of its current state.
    pub updated_at: Timestamp,
}

/// A state that a dispute reaches by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Later {
    pub stage: DisputeStage,
    pub status: DisputeStatus,
    /// Unset until the dispute is raised. Before that, the time at which a return is raised.
    pub from: Option<Timestamp>,
}

impl Filed for DisputeRecord {
    const TABLE: &str = "disputes";
    const COLUMNS: &str = "key, account, authorization_key, stage, status, later_stage, later_status, later_from, created_at, \
        raised_at, updated_at";

    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let Word(stage) = row.get("stage")?;
        let Word(status) = row.get("status")?;
        let later_stage: Option<Word<DisputeStage>> = row.get("later_stage")?;
        let later_status: Option<Word<DisputeStatus>> = row.get("later_status")?;
        let moment = |column: &str| {
            let micros: Option<i64> = row.get(column)?;
            Ok::<_, rusqlite::Error>(micros.map(Timestamp::from_micros))
        };
        let from = moment("later_from")?;
        let later = later_stage.zip(later_status);
        let created_at = Timestamp::from_micros(row.get("created_at")?);
        Ok(DisputeRecord {
            key: row.get("key")?,
            account: row.get("account")?,
            authorization_key: row.get("authorization_key")?,
            stage,
            status,
            later: later.map(|(Word(stage), Word(status))| Later {
                stage,
                status,
                from,
            }),
            created_at,
            raised_at: moment("raised_at")?,
            updated_at: moment("updated_at")?.unwrap_or(created_at),
        })
    }

    fn account(&self) -> &str {
        &self.account
    }
}

impl DisputeRecord {
    /// Creates the dispute of this authorization. It is raised when money is captured.
    pub(super) fn new(authorization: &AuthorizationRecord) -> Self {
        let Course { raised, later } = Course::of_amount(authorization.amount);
        DisputeRecord {
            key: Self::key_of(authorization),
            account: authorization.account.clone(),
            authorization_key: authorization.key.clone(),
            stage: raised.stage,
            status: raised.status,
            later: later.map(|Standing { stage, status }| Later {
                stage,
                status,
                from: None,
            }),
            created_at: authorization.created_at,
            raised_at: None,
            updated_at: authorization.created_at,
        }
    }

    /// Creates the dispute of a returned debit, which is raised at this time and then lost.
    pub(super) fn of_return(authorization: &AuthorizationRecord, at: Timestamp) -> Self {
        DisputeRecord {
            stage: DisputeStage::Dispute,
            status: DisputeStatus::Opened,
            later: Some(Later {
                stage: DisputeStage::Dispute,
                status: DisputeStatus::Lost,
                from: Some(at),
            }),
            ..DisputeRecord::new(authorization)
        }
    }

    pub(super) fn key_of(authorization: &AuthorizationRecord) -> String {
        format!("{}_dispute", authorization.reference)
    }

    pub(super) fn standing(&self) -> Standing {
        Standing {
            stage: self.stage,
            status: self.status,
        }
    }

    /// Changes the state.
    pub(super) fn stand(&mut self, standing: Standing, now: Timestamp) {
        self.stage = standing.stage;
        self.status = standing.status;
        self.updated_at = now;
    }

    /// Moves to the later state; returns false if there is none.
    pub(super) fn go_on(&mut self, now: Timestamp) -> bool {
        let Some(Later { stage, status, .. }) = self.later.take() else {
            return false;
        };
        self.stand(Standing { stage, status }, now);
        true
    }

    /// Inserts or replaces the row.
    pub(super) fn save(&self, tx: &Transaction<'_>) -> rusqlite::Result<()> {
        let sql = format!(
            "insert or replace into disputes ({}) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            Self::COLUMNS
        );
        let later = self.later.as_ref();
        tx.prepare_cached(&sql)?.execute(params![
            self.key,
            self.account,
            self.authorization_key,
            self.stage.as_str(),
            self.status.as_str(),
            later.map(|later| later.stage.as_str()),
            later.map(|later| later.status.as_str()),
            later.and_then(|later| later.from).map(Timestamp::as_micros),
            self.created_at.as_micros(),
            self.raised_at.map(Timestamp::as_micros),
            self.updated_at.as_micros(),
        ])?;
        Ok(())
    }
}
