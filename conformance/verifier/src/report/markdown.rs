//! The report as Markdown for a summary page or an issue.

use std::fmt::Write as _;

use super::{Count, KINDS, Report, document_version, skips_by_reason};

impl Report {
    /// Returns the failures, then every operation, then the skipped checks.
    pub fn markdown(&self) -> String {
        let verdict = self.verdict();
        let mut text = format!(
            "# {} {verdict}\n\nCompared with version {} of the document: {}.\n",
            self.server,
            document_version(),
            self.count()
        );
        if let Some(why) = &self.stopped {
            let _ = writeln!(text, "\n**{}**", inline(why));
        }
        for note in &self.notes {
            let _ = write!(text, "\n- {note}");
        }
        if !self.notes.is_empty() {
            text.push('\n');
        }
        if self.has_failures() {
            text.push_str("\n## Failures\n");
        }
        for (row, failure) in self.failures() {
            let _ = writeln!(
                text,
                "\n### {}: {} ({})\n",
                row.operation,
                inline(&row.scenario),
                row.kind
            );
            for reason in &failure.reasons {
                let _ = writeln!(text, "- {}", inline(&reason.what));
                if let Some(place) = &reason.place {
                    let _ = writeln!(text, "  at `{place}`");
                }
            }
            if let Some(exchange) = &failure.exchange {
                for part in [&exchange.request, &exchange.answer] {
                    // Longer than any fence in the text.
                    let _ = write!(text, "\n``````\n{}\n``````\n", part.trim_end());
                }
            }
        }
        text.push_str("\n## Operations\n\n| Operation |");
        for kind in KINDS {
            let _ = write!(text, " {kind} |");
        }
        let _ = writeln!(text, "\n|---|{}", "---|".repeat(KINDS.len()));
        for (id, of_kinds) in self.by_operation() {
            let cells: Vec<String> = of_kinds.iter().map(|count| cell(*count)).collect();
            let _ = writeln!(text, "| `{id}` | {} |", cells.join(" | "));
        }
        let skips = skips_by_reason(self);
        if !skips.is_empty() {
            text.push_str("\n## Skipped\n");
        }
        for (why, names) in skips {
            let _ = writeln!(text, "\n{}:\n", inline(why));
            for name in names {
                let _ = writeln!(text, "- {}", inline(&name));
            }
        }
        text
    }
}

fn cell(count: Count) -> String {
    let parts = [
        (count.passed, "passed"),
        (count.failed, "**failed**"),
        (count.skipped, "skipped"),
    ];
    let told = parts.iter().filter(|(number, _)| *number > 0);
    let told: Vec<String> = told
        .map(|(number, word)| format!("{number} {word}"))
        .collect();
    told.join(", ")
}

/// Puts a text on one line and escapes its markup.
fn inline(text: &str) -> String {
    let line = text.replace(['\n', '\r'], " ");
    let mut escaped = String::with_capacity(line.len());
    for character in line.chars() {
        if matches!(character, '\\' | '`' | '*' | '_' | '<' | '[' | ']' | '|') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}
