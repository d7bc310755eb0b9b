//! Notices about operations whose answer was not final. They go to accounts with a notice endpoint.
//! For these accounts pending operations complete by themselves.

use std::future::Future;
use std::net::IpAddr;

use multirail_kernel::random::alphanumeric;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::OperationKind;
use multirail_simulator_wire::{DisputeNoticeBody, NoticeBody};
use rusqlite::{Row, Transaction, params};
use serde_json::Value;
use url::{Host, Url};

use super::filed::{Filed, OfOperation};
use super::increment::IncrementRecord;
use super::record::{AuthorizationRecord, CaptureRecord, VoidRecord, account_of};
use super::refund_record::RefundRecord;
use super::{Failure, LedgerError, Processor, invalid, payer};

/// Seconds after which a pending operation completes, unless a look-up comes earlier. By the
/// processor's clock.
pub const SETTLED_AFTER_SECONDS: i64 = 5;

/// The pauses, in seconds, before a notice that wasn't accepted is sent again. After the last one
/// it is given up.
pub const NOTICE_PAUSES: [i64; 4] = [2, 10, 60, 600];

/// The number of notices per round.
const AT_ONCE: i64 = 16;

/// A notice that is due.
#[derive(Clone, Debug)]
pub struct DueNotice {
    pub id: String,
    pub account: String,
    /// The address of the receiver.
    pub address: String,
    /// The signing secret.
    pub secret: SecretText,
    /// JSON.
    pub body: String,
    /// The number of earlier tries.
    pub tries: i64,
}

/// A row of a waiting notice, with its receiver.
struct Waiting {
    id: String,
    account: String,
    subject: Subject,
    key: String,
    happened_at: Timestamp,
    tries: i64,
    address: String,
    secret: String,
}

/// The subject of a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    Operation(OperationKind),
    /// The current state of a dispute.
    Dispute,
    /// The later state of a dispute.
    DisputeLater,
    /// The return of a debit.
    Return,
    /// The expiry of an authorization.
    Lapse,
}

impl Subject {
    fn as_str(self) -> &'static str {
        match self {
            Subject::Operation(kind) => kind.as_str(),
            Subject::Dispute => "dispute",
            Subject::DisputeLater => "dispute_later",
            Subject::Return => "return",
            Subject::Lapse => "lapse",
        }
    }

    fn read(word: &str) -> Option<Self> {
        match word {
            "dispute" => Some(Subject::Dispute),
            "dispute_later" => Some(Subject::DisputeLater),
            "return" => Some(Subject::Return),
            "lapse" => Some(Subject::Lapse),
            other => other.parse().ok().map(Subject::Operation),
        }
    }
}

impl Waiting {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let word: String = row.get("operation")?;
        Ok(Waiting {
            id: row.get("id")?,
            account: row.get("account")?,
            subject: Subject::read(&word).ok_or(rusqlite::Error::InvalidColumnName(word))?,
            key: row.get("operation_key")?,
            happened_at: Timestamp::from_micros(row.get("happened_at")?),
            tries: row.get("tries")?,
            address: row.get("address")?,
            secret: row.get("secret")?,
        })
    }
}

impl Processor {
    /// Adds a receiver of notices to the key's account, with its signing secret. An account can
    /// have several receivers, since several merchants may use the same key. An address with the
    /// same path replaces the earlier one.
    ///
    /// # Errors
    /// The reason why the receiver can't be added.
    pub fn send_notices_of(
        &self,
        api_key: &str,
        address: &str,
        secret: &str,
    ) -> Result<(), String> {
        let secret = SecretText::new(secret);
        let entered = self.enter_notice_endpoint(&account_of(api_key), address, &secret);
        entered.map_err(|failure| match failure {
            Failure::Refused(error) => error.message,
            Failure::Storage(error) => error.to_string(),
        })
    }

