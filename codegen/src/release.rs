//! Documents of releases, read from git or from a folder.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde::Deserialize;

use crate::Error;
use crate::output::PUBLISHED;

/// The change log in the workspace.
pub const CHANGELOG: &str = "openapi/CHANGELOG.md";

/// The file that names the last release.
pub const RELEASED: &str = "openapi/released.yaml";

/// Variables by which git would read another repository. Hooks of git set them.
pub const GIT_VARIABLES: [&str; 4] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
];

/// A published document and its change log.
#[derive(Debug, Clone)]
pub struct Release {
    /// The version, or the name that was given.
    pub name: String,
    pub document: String,
    pub changelog: String,
}

/// The content of [`RELEASED`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Released {
    version: String,
    /// Full id of a commit, which no later commit can change.
    commit: String,
    /// Paths of both files at that commit.
    document: String,
    changelog: String,
}

/// Reads the last release from git. A commit that a shallow clone lacks is fetched once.
///
/// # Errors
/// Fails when [`RELEASED`] is missing or wrong, or git can't show the release.
pub fn last(workspace: &Path) -> Result<Release, Error> {
    let file = workspace.join(RELEASED);
    let text = fs::read_to_string(&file).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Error::Release(format!(
            "{RELEASED} is missing: restore it, it names the commit of the last release"
        )),
        _ => Error::File(file, error),
    })?;
    let released: Released = serde_norway::from_str(&text)
        .map_err(|error| Error::Release(format!("{RELEASED}: {error}")))?;
    if !is_full_id(&released.commit) {
        return Err(Error::Release(format!(
            "{RELEASED}: `commit` must be a full id of 40 or 64 hexadecimal digits, not {:?}",
            released.commit
        )));
    }
    find(workspace, &released)?;
    let show = |file: &str| show(workspace, &released.commit, file).map_err(Error::Release);
    Ok(Release {
        document: show(&released.document)?,
        changelog: show(&released.changelog)?,
        name: released.version,
    })
}

/// Reads a release: a folder with `openapi.yaml` and `CHANGELOG.md`, or a name that git knows.
///
/// # Errors
/// Fails when there is neither.
pub fn read(workspace: &Path, name: &str) -> Result<Release, Error> {
    let folder = workspace.join(name);
    if folder.is_dir() {
        return Ok(Release {
            name: name.to_owned(),
            document: text(&folder.join("openapi.yaml"))?,
            changelog: text(&folder.join("CHANGELOG.md"))?,
        });
    }
    let show = |file: &str| {
        show(workspace, name, file)
            .map_err(|why| Error::Release(format!("{name} is no folder, and {why}")))
    };
    Ok(Release {
        name: name.to_owned(),
        document: show(PUBLISHED)?,
        changelog: show(CHANGELOG)?,
    })
}

/// Reads the document and the change log of the workspace.
///
/// # Errors
/// Fails when they can't be read.
pub fn current(workspace: &Path) -> Result<Release, Error> {
    Ok(Release {
        name: "the workspace".to_owned(),
        document: text(&workspace.join(PUBLISHED))?,
        changelog: text(&workspace.join(CHANGELOG))?,
    })
}

fn text(file: &Path) -> Result<String, Error> {
    fs::read_to_string(file).map_err(|error| Error::File(file.to_owned(), error))
}

/// Returns whether the text is a whole SHA-1 or SHA-256: a shorter one may become ambiguous, a tag may move.
fn is_full_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Makes sure that the clone has the commit of the release.
fn find(workspace: &Path, released: &Released) -> Result<(), Error> {
    let Released {
        version, commit, ..
    } = released;
    let clone = git(workspace, &["rev-parse", "--git-dir"])?;
    if !clone.status.success() {
        return Err(Error::Release(format!(
            "the document is compared with release {version}, which is in the git history, and {} is no git clone ({}): \
             clone the repository to compare",
            workspace.display(),
            said(&clone)
        )));
    }
    let object = format!("{commit}^{{commit}}");
    let has_commit = || {
        Ok(git(workspace, &["cat-file", "-e", &object])?
            .status
            .success())
    };
    if has_commit()? {
        return Ok(());
    }
    let fetch = [
        "-c",
        "http.lowSpeedLimit=1000",
        "-c",
        "http.lowSpeedTime=30",
        "fetch",
        "--quiet",
        "--no-tags",
        "--no-write-fetch-head",
        "--depth=1",
        "origin",
        commit,
    ];
    let fetched = git(workspace, &fetch)?;
    if has_commit()? {
        return Ok(());
    }
    Err(Error::Release(format!(
        "this clone lacks commit {commit} of release {version}, and fetching it from origin failed ({}): \
         run `git fetch --unshallow`, or correct the commit in {RELEASED}",
        said(&fetched)
    )))
}

fn show(workspace: &Path, name: &str, file: &str) -> Result<String, String> {
    let object = format!("{name}:{file}");
    let output = git(workspace, &["show", "--end-of-options", &object])
        .map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!("git says: {}", said(&output)));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("{object} is no UTF-8"))
}

fn said(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    text.lines().collect::<Vec<_>>().join(" ")
}

/// Runs git, which never waits for a password.
fn git(workspace: &Path, arguments: &[&str]) -> Result<Output, Error> {
    let mut command = Command::new("git");
    for name in GIT_VARIABLES {
        command.env_remove(name);
    }
    // A checkout may belong to another user than the one who builds it. Objects are only read.
    let mut safe = OsString::from("safe.directory=");
    safe.push(std::path::absolute(workspace).unwrap_or_else(|_| workspace.to_owned()));
    command
        .env("GIT_TERMINAL_PROMPT", "0")
        .stdin(Stdio::null())
        .arg("-c")
        .arg(safe)
        .arg("-C")
        .arg(workspace)
        .args(arguments)
        .output()
        .map_err(|error| Error::Release(format!("git can't be run: {error}")))
}
