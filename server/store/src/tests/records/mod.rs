//! Stored records outlive the program that wrote them. (`migrations/README.md`, "Records")
//!
//! `format_1`, `format_2`, ... hold an example of every kind of record as released versions wrote it; the newest folder may
//! be a draft. When a test says that a record has changed:
//!
//! ```sh
//! MULTIRAIL_RECORDS=write cargo test -p multirail-store newest_examples
//! ```
//!
//! writes the draft anew, or begins one; and when the program is released,
//!
//! ```sh
//! MULTIRAIL_RECORDS=release cargo test -p multirail-store released_examples
//! ```
//!
//! writes the check sums of the draft, after which it can't change any more.

mod accounts;
mod billing;
mod customer;
pub(super) mod dispute;
mod formats;
mod held;
mod kinds;
mod mandate;
mod older_server;
mod particulars;
mod payment;
mod personal;
mod redacted;
mod refund;
mod routing;
mod saved_method;
mod shape;
pub(super) mod subscription;
mod words;

use std::collections::BTreeSet;

use serde_json::{Value, json};

use self::formats::{Format, Wish};
use self::kinds::Life;
use super::super::engine::Read;
use super::test_store::TestStore;

/// Sealed columns that hold nothing of ours to read: what they are opened to is handed on as it is.
const OPAQUE: [(&str, &str); 17] = [
    (
        "cards_to_save.card_details",
        "becomes that of a method as it is",
    ),
    (
        "cards_to_save.particulars",
        "become those of a method as they are",
    ),
    (
        "cards_to_save.sealed",
        "becomes an entry of the vault as it is",
    ),
    (
        "cards_to_save.holder_name_sealed",
        "becomes that of a method as it is",
    ),
    (
        "cards_to_save.nick_name_sealed",
        "becomes that of a method as it is",
    ),
    (
        "cards_to_save.particulars_sealed",
        "become those of a method as they are",
    ),
    (
        "payment_methods.holder_name_sealed",
        "is a text and nothing else",
    ),
    (
        "payment_methods.nick_name_sealed",
        "is a text and nothing else",
    ),
    (
        "payment_methods.particulars_sealed",
        "is as payment_methods.particulars",
    ),
    ("events.body", "is sent as it was rendered"),
    (
        "events.personal",
        "goes back into the body as it was cut out",
    ),
    ("evidence_files.sealed", "is handed in as it was brought"),
    ("idempotency_keys.answer", "is answered as it was"),
    ("subject_keys.wrapped", "has its example beside the seal"),
    ("vault_cards.sealed", "is a number and nothing else"),
    ("wrapped_keys.next_wrapped", "is as wrapped_keys.wrapped"),
    ("wrapped_keys.wrapped", "has its example beside the seal"),
];

/// What a later version might store.
fn later_member() -> Value {
    json!({"of": ["a later version", 7, null], "deep": {"er": 0.1}})
}

