//! The page's HTML.

mod debit;
mod form;
mod step;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{Client, Colour, Detail, PayPage, State, WayBack};
use crate::pay::language::Texts;

const STYLE: &str = include_str!("page.css");
/// The parts of the one script. They share one scope.
const SCRIPT: [&str; 5] = [
    "\"use strict\"; {\n",
    include_str!("script/client.js"),
    include_str!("script/form.js"),
    include_str!("script/step.js"),
    "}\n",
];

/// Our own colour, where the merchant chose none.
const THEME: Colour = Colour::BLUE;

pub(super) fn document(page: &PayPage<'_>) -> Markup {
    let texts = page.language.texts();
    let amount = page.amount.written(page.language);
    let words = words(page, texts, &amount);
    let is_form = matches!(page.state, State::Form { .. });
    let is_beside = is_form && !page.look.is_stacked && has_details(page);
    html! {
        (DOCTYPE)
        html lang=(page.language.tag()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="robots" content="noindex";
                title { (words.title) @if let Some(seller) = page.seller { " – " (seller) } }
                style nonce=(page.nonce) { (PreEscaped(colours(page))) (PreEscaped(STYLE)) }
            }
            body {
                main class=[is_beside.then_some("beside")] {
                    (shop(page))
                    div.whole {
                        @if let Some((class, sign)) = words.mark {
                            p class={ "mark " (class) } aria-hidden="true" { (sign) }
                        }
                        h1 { (words.title) }
                        @if let Some(text) = words.text { p { (text) } }
                        @if !is_form { p.quiet { (amount) } }
                    }
                    (details(page, texts))
                    (action(page, texts, &amount))
                }
                script nonce=(page.nonce) { (PreEscaped(SCRIPT.concat())) }
            }
        }
    }
}

struct Words {
    title: String,
    mark: Option<(&'static str, &'static str)>,
    text: Option<String>,
}

fn words(page: &PayPage<'_>, texts: &Texts, amount: &str) -> Words {
    let told = |mark, title: &str, text: &str| Words {
        title: title.to_owned(),
        mark: Some(mark),
        text: Some(text.to_owned()),
    };
    const GOOD: (&str, &str) = ("good", "✓");
    const BAD: (&str, &str) = ("bad", "✕");
    const WAITING: (&str, &str) = ("quiet", "…");
    let steps = page.language.step_texts();
    match &page.state {
        State::Form { .. } => Words {
            title: texts.pay_title.replace("{amount}", amount),
            mark: None,
            text: None,
        },
        State::WaitsForPayer { method: None, .. } => {
            told(WAITING, texts.waiting_title, texts.waiting)
        }
        State::WaitsForPayer {
            method: Some(method),
            ..
        } => {
            let text = steps.method_waits.replace("{method}", method);
            told(WAITING, texts.waiting_title, &text)
        }
        State::Acts { step, .. } => {
            let (title, text) = step::words(step, steps);
            Words {
                title: title.to_owned(),
                mark: None,
                text: Some(text.to_owned()),
            }
        }
        State::WaitsForDevice { .. } | State::Processing { .. } => {
            told(WAITING, texts.processing_title, texts.processing)
        }
        State::Paid => told(GOOD, texts.paid_title, texts.paid),
        State::Failed => told(BAD, texts.failed_title, texts.failed),
        State::Cancelled => told(BAD, texts.cancelled_title, texts.cancelled),
        State::Expired => told(BAD, texts.expired_title, texts.expired),
    }
}

fn shop(page: &PayPage<'_>) -> Markup {
    let logo = page.look.logo.filter(|logo| super::origin(logo).is_some());
    html! {
        @if logo.is_some() || page.seller.is_some() {
            div.shop.whole {
                // The name is next to it.
                @if let Some(logo) = logo { img src=(logo) alt=""; }
                @if let Some(seller) = page.seller { p { (seller) } }
            }
        }
    }
}

