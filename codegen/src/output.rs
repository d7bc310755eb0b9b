//! The set of generated files: makes it, writes it, and compares it with the existing files.

use std::fs;
use std::path::{Path, PathBuf};

use crate::document::{self, Document};
use crate::files::Files;
use crate::sources::Sources;
use crate::{Error, api, client, enums, hidden, lint, peer, render, schemas, setters, types};

/// Folders that hold nothing but generated files, beside those of connectors.
pub const FOLDERS: [&str; 3] = [
    "client/rust/types/src/generated",
    "client/rust/src/generated",
    "server/api/src/generated",
];

/// The document that its authors write, below the workspace.
pub const MAIN: &str = "openapi/source/main.yaml";

/// The published document, joined from its authors' files.
pub const PUBLISHED: &str = "openapi/openapi.yaml";

/// Reads the main file and its neighbours, checks them, joins them, and generates from the joined document. Adds the files
/// of this workspace's connectors.
///
/// # Errors
/// Fails when a file can't be read, breaks the dialect, or can't be generated from.
pub fn generate(main: &Path) -> Result<Files, Error> {
    let sources = Sources::read(main, &workspace())?;
    let joined = joined(&sources)?;
    let document = Document::parse(&joined)?;
    let mut files = code(&document)?;
    files.insert(PathBuf::from(PUBLISHED), joined);
    Ok(files)
}

/// Returns all generated code: that of a document which passed the lint, and that of this workspace's connectors.
///
/// # Errors
/// Fails when the generator or a library under it fails, or the files of a connector can't be read.
pub fn code(document: &Document) -> Result<Files, Error> {
    let mut files = from_document(document)?;
    files.extend(peer::emit(&workspace())?);
    Ok(files)
}

/// Returns the text of the published document, checked.
///
/// # Errors
/// Fails when the files aren't one document, or the document breaks the dialect.
pub fn joined(sources: &Sources) -> Result<String, Error> {
    let findings = sources.lint();
    if !findings.is_empty() {
        return Err(Error::Lint(findings));
    }
    let text = sources.join();
    let findings = lint::lint(
        &document::parse_yaml(&text).map_err(Error::Document)?,
        sources,
    );
    if !findings.is_empty() {
        return Err(Error::Lint(findings));
    }
    Ok(text)
}

/// Generates from a document that passed the lint.
///
/// # Errors
/// Fails when the generator or a library under it fails.
pub fn from_document(document: &Document) -> Result<Files, Error> {
    let mut files = Files::new();
    let [types, client, api] = FOLDERS.map(PathBuf::from);
    let structs = types::emit(document)?;
    files.insert(types.join("setters.rs"), setters::emit(document, &structs)?);
    files.insert(types.join("hidden.rs"), hidden::emit(&structs)?);
    files.insert(types.join("types.rs"), structs);
    files.insert(types.join("enums.rs"), enums::emit(document));
    files.insert(types.join("schemas.rs"), schemas::emit(document));
    files.insert(
        types.join("mod.rs"),
        format!(
            "{}\npub mod enums;\nmod hidden;\n#[cfg(feature = \"json-schema\")]\npub mod schemas;\n#[cfg(feature = \"setters\")]\nmod setters;\npub mod types;\n",
            render::HEADER
        ),
    );
    let client::Files {
        client: calls,
        builders,
    } = client::emit(document)?;
    files.insert(client.join("client.rs"), calls);
    files.insert(client.join("builders.rs"), builders);
    files.insert(
        client.join("mod.rs"),
        format!("{}\nmod builders;\npub mod client;\n", render::HEADER),
    );
    for (name, text) in api::emit(document)? {
        files.insert(api.join(name), text);
    }
    Ok(files)
}

/// Writes the files below `root` and removes generated files that are no longer made.
///
/// # Errors
/// Fails when a file can't be written.
pub fn write(root: &Path, files: &Files) -> Result<Vec<PathBuf>, Error> {
    let stale = stale(root, files);
    for path in &stale {
        let place = root.join(path);
        match files.get(path) {
            Some(text) => {
                if let Some(folder) = place.parent() {
                    fs::create_dir_all(folder)
                        .map_err(|error| Error::File(folder.to_path_buf(), error))?;
                }
                fs::write(&place, text).map_err(|error| Error::File(place, error))?;
            }
            None => fs::remove_file(&place).map_err(|error| Error::File(place, error))?,
        }
    }
    Ok(stale)
}

/// Returns the files below `root` that differ from the generated ones: changed, missing, or left over.
pub fn stale(root: &Path, files: &Files) -> Vec<PathBuf> {
    let mut stale: Vec<PathBuf> = files
        .iter()
        .filter(|(path, text)| {
            fs::read_to_string(root.join(path)).ok().as_deref() != Some(text.as_str())
        })
        .map(|(path, _)| path.clone())
        .collect();
    let connectors = peer::folders(root).into_iter().map(|connector| {
        let own = Path::new(peer::CONNECTORS).join(connector);
        own.join(peer::GENERATED)
    });
    for folder in FOLDERS.iter().map(PathBuf::from).chain(connectors) {
        for entry in fs::read_dir(root.join(&folder))
            .into_iter()
            .flatten()
            .flatten()
        {
            let path = folder.join(entry.file_name());
            if !files.contains_key(&path) {
                stale.push(path);
            }
        }
    }
    stale
}

/// Returns the workspace that this generator was built in.
pub fn workspace() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_path_buf()
}
