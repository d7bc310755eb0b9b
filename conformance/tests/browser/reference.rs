//! A newcomer reads the API reference in a browser and tries a call.

use fantoccini::Locator;
use fantoccini::key::Key;
use multirail_conformance::document::operations;
use multirail_conformance::patience::PATIENCE;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::payer::Payer;

const SEARCH: Locator<'_> = Locator::XPath("//button[.//*[normalize-space()='Open Search']]");
const TRY_CREATE: Locator<'_> =
    Locator::XPath("//button[contains(., 'Test Request') and contains(., '(post /payments)')]");
const KEY: Locator<'_> = Locator::XPath("//label[normalize-space()='Value']/ancestor::*[2]//input");
const LANGUAGES: Locator<'_> = Locator::XPath(
    "//button[contains(., 'Test Request') and contains(., '(post /payments)')]\
     /preceding::button[contains(normalize-space(.), 'Curl')][1]",
);
const TYPESCRIPT: Locator<'_> =
    Locator::XPath("//*[@role='option'][normalize-space()='TypeScript']");
const SEND: Locator<'_> = Locator::XPath("//button[contains(., 'Send post request')]");

async fn opens(newcomer: &Payer, path: &str) {
    // A change of the fragment alone would not reload the page.
    newcomer.browser.goto("about:blank").await.expect("a page");
    let address = format!("{}{path}", newcomer.shop.server.url());
    newcomer.browser.goto(&address).await.expect("the page");
}

/// Waits until a script returns true. Prints the page only at the end: it is too long to read at each poll.
async fn comes_true(newcomer: &Payer, question: &str) {
    let limit = Instant::now() + PATIENCE;
    while newcomer.asks(question).await != json!(true) {
        assert!(Instant::now() < limit, "{}", newcomer.page().await);
    }
}

/// Checks that the console holds nothing but the viewer's name and version.
async fn heard_no_complaint(newcomer: &Payer) {
    let mut said = newcomer.console().await;
    said.retain(|line| !line.contains("@scalar/api-reference@"));
    assert_eq!(said, Vec::<String>::new());
}

/// The viewer and the document have about one megabyte each. The first response holds text to read meanwhile; without
/// scripts, nothing replaces it. The time to the first paint is printed but not judged, because machines differ.
pub async fn something_is_read_before_any_script(newcomer: Payer) {
    newcomer.runs_scripts(false).await;
    opens(&newcomer, "/docs").await;
    newcomer.reads("multirail").await;
    let seen = newcomer.asks("return document.body.innerText").await;
    let seen = seen.as_str().expect("a text");
    let server = format!("This server is {}", newcomer.shop.server.url());
    for text in [
        "The reference of every operation is being loaded",
        server.as_str(),
    ] {
        assert!(seen.contains(text), "{seen}");
    }
    let loaded = "return document.querySelectorAll('[role=option], button').length";
    assert_eq!(newcomer.asks(loaded).await, json!(0), "{seen}");

    newcomer.runs_scripts(true).await;
    opens(&newcomer, "/docs").await;
    newcomer.finds(SEARCH).await;
    let painted = "return performance.getEntriesByName('first-contentful-paint')[0].startTime";
    println!(
        "something is painted after {} ms",
        newcomer.asks(painted).await
    );
    heard_no_complaint(&newcomer).await;
}

pub async fn an_operation_is_found(newcomer: Payer) {
    opens(&newcomer, "/docs").await;
    newcomer.reads("multirail").await;
    searches(&newcomer, "capture a payment").await;
    newcomer
        .sees_text("[role=option]", "/payments/{payment_id}/capture")
        .await;
    heard_no_complaint(&newcomer).await;
}

async fn searches(newcomer: &Payer, words: &str) {
    let search = newcomer.finds(SEARCH).await;
    search.click().await.expect("a button");
    let field = newcomer
        .sees("[role=combobox][aria-autocomplete=list]")
        .await;
    field.send_keys(words).await.expect("a field");
}

/// The search also finds guides, their sections, error codes, and the webhook request.
pub async fn the_search_also_finds_other_pages(newcomer: Payer) {
    for (wanted, kind) in [
        ("Test cards", "Heading"),
        ("Check that it is ours", "Heading"),
        ("IR_16", "Heading"),
        ("An event of the merchant", "Webhook"),
    ] {
        opens(&newcomer, "/docs").await;
        newcomer.reads("multirail").await;
        searches(&newcomer, wanted).await;
        let first = "[role=option]:first-child";
        newcomer.sees_text(first, wanted).await;
        newcomer.sees_text(first, kind).await;
    }
    heard_no_complaint(&newcomer).await;
}

