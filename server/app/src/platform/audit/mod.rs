//! The audit log: every request that changes something writes an entry in the commit of its first change. The entries
//! are chained afterwards. See `../README.md`, "The audit log".

mod changed;
mod notes;

use std::sync::Arc;

use multirail_kernel::audit::{
    AuditEntry, BEGINNING, Chained, Fault, FaultKind, Head, Named, Stamp, Stamped, Stamper, Walk,
};
use multirail_kernel::ids::MerchantId;
use multirail_kernel::refusal::Refusal;

use crate::platform::base::Base;
use crate::platform::idempotency::ForKey;
use crate::platform::paging::page_size;
use crate::platform::ports::audit::{AuditNote, AuditRecord, AuditSearch};
use crate::platform::ports::{Actor, AuditStore, Change, Database, Seal, StoreFailure};
use crate::{AppError, Origin};

pub use notes::Notes;

/// The number of entries that one commit chains.
const CHAINED_AT_ONCE: i64 = 100;

/// The longest page of a list.
const LISTED_AT_MOST: i64 = 100;

/// The longest portion of an export or a check.
const PORTION_AT_MOST: i64 = 1_000;

/// The result of checking a portion of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The number of entries, by the head of the chain.
    pub entries: i64,
    /// The number of the last sound entry; all before it in this portion are sound too.
    pub until: i64,
    /// The link of that entry. With both, a reader can later find out whether the log was rewritten.
    pub link: Stamp,
    pub fault: Option<Fault>,
    /// True if the check reached the end of the log.
    pub is_finished: bool,
}

pub(crate) struct Sealed<'a>(&'a dyn Seal);

impl Stamper for Sealed<'_> {
    fn stamp(&self, parts: &[&[u8]]) -> Stamp {
        self.0.audit_stamp(parts)
    }
}

impl Base {
    /// Returns the entry for a commit on behalf of this origin. Returns `None` where the request isn't recorded, or an
    /// earlier commit of it wrote the entry.
    pub(crate) fn audit_record(
        &self,
        origin: &Origin,
        merchant_id: Option<&MerchantId>,
        changes: &[Change],
    ) -> Option<AuditRecord> {
        let note = self.audit_notes.find(origin.request_id.as_deref()?)?;
        if note.is_stored() {
            return None;
        }
        let actor = note.actor.as_ref().unwrap_or(&origin.actor);
        let (principal, principal_id) = principal(actor);
        let mut target = note.target.clone();
        if let Actor::Platform { merchant_id, .. } = actor {
            target.push(Named::new("platform", merchant_id));
        }
        let merchant_id = merchant_id.map(ToString::to_string);
        let entry = AuditEntry {
            request_id: note.request_id.clone(),
            recorded_at: note.recorded_at,
            operation: note.operation.to_owned(),
            principal: principal.to_owned(),
            principal_id: principal_id.map(str::to_owned),
            merchant_id: merchant_id.or_else(|| note.merchant_id.clone()),
            target,
            objects: changed::objects(changes),
            ip: note.ip.to_string(),
            stray: None,
        };
        let stamp = entry.stamp(&self.stamper());
        let stamped = Stamped { entry, stamp };
        Some(AuditRecord { note, stamped })
    }

    pub(crate) fn stamper(&self) -> Sealed<'_> {
        Sealed(self.seal.as_ref())
    }
}

/// The use cases of the audit log.
pub struct Audit {
    pub base: Arc<Base>,
    pub store: Arc<dyn AuditStore>,
    pub database: Arc<dyn Database>,
}

impl Audit {
    /// Writes the entry of a request in a commit of its own, unless one of its commits wrote it. This is for changes
    /// without a change-set, and for requests that changed nothing. A stranger who changed nothing gets no entry, so
    /// that no stranger fills the disk.
    ///
    /// # Errors
    /// Only where the store fails; then nothing may be changed.
    pub async fn record(&self, note: &AuditNote) -> Result<(), AppError> {
        let Some(actor) = note.actor.as_ref().filter(|_| !note.is_stored()) else {
            return Ok(());
        };
        let origin = Origin::of_request(actor.clone(), note.request_id.clone(), None);
        let change_set = self
            .base
            .change_set(&origin, None, ForKey::Nothing, Vec::new());
        let committed = self.base.commit(change_set).await;
        committed.map_err(AppError::of_commit)
    }

