//! Chance, good enough for keys.

use multirail_kernel::random::Random;
use rand::Rng;

/// A cryptographic generator of each thread (ChaCha12), which the operating system seeds at its first use and again after
/// every 64 KiB.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsRandom;

impl Random for OsRandom {
    /// Fills `bytes` with random bytes.
    ///
    /// # Panics
    ///
    /// When the operating system has no randomness to give. Every key and every id of a
    /// payment comes from here: a predictable one would be worse than a stopped request.
    fn fill(&self, bytes: &mut [u8]) {
        rand::rng().fill_bytes(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_draws_differ() {
        let (mut first, mut second) = ([0_u8; 32], [0_u8; 32]);
        OsRandom.fill(&mut first);
        OsRandom.fill(&mut second);
        assert_ne!(first, second);
        assert_ne!(first, [0; 32]);
    }
}
