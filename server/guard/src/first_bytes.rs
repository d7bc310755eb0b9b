//! The first bytes of a client.

use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::Duty;
use super::pass::End;

/// The first bytes of an HTTP/2 connection. dropshot waits without a limit until the client's bytes differ from these.
pub(super) const HTTP_2: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Most requests fit into one read.
const ROOM: usize = 2_048;

/// Reads until dropshot will recognize the protocol.
pub(super) async fn read(client: &mut TcpStream, duty: &Duty) -> Result<Vec<u8>, End> {
    client.set_nodelay(true).map_err(|_| End::Broken)?;
    let mut said = Vec::with_capacity(ROOM);
    let saying = async {
        loop {
            match client.read_buf(&mut said).await {
                Ok(0) => return Err(End::Closed),
                Ok(_) if duty.is_tls || is_decided(&said) => return Ok(()),
                Ok(_) => {}
                Err(_) => return Err(End::Broken),
            }
        }
    };
    match timeout(duty.deadlines.first_bytes, saying).await {
        Ok(Ok(())) => Ok(said),
        Ok(Err(end)) => Err(end),
        Err(_) => Err(End::Silent),
    }
}

pub(super) fn is_decided(said: &[u8]) -> bool {
    said.len() >= HTTP_2.len() || !HTTP_2.starts_with(said)
}

#[cfg(test)]
mod tests {
    use super::is_decided;

    #[test]
    fn http_1_shows_with_the_first_byte_that_differs() {
        for said in [
            "G",
            "PO",
            "PRI * HTTP/1",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            "\u{16}",
        ] {
            assert!(is_decided(said.as_bytes()), "{said:?}");
        }
        for said in ["P", "PRI * HTTP/2.0\r\n"] {
            assert!(!is_decided(said.as_bytes()), "{said:?}");
        }
    }
}
