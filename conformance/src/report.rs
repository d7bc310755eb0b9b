//! What the lifecycle found: one row a call, as a table for people or as JSON for programs.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Value, json};

use crate::document::operations;

/// One call.
#[derive(Clone, Debug)]
pub struct Row {
    pub operation: String,
    /// What the call was to show.
    pub scenario: String,
    /// `Err` has the reason.
    pub result: Result<(), String>,
    pub took: Duration,
}

/// All calls, in the order in which they were made.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub rows: Vec<Row>,
}

impl Report {
    /// The operations of the document that no call has shown to work.
    pub fn untried(&self) -> Vec<&'static str> {
        let tried: BTreeSet<&str> = self.rows.iter().map(|row| row.operation.as_str()).collect();
        let ids = operations().iter().map(|operation| operation.id.as_str());
        ids.filter(|id| !tried.contains(id)).collect()
    }

    /// Whether every call went as it should and no operation was left out.
    pub fn passed(&self) -> bool {
        self.rows.iter().all(|row| row.result.is_ok()) && self.untried().is_empty()
    }

    /// The table.
    pub fn table(&self) -> String {
        let width = |of: fn(&Row) -> &str, least: usize| {
            self.rows
                .iter()
                .map(|row| of(row).chars().count())
                .max()
                .unwrap_or(0)
                .max(least)
        };
        let operations = width(|row| &row.operation, "operation".len());
        let scenarios = width(|row| &row.scenario, "scenario".len());
        let mut table = String::new();
        let mut line = |operation: &str, scenario: &str, result: &str, ms: &str| {
            let _ = writeln!(
                table,
                "{operation:operations$}  {scenario:scenarios$}  {result:6}  {ms:>7}"
            );
        };
        line("operation", "scenario", "result", "ms");
        for row in &self.rows {
            let result = if row.result.is_ok() { "pass" } else { "FAIL" };
            line(
                &row.operation,
                &row.scenario,
                result,
                &format!("{:.1}", milliseconds(row)),
            );
        }
        for id in self.untried() {
            line(id, "-", "FAIL", "-");
        }
        for row in &self.rows {
            if let Err(why) = &row.result {
                let _ = writeln!(table, "\n{} ({}): {why}", row.operation, row.scenario);
            }
        }
        for id in self.untried() {
            let _ = writeln!(table, "\n{id}: no call reached it");
        }
        let failed =
            self.rows.iter().filter(|row| row.result.is_err()).count() + self.untried().len();
        let _ = writeln!(table, "\n{} calls, {failed} failures", self.rows.len());
        table
    }

    /// The same for programs.
    pub fn json(&self) -> Value {
        let rows = self.rows.iter().map(|row| {
            json!({
                "operation": row.operation,
                "scenario": row.scenario,
                "passed": row.result.is_ok(),
                "reason": row.result.as_ref().err(),
                "ms": milliseconds(row),
            })
        });
        json!({ "passed": self.passed(), "rows": rows.collect::<Vec<_>>(), "untried": self.untried() })
    }
}

fn milliseconds(row: &Row) -> f64 {
    (row.took.as_secs_f64() * 10_000.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_that_nobody_tried_is_a_failure() {
        let rows = operations().iter().skip(1).map(|operation| Row {
            operation: operation.id.clone(),
            scenario: "works".to_owned(),
            result: Ok(()),
            took: Duration::from_millis(1),
        });
        let report = Report {
            rows: rows.collect(),
        };
        assert_eq!(report.untried(), [operations()[0].id.as_str()]);
        assert!(!report.passed());
        assert!(report.table().contains("no call reached it"));
    }
}
