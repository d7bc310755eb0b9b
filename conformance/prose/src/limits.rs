//! The level that the repository holds.

use super::{Fault, Kind, Report};

/// The most of a hundred sentences or names of a kind that may have a fault.
const LIMITS: &[(Kind, Fault, f64)] = &[
    (Kind::Markdown, Fault::Headless, 1.0),
    (Kind::Markdown, Fault::Fragment, 0.2),
    (Kind::Markdown, Fault::Dodge, 0.2),
    (Kind::Markdown, Fault::Long, 8.0),
    (Kind::Comments, Fault::Headless, 1.5),
    (Kind::Comments, Fault::Fragment, 0.2),
    (Kind::Comments, Fault::Dodge, 0.2),
    (Kind::Comments, Fault::Long, 3.0),
    (Kind::Contract, Fault::Headless, 1.0),
    (Kind::Contract, Fault::Fragment, 0.2),
    (Kind::Contract, Fault::Dodge, 0.2),
    (Kind::Contract, Fault::Long, 8.0),
    (Kind::Messages, Fault::Headless, 1.0),
    (Kind::Messages, Fault::Fragment, 0.2),
    (Kind::Messages, Fault::Dodge, 0.2),
    (Kind::Names, Fault::Dialect, 0.5),
];

/// The most words of all Markdown, without guides, deployment and test cards.
const MOST_WORDS: usize = 30_000;

/// Documents that may be as long as their readers need.
const LONG_DOCUMENTS: [&str; 3] = [
    "server/docs/guides/",
    "server/deploy/",
    "server/TEST_CARDS.md",
];

/// The most lines of the documents that everybody reads.
const MOST_LINES: [(&str, usize); 4] = [
    ("README.md", 120),
    ("conformance/BENCHMARKS.md", 200),
    ("openapi/README.md", 150),
    ("server/ARCHITECTURE.md", 250),
];

/// The READMEs of the server's subjects.
const SUBJECTS: [&str; 9] = [
    "server/app/src/platform/README.md",
    "server/billing/README.md",
    "server/domain/src/accounts/README.md",
    "server/domain/src/customers/README.md",
    "server/domain/src/operations/README.md",
    "server/domain/src/payments/README.md",
    "server/domain/src/webhooks/README.md",
    "server/identity/README.md",
    "server/routing/README.md",
];

/// The most words of a subject's README.
const MOST_WORDS_OF_SUBJECT: usize = 1_000;

/// A limit that the repository exceeds.
#[derive(Debug)]
pub struct Excess(pub String);

/// Returns the limits that a report exceeds, each with the first places.
pub fn check(report: &Report) -> Vec<Excess> {
    let mut exceeded: Vec<Excess> = LIMITS
        .iter()
        .filter(|(kind, fault, limit)| report.share(*kind, *fault) > *limit)
        .map(|(kind, fault, limit)| too_many(report, *kind, *fault, *limit))
        .collect();
    let words = words(report);
    if words > MOST_WORDS {
        exceeded.push(Excess(format!(
            "Markdown has {words} words, the limit is {MOST_WORDS}"
        )));
    }
    for (path, most) in MOST_LINES {
        exceeded.extend(too_long(path, report.lines.get(path), most, "lines"));
    }
    for path in SUBJECTS {
        let words = report.words.get(path);
        exceeded.extend(too_long(path, words, MOST_WORDS_OF_SUBJECT, "words"));
    }
    exceeded
}

/// Returns the excess of a document that is too long or missing.
fn too_long(path: &str, length: Option<&usize>, most: usize, unit: &str) -> Option<Excess> {
    match length {
        Some(length) if *length <= most => None,
        Some(length) => Some(Excess(format!(
            "{path} has {length} {unit}, the limit is {most}"
        ))),
        None => Some(Excess(format!("{path} is missing"))),
    }
}

/// Returns the words that count towards the limit of all Markdown.
pub(super) fn words(report: &Report) -> usize {
    let counts = |path: &str| !LONG_DOCUMENTS.iter().any(|long| path.starts_with(long));
    let counted = report.words.iter().filter(|(path, _)| counts(path));
    counted.map(|(_, words)| words).sum()
}

fn too_many(report: &Report, kind: Kind, fault: Fault, limit: f64) -> Excess {
    let faulty = report.faulty(kind, fault);
    let places: Vec<String> = faulty
        .iter()
        .take(10)
        .map(|piece| format!("  {}: {}", piece.place, piece.text))
        .collect();
    Excess(format!(
        "{} of {} are {}: {:.2} %, the limit is {limit} %\n{}",
        faulty.len(),
        kind.name(),
        fault.name(),
        report.share(kind, fault),
        places.join("\n")
    ))
}

#[cfg(test)]
mod tests {
    use super::{Report, check};

    #[test]
    fn a_document_that_grew_too_long_is_named() {
        let mut report = Report::default();
        report.lines.insert("README.md".to_owned(), 121);
        report
            .lines
            .insert("server/ARCHITECTURE.md".to_owned(), 250);
        let subject = "server/routing/README.md".to_owned();
        report.words.insert(subject, 1_001);
        let exceeded: Vec<String> = check(&report).into_iter().map(|excess| excess.0).collect();
        for expected in [
            "README.md has 121 lines, the limit is 120",
            "openapi/README.md is missing",
            "server/routing/README.md has 1001 words, the limit is 1000",
        ] {
            assert!(exceeded.iter().any(|one| one == expected), "{exceeded:?}");
        }
        assert!(!exceeded.iter().any(|one| one.contains("ARCHITECTURE")));
    }
}
