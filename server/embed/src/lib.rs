//! Built files of browsers' programs, which the program contains. A build script packs them by [`pack::pack_folder`], and
//! its crate includes the table that this writes.

pub mod pack;

use std::io::Read as _;

use flate2::read::GzDecoder;

/// A built file.
#[derive(Debug, PartialEq, Eq)]
pub struct File {
    /// The path below the folder of the built files.
    pub path: &'static str,
    pub content_type: &'static str,
    /// True if browsers may cache it for good, because its name changes with its content.
    pub may_be_kept: bool,
    /// The content, compressed by gzip.
    pub packed: &'static [u8],
}

impl File {
    /// Returns the content as text.
    ///
    /// # Panics
    /// If the file is no text. The caller knows its file.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let read = GzDecoder::new(self.packed).read_to_string(&mut text);
        read.expect("a packed text");
        text
    }

    /// Returns whether the file's name has a hash of its content: `assets/<name>-<hash>.<kind>`.
    pub fn has_hashed_name(&self) -> bool {
        let name = self.path.strip_prefix("assets/").unwrap_or_default();
        let stem = name.split('.').next().unwrap_or_default();
        let hash = stem.split_once('-').map_or("", |(_, hash)| hash);
        hash.len() >= 8
    }

    /// Returns whether the content is compressed.
    pub fn is_packed(&self) -> bool {
        self.packed.starts_with(&[0x1f, 0x8b])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_assets_with_a_hash_may_be_kept() {
        for (path, is_hashed) in [
            ("assets/index-Bx3_9aQz.js", true),
            ("assets/index-Bx3.js", false),
            ("assets/index.js", false),
            ("index.html", false),
            ("frame-Bx3_9aQz.js", false),
        ] {
            let file = File {
                path,
                content_type: "text/plain",
                may_be_kept: false,
                packed: &[],
            };
            assert_eq!(file.has_hashed_name(), is_hashed, "{path}");
            assert!(!file.is_packed());
        }
    }
}
