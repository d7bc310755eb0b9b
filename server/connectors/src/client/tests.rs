use multirail_kernel::secret::SecretText;
use multirail_kernel::target::AllowedTargets;

use super::*;
use crate::wire::path;

fn client(allowed: &[&str]) -> Client {
    Client::new(ClientSettings {
        targets: TargetRules {
            allowed: AllowedTargets::read(allowed.iter().copied()).expect("targets"),
            ..TargetRules::default()
        },
        deadline: Duration::from_secs(20),
        calls_per_account: 8,
        proxy: None,
        trusted: Vec::new(),
    })
}

fn access(base_url: Value) -> Access {
    let mut access = Access::default();
    access.metadata.insert("base_url".to_owned(), base_url);
    access
}

const OWN: &str = "https://api.processor.example";

#[test]
fn an_accounts_own_address_is_taken_where_the_operator_lists_it() {
    let client = client(&["stand-in.internal"]);
    let base = |access: &Access| client.base(access, OWN).map(Cow::into_owned);
    assert_eq!(base(&Access::default()).as_deref(), Ok(OWN));
    assert_eq!(base(&access(Value::Null)).as_deref(), Ok(OWN));
    assert_eq!(
        base(&access("http://stand-in.internal:8443/v2/".into())).as_deref(),
        Ok("http://stand-in.internal:8443/v2")
    );
    for (other, expected) in [
        ("https://1.1.1.1", ForbiddenTarget::NotListed),
        ("https://evil.example", ForbiddenTarget::NotListed),
        ("https://10.0.0.7", ForbiddenTarget::NotPublic),
        ("stand-in.internal", ForbiddenTarget::NoWebAddress),
    ] {
        let refused = Err(NotSent::Forbidden(expected));
        assert_eq!(base(&access(other.into())), refused, "{other}");
    }
    assert_eq!(
        base(&access(5.into())),
        Err(NotSent::Forbidden(ForbiddenTarget::NoWebAddress))
    );
}

#[tokio::test]
async fn unsent_requests_have_a_reason() {
    let client = client(&["127.0.0.1"]);
    let refused = async |base: &str, request: WireRequest| {
        let answer = client.send(&access(base.into()), OWN, request).await;
        match answer {
            Err(TransportError::NotSent(why)) => why,
            other => panic!("{other:?}"),
        }
    };
    let get = |segment: &str| WireRequest::get(path(&["v1", segment]));
    assert_eq!(
        refused("https://evil.example", get("a")).await,
        NotSent::Forbidden(ForbiddenTarget::NotListed)
    );
    let here = "http://127.0.0.1:1";
    for segment in ["..", ".", ""] {
        let why = refused(here, get(segment)).await;
        assert_eq!(why, NotSent::Unwritable, "{segment:?}");
    }
    let key = SecretText::new("sesame\r\nhost: evil.example");
    let why = refused(here, get("a").header("api-key", key)).await;
    assert_eq!(why, NotSent::Unwritable);
    assert_eq!(refused(here, get("a")).await, NotSent::NoConnection);
}

#[test]
fn the_address_is_the_one_that_was_meant() {
    let whole = |base: &str, path: &str| address(base, path);
    assert_eq!(
        whole(OWN, "/v1/charges?limit=1").as_deref(),
        Some("https://api.processor.example/v1/charges?limit=1")
    );
    assert_eq!(
        whole("https://host.example/v71", &path(&["payments", "a/b"])).as_deref(),
        Some("https://host.example/v71/payments/a%2Fb")
    );
    for wrong in [
        "v1",
        "/v1/../v2",
        "/v1/%2e%2e/v2",
        "/v1//a",
        "/v1/",
        "/v1#a",
    ] {
        assert_eq!(whole(OWN, wrong), None, "{wrong}");
    }
    assert_eq!(whole("https://host.example/?a=1", "/v1"), None);
}

#[test]
fn logs_contain_no_card_and_no_query() {
    let card = r#"{"amount":6540,"card":{"number":"4111111111111111","cvc":"737"}}"#;
    let form = "amount=6540&card[number]=4111111111111111&card[cvc]=737";
    let bodies = [
        Body::Json(SecretText::new(card)),
        Body::Form(SecretText::new(form)),
        Body::Empty,
    ];
    let written = bodies.map(|body| {
        let request = WireRequest::post("/pay?email=joe@shop.example".to_owned(), body)
            .header("authorization", SecretText::new("Bearer sesame"))
            .showing(&["amount"]);
        let log = Log::new(&request);
        format!("{} {} {}", log.method, log.path, log.body)
    });
    insta::assert_snapshot!(written.join("\n"), @r#"
    POST /pay {"amount":6540,"card":{"number":"***","cvc":"***"}}
    POST /pay amount=6540&card[number]=***&card[cvc]=***
    POST /pay
    "#);
}
