//! The console's files, as a browser gets them.

use std::fs;
use std::path::Path;

use multirail_conformance::{TestServer, wire::Wire};
use reqwest::Method;

#[tokio::test]
async fn every_screen_gets_the_page_with_a_strict_policy() {
    let server = TestServer::start().await;
    let wire = Wire::new(&server.address());
    let short = wire.request(Method::GET, "/console").await;
    assert_eq!(
        (short.status, short.header("location")),
        (302, Some("console/"))
    );
    for screen in ["/console/", "/console/payments/pay_1"] {
        let page = wire.request(Method::HEAD, screen).await;
        assert_eq!(page.status, 200, "{screen}");
        for (name, value) in [
            ("content-type", "text/html; charset=utf-8"),
            ("content-encoding", "gzip"),
            ("cache-control", "no-cache"),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(page.header(name), Some(value), "{screen}");
        }
        let policy = page.header("content-security-policy").expect("a policy");
        let directives: Vec<&str> = policy.split("; ").collect();
        for directive in [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        ] {
            assert!(directives.contains(&directive), "{directive}: {policy}");
        }
    }
    for path in ["/console/assets/none-0123456789.js", "/console/assets"] {
        let astray = wire.request(Method::GET, path).await;
        astray.refused(404, "IR_02");
    }
    let post = wire.request(Method::POST, "/console/").await;
    post.refused(404, "IR_02");
}

/// Browsers would refuse both by the page's policy.
#[test]
fn the_built_page_has_no_inline_script_or_style() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("../client/console/dist/index.html"));
    let page = page.expect("the built page").to_ascii_lowercase();
    let (mut scripts, mut styles) = (0, 0);
    for part in page.split('<').skip(1) {
        let (tag, text) = part.split_once('>').expect("a tag");
        let name = tag.split_whitespace().next().unwrap_or_default();
        assert_ne!(name, "style", "{tag}");
        for attribute in tag.split_whitespace().skip(1) {
            let runs = attribute.starts_with("on") || attribute.contains("javascript:");
            assert!(!runs && !attribute.starts_with("style="), "{tag}");
        }
        if name == "script" {
            scripts += 1;
            assert!(tag.contains(" src=\"/console/assets/"), "{tag}");
            assert_eq!(text.trim(), "", "{tag}");
        }
        if tag.contains("rel=\"stylesheet\"") {
            styles += 1;
            assert!(tag.contains(" href=\"/console/assets/"), "{tag}");
        }
    }
    assert_eq!((scripts, styles), (1, 1), "{page}");
}

/// A server that moves real money has no console at the payers' origin.
#[tokio::test]
async fn production_has_no_console_at_the_payers_origin() {
    let server = TestServer::start_in_production(|inputs| inputs).await;
    let wire = Wire::new(&server.address());
    for path in ["/console", "/console/", "/console/payments"] {
        let astray = wire.request(Method::GET, path).await;
        astray.refused(404, "IR_02");
    }
    let program = wire.request(Method::GET, "/").await.ok();
    assert_eq!(program["console"], serde_json::Value::Null);
}