    pub(super) fn enter_notice_endpoint(
        &self,
        account: &str,
        address: &str,
        secret: &SecretText,
    ) -> Result<(), Failure> {
        let receiver = path_on_this_machine(address).ok_or_else(|| invalid("address"))?;
        if secret.expose().is_empty() {
            return Err(invalid("secret"));
        }
        self.ledger.write(|tx| {
            // A receiver of an older ledger has no path.
            let sql = "delete from notice_endpoints where account = ?1 and receiver = ''";
            tx.execute(sql, [account])?;
            let sql = "update or ignore notices set receiver = ?2 where account = ?1 and receiver = ''";
            tx.execute(sql, [account, &receiver])?;
            let sql = "insert into notice_endpoints (account, receiver, address, secret) values (?1, ?2, ?3, ?4) \
                       on conflict (account, receiver) \
                       do update set address = excluded.address, secret = excluded.secret";
            tx.execute(sql, params![account, receiver, address, secret.expose()])?;
            Ok(())
        })
    }

    /// Schedules the notice of an operation's end, if the account receives notices. Each operation
    /// has one notice: the one of a payer's decision replaces the one of the timeout.
    pub(super) fn tell_later(
        &self,
        tx: &Transaction<'_>,
        record: &impl OfOperation,
        seconds: i64,
    ) -> rusqlite::Result<()> {
        let subject = Subject::Operation(kind_of(record));
        self.tell(tx, record.account(), subject, record.key(), seconds)
    }

    /// Schedules a notice of any subject. Each subject and key has one waiting notice at most.
    pub(super) fn tell(
        &self,
        tx: &Transaction<'_>,
        account: &str,
        subject: Subject,
        key: &str,
        seconds: i64,
    ) -> rusqlite::Result<()> {
        let now = self.now();
        let due_at = now.plus_seconds(seconds).unwrap_or(now);
        self.tell_at(tx, account, subject, key, due_at)
    }

    /// Schedules a notice for this time.
    pub(super) fn tell_at(
        &self,
        tx: &Transaction<'_>,
        account: &str,
        subject: Subject,
        key: &str,
        due_at: Timestamp,
    ) -> rusqlite::Result<()> {
        let due_at = due_at.as_micros();
        let sql = "insert into notices (id, account, receiver, operation, operation_key, happened_at, due_at, tries) \
                   select ?1 || '_' || rowid, account, receiver, ?3, ?4, ?5, ?5, 0 \
                   from notice_endpoints where account = ?2 \
                   on conflict (operation, operation_key, receiver) \
                   do update set happened_at = excluded.happened_at, due_at = excluded.due_at";
        let id = format!("sim_notice_{}", alphanumeric(&*self.random, 24));
        let filed =
            tx.prepare_cached(sql)?
                .execute(params![id, account, subject.as_str(), key, due_at])?;
        if filed > 0 {
            self.notices.notify_one();
        }
        Ok(())
    }

    /// Returns the due notices, oldest first. This completes the operations that they are about.
    pub fn due_notices(&self) -> Result<Vec<DueNotice>, LedgerError> {
        let now = self.now().as_micros();
        let waiting: Vec<Waiting> = self.ledger.write(|tx| {
            let sql = "select notices.*, address, secret from notices join notice_endpoints using (account, receiver) \
                       where due_at <= ?1 order by due_at, notices.rowid limit ?2";
            let mut statement = tx.prepare_cached(sql)?;
            let rows = statement.query_map(params![now, AT_ONCE], Waiting::read)?;
            rows.collect::<rusqlite::Result<_>>()
        })?;
        let mut due = Vec::new();
        for one in waiting {
            match self.content(&one)? {
                Content::Body(body) => due.push(DueNotice {
                    id: one.id,
                    account: one.account,
                    address: one.address,
                    secret: SecretText::new(one.secret),
                    body,
                    tries: one.tries,
                }),
                Content::NothingYet { again_at } => self.set_due(&one.id, Some(again_at), 0)?,
                Content::Nothing => self.end_notice(&one.id)?,
            }
        }
        Ok(due)
    }

    /// Returns the time of the next notice, if any is waiting. Held notices don't count.
    pub fn next_notice_at(&self) -> Result<Option<Timestamp>, LedgerError> {
        let first: Option<i64> = self.ledger.write(|tx| {
            let sql = "select min(due_at) from notices where due_at is not null";
            tx.prepare_cached(sql)?.query_row([], |row| row.get(0))
        })?;
        Ok(first.map(Timestamp::from_micros))
    }

