//! The report as lines for a terminal.

use std::fmt::Write as _;

use super::{Count, KINDS, Report, skips_by_reason};

impl Report {
    /// Returns a line for each operation, then the failures, then the skipped checks.
    pub fn table(&self) -> String {
        let counts = self.by_operation();
        let ids = counts.iter().map(|(id, _)| id.len());
        let width = ids.max().unwrap_or(0).max("operation".len());
        let mut table = String::new();
        for note in &self.notes {
            let _ = writeln!(table, "{note}");
        }
        let mut line = format!("{:width$}", "operation");
        for kind in KINDS {
            let _ = write!(line, "  {kind:>14}");
        }
        let _ = write!(table, "\n{line}");
        for (id, of_kinds) in counts {
            let mut line = format!("{id:width$}");
            for count in of_kinds {
                let _ = write!(line, "  {:>14}", cell(count));
            }
            let _ = write!(table, "\n{}", line.trim_end());
        }
        table.push('\n');
        for (row, failure) in self.failures() {
            let _ = writeln!(
                table,
                "\nFAIL {} ({}: {})\n{}",
                row.operation,
                row.kind,
                row.scenario,
                failure.reasons()
            );
            if let Some(exchange) = &failure.exchange {
                let _ = writeln!(table, "{}", quoted("> ", &exchange.request));
                let _ = writeln!(table, "{}", quoted("< ", &exchange.answer));
            }
        }
        let skips = skips_by_reason(self);
        if !skips.is_empty() {
            let _ = writeln!(table, "\nskipped:");
        }
        for (why, names) in skips {
            let _ = writeln!(table, "  {why}");
            for name in names {
                let _ = writeln!(table, "    {name}");
            }
        }
        if let Some(why) = &self.stopped {
            let _ = writeln!(table, "\n{why}");
        }
        let _ = writeln!(table, "\n{}", self.count());
        table
    }
}

/// Formats counts: `12`, `12 3-` with three skipped, `12 1!` with one failed.
fn cell(count: Count) -> String {
    let mut text = match count.passed {
        0 => String::new(),
        passed => passed.to_string(),
    };
    if count.skipped > 0 {
        let _ = write!(text, " {}-", count.skipped);
    }
    if count.failed > 0 {
        let _ = write!(text, " {}!", count.failed);
    }
    text.trim().to_owned()
}

/// Puts a mark before each line.
fn quoted(mark: &str, text: &str) -> String {
    let lines = text.trim_end().lines();
    let lines = lines.map(|line| format!("{mark}{line}").trim_end().to_owned());
    lines.collect::<Vec<_>>().join("\n")
}
