//! The built files of the checkout that shops embed: the loader for the shop's page, and the frame with the fields.
//! `client/checkout` has their sources.

mod frame;

use std::sync::OnceLock;

pub use frame::Frame;
pub use multirail_embed::File;

const FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The page of the frame.
const PAGE: &str = "frame.html";

/// The script that a shop's page loads.
const LOADER: &str = "multirail.js";

/// The version of the checkout, which is in the fixed address of its loader.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The headers of every file, with names in lower case. A shop's page of any origin may load them.
pub const HEADERS: [(&str, &str); 3] = [
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "cross-origin"),
];

/// Returns whether the program was built with the checkout's files.
pub fn is_built() -> bool {
    !FILES.is_empty()
}

/// Returns the script that a shop's page loads.
pub fn loader() -> Option<&'static File> {
    find(LOADER)
}

/// Returns a file that the frame loads, by its name.
pub fn asset(name: &str) -> Option<&'static File> {
    find(&format!("assets/{name}"))
}

/// Returns the page of the frame, without the values of a profile.
fn page() -> Option<&'static str> {
    static TEXT: OnceLock<Option<String>> = OnceLock::new();
    TEXT.get_or_init(|| find(PAGE).map(File::text)).as_deref()
}

fn find(path: &str) -> Option<&'static File> {
    FILES.iter().find(|file| file.path == path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_has_the_checkout() {
        assert!(is_built(), "client/checkout/dist is not committed");
        let loader = loader().expect("the loader");
        assert_eq!(loader.content_type, "text/javascript; charset=utf-8");
        assert!(!loader.may_be_kept && loader.is_packed());
        let page = page().expect("the page");
        assert_eq!(page.matches("</head>").count(), 1, "{page}");
    }

    #[test]
    fn the_frame_has_only_files_with_a_hash_in_their_name() {
        for file in FILES.iter().filter(|file| file.may_be_kept) {
            let name = file.path.strip_prefix("assets/").expect("an asset");
            assert!(file.has_hashed_name() && file.is_packed(), "{name}");
            assert_eq!(asset(name), Some(file));
        }
        for name in ["", "frame.html", "multirail.js", "../multirail.js"] {
            assert_eq!(asset(name), None, "{name}");
        }
    }

    /// The frame's policy refuses both, and a server may be below a path of its origin.
    #[test]
    fn the_page_has_no_inline_script_or_style_and_only_relative_addresses() {
        let page = page().expect("the page").to_ascii_lowercase();
        for part in page.split('<').skip(1) {
            let (tag, text) = part.split_once('>').expect("a tag");
            let name = tag.split_whitespace().next().unwrap_or_default();
            assert_ne!(name, "style", "{tag}");
            for attribute in tag.split_whitespace().skip(1) {
                let runs = attribute.starts_with("on") || attribute.contains("javascript:");
                assert!(!runs && !attribute.starts_with("style="), "{tag}");
                for address in ["src=\"", "href=\""] {
                    let Some(address) = attribute.strip_prefix(address) else {
                        continue;
                    };
                    assert!(address.starts_with("./assets/"), "{tag}");
                }
            }
            if name == "script" {
                assert!(tag.contains(" src=\""), "{tag}");
                assert_eq!(text.trim(), "", "{tag}");
            }
        }
    }
}
