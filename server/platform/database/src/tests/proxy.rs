//! A proxy in front of PostgreSQL that can cut the connection at the worst moment.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The action at the next COMMIT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Cut {
    Never = 0,
    /// The server never sees it.
    BeforeCommit = 1,
    /// The server does it, and its answer is lost.
    AfterCommit = 2,
    /// The server never sees it, and nothing gets through any more: [`Proxy::fall_silent`].
    SilentFromCommit = 3,
}

/// Listens on a port of its own.
pub(super) struct Proxy {
    wire: Arc<Wire>,
    port: u16,
}

struct Wire {
    next: AtomicU8,
    is_silent: AtomicBool,
}

impl Proxy {
    /// Starts a proxy that passes everything on to `address`.
    pub(super) async fn start(address: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let proxy = Self {
            wire: Arc::new(Wire {
                next: AtomicU8::new(Cut::Never as u8),
                is_silent: AtomicBool::new(false),
            }),
            port: listener.local_addr().unwrap().port(),
        };
        let wire = proxy.wire.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(&address).await.unwrap();
                tokio::spawn(pass(client, server, wire.clone()));
            }
        });
        proxy
    }

    /// Returns `url` with the proxy's port for the server's.
    pub(super) fn url(&self, url: &str) -> String {
        let (head, tail) = url.rsplit_once(':').unwrap();
        let (_, database) = tail.split_once('/').unwrap();
        format!("{head}:{}/{database}", self.port)
    }

    /// Arms it; after one COMMIT it is [`Cut::Never`] again.
    pub(super) fn cut(&self, cut: Cut) {
        self.wire.next.store(cut as u8, Ordering::SeqCst);
    }

    /// From now on nothing gets through, and no connection ends: a frozen host, or a network that drops packets.
    pub(super) fn fall_silent(&self) {
        self.wire.is_silent.store(true, Ordering::SeqCst);
    }

    /// Lets new connections work again. Connections that were used in the meantime stay silent.
    pub(super) fn speak(&self) {
        self.wire.is_silent.store(false, Ordering::SeqCst);
    }
}

impl Wire {
    /// Never returns while the proxy is silent.
    async fn listen(&self) {
        if self.is_silent.load(Ordering::SeqCst) {
            std::future::pending().await
        }
    }
}

async fn pass(mut client: TcpStream, mut server: TcpStream, wire: Arc<Wire>) {
    let (mut asked, mut answered) = (vec![0; 65_536], vec![0; 65_536]);
    loop {
        tokio::select! {
            length = client.read(&mut asked) => {
                let Ok(length @ 1..) = length else { return };
                let asked = &asked[..length];
                let commit = asked.windows(6).any(|window| window == b"COMMIT");
                let cut = if commit { wire.next.swap(Cut::Never as u8, Ordering::SeqCst) } else { 0 };
                if cut == Cut::SilentFromCommit as u8 {
                    wire.is_silent.store(true, Ordering::SeqCst);
                }
                wire.listen().await;
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
                wire.listen().await;
                if client.write_all(&answered[..length]).await.is_err() {
                    return;
                }
            }
        }
    }
}
