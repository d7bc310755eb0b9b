//! Finds the directory with `initdb` and `postgres`.

use std::path::{Path, PathBuf};

use crate::unavailable::Unavailable;

/// Searches `PG_BIN_DIR`, then `PATH`, then the folders of Debian, Red Hat and Homebrew, the newest version first.
pub(crate) fn find() -> Result<PathBuf, Unavailable> {
    if let Some(directory) = std::env::var_os("PG_BIN_DIR") {
        let directory = PathBuf::from(directory);
        return complete(&directory).ok_or_else(|| {
            Unavailable::new(format!(
                "PG_BIN_DIR={} has no initdb and postgres",
                directory.display()
            ))
        });
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .find_map(|directory| complete(&directory))
        .or_else(|| installed().iter().find_map(|directory| complete(directory)))
        .ok_or_else(|| {
            Unavailable::new(
                "initdb and postgres were not found (PG_BIN_DIR, PATH, /usr/lib/postgresql); \
                 installing the package postgresql is enough",
            )
        })
}

/// Returns the directory if both programs are in it. Links are followed: `initdb` looks for `postgres` beside itself.
fn complete(directory: &Path) -> Option<PathBuf> {
    let initdb = directory.join("initdb").canonicalize().ok()?;
    let directory = initdb.parent()?;
    directory
        .join("postgres")
        .is_file()
        .then(|| directory.to_owned())
}

fn installed() -> Vec<PathBuf> {
    let mut found = vec![];
    for (parent, below) in [
        ("/usr/lib/postgresql", "bin"),
        ("/opt/homebrew/opt", "bin"),
        ("/usr/local/opt", "bin"),
        ("/usr", "bin"),
    ] {
        let entries = std::fs::read_dir(parent).into_iter().flatten().flatten();
        for entry in entries {
            let name = entry.file_name().to_string_lossy().into_owned();
            let digits: String = name.chars().filter(char::is_ascii_digit).collect();
            let ours = name.starts_with("postgresql") || name.starts_with("pgsql");
            if ours || (digits == name && !digits.is_empty()) {
                let version: u32 = digits.parse().unwrap_or(0);
                found.push((version, entry.path().join(below)));
            }
        }
    }
    found.sort_by_key(|(version, _)| std::cmp::Reverse(*version));
    found.into_iter().map(|(_, directory)| directory).collect()
}