/// The columns that the lists of records name, beside the statements.
fn listed_columns() -> Vec<String> {
    let src = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
    let files = std::fs::read_dir(src).expect("the sources");
    let paths = files.map(|file| file.expect("a file").path());
    let texts = paths.filter_map(|path| std::fs::read_to_string(path).ok());
    let lists = texts.filter_map(|text| {
        let (_, list) = text.split_once("records! {\n")?;
        let (list, _) = list.split_once("\n}\n")?;
        Some(list.to_owned())
    });
    let lines = lists.flat_map(|list| list.lines().map(str::to_owned).collect::<Vec<_>>());
    let named = |line: String| Some(line.split('"').nth(1)?.to_owned());
    lines.filter_map(named).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_record_has_an_example() {
    let kinds = kinds::all();
    let named: BTreeSet<&str> = kinds.iter().map(|kind| kind.column).collect();
    assert_eq!(named.len(), kinds.len(), "a column is named twice");
    let listed = listed_columns();
    assert!(!listed.is_empty());
    for column in listed {
        assert!(named.contains(column.as_str()), "{column} has no example");
    }
    // What the schema has room for: JSON under these four names, and everything sealed.
    let test = TestStore::sqlite().await.expect("a store");
    let sql = "select t.name as \"table\", c.name as \"column\" from sqlite_master t, pragma_table_info(t.name) c \
         where t.type = 'table' and (lower(c.type) = 'blob' or c.name in ('record', 'fingerprint', 'card_details', 'particulars')) \
         and t.name not like '\\_%' escape '\\'";
    let rows = test.engine.fetch(Read::new(sql, Vec::new())).await;
    let opaque = OPAQUE.map(|(column, _)| column);
    let mut stored = BTreeSet::new();
    for row in rows.expect("the schema") {
        let text = |column| row.text(column).expect("a name");
        stored.insert(format!("{}.{}", text("table"), text("column")));
    }
    let known: BTreeSet<String> = named.into_iter().chain(opaque).map(str::to_owned).collect();
    assert_eq!(stored, known, "columns with records, and kinds of records");
    for kind in &kinds {
        let unseen = shape::never_shown(&kind.examples);
        assert!(
            unseen.is_empty(),
            "{}: {unseen:?} is never shown",
            kind.column
        );
    }
}

#[test]
fn newest_examples_show_what_this_version_writes() {
    let ours = kinds::all()
        .into_iter()
        .map(|kind| (kind.column, Value::Array(kind.examples)));
    let ours = ours.chain([(words::FILE, words::all())]);
    let wish = Wish::of_this_run();
    let mut changed = Vec::new();
    for (name, ours) in ours {
        let newest = formats::newest(name);
        if newest
            .as_ref()
            .is_some_and(|(_, examples)| *examples == ours)
        {
            continue;
        }
        match wish {
            Wish::Write => Format::draft().write(name, &ours),
            Wish::Compare | Wish::Release => changed.push(format!(
                "{name}: this version writes\n{ours:#}\nthe newest example, of format {}, has\n{:#}",
                newest.as_ref().map_or(0, |(format, _)| format.number),
                newest.map_or(Value::Null, |(_, examples)| examples),
            )),
        }
    }
    assert!(
        changed.is_empty(),
        "{}\nIf that is meant: MULTIRAIL_RECORDS=write cargo test -p multirail-store newest_examples",
        changed.join("\n\n")
    );
}

#[test]
fn examples_of_every_format_are_read_and_lose_nothing() {
    let formats = Format::all();
    assert!(!formats.is_empty(), "there are formats");
    let mut read = 0;
    for format in &formats {
        for kind in kinds::all() {
            let examples = format.read(kind.column).unwrap_or_default();
            for example in examples.as_array().into_iter().flatten() {
                let shown = format!("{} of format {}: {example}", kind.column, format.number);
                let again = kind.again(example);
                let again = again.unwrap_or_else(|why| panic!("{shown}\n{why}"));
                let lost = shape::losses(example, &again);
                assert!(lost.is_empty(), "{shown}\nloses {lost:?}");
                read += 1;
            }
        }
        let (known, stored) = (words::all(), format.read(words::FILE).unwrap_or_default());
        for (enumeration, words) in stored.as_object().into_iter().flatten() {
            let known = known[enumeration].as_array().expect("an enumeration");
            for word in words.as_array().expect("words") {
                assert!(known.contains(word), "{enumeration} has no {word} any more");
            }
        }
    }
    assert!(read >= kinds::all().len(), "{read} examples were read");
}

#[test]
fn released_examples_never_change() {
    let formats = Format::all();
    let (newest, older) = formats.split_last().expect("a format");
    for format in older {
        let number = format.number;
        assert!(format.is_released(), "format {number} is no draft any more");
    }
    if Wish::of_this_run() == Wish::Release && !newest.is_released() {
        newest.release();
    }
    for format in formats.iter().filter(|format| format.is_released()) {
        assert_eq!(
            format.sums(),
            format.released_sums(),
            "format {} is released: programs that read and write it are at work. What changes goes into a new format",
            format.number
        );
    }
    assert!(
        newest.is_released() || newest.is_of_this_version(),
        "format {} went out with the version that began it: MULTIRAIL_RECORDS=release cargo test -p multirail-store \
         released_examples",
        newest.number
    );
}

/// At every place of every example: an object keeps a member that this version has no name for, or is refused.
#[test]
fn members_of_a_later_version_are_kept_or_refused() {
    const NAME: &str = "of_a_later_version";
    let mut refused = BTreeSet::new();
    let mut kept = 0;
    let rewritten = kinds::all().into_iter();
    for kind in rewritten.filter(|kind| kind.life == Life::Rewritten) {
        for example in &kind.examples {
            for pointer in shape::pointers(example, Value::is_object) {
                let mut newer = example.clone();
                let object = newer.pointer_mut(&pointer).expect("an object");
                object[NAME] = later_member();
                match kind.again(&newer) {
                    Ok(again) => {
                        assert_eq!(again, newer, "{}{pointer} lost it", kind.column);
                        kept += 1;
                    }
                    Err(why) => {
                        assert!(why.contains(kind.column), "{pointer}: {why}");
                        refused.insert(format!("{}{pointer}", kind.column));
                    }
                }
            }
        }
    }
    assert!(kept > refused.len(), "{kept} objects kept it");
    let refused: Vec<String> = refused.into_iter().collect();
    insta::assert_snapshot!(refused.join("\n"), @r"
    api_keys.record/expiration
    billing_catalogue.record/discount
    billing_catalogue.record/duration
    billing_catalogue.record/interval
    connector_accounts.record/fee_table/0
    connector_accounts.record/payment_methods_enabled/0/accepted_countries
    connector_accounts.record/payment_methods_enabled/0/accepted_currencies
    connector_accounts.record/payment_methods_enabled/1/accepted_countries
    connector_accounts.record/payment_methods_enabled/1/accepted_currencies
    error_mappings.record/key
    invoices.record/lines/0/period
    invoices.record/period
    payments.record/terms/routing
    payments.record/terms/routing/data
    payments.record/terms/routing/data/0
    payments.record/terms/routing/data/0/connector
    payments.record/terms/routing/data/1
    payments.record/terms/surcharge
    subscriptions.record/charged/0/charged/period
    subscriptions.record/coupon/discount
    subscriptions.record/coupon/duration
    subscriptions.record/outside/asked/wish
    subscriptions.record/outside/period
    subscriptions.record/owed/0/returned/period
    subscriptions.record/plan/price/interval
    subscriptions.record/term
    subscriptions.record/term/period
    subscriptions.record/term/schedule
    subscriptions.record/term/schedule/interval
    subscriptions.record/unbilled/0/period
    ");
}

/// In the place of every text: a word that this version doesn't know is refused by the name of its enumeration. Those of a trace
/// (`KeptTrace`) are not read with the attempt, and refused where somebody asks for it.
#[test]
fn words_of_a_later_version_are_refused() {
    const WORD: &str = "word_of_a_later_version";
    let known = words::all();
    let mut found = BTreeSet::new();
    for kind in kinds::all() {
        for example in &kind.examples {
            for pointer in shape::pointers(example, Value::is_string) {
                let mut newer = example.clone();
                *newer.pointer_mut(&pointer).expect("a text") = json!(WORD);
                let refusal = kind.again(&newer).err().unwrap_or_default();
                let Some((_, enumeration)) = refusal.split_once(" is not a word of ") else {
                    continue;
                };
                let end = enumeration.find(|c: char| !c.is_alphanumeric());
                let enumeration = &enumeration[..end.unwrap_or(enumeration.len())];
                assert!(refusal.contains(WORD), "{refusal}");
                assert!(
                    known.get(enumeration).is_some(),
                    "{enumeration} is stored in {}{pointer} and has no example of its words",
                    kind.column
                );
                found.insert(enumeration.to_owned());
            }
        }
    }
    let found: Vec<String> = found.into_iter().collect();
    insta::assert_snapshot!(found.join("\n"), @r"
    AttemptStatus
    AuthenticationType
    BankAccountKind
    BankHolderKind
    BankScheme
    CaptureMethod
    CardTerms
    ChargeKind
    ChargesHandling
    ConnectorStatus
    ConnectorType
    ConsentKind
    CountryCode
    Currency
    CustomerStatus
    Decision
    DeclineCategory
    DetailsLayout
    DeviceDataCollected
    DisputeActionKind
    DisputeStage
    DisputeStatus
    DynamicFeature
    DynamicParam
    ErrorCategory
    EvidenceItem
    FileType
    FormLabels
    FutureUsage
    Initiator
    IntervalUnit
    InvoiceStatus
    ItemType
    Key
    LineKind
    MerchantAccountType
    MerchantDecision
    MethodRole
    MitCategory
    Network
    OperationGroup
    Operator
    OrganizationType
    PaymentExperience
    PaymentMethod
    PaymentMethodType
    PaymentStatus
    Progress
    ReceivablesHandling
    RecurringKind
    RefundStatus
    RefundType
    RefundableCreditsHandling
    ReturnOption
    ScaExemption
    SubscriptionStatus
    TaxStatus
    TermKind
    ThreeDsDecision
    TransactionType
    UnbilledChargesOption
    UnknownReason
    UnpaidInvoicesHandling
    Wallet
    ");
}
