//! Cached keys: a bounded number, of which the least used are dropped first. Their bytes are zeroed when the last user of a
//! key drops it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use multirail_app::platform::ports::seal::{DataKey, Subject};

/// Half of the most keys of a kind that are cached.
const HALF: usize = 5_000;

/// Keys of one kind of subject.
#[derive(Default)]
pub(crate) struct CachedKeys(Mutex<Generations>);

/// Two halves: a used key moves into the younger one, and when that is full the older one is dropped.
#[derive(Default)]
struct Generations {
    young: Half,
    old: Half,
}

#[derive(Default)]
struct Half {
    /// The keys that seal, each of which is in `by_name` too.
    current: HashMap<Subject, Arc<dyn DataKey>>,
    by_name: HashMap<String, Arc<dyn DataKey>>,
}

impl CachedKeys {
    pub(crate) fn current(&self, subject: &Subject) -> Option<Arc<dyn DataKey>> {
        let mut halves = self.halves();
        if let Some(key) = halves.young.current.get(subject) {
            return Some(Arc::clone(key));
        }
        let key = Arc::clone(halves.old.current.get(subject)?);
        halves.add(Some(subject), &key);
        Some(key)
    }

    pub(crate) fn named(&self, name: &str) -> Option<Arc<dyn DataKey>> {
        let mut halves = self.halves();
        if let Some(key) = halves.young.by_name.get(name) {
            return Some(Arc::clone(key));
        }
        let key = Arc::clone(halves.old.by_name.get(name)?);
        halves.add(None, &key);
        Some(key)
    }

    /// Caches keys. `is_so_still` is called under the lock that invalidation takes too: a dropped key is never put back.
    pub(crate) fn keep(
        &self,
        subject: &Subject,
        key: &Arc<dyn DataKey>,
        is_current: bool,
        is_so_still: impl FnOnce() -> bool,
    ) {
        let mut halves = self.halves();
        if is_so_still() {
            halves.add(is_current.then_some(subject), key);
        }
    }

    pub(crate) fn forget(&self) {
        *self.halves() = Generations::default();
    }

    fn halves(&self) -> MutexGuard<'_, Generations> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Generations {
    fn add(&mut self, sealing_for: Option<&Subject>, key: &Arc<dyn DataKey>) {
        if self.young.by_name.len() >= HALF {
            self.old = std::mem::take(&mut self.young);
        }
        if let Some(subject) = sealing_for {
            self.young.current.insert(subject.clone(), Arc::clone(key));
        }
        let name = key.key_id().to_owned();
        self.young.by_name.insert(name, Arc::clone(key));
    }
}

#[cfg(test)]
mod tests {
    use multirail_app::platform::ports::seal::Unopened;
    use multirail_kernel::ids::MerchantId;
    use multirail_kernel::secret::SecretText;

    use super::*;

    struct Named(String);

    impl DataKey for Named {
        fn key_id(&self) -> &str {
            &self.0
        }

        fn seal(&self, _: &str, _: &SecretText) -> Vec<u8> {
            Vec::new()
        }

        fn open(&self, _: &str, _: &[u8]) -> Result<SecretText, Unopened> {
            Err(Unopened)
        }
    }

    fn shop(number: usize) -> (Subject, Arc<dyn DataKey>) {
        let merchant_id = MerchantId::parse(&format!("shop_{number}")).expect("an id");
        let key = Named(format!("key_{number}"));
        (Subject::merchant(&merchant_id), Arc::new(key))
    }

    fn name_of(cache: &CachedKeys, number: usize) -> Option<String> {
        let key = cache.current(&shop(number).0);
        key.map(|key| key.key_id().to_owned())
    }

    #[test]
    fn what_is_used_stays_and_the_rest_goes() {
        let cache = CachedKeys::default();
        for number in 0..HALF * 4 {
            let (subject, key) = shop(number);
            cache.keep(&subject, &key, true, || true);
            assert_eq!(
                name_of(&cache, 0).as_deref(),
                Some("key_0"),
                "used all the time"
            );
        }
        assert_eq!(name_of(&cache, 1), None);
        assert!(cache.named("key_1").is_none());
        assert_eq!(
            name_of(&cache, HALF * 4 - 1),
            Some(format!("key_{}", HALF * 4 - 1))
        );
        let halves = cache.halves();
        assert!(halves.young.by_name.len() + halves.old.by_name.len() <= 2 * HALF);
    }

    #[test]
    fn what_was_forgotten_is_not_put_back_and_its_key_is_dropped() {
        let cache = CachedKeys::default();
        let (subject, key) = shop(1);
        cache.keep(&subject, &key, true, || true);
        assert!(Arc::strong_count(&key) > 1);
        cache.forget();
        assert_eq!(Arc::strong_count(&key), 1);
        cache.keep(&subject, &key, true, || false);
        assert!(cache.current(&subject).is_none());
    }

    #[test]
    fn a_key_that_only_opens_is_not_the_one_that_seals() {
        let cache = CachedKeys::default();
        let (subject, key) = shop(1);
        cache.keep(&subject, &key, false, || true);
        assert!(cache.named("key_1").is_some());
        assert!(cache.current(&subject).is_none());
    }
}
