//! The published document as pages for people: the reference, with a form to try each call, and a guide for each task.
//! The program contains all of it: no page loads anything from elsewhere. Programs get the same as Markdown, with
//! `llms.txt` as its table of contents, and a Postman collection.

mod document;
mod postman;
mod reference;

pub use postman::collection;
pub use reference::reference_text;

/// A file of these pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    pub content_type: &'static str,
    /// The file's `content-security-policy`.
    pub policy: &'static str,
    pub body: Body,
    /// True if browsers may cache it for good, because its address changes with its content.
    pub may_be_kept: bool,
}

/// The content of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    Text(String),
    Static(&'static str),
    Picture(&'static [u8]),
    /// Compressed by gzip.
    Packed(&'static [u8]),
}

/// A guide with its HTML and its Markdown.
struct Guide {
    name: &'static str,
    title: &'static str,
    /// Its first paragraph, as plain text in one line.
    purpose: &'static str,
    body: &'static str,
    text: &'static str,
}

/// The policy of the reference: scripts, styles and calls of this server only. The viewer sets styles at run time, so
/// no hash can name them.
const RUNS: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
    font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// The policy of everything else, which runs no script.
pub const READS: &str = "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const GUIDES: &[Guide] = include!(concat!(env!("OUT_DIR"), "/guides.rs"));
/// The pictures of the guides, by name.
const PICTURES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/pictures.rs"));
const VIEWER: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/viewer.js.gz"));
const VIEWER_NAME: &str = env!("VIEWER_NAME");
const START: &str = include_str!("start.js");
/// The contents of the guides, for the viewer.
const CONTENTS: &str = include_str!(concat!(env!("OUT_DIR"), "/contents.md"));
const STYLE: &str = include_str!("page.css");

/// The server's address in the guides' examples, which is replaced by the real one.
const SOMEWHERE: &str = "http://127.0.0.1:8080";
const ANYBODY: &str = "https://&lt;your server&gt;";
/// The same address in Markdown.
const ANYBODY_IN_TEXT: &str = "https://<your server>";

const HTML: &str = "text/html; charset=utf-8";
/// The content type of Markdown.
pub const MARKDOWN: &str = "text/markdown; charset=utf-8";

/// Returns the file below `/docs` for the rest of its path; the reference itself has no rest. `url` is the server's
/// address for every example.
pub fn find(rest: &[&str], url: &str) -> Option<File> {
    match rest {
        [] => Some(File {
            policy: RUNS,
            ..file(HTML, Body::Text(reference(url)))
        }),
        ["guides", name] => Some(match name.strip_suffix(".md") {
            Some(name) => file(MARKDOWN, Body::Text(Guide::find(name)?.text(url))),
            None => file(HTML, Body::Text(Guide::find(name)?.page(url))),
        }),
        ["pictures", name] => {
            let (_, picture) = PICTURES.iter().find(|(known, _)| known == name)?;
            Some(file("image/png", Body::Picture(picture)))
        }
        ["start.js"] => Some(file("text/javascript; charset=utf-8", Body::Static(START))),
        ["page.css"] => Some(file("text/css; charset=utf-8", Body::Static(STYLE))),
        [name] if *name == VIEWER_NAME => Some(File {
            may_be_kept: true,
            ..file("text/javascript; charset=utf-8", Body::Packed(VIEWER))
        }),
        _ => None,
    }
}

/// Returns a file that runs no script.
fn file(content_type: &'static str, body: Body) -> File {
    File {
        content_type,
        policy: READS,
        body,
        may_be_kept: false,
    }
}

/// Returns all addresses below `/docs` that lead to a page.
pub fn pages() -> impl Iterator<Item = String> {
    let guides = GUIDES.iter().map(|guide| format!("/guides/{}", guide.name));
    std::iter::once(String::new()).chain(guides)
}

/// Returns the contents of everything that is Markdown, for language models and their tools (<https://llmstxt.org>).
pub fn contents(url: &str) -> File {
    let guides = GUIDES.iter().map(|guide| {
        let Guide {
            name,
            title,
            purpose,
            ..
        } = guide;
        let purpose = purpose.replace(SOMEWHERE, url);
        format!("- [{title}]({url}/docs/guides/{name}.md): {purpose}\n")
    });
    let guides: String = guides.collect();
    let text = format!(
        "# multirail\n\n> One API in front of many payment processors, which merchants run themselves. This server is {url}.\n\n\
         ## Guides\n\n{guides}\n## Reference\n\n\
         - [Every operation]({url}/docs/reference.md): addresses, rules, refusals and examples\n\n## Optional\n\n\
         - [OpenAPI document]({url}/openapi.yaml): the same with all schemas, [as JSON]({url}/openapi.json) too\n\
         - [Postman collection]({url}/docs/postman.json): every operation with its example\n"
    );
    file(MARKDOWN, Body::Text(text))
}

/// Returns the reference. Its addresses are relative, so that it works behind a prefix too.
fn reference(url: &str) -> String {
    let links = menu("docs/guides/", None);
    let guides = GUIDES.iter().map(|guide| {
        let Guide { name, title, .. } = guide;
        format!("<li><a href=\"docs/guides/{name}\">{title}</a></li>\n")
    });
    let guides: String = guides.collect();
    let url = escaped(url);
    let body = format!(
        "<header><a class=\"name\" href=\"docs\">multirail</a>{links}</header>\n\
         <main class=\"first\" id=\"first\">\n<h1>multirail</h1>\n<p>One API in front of many payment processors. This server is \
         {url}.</p>\n<p id=\"loading\" role=\"status\">The reference of every operation is being loaded.</p>\n<p>Guides:</p>\n\
         <ul>\n{guides}</ul>\n</main>\n<div id=\"reference\"></div>\n<noscript><p>The reference needs JavaScript. The guides do without, and so does \
         <a href=\"openapi.yaml\">the document itself</a>.</p></noscript>\n\
         <script type=\"text/markdown\" id=\"guides\">{CONTENTS}</script>\n\
         <script src=\"docs/start.js\" defer></script>\n<script src=\"docs/{VIEWER_NAME}\" defer></script>"
    );
    framed("Reference", "docs/page.css", "reference", &body)
}

impl Guide {
    fn find(name: &str) -> Option<&'static Self> {
        GUIDES.iter().find(|guide| guide.name == name)
    }

    fn text(&self, url: &str) -> String {
        self.text
            .replace(SOMEWHERE, url)
            .replace(ANYBODY_IN_TEXT, url)
    }

    fn page(&self, url: &str) -> String {
        let url = escaped(url);
        let text = self.body.replace(SOMEWHERE, &url).replace(ANYBODY, &url);
        let links = menu("", Some(self.name));
        let body = format!(
            "<header><a class=\"name\" href=\"../../docs\">multirail</a>{links}</header>\n<main>\n{text}\
             <p class=\"source\"><a href=\"{}.md\" type=\"text/markdown\">This guide as Markdown</a></p>\n</main>",
            self.name
        );
        framed(self.title, "../page.css", "guide", &body)
    }
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

/// Returns links to all guides.
fn menu(before: &str, current: Option<&str>) -> String {
    let links = GUIDES.iter().map(|guide| {
        let Guide { name, title, .. } = guide;
        let here = if current == Some(name) {
            " aria-current=\"page\""
        } else {
            ""
        };
        format!("<a href=\"{before}{name}\"{here}>{title}</a>")
    });
    let links: Vec<String> = links.collect();
    format!("<nav aria-label=\"Guides\">{}</nav>", links.join("\n"))
}

fn framed(title: &str, style: &str, class: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} · multirail</title>\n<link rel=\"icon\" href=\"data:,\">\n\
         <link rel=\"stylesheet\" href=\"{style}\">\n</head>\n<body class=\"{class}\">\n{body}\n</body>\n</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(rest: &[&str]) -> String {
        match find(rest, "https://pay.example").expect("a page").body {
            Body::Text(text) => text,
            other => panic!("{other:?} is no page"),
        }
    }

    /// Returns whether an address on a guide's page leads to a picture.
    fn is_picture(address: &str) -> bool {
        let name = address.strip_prefix("../pictures/");
        name.and_then(|name| find(&["pictures", name], ""))
            .is_some()
    }

    #[test]
    fn guides_show_all_pictures_and_say_what_is_on_them() {
        let mut shown = std::collections::BTreeSet::new();
        for guide in GUIDES {
            let page = page(&["guides", guide.name]);
            for picture in page.split("<img ").skip(1) {
                let attribute = |name: &str| {
                    let (_, rest) = picture.split_once(&format!("{name}=\""))?;
                    Some(rest.split('"').next().unwrap_or_default().to_owned())
                };
                let address = attribute("src").expect("an address");
                assert!(is_picture(&address), "{} shows {address}", guide.name);
                assert!(
                    attribute("alt").is_some_and(|text| text.len() > 15),
                    "{address} of {} can't be heard",
                    guide.name
                );
                shown.insert(address.replace("../pictures/", ""));
            }
        }
        let all: Vec<&str> = PICTURES.iter().map(|(name, _)| *name).collect();
        assert!(shown.iter().eq(all), "{shown:?}");
        for (name, picture) in PICTURES {
            assert!(picture.starts_with(b"\x89PNG"), "{name}");
            let file = find(&["pictures", name], "").expect("a file");
            assert_eq!((file.content_type, file.policy), ("image/png", READS));
        }
        assert_eq!(find(&["pictures", "none.png"], ""), None);
        assert_eq!(find(&["pictures", "../Cargo.toml"], ""), None);
    }

    #[test]
    fn guides_lead_to_what_there_is() {
        for guide in GUIDES {
            let page = page(&["guides", guide.name]);
            for link in page.split("href=\"").skip(1) {
                let link = link.split('"').next().unwrap_or_default();
                let target = link.split('#').next().unwrap_or_default();
                let is_known = match target {
                    "" | "data:," | "../page.css" | "../../docs" | "../../openapi.yaml" => true,
                    other => Guide::find(other.trim_end_matches(".md")).is_some(),
                };
                assert!(is_known, "{} leads to {link}", guide.name);
                if let ("", Some((_, anchor))) = (target, link.split_once('#')) {
                    let id = format!("id=\"{anchor}\"");
                    assert!(page.contains(&id), "{} has no {link}", guide.name);
                }
            }
        }
    }

    #[test]
    fn the_markdown_of_guides_leads_to_what_there_is() {
        for guide in GUIDES {
            let text = page(&["guides", &format!("{}.md", guide.name)]);
            assert!(text.starts_with(&format!("# {}\n", guide.title)), "{text}");
            for stranger in ["127.0.0.1:8080", ANYBODY_IN_TEXT] {
                assert!(!text.contains(stranger), "{}: {stranger}", guide.name);
            }
            for link in text.split("](").skip(1) {
                let link = link.split(')').next().unwrap_or_default();
                let target = link.split('#').next().unwrap_or_default();
                let is_known = match target.strip_suffix(".md") {
                    Some(name) => Guide::find(name).is_some(),
                    None => {
                        target.is_empty() || target.starts_with("https://") || is_picture(target)
                    }
                };
                assert!(is_known, "{} leads to {link}", guide.name);
            }
        }
        assert_eq!(find(&["guides", "none.md"], ""), None);
    }

    #[test]
    fn every_page_names_the_server_that_it_is_read_at() {
        let first = page(&["guides", "first-payment"]);
        assert!(first.contains("export URL=https://pay.example"), "{first}");
        for guide in GUIDES {
            let page = page(&["guides", guide.name]);
            for stranger in ["127.0.0.1:8080", "your server&gt;"] {
                assert!(!page.contains(stranger), "{}: {stranger}", guide.name);
            }
        }
        assert!(page(&[]).contains("This server is https://pay.example"));
    }

    #[test]
    fn nothing_is_loaded_from_elsewhere() {
        for path in pages() {
            let rest: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
            let page = page(&rest);
            for loaded in ["src=\"http", "src=\"//", "href=\"http", "href=\"//"] {
                assert!(!page.contains(loaded), "{path}: {loaded}");
            }
        }
        assert_eq!(find(&["guides", "none"], ""), None);
        assert_eq!(find(&["viewer-000000000000.js"], ""), None);
    }

    #[test]
    fn the_viewer_is_packed_whole() {
        let name = VIEWER_NAME;
        let viewer = find(&[name], "").expect("the viewer");
        assert!(viewer.may_be_kept);
        assert!(reference("").contains(name));
        let Body::Packed(bytes) = viewer.body else {
            panic!("it is packed");
        };
        assert_eq!(bytes[..2], [0x1f, 0x8b], "gzip");
    }
}
