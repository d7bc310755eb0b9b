//! The page's HTML.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{Colour, Detail, PayPage, State, WayBack};
use crate::pay::language::Texts;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

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
                script nonce=(page.nonce) { (PreEscaped(SCRIPT)) }
            }
        }
    }
}

struct Words {
    title: String,
    mark: Option<(&'static str, &'static str)>,
    text: Option<&'static str>,
}

fn words(page: &PayPage<'_>, texts: &Texts, amount: &str) -> Words {
    let told = |mark, title: &str, text| Words {
        title: title.to_owned(),
        mark: Some(mark),
        text: Some(text),
    };
    const GOOD: (&str, &str) = ("good", "✓");
    const BAD: (&str, &str) = ("bad", "✕");
    const WAITING: (&str, &str) = ("quiet", "…");
    match page.state {
        State::Form { .. } => Words {
            title: texts.pay_title.replace("{amount}", amount),
            mark: None,
            text: None,
        },
        State::WaitsForPayer { .. } => told(WAITING, texts.waiting_title, texts.waiting),
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
    match &page.state {
        State::Form {
            client,
            was_declined,
        } => html! {
            section #payment aria-labelledby="card-title" data-id=(client.payment_id)
                data-key=(client.publishable_key) data-secret=(client.client_secret) {
                @if *was_declined { p.alert role="alert" { (texts.declined) } }
                noscript { p.alert { (texts.no_script) } }
                (card_form(page, texts, amount))
            }
        },
        State::WaitsForPayer { address } => html! {
            a.button.whole href=(address) { (texts.go_on) }
        },
        State::WaitsForDevice { client } => html! {
            div #payment.whole data-id=(client.payment_id) data-key=(client.publishable_key)
                data-secret=(client.client_secret) data-waits-for-device="" {
                noscript { p.alert { (texts.no_script) } }
            }
        },
        State::Processing { client, status } => html! {
            div #payment.whole data-id=(client.payment_id) data-key=(client.publishable_key)
                data-secret=(client.client_secret) data-status=(status) {}
            (way_back(page, texts))
        },
        State::Paid | State::Failed | State::Cancelled | State::Expired => way_back(page, texts),
    }
}

fn card_form(page: &PayPage<'_>, texts: &Texts, amount: &str) -> Markup {
    let look = &page.look;
    let pay = look.button_text.map_or_else(
        || texts.pay_button.replace("{amount}", amount),
        str::to_owned,
    );
    html! {
        form #card method="post" novalidate data-bad-number=(texts.bad_number) data-bad-expiry=(texts.bad_expiry)
            data-expired-card=(texts.expired_card) data-bad-code=(texts.bad_code) data-refused=(texts.refused)
            data-unreachable=(texts.unreachable) data-paying=(texts.paying)
            data-when-ready=[look.button_when_ready.then_some("")] {
            h2 #card-title { (look.header.unwrap_or(texts.card)) }
            (field("number", texts.number, "cc-number", Some(23), None))
            div.two {
                div { (field("expiry", texts.expiry, "cc-exp", Some(9), None)) }
                div { (field("code", texts.code, "cc-csc", Some(4), Some(texts.code_hint))) }
            }
            (holder(texts))
            @if let Some(terms) = look.terms { p.hint { (terms) } }
            p #trouble.alert role="alert" {}
            button type="submit" { (pay) }
        }
    }
}

/// Returns a field for digits, with a place for its error.
fn field(
    id: &str,
    label: &str,
    autocomplete: &str,
    longest: Option<u8>,
    hint: Option<&str>,
) -> Markup {
    let error = format!("{id}-error");
    let described = match hint {
        Some(_) => format!("{id}-hint {error}"),
        None => error.clone(),
    };
    html! {
        label for=(id) { (label) }
        input id=(id) type="text" inputmode="numeric" autocomplete=(autocomplete) required maxlength=[longest]
            aria-describedby=(described);
        @if let Some(hint) = hint { p.hint id={ (id) "-hint" } { (hint) } }
        p.error id=(error) aria-live="polite" {}
    }
}

fn holder(texts: &Texts) -> Markup {
    html! {
        label for="holder" { (texts.holder) }
        input #holder type="text" autocomplete="cc-name" maxlength="255";
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
