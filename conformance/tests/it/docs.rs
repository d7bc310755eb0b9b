//! The document as pages for people: the pages are consistent, and the guides' commands work unchanged.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;

use multirail_codegen::refusals::{Refusal, refusals};
use multirail_conformance::bodies::{DISPUTED, PENDING, order_with, paid_with, with};
use multirail_conformance::document::{Operation, YAML, operation, operations};
use multirail_conformance::notice::SECRET;
use multirail_conformance::patience::until;
use multirail_conformance::wire::Wire;
use multirail_conformance::{Response, Shop, TestServer};
use multirail_simulator::notice::{SIGNATURE_HEADER, sign};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::process::Command;

use crate::disputes::evidence::attaches;
use crate::disputes::raised;
use crate::notices::{door, shop_with_notice_secret};

/// The media type of bodies that aren't JSON.
const BYTES: &str = "application/octet-stream";

/// The guides in an order in which each finds the objects that it needs.
const GUIDES: [&str; 13] = [
    "first-payment",
    "testing",
    "webhooks",
    "errors",
    "idempotency",
    "unknown-outcomes",
    "routing",
    "embedded-checkout",
    "payment-links",
    "wallets",
    "subscriptions",
    "users-and-platforms",
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

#[tokio::test]
async fn each_link_of_llms_txt_leads_to_markdown() {
    let server = TestServer::start().await;
    let wire = Wire::new(&server.address());
    let contents = wire.request(Method::GET, "/llms.txt").await;
    let markdown = Some("text/markdown; charset=utf-8");
    assert_eq!(
        (contents.status, contents.header("content-type")),
        (200, markdown)
    );
    let restricting = [multirail_docs::READS, "no-referrer", "nosniff"].map(Some);
    assert_eq!(restrictions(&contents), restricting);
    let text = contents.body.as_str().expect("a text");
    assert!(text.starts_with("# multirail\n\n> "), "{text}");
    let (needed, optional) = text.split_once("## Optional").expect("a part for the rest");
    let guides = multirail_docs::pages().count() - 1;
    assert_eq!(
        needed.matches("](").count(),
        guides + 1,
        "all guides and the reference"
    );
    let json_type = Some("application/json");
    let others = [Some("application/yaml"), json_type, json_type];
    assert_eq!(links(optional).count(), others.len(), "{optional}");
    let needed = links(needed).map(|link| (link, markdown));
    for (link, expected) in needed.chain(links(optional).zip(others)) {
        let path = link
            .strip_prefix(server.url())
            .expect("this server's address");
        let found = wire.request(Method::GET, path).await;
        assert_eq!(
            (found.status, found.header("content-type")),
            (200, expected),
            "{link}"
        );
        assert_eq!(restrictions(&found), restricting, "{link}");
    }
    wire.request(Method::GET, "/docs/guides/none.md")
        .await
        .refused(404, "IR_02");
}

/// Returns the headers that keep browsers from running or framing a document.
fn restrictions(answer: &Response) -> [Option<&str>; 3] {
    [
        "content-security-policy",
        "referrer-policy",
        "x-content-type-options",
    ]
    .map(|name| answer.header(name))
}

fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](")
        .skip(1)
        .filter_map(|part| part.split(')').next())
}

#[tokio::test]
async fn reference_and_postman_collection_have_every_operation() {
    let server = TestServer::start().await;
    let wire = Wire::new(&server.address());
    let reference = wire.request(Method::GET, "/docs/reference.md").await;
    let reference = reference.body.as_str().expect("a text").to_owned();
    let collection = wire.request(Method::GET, "/docs/postman.json").await.ok();
    assert_eq!(
        collection["variable"][0],
        json!({"key": "baseUrl", "value": server.url()})
    );
    let folders = collection["item"].as_array().expect("folders");
    let first_payment = folders[0]["item"].as_array().map(Vec::len);
    assert_eq!(
        first_payment,
        Some(5),
        "create, confirm, capture, refund, list"
    );
    let items = folders
        .iter()
        .flat_map(|folder| folder["item"].as_array().expect("requests"));
    let ids: BTreeSet<&str> = items.filter_map(|item| item["id"].as_str()).collect();
    for operation in operations() {
        assert!(
            ids.contains(&*operation.id),
            "the collection lacks {}",
            operation.id
        );
        let line = format!(
            "`{} {}` (`{}`)",
            operation.method, operation.path, operation.id
        );
        assert!(reference.contains(&line), "the reference lacks {line}");
    }
}

