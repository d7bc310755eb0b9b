//! Records what a connector and a stand-in exchange, for the judge (`judge/README.md`) and for snapshots of stories.
//!
//! If `MULTIRAIL_TEST_JUDGE` names a folder, each exchange that `peer.yaml` describes and each notice is
//! written there, in the file of its connector: one JSON document a line, each form once.

use std::collections::{BTreeMap, HashSet};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, Mutex};

use async_trait::async_trait;
use http::HeaderMap;
use multirail_peers::{Call, Document, Notice, Processor, Reply, StandIn};
use serde_json::{Value, json};

const FOLDER: &str = "MULTIRAIL_TEST_JUDGE";

/// The forms that this process has already written.
static WRITTEN: LazyLock<Mutex<HashSet<String>>> = LazyLock::new(Mutex::default);

/// A stand-in whose exchanges are recorded.
pub struct Recorded<S> {
    stand_in: Arc<S>,
    file: Option<PathBuf>,
    /// The exchanges since the last [`Exchanges::take`].
    exchanges: Arc<Exchanges>,
}

/// The exchanges of one stand-in, in their order.
#[derive(Default)]
pub struct Exchanges(Mutex<Vec<(Call, Reply)>>);

impl Exchanges {
    /// Takes the exchanges so far.
    pub fn take(&self) -> Vec<(Call, Reply)> {
        std::mem::take(&mut self.0.lock().expect("no writer panics"))
    }
}

impl<S: StandIn> Recorded<S> {
    pub fn new(connector: &str, stand_in: Arc<S>) -> Self {
        let folder = std::env::var_os(FOLDER).map(PathBuf::from);
        let file = folder.map(|folder| folder.join(format!("{connector}.jsonl")));
        Recorded {
            stand_in,
            file,
            exchanges: Arc::default(),
        }
    }

    pub fn exchanges(&self) -> Arc<Exchanges> {
        Arc::clone(&self.exchanges)
    }

    fn write(&self, form: &Value, line: &Value) {
        let Some(file) = &self.file else { return };
        // Other tests write at the same time: lines must stay whole.
        let mut written = WRITTEN.lock().expect("no writer panics");
        if written.insert(format!("{} {form}", file.display())) {
            let file = OpenOptions::new().create(true).append(true).open(file);
            let mut file = file.expect("the folder exists");
            writeln!(file, "{line}").expect("the line is written");
        }
    }

    fn write_exchange(&self, call: &Call, reply: &Reply) {
        let raw = &call.raw;
        let line = json!({
            "operation": call.operation,
            "method": raw.method.as_str(),
            "path": raw.path,
            "query": raw.query,
            "headers": texts(&raw.headers),
            "body": String::from_utf8_lossy(&raw.body),
            "read": { "path": call.path, "query": call.query, "body": call.body },
            "status": reply.status,
            "answer": reply.body,
        });
        let names: Vec<&str> = raw.headers.keys().map(http::HeaderName::as_str).collect();
        let form = json!([
            call.operation,
            names,
            form(&call.query),
            form(&call.body),
            reply.status,
            form(&reply.body),
        ]);
        self.write(&form, &line);
    }

    fn write_notice(&self, notice: &Notice) {
        let body = String::from_utf8_lossy(&notice.body);
        let headers: BTreeMap<&str, &str> = (notice
            .headers
            .iter()
            .map(|(name, value)| (*name, value.as_str())))
        .collect();
        let secret = self.stand_in.notice_secret();
        let line = json!({ "notice": { "headers": headers, "body": body, "secret": secret } });
        let read: Value = serde_json::from_str(&body).expect("notices are JSON");
        self.write(&json!(["notice", form(&read)]), &line);
    }
}

#[async_trait]
impl<S: StandIn> Processor for Recorded<S> {
    fn document(&self) -> &'static Document {
        self.stand_in.document()
    }

    async fn answer(&self, call: Call) -> Reply {
        let asked = call.clone();
        let reply = self.stand_in.answer(call).await;
        if self.file.is_some() {
            self.write_exchange(&asked, &reply);
        }
        let mut exchanges = self.exchanges.0.lock().expect("no writer panics");
        exchanges.push((asked, reply.clone()));
        drop(exchanges);
        reply
    }

    fn refuse(&self, message: &str) -> Reply {
        self.stand_in.refuse(message)
    }
}

impl<S: StandIn> Recorded<S> {
    /// Records the notices so far.
    pub fn record_notices(&self) {
        if self.file.is_some() {
            for notice in self.stand_in.notices() {
                self.write_notice(&notice);
            }
        }
    }
}

/// Returns the shape of a value: names, types and words. Ids, amounts and sentences don't matter.
fn form(value: &Value) -> Value {
    match value {
        Value::Null => Value::Null,
        Value::Bool(_) => "boolean".into(),
        Value::Number(_) => "number".into(),
        Value::String(text) if is_word(text) => format!("word {text}").into(),
        Value::String(_) => "text".into(),
        Value::Array(items) => {
            let mut forms: Vec<Value> = items.iter().map(form).collect();
            forms.dedup();
            forms.into()
        }
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| (name.clone(), form(value)))
            .collect(),
    }
}

fn is_word(text: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_alphabetic() || "_-.".contains(letter);
    text.len() <= 40 && text.chars().all(is_letter)
}

fn texts(headers: &HeaderMap) -> BTreeMap<&str, &str> {
    let pairs = headers.iter();
    pairs
        .map(|(name, value)| (name.as_str(), value.to_str().expect("a text")))
        .collect()
}