    /// Chains the entries that commits wrote; returns their number. Where several servers try at once, one succeeds.
    ///
    /// # Errors
    /// The store fails, or somebody has written into the log directly. After that nothing is chained, so that the
    /// damage stays visible.
    pub async fn chain(&self) -> Result<usize, StoreFailure> {
        let mut chained = 0;
        loop {
            // The head is read before the entries: where another server was faster, it is an old one.
            let stamper = self.base.stamper();
            let head = self.stored_head(&stamper).await?;
            if !head.is_whole(&stamper) {
                let why = "the head of the audit log is not what was written";
                return Err(StoreFailure::Broken(why.to_owned()));
            }
            let found = self.store.unchained_entries(CHAINED_AT_ONCE).await?;
            let count = found.len();
            if count == 0 {
                return Ok(chained);
            }
            let (entries, next) = head.append(found, &stamper);
            if self
                .store
                .chain_entries(head.entries, &entries, &next)
                .await?
            {
                chained += count;
            }
        }
    }

    /// Returns a page of entries, last one first.
    ///
    /// # Errors
    /// [`Refusal::InvalidValue`] for a limit outside of 0 to 100.
    pub async fn list(
        &self,
        mut search: AuditSearch,
        limit: Option<i64>,
    ) -> Result<Vec<Chained>, AppError> {
        search.limit = portion(limit, LISTED_AT_MOST)?;
        self.chain_what_is_left().await?;
        Ok(self.store.audit_entries(&search).await?)
    }

    /// Returns the entries behind one, in the order of the chain.
    ///
    /// # Errors
    /// [`Refusal::InvalidValue`] for a limit outside of 0 to 1,000.
    pub async fn export(&self, after: i64, limit: Option<i64>) -> Result<Vec<Chained>, AppError> {
        let limit = portion(limit, PORTION_AT_MOST)?;
        self.chain_what_is_left().await?;
        Ok(self.store.audit_portion(after + 1, limit).await?)
    }

    /// Checks whether the entries behind one are unchanged, and whether the last ones match the head.
    ///
    /// # Errors
    /// [`Refusal::InvalidValue`] for a limit outside of 0 to 1,000.
    pub async fn verify(&self, after: i64, limit: Option<i64>) -> Result<Verified, AppError> {
        let limit = portion(limit, PORTION_AT_MOST)?;
        self.chain_what_is_left().await?;
        Ok(AuditLog::new(self.store.as_ref(), self.base.seal.as_ref())
            .verify(after, limit)
            .await?)
    }

    /// Returns the damage of the database's file; empty where the file is sound.
    ///
    /// # Errors
    /// Only where the store fails.
    pub async fn database_faults(&self) -> Result<Vec<String>, AppError> {
        Ok(self.database.file_faults().await?)
    }

    /// Chains the remaining entries, so that the next read finds everything that was committed before. The server logs
    /// why it can't, and a check shows it.
    async fn chain_what_is_left(&self) -> Result<(), StoreFailure> {
        match self.chain().await {
            Ok(_) => Ok(()),
            Err(StoreFailure::Broken(why)) => {
                tracing::error!(why, "entries of the audit log can't be chained");
                Ok(())
            }
            Err(failure) => Err(failure),
        }
    }

    async fn stored_head(&self, stamper: &Sealed<'_>) -> Result<Head, StoreFailure> {
        stored_head(self.store.as_ref(), stamper).await
    }
}

/// The audit log of a database, with or without a server.
pub struct AuditLog<'a, S: AuditStore + ?Sized> {
    store: &'a S,
    stamper: Sealed<'a>,
}

impl<'a, S: AuditStore + ?Sized> AuditLog<'a, S> {
    pub fn new(store: &'a S, seal: &'a dyn Seal) -> Self {
        AuditLog {
            store,
            stamper: Sealed(seal),
        }
    }

