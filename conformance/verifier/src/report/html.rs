//! The report as one HTML file.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{Count, Failure, KINDS, Report, Row, document_version, skips_by_reason};

const STYLE: &str = include_str!("report.css");

impl Report {
    /// Returns the failures with request, answer and place; then every operation; then the skipped checks.
    pub fn html(&self) -> String {
        let title = format!("{} {}", self.server, self.verdict());
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'";
                    title { (title) }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    h1 class=(verdict(self.passed())) { (title) }
                    p { "Compared with version " (document_version()) " of the document: " (self.count()) "." }
                    @if let Some(why) = &self.stopped { p { strong { (why) } } }
                    @if !self.notes.is_empty() {
                        ul { @for note in &self.notes { li { (note) } } }
                    }
                    @if self.has_failures() {
                        h2 { "Failures" }
                        @for (row, failure) in self.failures() { (failed(row, failure)) }
                    }
                    h2 { "Operations" }
                    (operations(self))
                    (skipped(self))
                }
            }
        };
        page.into_string()
    }
}

fn verdict(passed: bool) -> &'static str {
    if passed { "passed" } else { "failed" }
}

fn failed(row: &Row, failure: &Failure) -> Markup {
    html! {
        details open class="failed" {
            summary { code { (row.operation) } " " (row.scenario) " (" (row.kind) ")" }
            ul {
                @for reason in &failure.reasons {
                    li {
                        (reason.what)
                        @if let Some(place) = &reason.place { br; code { (place) } }
                    }
                }
            }
            @if let Some(exchange) = &failure.exchange {
                h3 { "Request" }
                pre { (exchange.request) }
                h3 { "Answer" }
                pre { (exchange.answer) }
            }
        }
    }
}

fn operations(report: &Report) -> Markup {
    html! {
        div class="wide" {
            table {
                thead { tr { th { "Operation" } @for kind in KINDS { th { (kind) } } } }
                tbody {
                    @for (id, of_kinds) in report.by_operation() {
                        tr class=(verdict(of_kinds.iter().all(|count| count.failed == 0))) {
                            td { code { (id) } }
                            @for count in of_kinds { td { (cell(count)) } }
                        }
                    }
                }
            }
        }
    }
}

fn cell(count: Count) -> Markup {
    html! {
        @if count.failed > 0 { strong { (count.failed) " failed " } }
        @if count.passed > 0 { (count.passed) " passed " }
        @if count.skipped > 0 { span class="skipped" { (count.skipped) " skipped" } }
    }
}

fn skipped(report: &Report) -> Markup {
    let skips = skips_by_reason(report);
    html! {
        @if !skips.is_empty() {
            h2 { "Skipped" }
            @for (why, names) in skips {
                details {
                    summary { (why) " (" (names.len()) ")" }
                    ul { @for name in names { li { (name) } } }
                }
            }
        }
    }
}
