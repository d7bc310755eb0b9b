//! Generated files before they are written.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// Generated files by their path below the workspace root.
pub type Files = BTreeMap<PathBuf, String>;
