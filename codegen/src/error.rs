//! Errors of the generator.

use std::io;
use std::path::PathBuf;

use crate::finding::Finding;

/// Why there is no output.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file can't be read or written.
    #[error("{}: {}", .0.display(), .1)]
    File(PathBuf, #[source] io::Error),
    /// A text isn't a document.
    #[error("the document can't be read: {0}")]
    Document(String),
    /// The document can't be compared with a release.
    #[error("{0}")]
    Release(String),
    /// The document breaks rules of the dialect.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n\n"))]
    Lint(Vec<Finding>),
    /// The files of a connector aren't of their form, or don't fit together.
    #[error("{0}")]
    Peer(String),
    /// The generator or a library under it failed on a document that passed the lint.
    #[error("the generator failed: {0}")]
    Emit(String),
}
