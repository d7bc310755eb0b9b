//! Runs the command's kit against servers of this build. On a whole sandbox nothing fails, every operation of the
//! document works in some story, and unavailable operations are skipped by name. On a server that breaks the
//! document, the report names the place.

mod another_document;
mod command;
mod deviations;
mod no_answer;
mod proxy;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use multirail_conformance::document::{Operation, YAML, operations};
use multirail_conformance::identity_provider::IdentityProvider;
use multirail_conformance::kit::{self, Filter, Given, Options};
use multirail_conformance::report::{Format, Kind, Outcome, Report, Row};
use multirail_conformance::{Shop, TestServer, Wire};

use crate::users::oidc::knows;
use proxy::{Proxy, Renames};

fn by_the_operator(server: &TestServer) -> Options {
    Options {
        admin_key: Some(server.admin_key().to_owned()),
        ..Options::default()
    }
}

async fn checked(wire: &Wire, options: &Options) -> Report {
    kit::run(wire, options, Box::new(|_| ())).await
}

fn worked(report: &Report) -> BTreeSet<&str> {
    let stories = report.rows.iter().filter(|row| row.kind == Kind::Story);
    let passed = stories.filter(|row| row.passed());
    passed.map(|row| row.operation.as_str()).collect()
}

/// Returns whether a check is about a line of an operation's table. Those begin with the status.
fn is_listed(scenario: &str) -> bool {
    scenario.starts_with(|first: char| first.is_ascii_digit())
}

/// Checks that each listed refusal that the run couldn't provoke has its own reason.
fn says_what_each_takes(report: &Report) {
    let unexplained = report.skips().filter(|(_, why)| *why == kit::NOTHING);
    let told = unexplained.map(|(row, _)| format!("{} {}", row.operation, row.scenario));
    assert_eq!(told.collect::<Vec<_>>(), Vec::<String>::new());
}

#[tokio::test]
async fn every_operation_of_the_document_works_in_a_story_and_keeps_keys_and_limits() {
    let provider = Arc::new(IdentityProvider::open().await);
    let server = TestServer::start_with(|inputs| knows(&provider, inputs)).await;
    let options = Options {
        provider: Some(Arc::clone(&provider)),
        at_bounds: true,
        ..by_the_operator(&server)
    };
    let report = checked(&server.wire, &options).await;
    assert!(report.passed(), "\n{}", report.table());
    let worked = worked(&report);
    for operation in operations() {
        let id = operation.id.as_str();
        assert!(worked.contains(id), "{id} never worked");
    }
    let skipped_stories = report.skips().filter(|(row, _)| row.kind == Kind::Story);
    assert_eq!(skipped_stories.count(), 0);
    // Each kind of check ran for most operations that it applies to, so the test isn't vacuous.
    let made = |kind: Kind| {
        let rows = report.rows.iter();
        let rows = rows.filter(|row| row.kind == kind && row.passed());
        let ids: BTreeSet<&str> = rows.map(|row| row.operation.as_str()).collect();
        ids.len()
    };
    let of = |is: fn(&Operation) -> bool| operations().iter().filter(|one| is(one)).count();
    assert_eq!(made(Kind::Authentication), operations().len());
    assert!(made(Kind::Limits) >= of(|one| one.request.is_some()));
    assert!(made(Kind::Others) > 50 && made(Kind::Refusals) > 50);
    // Members that appear in no answer were never checked.
    let (seen, all) = report.members;
    assert!(seen >= 1_050, "{seen} of {all} members were seen");
    let rows = report.rows.iter();
    let listed = rows.filter(|row| row.kind == Kind::Refusals && is_listed(&row.scenario));
    let (met, others): (Vec<_>, Vec<_>) = listed.partition(|row| row.passed());
    let (met, all) = (met.len(), met.len() + others.len());
    assert!(met >= 500, "{met} of {all} listed refusals were met");
    says_what_each_takes(&report);
}

