//! The files of examples: a folder for each format, with a file for each kind of record that it brought or changed.
//!
//! The newest folder is a draft until it is released; then its check sums are written, and nothing in it changes any more.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest, Sha256};

/// Says what is to be done beside comparing.
const VARIABLE: &str = "MULTIRAIL_RECORDS";
const FOLDER: &str = "src/tests/records";
const SUMS: &str = "SHA256SUMS";
/// The version of the program in which a format was begun.
const VERSION: &str = "version";

/// What the person who runs the tests wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    Compare,
    /// The draft is to show what this version writes.
    Write,
    /// The draft is to become a released format.
    Release,
}

impl Wish {
    pub(super) fn of_this_run() -> Self {
        match std::env::var(VARIABLE).as_deref() {
            Err(_) => Wish::Compare,
            Ok("write") => Wish::Write,
            Ok("release") => Wish::Release,
            Ok(other) => panic!("{VARIABLE} is write or release, not {other}"),
        }
    }
}

/// One format.
pub(super) struct Format {
    pub(super) number: u32,
    folder: PathBuf,
}

impl Format {
    /// Every format, oldest first.
    pub(super) fn all() -> Vec<Format> {
        let numbered = (1..).map(Format::numbered);
        numbered
            .take_while(|format| format.folder.is_dir())
            .collect()
    }

    fn numbered(number: u32) -> Format {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER);
        Format {
            number,
            folder: root.join(format!("format_{number}")),
        }
    }

    /// The draft; begins one where the newest format is released.
    pub(super) fn draft() -> Format {
        let newest = Format::all().pop();
        let next = newest.as_ref().map_or(1, |format| format.number + 1);
        match newest.filter(|format| !format.is_released()) {
            Some(draft) => draft,
            None => {
                let draft = Format::numbered(next);
                fs::create_dir(&draft.folder).expect("a folder");
                let version = format!("{}\n", env!("CARGO_PKG_VERSION"));
                fs::write(draft.folder.join(VERSION), version).expect("a file");
                draft
            }
        }
    }

    pub(super) fn is_released(&self) -> bool {
        self.folder.join(SUMS).exists()
    }

    /// Whether it was begun by this version of the program, so that it may still be a draft.
    pub(super) fn is_of_this_version(&self) -> bool {
        let version = fs::read_to_string(self.folder.join(VERSION)).expect("a version");
        version.trim() == env!("CARGO_PKG_VERSION")
    }

    /// The examples of one kind, where this format has any.
    pub(super) fn read(&self, name: &str) -> Option<Value> {
        let text = fs::read_to_string(self.file(name)).ok()?;
        let read = serde_json::from_str(&text);
        Some(read.unwrap_or_else(|error| panic!("{}: {error}", self.file(name).display())))
    }

    pub(super) fn write(&self, name: &str, examples: &Value) {
        let text = serde_json::to_string_pretty(examples).expect("JSON");
        fs::write(self.file(name), text + "\n").expect("a file");
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.json"))
    }

    /// The check sums that were written when it was released.
    pub(super) fn released_sums(&self) -> String {
        fs::read_to_string(self.folder.join(SUMS)).unwrap_or_default()
    }

    pub(super) fn release(&self) {
        fs::write(self.folder.join(SUMS), self.sums()).expect("a file");
    }

    /// The check sums of its files as they are, as `sha256sum *` prints them.
    pub(super) fn sums(&self) -> String {
        let entries = fs::read_dir(&self.folder).expect("a folder");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name())
            .map(|name| name.into_string().expect("a name"))
            .filter(|name| name != SUMS)
            .collect();
        names.sort();
        let line = |name: &String| {
            let bytes = fs::read(self.folder.join(name)).expect("a file");
            format!("{}  {name}\n", hex::encode(Sha256::digest(bytes)))
        };
        names.iter().map(line).collect()
    }
}

/// The newest examples of one kind, with the format that has them.
pub(super) fn newest(name: &str) -> Option<(Format, Value)> {
    let newest_first = Format::all().into_iter().rev();
    newest_first
        .filter_map(|format| format.read(name).map(|examples| (format, examples)))
        .next()
}
