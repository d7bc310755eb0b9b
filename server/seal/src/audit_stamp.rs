//! Stamps of the audit log.

use hmac::{Hmac, Mac};
use multirail_kernel::audit::Stamp;
use sha2::Sha256;

use super::KeyRing;

/// Returns the HMAC-SHA256 of some parts and their lengths. The key is derived from a key of the ring that never changes: a
/// log that was written years ago can be checked, whatever keys were changed since.
pub(super) fn audit_stamp(ring: &KeyRing, parts: &[&[u8]]) -> Stamp {
    let mut mac = <Hmac<Sha256> as Mac>::new_from_slice(ring.audit_key().as_slice())
        .expect("HMAC takes keys of any length");
    for part in parts {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use multirail_system::random::OsRandom;

    use super::*;
    use crate::MasterKey;

    #[test]
    fn stamps_depend_on_the_ring_and_on_where_parts_end() {
        let ring = || KeyRing::create(&MasterKey::generate(&OsRandom), &OsRandom, 0).0;
        let (ours, theirs) = (ring(), ring());
        let stamp = audit_stamp(&ours, &[b"ab", b"c"]);
        assert_eq!(stamp, audit_stamp(&ours, &[b"ab", b"c"]));
        assert_ne!(stamp, audit_stamp(&ours, &[b"a", b"bc"]));
        assert_ne!(stamp, audit_stamp(&theirs, &[b"ab", b"c"]));
    }
}