/// The server puts its own configured name into the addresses of its pages.
#[tokio::test]
async fn a_sandbox_without_an_identity_provider_passes_by_another_name_of_this_machine_too() {
    let server = TestServer::start().await;
    let port = server.url().rsplit_once(':').map(|(_, port)| port);
    let wire = Wire::new(&format!("http://localhost:{}", port.expect("a port")));
    let report = checked(&wire, &by_the_operator(&server)).await;
    assert!(report.passed(), "\n{}", report.table());
    let mut rows = report.rows.iter().filter(|row| row.passed());
    assert!(rows.any(|row| row.scenario == "the payer approves and comes back"));
    says_what_each_takes(&report);
}

#[tokio::test]
async fn a_server_in_production_is_checked_as_far_as_no_simulator_is_needed() {
    let server = TestServer::start_in_production(|inputs| inputs).await;
    let report = checked(&server.wire, &by_the_operator(&server)).await;
    assert!(report.passed(), "\n{}", report.table());
    let worked = worked(&report);
    for id in ["payments_create", "customers_delete", "routing_activate"] {
        assert!(worked.contains(id), "{id} never worked");
    }
    let skipped: BTreeSet<&str> = report
        .skips()
        .map(|(row, _)| row.operation.as_str())
        .collect();
    for id in [
        "payments_confirm",
        "sandbox_clock_advance",
        "users_sign_up",
        "console_sessions_begin",
    ] {
        assert!(skipped.contains(id), "{id} is skipped by name");
    }
}

#[tokio::test]
async fn a_merchants_keys_are_enough() {
    let shop = Shop::open().await;
    let other = shop.server.shop_without_connector("florist").await;
    let options = Options {
        given: Some(Given {
            merchant_id: shop.merchant_id.clone(),
            secret_key: shop.api_key.clone(),
            publishable_key: None,
            profile_id: None,
        }),
        other_secret_key: Some(other.api_key.clone()),
        ..Options::default()
    };
    let report = checked(&shop.wire, &options).await;
    assert!(report.passed(), "\n{}", report.table());
    for id in ["payments_confirm", "payer_payment_methods_list"] {
        assert!(worked(&report).contains(id), "{id}");
    }
    let of_operator = report
        .skips()
        .find(|(row, _)| row.operation == "keys_rotate");
    let (_, why) = of_operator.expect("it is skipped by name");
    assert!(why.contains("--admin-key"), "{why}");
}

#[tokio::test]
async fn unwanted_operations_are_skipped_by_name() {
    let server = TestServer::start().await;
    let options = Options {
        filter: Filter {
            only: vec!["payments_*".to_owned()],
            skip: vec!["payments_list".to_owned()],
        },
        ..by_the_operator(&server)
    };
    let tried: Arc<Mutex<BTreeSet<String>>> = Arc::default();
    let noted = Arc::clone(&tried);
    let watcher = move |row: &Row| {
        if row.kind != Kind::Story {
            let mut noted = noted.lock().expect("nobody panicked");
            noted.insert(row.operation.clone());
        }
    };
    let report = kit::run(&server.wire, &options, Box::new(watcher)).await;
    assert!(report.passed(), "\n{}", report.table());
    // Checks of keys, bounds and refusals of other operations would be wasted.
    let tried = tried.lock().expect("nobody panicked");
    assert!(tried.contains("payments_confirm"), "{tried:?}");
    let is_wanted = |id: &String| id.starts_with("payments_");
    assert!(tried.iter().all(is_wanted), "{tried:?}");
    let of = |id: &str| -> Vec<&Outcome> {
        let rows = report.rows.iter().filter(|row| row.operation == id);
        rows.map(|row| &row.outcome).collect()
    };
    let skipped = Outcome::Skipped("--skip payments_list".to_owned());
    let list = of("payments_list");
    assert!(!list.is_empty() && list.iter().all(|one| **one == skipped));
    // Operations that others depend on are called, but aren't in the report.
    assert!(of("payments_confirm").contains(&&Outcome::Passed));
    let left_out = Outcome::Skipped("not among --only".to_owned());
    assert_eq!(of("merchant_accounts_create"), [&left_out]);
}

/// Reports on refunds through a proxy that renames members of the answers.
async fn report_on_refunds(server: &TestServer, renames: Renames) -> Report {
    let proxy = Proxy::renaming(server.url(), renames).await;
    let options = Options {
        filter: Filter {
            only: vec!["refunds_*".to_owned()],
            skip: Vec::new(),
        },
        ..by_the_operator(server)
    };
    let wire = Wire::new(&proxy.url()).unrecorded();
    checked(&wire, &options).await
}

