//! A subject's statements name its own tables and those of the platform. `ALSO_NAMED` lists today's exceptions, and may
//! only shrink.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::plan::TABLES;
use super::root;
use super::sources::{before_tests, module_of, sources};

/// `(folder with statements, subject)`.
const STATEMENTS: &[(&str, &str)] = &[
    ("server/store/src/platform", "platform"),
    ("server/store/src/accounts", "accounts"),
    ("server/store/src/customers", "customers"),
    ("server/store/src/routing", "routing"),
    ("server/store/src/webhooks", "webhooks"),
    ("server/store/src/operations", "operations"),
    ("server/store/src/payments", "payments"),
    ("server/identity/src/store", "identity"),
    ("server/billing/src/store", "billing"),
];

/// `(file, tables of other subjects that its statements name, reason)`. The section "The wrong arrow" of ARCHITECTURE
/// explains them.
const ALSO_NAMED: &[(&str, &str, &str)] = &[
    (
        "server/identity/src/store/user_accounts.rs",
        "merchant_accounts",
        "The list of a user's accounts joins roles and accounts, so that it has pages.",
    ),
    (
        "server/store/src/accounts/merchants.rs",
        "open_operations payments",
        "The deletion of an account looks for open money in its own statement, so that no payment begins in between.",
    ),
    (
        "server/store/src/customers/cards_to_save.rs",
        "payments",
        "A card that waits to be saved is kept while its payment may still be approved.",
    ),
    (
        "server/store/src/operations/notices.rs",
        "attempts captures refunds",
        "A notice names an operation of any kind of object, and one statement looks for all kinds.",
    ),
    (
        "server/store/src/operations/open_operations.rs",
        "payments",
        "A payment has no row here while its first call is under way. After a crash such calls become due at once.",
    ),
    (
        "server/store/src/payments/redactions.rs",
        "customer_redactions",
        "The commit that redacts a customer queues the redaction of the payments, which payments carry out.",
    ),
    (
        "server/store/src/payments/unfinished.rs",
        "open_operations",
        "One statement finds the payments whose refunds and disputes are open.",
    ),
];

/// Words of a statement that stand before a table.
const BEFORE: &[&str] = &["from", "into", "join", "update"];

/// Returns the subject of each table.
fn subjects() -> BTreeMap<&'static str, &'static str> {
    let mut found = BTreeMap::new();
    for (subject, tables) in TABLES {
        for table in tables.split_whitespace() {
            let before = found.insert(table, *subject);
            assert!(before.is_none(), "plan.rs names the table {table} twice");
        }
    }
    found
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// Returns the tables that a statement, or a part of one, reads or writes.
fn tables_in(
    statement: &str,
    subjects: &BTreeMap<&'static str, &'static str>,
) -> BTreeSet<&'static str> {
    let words = words(statement);
    let named = words
        .windows(2)
        .filter(|pair| BEFORE.contains(&pair[0].as_str()));
    named
        .filter_map(|pair| subjects.get_key_value(pair[1].as_str()))
        .map(|(table, _)| *table)
        .collect()
}

/// Collects the texts of a source, without those of comments and attributes.
fn texts(tokens: TokenStream, found: &mut Vec<String>) {
    let mut is_attribute = false;
    for token in tokens {
        match &token {
            TokenTree::Punct(punct) => {
                is_attribute = punct.as_char() == '#' || (is_attribute && punct.as_char() == '!');
                continue;
            }
            TokenTree::Group(group) => {
                if !(is_attribute && group.delimiter() == Delimiter::Bracket) {
                    texts(group.stream(), found);
                }
            }
            TokenTree::Literal(literal) => {
                let literal = TokenTree::Literal(literal.clone());
                if let Ok(text) = syn::parse2::<syn::LitStr>(literal.into()) {
                    found.push(text.value());
                }
            }
            TokenTree::Ident(_) => {}
        }
        is_attribute = false;
    }
}

/// Returns the texts of a source outside of its tests.
fn texts_of(source: &str) -> Result<Vec<String>, String> {
    let tokens = before_tests(source).parse::<TokenStream>();
    let mut found = Vec::new();
    texts(tokens.map_err(|error| format!("{error}"))?, &mut found);
    Ok(found)
}

