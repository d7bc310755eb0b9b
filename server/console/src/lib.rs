//! The built files of the console. The program contains them, so that it needs neither Node.js nor another server.
//! `client/console` has their sources.

pub use multirail_embed::File;

const FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

const INDEX: &str = "index.html";

/// The headers of every file, with names in lower case. Scripts and styles come from the console's own files, calls go
/// to its own origin, and text can't become a script.
pub const HEADERS: [(&str, &str); 5] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
         connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
         require-trusted-types-for 'script'; trusted-types 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// Returns whether the program was built with the console's files.
pub fn is_built() -> bool {
    !FILES.is_empty()
}

/// Returns the file for the segments below `/console/`. The addresses of the console's screens get its page, which reads
/// them itself.
pub fn find(rest: &[&str]) -> Option<&'static File> {
    let path = match rest {
        ["assets", name] => format!("assets/{name}"),
        ["api" | "assets", ..] => return None,
        _ => INDEX.to_owned(),
    };
    FILES.iter().find(|file| file.path == path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_has_the_console() {
        assert!(is_built(), "client/console/dist is not committed");
        for screen in [&[""][..], &["payments"], &["payments", "pay_1"]] {
            let file = find(screen).expect("the page");
            assert_eq!((file.path, file.may_be_kept), (INDEX, false));
        }
    }

    #[test]
    fn addresses_of_programs_and_unknown_files_have_no_page() {
        for path in [
            &["api"][..],
            &["api", "user"],
            &["assets"],
            &["assets", "none-0123456789.js"],
            &["assets", "a", "b.js"],
        ] {
            assert_eq!(find(path), None, "{path:?}");
        }
    }

    #[test]
    fn a_file_that_may_be_kept_has_its_hash_in_its_name() {
        for file in FILES.iter().filter(|file| file.may_be_kept) {
            let name = file.path.strip_prefix("assets/").expect("an asset");
            assert!(file.has_hashed_name() && file.is_packed(), "{name}");
            assert_eq!(find(&["assets", name]), Some(file));
        }
    }

    #[test]
    fn the_policy_names_no_other_host() {
        let (_, policy) = HEADERS[0];
        assert!(policy.starts_with("default-src 'none'"), "{policy}");
        for part in ["http", "*", "unsafe"] {
            assert!(!policy.contains(part), "{policy}");
        }
    }
}