#[tokio::test]
async fn failures_elsewhere_are_not_reported_if_the_wanted_operations_work() {
    let server = TestServer::start().await;
    let report = report_on_refunds(&server, &[("dispute_id", "quarrel_id")]).await;
    assert!(report.passed(), "\n{}", report.table());
    assert!(worked(&report).contains("refunds_create"));
}

#[tokio::test]
async fn failures_elsewhere_are_not_reported_next_to_failures_of_the_wanted_operations() {
    let server = TestServer::start().await;
    let both = &[
        ("dispute_id", "quarrel_id"),
        ("connector_refund_id", "their_refund_id"),
    ];
    let report = report_on_refunds(&server, both).await;
    let create = report
        .failures()
        .find(|(row, _)| row.operation == "refunds_create");
    let why = create
        .map(|(_, failure)| failure.reasons())
        .unwrap_or_default();
    assert!(why.contains("connector_refund_id"), "{why}");
    // An operation that no story reached names the place where the story ended.
    let list = report
        .skips()
        .find(|(row, _)| row.operation == "refunds_list");
    let why = list.map_or("", |(_, why)| why);
    assert!(why.contains("a story ends at refunds_create"), "{why}");
    let all: BTreeSet<&str> = report
        .failures()
        .map(|(row, _)| row.operation.as_str())
        .collect();
    assert!(all.iter().all(|id| id.starts_with("refunds_")), "{all:?}");
}

#[tokio::test]
async fn a_wrong_key_of_the_operator_is_noticed() {
    let server = TestServer::start().await;
    let options = Options {
        admin_key: Some("not the key".to_owned()),
        ..Options::default()
    };
    let report = checked(&server.wire, &options).await;
    assert!(!report.passed());
    let (row, failure) = report.failures().next().expect("a failure");
    assert_eq!(row.operation, "merchant_accounts_create");
    assert!(failure.reasons().contains("answered 401"), "{failure:?}");
    let exchange = failure.exchange.as_ref().expect("an exchange");
    assert!(!exchange.request.contains("not the key"), "{exchange:?}");
}

#[tokio::test]
async fn a_renamed_member_is_named_with_operation_and_place() {
    let server = TestServer::start().await;
    let proxy = Proxy::renaming(server.url(), &[("net_amount", "netto")]).await;
    let wire = Wire::new(&proxy.url()).unrecorded();
    let report = checked(&wire, &by_the_operator(&server)).await;
    let named = report.failures().find(|(row, failure)| {
        row.operation == "payments_create" && failure.reasons().contains("\"net_amount\"")
    });
    let (_, failure) = named.expect("the member is named");
    let missing = failure.reasons.iter().find(|reason| {
        reason
            .what
            .contains("\"net_amount\" is a required property")
    });
    let place = missing.and_then(|reason| reason.place.as_ref());
    let place = place.expect("it has a place");
    assert_eq!(
        place.pointer,
        "/components/schemas/Payment/properties/net_amount"
    );
    let line = YAML.lines().nth(place.line - 1).unwrap_or_default();
    assert_eq!(line.trim(), "net_amount:");
    let exchange = failure.exchange.as_ref().expect("an exchange");
    assert!(exchange.answer.contains("\"netto\": 6540"), "{exchange:?}");
    // The missing member is named once, without secrets or whole answers.
    for (row, failure) in report.failures() {
        let text = failure.reasons();
        assert!(!text.contains("_secret_"), "{}: {text}", row.operation);
        let rules = text.contains("breaks the rule");
        assert!(!rules && text.len() < 2_000, "{}: {text}", row.operation);
    }
    let page = report.render(Format::Html);
    assert!(page.contains("breaks the contract") && page.contains(&place.to_string()));
    // Every failure is about the missing member or the new one.
    for (row, failure) in report
        .failures()
        .filter(|(_, failure)| failure.exchange.is_some())
    {
        let text = failure.reasons();
        let is_it = text.contains("net_amount") || text.contains("netto");
        assert!(is_it, "{}: {text}", row.operation);
    }
}