    /// Checks whether the processor's clock has reached this time.
    pub(crate) fn is_past(&self, moment: Timestamp) -> bool {
        moment <= self.now()
    }

    /// Waits until a notice is filed or rescheduled.
    pub(crate) fn notice_filed(&self) -> impl Future<Output = ()> + '_ {
        self.notices.notified()
    }

    /// Deletes a notice that was accepted or given up.
    pub fn end_notice(&self, id: &str) -> Result<(), LedgerError> {
        self.ledger.write(|tx| {
            tx.execute("delete from notices where id = ?1", [id])?;
            Ok(())
        })
    }

    /// Schedules the next try of a notice that wasn't accepted. Returns the seconds until then, or
    /// `None` after the last try.
    pub(crate) fn repeat_notice(&self, due: &DueNotice) -> Result<Option<i64>, LedgerError> {
        let pause = usize::try_from(due.tries)
            .ok()
            .and_then(|tries| NOTICE_PAUSES.get(tries));
        let Some(pause) = pause else {
            self.end_notice(&due.id)?;
            return Ok(None);
        };
        let now = self.now();
        self.set_due(&due.id, Some(now.plus_seconds(*pause).unwrap_or(now)), 1)?;
        Ok(Some(*pause))
    }

    /// Reschedules a notice that wasn't sent.
    pub(crate) fn put_off_notice(&self, id: &str) -> Result<(), LedgerError> {
        let now = self.now();
        let [pause, ..] = NOTICE_PAUSES;
        self.set_due(id, Some(now.plus_seconds(pause).unwrap_or(now)), 0)
    }

    /// Holds a notice on the way.
    pub(crate) fn hold_notice(&self, id: &str) -> Result<(), LedgerError> {
        self.set_due(id, None, 1)
    }

    fn set_due(&self, id: &str, at: Option<Timestamp>, tries: i64) -> Result<(), LedgerError> {
        self.ledger.write(|tx| {
            let sql = "update notices set due_at = ?2, tries = tries + ?3 where id = ?1";
            tx.execute(sql, params![id, at.map(Timestamp::as_micros), tries])?;
            Ok(())
        })
    }

    /// Releases the held notices and returns their number.
    pub fn deliver_held_notices(&self) -> Result<usize, LedgerError> {
        self.now_due("due_at is null")
    }

    /// Makes the first tries of all waiting notices due now, except those of expiries and returns.
    /// Completes the pending operations and returns the number of notices.
    pub fn settle_now(&self) -> Result<usize, LedgerError> {
        self.now_due("due_at is not null and tries = 0 and operation not in ('lapse', 'return')")
    }

    fn now_due(&self, which: &str) -> Result<usize, LedgerError> {
        let now = self.now().as_micros();
        let changed = self.ledger.write(|tx| {
            let sql = format!(
                "update notices set due_at = ?1, happened_at = min(happened_at, ?1) where {which}"
            );
            tx.execute(&sql, [now])
        })?;
        self.notices.notify_one();
        Ok(changed)
    }

    /// Returns the content of a notice: the answer of a look-up, which also completes a pending
    /// operation.
    fn content(&self, waiting: &Waiting) -> Result<Content, LedgerError> {
        let key = &waiting.key;
        let kind = match waiting.subject {
            Subject::Operation(kind) => kind,
            subject @ (Subject::Dispute | Subject::DisputeLater | Subject::Return) => {
                return self.dispute_content(waiting, subject);
            }
            Subject::Lapse => OperationKind::Authorize,
        };
        let answer = match self.look_up(&waiting.account, kind, key) {
            Ok(answer) => answer,
            Err(Failure::Refused(_)) => return Ok(Content::Nothing),
            Err(Failure::Storage(error)) => return Err(error.into()),
        };
        let (payer_until, authorization) = self.ledger.write(|tx| {
            let of = authorization_of(tx, kind, key)?;
            Ok::<_, rusqlite::Error>(match of {
                Some(record) => {
                    let until = payer::decides_until(&record);
                    let until = until.map(|_| payer::next_news_at(&record));
                    // A part of a transfer is news, too.
                    let is_part =
                        |end: &Timestamp| record.received > 0 && waiting.happened_at < *end;
                    (until.filter(|end| !is_part(end)), Some(record.reference))
                }
                None => (None, None),
            })
        })?;
        if let (OperationKind::Authorize, Some(again_at)) = (kind, payer_until) {
            return Ok(Content::NothingYet { again_at });
        }
        let answer: Value = serde_json::from_str(&answer.body).expect("our own answers are JSON");
        // It was captured or voided in time.
        if waiting.subject == Subject::Lapse && answer["status"] != "lapsed" {
            return Ok(Content::Nothing);
        }
        let body = NoticeBody {
            id: waiting.id.clone(),
            operation: kind.as_str().to_owned(),
            word: answer["status"].as_str().unwrap_or_default().to_owned(),
            key: key.clone(),
            happened_at: waiting.happened_at.to_string(),
            authorization,
            answer,
        };
        let body = serde_json::to_string(&body).expect("our own bodies are plain JSON");
        Ok(Content::Body(body))
    }
}

