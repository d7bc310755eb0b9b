//! Packs the files of the pages: the compressed viewer, and the guides as HTML.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use flate2::Compression;
use flate2::write::GzEncoder;
use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};
use sha2::{Digest, Sha256};

/// The guides, in the order in which a newcomer needs them.
const GUIDES: [&str; 20] = [
    "first-payment",
    "testing",
    "command-line",
    "console",
    "webhooks",
    "errors",
    "idempotency",
    "unknown-outcomes",
    "routing",
    "embedded-checkout",
    "payment-links",
    "wallets",
    "subscriptions",
    "users-and-platforms",
    "coming-from-elsewhere",
    "other-languages",
    "going-live",
    "proof",
    "members",
    "test-cards",
];

type Done = Result<(), Box<dyn Error>>;

fn main() -> Done {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo names no folder")?);
    let source = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("cargo names no folder")?);
    for read in ["guides", "pictures", "../TEST_CARDS.md", "build.rs"] {
        println!("cargo:rerun-if-changed={read}");
    }
    pack_viewer(&out)?;
    let pictures = copy_pictures(&source.join("pictures"), &out)?;
    write_guides(&source, &out, &pictures)
}

/// Copies the pictures of the guides, and returns their names.
fn copy_pictures(from: &Path, out: &Path) -> Result<BTreeSet<String>, Box<dyn Error>> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(from)? {
        let name = entry?.file_name().into_string();
        let name = name.map_err(|name| format!("{} is no text", name.display()))?;
        if !name.ends_with(".png") {
            return Err(format!("pictures/{name} is no PNG").into());
        }
        fs::copy(from.join(&name), out.join(&name))?;
        names.insert(name);
    }
    let mut table = String::from("&[\n");
    for name in &names {
        writeln!(table, "    ({name:?}, include_bytes!({name:?})),")?;
    }
    table.push(']');
    fs::write(out.join("pictures.rs"), table)?;
    Ok(names)
}

/// Stores the viewer under a name derived from its content, so that browsers may cache it.
fn pack_viewer(out: &Path) -> Done {
    let viewer = scalar_api_reference::get_asset("scalar.js").ok_or("the viewer is missing")?;
    let digest = Sha256::digest(&viewer);
    let mut name = String::from("viewer-");
    for byte in &digest[..6] {
        write!(name, "{byte:02x}")?;
    }
    name.push_str(".js");
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(&viewer)?;
    fs::write(out.join("viewer.js.gz"), packed.finish()?)?;
    println!("cargo:rustc-env=VIEWER_NAME={name}");
    Ok(())
}

fn write_guides(source: &Path, out: &Path, pictures: &BTreeSet<String>) -> Done {
    let mut texts = BTreeMap::new();
    for name in GUIDES {
        let path = match name {
            // The same file that tests compare with the simulator's scenarios.
            "test-cards" => source.join("../TEST_CARDS.md"),
            other => source.join(format!("guides/{other}.md")),
        };
        let text =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        // The cards are a page among the guides, but their file is elsewhere.
        texts.insert(name, text.replace("../../TEST_CARDS.md", "test-cards.md"));
    }
    let mut table = String::from("&[\n");
    let mut contents = String::from("\n");
    for name in GUIDES {
        contents.push_str(&contents_of(name, &texts[name]));
        if let Some(missing) = missing_picture(&texts[name], pictures) {
            return Err(format!("{name} shows {missing}, which is not in pictures/").into());
        }
        let (title, body) = rendered(&texts[name]);
        let purpose = purpose_of(&texts[name]);
        if title.is_empty() || purpose.is_empty() {
            return Err(format!("{name} has no heading, or no first paragraph").into());
        }
        let (page, text) = (format!("{name}.html"), format!("{name}.md"));
        fs::write(out.join(&page), body)?;
        fs::write(out.join(&text), alone(&texts[name]))?;
        // The files are named without their folder: a target folder that was moved or copied still has them.
        writeln!(
            table,
            "    Guide {{ name: {name:?}, title: {title:?}, purpose: {purpose:?}, body: include_str!({page:?}), \
             text: include_str!({text:?}) }},",
        )?;
    }
    table.push(']');
    // The text is inserted into a page without escaping.
    if contents.contains("</") {
        return Err("a heading or a term of a guide holds markup".into());
    }
    fs::write(out.join("contents.md"), contents)?;
    fs::write(out.join("guides.rs"), table)?;
    Ok(())
}