pub async fn a_payment_is_tried(newcomer: Payer) {
    opens(&newcomer, "/docs#tag/payments/POST/payments").await;
    let button = newcomer.finds(TRY_CREATE).await;
    button.click().await.expect("a button");
    let field = newcomer.finds(KEY).await;
    let typed = format!("{}{}", newcomer.shop.api_key, char::from(Key::Tab));
    field.send_keys(&typed).await.expect("a field");
    let button = newcomer.finds(SEND).await;
    button.click().await.expect("a button");
    let answered = "return [...document.querySelectorAll('.cm-line')]
        .some((line) => line.textContent.includes('\"requires_payment_method\"'))";
    comes_true(&newcomer, answered).await;
    let listed = newcomer.shop.call("payments_list").await.ok();
    assert_eq!(listed["data"][0]["amount"], 6540, "{listed}");
    heard_no_complaint(&newcomer).await;
}

pub async fn a_call_is_shown_in_other_languages(newcomer: Payer) {
    opens(&newcomer, "/docs#tag/payments/POST/payments").await;
    // The languages stand next to the operation, where it can be tried.
    newcomer.finds(TRY_CREATE).await;
    let button = newcomer.finds(LANGUAGES).await;
    button.click().await.expect("a button");
    for language in ["Curl", "reqwest", "Requests"] {
        let option = format!("//*[@role='option'][normalize-space()='{language}']");
        newcomer.finds(Locator::XPath(&option)).await;
    }
    let option = newcomer.finds(TYPESCRIPT).await;
    option.click().await.expect("an option");
    let shown = "return [...document.querySelectorAll('pre code')]
        .some((code) => code.textContent.includes(\"paths['/payments']['post']['responses']\"))";
    comes_true(&newcomer, shown).await;
    heard_no_complaint(&newcomer).await;
}

/// Also for bodies that aren't JSON.
pub async fn a_call_is_shown_with_what_it_sends(newcomer: Payer) {
    const BYTES: &str = "application/octet-stream";
    let mut count = 0;
    for operation in operations() {
        let Some(sent) = operation.example(BYTES).and_then(Value::as_str) else {
            continue;
        };
        let tag = operation.text()["tags"][0].as_str().expect("a tag");
        let (tag, method, path) = (tag.to_lowercase(), &operation.method, &operation.path);
        opens(&newcomer, &format!("/docs#tag/{tag}/{method}{path}")).await;
        let begin: String = sent.chars().take(24).collect();
        let sample = json!(format!("--data-binary '{begin}"));
        let shown = format!(
            "return [...document.querySelectorAll('pre code')]
                .some((code) => code.textContent.includes({sample}))"
        );
        comes_true(&newcomer, &shown).await;
        count += 1;
    }
    assert_eq!(count, 2);
    heard_no_complaint(&newcomer).await;
}

pub async fn a_guide_leads_to_the_next(newcomer: Payer) {
    opens(&newcomer, "/docs").await;
    newcomer.presses("header nav a").await;
    newcomer.reads("A first payment").await;
    newcomer.presses("main a[href=webhooks]").await;
    newcomer.reads("Webhooks").await;
    newcomer.presses("header .name").await;
    newcomer.reads("multirail").await;
    heard_no_complaint(&newcomer).await;
}

pub async fn it_fits_a_phone(newcomer: Payer) {
    let phone = json!({ "width": 390, "height": 800, "deviceScaleFactor": 2, "mobile": true });
    newcomer
        .tool("Emulation.setDeviceMetricsOverride", phone)
        .await;
    for path in multirail_docs::pages() {
        opens(&newcomer, &format!("/docs{path}")).await;
        newcomer.sees("h1").await;
        assert_eq!(newcomer.widths().await, json!([390, 390]), "{path}");
        // Wide tables scroll in their boxes instead of breaking words.
        let narrow = "return [...document.querySelectorAll('.wide td')].filter((cell) => cell.offsetWidth < 40).length";
        assert_eq!(newcomer.asks(narrow).await, json!(0), "{path}");
    }
    heard_no_complaint(&newcomer).await;
}
