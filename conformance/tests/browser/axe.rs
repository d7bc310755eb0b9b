//! The rules of axe-core, applied to the page that the browser shows.
//!
//! `MULTIRAIL_TEST_AXE` names the file of axe-core (`axe.min.js`). Without it the check prints that it did not run. With
//! `REQUIRE_AXE=1`, as in `.ci/run`, it fails instead.

use std::io::Write;
use std::sync::Once;

use serde_json::{Value, json};

use super::payer::Payer;

/// Runs the rules on a part of the page or on all of it, and returns each broken one with its elements.
const RUN: &str = r"
const [part, done] = arguments;
axe.run(part ? document.querySelector(part) : document, { resultTypes: ['violations'] }).then(
  ({ violations }) => done(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 160))])),
  (error) => done([[String(error)]]),
);
";

static SKIPPED: Once = Once::new();

/// Checks the page by every rule of axe-core.
pub async fn is_content(payer: &Payer) {
    runs(payer, Value::Null).await;
}

/// Checks the element that this selector finds, such as a dialog, without the rules for whole pages.
pub async fn is_content_with(payer: &Payer, css: &str) {
    payer.sees(css).await;
    runs(payer, json!(css)).await;
}

async fn runs(payer: &Payer, part: Value) {
    let Some(path) = std::env::var_os("MULTIRAIL_TEST_AXE") else {
        let is_required = std::env::var_os("REQUIRE_AXE").is_some_and(|value| value == "1");
        assert!(
            !is_required,
            "REQUIRE_AXE=1, but MULTIRAIL_TEST_AXE names no file"
        );
        SKIPPED.call_once(|| {
            // Writes to stderr directly, because the test harness hides the output of passing tests.
            let _ = writeln!(
                std::io::stderr(),
                "axe-core did not run: MULTIRAIL_TEST_AXE names no file"
            );
        });
        return;
    };
    let rules = std::fs::read_to_string(path).expect("the file of axe-core");
    payer.asks(&rules).await;
    let broken = payer.browser.execute_async(RUN, vec![part]).await;
    assert_eq!(broken.expect("an answer of axe-core"), json!([]));
}
