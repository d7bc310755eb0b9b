//! The command line as a client: servers with private authorities, and the attempts of `check-config --connect`.

use std::net::SocketAddr;

use multirail_conformance::TestServer;
use multirail_conformance::identity_provider::{
    CLIENT_ID, CLIENT_SECRET, IdentityProvider, REDIRECT_URL,
};
use multirail_conformance::mailbox::Mailbox;
use multirail_server::config::Setting;
use multirail_test_postgres::free_port;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use tokio::io::{AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};

use crate::backup::{Said, multirail_with};

/// A private certificate authority, and a certificate that it issued for 127.0.0.1.
struct Authority {
    certificate: String,
    issued: String,
    key: String,
}

impl Authority {
    fn new() -> Self {
        let authority_key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::new(Vec::new()).expect("an authority");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let certificate = params.self_signed(&authority_key).expect("a certificate");
        let issuer = Issuer::new(params, authority_key);
        let key = KeyPair::generate().expect("a key");
        let server = CertificateParams::new(["127.0.0.1".to_owned()]).expect("a server");
        let issued = server.signed_by(&key, &issuer).expect("a certificate");
        Self {
            certificate: certificate.pem(),
            issued: issued.pem(),
            key: key.serialize_pem(),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_authority_is_trusted_where_it_is_named_and_nowhere_else() {
    let (own, other) = (Authority::new(), Authority::new());
    let files = tempfile::tempdir().expect("a folder");
    let place = |name: &str, text: &str| {
        let path = files.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path.to_string_lossy().into_owned()
    };
    let certificate = place("server.pem", &own.issued);
    let key = place("server.key", &own.key);
    let server = TestServer::start_with(|inputs| {
        inputs
            .with(Setting::TlsCertificate, certificate)
            .with(Setting::TlsKey, key)
    })
    .await;
    let demo = server.demo();
    let account = demo.connector_account.as_ref().expect("an account");
    let account = account.merchant_connector_id.to_string();
    let commands: [&[&str]; 3] = [
        &[
            "connector",
            "check",
            "--merchant",
            &demo.merchant_id,
            "--account",
            &account,
        ],
        &["audit", "verify"],
        &["keys", "status"],
    ];
    let own = place("own.pem", &own.certificate);
    let other = place("other.pem", &other.certificate);
    let empty = place("empty.pem", "no certificate\n");
    for command in commands {
        let asks = async |more: &[&str]| {
            let arguments = [command, &["--server", server.url()], more].concat();
            let settings = [("MULTIRAIL_ADMIN_API_KEY", server.admin_key())];
            multirail_with(files.path(), &arguments, &settings).await
        };
        let trusted = asks(&["--ca-file", &own]).await;
        assert_eq!(trusted.code, Some(0), "{command:?}: {trusted:?}");
        for untrusted in [asks(&[]).await, asks(&["--ca-file", &other]).await] {
            assert_eq!(untrusted.code, Some(1), "{command:?}: {untrusted:?}");
            assert!(untrusted.err.contains("certificate"), "{untrusted:?}");
        }
        for wrong in [&empty, "/nowhere/authority.pem"] {
            let wrong = asks(&["--ca-file", wrong]).await;
            assert_eq!(wrong.code, Some(2), "{command:?}: {wrong:?}");
            assert!(wrong.err.contains("--ca-file"), "{wrong:?}");
        }
    }
}

/// Starts a server that acts like a forward proxy to one address.
async fn proxy_to(address: SocketAddr) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let own = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut server = TcpStream::connect(address).await?;
                copy_bidirectional(&mut client, &mut server).await
            });
        }
    });
    own
}

/// Starts a server that answers every client, but not like a mail server.
async fn no_mail_server() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let own = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            // The client may have closed the connection.
            let _ = client.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
        }
    });
    own
}

