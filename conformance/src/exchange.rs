//! Exchanges, kept: what was asked and what came back, for whoever judges them by a document later.
//!
//! With `MULTIRAIL_TEST_EXCHANGES` naming a folder, every judged call of an operation is written there, one JSON object
//! a line, but only once for each form. Of the key or token that the caller sends only the kind is kept; bodies and answers
//! are kept whole, with the secrets that a test's server gives out in them.

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::fs::{self, File, OpenOptions};
use std::hash::{Hash, Hasher};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use serde_json::{Value, json};

use crate::document::{Operation, document};
use crate::response::Response;

/// Names the folder.
pub const FOLDER: &str = "MULTIRAIL_TEST_EXCHANGES";

/// Beyond that a body is there for its length, and no document has a say in it.
const LONGEST: usize = 256 * 1024;

/// Deeper than that nobody reads it back, and it is there for its depth.
const DEEPEST: usize = 100;

/// The headers that say who calls; their values are never kept.
const OF_CALLER: [&str; 2] = ["api-key", "authorization"];

/// One request and its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Exchange {
    /// The operation's id.
    pub operation: String,
    pub method: String,
    /// As it was sent, without the query.
    pub path: String,
    pub query: Vec<(String, String)>,
    /// Names in small letters.
    pub headers: Vec<(String, String)>,
    /// The scheme of the document that the caller's key belongs to; `None` without a key.
    pub scheme: Option<String>,
    /// The body, where it is JSON.
    pub body: Option<Value>,
    /// The body's media type, where there is a body.
    pub media_type: Option<String>,
    pub status: u16,
    pub answer_media_type: String,
    pub answer: Value,
}

impl Exchange {
    /// The code of a refusal.
    pub fn code(&self) -> &str {
        self.answer["code"].as_str().unwrap_or_default()
    }

    /// What a refusal says.
    pub fn message(&self) -> &str {
        self.answer["message"].as_str().unwrap_or_default()
    }

    fn to_json(&self) -> Value {
        json!({
            "operation": self.operation,
            "method": self.method,
            "path": self.path,
            "query": self.query,
            "headers": self.headers,
            "scheme": self.scheme,
            "body": self.body.as_ref().map(|body| vec![body]),
            "media_type": self.media_type,
            "status": self.status,
            "answer_media_type": self.answer_media_type,
            "answer": self.answer,
        })
    }

    fn from_json(mut value: Value) -> Option<Self> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let pairs = |value: &Value| -> Option<Vec<(String, String)>> {
            let pairs = value.as_array()?.iter();
            pairs
                .map(|pair| Some((text(&pair[0])?, text(&pair[1])?)))
                .collect()
        };
        Some(Self {
            operation: text(&value["operation"])?,
            method: text(&value["method"])?,
            path: text(&value["path"])?,
            query: pairs(&value["query"])?,
            headers: pairs(&value["headers"])?,
            scheme: text(&value["scheme"]),
            // In a list of its own, so that a body of `null` is one.
            body: value["body"].get_mut(0).map(Value::take),
            media_type: text(&value["media_type"]),
            status: u16::try_from(value["status"].as_u64()?).ok()?,
            answer_media_type: text(&value["answer_media_type"])?,
            answer: value["answer"].take(),
        })
    }

    /// What makes it like another one: all but the texts that differ from run to run.
    fn form(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        let names = |pairs: &[(String, String)]| -> Vec<(String, String)> {
            let shown = |(name, text): &(String, String)| (name.clone(), form_of_text(text));
            pairs.iter().map(shown).collect()
        };
        self.operation.hash(&mut hasher);
        names(&self.query).hash(&mut hasher);
        names(&self.headers).hash(&mut hasher);
        self.scheme.hash(&mut hasher);
        self.media_type.hash(&mut hasher);
        self.status.hash(&mut hasher);
        if let Some(body) = &self.body {
            hash_form(body, true, &mut hasher);
        }
        self.code().hash(&mut hasher);
        if self.status == 200 {
            hash_form(&self.answer, false, &mut hasher);
        } else {
            self.message().hash(&mut hasher);
        }
        hasher.finish()
    }
}

