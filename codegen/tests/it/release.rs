//! The last release is read from git history, and where that is impossible, comparing fails.

use std::fs;
use std::path::Path;
use std::process::Command;

use multirail_codegen::output::PUBLISHED;
use multirail_codegen::release::{self, CHANGELOG, GIT_VARIABLES, RELEASED};

/// Runs git in the folder, without the settings of whoever runs the test, and returns its output.
fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    for name in GIT_VARIABLES {
        command.env_remove(name);
    }
    let output = command
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .arg("-C")
        .arg(folder)
        .args(["-c", "user.name=Ada", "-c", "user.email=ada@shop.example"])
        .args(arguments)
        .output()
        .expect("git runs");
    assert!(
        output.status.success(),
        "git {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Commits both files with this text, and returns the id of the commit.
fn commit(folder: &Path, text: &str) -> String {
    for file in [PUBLISHED, CHANGELOG] {
        let file = folder.join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    git(folder, &["add", "."]);
    git(folder, &["commit", "--quiet", "--message", text]);
    git(folder, &["rev-parse", "HEAD"])
}

/// Writes the file that names the release, with this commit.
fn name(folder: &Path, commit: &str) {
    let file = folder.join(RELEASED);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let text = format!(
        "version: 0.1.0\ncommit: {commit}\ndocument: {PUBLISHED}\nchangelog: {CHANGELOG}\n"
    );
    fs::write(file, text).unwrap();
}

/// Makes a repository whose second commit changed the released document, and returns the first.
fn history(folder: &Path) -> String {
    git(folder, &["init", "--quiet"]);
    let released = commit(folder, "released");
    name(folder, &released);
    commit(folder, "changed");
    released
}

fn refusal(folder: &Path) -> String {
    release::last(folder).unwrap_err().to_string()
}

/// An id that no commit has.
const UNKNOWN: &str = "0123456789012345678901234567890123456789";

#[test]
fn a_release_is_read_as_it_was_at_its_commit() {
    let folder = tempfile::tempdir().unwrap();
    history(folder.path());
    let last = release::last(folder.path()).unwrap();
    assert_eq!(last.name, "0.1.0");
    assert_eq!(last.document, "released");
    assert_eq!(last.changelog, "released");
    let now = release::current(folder.path()).unwrap();
    assert_eq!(now.document, "changed");
}

#[test]
fn a_shallow_clone_fetches_the_commit() {
    let folder = tempfile::tempdir().unwrap();
    let origin = folder.path().join("origin");
    fs::create_dir(&origin).unwrap();
    let released = history(&origin);
    let address = format!("file://{}", origin.display());
    let clone = ["clone", "--quiet", "--depth=1", &address, "clone"];
    git(folder.path(), &clone);
    let clone = folder.path().join("clone");
    assert_eq!(git(&clone, &["rev-list", "--all", "--count"]), "1");
    assert_eq!(release::last(&clone).unwrap().document, "released");

    // A clone whose origin is gone needs no fetch any more.
    fs::remove_dir_all(&origin).unwrap();
    assert_eq!(release::last(&clone).unwrap().document, "released");
    assert_eq!(git(&clone, &["cat-file", "-t", &released]), "commit");
}

#[test]
fn an_unknown_commit_fails() {
    let folder = tempfile::tempdir().unwrap();
    history(folder.path());
    name(folder.path(), UNKNOWN);
    let told = refusal(folder.path());
    assert!(
        told.starts_with(&format!(
            "this clone lacks commit {UNKNOWN} of release 0.1.0, and fetching it from origin failed ("
        )),
        "{told}"
    );
    assert!(
        told.ends_with(
            "run `git fetch --unshallow`, or correct the commit in openapi/released.yaml"
        ),
        "{told}"
    );
}

#[test]
fn a_missing_file_fails() {
    let folder = tempfile::tempdir().unwrap();
    history(folder.path());
    fs::remove_file(folder.path().join(RELEASED)).unwrap();
    assert_eq!(
        refusal(folder.path()),
        "openapi/released.yaml is missing: restore it, it names the commit of the last release"
    );
}

#[test]
fn a_folder_without_history_fails() {
    let folder = tempfile::tempdir().unwrap();
    name(folder.path(), UNKNOWN);
    let told = refusal(folder.path());
    let first = format!(
        "the document is compared with release 0.1.0, which is in the git history, and {} is no git clone (",
        folder.path().display()
    );
    assert!(told.starts_with(&first), "{told}");
    assert!(
        told.ends_with("): clone the repository to compare"),
        "{told}"
    );
}

#[test]
fn only_a_full_id_names_a_commit() {
    let folder = tempfile::tempdir().unwrap();
    let released = history(folder.path());
    for name_of_commit in ["HEAD", &released[..12], "--help"] {
        name(folder.path(), name_of_commit);
        assert_eq!(
            refusal(folder.path()),
            format!(
                "openapi/released.yaml: `commit` must be a full id of 40 or 64 hexadecimal digits, not {name_of_commit:?}"
            )
        );
    }
    fs::write(folder.path().join(RELEASED), "version: 0.1.0\n").unwrap();
    assert_eq!(
        refusal(folder.path()),
        "openapi/released.yaml: missing field `commit`"
    );
}

/// The document that a release lacks is named, too.
#[test]
fn a_commit_without_the_document_fails() {
    let folder = tempfile::tempdir().unwrap();
    let released = history(folder.path());
    let file = folder.path().join(RELEASED);
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace(PUBLISHED, "openapi/contract.yaml")).unwrap();
    let told = refusal(folder.path());
    assert!(told.starts_with("git says: "), "{told}");
    assert!(
        told.contains("openapi/contract.yaml") && told.contains(&released),
        "{told}"
    );
}
