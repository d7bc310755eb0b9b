//! Documents of releases: stored in folders of `openapi/released`, or in git.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::Error;
use crate::output::PUBLISHED;

/// The change log in the workspace.
pub const CHANGELOG: &str = "openapi/CHANGELOG.md";

/// The documents of releases, a folder for each version.
pub const RELEASED: &str = "openapi/released";

/// A published document and the change log next to it.
#[derive(Debug, Clone)]
pub struct Release {
    pub document: String,
    pub changelog: String,
}

/// Returns the folder of the newest stored version.
///
/// # Errors
/// Fails when there is none.
pub fn newest(workspace: &Path) -> Result<String, Error> {
    let folder = workspace.join(RELEASED);
    let entries = fs::read_dir(&folder).map_err(|error| Error::File(folder.clone(), error))?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let newest = names.filter_map(|name| Some((version(&name)?, name))).max();
    let (_, name) = newest.ok_or_else(|| {
        Error::Document(format!(
            "{RELEASED} has no folder of a version, such as 0.1.0"
        ))
    })?;
    Ok(format!("{RELEASED}/{name}"))
}

/// Parses `0.10.2` as numbers, so that it comes after `0.9.0`.
fn version(name: &str) -> Option<Vec<u64>> {
    let parts = name.split('.').map(|part| part.parse().ok());
    parts.collect()
}

/// Reads a release: a folder with `openapi.yaml` and `CHANGELOG.md`, or a name that git knows.
///
/// # Errors
/// Fails when there is neither.
pub fn read(workspace: &Path, name: &str) -> Result<Release, Error> {
    let folder = workspace.join(name);
    if folder.is_dir() {
        return Ok(Release {
            document: text(&folder.join("openapi.yaml"))?,
            changelog: text(&folder.join("CHANGELOG.md"))?,
        });
    }
    Ok(Release {
        document: of_git(workspace, name, PUBLISHED)?,
        changelog: of_git(workspace, name, CHANGELOG)?,
    })
}

/// Reads the document and the change log of the workspace.
///
/// # Errors
/// Fails when they can't be read.
pub fn current(workspace: &Path) -> Result<Release, Error> {
    Ok(Release {
        document: text(&workspace.join(PUBLISHED))?,
        changelog: text(&workspace.join(CHANGELOG))?,
    })
}

fn text(file: &Path) -> Result<String, Error> {
    fs::read_to_string(file).map_err(|error| Error::File(file.to_owned(), error))
}

fn of_git(workspace: &Path, name: &str, file: &str) -> Result<String, Error> {
    let output = Command::new("git")
        .arg("-C")
        .arg(workspace)
        .args(["show", "--end-of-options"])
        .arg(format!("{name}:{file}"))
        .output()
        .map_err(|error| Error::Document(format!("git can't be run: {error}")))?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        return Err(Error::Document(format!(
            "{name} is no folder, and git says: {}",
            why.trim()
        )));
    }
    String::from_utf8(output.stdout)
        .map_err(|_| Error::Document(format!("{name}:{file} is no UTF-8")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert!(version("0.10.0") > version("0.9.3"));
        assert_eq!(version("README.md"), None);
    }
}
