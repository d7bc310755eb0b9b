//! The page that says which member of a processor's request each member of a payment goes to. The requests that the connectors
//! build decide it, so that the page claims nothing that isn't sent.

mod inputs;
mod requests;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use futures::future::join_all;
use multirail_kernel::currency::Currency;
use multirail_kernel::money::Money;
use multirail_sdk::connector::Details;
use serde_json::Value;

use self::inputs::{INPUTS, Input, Within, item};
use crate::canned::Canned;
use crate::fixture;
use crate::fuzz::{KEY, access, connector};

/// Writes the page anew: `MULTIRAIL_MEMBERS=write cargo test -p multirail-connectors --lib members`.
const VARIABLE: &str = "MULTIRAIL_MEMBERS";
const PAGE: &str = "../docs/guides/members.md";

const BEGINNING: &str = "\
# Where the members of a payment go

The rows are members of a payment, and the cells are the members of each processor's request that change with them. The requests
are those of a card payment in US dollars that is captured later. A dash means that the processor has no place for the member.
Methods beside cards have requests of their own.

";

/// The connectors, by their column.
const COLUMNS: [(&str, &str); 3] = [
    ("Adyen", "adyen"),
    ("Checkout.com", "checkout"),
    ("Stripe", "stripe"),
];

/// The members of a request, with their values.
type Written = BTreeMap<String, String>;

fn flatten(name: &str, value: &Value, found: &mut Written) {
    match value {
        Value::Object(members) => {
            for (member, value) in members {
                let dot = if name.is_empty() { "" } else { "." };
                flatten(&format!("{name}{dot}{member}"), value, found);
            }
        }
        Value::Array(items) => {
            for item in items {
                flatten(&format!("{name}[]"), item, found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            found.insert(name.to_owned(), value.to_string());
        }
    }
}

fn written(body: &[u8]) -> Written {
    let mut found = Written::new();
    match serde_json::from_slice(body) {
        Ok(document) => flatten("", &document, &mut found),
        Err(_) => {
            let form = url::form_urlencoded::parse(body).into_owned();
            found.extend(form.map(|(name, value)| (name.replace("[0]", "[]"), value)));
        }
    }
    found
}

/// Returns the request of a sale with these details.
async fn request(name: &str, details: Details) -> Written {
    let canned = Canned::read(b"500\n");
    let mut request = fixture::authorize(KEY, Money::new(6540, Currency::USD), details);
    request.access = access();
    request.capture = false;
    connector(name, canned.clone()).authorize(request).await;
    let heard = canned.heard();
    let [body] = heard.as_slice() else {
        panic!("{name} made {} requests", heard.len())
    };
    written(body)
}

/// Returns the names of members that differ.
fn differences(one: &Written, other: &Written) -> BTreeSet<String> {
    let names = one.keys().chain(other.keys());
    let changed = names.filter(|name| one.get(*name) != other.get(*name));
    changed.cloned().collect()
}

/// Returns the details with all members that may come together, but without this one.
fn all_but(left_out: Option<&Input>) -> Details {
    let mut details = Details::default();
    for input in INPUTS {
        let is_left_out = left_out.is_some_and(|one| one.name == input.name);
        match input.within {
            Within::Any | Within::Line if !is_left_out => (input.set)(&mut details),
            Within::Any | Within::Line | Within::Alone | Within::Absent => {}
        }
    }
    details
}

/// Returns the processor's members that this member changes. `whole` is the request with all members.
async fn goes_to(connector: &str, input: &Input, whole: &Written) -> BTreeSet<String> {
    let mut without = Details::default();
    match input.within {
        Within::Any | Within::Alone => {}
        Within::Line => _ = item(&mut without),
        Within::Absent => without.initiation.off_session = Some(true),
    }
    let mut with = without.clone();
    (input.set)(&mut with);
    let without = request(connector, without).await;
    let mut changed = differences(&without, &request(connector, with).await);
    match input.within {
        Within::Any | Within::Line => {
            let less = request(connector, all_but(Some(input))).await;
            changed.extend(differences(whole, &less));
        }
        Within::Alone | Within::Absent => {}
    }
    changed
}

fn cell(members: &BTreeSet<String>) -> String {
    let quoted: Vec<String> = members.iter().map(|name| format!("`{name}`")).collect();
    match quoted.as_slice() {
        [] => "–".to_owned(),
        _ => quoted.join(", "),
    }
}

#[tokio::test]
async fn the_page_of_members_says_where_each_one_goes() {
    let mut page = BEGINNING.to_owned();
    let heads = COLUMNS.map(|(head, _)| head).join(" | ");
    writeln!(page, "| Member | {heads} |").expect("memory");
    writeln!(page, "|---|{}", "---|".repeat(COLUMNS.len())).expect("memory");
    let wholes = COLUMNS.map(|(_, connector)| request(connector, all_but(None)));
    let wholes = join_all(wholes).await;
    for input in INPUTS {
        let columns = COLUMNS.iter().zip(&wholes);
        let cells = columns.map(|((_, connector), whole)| goes_to(connector, input, whole));
        let cells: Vec<String> = join_all(cells).await.iter().map(cell).collect();
        writeln!(page, "| `{}` | {} |", input.name, cells.join(" | ")).expect("memory");
    }
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
