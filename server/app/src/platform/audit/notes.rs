//! The requests under way whose changes are recorded, by their ids. Every change-set names its request, so a use case
//! can't forget to record.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::platform::ports::audit::AuditNote;

/// The notes of all of them.
#[derive(Default)]
pub struct Notes {
    by_request: Mutex<HashMap<String, Arc<AuditNote>>>,
    /// The number of notes. Payments are not recorded, and read only this number while no other request is under way.
    count: AtomicUsize,
}

impl Notes {
    pub(crate) fn begin(&self, note: Arc<AuditNote>) {
        let mut notes = self.notes();
        notes.insert(note.request_id.clone(), note);
        self.count.store(notes.len(), Ordering::Release);
    }

    pub(crate) fn end(&self, request_id: &str) {
        let mut notes = self.notes();
        notes.remove(request_id);
        self.count.store(notes.len(), Ordering::Release);
    }

    pub(crate) fn find(&self, request_id: &str) -> Option<Arc<AuditNote>> {
        if self.count.load(Ordering::Acquire) == 0 {
            return None;
        }
        self.notes().get(request_id).map(Arc::clone)
    }

    fn notes(&self) -> MutexGuard<'_, HashMap<String, Arc<AuditNote>>> {
        self.by_request
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
