//! Statements on waiting mail. The address is stored only as a keyed hash. Its user is looked up when the mail is
//! written, so that a request is the same for an unknown address.

use async_trait::async_trait;
use multirail_app::platform::ports::StoreFailure;
use multirail_identity_domain::{MAIL_PAUSE_SECONDS, PasswordMailKind};
use multirail_kernel::email::Email;
use multirail_kernel::timestamp::Timestamp;
use multirail_sql::{Read, Row, Write, values};
use multirail_store::SqlStore;
use multirail_store::platform::record;
use multirail_store::platform::record::failure;
use multirail_store::platform::rows::one;

use super::users::{SqlUsers, email_hash};
use crate::ports::{AfterMail, ClaimedMail, MailStore, PasswordMailRequest};

/// Mail that was done before `$4` may be replaced by a new request.
const ASK: &str = "insert into password_mails (email_hash, kind, due_at, lease_until, fence, tries) \
     values ($1, $2, $3, 0, 0, 0) on conflict (email_hash, kind) do update set due_at = excluded.due_at, \
     lease_until = 0, tries = 0, done_at = null where password_mails.done_at <= $4";

/// Mail that is being sent may lack the new offer. Its row gets another fence, so that it is sent again after the pause `$4`.
const ASK_FOR_INVITATION: &str = "insert into password_mails (email_hash, kind, due_at, lease_until, fence, tries) \
     values ($1, $2, $3, 0, 0, 0) on conflict (email_hash, kind) do update set due_at = case \
     when password_mails.done_at is null and password_mails.lease_until = 0 then password_mails.due_at \
     when password_mails.done_at is null then excluded.due_at + $4 \
     when password_mails.done_at + $4 > excluded.due_at then password_mails.done_at + $4 else excluded.due_at end, \
     lease_until = 0, fence = password_mails.fence + 1, tries = 0, done_at = null";

const DUE: &str = "select email_hash, kind, tries, fence from password_mails where done_at is null and due_at <= $1 \
     and lease_until <= $2 order by due_at limit 1";

const CLAIM: &str = "update password_mails set lease_until = $4, fence = fence + 1 \
     where email_hash = $1 and kind = $2 and fence = $3 and done_at is null";

const DONE: &str = "update password_mails set done_at = $4, lease_until = 0 \
     where email_hash = $1 and kind = $2 and fence = $3";

const AGAIN: &str = "update password_mails set due_at = $4, lease_until = 0, tries = tries + 1 \
     where email_hash = $1 and kind = $2 and fence = $3";

const PURGE: &str = "delete from password_mails where (email_hash, kind) in \
     (select email_hash, kind from password_mails where done_at <= $1 limit $2)";

const TAKE_OVER: &str = "update password_mails set lease_until = 0 where lease_until > 0";

#[async_trait]
impl MailStore for SqlUsers {
    fn mail_hash(&self, email: &Email) -> String {
        email_hash(self.sql.keys().seal(), email)
    }

    async fn ask_for_mail(&self, request: &PasswordMailRequest) -> Result<(), StoreFailure> {
        write(&self.sql, ask(request)).await
    }

    async fn claim_mail(
        &self,
        now: Timestamp,
        wall: Timestamp,
        lease_until: Timestamp,
    ) -> Result<Option<ClaimedMail>, StoreFailure> {
        let due = Read::new(DUE, values![now.as_micros(), wall.as_micros()]);
        let Some(mut due) = one(self.sql.engine(), due, claimed).await? else {
            return Ok(None);
        };
        let parameters = values![
            due.email_hash.as_str(),
            due.kind.as_str(),
            due.fence,
            lease_until.as_micros()
        ];
        let claim = Write::new(CLAIM, parameters).any_rows();
        let rows = record::write_any(self.sql.engine(), vec![claim]).await?;
        due.fence += 1;
        Ok((rows.first() == Some(&1)).then_some(due))
    }

    async fn note_mail(&self, claimed: &ClaimedMail, after: AfterMail) -> Result<(), StoreFailure> {
        let (sql, at) = match after {
            AfterMail::Done(at) => (DONE, at),
            AfterMail::Again(at) => (AGAIN, at),
        };
        let parameters = values![
            claimed.email_hash.as_str(),
            claimed.kind.as_str(),
            claimed.fence,
            at.as_micros()
        ];
        write(&self.sql, Write::new(sql, parameters)).await
    }
}

pub(super) fn ask(request: &PasswordMailRequest) -> Write {
    let now = request.requested_at;
    let (sql, last) = match request.kind {
        PasswordMailKind::Reset => {
            let lately = now.plus_seconds(-MAIL_PAUSE_SECONDS).unwrap_or(now);
            (ASK, lately.as_micros())
        }
        PasswordMailKind::Invitation => (ASK_FOR_INVITATION, MAIL_PAUSE_SECONDS * 1_000_000),
    };
    let parameters = values![
        request.email_hash.as_str(),
        request.kind.as_str(),
        now.as_micros(),
        last
    ];
    Write::new(sql, parameters).any_rows()
}

/// Deletes rows of mail that was done before the current pause.
pub(super) async fn purge(
    store: &SqlStore,
    now: Timestamp,
    at_most: i64,
) -> Result<u64, StoreFailure> {
    let lately = now.plus_seconds(-MAIL_PAUSE_SECONDS).unwrap_or(now);
    record::purge(store.engine(), PURGE, lately, at_most).await
}

/// Releases all claims at a start.
pub(super) fn take_over() -> Write {
    Write::new(TAKE_OVER, Vec::new()).any_rows()
}

async fn write(store: &SqlStore, write: Write) -> Result<(), StoreFailure> {
    record::write_any(store.engine(), vec![write.any_rows()]).await?;
    Ok(())
}

fn claimed(row: &Row) -> Result<ClaimedMail, StoreFailure> {
    let kind: Result<PasswordMailKind, _> = row.str("kind").map_err(failure)?.parse();
    Ok(ClaimedMail {
        email_hash: row.text("email_hash").map_err(failure)?,
        kind: kind.map_err(|unknown| {
            StoreFailure::Broken(format!("password_mails.kind can't be read: {unknown}"))
        })?,
        tries: row.int("tries").map_err(failure)?,
        fence: row.int("fence").map_err(failure)?,
    })
}
