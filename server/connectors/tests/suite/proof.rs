//! The page that says what the suite proves of each connector. Its cases stop every build in which one fails, so the
//! page is right if it lists them all.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use multirail_sdk::bank_account::BankScheme;
use multirail_sdk::payer_method::VARIETIES;

use crate::peers::{adyen, checkout, simulator, stripe};
use crate::suite::cases::methods;
use crate::suite::mishaps::{self, BROUGHT_ABOUT, Mishap, Operation};
use crate::suite::subject::Subject;
use crate::suite::{CASES, missing};

/// Writes the page anew: `MULTIRAIL_PROOF=write cargo test -p multirail-connectors --test contract proof`.
const VARIABLE: &str = "MULTIRAIL_PROOF";
const PAGE: &str = "../docs/guides/proof.md";

const BEGINNING: &str = "\
# What is proved of each connector

Each row is a test that runs for every connector, against a stand-in of its processor. A build in which one fails isn't
released. A dash means that the connector doesn't offer it; the reasons stand below. These tests don't cover a method that is
only `offered`: its payers decide in an app of their own, and scenarios of the whole service show that.

Tests of faults check the immediate outcome, the outcome that is learned later, and the processor's books: done once, or not at all.
A method beside cards is `proved` if its payer pays and rejects, and if the payment stands every fault of an authorization below. Scenarios
of the whole service bring notices backwards, late and twice; a signature is judged before anything else, whatever the notice is about.

The processors' own clients judge the stand-ins and our requests too. The page of each connector says what they prove.
";

/// The heading of each group of cases.
const HEADINGS: [(&str, &str); 15] = [
    ("paying", "Cards"),
    ("keeping", "Saved cards"),
    ("voids", "Cancellations"),
    ("raises", "Raised authorizations"),
    ("reviews", "Reviews"),
    ("refunds", "Refunds"),
    ("payers", "3-D Secure"),
    ("methods", "Methods beside cards"),
    ("debits", "Debits of bank accounts"),
    ("look_ups", "Look-ups"),
    ("accounts", "Accounts"),
    ("repeats", "Repeated requests"),
    ("faults", "Faults"),
    ("notices", "Notices of the processor"),
    ("disputes", "Disputes"),
];

type Column = (&'static str, Box<dyn Subject>);

fn row(page: &mut String, first: &str, cells: impl Iterator<Item = &'static str>) {
    let cells: Vec<_> = cells.collect();
    writeln!(page, "| {first} | {} |", cells.join(" | ")).expect("memory");
}

fn head(page: &mut String, title: &str, columns: &[Column]) {
    write!(page, "\n## {title}\n\n").expect("memory");
    row(page, "", columns.iter().map(|(name, _)| *name));
    writeln!(page, "|---|{}", "---|".repeat(columns.len())).expect("memory");
}

fn cell(is_proved: bool) -> &'static str {
    if is_proved { "proved" } else { "–" }
}

/// Returns the name of a test as words: `A lost answer`.
fn words(name: &str) -> String {
    let words = name.replace('_', " ");
    words[..1].to_uppercase() + &words[1..]
}

/// Returns whether a case that this subject runs brings a mishap about for an operation.
fn is_brought_about(operation: Operation, mishap: Mishap, subject: &dyn Subject) -> bool {
    let mut cases = BROUGHT_ABOUT.iter().map(|(case, ..)| case);
    cases.any(|case| {
        let met = mishaps::expected(case, subject);
        met.contains(&(operation, mishap)) && missing(case, subject).is_none()
    })
}

/// Adds a row for each operation with each of the mishaps that cases bring about for it.
fn operations(page: &mut String, columns: &[Column]) {
    head(page, "Each operation with each fault", columns);
    for operation in Operation::ALL {
        for mishap in Mishap::ALL {
            let cells = columns
                .iter()
                .map(|(_, subject)| is_brought_about(operation, mishap, &**subject));
            let cells: Vec<bool> = cells.collect();
            if cells.contains(&true) {
                let first = format!("{}: {}", operation.words(), mishap.words());
                row(page, &first, cells.into_iter().map(cell));
            }
        }
    }
}

fn page(columns: &[Column]) -> String {
    let mut page = BEGINNING.to_owned();
    for (group, title) in HEADINGS {
        head(&mut page, title, columns);
        for (_, case) in CASES.iter().filter(|(own, _)| *own == group) {
            let cells = columns
                .iter()
                .map(|(_, subject)| cell(missing(case, &**subject).is_none()));
            row(&mut page, &words(case), cells);
        }
    }
    operations(&mut page, columns);
    head(&mut page, "Each method beside cards", columns);
    for variety in &VARIETIES {
        let cells = columns.iter().map(|(_, subject)| {
            let capabilities = &subject.description().capabilities;
            match capabilities.payer_method(variety.kind) {
                Some(rules) if methods::covers(&**subject, rules) => cell(true),
                Some(_) => "offered",
                None => cell(false),
            }
        });
        row(&mut page, &format!("`{}`", variety.kind), cells);
    }
    for scheme in BankScheme::ALL {
        let Some(kind) = scheme.debited_as() else {
            continue;
        };
        let cells = columns.iter().map(|(_, subject)| {
            let capabilities = &subject.description().capabilities;
            cell(capabilities.payer_method(kind).is_some())
        });
        row(&mut page, &format!("`{kind}`"), cells);
    }
    page.push_str("\n## Why a connector doesn't offer something\n\n");
    for (name, subject) in columns {
        let mut reasons = Vec::new();
        for need in CASES
            .iter()
            .filter_map(|(_, case)| missing(case, &**subject))
        {
            if !reasons.contains(&need.reason()) {
                reasons.push(need.reason());
            }
        }
        writeln!(page, "- {name}: {}", reasons.join("; ")).expect("memory");
    }
    page
}

#[tokio::test]
async fn the_page_of_proof_lists_every_case() {
    for (group, _) in CASES {
        assert!(
            HEADINGS.iter().any(|(own, _)| own == group),
            "{group} has no heading"
        );
    }
    let columns: [Column; 4] = [
        ("Simulator", simulator::start().await),
        ("Stripe", stripe::start().await),
        ("Adyen", adyen::start().await),
        ("Checkout.com", checkout::start().await),
    ];
    let page = page(&columns);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    if env::var(VARIABLE).as_deref() == Ok("write") {
        fs::write(&path, &page).expect("the page is written");
    }
    let stored = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        stored, page,
        "{PAGE} is old; {VARIABLE}=write writes it anew"
    );
}