/// Hashes what a schema looks at: names, types, words, and how long texts are. Numbers count where they are `exact`.
pub fn hash_form(value: &Value, exact: bool, hasher: &mut impl Hasher) {
    match value {
        Value::Null => 0_u8.hash(hasher),
        Value::Bool(is) => (1_u8, is).hash(hasher),
        Value::Number(number) if exact => (2_u8, number.to_string()).hash(hasher),
        Value::Number(number) => {
            (2_u8, number.is_f64(), number.as_i64().map(i64::signum)).hash(hasher)
        }
        Value::String(text) => (3_u8, form_of_text(text)).hash(hasher),
        Value::Array(items) => {
            (4_u8, items.len().min(3)).hash(hasher);
            items.iter().for_each(|item| hash_form(item, exact, hasher));
        }
        Value::Object(members) => {
            (5_u8, members.len()).hash(hasher);
            for (name, member) in members {
                name.hash(hasher);
                hash_form(member, exact, hasher);
            }
        }
    }
}

/// A word is itself, and so is what the document lists; of any other text the length counts.
fn form_of_text(text: &str) -> String {
    let is_word = text.len() <= 48
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    match is_word || listed().contains(text) {
        true => text.to_owned(),
        false => format!("#{}", text.chars().count()),
    }
}

/// Keeps an exchange, if the environment says where and there was none like it.
///
/// # Panics
/// If the folder can't be written.
pub fn record(operation: &Operation, answer: &Response) {
    static RECORDER: OnceLock<Option<Mutex<Recorder>>> = OnceLock::new();
    let recorder = RECORDER.get_or_init(|| {
        let folder = std::env::var_os(FOLDER).filter(|folder| !folder.is_empty())?;
        let recorder = Recorder::open(Path::new(&folder));
        Some(Mutex::new(recorder.unwrap_or_else(|error| {
            panic!("{FOLDER}: {}: {error}", folder.to_string_lossy())
        })))
    });
    let body = answer.request.body.as_deref();
    let is_short = body.is_none_or(|body| body.len() <= LONGEST);
    let Some(recorder) = recorder
        .as_ref()
        .filter(|_| is_short && answer.text.len() <= LONGEST)
    else {
        return;
    };
    let exchange = read(operation, answer);
    if exchange
        .body
        .as_ref()
        .is_none_or(|body| is_flat(body, DEEPEST))
    {
        let mut recorder = recorder.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = recorder.keep(&exchange);
        kept.unwrap_or_else(|error| panic!("an exchange can't be kept: {error}"));
    }
}

/// Whether no more than so many objects and lists stand inside each other.
fn is_flat(value: &Value, deepest: usize) -> bool {
    match value {
        Value::Array(items) => deepest > 0 && items.iter().all(|item| is_flat(item, deepest - 1)),
        Value::Object(members) => {
            deepest > 0 && members.values().all(|member| is_flat(member, deepest - 1))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    }
}

fn read(operation: &Operation, answer: &Response) -> Exchange {
    let asked = &answer.request;
    let (path, query) = asked.target.split_once('?').unwrap_or((&asked.target, ""));
    let headers = asked.headers.iter();
    let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.clone()));
    let named = |wanted: &str| {
        let mut found = asked.headers.iter();
        found.find(|(name, _)| name.eq_ignore_ascii_case(wanted))
    };
    let body = asked.body.as_deref().map(serde_json::from_slice::<Value>);
    Exchange {
        operation: operation.id.clone(),
        method: asked.method.to_string(),
        path: path.to_owned(),
        query: decode(query),
        scheme: scheme(operation, &asked.headers).map(str::to_owned),
        media_type: asked
            .body
            .as_ref()
            .map(|_| named("content-type").map_or_else(String::new, |(_, value)| value.clone())),
        body: body.and_then(Result::ok),
        headers: headers
            .filter(|(name, _)| !is_of_caller(name) && name != "content-type")
            .collect(),
        status: answer.status,
        answer_media_type: answer.header("content-type").unwrap_or_default().to_owned(),
        answer: answer.body.clone(),
    }
}