    /// Checks a portion of the chain behind an entry.
    ///
    /// # Errors
    /// Only where the store fails.
    pub async fn verify(&self, after: i64, limit: i64) -> Result<Verified, StoreFailure> {
        let stamper = &self.stamper;
        // The entries have to include those that were counted before. The count afterwards has to include the entries.
        let head = stored_head(self.store, stamper).await?;
        let mut found = match after {
            0 => self.store.audit_portion(1, limit).await?,
            _ => self.store.audit_portion(after, limit + 1).await?,
        };
        let counted = stored_head(self.store, stamper).await?.entries;
        let surplus = found.iter().any(|one| one.sequence > counted);
        found.retain(|one| one.sequence <= head.entries);
        let mut verified = Verified {
            entries: head.entries,
            until: after,
            link: BEGINNING,
            fault: None,
            is_finished: true,
        };
        let fault = |sequence, kind| Some(Fault { sequence, kind });
        let begin = match (after, found.first()) {
            (0, _) => Walk::begin(),
            (_, Some(first)) if first.sequence == after => Walk::behind(&found.remove(0)),
            _ => {
                verified.fault = fault(after, FaultKind::Missing);
                return Ok(verified);
            }
        };
        let (walk, met) = begin.over(&found, stamper);
        let is_last = found.len() < usize::try_from(limit).unwrap_or(0);
        verified.until = walk.sequence;
        verified.link = walk.link;
        verified.fault = met;
        if met.is_none() && (is_last || walk.sequence == head.entries) {
            verified.fault = walk.end(&head, stamper).err();
        }
        if verified.fault.is_none() && surplus {
            verified.fault = fault(counted + 1, FaultKind::NotCounted);
        }
        verified.is_finished = verified.fault.is_some() || walk.sequence == head.entries;
        Ok(verified)
    }

    /// Checks the whole chain. Returns the result at its end or at the first fault.
    ///
    /// # Errors
    /// Only where the store fails.
    pub async fn verify_all(&self) -> Result<Verified, StoreFailure> {
        let mut after = 0;
        loop {
            let verified = self.verify(after, PORTION_AT_MOST).await?;
            if verified.is_finished || verified.until <= after {
                return Ok(verified);
            }
            after = verified.until;
        }
    }

    /// Returns the requests whose entries were altered before they were chained.
    ///
    /// # Errors
    /// Only where the store fails.
    pub async fn altered_before_chained(&self) -> Result<Vec<String>, StoreFailure> {
        let waiting = self.store.unchained_entries(PORTION_AT_MOST).await?;
        let altered = waiting
            .into_iter()
            .filter(|one| one.entry.stamp(&self.stamper) != one.stamp);
        Ok(altered.map(|one| one.entry.request_id).collect())
    }
}

async fn stored_head<S: AuditStore + ?Sized>(
    store: &S,
    stamper: &Sealed<'_>,
) -> Result<Head, StoreFailure> {
    let stored = store.audit_head().await?;
    Ok(stored.unwrap_or_else(|| Head::empty(stamper)))
}

/// Returns the word for a kind of caller, and the caller's id.
fn principal(actor: &Actor) -> (&'static str, Option<&str>) {
    match actor {
        Actor::Admin => ("admin", None),
        Actor::ApiKey(key_id) => ("api_key", Some(key_id)),
        Actor::Platform { key_id, .. } => ("platform", Some(key_id)),
        Actor::User(user_id) => ("user", Some(user_id)),
        Actor::Client | Actor::Payer => ("client", None),
        Actor::Worker(name) => ("service", Some(name)),
        Actor::Startup => ("service", None),
    }
}

fn portion(limit: Option<i64>, at_most: i64) -> Result<i64, Refusal> {
    page_size(limit.or(Some(LISTED_AT_MOST)), at_most)
}

/// A request whose changes are recorded, until the value is dropped.
pub struct Recording {
    base: Arc<Base>,
    pub note: Arc<AuditNote>,
}

impl Recording {
    /// Begins: the first commit on behalf of this request writes its entry.
    pub fn begin(base: &Arc<Base>, note: AuditNote) -> Self {
        let note = Arc::new(note);
        base.audit_notes.begin(Arc::clone(&note));
        Recording {
            base: Arc::clone(base),
            note,
        }
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        self.base.audit_notes.end(&self.note.request_id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_name_who_asked_as_ever() {
        let id = || "id".to_owned();
        let actors = [
            Actor::Admin,
            Actor::ApiKey(id()),
            Actor::Platform {
                merchant_id: "shop".to_owned(),
                key_id: id(),
            },
            Actor::User(id()),
            Actor::Client,
            Actor::Payer,
            Actor::Worker("reaper"),
            Actor::Startup,
        ];
        let words = actors.iter().map(|actor| {
            let (word, id) = principal(actor);
            format!("{word} {}", id.unwrap_or("-"))
        });
        insta::assert_snapshot!(words.collect::<Vec<_>>().join("\n"), @"
        admin -
        api_key id
        platform id
        user id
        client -
        client -
        service reaper
        service -
        ");
    }
}
