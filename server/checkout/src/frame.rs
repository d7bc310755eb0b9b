//! The page of a frame: the built one, with the values of a profile, and the policy that goes with it.

use multirail_page::escape;
use serde_json::json;

/// The part of the policy that all frames share. Scripts and styles come from the frame's own files, and calls go to its
/// own origin.
const LOADS: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
     font-src 'none'; base-uri 'none'; form-action 'none'";

/// Text can't become a script.
const TRUSTED_TYPES: &str = "require-trusted-types-for 'script'; trusted-types 'none'";

/// The values that a frame's page has from the server.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// The origins whose pages may embed the frame, as policies write them. `*` stands for any, and an empty list for
    /// none.
    pub origins: &'a [String],
    pub profile_id: &'a str,
    /// True if no real money moves.
    pub is_test: bool,
}

impl Frame<'_> {
    /// Returns the page; `None` if the program was built without it.
    pub fn html(&self) -> Option<String> {
        self.written_into(crate::page()?)
    }

    /// Returns the policy of the page.
    pub fn policy(&self) -> String {
        let embedders = match self.origins {
            [] => "'none'".to_owned(),
            [_, ..] => self.origins.join(" "),
        };
        format!("{LOADS}; frame-ancestors {embedders}; {TRUSTED_TYPES}")
    }

    /// Writes the values into a page, at the end of its head. Its script runs after the whole page is read.
    fn written_into(&self, page: &str) -> Option<String> {
        let (before, after) = page.split_once("</head>")?;
        let origins = json!(self.origins).to_string();
        let mode = if self.is_test { "test" } else { "live" };
        let values = [
            ("multirail-origins", origins.as_str()),
            ("multirail-profile", self.profile_id),
            ("multirail-mode", mode),
        ];
        let values: String = values
            .iter()
            .map(|(name, value)| format!("<meta name=\"{name}\" content=\"{}\">\n", escape(value)))
            .collect();
        Some(format!("{before}{values}</head>{after}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(origins: &[String]) -> Frame<'_> {
        Frame {
            origins,
            profile_id: "pro_books",
            is_test: true,
        }
    }

    fn ancestors(origins: &[&str]) -> String {
        let origins: Vec<String> = origins.iter().map(|one| (*one).to_owned()).collect();
        let policy = frame(&origins).policy();
        let mut directives = policy.split("; ");
        let found = directives.find_map(|one| one.strip_prefix("frame-ancestors "));
        found.expect("a directive").to_owned()
    }

    #[test]
    fn the_policy_names_the_pages_that_may_embed_the_frame() {
        assert_eq!(ancestors(&[]), "'none'");
        assert_eq!(ancestors(&["*"]), "*");
        assert_eq!(
            ancestors(&["https://shop.example", "http://localhost:5173"]),
            "https://shop.example http://localhost:5173"
        );
    }

    #[test]
    fn the_policy_lets_nothing_in_from_elsewhere() {
        let policy = frame(&[]).policy();
        assert!(policy.starts_with("default-src 'none'; "), "{policy}");
        for part in ["http", "*", "unsafe"] {
            assert!(!policy.contains(part), "{policy}");
        }
    }

    #[test]
    fn a_page_has_the_values_of_its_profile() {
        let origins = ["https://shop.example".to_owned(), "\"><script>".to_owned()];
        let page = "<!doctype html><head><title>Checkout</title></head><body></body>";
        let written = frame(&origins).written_into(page);
        let expected = "<!doctype html><head><title>Checkout</title>\
             <meta name=\"multirail-origins\" content=\"[&quot;https://shop.example&quot;,&quot;\\&quot;&gt;&lt;script&gt;&quot;]\">\n\
             <meta name=\"multirail-profile\" content=\"pro_books\">\n\
             <meta name=\"multirail-mode\" content=\"test\">\n\
             </head><body></body>";
        assert_eq!(written.as_deref(), Some(expected));
        assert_eq!(frame(&origins).written_into("<p>no head</p>"), None);
        let live = Frame {
            is_test: false,
            ..frame(&[])
        };
        let written = live.written_into(page).expect("a page");
        assert!(written.contains("content=\"[]\"") && written.contains("content=\"live\""));
    }
}
