//! What the processor tells unasked: the end of operations whose answer left it open. An account that has entered an
//! address for its notices is told; what is pending comes to its end by itself then.

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

/// After how long a pending operation is decided, unless somebody asks about it earlier. By the processor's clock.
pub const SETTLED_AFTER_SECONDS: i64 = 5;

/// The pauses before a notice that wasn't accepted is sent again. After the last of them it is given up.
pub const NOTICE_PAUSES: [i64; 4] = [2, 10, 60, 600];

/// How many are sent in one round.
const AT_ONCE: i64 = 16;

/// A notice that is to be sent now.
#[derive(Clone, Debug)]
pub struct DueNotice {
    pub id: String,
    pub account: String,
    /// Where it goes.
    pub address: String,
    /// With what it is signed.
    pub secret: SecretText,
    /// JSON.
    pub body: String,
    /// How often it was sent before.
    pub tries: i64,
}

/// A row of the notices that are still to be sent, with where its account wants them.
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

/// What a notice is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    Operation(OperationKind),
    /// How a dispute stands.
    Dispute,
    /// What a dispute comes to by itself.
    DisputeLater,
    /// That what an authorization reserves is over.
    Lapse,
}

impl Subject {
    fn as_str(self) -> &'static str {
        match self {
            Subject::Operation(kind) => kind.as_str(),
            Subject::Dispute => "dispute",
            Subject::DisputeLater => "dispute_later",
            Subject::Lapse => "lapse",
        }
    }

    fn read(word: &str) -> Option<Self> {
        match word {
            "dispute" => Some(Subject::Dispute),
            "dispute_later" => Some(Subject::DisputeLater),
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
    /// Enters where the notices of the account go that this key opens, and what they are signed with. An account can have
    /// several receivers, as many merchants may use the same key; an address with the same path replaces the earlier one.
    ///
    /// # Errors
    /// Why that can't be entered.
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
            // The receiver of an earlier form of the ledger has no path.
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

    /// Files that the operation's account is to be told of its end in so many seconds, where it wants to be told. Of each
    /// operation one notice is sent; that of a payer's decision takes the place of the one about his silence.
    pub(super) fn tell_later(
        &self,
        tx: &Transaction<'_>,
        record: &impl OfOperation,
        seconds: i64,
    ) -> rusqlite::Result<()> {
        let subject = Subject::Operation(kind_of(record));
        self.tell(tx, record.account(), subject, record.key(), seconds)
    }

    /// The same of anything: of one subject and key one notice is waiting at most.
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

    /// The same at that moment.
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

    /// The notices that are to be sent now, oldest first. What they tell of is decided by that.
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
            match self.told(&one)? {
                Told::Of(body) => due.push(DueNotice {
                    id: one.id,
                    account: one.account,
                    address: one.address,
                    secret: SecretText::new(one.secret),
                    body,
                    tries: one.tries,
                }),
                Told::NothingYet { again_at } => self.set_due(&one.id, Some(again_at), 0)?,
                Told::Nothing => self.end_notice(&one.id)?,
            }
        }
        Ok(due)
    }

    /// When the next notice is due, if one is waited for. One that a script holds is not.
    pub fn next_notice_at(&self) -> Result<Option<Timestamp>, LedgerError> {
        let first: Option<i64> = self.ledger.write(|tx| {
            let sql = "select min(due_at) from notices where due_at is not null";
            tx.prepare_cached(sql)?.query_row([], |row| row.get(0))
        })?;
        Ok(first.map(Timestamp::from_micros))
    }

    /// Whether the processor's clock has reached that moment.
    pub(crate) fn is_past(&self, moment: Timestamp) -> bool {
        moment <= self.now()
    }

    /// Waits until a notice was filed, or a script has changed when one is due.
    pub(crate) fn notice_filed(&self) -> impl Future<Output = ()> + '_ {
        self.notices.notified()
    }

    /// It was accepted, or is given up.
    pub fn end_notice(&self, id: &str) -> Result<(), LedgerError> {
        self.ledger.write(|tx| {
            tx.execute("delete from notices where id = ?1", [id])?;
            Ok(())
        })
    }

    /// It was sent and not accepted. Answers in how many seconds it is sent again, unless that was the last time.
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

    /// It wasn't sent, and is a little later.
    pub(crate) fn put_off_notice(&self, id: &str) -> Result<(), LedgerError> {
        let now = self.now();
        let [pause, ..] = NOTICE_PAUSES;
        self.set_due(id, Some(now.plus_seconds(pause).unwrap_or(now)), 0)
    }

    /// Holds it on its way.
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

    /// Lets the notices arrive that a script has held on their way; says how many there were.
    pub fn deliver_held_notices(&self) -> Result<usize, LedgerError> {
        self.now_due("due_at is null")
    }

    /// Decides now what is pending and would be told of later; says how much that is.
    pub fn settle_now(&self) -> Result<usize, LedgerError> {
        self.now_due("due_at is not null and tries = 0 and operation <> 'lapse'")
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

    /// What a notice tells: the answer that a look-up would get now, which decides what is pending.
    fn told(&self, waiting: &Waiting) -> Result<Told, LedgerError> {
        let key = &waiting.key;
        let kind = match waiting.subject {
            Subject::Operation(kind) => kind,
            subject @ (Subject::Dispute | Subject::DisputeLater) => {
                return self.told_of_dispute(waiting, subject);
            }
            Subject::Lapse => OperationKind::Authorize,
        };
        let answer = match self.look_up(&waiting.account, kind, key) {
            Ok(answer) => answer,
            Err(Failure::Refused(_)) => return Ok(Told::Nothing),
            Err(Failure::Storage(error)) => return Err(error.into()),
        };
        let (payer_until, authorization) = self.ledger.write(|tx| {
            let of = authorization_of(tx, kind, key)?;
            Ok::<_, rusqlite::Error>(match of {
                Some(record) => (payer::decides_until(&record), Some(record.reference)),
                None => (None, None),
            })
        })?;
        if let (OperationKind::Authorize, Some(again_at)) = (kind, payer_until) {
            return Ok(Told::NothingYet { again_at });
        }
        let answer: Value = serde_json::from_str(&answer.body).expect("our own answers are JSON");
        // Somebody has captured or voided it in time.
        if waiting.subject == Subject::Lapse && answer["status"] != "lapsed" {
            return Ok(Told::Nothing);
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
        Ok(Told::Of(body))
    }
}

impl Processor {
    fn told_of_dispute(&self, waiting: &Waiting, subject: Subject) -> Result<Told, LedgerError> {
        let dispute: Option<_> = self
            .ledger
            .write(|tx| self.dispute_to_tell(tx, subject, &waiting.key))?;
        let Some(dispute) = dispute else {
            return Ok(Told::Nothing);
        };
        let body = DisputeNoticeBody {
            id: waiting.id.clone(),
            happened_at: waiting.happened_at.to_string(),
            dispute,
        };
        let body = serde_json::to_string(&body).expect("our own bodies are plain JSON");
        Ok(Told::Of(body))
    }
}

/// What there is to tell.
enum Told {
    Of(String),
    /// The payer still decides.
    NothingYet {
        again_at: Timestamp,
    },
    /// The operation isn't in the books.
    Nothing,
}

/// Nobody is told of it any more.
pub(super) fn forget(tx: &Transaction<'_>, record: &impl OfOperation) -> rusqlite::Result<()> {
    let sql = "delete from notices where operation = ?1 and operation_key = ?2";
    tx.prepare_cached(sql)?
        .execute(params![kind_of(record).as_str(), record.key()])?;
    Ok(())
}

/// The same of the end of what an authorization reserved, which will not come.
pub(super) fn forget_lapse(tx: &Transaction<'_>, authorization_key: &str) -> rusqlite::Result<()> {
    let sql = "delete from notices where operation = ?1 and operation_key = ?2";
    tx.prepare_cached(sql)?
        .execute(params![Subject::Lapse.as_str(), authorization_key])?;
    Ok(())
}

fn kind_of<T: OfOperation>(_: &T) -> OperationKind {
    T::KIND
}

/// The authorization that an operation is, or belongs to.
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

/// The path of a plain `http` address of this machine.
fn path_on_this_machine(address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    let is_here = match url.host()? {
        Host::Ipv4(ip) => IpAddr::from(ip).is_loopback(),
        Host::Ipv6(ip) => IpAddr::from(ip).is_loopback(),
        Host::Domain(name) => name == "localhost",
    };
    (url.scheme() == "http" && is_here).then(|| url.path().to_owned())
}
