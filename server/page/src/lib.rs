//! The common frame of pages for payers, ours and the simulated processor's: for phones and screens, light and dark,
//! keyboards and screen readers. It has no scripts and loads nothing. Two pages have frames of their own: that of a
//! payment link, which has a form (`pay`), and an invoice, which is printed (`invoice`).

pub mod invoice;
pub mod pay;

/// The policy of every page: no script, no outside resource, no enclosing frame, and only the embedded style sheet.
///
/// `form-action` is absent on purpose: browsers apply it to the redirects after a form too, and these lead to any
/// address that the merchant gave.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; \
    style-src 'sha256-6jmkxwxO94Fu4w7YGLIksZZsxp7HXgdOz5W8Ita7IVs='; base-uri 'none'; frame-ancestors 'none'";

/// Returns the policy of a page that says why a frame can't be opened. Any page may enclose it: it has nothing to press.
pub fn policy_in_frames() -> String {
    CONTENT_SECURITY_POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")
}

const STYLE: &str = "
:root { color-scheme: light dark; --page: #f3f4f6; --card: #fff; --text: #111827; --quiet: #4b5563;
  --line: #6b7280; --good: #047857; --bad: #b91c1c; --on: #fff }
@media (prefers-color-scheme: dark) {
  :root { --page: #0b0f19; --card: #1f2937; --text: #f9fafb; --quiet: #d1d5db; --line: #9ca3af;
    --good: #34d399; --bad: #f87171; --on: #052e16 }
}
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--page);
  color: var(--text); font: 16px/1.5 system-ui, sans-serif }
main { box-sizing: border-box; width: min(26rem, 100vw); padding: 2rem; background: var(--card);
  border-radius: .75rem; box-shadow: 0 1px 3px #0003; text-align: center; overflow-wrap: anywhere }
h1 { margin: 0 0 .5rem; font-size: 1.25rem }
p { margin: 0 0 1rem; color: var(--quiet) }
.mark { margin: 0 0 .5rem; font-size: 2.5rem; line-height: 1 }
.mark.good { color: var(--good) }
.mark.bad { color: var(--bad) }
.amount { margin: 1.5rem 0; font-size: 2rem; font-weight: 600; color: var(--text) }
.choice { display: flex; gap: .75rem }
form { flex: 1 }
button, .button { box-sizing: border-box; display: block; width: 100%; padding: .75rem;
  border: 1px solid var(--line); border-radius: .5rem; background: var(--card); color: inherit; font: inherit;
  text-decoration: none; cursor: pointer }
.yes { border-color: var(--good); background: var(--good); color: var(--on) }
:focus-visible { outline: 3px solid var(--line); outline-offset: 2px }
small { display: block; margin-top: 1.5rem; color: var(--quiet) }
";

/// All headers of a page, with names in lower case.
pub const HEADERS: [(&str, &str); 5] = [
    ("content-type", "text/html; charset=utf-8"),
    ("content-security-policy", CONTENT_SECURITY_POLICY),
    ("cache-control", "no-store"),
    // The token in the address must not reach other sites.
    ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
];

/// Returns a page. `title` is text, `main` is HTML.
pub fn document(title: &str, main: &str) -> String {
    let title = escape(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"robots\" content=\"noindex\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n\
         <body>\n<main>\n{main}\n</main>\n</body>\n</html>\n"
    )
}

/// Escapes text for HTML text and attribute values.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use sha2::Digest as _;

    use super::*;

    #[test]
    fn the_policy_names_the_style_sheet() {
        let digest = sha2::Sha256::digest(STYLE.as_bytes());
        let hash = base64::engine::general_purpose::STANDARD.encode(digest);
        assert!(
            CONTENT_SECURITY_POLICY.contains(&hash),
            "it should be {hash}"
        );
    }

    #[test]
    fn only_the_enclosing_pages_differ_in_frames() {
        let (before, after) = CONTENT_SECURITY_POLICY
            .split_once("frame-ancestors 'none'")
            .expect("pages are in no frame");
        let expected = format!("{before}frame-ancestors *{after}");
        assert_eq!(policy_in_frames(), expected);
    }

    #[test]
    fn what_comes_from_outside_is_escaped() {
        assert_eq!(
            escape(r#"<a href="x" title='y'>&</a>"#),
            "&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;&lt;/a&gt;"
        );
    }

    #[test]
    fn every_page_is_readable_anywhere() {
        let page = document("Books & more", "<h1>Here</h1>");
        for part in [
            "<html lang=\"en\">",
            "<title>Books &amp; more</title>",
            "width=device-width",
            "prefers-color-scheme: dark",
            "<main>\n<h1>Here</h1>\n</main>",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert!(
            !page.contains("<script") && !page.contains("http"),
            "{page}"
        );
    }
}