/// Returns settings that name every service that can be tried.
fn named(mail: &str, issuer: &str, proxies: [SocketAddr; 2]) -> Vec<(&'static str, String)> {
    let [connectors, provider] = proxies.map(|proxy| format!("http://ada:{PASSWORD}@{proxy}"));
    vec![
        ("MULTIRAIL_MAIL_SERVER", mail.to_owned()),
        ("MULTIRAIL_MAIL_FROM", "multirail@shop.example".to_owned()),
        (
            "MULTIRAIL_MAIL_PASSWORD_PAGE",
            "https://shop.example/password".to_owned(),
        ),
        ("MULTIRAIL_OIDC_ISSUER", issuer.to_owned()),
        ("MULTIRAIL_OIDC_CLIENT_ID", CLIENT_ID.to_owned()),
        ("MULTIRAIL_OIDC_CLIENT_SECRET", CLIENT_SECRET.to_owned()),
        ("MULTIRAIL_OIDC_REDIRECT_URL", REDIRECT_URL.to_owned()),
        ("MULTIRAIL_OIDC_PROXY", provider),
        ("MULTIRAIL_CONNECTOR_PROXY", connectors),
    ]
}

const PASSWORD: &str = "of-ada-at-the-proxy";

async fn tries(settings: Vec<(&'static str, String)>) -> Said {
    let data = tempfile::tempdir().expect("a folder");
    let settings: Vec<_> = settings
        .iter()
        .map(|(name, text)| (*name, text.as_str()))
        .collect();
    let arguments = ["check-config", "--connect", "--sandbox"];
    let said = multirail_with(data.path(), &arguments, &settings).await;
    assert!(
        !said.out.contains(PASSWORD) && !said.err.contains(PASSWORD),
        "{said:?}"
    );
    said
}

/// Returns the lines below `tried`.
fn tried(said: &Said) -> String {
    let (_, tried) = said.out.split_once("\ntried\n").expect("it tries");
    let lines = tried.lines().take_while(|line| line.starts_with("  "));
    lines.map(|line| format!("{}\n", line.trim())).collect()
}

fn unused_address() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], free_port().expect("a free port")))
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_that_settings_name_is_tried() {
    let mailbox = Mailbox::open().await;
    let provider = IdentityProvider::open().await;
    let proxy = proxy_to(provider.address()).await;
    let answering = named(&mailbox.setting(), &provider.issuer(), [proxy, proxy]);
    let said = tries(answering).await;
    assert_eq!(said.code, Some(0), "{said:?}");
    insta::assert_snapshot!(tried(&said), @r"
    database_url            the file is not there yet: the first start makes it
    mail_server             the mail server answers and takes the login
    oidc_issuer             the identity provider tells of itself and its keys
    connector_proxy         something answers there
    oidc_proxy              something answers there
    ");
    assert_eq!(mailbox.letters(0).await.len(), 0);

    // Each unreachable service is named, and doesn't prevent attempts at the others.
    let mail = format!("smtp+plain://{}", unused_address());
    let issuer = format!("http://{}", unused_address());
    let said = tries(named(&mail, &issuer, [unused_address(), unused_address()])).await;
    assert_eq!(said.code, Some(2), "{said:?}");
    insta::assert_snapshot!(tried(&said), @r"
    database_url            the file is not there yet: the first start makes it
    mail_server             NOT REACHED
    oidc_issuer             NOT REACHED
    connector_proxy         NOT REACHED
    oidc_proxy              NOT REACHED
    ");
    for setting in [
        "mail_server",
        "oidc_issuer",
        "connector_proxy",
        "oidc_proxy",
    ] {
        assert!(said.err.contains(&format!("{setting}: ")), "{said:?}");
    }

    // The provider is reachable but its proxy isn't, and another kind of server answers instead of the mail server.
    let web = format!("smtp+plain://{}", no_mail_server().await);
    let said = tries(named(&web, &provider.issuer(), [proxy, unused_address()])).await;
    assert_eq!(said.code, Some(2), "{said:?}");
    insta::assert_snapshot!(tried(&said), @r"
    database_url            the file is not there yet: the first start makes it
    mail_server             NOT REACHED
    oidc_issuer             NOT REACHED
    connector_proxy         something answers there
    oidc_proxy              NOT REACHED
    ");
}
