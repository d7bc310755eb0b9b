//! The checkout that shops embed, as HTTP clients see it: the loader, the frame and its files, and the pages that may
//! embed it. The tests in `client/checkout` play the payer, without a browser.

mod frames;
mod places;
mod served;

use multirail_conformance::{Call, Response, Shop};
use reqwest::Method;

const FRAME: &str = "/checkout/v1/frame";

/// Asks for the frame of a shop, as the loader does on the shop's page.
fn opens(shop: &Shop, profile_id: Option<&str>) -> Call {
    let call = shop.wire.request(Method::GET, FRAME);
    let call = call.query("key", &shop.publishable_key).unjudged();
    match profile_id {
        Some(profile_id) => call.query("profile", profile_id),
        None => call,
    }
}

/// Returns the pages that may embed an answer, as its policy says.
fn embedders(answer: &Response) -> String {
    let policy = answer.header("content-security-policy").expect("a policy");
    let mut directives = policy.split("; ");
    let found = directives.find_map(|one| one.strip_prefix("frame-ancestors "));
    found.expect("a directive").to_owned()
}

/// Returns a value that the server wrote into the frame's page.
fn value(answer: &Response, name: &str) -> String {
    assert_eq!(answer.status, 200, "{}", answer.text);
    let start = format!("<meta name=\"{name}\" content=\"");
    let (_, rest) = answer.text.split_once(&start).expect("the value");
    let (value, _) = rest.split_once('"').expect("its end");
    value.replace("&quot;", "\"")
}
