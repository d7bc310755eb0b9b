//! Random bytes, which callers pass in as a [`Random`].

use std::sync::atomic::{AtomicU64, Ordering};

/// The 62 letters and digits of ids and keys.
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A source of random bytes. The server passes the operating system's.
pub trait Random: Send + Sync {
    /// Fills the whole slice.
    fn fill(&self, bytes: &mut [u8]);
}

/// Returns `length` letters and digits, each equally likely. Bytes that would favour some of them are discarded.
pub fn alphanumeric(random: &dyn Random, length: usize) -> String {
    const FAIR: u8 = 62 * 4;
    let mut text = String::with_capacity(length);
    let mut bytes = [0_u8; 32];
    while text.len() < length {
        random.fill(&mut bytes);
        for byte in bytes.iter().filter(|byte| **byte < FAIR) {
            if text.len() == length {
                break;
            }
            text.push(char::from(ALPHABET[usize::from(byte % 62)]));
        }
    }
    zeroize::Zeroize::zeroize(&mut bytes);
    text
}

/// Returns `length` letters and digits. The first seven encode the time in milliseconds, the rest is random. Later
/// texts sort later, so that a database stores them next to each other. After the year 2081 the order starts over.
pub fn time_ordered(unix_milliseconds: i64, random: &dyn Random, length: usize) -> String {
    const TIME: usize = 7;
    let mut digits = [0_u8; TIME];
    let mut rest = unix_milliseconds.unsigned_abs();
    for digit in digits.iter_mut().rev() {
        *digit = ALPHABET[(rest % 62) as usize];
        rest /= 62;
    }
    let mut text = String::with_capacity(length);
    text.extend(digits.map(char::from));
    text.push_str(&alphanumeric(random, length.saturating_sub(TIME)));
    text
}

/// Returns `length` random bytes as lower-case hexadecimal digits, two for each byte.
pub fn hex(random: &dyn Random, length: usize) -> String {
    let mut bytes = vec![0_u8; length];
    random.fill(&mut bytes);
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns a UUID of version 7 as 32 hexadecimal digits: 48 bits of Unix milliseconds, then random bits. Later ones
/// sort later.
pub fn uuid_v7(unix_milliseconds: i64, random: &dyn Random) -> String {
    let mut bytes = [0_u8; 16];
    random.fill(&mut bytes);
    bytes[..6].copy_from_slice(&unix_milliseconds.to_be_bytes()[2..]);
    bytes[6] = 0x70 | (bytes[6] & 0x0f);
    bytes[8] = 0x80 | (bytes[8] & 0x3f);
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the same bytes for the same seed (splitmix64). For tests and simulations only, because it is predictable.
#[derive(Debug)]
pub struct SeededRandom(AtomicU64);

impl SeededRandom {
    /// Starts the sequence of this seed.
    pub fn new(seed: u64) -> Self {
        SeededRandom(AtomicU64::new(seed))
    }

    fn next(&self) -> u64 {
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut mixed = self.0.fetch_add(STEP, Ordering::Relaxed).wrapping_add(STEP);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

impl Random for SeededRandom {
    fn fill(&self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.next().to_le_bytes()[..chunk.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn time_ordered_texts_sort_by_time_and_differ_within_a_moment() {
        let random = SeededRandom::new(7);
        let moments = [
            0,
            1,
            61,
            62,
            1_767_225_600_000,
            1_767_225_600_001,
            3_500_000_000_000,
        ];
        let texts: Vec<String> = moments
            .iter()
            .map(|moment| time_ordered(*moment, &random, 20))
            .collect();
        assert!(texts.is_sorted(), "{texts:?}");
        assert!(texts.iter().all(|text| text.len() == 20), "{texts:?}");
        assert_ne!(time_ordered(5, &random, 20), time_ordered(5, &random, 20));
    }

    #[test]
    fn the_same_seed_gives_the_same_text() {
        let text = alphanumeric(&SeededRandom::new(7), 64);
        assert_eq!(text.len(), 64);
        assert_eq!(text, alphanumeric(&SeededRandom::new(7), 64));
        assert_ne!(text, alphanumeric(&SeededRandom::new(8), 64));
    }

    #[test]
    fn every_character_is_about_as_frequent_as_any_other() {
        let mut counts = BTreeMap::new();
        for character in alphanumeric(&SeededRandom::new(1), 62_000).chars() {
            *counts.entry(character).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 62);
        for (character, count) in counts {
            assert!((850..1150).contains(&count), "{character}: {count}");
        }
    }

    #[test]
    fn a_source_that_repeats_unfair_bytes_first_still_ends() {
        struct Falling(AtomicU64);
        impl Random for Falling {
            fn fill(&self, bytes: &mut [u8]) {
                let byte = 255 - self.0.fetch_add(1, Ordering::Relaxed) as u8;
                bytes.fill(byte);
            }
        }
        assert_eq!(alphanumeric(&Falling(AtomicU64::new(0)), 3), "zzz");
    }

    #[test]
    fn a_uuid_carries_its_time_version_and_variant() {
        let uuid = uuid_v7(0x0123_4567_89ab, &SeededRandom::new(3));
        assert_eq!(uuid.len(), 32);
        assert_eq!(&uuid[..13], "0123456789ab7");
        assert!("89ab".contains(&uuid[16..17]), "{uuid}");
        assert_eq!(hex(&SeededRandom::new(3), 16).len(), 32);
    }
}
