//! Explains why a call got no answer.

use std::error::Error;
use std::time::Duration;

/// Explains an error of the HTTP client to the reader of a report. `waited` is the timeout of the whole answer.
pub fn in_words(error: &reqwest::Error, waited: Duration) -> String {
    let cause = cause(error);
    let is_begun = error.is_body() || error.is_decode();
    match (error.is_timeout(), is_begun) {
        (true, false) => format!("no answer in {waited:?}"),
        (true, true) => format!("the answer began and did not end in {waited:?}"),
        (false, true) => format!("the answer broke off: {cause}"),
        (false, false) if error.is_connect() => format!("no connection: {cause}"),
        (false, false) if error.is_builder() => format!("no address: {cause}"),
        (false, false) => format!("no answer: {cause}"),
    }
}

/// Returns the innermost cause. The outer ones repeat it, or only say that there was an error.
fn cause(error: &reqwest::Error) -> String {
    let mut innermost: &dyn Error = error;
    while let Some(inner) = innermost.source() {
        innermost = inner;
    }
    innermost.to_string()
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use crate::wire::Wire;

    /// Returns the explanation for a server that sends this answer and hangs up.
    async fn said_of(answer: &str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let answering = async {
            let (mut stream, _) = listener.accept().await.expect("a caller");
            let mut asked = [0; 4096];
            let length = stream.read(&mut asked).await.expect("a request");
            assert!(length > 0, "nothing was asked");
            let written = stream.write_all(answer.as_bytes()).await;
            written.expect("it is written");
        };
        let wire = Wire::new(&format!("http://{address}"));
        let (answered, ()) = tokio::join!(wire.call("health_check").send(), answering);
        let wrong = answered.expect_err("that is no answer");
        wrong.reasons[0].what.clone()
    }

    #[tokio::test]
    async fn a_connection_that_ends_too_soon_is_explained() {
        assert_eq!(
            said_of("").await,
            "no answer: connection closed before message completed"
        );
        let cut = "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhea";
        let said = said_of(cut).await;
        assert!(said.starts_with("the answer broke off: "), "{said}");
        assert!(!said.contains("Error"), "{said}");
    }
}
