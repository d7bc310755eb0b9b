//! Slow hashes of passwords: Argon2id, with a salt and a key of the ring, so that a copy of the database alone doesn't let
//! anyone guess passwords.

use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;

use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use argon2::{Algorithm, Argon2, Params, Version};
use async_trait::async_trait;
use multirail_app::platform::ports::Passwords;
use multirail_kernel::random::Random;
use multirail_kernel::secret::SecretText;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::shared_ring::SharedRing;

/// 19 MiB and two passes, OWASP's minimum. A hash takes a few dozen milliseconds.
const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;
const SALT_BYTES: usize = 16;

/// Hashes on threads that may block, as many at once as there are processors: further hashes wait, and other requests go
/// on.
pub struct Argon2Passwords {
    ring: SharedRing,
    random: Arc<dyn Random>,
    at_once: Arc<Semaphore>,
}

impl Argon2Passwords {
    pub fn new(ring: SharedRing, random: Arc<dyn Random>) -> Self {
        let processors = available_parallelism().map_or(2, NonZero::get);
        Self {
            ring,
            random,
            at_once: Arc::new(Semaphore::new(processors)),
        }
    }

    /// Runs the work with the key on a thread that may block.
    async fn slowly<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Argon2<'_>) -> T + Send + 'static,
    ) -> T {
        let permit = Arc::clone(&self.at_once).acquire_owned().await;
        let permit = permit.expect("nobody closes it");
        let ring = self.ring.now();
        let worked = spawn_blocking(move || {
            let key = ring.password_key();
            let params = Params::new(MEMORY_KIB, PASSES, LANES, None);
            let params = params.expect("constants within the bounds");
            let argon2 = Argon2::new_with_secret(
                key.as_slice(),
                Algorithm::Argon2id,
                Version::V0x13,
                params,
            );
            let done = work(&argon2.expect("a short key"));
            drop(permit);
            done
        });
        worked.await.expect("hashing doesn't panic")
    }
}

#[async_trait]
impl Passwords for Argon2Passwords {
    async fn hash(&self, password: &SecretText) -> SecretText {
        let mut salt = [0; SALT_BYTES];
        self.random.fill(&mut salt);
        let password = password.clone();
        self.slowly(move |argon2| hashed(argon2, &password, &salt))
            .await
    }

    async fn is_of(&self, password: &SecretText, hash: Option<&SecretText>) -> bool {
        let Some(hash) = hash.cloned() else {
            self.hash(password).await;
            return false;
        };
        let password = password.clone();
        self.slowly(move |argon2| {
            PasswordHash::new(hash.expose()).is_ok_and(|hash| {
                let given = password.expose().as_bytes();
                argon2.verify_password(given, &hash).is_ok()
            })
        })
        .await
    }
}

fn hashed(argon2: &Argon2<'_>, password: &SecretText, salt: &[u8]) -> SecretText {
    let salt = SaltString::encode_b64(salt).expect("a salt of this length");
    let hash = argon2.hash_password(password.expose().as_bytes(), &salt);
    SecretText::new(hash.expect("a short password").to_string())
}

#[cfg(test)]
mod tests {
    use multirail_system::random::OsRandom;

    use super::super::{KeyRing, MasterKey};
    use super::*;

    fn passwords() -> Argon2Passwords {
        let master =
            MasterKey::from_hex("2f81c7a05d3e964bb8f6127c90ae53d41b7e0298c6f5a43d8107be925cf06a3e")
                .expect("a key");
        let (ring, _) = KeyRing::create(&master, &OsRandom, 1);
        Argon2Passwords::new(ring.into(), Arc::new(OsRandom))
    }

    #[tokio::test]
    async fn a_hash_knows_its_password_and_needs_the_key() {
        let (ours, others) = (passwords(), passwords());
        let (right, wrong) = (SecretText::new("Correct-1"), SecretText::new("Correct-2"));
        let hash = ours.hash(&right).await;
        assert!(
            hash.expose().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{}",
            hash.expose()
        );
        assert!(ours.is_of(&right, Some(&hash)).await);
        assert!(!ours.is_of(&wrong, Some(&hash)).await);
        assert!(!ours.is_of(&right, None).await);
        assert!(!others.is_of(&right, Some(&hash)).await);
        assert_ne!(ours.hash(&right).await, hash, "each has its own salt");
    }
}
