//! A wire between us and PostgreSQL that can be cut at the worst moment.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What to do with the next COMMIT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Cut {
    Never = 0,
    /// The server never sees it.
    BeforeCommit = 1,
    /// The server does it, and its answer is lost.
    AfterCommit = 2,
}

/// Listens on a port of its own.
pub(super) struct Proxy {
    next: Arc<AtomicU8>,
    port: u16,
}

impl Proxy {
    /// Passes everything on to `address`.
    pub(super) async fn start(address: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let proxy = Self {
            next: Arc::new(AtomicU8::new(Cut::Never as u8)),
            port: listener.local_addr().unwrap().port(),
        };
        let next = proxy.next.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(&address).await.unwrap();
                tokio::spawn(pass(client, server, next.clone()));
            }
        });
        proxy
    }

    /// `url` with our port for the server's.
    pub(super) fn url(&self, url: &str) -> String {
        let (head, tail) = url.rsplit_once(':').unwrap();
        let (_, database) = tail.split_once('/').unwrap();
        format!("{head}:{}/{database}", self.port)
    }

    /// Arms it; one COMMIT later it is [`Cut::Never`] again.
    pub(super) fn cut(&self, cut: Cut) {
        self.next.store(cut as u8, Ordering::SeqCst);
    }
}

async fn pass(mut client: TcpStream, mut server: TcpStream, next: Arc<AtomicU8>) {
    let (mut asked, mut answered) = (vec![0; 65_536], vec![0; 65_536]);
    loop {
        tokio::select! {
            length = client.read(&mut asked) => {
                let Ok(length @ 1..) = length else { return };
                let asked = &asked[..length];
                let commit = asked.windows(6).any(|window| window == b"COMMIT");
                let cut = if commit { next.swap(Cut::Never as u8, Ordering::SeqCst) } else { 0 };
                if cut == Cut::BeforeCommit as u8 || server.write_all(asked).await.is_err() {
                    return;
                }
                if cut == Cut::AfterCommit as u8 {
                    let _ = server.read(&mut answered).await;
                    return;
                }
            }
            length = server.read(&mut answered) => {
                let Ok(length @ 1..) = length else { return };
                if client.write_all(&answered[..length]).await.is_err() {
                    return;
                }
            }
        }
    }
}