/// The viewer and the document have about one megabyte each; meanwhile a person can read.
#[tokio::test]
async fn the_reference_says_something_before_it_is_loaded() {
    let server = TestServer::start().await;
    let wire = Wire::new(&server.address());
    let page = wire.request(Method::GET, "/docs").await;
    let html = page.body.as_str().expect("HTML");
    let (before, _) = html.split_once("<script").expect("scripts");
    assert!(
        before.contains("The reference of every operation is being loaded"),
        "{before}"
    );
    assert!(
        before.contains(&format!("This server is {}", server.url())),
        "{before}"
    );
    for script in html.split("<script src").skip(1) {
        let tag = script.split('>').next().unwrap_or_default();
        assert!(tag.contains("defer"), "{tag}");
    }
    // The examples of a guide call the server that serves the guide.
    let guide = wire
        .request(Method::GET, "/docs/guides/first-payment")
        .await;
    let html = guide.body.as_str().expect("HTML");
    assert!(
        html.contains(&format!("export URL={}", server.url())),
        "{html}"
    );
}

/// The reference's samples of calls send the document's examples.
#[tokio::test]
async fn the_examples_of_bytes_are_taken_as_they_stand_there() {
    let example = |id: &str| operation(id).example(BYTES).and_then(Value::as_str);
    let shop = shop_with_notice_secret().await;
    let payment = shop.creates(paid_with(DISPUTED)).await.ok();
    let dispute = raised(&shop, &payment, "dispute", "dispute_opened").await;
    let file = example("disputes_attach").expect("a file");
    attaches(&shop, &dispute, "receipt", file).await.ok();

    let notice = example("notices_receive").expect("a notice");
    let told = door(&shop).header(SIGNATURE_HEADER, &sign(SECRET, notice));
    told.text(BYTES, notice).await.ok();
    // The notice is read after it was answered.
    let kinds = json!(["capture.done"]);
    until(
        "the notice is read",
        async || shop.server.operator("notices_list").await.ok(),
        |filed| filed[0]["kinds"] == kinds,
    )
    .await;

    let takes_bytes = |one: &&Operation| one.text()["requestBody"]["content"][BYTES].is_object();
    let all: Vec<&str> = operations()
        .iter()
        .filter(takes_bytes)
        .map(|one| one.id.as_str())
        .collect();
    assert_eq!(all, ["disputes_attach", "notices_receive"]);
}

/// The copied examples create what their text says.
#[tokio::test]
async fn the_examples_of_orders_and_of_profiles_work_as_they_stand_there() {
    const JSON: &str = "application/json";
    let shop = Shop::open().await;
    let orders = operation("payments_create").examples(JSON);
    assert!(orders.len() >= 5, "{orders:?}");
    for (name, order) in orders {
        let made = shop.creates(order.clone()).await.ok();
        let is_paid = order["confirm"] == true;
        assert_eq!(
            made["status"] == "requires_capture",
            is_paid,
            "{name}: {made}"
        );
    }
    let update = operation("business_profiles_update");
    for (_, change) in update.examples(JSON) {
        let call = shop.call(&update.id).at("profile_id", &shop.profile_id);
        let told = call.json(change).await.ok();
        for (member, value) in change.as_object().into_iter().flatten() {
            for (inner, value) in value.as_object().into_iter().flatten() {
                assert_eq!(told[member][inner], *value, "{member}.{inner}");
            }
        }
    }
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
        // DC codes are messages of the simulated processor about a payment.
        if is_code && !code.starts_with("DC_") && !guide.contains(&format!("`{code}`")) {
            missing.insert(code.to_owned());
        }
    }
    assert_eq!(missing, BTreeSet::new());
}

/// A reader who looks a code up finds the status that came with it.
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

/// The guide tells callers to repeat exactly where waiting helps, and not where the caller is at fault.
#[test]
fn the_guide_to_errors_has_each_refusal_mended_by_whom_it_is_about() {
    let guide = guide("errors");
    let (_, rest) = guide.split_once("## What to do").expect("what to do");
    let table = rest.split("\n## ").next().unwrap_or_default();
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with('|')).collect();
    let about = |row: &str| row.split('|').nth(1).unwrap_or_default().to_owned();
    let mut count = 0;
    for operation in operations() {
        for Refusal { status, code, why } in refusals(operation.text()) {
            let of_status = || {
                let all = rows.iter().copied();
                all.filter(|row| about(row).contains(&status.to_string()))
            };
            let of_code = of_status().find(|row| about(row).contains(&format!("`{code}`")));
            let row = of_code.or_else(|| of_status().find(|row| !about(row).contains('`')));
            let row = row.unwrap_or_else(|| panic!("nobody says what to do about {status} {code}"));
            let passes = code == "HE_00" || status == 429;
            assert_eq!(row.contains("repeat"), passes, "{code} {why}: {row}");
            count += 1;
        }
    }
    assert!(count > 500, "{count}");
}

