//! The files of recorded exchanges.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use serde_json::Value;

use super::{Exchange, read};
use crate::document::Operation;
use crate::response::Response;

/// The variable that names the folder.
pub const FOLDER: &str = "MULTIRAIL_TEST_EXCHANGES";

/// Longer bodies are tests of the length limit, which no schema describes.
const LONGEST: usize = 256 * 1024;

/// Deeper bodies are tests of the depth limit, and can't be read back.
const DEEPEST: usize = 100;

/// Records an exchange if the environment names a folder and its form is new.
///
/// # Panics
/// Panics when the folder can't be written.
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

/// Returns whether a value nests at most this many objects and lists.
fn is_flat(value: &Value, deepest: usize) -> bool {
    match value {
        Value::Array(items) => deepest > 0 && items.iter().all(|item| is_flat(item, deepest - 1)),
        Value::Object(members) => {
            deepest > 0 && members.values().all(|member| is_flat(member, deepest - 1))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    }
}

struct Recorder {
    file: File,
    known: HashSet<u64>,
}

impl Recorder {
    /// Creates the folder, and in it a file for this process.
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
            // Writes each line at once, so that a killed process leaves whole lines.
            self.file
                .write_all(format!("{}\n", exchange.to_json()).as_bytes())?;
        }
        Ok(())
    }
}

/// Reads all recorded exchanges of a folder, in the order of file names.
///
/// # Errors
/// Fails when the folder or a file can't be read, or a line isn't an exchange.
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

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
    fn recorded_exchanges_come_back_once_for_each_form() {
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
}
