//! Checks whether hand-written code still compiles with the code that is generated from a changed document.

use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;

use multirail_codegen::document::Document;
use multirail_codegen::files::Files;
use multirail_codegen::output;
use serde_json::Value;

use super::Finding;
use multirail_verifier::exchange;

/// The file that marks cargo's target folders.
const TARGET: &str = "CACHEDIR.TAG";

/// Folders that nothing is compiled from: git's, and a sandbox's.
const ASIDE: [&str; 2] = [".git", "multirail-data"];

/// A copy of the workspace below the target folder, with the generated files of one mutant after the other. It shares the
/// target folder, so that dependencies are compiled already, and only the code that the change reaches is compiled again.
#[derive(Debug)]
pub struct Compiler {
    copy: PathBuf,
    target: PathBuf,
    /// The generated files of the unchanged document.
    own: Files,
}

impl Compiler {
    /// Updates the copy and compiles it with the unchanged document.
    ///
    /// # Errors
    /// Fails when `target` is no target folder of cargo's, or the copy can't be written or doesn't compile.
    pub fn start(workspace: &Path, target: &Path, document: &Value) -> Result<Self, String> {
        // Elsewhere inside the workspace the copy would be a part of itself.
        if !target.join(TARGET).exists() {
            return Err(format!("{} is no target folder", target.display()));
        }
        let copy = target.join("mutate-contract");
        bring_up_to_date(workspace, &copy)
            .map_err(|error| format!("{}: {error}", copy.display()))?;
        let compiler = Self {
            copy,
            target: target.to_owned(),
            own: generated(document)?,
        };
        output::write(&compiler.copy, &compiler.own).map_err(|error| error.to_string())?;
        match compiler.check()? {
            None => Ok(compiler),
            Some(error) => Err(format!("without any change: {error}")),
        }
    }

    /// Judges whether the generator or the compiler notices the changed document, which passes the lint.
    ///
    /// # Errors
    /// Fails when neither can be decided.
    pub fn judge(&self, document: &Value) -> Result<Finding, String> {
        let made = catch_unwind(AssertUnwindSafe(|| generated(document)));
        let mut files = match made {
            Ok(Ok(files)) => files,
            Ok(Err(error)) => return Ok(Finding::Noticed(format!("not generated: {error}"))),
            Err(_) => return Ok(Finding::Noticed("the generator breaks off".to_owned())),
        };
        // The server reads data when it starts, and no compiler looks at it.
        let is_code = |path: &Path| path.extension().is_some_and(|end| end == "rs");
        let data = self.own.iter().filter(|(path, _)| !is_code(path));
        files.extend(data.map(|(path, text)| (path.clone(), text.clone())));
        if files == self.own {
            let why = "the generated Rust is the same".to_owned();
            return Ok(Finding::Silent(why));
        }
        let written = output::write(&self.copy, &files).map_err(|error| error.to_string())?;
        Ok(match self.check()? {
            Some(error) => Finding::Noticed(error),
            None => Finding::Silent(format!("{} other files, all compile", written.len())),
        })
    }

    /// Returns the first error.
    fn check(&self) -> Result<Option<String>, String> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let check = Command::new(cargo)
            .args(["check", "--offline", "--locked", "--workspace"])
            .args(["--color", "never", "--message-format", "short"])
            .current_dir(&self.copy)
            .env("CARGO_TARGET_DIR", &self.target)
            .env_remove(exchange::FOLDER)
            .output()
            .map_err(|error| format!("cargo check: {error}"))?;
        if check.status.success() {
            return Ok(None);
        }
        let told = String::from_utf8_lossy(&check.stderr);
        let is_error = |line: &&str| line.contains(": error");
        match told.lines().find(is_error) {
            Some(error) if told.contains("could not compile") => Ok(Some(error.to_owned())),
            Some(_) | None => Err(format!("cargo check says nothing of the code:\n{told}")),
        }
    }
}

/// Returns the generated files without the published document.
fn generated(document: &Value) -> Result<Files, String> {
    let openapi = serde_json::from_value(document.clone()).map_err(|error| error.to_string())?;
    let document = Document {
        value: document.clone(),
        openapi,
    };
    output::code(&document).map_err(|error| error.to_string())
}

/// Copies files that differ, so that the rest isn't compiled again, and removes others.
fn bring_up_to_date(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(to)? {
        let entry = entry?;
        let (place, kept) = (entry.path(), from.join(entry.file_name()));
        match entry.file_type()?.is_dir() {
            true if !kept.is_dir() => fs::remove_dir_all(place)?,
            false if !kept.is_file() => fs::remove_file(place)?,
            true | false => {}
        }
    }
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (place, copy) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        let is_aside = ASIDE.iter().any(|name| entry.file_name() == *name);
        if kind.is_dir() && !is_aside && !place.join(TARGET).exists() {
            bring_up_to_date(&place, &copy)?;
        } else if kind.is_file() {
            let text = fs::read(&place)?;
            if fs::read(&copy).ok().as_ref() != Some(&text) {
                fs::write(&copy, text)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_gets_what_differs_and_loses_what_is_gone() {
        let folder = tempfile::tempdir().expect("a folder");
        let [from, to] = ["from", "to"].map(|name| folder.path().join(name));
        let write = |path: PathBuf, text: &str| {
            fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
            fs::write(path, text).expect("it can be written");
        };
        write(from.join("src/lib.rs"), "new");
        write(from.join("src/target/mod.rs"), "same");
        write(from.join("target").join(TARGET), "");
        write(from.join(".git/HEAD"), "");
        write(to.join("src/lib.rs"), "old");
        write(to.join("src/target/mod.rs"), "same");
        write(to.join("src/gone.rs"), "");
        write(to.join("gone/lib.rs"), "");
        let kept = to.join("src/target/mod.rs");
        let moment = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
        let before = moment(&kept);
        bring_up_to_date(&from, &to).expect("it is copied");
        let read = |path: &str| fs::read_to_string(to.join(path)).ok();
        assert_eq!(read("src/lib.rs").as_deref(), Some("new"));
        assert_eq!(moment(&kept), before);
        for gone in ["src/gone.rs", "gone/lib.rs", "target", ".git"] {
            assert!(!to.join(gone).exists(), "{gone}");
        }
    }

    #[test]
    fn a_program_that_lies_in_no_target_folder_copies_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let [workspace, elsewhere] =
            ["workspace", "elsewhere"].map(|name| folder.path().join(name));
        for made in [&workspace, &elsewhere] {
            fs::create_dir(made).expect("it can be made");
        }
        let refused = Compiler::start(&workspace, &elsewhere, &Value::Null).unwrap_err();
        assert!(
            refused.ends_with("elsewhere is no target folder"),
            "{refused}"
        );
        assert!(!elsewhere.join("mutate-contract").exists());
    }
}
