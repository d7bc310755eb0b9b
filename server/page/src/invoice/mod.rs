//! An invoice as a page that a customer can print. It has no scripts, resources or links.

mod texts;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::pay::{Amount, Language};
use texts::Texts;

const STYLE: &str = include_str!("page.css");

/// The `content-security-policy` of the page, which allows only the embedded style sheet.
pub const POLICY: &str = "default-src 'none'; style-src 'sha256-R6FRX+dLVtl0L+XUnJ4do6Tmikq+cFiaUWA1HLsvch0='; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The data of the page.
#[derive(Clone, Debug)]
pub struct InvoicePage<'a> {
    pub language: Language,
    pub seller: Option<&'a str>,
    /// The invoice's number within its subscription, from 1.
    pub place: u32,
    pub number: &'a str,
    /// The date as written, such as `2027-01-31`.
    pub date: String,
    /// The time zone of the dates, such as `Europe/Berlin`.
    pub zone: &'a str,
    /// The customer in lines: name, address where known, and the seller's id for the customer.
    pub customer: Vec<String>,
    pub standing: Standing,
    pub lines: Vec<Line<'a>>,
    pub total: Amount<'a>,
}

/// The state of the invoice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    Open,
    Paid,
    Voided,
}

/// The kind of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    Charge,
    Trial,
    Rest,
    Discount,
    GivenBack,
    Tax,
    CreditUsed,
    CreditGiven,
    CarriedIn,
    CarriedOver,
    Rounding,
}

/// A line of the invoice.
#[derive(Clone, Debug)]
pub struct Line<'a> {
    pub kind: LineKind,
    pub description: &'a str,
    /// The first day and the day after the last.
    pub period: Option<(String, String)>,
    pub quantity: u32,
    /// The price of one piece, for lines with pieces.
    pub unit: Option<Amount<'a>>,
    pub amount: Amount<'a>,
}

impl InvoicePage<'_> {
    /// Returns the page's HTML, to be sent with [`POLICY`].
    pub fn write(&self) -> String {
        let texts = texts::for_language(self.language);
        let standing = match self.standing {
            Standing::Open => texts.open,
            Standing::Paid => texts.paid,
            Standing::Voided => texts.voided,
        };
        let number = format!("{} · {}", self.place, self.number);
        let customer = self.customer.iter().map(String::as_str);
        let facts: [(&str, Vec<&str>); 5] = [
            (texts.number, vec![&number]),
            (texts.date, vec![&self.date]),
            (texts.zone, vec![self.zone]),
            (texts.customer, customer.collect()),
            (texts.status, vec![standing]),
        ];
        let page = html! {
            (DOCTYPE)
            html lang=(self.language.tag()) {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="robots" content="noindex";
                    title { (texts.invoice) " " (self.number) }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    main {
                        header {
                            h1 { (texts.invoice) }
                            @if let Some(seller) = self.seller { p { (seller) } }
                        }
                        dl { @for (name, lines) in &facts { dt { (name) } dd { (in_lines(lines)) } } }
                        (self.table(texts))
                    }
                }
            }
        };
        page.into_string()
    }

    fn table(&self, texts: &Texts) -> Markup {
        html! {
            table {
                thead {
                    tr {
                        th scope="col" { (texts.description) }
                        th.number scope="col" { (texts.quantity) }
                        th.number scope="col" { (texts.price) }
                        th.number scope="col" { (texts.amount) }
                    }
                }
                tbody { @for line in &self.lines { (self.line(line, texts)) } }
                tfoot {
                    tr {
                        th scope="row" colspan="3" { (texts.total) }
                        td.number { (self.total.written(self.language)) }
                    }
                }
            }
        }
    }

    fn line(&self, line: &Line<'_>, texts: &Texts) -> Markup {
        // The line's name, which may replace the description, and its note.
        let (name, note) = match line.kind {
            LineKind::Charge => (line.description, None),
            LineKind::Trial => (line.description, Some(texts.trial)),
            LineKind::Rest => (line.description, Some(texts.rest)),
            LineKind::Discount => (line.description, Some(texts.discount)),
            LineKind::GivenBack => (line.description, Some(texts.given_back)),
            LineKind::Tax => (line.description, Some(texts.tax)),
            LineKind::CreditUsed => (texts.credit_used, None),
            LineKind::CreditGiven => (texts.credit_given, None),
            LineKind::CarriedIn => (texts.carried_in, None),
            LineKind::CarriedOver => (texts.carried_over, None),
            LineKind::Rounding => (texts.rounding, None),
        };
        html! {
            tr {
                td {
                    (name)
                    @if let Some(note) = note { small { (note) } }
                    @if let Some((start, end)) = &line.period { small { (start) " – " (end) } }
                }
                @if let Some(unit) = line.unit {
                    td.number { (line.quantity) }
                    td.number { (unit.written(self.language)) }
                } @else { td {} td {} }
                td.number { (line.amount.written(self.language)) }
            }
        }
    }
}

