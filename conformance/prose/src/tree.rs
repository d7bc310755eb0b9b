//! Finds the texts of a checkout that people write by hand.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// A language that is understood here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Rust,
    Markdown,
    Contract,
}

/// A text with its path relative to the root.
pub(super) struct File {
    pub(super) path: String,
    pub(super) language: Language,
    pub(super) text: String,
}

/// Folders whose texts nobody here writes: what a tool makes, and code of others.
const SKIPPED: [&str; 6] = [
    ".git",
    "generated",
    "node_modules",
    "released",
    "target",
    "vendor",
];

/// Returns the texts below a folder, sorted by path.
///
/// # Errors
/// A folder or file that can't be read.
pub(super) fn texts(root: &Path) -> io::Result<Vec<File>> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let path = entry.path();
            let name = entry.file_name();
            if entry.file_type()?.is_dir() {
                if !SKIPPED.iter().any(|skipped| name == *skipped) {
                    folders.push(path);
                }
            } else {
                files.extend(text(root, path)?);
            }
        }
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

fn text(root: &Path, path: PathBuf) -> io::Result<Option<File>> {
    let relative = path.strip_prefix(root).unwrap_or(&path);
    let relative = relative.to_string_lossy().replace('\\', "/");
    let Some(language) = language(&relative) else {
        return Ok(None);
    };
    Ok(Some(File {
        language,
        text: fs::read_to_string(&path)?,
        path: relative,
    }))
}

fn language(path: &str) -> Option<Language> {
    // A change log tells of the past in the words of its day.
    if path.ends_with("CHANGELOG.md") {
        return None;
    }
    match path.rsplit_once('.')?.1 {
        "rs" => Some(Language::Rust),
        "md" => Some(Language::Markdown),
        "yaml" if path.starts_with("openapi/source/") => Some(Language::Contract),
        _ => None,
    }
}
