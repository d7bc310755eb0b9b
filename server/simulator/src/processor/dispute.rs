//! Disputes. Captured payments with a certain card are disputed. The merchant can accept the
//! dispute or send evidence.

use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{DisputeActionKind, DisputeStage, DisputeStatus};
use multirail_simulator_wire::errors::ErrorCode;
use multirail_simulator_wire::{
    ChallengeBody, DisputeAnswer, DisputeListAnswer, DisputeListBody, WireResponse,
};
use rusqlite::{Transaction, params};

use super::dispute_course::Standing;
use super::dispute_record::{DisputeRecord, Later};
use super::dispute_request::DisputeRequest;
use super::filed::Filed;
use super::notices::{SETTLED_AFTER_SECONDS, Subject};
use super::record::AuthorizationRecord;
use super::refund::Taken;
use super::{Failure, Processor, invalid};

/// Days that a merchant has to answer.
const DAYS_TO_ANSWER: i64 = 7;

/// The number of disputes per page.
const PAGE: i64 = 50;

impl Processor {
    /// Raises the authorization's dispute, if its card has one and money was captured.
    pub(super) fn raise_dispute(
        &self,
        tx: &Transaction<'_>,
        authorization_key: &str,
    ) -> rusqlite::Result<()> {
        let Some(authorization) = AuthorizationRecord::find(tx, authorization_key)? else {
            return Ok(());
        };
        let record = DisputeRecord::find(tx, &DisputeRecord::key_of(&authorization))?;
        let Some(mut record) = record.filter(|record| record.raised_at.is_none()) else {
            return Ok(());
        };
        let planned_for = record.later.and_then(|later| later.from);
        if planned_for.is_some_and(|at| !self.is_past(at)) {
            return Ok(());
        }
        if Taken::read(tx, &authorization)?.captured == 0 {
            return Ok(());
        }
        let now = self.now();
        record.raised_at = Some(now);
        record.updated_at = now;
        if let Some(later) = &mut record.later {
            later.from = now.plus_seconds(SETTLED_AFTER_SECONDS);
        }
        record.save(tx)?;
        self.tell_of_dispute(tx, &record)
    }

    /// Answers a look-up of a dispute.
    pub(super) fn dispute(&self, account: &str, reference: &str) -> Result<WireResponse, Failure> {
        self.ledger.write(|tx| {
            let record = self.found(tx, account, reference)?;
            Ok(WireResponse::json(200, &answer(tx, record)?))
        })
    }

    /// Accepts a dispute. A repeated acceptance gets the same answer.
    pub(super) fn accept_dispute(
        &self,
        account: &str,
        key: &str,
        reference: &str,
    ) -> Result<WireResponse, Failure> {
        self.ledger.write(|tx| {
            let mut record = self.found(tx, account, reference)?;
            if record.status != DisputeStatus::Accepted {
                check_open(&record)?;
                record.later = None;
                let status = DisputeStatus::Accepted;
                record.stand(
                    Standing {
                        status,
                        ..record.standing()
                    },
                    self.now(),
                );
                record.save(tx)?;
                self.tell_of_dispute(tx, &record)?;
            }
            DisputeRequest::came(tx, key, DisputeActionKind::Accept, &record, self.now())?;
            Ok(WireResponse::json(200, &answer(tx, record)?))
        })
    }

    /// Files evidence. Later evidence counts, too.
    pub(super) fn challenge_dispute(
        &self,
        account: &str,
        key: &str,
        reference: &str,
        body: &ChallengeBody,
    ) -> Result<WireResponse, Failure> {
        if body.texts.is_empty() && body.files.is_empty() {
            return Err(invalid("texts"));
        }
        self.ledger.write(|tx| {
            let mut record = self.found(tx, account, reference)?;
            check_open(&record)?;
            let now = self.now();
            let status = DisputeStatus::Challenged;
            record.stand(
                Standing {
                    status,
                    ..record.standing()
                },
                now,
            );
            let judged = record.standing().judge(body.texts.values());
            record.later = judged.map(|Standing { stage, status }| Later {
                stage,
                status,
                from: now.plus_seconds(SETTLED_AFTER_SECONDS),
            });
            record.save(tx)?;
            self.tell_of_dispute(tx, &record)?;
            DisputeRequest::came(tx, key, DisputeActionKind::Challenge, &record, now)?;
            Ok(WireResponse::json(200, &answer(tx, record)?))
        })
    }

