//! Rate limits of callers: a token bucket for each, in this process's memory.
//!
//! A caller has at most `burst` tokens and gets `per_second` new ones a second; a request takes one. The bucket stores
//! the time at which it would be full again, which is equivalent to the number of tokens.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use multirail_guard::network;

/// The number of callers in each of two generations. Both take at most about 4 MB.
const GENERATION: usize = 32_768;

/// A caller, as a hash: neither keys nor addresses are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Asker([u8; 16]);

impl Asker {
    /// Returns the holder of a secret key, by the key's id.
    pub fn key(key_id: &str) -> Self {
        Self::hash(&[b"key", key_id.as_bytes()])
    }

    /// Returns an organization, whoever acts for one of its merchant accounts.
    pub fn organization(organization_id: &str) -> Self {
        Self::hash(&[b"organization", organization_id.as_bytes()])
    }

    /// Returns a signed-in user, in whatever merchant account they act.
    pub fn user(user_id: &str) -> Self {
        Self::hash(&[b"user", user_id.as_bytes()])
    }

    /// Returns a payer's client, by its address as `network::client_network` groups it. Everybody may have the publishable key.
    pub fn client(publishable_key: &str, address: IpAddr) -> Self {
        let network = network::client_network(address).to_string();
        Self::hash(&[b"client", publishable_key.as_bytes(), network.as_bytes()])
    }

    /// Returns the caller that holds the secret of one payment, subscription or customer.
    pub fn secret(merchant_id: &str, secret: &str) -> Self {
        Self::hash(&[b"secret", merchant_id.as_bytes(), secret.as_bytes()])
    }

    /// Returns a user who wants to sign in, by their account name, from any address.
    pub fn account(about: &str) -> Self {
        let about = about.trim().to_lowercase();
        Self::hash(&[b"account", about.as_bytes()])
    }

    /// Returns a user who wants to sign in, by their account name and their address.
    pub fn account_from(about: &str, address: IpAddr) -> Self {
        let about = about.trim().to_lowercase();
        let network = network::client_network(address).to_string();
        Self::hash(&[b"account from", about.as_bytes(), network.as_bytes()])
    }

    /// Returns the caller that stands for all sign-ins from one address.
    pub fn place(address: IpAddr) -> Self {
        let network = network::client_network(address).to_string();
        Self::hash(&[b"place", network.as_bytes()])
    }

    fn hash(parts: &[&[u8]]) -> Self {
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        let mut hash = [0; 16];
        hash.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        Self(hash)
    }
}

/// The buckets of one server.
pub struct RateLimit {
    /// The time in which one token comes, in nanoseconds.
    token: u64,
    /// The time in which an empty bucket fills, in nanoseconds.
    whole: u64,
    started: Instant,
    buckets: Mutex<Buckets>,
}

/// The time at which each asker's bucket is full again, in nanoseconds since the start.
///
/// When the recent buckets are too many they become the older ones, and the older ones are dropped. So the last
/// [`GENERATION`] askers are always remembered, without a search. A dropped bucket counts as full.
#[derive(Default)]
struct Buckets {
    recent: HashMap<Asker, u64>,
    older: HashMap<Asker, u64>,
}

impl RateLimit {
    /// Returns a limit of `per_second` requests and of `burst` at once, both at least 1.
    pub fn new(per_second: u32, burst: u32, now: Instant) -> Self {
        let pause = Duration::from_nanos(1_000_000_000 / u64::from(per_second.max(1)));
        Self::every(pause, burst, now)
    }

    /// Returns a limit of one request each `pause`, and of `burst` at once, at least 1.
    pub fn every(pause: Duration, burst: u32, now: Instant) -> Self {
        let token = pause.as_nanos() as u64;
        Self {
            token,
            whole: token * u64::from(burst.max(1)),
            started: now,
            buckets: Mutex::default(),
        }
    }

