use multirail_kernel::proxy_address::ProxyAddress;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use super::fixture::{Behaviour, Receiver, Script, allowing, converse, sandbox};
use super::*;

const DONE: Behaviour = Behaviour::Says("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
const BOUNDS: Bounds = Bounds {
    time: Duration::from_secs(20),
    body_bytes: 1024,
};

fn client(rules: TargetRules, lookup: &Arc<Script>) -> GuardedClient {
    GuardedClient::with(rules, Arc::<Script>::clone(lookup), &Manner::webhooks())
}

async fn post(client: &GuardedClient, url: &str) -> Result<Response, OutboundError> {
    let outgoing = Outgoing {
        method: Method::POST,
        url,
        headers: HeaderMap::new(),
        body: Bytes::from_static(b"{}"),
    };
    client.send(outgoing, BOUNDS).await
}

/// The classic attack on checks of names: the first look-up serves the check, the second the connection.
#[tokio::test]
async fn the_connection_goes_to_the_address_that_was_judged() {
    let checked = Receiver::start_at("127.0.0.2:0".parse().expect("an address"), DONE).await;
    let port = checked.address.port();
    let inside = Receiver::start_at(([127, 0, 0, 1], port).into(), DONE).await;
    // 127.0.0.2 stands for a public address; 127.0.0.1 is forbidden as always.
    let lookup = Script::new(&["127.0.0.2", "127.0.0.1"]);
    let client = client(allowing(&["127.0.0.2"]), &lookup);
    let url = format!("http://rebinding.example:{port}/");

    let answer = post(&client, &url).await.expect("an answer");
    assert_eq!(answer.status, 200);
    assert_eq!(lookup.left(), 1, "the name was resolved once");
    assert_eq!(checked.received().len(), 1);

    // The addresses of the second look-up are checked too, for the next connection.
    let fresh = GuardedClient::with(
        allowing(&["127.0.0.2"]),
        Arc::<Script>::clone(&lookup),
        &Manner::webhooks(),
    );
    let refused = post(&fresh, &url).await.expect_err("a refusal");
    assert_eq!(refused, OutboundError::NameNotFound);
    assert_eq!((lookup.left(), inside.received().len()), (0, 0));
}

/// The error is that of an unknown name: otherwise the merchant who chose the name would learn internal names.
#[tokio::test]
async fn one_forbidden_address_condemns_the_name() {
    let inside = Receiver::start(DONE).await;
    let url = format!("http://mixed.example:{}/", inside.address.port());
    for answer in [
        "127.0.0.1",
        "1.1.1.1 127.0.0.1",
        "127.0.0.1 1.1.1.1",
        "2606:4700:4700::1111 ::1",
        "10.0.0.1",
        "169.254.169.254",
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
    ] {
        let client = client(allowing(&[]), &Script::new(&[answer]));
        let refused = post(&client, &url).await.expect_err("a refusal");
        assert_eq!(refused, OutboundError::NameNotFound, "{answer}");
    }
    assert!(inside.received().is_empty());
}

#[tokio::test]
async fn addresses_in_the_url_are_checked_without_a_resolver() {
    let inside = Receiver::start(DONE).await;
    let port = inside.address.port();
    let lookup = Script::new(&["1.1.1.1"]);
    let client = client(allowing(&[]), &lookup);
    for host in [
        "127.0.0.1",
        "127.1",
        "0x7f000001",
        "2130706433",
        "0",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "localhost",
    ] {
        let refused = post(&client, &format!("http://{host}:{port}/")).await;
        let refused = refused.expect_err("a refusal");
        assert_eq!(
            refused,
            OutboundError::Forbidden(ForbiddenTarget::NotPublic),
            "{host}"
        );
    }
    assert_eq!((inside.received().len(), lookup.left()), (0, 1));
}

#[tokio::test]
async fn redirects_are_answers() {
    let inside = Receiver::start(DONE).await;
    let location = format!(
        "HTTP/1.1 307 Temporary Redirect\r\nlocation: http://{}/\r\ncontent-length: 0\r\n\r\n",
        inside.address
    );
    let outside = Receiver::start(Behaviour::Says(location.leak())).await;
    let client = client(sandbox(), &Script::new(&[]));
    let answer = post(&client, &format!("http://{}/", outside.address)).await;
    assert_eq!(answer.expect("an answer").status, 307);
    assert!(inside.received().is_empty());
}

#[tokio::test]
async fn a_connection_serves_more_than_one_request() {
    let endpoint = Receiver::start_at("127.0.0.2:0".parse().expect("an address"), DONE).await;
    let lookup = Script::new(&["127.0.0.2"]);
    let client = client(allowing(&["127.0.0.2"]), &lookup);
    let url = format!("http://shop.example:{}/", endpoint.address.port());
    for _ in 0..3 {
        assert_eq!(post(&client, &url).await.expect("an answer").status, 200);
    }
    assert_eq!((endpoint.received().len(), lookup.left()), (3, 0));
}

#[tokio::test]
async fn what_keeps_an_answer_from_coming_has_a_name() {
    let unknown = client(sandbox(), &Script::new(&[]));
    let nobody = post(&unknown, "http://nobody.example/").await;
    assert_eq!(nobody.err(), Some(OutboundError::NameNotFound));

    let closed = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = closed.local_addr().expect("an address");
    drop(closed);
    let refused = post(&unknown, &format!("http://{address}/")).await;
    assert_eq!(refused.err(), Some(OutboundError::NoConnection));

    let hangs = Receiver::start(Behaviour::Hangs("")).await;
    let broken = post(&unknown, &format!("http://{}/", hangs.address)).await;
    assert_eq!(broken.err(), Some(OutboundError::Broken));

    let speaks_plainly = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = speaks_plainly.local_addr().expect("an address");
    tokio::spawn(async move {
        let (mut stream, _) = speaks_plainly.accept().await.expect("a connection");
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
    });
    let no_tls = post(&unknown, &format!("https://{address}/")).await;
    assert_eq!(
        no_tls.err(),
        Some(OutboundError::NotSecure(TlsProblem::NoTls))
    );
}

/// Only the proxy is resolved and connected to, and it receives the name.
#[tokio::test]
async fn a_proxy_is_asked_for_everything() {
    let proxy = Receiver::start_at("127.0.0.2:0".parse().expect("an address"), DONE).await;
    let lookup = Script::new(&["127.0.0.2"]);
    let address = format!("http://proxy.internal:{}", proxy.address.port());
    let manner = Manner {
        proxy: Some(ProxyAddress::parse(&address).expect("an address")),
        ..Manner::webhooks()
    };
    let rules = allowing(&["processor.example"]);
    let client = GuardedClient::with(rules, Arc::<Script>::clone(&lookup), &manner);
    let answer = post(&client, "http://processor.example/v1/charges").await;
    assert_eq!(answer.expect("an answer").status, 200);
    let received = proxy.received().concat();
    assert!(
        received.starts_with("POST http://processor.example/v1/charges HTTP/1.1\r\n"),
        "{received}"
    );
    let inside = post(&client, "https://10.1.2.3/").await;
    assert_eq!(
        inside.err(),
        Some(OutboundError::Forbidden(ForbiddenTarget::NotPublic)),
        "an address in a URL is judged all the same"
    );
    assert_eq!((lookup.left(), proxy.received().len()), (0, 1));
}

#[tokio::test]
async fn certificates_are_checked_for_the_name_and_not_for_the_address() {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(["shop.example".to_owned()]).expect("a certificate");
    let key = PrivateKeyDer::try_from(signing_key.serialize_der()).expect("a key");
    let config =
        ServerConfig::builder_with_provider(rustls::crypto::aws_lc_rs::default_provider().into())
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(vec![cert.der().clone()], key)
            .expect("a configuration");
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            if let Ok(stream) = acceptor.accept(stream).await {
                tokio::spawn(converse(stream, DONE, Arc::default()));
            }
        }
    });
    let trusted = Certificate::from_der(cert.der()).expect("a certificate");
    let lookup = Script::new(&["127.0.0.1", "127.0.0.1", "127.0.0.1"]);
    let manner = Manner {
        trusted: vec![trusted],
        ..Manner::webhooks()
    };
    let trusting = GuardedClient::with(sandbox(), Arc::<Script>::clone(&lookup), &manner);

    let right = post(&trusting, &format!("https://shop.example:{port}/")).await;
    assert_eq!(right.expect("an answer").status, 200);
    let wrong = post(&trusting, &format!("https://other.example:{port}/")).await;
    assert_eq!(
        wrong.err(),
        Some(OutboundError::NotSecure(TlsProblem::OtherName))
    );
    let stranger = post(
        &client(sandbox(), &lookup),
        &format!("https://shop.example:{port}/"),
    )
    .await;
    assert_eq!(
        stranger.err(),
        Some(OutboundError::NotSecure(TlsProblem::UnknownAuthority))
    );
}

#[test]
fn certificate_authorities_are_brought_along() {
    assert!(bundled().len() > 100);
    let rules = Arc::new(TargetRules::default());
    let client = builder(Arc::new(SystemLookup), &rules, &Manner::webhooks());
    let client = client.tls_certs_only(bundled());
    assert!(client.build().is_ok());
}