fn in_lines(lines: &[&str]) -> Markup {
    html! {
        @for (place, line) in lines.iter().enumerate() {
            @if place > 0 { br; }
            (line)
        }
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use sha2::Digest as _;

    use super::*;

    const NASTY: &str = "<script>alert(1)</script>\"'&";

    fn amount(minor: i64) -> Amount<'static> {
        Amount {
            minor,
            decimals: 2,
            currency: "EUR",
        }
    }

    fn page(language: Language) -> InvoicePage<'static> {
        let line = |kind, description, minor| Line {
            kind,
            description,
            period: None,
            quantity: 1,
            unit: None,
            amount: amount(minor),
        };
        InvoicePage {
            language,
            seller: Some("Books & more"),
            place: 7,
            number: "invoice_7",
            date: "2027-01-31".to_owned(),
            zone: "Europe/Berlin",
            customer: vec!["Ada L.".to_owned(), "ada".to_owned()],
            standing: Standing::Paid,
            lines: vec![
                Line {
                    period: Some(("2027-01-31".to_owned(), "2027-02-28".to_owned())),
                    quantity: 3,
                    unit: Some(amount(1_999)),
                    ..line(LineKind::Charge, "Gold", 5_997)
                },
                line(LineKind::Discount, "Spring", -600),
                line(LineKind::Tax, "VAT", 1_025),
                line(LineKind::CreditUsed, "not shown", -100),
            ],
            total: amount(6_322),
        }
    }

    #[test]
    fn the_policy_names_the_style_sheet() {
        let digest = sha2::Sha256::digest(STYLE.as_bytes());
        let hash = base64::engine::general_purpose::STANDARD.encode(digest);
        assert!(POLICY.contains(&hash), "it should be {hash}");
        assert!(!POLICY.contains("script-src"), "and nothing runs");
    }

    #[test]
    fn it_is_whole_in_every_language() {
        for (language, parts) in [
            (
                Language::English,
                [
                    "<html lang=\"en\">",
                    "Paid",
                    "€63.22",
                    "Paid from your credit",
                ],
            ),
            (
                Language::German,
                [
                    "<html lang=\"de\">",
                    "Bezahlt",
                    "63,22\u{a0}€",
                    "Aus Ihrem Guthaben bezahlt",
                ],
            ),
            (
                Language::French,
                ["<html lang=\"fr\">", "Payée", "63,22\u{a0}€", "Remise"],
            ),
            (
                Language::Spanish,
                ["<html lang=\"es\">", "Pagada", "63,22\u{a0}€", "Descuento"],
            ),
            (
                Language::Japanese,
                ["<html lang=\"ja\">", "支払い済み", "€63.22", "割引"],
            ),
        ] {
            let written = page(language).write();
            for part in parts {
                assert!(written.contains(part), "{part}: {written}");
            }
            for part in [
                "Gold",
                "2027-01-31 – 2027-02-28",
                "Books &amp; more",
                "<dd>7 · invoice_7</dd>",
                "<dd>Ada L.<br>ada</dd>",
                "Europe/Berlin",
            ] {
                assert!(written.contains(part), "{part}: {written}");
            }
            assert!(!written.contains("not shown"));
        }
    }

    #[test]
    fn what_comes_from_outside_is_text() {
        let mut page = page(Language::English);
        page.seller = Some(NASTY);
        page.number = NASTY;
        page.customer = vec![NASTY.to_owned(), "ada".to_owned()];
        page.lines[0].description = NASTY;
        let written = page.write();
        assert!(!written.contains("<script"), "{written}");
        assert_eq!(
            written.matches("&lt;script&gt;").count(),
            5,
            "the title too"
        );
        assert!(!written.contains("http"), "it loads nothing");
    }
}