    /// Takes a token.
    ///
    /// # Errors
    /// The time until the next token.
    pub fn take(&self, asker: Asker, now: Instant) -> Result<(), Duration> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let full_at = self.full_after(&buckets, asker, now)?;
        buckets.remember(asker, full_at);
        Ok(())
    }

    /// Checks that there is a token, without taking it.
    ///
    /// # Errors
    /// The time until the next token.
    pub fn check(&self, asker: Asker, now: Instant) -> Result<(), Duration> {
        let buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        self.full_after(&buckets, asker, now).map(drop)
    }

    /// Returns when the bucket would be full again if a token is taken now.
    fn full_after(&self, buckets: &Buckets, asker: Asker, now: Instant) -> Result<u64, Duration> {
        let now = now.saturating_duration_since(self.started).as_nanos() as u64;
        let full_at = buckets.full_at(asker).max(now) + self.token;
        let missing = (full_at - now).saturating_sub(self.whole);
        if missing > 0 {
            return Err(Duration::from_nanos(missing));
        }
        Ok(full_at)
    }
}

impl Buckets {
    fn full_at(&self, asker: Asker) -> u64 {
        let found = self.recent.get(&asker).or_else(|| self.older.get(&asker));
        found.copied().unwrap_or(0)
    }

    fn remember(&mut self, asker: Asker, full_at: u64) {
        if self.recent.len() >= GENERATION && !self.recent.contains_key(&asker) {
            self.older = std::mem::take(&mut self.recent);
        }
        self.recent.insert(asker, full_at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asker(name: &str) -> Asker {
        Asker::key(name)
    }

    #[test]
    fn a_burst_then_a_steady_rate() {
        let start = Instant::now();
        let limit = RateLimit::new(10, 3, start);
        let at = |ms| start + Duration::from_millis(ms);
        let take = |ms| limit.take(asker("a"), at(ms));
        assert_eq!([take(0), take(0), take(0)], [Ok(()), Ok(()), Ok(())]);
        assert_eq!(take(0), Err(Duration::from_millis(100)));
        assert_eq!(take(60), Err(Duration::from_millis(40)));
        // A refusal takes no token.
        assert_eq!([take(100), take(200)], [Ok(()), Ok(())]);
        assert_eq!(take(200), Err(Duration::from_millis(100)));
        // After a pause the burst is available again, and no more.
        let after: Vec<_> = (0..4).map(|_| take(60_000).is_ok()).collect();
        assert_eq!(after, [true, true, true, false]);
    }

    #[test]
    fn callers_have_separate_limits() {
        let start = Instant::now();
        let limit = RateLimit::new(1, 1, start);
        let here: IpAddr = "203.0.113.7".parse().unwrap();
        let there: IpAddr = "203.0.113.8".parse().unwrap();
        let same_network = ["2001:db8::1", "2001:db8::ffff:1"].map(|text| text.parse().unwrap());
        let mapped: IpAddr = "::ffff:203.0.113.7".parse().unwrap();
        let is_let = |asker| limit.take(asker, start).is_ok();
        assert!(is_let(Asker::key("k")));
        assert!(!is_let(Asker::key("k")));
        assert!(is_let(Asker::key("l")));
        assert!(is_let(Asker::client("k", here)));
        assert!(is_let(Asker::client("k", there)));
        assert!(
            !is_let(Asker::client("k", mapped)),
            "the same address in another form"
        );
        assert!(is_let(Asker::client("k", same_network[0])));
        assert!(!is_let(Asker::client("k", same_network[1])));
    }

    #[test]
    fn memory_is_bounded_and_who_asks_is_remembered() {
        let start = Instant::now();
        let limit = RateLimit::new(1, 1, start);
        let is_let = |name: &str| limit.take(asker(name), start).is_ok();
        assert!(is_let("steady"));
        for n in 0..3 * GENERATION {
            assert!(is_let(&n.to_string()));
        }
        {
            let buckets = limit.buckets.lock().unwrap();
            assert!(buckets.recent.len() <= GENERATION);
            assert!(buckets.older.len() <= GENERATION);
        }
        let last = (3 * GENERATION - 1).to_string();
        assert!(!is_let(&last));
        assert!(is_let("steady"), "long forgotten");
    }
}