/// The guide never advises to cancel a payment that can't be cancelled: a merchant who believes it was would charge
/// twice.
#[tokio::test]
async fn an_unknown_outcome_ends_as_its_guide_says() {
    let said = guide("unknown-outcomes");
    assert!(
        said.contains("It can't be\ncancelled then, either (400 `IR_16`)"),
        "{said}"
    );
    let shop = Shop::open().await;
    for method in ["automatic", "manual"] {
        let more = json!({ "confirm": true, "capture_method": method });
        let open = shop.creates(with(order_with(PENDING), more)).await.ok();
        assert_eq!(open["status"], "processing");
        let cancelled = shop.cancels(&open, json!({})).await;
        cancelled.refused(400, "IR_16");
        let known = shop.asks_about(&open).await.ok();
        let (status, given_back) = match method {
            "manual" => ("requires_capture", shop.cancels(&known, json!({}))),
            _ => ("succeeded", shop.refunds(&known, json!({}))),
        };
        assert_eq!(known["status"], status);
        given_back.await.ok();
    }
}

/// Runs all commands of all guides in order, as a newcomer would who has the sandbox's output.
#[tokio::test]
async fn the_commands_of_the_guides_work_as_they_stand_there() {
    let newcomer = Newcomer::at(TestServer::start().await).await;
    for name in GUIDES {
        let printed = newcomer.enters(name, &guide(name)).await;
        for expected in expected_in(name) {
            assert!(printed.contains(expected), "{name}: {expected}: {printed}");
        }
    }
}

/// Returns texts that the commands of a guide print.
fn expected_in(guide: &str) -> &'static [&'static str] {
    match guide {
        "first-payment" => &[
            "\"status\":\"requires_payment_method\"",
            "\"status\":\"requires_capture\"",
            "\"status\":\"partially_captured\"",
        ],
        "embedded-checkout" => &[
            "\"checkout_origins\":[\"https://shop.example\",",
            "\"client_secret\":\"",
        ],
        "payment-links" => &["\"link\":\"http"],
        "wallets" => &["\"wallet_name\":\"paypal\""],
        "users-and-platforms" => &["ada@books.example", "\"merchant_id\":\"flower_stall\""],
        _ => &[],
    }
}

/// The README is the first page that a newcomer sees.
#[tokio::test]
async fn the_commands_of_the_readme_work_as_they_stand_there() {
    let newcomer = Newcomer::at(TestServer::start().await).await;
    let readme = read("../README.md").replace("http://127.0.0.1:8080", newcomer.server.url());
    let printed = newcomer.enters("README", &readme).await;
    let captured = "\"status\":\"partially_captured\"";
    assert!(printed.contains(captured), "{printed}");
}

/// A newcomer who has started a sandbox, and has the keys that it printed.
struct Newcomer {
    server: Arc<TestServer>,
    home: tempfile::TempDir,
    key: String,
}

impl Newcomer {
    async fn at(server: Arc<TestServer>) -> Self {
        let key = server
            .operator("api_keys_create")
            .at("merchant_id", "demo")
            .json(&json!({ "name": "till", "expiration": "never" }));
        let key = key.await.ok();
        let home = tempfile::tempdir().expect("a folder");
        // On a refusal, the script prints the server's answer and stops.
        std::fs::write(home.path().join(".curlrc"), "fail-with-body\nshow-error\n")
            .expect("a file");
        let data = home.path().join("multirail-data");
        std::fs::create_dir(&data).expect("a folder");
        std::fs::write(data.join("admin.key"), server.admin_key()).expect("a file");
        Self {
            key: key["api_key"].as_str().expect("a key").to_owned(),
            server,
            home,
        }
    }

    /// Runs each block of commands that calls the server, and returns the output.
    async fn enters(&self, name: &str, text: &str) -> String {
        let mut script = String::from("set -e -o pipefail\n");
        let blocks = text
            .split("```sh\n")
            .skip(1)
            .filter_map(|rest| rest.split_once("```"));
        let is_his = |block: &str| block.contains("curl ");
        for (block, _) in blocks.filter(|(block, _)| is_his(block)) {
            writeln!(script, "{block}").expect("a text");
        }
        let done = Command::new("bash")
            .args(["-c", &script])
            .env("HOME", self.home.path())
            .env("URL", self.server.url())
            .env("KEY", &self.key)
            .env("ADMIN_KEY", self.server.admin_key())
            .current_dir(self.home.path())
            .stdin(Stdio::null())
            .output()
            .await
            .expect("bash and curl are installed");
        let said = String::from_utf8_lossy(&done.stdout).into_owned();
        let complaint = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{name}: {complaint}\n{said}");
        said
    }
}

fn guide(name: &str) -> String {
    read(&format!("../server/docs/guides/{name}.md"))
}

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
