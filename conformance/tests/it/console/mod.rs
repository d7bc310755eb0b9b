//! The console: its files, its place at the server, and the sessions of the users who work in it.

mod link;
mod operator;
mod origins;
mod provider;
mod served;
mod sessions;

use multirail_conformance::{Call, Response, wire::Wire};
use reqwest::Method;
use serde_json::Value;

/// A page of the console in a browser, which keeps the cookie.
#[derive(Clone)]
struct Page {
    wire: Wire,
    cookie: Option<String>,
}

impl Page {
    fn at(address: &str) -> Self {
        Self {
            wire: Wire::new(address),
            cookie: None,
        }
    }

    /// Builds a call as the page's script makes it.
    fn asks(&self, method: Method, path: &str) -> Call {
        let call = self.wire.request(method, &format!("/console/api{path}"));
        let call = call.header("sec-fetch-site", "same-origin");
        match &self.cookie {
            Some(cookie) => call.header("cookie", cookie),
            None => call,
        }
    }

    fn gets(&self, path: &str) -> Call {
        self.asks(Method::GET, path)
    }

    fn posts(&self, path: &str, body: &Value) -> Call {
        self.asks(Method::POST, path).json(body)
    }

    /// Begins a session in one of the ways of `console_sessions_begin`.
    async fn begins(&mut self, way: &Value) -> Value {
        let answer = self.posts("/user/console/session", way).await;
        self.keeps(&answer);
        answer.ok()
    }

    /// Keeps the cookie of an answer, if it sets one.
    fn keeps(&mut self, answer: &Response) {
        let pair = answer
            .header("set-cookie")
            .and_then(|set| set.split(';').next());
        self.cookie = pair.map(str::to_owned).or(self.cookie.take());
    }
}
