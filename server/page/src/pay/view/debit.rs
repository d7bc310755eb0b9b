//! The mandate in the form of a debit, and the review of its account.

use maud::{Markup, html};

use super::form::error;
use crate::pay::language::MandateTexts;
use crate::pay::mandate::Mandate;
use crate::pay::{Field, Language, Method};

/// Returns the fields with the mandate. Where the payer confirms the account first, the mandate is on a step of its own.
pub(super) fn agreed(
    method: &Method<'_>,
    mandate: &Mandate,
    fields: &Markup,
    language: Language,
) -> Markup {
    let texts = language.mandate_texts();
    let consent = consent(method.kind, mandate, texts);
    html! {
        @if mandate.is_reviewed {
            div data-step="fields" { (fields) }
            div data-step="review" hidden {
                (review(method, texts, language))
                (consent)
            }
        } @else {
            (fields)
            (consent)
        }
    }
}

/// Returns the place where the script shows what the payer has entered.
fn review(method: &Method<'_>, texts: &MandateTexts, language: Language) -> Markup {
    let entered = |field: &Field<'_>| {
        let look = field.kind.look(language);
        (look.label, format!("{}-{}", method.kind, look.id))
    };
    html! {
        h3 tabindex="-1" { (texts.review) }
        dl.facts {
            @for (label, id) in method.fields.iter().map(entered) {
                dt { (label) }
                dd data-entered=(id) {}
            }
        }
        button.plain type="button" data-change="" { (texts.change) }
    }
}

fn consent(kind: &str, mandate: &Mandate, texts: &MandateTexts) -> Markup {
    let id = format!("{kind}-consent");
    html! {
        div.mandate id={ (kind) "-mandate" } {
            h3 { (mandate.title) }
            dl {
                @for (name, value) in &mandate.facts {
                    dt { (name) }
                    dd { (value) }
                }
            }
            @for paragraph in &mandate.paragraphs { p { (paragraph) } }
        }
        label.agree {
            input id=(id) type="checkbox" autocomplete="off" required data-member="customer_acceptance"
                data-check="consent" data-bad=(texts.bad_agree)
                aria-describedby={ (kind) "-mandate " (id) "-error" };
            span { (mandate.agree) }
        }
        (error(&id))
    }
}
