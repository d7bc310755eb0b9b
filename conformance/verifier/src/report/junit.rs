//! The report in JUnit's format for CI servers.

use std::collections::BTreeMap;

use quick_junit::{NonSuccessKind, Report as Junit, TestCase, TestCaseStatus, TestSuite};

use super::{Outcome, Report, Row};

impl Report {
    /// Returns a suite for each operation and a case for each check.
    ///
    /// # Panics
    /// Panics when text can't be written to memory.
    pub fn junit(&self) -> String {
        let mut suites: Vec<(&str, TestSuite)> = Vec::new();
        let mut places = BTreeMap::new();
        for row in &self.rows {
            let place = *places.entry(row.operation.as_str()).or_insert_with(|| {
                suites.push((&row.operation, TestSuite::new(row.operation.as_str())));
                suites.len() - 1
            });
            suites[place].1.add_test_case(case(row));
        }
        let mut junit = Junit::new("multirail-conformance");
        // Makes CI servers show a run that ended early as an error; they know no other way.
        if let Some(why) = &self.stopped {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(why.as_str());
            let mut suite = TestSuite::new("the whole run");
            suite.add_test_case(TestCase::new("all is tried", status));
            junit.add_test_suite(suite);
        }
        junit.add_test_suites(suites.into_iter().map(|(_, suite)| suite));
        junit.to_string().expect("text is written to memory")
    }
}

fn case(row: &Row) -> TestCase {
    let status = match &row.outcome {
        Outcome::Passed => TestCaseStatus::success(),
        Outcome::Skipped(why) => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(why.as_str());
            status
        }
        Outcome::Failed(failure) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            let reasons = failure.reasons();
            status.set_message(reasons.lines().next().unwrap_or_default());
            status.set_type(row.kind.to_string());
            let text = match &failure.exchange {
                Some(exchange) => {
                    format!("{reasons}\n\n{}\n\n{}", exchange.request, exchange.answer)
                }
                None => reasons,
            };
            status.set_description(text);
            status
        }
    };
    let mut case = TestCase::new(format!("{}: {}", row.kind, row.scenario), status);
    case.set_classname(row.operation.as_str());
    case.set_time(row.took);
    case
}
