//! Disputes: a card that is known for it has its payments disputed once money was taken. The merchant can give in, or bring
//! evidence.

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

/// How long a merchant has to answer.
const DAYS_TO_ANSWER: i64 = 7;

/// How many disputes are listed at once.
const PAGE: i64 = 50;

impl Processor {
    /// Raises the dispute of this authorization where there is to be one, and money was taken.
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
        if Taken::of(tx, &authorization)?.captured == 0 {
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

    /// How a dispute stands.
    pub(super) fn dispute(&self, account: &str, reference: &str) -> Result<WireResponse, Failure> {
        self.ledger.write(|tx| {
            let record = self.found(tx, account, reference)?;
            Ok(WireResponse::json(200, &answer(tx, record)?))
        })
    }

    /// The merchant gives in. Whoever says so twice is answered the same.
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

    /// The merchant hands in evidence. What is handed in later counts too.
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

    /// The disputes that were raised in this time, by their names.
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

    /// What a notice tells of a dispute. The one about what it comes to by itself is what brings it there.
    pub(super) fn dispute_to_tell(
        &self,
        tx: &Transaction<'_>,
        subject: Subject,
        key: &str,
    ) -> rusqlite::Result<Option<DisputeAnswer>> {
        let Some(mut record) = DisputeRecord::find(tx, key)? else {
            return Ok(None);
        };
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

    /// The dispute of this name as this account sees it: nobody disputes what wasn't taken. Where nobody is told, asking is what
    /// brings it to what it comes to by itself.
    fn found(
        &self,
        tx: &Transaction<'_>,
        account: &str,
        reference: &str,
    ) -> Result<DisputeRecord, Failure> {
        let find = || DisputeRecord::find_for(tx, account, reference);
        let mut record = find()?.ok_or(ErrorCode::DisputeNotFound)?;
        if record.raised_at.is_none() {
            // In books of an earlier form nothing says when.
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

/// Whether a merchant can still say something.
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
    let amount = Taken::of(tx, &authorization)?.captured;
    let by = raised_at.plus_seconds(DAYS_TO_ANSWER * 86_400);
    Ok(DisputeAnswer {
        reference: record.key,
        authorization: authorization.reference,
        stage: record.stage.as_str().to_owned(),
        status: record.status.as_str().to_owned(),
        amount,
        currency: authorization.currency,
        reason: Some("fraudulent".to_owned()),
        reason_code: Some("10.4".to_owned()),
        challenge_required_by: by.map(|by| by.to_string()),
        opened_at: Some(raised_at.to_string()),
        updated_at: Some(record.updated_at.to_string()),
    })
}
