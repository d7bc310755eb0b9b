//! The report as JSON for programs.

use serde_json::{Value, json};

use super::{Outcome, Report, Row, document_version, milliseconds};

impl Report {
    /// Returns every row, with its reasons and exchange.
    pub fn json(&self) -> Value {
        let count = self.count();
        json!({
            "server": self.server,
            "document_version": document_version(),
            "notes": self.notes,
            "passed": self.passed(),
            "stopped": self.stopped,
            "count": { "passed": count.passed, "failed": count.failed, "skipped": count.skipped },
            "rows": self.rows.iter().map(row).collect::<Vec<_>>(),
        })
    }
}

fn row(row: &Row) -> Value {
    let mut told = json!({
        "operation": row.operation,
        "kind": row.kind.to_string(),
        "scenario": row.scenario,
        "ms": milliseconds(row),
    });
    match &row.outcome {
        Outcome::Passed => told["outcome"] = "passed".into(),
        Outcome::Skipped(why) => {
            told["outcome"] = "skipped".into();
            told["why"] = why.as_str().into();
        }
        Outcome::Failed(failure) => {
            told["outcome"] = "failed".into();
            let reasons = failure.reasons.iter().map(|reason| {
                let place = reason.place.as_ref();
                json!({
                    "what": reason.what,
                    "pointer": place.map(|place| place.pointer.as_str()),
                    "line": place.map(|place| place.line),
                })
            });
            told["reasons"] = reasons.collect();
            if let Some(exchange) = &failure.exchange {
                told["request"] = exchange.request.as_str().into();
                told["answer"] = exchange.answer.as_str().into();
            }
        }
    }
    told
}
