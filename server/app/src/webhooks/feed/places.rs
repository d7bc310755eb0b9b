//! Places for streams of changes: limits for one session, one merchant account, and the server.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use multirail_kernel::ids::{MerchantId, SessionId};

use crate::platform::ports::metric;

/// The most streams at once.
const OF_SESSION: usize = 4;
const OF_MERCHANT: usize = 64;
const OF_SERVER: usize = 512;

/// The limit that a further stream would break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// The session has too many streams.
    Session,
    /// The merchant account has too many.
    Merchant,
    /// The server has too many.
    Server,
}

/// The places of one server. Clones share them.
#[derive(Clone, Debug, Default)]
pub(super) struct Places(Arc<Mutex<Taken>>);

#[derive(Debug, Default)]
struct Taken {
    total: usize,
    sessions: HashMap<SessionId, usize>,
    merchants: HashMap<MerchantId, usize>,
}

/// The place of one stream. Dropping it releases the place.
#[derive(Debug)]
pub(super) struct Place {
    places: Places,
    session_id: SessionId,
    merchant_id: MerchantId,
}

impl Places {
    /// Takes a place.
    ///
    /// # Errors
    /// The limit that is reached.
    pub(super) fn take(
        &self,
        session_id: &SessionId,
        merchant_id: &MerchantId,
    ) -> Result<Place, Full> {
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_session = taken.sessions.get(session_id).copied().unwrap_or_default();
        let of_merchant = taken.merchants.get(merchant_id).copied();
        if of_session >= OF_SESSION {
            return Err(Full::Session);
        }
        if of_merchant.unwrap_or_default() >= OF_MERCHANT {
            return Err(Full::Merchant);
        }
        if taken.total >= OF_SERVER {
            return Err(Full::Server);
        }
        taken.total += 1;
        *taken.sessions.entry(session_id.clone()).or_default() += 1;
        *taken.merchants.entry(merchant_id.clone()).or_default() += 1;
        metrics::gauge!(metric::STREAMS_OPEN).increment(1.0);
        Ok(Place {
            places: self.clone(),
            session_id: session_id.clone(),
            merchant_id: merchant_id.clone(),
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let taken = &mut *self.places.0.lock().unwrap_or_else(PoisonError::into_inner);
        taken.total -= 1;
        less(&mut taken.sessions, &self.session_id);
        less(&mut taken.merchants, &self.merchant_id);
        metrics::gauge!(metric::STREAMS_OPEN).decrement(1.0);
    }
}

/// Subtracts one, and removes a count of 0.
fn less<K: Eq + Hash>(counts: &mut HashMap<K, usize>, key: &K) {
    if let Some(count) = counts.get_mut(key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(name: usize) -> SessionId {
        SessionId::parse(&format!("ses_{name}")).expect("an id")
    }

    fn merchant(name: usize) -> MerchantId {
        MerchantId::parse(&format!("shop_{name}")).expect("an id")
    }

    #[test]
    fn each_limit_is_kept_and_a_place_that_ends_is_free_again() {
        let places = Places::default();
        let mut held = Vec::new();
        for _ in 0..OF_SESSION {
            held.push(places.take(&session(0), &merchant(0)).expect("a place"));
        }
        let refused = |ses, shop| places.take(&session(ses), &merchant(shop)).err();
        assert_eq!(refused(0, 0), Some(Full::Session));
        held.pop();
        assert_eq!(refused(0, 0), None);
        for one in held.len()..OF_MERCHANT {
            held.push(places.take(&session(one), &merchant(0)).expect("a place"));
        }
        assert_eq!(refused(999, 0), Some(Full::Merchant));
        for one in held.len()..OF_SERVER {
            held.push(places.take(&session(one), &merchant(one)).expect("a place"));
        }
        assert_eq!(refused(999, 999), Some(Full::Server));
        drop(held);
        let taken = places.0.lock().expect("no panic");
        assert_eq!((taken.total, taken.sessions.len()), (0, 0));
        assert!(taken.merchants.is_empty());
    }
}
