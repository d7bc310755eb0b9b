use super::*;

const JSON: (&str, &str) = ("content-type", "application/json; charset=utf-8");
const BYTES: (&str, &str) = ("content-type", "application/octet-stream");
const FORM: (&str, &str) = ("content-type", "text/plain");
const OWN: (&str, &str) = (SEC_FETCH_SITE, "same-origin");
const SIBLING: (&str, &str) = (SEC_FETCH_SITE, "same-site");

fn headers(given: &[(&'static str, &'static str)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for &(name, value) in given {
        headers.append(name, HeaderValue::from_static(value));
    }
    headers
}

/// Returns the code of the refusal; `-` where the request is admitted.
fn admitted(
    site: &ConsoleSite,
    (method, path): (Method, &str),
    given: &[(&'static str, &'static str)],
    op: Option<Op>,
) -> &'static str {
    let admitted = site.admit(&BrowserRequest {
        method: &method,
        host: Some("127.0.0.1:8080"),
        path,
        headers: &headers(given),
        operation: op.map(Op::info),
    });
    admitted.map_or_else(|error| error.code, |()| "-")
}

#[test]
fn the_console_calls_from_its_own_pages() {
    let site = ConsoleSite::Shared;
    let reads = |given: &[(&'static str, &'static str)]| {
        let call = (Method::GET, "/console/api/user");
        admitted(&site, call, given, Some(Op::UsersRetrieve))
    };
    assert_eq!(reads(&[OWN]), "-");
    assert_eq!(reads(&[SIBLING]), "IR_22");
    assert_eq!(reads(&[]), "IR_22");
    let writes = |given: &[(&'static str, &'static str)]| {
        let call = (Method::POST, "/console/api/refunds");
        admitted(&site, call, given, Some(Op::RefundsCreate))
    };
    assert_eq!(writes(&[OWN, JSON]), "-");
    for given in [&[OWN][..], &[OWN, FORM], &[OWN, BYTES], &[JSON]] {
        assert_eq!(writes(given), "IR_22", "{given:?}");
    }
    let attaches = |given: &[(&'static str, &'static str)]| {
        let call = (Method::PUT, "/console/api/disputes/evidence");
        admitted(&site, call, given, Some(Op::DisputesAttach))
    };
    assert_eq!(attaches(&[OWN, BYTES]), "-");
    assert_eq!(attaches(&[OWN, JSON]), "IR_22");
    let preflight = (Method::OPTIONS, "/console/api/user");
    assert_eq!(admitted(&site, preflight, &[SIBLING], None), "IR_22");
}

/// Otherwise a stranger's page could sign its visitors in to the stranger's account.
#[test]
fn no_other_page_begins_a_session() {
    let begins = |site: &ConsoleSite, given: &[(&'static str, &'static str)]| {
        let call = (Method::POST, "/user/console/session");
        admitted(site, call, given, Some(Op::ConsoleSessionsBegin))
    };
    assert_eq!(begins(&ConsoleSite::Shared, &[JSON]), "-");
    assert_eq!(begins(&ConsoleSite::Shared, &[JSON, SIBLING]), "IR_22");
    let old_browser = [JSON, ("origin", "https://evil.example")];
    assert_eq!(begins(&ConsoleSite::Shared, &old_browser), "IR_22");
    assert_eq!(begins(&ConsoleSite::Shared, &[JSON, OWN]), "-");
    assert_eq!(begins(&ConsoleSite::Closed, &[JSON, OWN]), "IR_02");
}

#[test]
fn without_a_console_there_are_only_other_addresses() {
    let site = ConsoleSite::Closed;
    let call = (Method::GET, "/console/api/user");
    assert_eq!(
        admitted(&site, call, &[OWN], Some(Op::UsersRetrieve)),
        "IR_02"
    );
    let call = (Method::GET, "/user");
    assert_eq!(admitted(&site, call, &[], Some(Op::UsersRetrieve)), "-");
    assert_eq!(site.session_cookie(&SecretText::new("t"), 1), None);
    assert_eq!(
        site.token(&headers(&[("cookie", "multirail_console=t")])),
        None
    );
}

