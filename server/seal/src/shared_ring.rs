//! The ring of a running server, which can be replaced by one with new keys.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use super::key_ring::KeyRing;

/// One ring for all users. Clones share it.
#[derive(Clone)]
pub struct SharedRing(Arc<RwLock<Arc<KeyRing>>>);

impl SharedRing {
    /// Returns the present ring.
    pub fn now(&self) -> Arc<KeyRing> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the ring. Seals and opens that have begun finish with the former one.
    pub(super) fn replace(&self, ring: KeyRing) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(ring);
    }
}

impl From<KeyRing> for SharedRing {
    fn from(ring: KeyRing) -> Self {
        SharedRing(Arc::new(RwLock::new(Arc::new(ring))))
    }
}

impl fmt::Debug for SharedRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.now().fmt(f)
    }
}
