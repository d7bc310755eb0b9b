//! One HTTP/1.1 connection that stays open, with as little work a request as possible: the load program shares its
//! processors with the server that it measures.

use std::io;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// An open connection.
pub struct Connection {
    stream: TcpStream,
    inbox: Vec<u8>,
}

/// An answer; the body lies in the connection's buffer until the next request.
#[derive(Clone, Copy, Debug)]
pub struct Response<'a> {
    pub status: u16,
    pub body: &'a [u8],
}

impl Connection {
    /// Connects to `host:port`.
    pub async fn open(address: &str) -> io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            inbox: Vec::with_capacity(16 * 1024),
        })
    }

    /// Sends a whole request and reads its whole answer.
    pub async fn exchange(&mut self, request: &[u8]) -> io::Result<Response<'_>> {
        self.stream.write_all(request).await?;
        self.inbox.clear();
        let head = loop {
            match find(&self.inbox, b"\r\n\r\n") {
                Some(end) => break end + 4,
                None => self.receive().await?,
            }
        };
        let status = status(&self.inbox).ok_or_else(|| odd("no status line"))?;
        let length = content_length(&self.inbox[..head]).ok_or_else(|| odd("no content-length"))?;
        while self.inbox.len() < head + length {
            self.receive().await?;
        }
        Ok(Response {
            status,
            body: &self.inbox[head..head + length],
        })
    }

    async fn receive(&mut self) -> io::Result<()> {
        match self.stream.read_buf(&mut self.inbox).await? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }
}

impl Response<'_> {
    /// Returns the first text member of this name, at any place in the body.
    pub fn text(&self, member: &str) -> Option<&str> {
        let body = std::str::from_utf8(self.body).ok()?;
        let mut rest = body;
        loop {
            let after = &rest[rest.find(member)? + member.len()..];
            if let Some(value) = after.strip_prefix("\":\"") {
                return value.split('"').next();
            }
            rest = after;
        }
    }
}

fn odd(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// Returns the position of a text.
pub fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len())
        .position(|window| window == wanted)
}

/// Parses `HTTP/1.1 200 OK`.
fn status(head: &[u8]) -> Option<u16> {
    std::str::from_utf8(head.get(9..12)?).ok()?.parse().ok()
}

/// Returns the length of the body, as its head says.
pub fn content_length(head: &[u8]) -> Option<usize> {
    let head = std::str::from_utf8(head).ok()?;
    head.split("\r\n").find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length")
            .then(|| value.trim().parse().ok())?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_read() {
        let head = b"HTTP/1.1 422 Unprocessable Entity\r\ncontent-type: text/plain\r\nContent-Length: 17\r\n\r\n";
        assert_eq!((status(head), content_length(head)), (Some(422), Some(17)));
        assert_eq!(content_length(b"HTTP/1.1 200 OK\r\n\r\n"), None);
    }

    #[test]
    fn members_are_found() {
        let body = br#"{"payment_id":"pay_1","status":"succeeded","cancel_status":"no"}"#;
        let answer = Response { status: 200, body };
        assert_eq!(answer.text("status"), Some("succeeded"));
        assert_eq!(answer.text("payment_id"), Some("pay_1"));
        assert_eq!(answer.text("code"), None);
    }
}