    /// Lists the disputes that were raised in this time, by reference.
    pub(super) fn disputes(
        &self,
        account: &str,
        body: &DisputeListBody,
    ) -> Result<WireResponse, Failure> {
        let moment = |text: &str, member| {
            let read = Timestamp::parse_rfc3339(text);
            read.map(Timestamp::as_micros).map_err(|_| invalid(member))
        };
        let (from, until) = (moment(&body.from, "from")?, moment(&body.until, "until")?);
        let after = body.after.as_deref().unwrap_or_default();
        self.ledger.write(|tx| {
            self.raise_due_returns(tx, account)?;
            let sql = "select key from disputes where account = ?1 and raised_at between ?2 and ?3 and key > ?4 \
                       order by key limit ?5";
            let mut statement = tx.prepare_cached(sql)?;
            let keys = statement.query_map(params![account, from, until, after, PAGE], |row| {
                row.get::<_, String>(0)
            })?;
            let keys: Vec<String> = keys.collect::<rusqlite::Result<_>>()?;
            let mut disputes = Vec::with_capacity(keys.len());
            for key in &keys {
                let record = self.found(tx, account, key)?;
                disputes.push(answer(tx, record)?);
            }
            let next = keys.last().filter(|_| keys.len() as i64 == PAGE).cloned();
            Ok(WireResponse::json(200, &DisputeListAnswer { disputes, next }))
        })
    }

    /// Returns the content of a dispute's notice. The notice of a later outcome also brings the
    /// dispute to that outcome.
    pub(super) fn dispute_to_tell(
        &self,
        tx: &Transaction<'_>,
        subject: Subject,
        key: &str,
    ) -> rusqlite::Result<Option<DisputeAnswer>> {
        let Some(mut record) = DisputeRecord::find(tx, key)? else {
            return Ok(None);
        };
        if subject == Subject::Return {
            // The dispute has notices of its own.
            self.raise_dispute(tx, &record.authorization_key)?;
            return Ok(None);
        }
        if subject == Subject::DisputeLater {
            if !record.go_on(self.now()) {
                return Ok(None);
            }
            record.save(tx)?;
        }
        match answer(tx, record) {
            Ok(answer) => Ok(Some(answer)),
            Err(Failure::Refused(_)) => Ok(None),
            Err(Failure::Storage(error)) => Err(error),
        }
    }

    fn tell_of_dispute(
        &self,
        tx: &Transaction<'_>,
        record: &DisputeRecord,
    ) -> rusqlite::Result<()> {
        let (account, key) = (&record.account, &record.key);
        self.tell(tx, account, Subject::Dispute, key, 0)?;
        if record.later.is_some() {
            let seconds = SETTLED_AFTER_SECONDS;
            self.tell(tx, account, Subject::DisputeLater, key, seconds)?;
        }
        Ok(())
    }

    /// Finds an account's dispute. It doesn't exist before money is captured. If the account
    /// receives no notices, the look-up brings the dispute to its later outcome.
    fn found(
        &self,
        tx: &Transaction<'_>,
        account: &str,
        reference: &str,
    ) -> Result<DisputeRecord, Failure> {
        let find = || DisputeRecord::find_for(tx, account, reference);
        let mut record = find()?.ok_or(ErrorCode::DisputeNotFound)?;
        if record.raised_at.is_none() {
            // Older ledgers don't contain the time.
            self.raise_dispute(tx, &record.authorization_key)?;
            record = find()?.ok_or(ErrorCode::DisputeNotFound)?;
        }
        if record.raised_at.is_none() {
            return Err(ErrorCode::DisputeNotFound.into());
        }
        let from = record.later.and_then(|later| later.from);
        if from.is_some_and(|from| self.is_past(from)) && record.go_on(self.now()) {
            record.save(tx)?;
        }
        Ok(record)
    }
}

/// Checks that the merchant can still answer.
fn check_open(record: &DisputeRecord) -> Result<(), Failure> {
    let is_over = record.stage == DisputeStage::DisputeReversal || record.status.is_final();
    if is_over {
        return Err(ErrorCode::DisputeOver.into());
    }
    Ok(())
}

fn answer(tx: &Transaction<'_>, record: DisputeRecord) -> Result<DisputeAnswer, Failure> {
    let authorization = AuthorizationRecord::find(tx, &record.authorization_key)?;
    let authorization = authorization.ok_or(ErrorCode::DisputeNotFound)?;
    let raised_at = record.raised_at.unwrap_or(record.created_at);
    let amount = Taken::read(tx, &authorization)?.captured;
    let by = raised_at.plus_seconds(DAYS_TO_ANSWER * 86_400);
    let returned = authorization.debit_scheme().map(|scheme| scheme.returned);
    let (code, reason) = returned.unwrap_or(("10.4", "fraudulent"));
    Ok(DisputeAnswer {
        reference: record.key,
        authorization: authorization.reference,
        stage: record.stage.as_str().to_owned(),
        status: record.status.as_str().to_owned(),
        amount,
        currency: authorization.currency,
        reason: Some(reason.to_owned()),
        reason_code: Some(code.to_owned()),
        challenge_required_by: by.filter(|_| returned.is_none()).map(|by| by.to_string()),
        opened_at: Some(raised_at.to_string()),
        updated_at: Some(record.updated_at.to_string()),
    })
}
