//! Detects the end of a TLS handshake from the client's unencrypted record heads.
//!
//! A TLS stream is a sequence of records: one byte of type, two of version, two of length, and the content. A client
//! sends records of application data only at the end of the handshake. In TLS 1.3 its last handshake message is already
//! one, in TLS 1.2 the first request.

/// The type of a record of application data.
const APPLICATION_DATA: u8 = 23;
const HEAD: usize = 5;

/// The position in a client's stream.
#[derive(Debug, Default)]
pub(super) struct Records {
    head: [u8; HEAD],
    /// The number of known bytes of the head.
    known: usize,
    /// The number of missing bytes of the current record.
    rest: usize,
    is_past_handshake: bool,
}

impl Records {
    /// Reads the next bytes; returns whether the handshake is over.
    pub(super) fn see(&mut self, mut bytes: &[u8]) -> bool {
        while !self.is_past_handshake && !bytes.is_empty() {
            if self.rest > 0 {
                let skipped = self.rest.min(bytes.len());
                self.rest -= skipped;
                bytes = &bytes[skipped..];
                continue;
            }
            self.head[self.known] = bytes[0];
            self.known += 1;
            bytes = &bytes[1..];
            if self.known == HEAD {
                self.known = 0;
                self.rest = usize::from(u16::from_be_bytes([self.head[3], self.head[4]]));
                self.is_past_handshake = self.head[0] == APPLICATION_DATA;
            }
        }
        self.is_past_handshake
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: u8, length: u16) -> Vec<u8> {
        let mut record = vec![kind, 3, 3];
        record.extend(length.to_be_bytes());
        // The content looks like the awaited type.
        record.extend(std::iter::repeat_n(APPLICATION_DATA, length.into()));
        record
    }

    #[test]
    fn application_data_ends_the_handshake_however_the_bytes_come() {
        let mut stream = record(22, 300);
        stream.extend(record(20, 1));
        let before = stream.len();
        stream.extend(record(APPLICATION_DATA, 50));
        for size in [1, 2, 3, 7, 64, 4_096] {
            let mut records = Records::default();
            let mut seen = 0;
            for piece in stream.chunks(size) {
                let is_past = records.see(piece);
                seen += piece.len();
                assert_eq!(is_past, seen >= before + HEAD, "{seen} by {size}");
            }
        }
    }
}
