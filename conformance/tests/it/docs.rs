//! The document as pages for people: they hold together, and what the guides say works as it stands there.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Stdio;

use multirail_codegen::refusals::{Refusal, refusals};
use multirail_conformance::TestServer;
use multirail_conformance::document::{YAML, operations};
use multirail_conformance::wire::Wire;
use reqwest::Method;
use serde_json::json;
use tokio::process::Command;

/// In an order in which each finds what it needs.
const GUIDES: [&str; 9] = [
    "first-payment",
    "testing",
    "webhooks",
    "errors",
    "idempotency",
    "unknown-outcomes",
    "routing",
    "subscriptions",
    "going-live",
];

#[tokio::test]
async fn every_page_is_there_and_loads_nothing_from_elsewhere() {
    let server = TestServer::start().await;
    let wire = Wire::new(&server.address());
    let mut loaded = BTreeSet::new();
    for path in multirail_docs::pages() {
        let page = wire.request(Method::GET, &format!("/docs{path}")).await;
        assert_eq!(page.status, 200, "{path}");
        let policy = page.header("content-security-policy").expect("a policy");
        assert!(policy.starts_with("default-src 'none'"), "{policy}");
        assert!(
            !policy.contains("http") && !policy.contains('*'),
            "{policy}"
        );
        assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
        let html = page.body.as_str().expect("HTML");
        for part in html.split(['\n', '>']) {
            let asked = part.contains("<script") || part.contains("<link");
            let address = ["src=\"", "href=\""]
                .iter()
                .find_map(|name| part.split_once(name));
            if let (true, Some((_, address))) = (asked, address) {
                let address = address.split('"').next().unwrap_or_default();
                loaded.insert(
                    address
                        .trim_start_matches("../")
                        .trim_start_matches("docs/")
                        .to_owned(),
                );
            }
        }
    }
    loaded.remove("data:,");
    let names: Vec<&str> = loaded.iter().map(String::as_str).collect();
    let [page, start, viewer] = names[..] else {
        panic!("{names:?}");
    };
    assert_eq!((page, start), ("page.css", "start.js"));
    for name in [page, start] {
        let file = wire.request(Method::GET, &format!("/docs/{name}")).await;
        assert_eq!(
            (file.status, file.header("cache-control")),
            (200, Some("no-cache"))
        );
    }
    let viewer = wire.request(Method::HEAD, &format!("/docs/{viewer}")).await;
    assert_eq!(viewer.header("content-encoding"), Some("gzip"));
    let kept = viewer
        .header("cache-control")
        .expect("how long it may be kept");
    assert!(kept.contains("immutable"), "{kept}");
    let packed: u64 = viewer
        .header("content-length")
        .expect("a length")
        .parse()
        .expect("a number");
    assert!((500_000..3_000_000).contains(&packed), "{packed} bytes");
    let astray = wire.request(Method::GET, "/docs/guides/none").await;
    astray.refused(404, "IR_02");
}

#[test]
fn the_guide_to_errors_has_every_code_of_the_document() {
    let guide = guide("errors");
    let mut missing = BTreeSet::new();
    for place in YAML.match_indices('`').map(|(at, _)| &YAML[at + 1..]) {
        let Some((code, _)) = place.split_once('`') else {
            continue;
        };
        let is_code = matches!(code.as_bytes(), [a, b, b'_', c, d]
            if a.is_ascii_uppercase() && b.is_ascii_uppercase() && c.is_ascii_digit() && d.is_ascii_digit());
        // DC: what the simulated processor says of a payment.
        if is_code && !code.starts_with("DC_") && !guide.contains(&format!("`{code}`")) {
            missing.insert(code.to_owned());
        }
    }
    assert_eq!(missing, BTreeSet::new());
}

/// Whoever looks a code up finds the status that it came with.
#[test]
fn the_guide_to_errors_has_every_status_that_an_operation_lists_with_a_code() {
    let guide = guide("errors");
    let is_told = |refusal: &Refusal| {
        let code = format!("`{}`", refusal.code);
        let mut rows = guide.lines().filter(|line| line.starts_with('|'));
        rows.any(|row| {
            let mut cells = row.split('|').skip(1);
            let codes = cells.next().unwrap_or_default();
            let statuses = cells.next().unwrap_or_default();
            codes.contains(&code) && statuses.contains(&refusal.status.to_string())
        })
    };
    let listed = operations().iter().flat_map(|one| refusals(one.text()));
    let missing: BTreeSet<String> = listed
        .filter(|refusal| !is_told(refusal))
        .map(|refusal| format!("{} {}", refusal.status, refusal.code))
        .collect();
    assert_eq!(missing, BTreeSet::new());
}

/// All commands of all guides, one after the other, as a newcomer would enter them who knows what a sandbox prints.
#[tokio::test]
async fn the_commands_of_the_guides_work_as_they_stand_there() {
    let server = TestServer::start().await;
    let key = server
        .operator("api_keys_create")
        .at("merchant_id", "demo")
        .json(&json!({ "name": "till", "expiration": "never" }));
    let key = key.await.ok();
    let home = tempfile::tempdir().expect("a folder");
    // A refusal ends the story with what the server said.
    std::fs::write(home.path().join(".curlrc"), "fail-with-body\nshow-error\n").expect("a file");
    let data = home.path().join("multirail-data");
    std::fs::create_dir(&data).expect("a folder");
    std::fs::write(data.join("admin.key"), server.admin_key()).expect("a file");
    for name in GUIDES {
        let mut script = String::from("set -e -o pipefail\n");
        let guide = guide(name);
        let blocks = guide
            .split("```sh\n")
            .skip(1)
            .filter_map(|rest| rest.split_once("```"));
        for (block, _) in blocks.filter(|(block, _)| block.contains("curl ")) {
            writeln!(script, "{block}").expect("a text");
        }
        let done = Command::new("bash")
            .args(["-c", &script])
            .env("HOME", home.path())
            .env("URL", server.url())
            .env("KEY", key["api_key"].as_str().expect("a key"))
            .current_dir(home.path())
            .stdin(Stdio::null())
            .output()
            .await
            .expect("bash and curl are installed");
        let said = String::from_utf8_lossy(&done.stdout);
        let complaint = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{name}: {complaint}\n{said}");
        if name == "first-payment" {
            for status in [
                "requires_payment_method",
                "requires_capture",
                "partially_captured",
            ] {
                assert!(
                    said.contains(&format!("\"status\":\"{status}\"")),
                    "{status}: {said}"
                );
            }
        }
    }
}

fn guide(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/docs/guides");
    let path = folder.join(format!("{name}.md"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
