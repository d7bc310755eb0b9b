//! Sessions of the operator at the console. The operator has a key and is no user.

use multirail_kernel::timestamp::Timestamp;

/// Seconds until a session of the operator ends: half an hour. Use doesn't renew it.
pub const OPERATOR_SECONDS: i64 = 1_800;

/// The beginning of the tokens of the operator's sessions, which no token of a user has.
pub const OPERATOR_TOKEN_PREFIX: &str = "ops_";

/// A session of the operator at the console. It opens what an admin key opens, and changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorSession {
    /// The keyed hash of the token. The token itself is never stored.
    pub hash: String,
    /// The keyed hash of the admin key that began the session.
    pub key_hash: String,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
}

impl OperatorSession {
    /// Begins a session by an admin key.
    pub fn begin(hash: String, key_hash: String, now: Timestamp) -> Self {
        OperatorSession {
            hash,
            key_hash,
            created_at: now,
            expires_at: now.plus_seconds(OPERATOR_SECONDS).unwrap_or(now),
        }
    }

    /// Checks whether the session is valid while these are the hashes of the admin keys. It ends with its key.
    pub fn is_valid(&self, now: Timestamp, key_hashes: &[String]) -> bool {
        now < self.expires_at && key_hashes.contains(&self.key_hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_ends_after_half_an_hour_and_with_its_key() {
        let begun_at = Timestamp::EPOCH;
        let session = OperatorSession::begin("token".to_owned(), "key".to_owned(), begun_at);
        let at = |seconds| begun_at.plus_seconds(seconds).expect("a time");
        let keys = ["other".to_owned(), "key".to_owned()];
        assert!(session.is_valid(at(0), &keys));
        assert!(session.is_valid(at(1_799), &keys));
        assert!(!session.is_valid(at(1_800), &keys));
        assert!(!session.is_valid(at(0), &keys[..1]));
        assert!(!session.is_valid(at(0), &[]));
    }
}