/// Returns the tables that the sources below a folder name, by file.
fn named_below(
    folder: &str,
    subjects: &BTreeMap<&'static str, &'static str>,
) -> BTreeSet<(String, &'static str)> {
    let src = root().join(folder);
    let mut found = BTreeSet::new();
    for file in sources(&src) {
        let module = module_of(&src, &file);
        if module.iter().any(|part| part == "tests") {
            continue;
        }
        let place = file.strip_prefix(root()).expect("below the root");
        let place = place.display().to_string();
        let source = std::fs::read_to_string(&file).expect("a source");
        let texts = texts_of(&source).unwrap_or_else(|error| panic!("{place}: {error}"));
        let tables = texts.iter().flat_map(|text| tables_in(text, subjects));
        found.extend(tables.map(|table| (place.clone(), table)));
    }
    found
}

/// Returns the tables that the migrations of one engine leave behind.
fn tables_after(migrations: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(migrations).expect("a folder");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    let mut tables = BTreeSet::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a migration");
        let lines = text.lines().map(|line| line.split("--").next());
        let code: Vec<&str> = lines.map(Option::unwrap_or_default).collect();
        for statement in code.join("\n").split(';') {
            let words = words(statement);
            let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
            words.retain(|word| !["if", "not", "exists"].contains(word));
            match words[..] {
                ["create", "table", table, ..] => {
                    tables.insert(table.to_owned());
                }
                ["drop", "table", table, ..] => {
                    tables.remove(table);
                }
                ["alter", "table", table, "rename", "to", new, ..] => {
                    tables.remove(table);
                    tables.insert(new.to_owned());
                }
                _ => {}
            }
        }
    }
    tables
}

#[test]
fn a_subjects_statements_name_its_own_tables() {
    let subjects = subjects();
    let (mut found, mut own) = (BTreeSet::new(), BTreeSet::new());
    for (folder, subject) in STATEMENTS {
        for (place, table) in named_below(folder, &subjects) {
            let of = subjects[table];
            if of == *subject {
                own.insert(table);
            } else if of != "platform" {
                found.insert((place, table));
            }
        }
    }
    let listed: BTreeSet<(String, &str)> = ALSO_NAMED
        .iter()
        .flat_map(|(file, tables, _)| {
            let tables = tables.split_whitespace();
            tables.map(|table| ((*file).to_owned(), table))
        })
        .collect();
    let new: Vec<_> = found.difference(&listed).collect();
    let gone: Vec<_> = listed.difference(&found).collect();
    assert!(
        new.is_empty(),
        "these statements name tables of other subjects: {new:#?}"
    );
    assert!(
        gone.is_empty(),
        "these are named no more, delete them from ALSO_NAMED: {gone:#?}"
    );
    let unnamed: Vec<_> = subjects.keys().filter(|one| !own.contains(*one)).collect();
    assert!(
        unnamed.is_empty(),
        "no statement of their subject names {unnamed:?}"
    );
}

#[test]
fn every_table_has_a_subject() {
    let planned: BTreeSet<String> = subjects().into_keys().map(str::to_owned).collect();
    for engine in ["sqlite", "postgres"] {
        let stored = tables_after(&root().join("migrations").join(engine));
        assert_eq!(stored, planned, "{engine}: TABLES of plan.rs");
    }
}

#[test]
fn tables_are_found_in_statements_alone() {
    let source = "/// Reads from payments.\n#[doc = \"from refunds\"]\nconst A: &str = \"Update \\\n  Events set a = 1\";\n\
        const B: &str = concat!(\"x from users u join \\\n user_roles r\", c!(\"into invoices\")); // from mandates";
    let texts = texts_of(source).expect("a source");
    let subjects = subjects();
    let found = texts.iter().flat_map(|text| tables_in(text, &subjects));
    let found: Vec<&str> = found.collect();
    assert_eq!(found, ["events", "user_roles", "users", "invoices"]);
}