impl Processor {
    fn dispute_content(&self, waiting: &Waiting, subject: Subject) -> Result<Content, LedgerError> {
        let dispute: Option<_> = self
            .ledger
            .write(|tx| self.dispute_to_tell(tx, subject, &waiting.key))?;
        let Some(dispute) = dispute else {
            return Ok(Content::Nothing);
        };
        let body = DisputeNoticeBody {
            id: waiting.id.clone(),
            happened_at: waiting.happened_at.to_string(),
            dispute,
        };
        let body = serde_json::to_string(&body).expect("our own bodies are plain JSON");
        Ok(Content::Body(body))
    }
}

/// The content of a notice.
enum Content {
    Body(String),
    /// The payer hasn't decided yet.
    NothingYet {
        again_at: Timestamp,
    },
    /// The ledger doesn't contain the operation.
    Nothing,
}

/// Deletes the waiting notices of an operation.
pub(super) fn forget(tx: &Transaction<'_>, record: &impl OfOperation) -> rusqlite::Result<()> {
    let sql = "delete from notices where operation = ?1 and operation_key = ?2";
    tx.prepare_cached(sql)?
        .execute(params![kind_of(record).as_str(), record.key()])?;
    Ok(())
}

/// Deletes the waiting notice of an expiry that won't happen.
pub(super) fn forget_lapse(tx: &Transaction<'_>, authorization_key: &str) -> rusqlite::Result<()> {
    let sql = "delete from notices where operation = ?1 and operation_key = ?2";
    tx.prepare_cached(sql)?
        .execute(params![Subject::Lapse.as_str(), authorization_key])?;
    Ok(())
}

fn kind_of<T: OfOperation>(_: &T) -> OperationKind {
    T::KIND
}

/// Returns the authorization of an operation.
fn authorization_of(
    tx: &Transaction<'_>,
    kind: OperationKind,
    key: &str,
) -> rusqlite::Result<Option<AuthorizationRecord>> {
    let of = match kind {
        OperationKind::Authorize => Some(key.to_owned()),
        OperationKind::Increment => {
            IncrementRecord::find(tx, key)?.map(|one| one.authorization_key)
        }
        OperationKind::Capture => CaptureRecord::find(tx, key)?.map(|one| one.authorization_key),
        OperationKind::Void => VoidRecord::find(tx, key)?.map(|one| one.authorization_key),
        OperationKind::Refund => RefundRecord::find(tx, key)?.map(|one| one.authorization_key),
    };
    match of {
        Some(key) => AuthorizationRecord::find(tx, &key),
        None => Ok(None),
    }
}

/// Returns the path of an `http` address of this machine.
fn path_on_this_machine(address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    let is_here = match url.host()? {
        Host::Ipv4(ip) => IpAddr::from(ip).is_loopback(),
        Host::Ipv6(ip) => IpAddr::from(ip).is_loopback(),
        Host::Domain(name) => name == "localhost",
    };
    (url.scheme() == "http" && is_here).then(|| url.path().to_owned())
}
