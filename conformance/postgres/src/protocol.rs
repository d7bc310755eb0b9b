//! The part of PostgreSQL's wire protocol that sends one statement, so that tests create databases without a client program
//! or a driver.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::Duration;

/// Runs one statement on a server that needs no password.
pub(crate) fn run(port: u16, user: &str, database: &str, sql: &str) -> io::Result<()> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;

    let mut greeting = 196_608_i32.to_be_bytes().to_vec(); // protocol 3.0
    for word in ["user", user, "database", database, ""] {
        greeting.extend_from_slice(word.as_bytes());
        greeting.push(0);
    }
    send(&mut stream, None, &greeting)?;
    until_ready(&mut stream)?;

    let mut query = sql.as_bytes().to_vec();
    query.push(0);
    send(&mut stream, Some(b'Q'), &query)?;
    until_ready(&mut stream)?;
    send(&mut stream, Some(b'X'), &[])
}

fn send(stream: &mut TcpStream, kind: Option<u8>, body: &[u8]) -> io::Result<()> {
    let length = u32::try_from(body.len() + 4).map_err(io::Error::other)?;
    let mut message: Vec<u8> = kind.into_iter().collect();
    message.extend_from_slice(&length.to_be_bytes());
    message.extend_from_slice(body);
    stream.write_all(&message)
}

/// Reads messages up to ReadyForQuery; an ErrorResponse among them is the result.
fn until_ready(stream: &mut TcpStream) -> io::Result<()> {
    let mut result = Ok(());
    loop {
        let mut head = [0; 5];
        // A server may end the connection after an error: that error is the result.
        if let Err(end) = stream.read_exact(&mut head) {
            return result.and(Err(end));
        }
        let length = u32::from_be_bytes([head[1], head[2], head[3], head[4]]);
        let mut body = vec![0; length.saturating_sub(4) as usize];
        stream.read_exact(&mut body)?;
        match head[0] {
            b'Z' => return result,
            b'E' => result = Err(io::Error::other(message_of(&body))),
            _ => {}
        }
    }
}

/// Returns the `M` field among the zero-terminated fields of an ErrorResponse.
fn message_of(body: &[u8]) -> String {
    body.split(|byte| *byte == 0)
        .find_map(|field| field.strip_prefix(b"M"))
        .map_or_else(
            || "an error without a message".to_owned(),
            |text| String::from_utf8_lossy(text).into_owned(),
        )
}