/// Names and values of a query, as they were before it was written.
fn decode(query: &str) -> Vec<(String, String)> {
    let mut url = reqwest::Url::parse("http://localhost/").expect("an address");
    url.set_query(Some(query));
    url.query_pairs().into_owned().collect()
}

fn is_of_caller(header: &str) -> bool {
    OF_CALLER
        .iter()
        .any(|name| header.eq_ignore_ascii_case(name))
}

/// The scheme that a caller's key belongs to, told by how keys begin. Names of headers and of schemes have no case.
fn scheme(operation: &Operation, headers: &[(String, String)]) -> Option<&'static str> {
    let mut names = headers.iter();
    let (name, value) = names.find(|(name, _)| is_of_caller(name))?;
    let begins = |prefix: &str| value.starts_with(prefix);
    Some(if name.eq_ignore_ascii_case("authorization") {
        let scheme = value.split_once(' ').map(|(scheme, _)| scheme);
        if scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("bearer")) {
            "bearer"
        } else {
            "sdk_authorization"
        }
    } else if begins("pk_") {
        // The same key: what it comes with makes the difference, and no operation takes both.
        let of_subscription = operation.takes("subscription_client");
        if of_subscription {
            "subscription_client"
        } else {
            "publishable_key"
        }
    } else if begins("epk_") {
        "ephemeral_key"
    } else if begins("snd_") || begins("prd_") {
        "api_key"
    } else {
        "admin_api_key"
    })
}

struct Recorder {
    file: File,
    known: HashSet<u64>,
}

impl Recorder {
    /// A file of this process in a folder, which is made.
    fn open(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let name = format!("{}.jsonl", std::process::id());
        let mut options = OpenOptions::new();
        let file = options.create(true).append(true).open(folder.join(name))?;
        Ok(Self {
            file,
            known: HashSet::new(),
        })
    }

    fn keep(&mut self, exchange: &Exchange) -> io::Result<()> {
        if self.known.insert(exchange.form()) {
            // One write for a line: a process that is killed leaves whole ones.
            self.file
                .write_all(format!("{}\n", exchange.to_json()).as_bytes())?;
        }
        Ok(())
    }
}

/// All exchanges that were kept in a folder, in the order of the files' names.
///
/// # Errors
/// The folder or a file can't be read, or a line is no exchange.
pub fn load(folder: &Path) -> io::Result<Vec<Exchange>> {
    let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let mut files: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "jsonl"));
    files.sort();
    let mut exchanges = Vec::new();
    let mut known = HashSet::new();
    for file in files {
        for (index, line) in BufReader::new(File::open(&file)?).lines().enumerate() {
            let parsed = serde_json::from_str(&line?).ok();
            let exchange = parsed.and_then(Exchange::from_json).ok_or_else(|| {
                io::Error::other(format!("{}:{}: no exchange", file.display(), index + 1))
            })?;
            if known.insert(exchange.form()) {
                exchanges.push(exchange);
            }
        }
    }
    Ok(exchanges)
}

/// The words of the document's enumerations.
fn listed() -> &'static HashSet<&'static str> {
    static LISTED: OnceLock<HashSet<&str>> = OnceLock::new();
    LISTED.get_or_init(|| {
        let mut words = HashSet::new();
        collect_words(document(), &mut words);
        words
    })
}

