//! Reads the request log as a merchant does.

use multirail_verifier::patience::until_found;
use serde_json::Value;

use crate::{Call, Response};

/// Returns the id of an answered request.
pub fn request_id(answer: &Response) -> String {
    let id = answer.header("request-id");
    id.expect("every answer has one").to_owned()
}

/// Returns a logged request with its bodies, once it is stored.
pub async fn logged(call: impl Fn(&str) -> Call, answer: &Response) -> Value {
    let id = request_id(answer);
    until_found("the request is in the log", async || {
        let found = call("request_log_retrieve").at("request_id", &id).await;
        match found.status {
            200 => Ok(found.ok()),
            _ => Err(found.text.clone()),
        }
    })
    .await
}

/// Returns the texts of the whole log, with all bodies, once a request is in it.
pub async fn everything(call: impl Fn(&str) -> Call, last: &Response) -> Vec<String> {
    logged(&call, last).await;
    let mut all = Vec::new();
    let mut before: Option<String> = None;
    loop {
        let page = call("request_log_list").query("limit", 100);
        let page = match &before {
            Some(id) => page.query("before", id),
            None => page,
        };
        let page = page.await;
        all.push(page.text.clone());
        let page = page.ok();
        let ids: Vec<&str> = page.as_array().expect("a list").iter().map(id).collect();
        for id in &ids {
            let one = call("request_log_retrieve").at("request_id", id).await;
            all.push(one.text.clone());
        }
        match ids.last() {
            Some(last) => before = Some((*last).to_owned()),
            None => return all,
        }
    }
}

/// Returns the id of a logged request.
pub fn id(entry: &Value) -> &str {
    entry["request_id"].as_str().expect("an id")
}