/// Returns a guide's contents as Markdown: its headings, and each term in code that a table row explains, with links.
/// The viewer lists and finds headings of these two depths.
fn contents_of(name: &str, text: &str) -> String {
    let mut contents = String::new();
    let mut section = String::new();
    let mut said = String::new();
    let mut cells: Vec<String> = Vec::new();
    let mut is_term = false;
    let mut terms: Vec<String> = Vec::new();
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. }) => said.clear(),
            Event::End(TagEnd::Heading(level)) => {
                section = anchor(&said);
                let depth = if level == HeadingLevel::H1 {
                    "##"
                } else {
                    "###"
                };
                contents.push_str(&entry(depth, &said, name, &section));
            }
            Event::Start(Tag::TableRow) => cells.clear(),
            Event::Start(Tag::TableCell) => {
                said.clear();
                is_term |= cells.is_empty();
            }
            Event::Code(code) => said.push_str(&code),
            Event::Text(words) => {
                is_term &= !cells.is_empty();
                said.push_str(&words);
            }
            Event::End(TagEnd::TableCell) => cells.push(std::mem::take(&mut said)),
            Event::End(TagEnd::TableRow) if std::mem::take(&mut is_term) => {
                let [term, meaning @ ..] = &cells[..] else {
                    continue;
                };
                if !terms.contains(term) {
                    contents.push_str(&entry("###", term, name, &section));
                    terms.push(term.clone());
                }
                contents.extend(["\n", &meaning.join(": "), "\n"]);
            }
            _ => {}
        }
    }
    contents
}

fn entry(depth: &str, title: &str, guide: &str, section: &str) -> String {
    format!("\n{depth} {title}\n\n[Read the guide](docs/guides/{guide}#{section})\n")
}

/// Returns title and HTML of a guide. Headings have anchors, links to other guides are relative, and wide tables scroll
/// by themselves.
fn rendered(text: &str) -> (String, String) {
    let mut title = String::new();
    let mut events: Vec<Event<'_>> = Vec::new();
    let mut is_outside = false;
    let mut heading: Option<(HeadingLevel, usize, String)> = None;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                heading = Some((level, events.len(), String::new()));
                events.push(event);
            }
            Event::End(TagEnd::Heading(level)) => {
                if let Some((_, at, said)) = heading.take() {
                    let id = anchor(&said);
                    if level == HeadingLevel::H1 && title.is_empty() {
                        title = said;
                    }
                    events[at] = Event::Start(Tag::Heading {
                        level,
                        id: Some(CowStr::from(id)),
                        classes: Vec::new(),
                        attrs: Vec::new(),
                    });
                }
                events.push(event);
            }
            // Files of the source code are not among the pages.
            Event::Start(Tag::Link { ref dest_url, .. }) if dest_url.contains('/') => {
                is_outside = true
            }
            Event::End(TagEnd::Link) if is_outside => is_outside = false,
            Event::Start(Tag::Link {
                link_type,
                dest_url,
                title: hint,
                id,
            }) => events.push(Event::Start(Tag::Link {
                link_type,
                dest_url: CowStr::from(dest_url.replace(".md", "")),
                title: hint,
                id,
            })),
            Event::Start(Tag::Table(_)) => {
                events.push(Event::Html(CowStr::from(
                    "<div class=\"wide\" tabindex=\"0\">",
                )));
                events.push(event);
            }
            Event::End(TagEnd::Table) => {
                events.push(event);
                events.push(Event::Html(CowStr::from("</div>")));
            }
            Event::Text(ref said) | Event::Code(ref said) => {
                if let Some((_, _, text)) = &mut heading {
                    text.push_str(said);
                }
                events.push(event);
            }
            other => events.push(other),
        }
    }
    let mut body = String::new();
    html::push_html(&mut body, events.into_iter());
    (title, body)
}

/// Returns the address of a picture that a guide shows and nobody has.
fn missing_picture(text: &str, pictures: &BTreeSet<String>) -> Option<String> {
    let mut shown = Parser::new(text).filter_map(|event| match event {
        Event::Start(Tag::Image { dest_url, .. }) => Some(dest_url.into_string()),
        _ => None,
    });
    shown.find(|address| {
        let name = address.strip_prefix("../pictures/");
        !name.is_some_and(|name| pictures.contains(name))
    })
}

/// Returns the first paragraph as plain text in one line.
fn purpose_of(text: &str) -> String {
    let mut is_inside = false;
    let mut purpose = String::new();
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::Paragraph) => is_inside = true,
            Event::End(TagEnd::Paragraph) => break,
            Event::Text(said) | Event::Code(said) if is_inside => purpose.push_str(&said),
            Event::SoftBreak if is_inside => purpose.push(' '),
            _ => {}
        }
    }
    purpose
}

/// Returns a guide's Markdown without its links to files of the source code, which are not among the pages.
fn alone(text: &str) -> String {
    let mut kept = String::new();
    let mut at = 0;
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        let Event::Start(Tag::Link { dest_url, .. }) = event else {
            continue;
        };
        if !dest_url.contains('/') || dest_url.starts_with("https://") {
            continue;
        }
        let link = &text[range.clone()];
        let said = link.rsplit_once("](").map_or(link, |(said, _)| said);
        kept.push_str(&text[at..range.start]);
        kept.push_str(said.trim_start_matches('['));
        at = range.end;
    }
    kept.push_str(&text[at..]);
    kept
}

/// Returns the anchor of a heading: `going-live` for "Going live".
fn anchor(heading: &str) -> String {
    let words: Vec<String> = heading
        .split(|character: char| !character.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    words.join("-")
}
