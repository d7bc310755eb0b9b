//! The mail server of a test: it accepts mail, and can be told to refuse it.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use multirail_verifier::patience::{until, until_found};

/// The letters that arrived, and the refusals.
#[derive(Default)]
struct Post {
    letters: Mutex<Vec<Letter>>,
    /// Answers to the next letters' recipients, instead of accepting them.
    refusals: Mutex<Vec<&'static str>>,
    /// How many recipients were refused.
    refused: Mutex<usize>,
}

/// A letter as it arrived.
#[derive(Clone, Debug)]
pub struct Letter {
    pub to: String,
    /// Headers and text, without soft line breaks.
    pub text: String,
}

impl Letter {
    /// Returns the token with which a user chooses a password.
    ///
    /// # Panics
    /// If the letter has none.
    pub fn token(&self) -> String {
        let start = self.text.find("pwl_").expect("a token");
        let token = self.text[start..].chars();
        token
            .take_while(|one| one.is_ascii_alphanumeric() || *one == '_')
            .collect()
    }
}

/// An SMTP server on this machine, without TLS.
pub struct Mailbox {
    address: SocketAddr,
    post: Arc<Post>,
}

impl Mailbox {
    /// Opens a mailbox on a free port.
    ///
    /// # Panics
    /// If there is none.
    pub async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let post = Arc::new(Post::default());
        let office = Arc::clone(&post);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let post = Arc::clone(&office);
                // A client that hangs up has finished.
                tokio::spawn(async move { serve(stream, &post).await.ok() });
            }
        });
        Self { address, post }
    }

    /// Returns the setting `mail_server`.
    pub fn setting(&self) -> String {
        format!("smtp+plain://{}", self.address)
    }

    /// Answers the next recipient with this text instead of accepting it.
    pub fn refuse(&self, answer: &'static str) {
        self.post.refusals.lock().expect("a list").push(answer);
    }

    /// Waits until so many letters have arrived, and returns all.
    ///
    /// # Panics
    /// If they don't arrive.
    pub async fn letters(&self, count: usize) -> Vec<Letter> {
        until_found(format!("{count} letters"), async || {
            let letters = self.post.letters.lock().expect("a list").clone();
            match letters.len() {
                fewer if fewer < count => Err(fewer),
                _ => Ok(letters),
            }
        })
        .await
    }

    /// Waits until so many recipients have been refused.
    ///
    /// # Panics
    /// If they aren't.
    pub async fn refused(&self, count: usize) {
        let refused = async || *self.post.refused.lock().expect("a number");
        until(format!("{count} refused recipients"), refused, |refused| {
            *refused >= count
        })
        .await;
    }
}

/// Serves RFC 5321, as far as one client needs it.
async fn serve(stream: TcpStream, post: &Post) -> std::io::Result<()> {
    let (read, mut write) = stream.into_split();
    let mut lines = BufReader::new(read).lines();
    let mut to = String::new();
    write.write_all(b"220 mailbox.example\r\n").await?;
    while let Some(line) = lines.next_line().await? {
        let command = line.to_ascii_uppercase();
        let answer = if command.starts_with("RCPT TO:") {
            let refusal = post.refusals.lock().expect("a list").pop();
            match refusal {
                Some(refusal) => {
                    *post.refused.lock().expect("a number") += 1;
                    format!("{refusal}\r\n")
                }
                None => {
                    let address = line["RCPT TO:".len()..].trim();
                    to = address.trim_matches(['<', '>']).to_owned();
                    "250 taken\r\n".to_owned()
                }
            }
        } else if command == "DATA" {
            write.write_all(b"354 go on\r\n").await?;
            let mut text = String::new();
            while let Some(line) = lines.next_line().await? {
                if line == "." {
                    break;
                }
                text.push_str(&line);
                text.push('\n');
            }
            let text = text.replace("=\n", "");
            let letter = Letter {
                to: to.clone(),
                text,
            };
            post.letters.lock().expect("a list").push(letter);
            "250 taken\r\n".to_owned()
        } else if command == "QUIT" {
            write.write_all(b"221 bye\r\n").await?;
            return Ok(());
        } else {
            "250 mailbox.example\r\n".to_owned()
        };
        write.write_all(answer.as_bytes()).await?;
    }
    Ok(())
}