fn has_details(page: &PayPage<'_>) -> bool {
    !page.look.form_only && (page.description.is_some() || !page.details.is_empty())
}

fn details(page: &PayPage<'_>, texts: &Texts) -> Markup {
    html! {
        @if has_details(page) {
            section aria-labelledby="details" {
                h2 #details { (texts.details) }
                @if let Some(description) = page.description { p { (description) } }
                @if !page.details.is_empty() {
                    dl {
                        @for Detail { name, value, bold_name, bold_value } in &page.details {
                            dt class=[bold_name.then_some("bold")] { (name) }
                            dd class=[bold_value.then_some("bold")] { (value) }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the payer's possible actions.
fn action(page: &PayPage<'_>, texts: &Texts, amount: &str) -> Markup {
    let steps = page.language.step_texts();
    let other_way = html! {
        @if let Some(way) = &page.other_way { (step::other_way(way, steps)) }
    };
    match &page.state {
        State::Form {
            client,
            was_declined,
            choices,
        } => form::section(page, (client, *was_declined, choices), amount),
        State::WaitsForPayer { address, method } => {
            let go_on = method.map(|method| steps.go_on_to.replace("{method}", method));
            html! {
                a.button.whole href=(address) { (go_on.as_deref().unwrap_or(texts.go_on)) }
                (other_way)
            }
        }
        State::WaitsForDevice { client } => {
            let waits = Some("");
            waiting(
                client,
                Waiting {
                    waits,
                    ..Waiting::default()
                },
                &html! {
                    noscript { p.alert { (texts.no_script) } }
                },
            )
        }
        State::Processing { client, status } => html! {
            (waiting(client, Waiting { status: Some(status), ..Waiting::default() }, &step::watch(steps)))
            (way_back(page, texts))
        },
        State::Acts {
            client,
            status,
            received,
            step,
        } => {
            let what = Waiting {
                status: Some(status),
                received: Some(*received),
                waits: None,
            };
            waiting(
                client,
                what,
                &html! {
                    (step::body(step, steps))
                    (step::watch(steps))
                    (other_way)
                },
            )
        }
        State::Paid | State::Failed | State::Cancelled | State::Expired => way_back(page, texts),
    }
}

/// The change that the script waits for.
#[derive(Default)]
struct Waiting<'a> {
    status: Option<&'a str>,
    received: Option<i64>,
    waits: Option<&'a str>,
}

/// Returns the part of a page whose script talks with the server.
fn waiting(client: &Client<'_>, what: Waiting<'_>, inside: &Markup) -> Markup {
    html! {
        div #payment.whole data-id=(client.payment_id) data-key=(client.publishable_key)
            data-secret=(client.client_secret) data-status=[what.status] data-received=[what.received]
            data-waits-for-device=[what.waits] {
            (inside)
        }
    }
}

fn way_back(page: &PayPage<'_>, texts: &Texts) -> Markup {
    match &page.way_back {
        Some(WayBack::Link(address)) => html! {
            a.button.whole href=(address) { (texts.back) }
        },
        Some(WayBack::Post { address, pairs }) => html! {
            form.whole method="post" action=(address) {
                @for (name, value) in *pairs { input type="hidden" name=(name) value=(value); }
                button type="submit" { (texts.back) }
            }
        },
        None => html! { p.quiet.whole { (texts.close) } },
    }
}

/// Returns the merchant's colours, with readable text only.
fn colours(page: &PayPage<'_>) -> String {
    let look = &page.look;
    let chosen = |text: Option<&str>| text.and_then(Colour::parse);
    let theme = chosen(look.theme).unwrap_or(THEME);
    let button = chosen(look.button).unwrap_or(theme);
    let on_button = button.text_on_it(chosen(look.button_text_colour));
    let background = chosen(look.background)
        .map(|colour| format!("--background:{colour};"))
        .unwrap_or_default();
    format!(":root{{{background}--theme:{theme};--button:{button};--on-button:{on_button}}}")
}