#[test]
fn the_cookie_is_bound_to_the_path_of_the_console() {
    let cookie = ConsoleSite::Shared.session_cookie(&SecretText::new("t.o.k"), 60);
    let cookie = cookie.expect("a cookie");
    assert!(cookie.is_sensitive());
    assert_eq!(
        cookie.to_str().expect("a text"),
        "multirail_console=t.o.k; Path=/console/; Max-Age=60; HttpOnly; Secure; SameSite=Strict"
    );
    let ended = ConsoleSite::Shared.ended_cookie().expect("a cookie");
    assert_eq!(
        ended.to_str().expect("a text"),
        "multirail_console=; Path=/console/; Max-Age=0; HttpOnly; Secure; SameSite=Strict"
    );
}

#[test]
fn one_cookie_of_the_name_is_read() {
    for (given, token) in [
        (&[("cookie", "multirail_console=t")][..], Some("t")),
        (&[("cookie", "a=b; multirail_console=t; c")], Some("t")),
        (
            &[("cookie", "a=b"), ("cookie", "multirail_console=t")],
            Some("t"),
        ),
        (
            &[("cookie", "multirail_console=t; multirail_console=u")],
            None,
        ),
        (
            &[
                ("cookie", "multirail_console=t"),
                ("cookie", "multirail_console=t"),
            ],
            None,
        ),
        (&[("cookie", "multirail_console=")], Some("")),
        (&[("cookie", "xmultirail_console=t")], None),
        (&[("cookie", "multirail_console2=t")], None),
        (&[("cookie", "Multirail_console=t")], None),
        (&[], None),
    ] {
        assert_eq!(
            ConsoleSite::Shared.token(&headers(given)),
            token,
            "{given:?}"
        );
    }
}

#[test]
fn a_cookie_that_is_no_text_hides_no_other() {
    let read = |text: &[u8]| {
        let mut headers = headers(&[("cookie", "a=b")]);
        let cookie = HeaderValue::from_bytes(text).expect("a header");
        headers.append("cookie", cookie);
        ConsoleSite::Shared.token(&headers).map(str::to_owned)
    };
    let own = read(b"a=\xff; multirail_console=t");
    assert_eq!(own.as_deref(), Some("t"));
    let double = read(b"multirail_console=t; multirail_console=\xff");
    assert_eq!(double, None);
    assert_eq!(read(b"multirail_console=\xff"), None);
}

/// The provider sends the browser back without cookies of other sites. Only the page's own call has this one.
#[test]
fn a_sign_in_by_the_provider_has_a_cookie_of_its_own() {
    let begun = BegunOidc {
        token: SecretText::new("oidc_1"),
        screen: "/payments".to_owned(),
    };
    let cookie = ConsoleSite::Shared.oidc_cookie(&begun, 600);
    let cookie = cookie.expect("a cookie");
    assert!(cookie.is_sensitive());
    let text = cookie.to_str().expect("a text").to_owned();
    let (value, attributes) = text.split_once("; ").expect("attributes");
    assert_eq!(
        attributes,
        "Path=/console/; Max-Age=600; HttpOnly; Secure; SameSite=Strict"
    );
    let mut headers = headers(&[("cookie", "multirail_console=t")]);
    assert!(ConsoleSite::Shared.begun_oidc(&headers).is_none());
    headers.append("cookie", HeaderValue::from_str(value).expect("a header"));
    let read = ConsoleSite::Shared.begun_oidc(&headers).expect("a sign-in");
    assert_eq!(
        (read.token.expose(), read.screen.as_str()),
        ("oidc_1", "/payments")
    );
    assert_eq!(ConsoleSite::Shared.token(&headers), Some("t"));
    assert!(ConsoleSite::Closed.begun_oidc(&headers).is_none());
    assert_eq!(ConsoleSite::Closed.oidc_cookie(&begun, 600), None);
}

/// Otherwise a stranger's page could replace a sign-in that its visitors have begun.
#[test]
fn no_other_page_begins_a_sign_in_by_the_provider() {
    let begins = |given: &[(&'static str, &'static str)]| {
        let call = (Method::POST, "/user/console/oidc");
        let op = Some(Op::ConsoleSessionsBeginOidc);
        admitted(&ConsoleSite::Shared, call, given, op)
    };
    assert_eq!(begins(&[JSON]), "-");
    assert_eq!(begins(&[JSON, OWN]), "-");
    assert_eq!(begins(&[JSON, SIBLING]), "IR_22");
}