fn collect_words<'d>(value: &'d Value, words: &mut HashSet<&'d str>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect_words(item, words)),
        Value::Object(members) => {
            let list = members.get("enum").and_then(Value::as_array);
            words.extend(list.into_iter().flatten().filter_map(Value::as_str));
            members
                .values()
                .for_each(|member| collect_words(member, words));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::operation;
    use crate::response::Asked;

    fn exchange(body: Value) -> Exchange {
        Exchange {
            operation: "payments_create".to_owned(),
            method: "POST".to_owned(),
            path: "/payments".to_owned(),
            query: Vec::new(),
            headers: Vec::new(),
            scheme: Some("api_key".to_owned()),
            body: Some(body),
            media_type: Some("application/json".to_owned()),
            status: 200,
            answer_media_type: "application/json".to_owned(),
            answer: json!({ "payment_id": "pay_0123456789" }),
        }
    }

    #[test]
    fn what_was_kept_comes_back_once_for_each_form() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut recorder = Recorder::open(folder.path()).expect("a recorder");
        let first = exchange(json!({ "amount": 1, "customer_id": "cus_0001" }));
        let same = exchange(json!({ "amount": 1, "customer_id": "cus_0002" }));
        let null = exchange(Value::Null);
        for one in [&first, &same, &null] {
            recorder.keep(one).expect("it is kept");
        }
        assert_eq!(load(folder.path()).expect("exchanges"), [first, null]);
    }

    #[test]
    fn a_listed_word_is_itself_also_where_it_has_a_digit() {
        assert_eq!(form_of_text("layout2"), "layout2");
        assert_eq!(form_of_text("table17"), "#7");
    }

    #[test]
    fn a_request_is_kept_as_it_was_meant_and_without_its_key() {
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let answer = Response {
            asked: "refunds_retrieve".to_owned(),
            request: Asked {
                method: reqwest::Method::GET,
                target: "/refunds/ref_1?note=a+b%26c&force_sync=true".to_owned(),
                headers: vec![header("Api-Key", "snd_1"), header("X-Profile-Id", "pro_1")],
                body: None,
            },
            status: 200,
            headers: reqwest::header::HeaderMap::new(),
            body: json!({ "refund_id": "ref_1" }),
            text: String::new(),
            took: std::time::Duration::ZERO,
        };
        let kept = read(operation("refunds_retrieve"), &answer);
        assert_eq!(kept.path, "/refunds/ref_1");
        assert_eq!(
            kept.query,
            [header("note", "a b&c"), header("force_sync", "true")]
        );
        assert_eq!(kept.headers, [header("x-profile-id", "pro_1")]);
        assert_eq!(kept.scheme.as_deref(), Some("api_key"));
        assert_eq!((kept.body, kept.media_type), (None, None));
    }

    #[test]
    fn a_caller_is_known_by_the_kind_of_the_key_and_the_key_is_not_kept() {
        let schemes = [
            ("api-key", "snd_1", "payments_create", "api_key"),
            ("api-key", "pk_snd_1", "payments_confirm", "publishable_key"),
            (
                "api-key",
                "pk_snd_1",
                "subscription_estimate",
                "subscription_client",
            ),
            ("api-key", "epk_1", "customers_retrieve", "ephemeral_key"),
            (
                "api-key",
                "admin",
                "merchant_accounts_create",
                "admin_api_key",
            ),
            ("authorization", "Bearer x", "users_retrieve", "bearer"),
            ("Authorization", "bearer x", "users_retrieve", "bearer"),
            ("Api-Key", "snd_1", "payments_create", "api_key"),
            (
                "AUTHORIZATION",
                "abc",
                "payments_confirm",
                "sdk_authorization",
            ),
            (
                "authorization",
                "abc",
                "payments_confirm",
                "sdk_authorization",
            ),
        ];
        for (name, value, id, wanted) in schemes {
            let headers = [(name.to_owned(), value.to_owned())];
            assert_eq!(scheme(operation(id), &headers), Some(wanted), "{id}");
        }
        assert_eq!(scheme(operation("health_check"), &[]), None);
    }
}
