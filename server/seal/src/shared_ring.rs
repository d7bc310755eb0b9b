//! The ring that a running server uses, which takes up new keys.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use super::key_ring::KeyRing;

/// One ring for all that use it. Clones share it.
#[derive(Clone)]
pub struct SharedRing(Arc<RwLock<Arc<KeyRing>>>);

impl SharedRing {
    /// The ring as it is now.
    pub fn now(&self) -> Arc<KeyRing> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Puts another ring in its place. What is being sealed or opened is finished with the former one.
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
