//! The form of each method, and the choice among several.

use maud::{Markup, html};

use super::debit;
use crate::pay::language::{MethodTexts, Texts};
use crate::pay::mandate::{DebitOrder, mandate};
use crate::pay::method::{Field, FieldKind, FieldLook};
use crate::pay::{Choices, Client, Language, Look, Method, PayPage, method_name};

/// The texts of a page with forms.
struct Forms<'a> {
    language: Language,
    texts: &'a Texts,
    method_texts: &'a MethodTexts,
    look: &'a Look<'a>,
    pay: String,
    order: DebitOrder<'a>,
}

pub(super) fn section(
    page: &PayPage<'_>,
    (client, was_declined, choices): (&Client<'_>, bool, &Choices<'_>),
    amount: &str,
) -> Markup {
    let texts = page.language.texts();
    let method_texts = page.language.method_texts();
    let pay = page.look.button_text.map_or_else(
        || texts.pay_button.replace("{amount}", amount),
        str::to_owned,
    );
    let forms = Forms {
        language: page.language,
        texts,
        method_texts,
        look: &page.look,
        pay,
        order: DebitOrder {
            seller: page.seller,
            amount,
            language: page.language,
        },
    };
    let declined = match choices.methods.is_empty() {
        true => texts.declined,
        false => method_texts.declined,
    };
    let title = match choices.card && choices.methods.is_empty() {
        true => "card-title",
        false => "payment-title",
    };
    html! {
        section #payment aria-labelledby=(title) data-id=(client.payment_id)
            data-key=(client.publishable_key) data-secret=(client.client_secret)
            data-billing=[choices.billing.as_deref()]
            data-unreachable=(texts.unreachable) data-paying=(texts.paying)
            data-when-ready=[page.look.button_when_ready.then_some("")] {
            @if was_declined { p.alert role="alert" { (declined) } }
            noscript { p.alert { (texts.no_script) } }
            (forms.all(choices))
        }
    }
}

impl Forms<'_> {
    fn all(&self, choices: &Choices<'_>) -> Markup {
        match (choices.card, choices.methods.as_slice()) {
            (true, []) => html! {
                h2 #card-title { (self.look.header.unwrap_or(self.texts.card)) }
                (self.card(None))
            },
            (false, []) => html! {
                h2 #payment-title { (self.method_texts.choose) }
                p.alert { (self.method_texts.none) }
            },
            (false, [only]) => html! {
                h2 #payment-title { (self.name(only)) }
                (self.method(only, true))
            },
            (_, several) => self.chooser(choices.card, several),
        }
    }

    fn chooser(&self, card: bool, methods: &[Method<'_>]) -> Markup {
        html! {
            fieldset {
                legend { h2 #payment-title { (self.method_texts.choose) } }
                @if card {
                    div.method {
                        (radio("card", self.method_texts.card, true))
                        (self.card(Some(self.method_texts.card)))
                    }
                }
                @for (place, method) in methods.iter().enumerate() {
                    @let is_open = !card && place == 0;
                    div.method {
                        (radio(method.kind, self.name(method), is_open))
                        (self.method(method, is_open))
                    }
                }
            }
        }
    }

    fn name(&self, method: &Method<'_>) -> &'static str {
        method_name(method.kind, self.language).unwrap_or_default()
    }

    /// Returns the card's form. `name` is its name among others.
    fn card(&self, name: Option<&str>) -> Markup {
        let texts = self.texts;
        let field = |id: &str, look: FieldLook, member: &str| {
            let kept = Shown {
                id,
                member,
                is_required: true,
            };
            input(&look, &kept, look.label)
        };
        let member = |name: &str| format!("payment_method_data.card.{name}");
        let number = FieldKind::CardNumber.look(self.language);
        let expiry = FieldKind::CardExpiry.look(self.language);
        let code = FieldLook {
            hint: Some(texts.code_hint),
            label: texts.code,
            bad: texts.bad_code,
            autocomplete: "cc-csc",
            longest: 4,
            check: Some("code"),
            ..number
        };
        let fields = html! {
            (field("number", number, &member("card_number")))
            div.two {
                div { (field("expiry", expiry, &member("card_exp_month"))) }
                div { (field("code", code, &member("card_cvc"))) }
            }
            (holder(texts))
        };
        html! {
            form #card method="post" novalidate data-family="card" data-refused=(texts.refused)
                aria-label=[name] {
                @if let (Some(header), Some(_)) = (self.look.header, name) { h2 #card-title { (header) } }
                (fields)
                @if let Some(terms) = self.look.terms { p.hint { (terms) } }
                (self.end("trouble", None))
            }
        }
    }

    fn method(&self, method: &Method<'_>, is_open: bool) -> Markup {
        let name = self.name(method);
        let hint = method
            .at_page
            .then(|| self.method_texts.at_page.replace("{method}", name));
        let fields = html! {
            @for field in &method.fields { (self.field(method.kind, field)) }
            @if method.fields.iter().any(is_country) && !method.fields.iter().any(is_state) {
                (self.state_if_asked(method.kind))
            }
        };
        let mandate = method
            .mandate
            .and_then(|scope| mandate(method.kind, scope, self.order));
        html! {
            form id={ "pay-" (method.kind) } method="post" novalidate hidden[!is_open] aria-label=(name)
                data-family=(method.family) data-kind=(method.kind) data-member=(method.member)
                data-refused=(self.method_texts.refused) {
                @if let Some(mandate) = &mandate { (debit::agreed(method, mandate, &fields, self.language)) }
                @else { (fields) }
                @if let Some(hint) = hint { p.hint.ahead { (hint) } }
                @let go_on = mandate.filter(|mandate| mandate.is_reviewed).map(|_| self.language.mandate_texts().go_on);
                (self.end(&format!("{}-trouble", method.kind), go_on))
            }
        }
    }

    /// Returns a field that is shown when the server asks for it: some countries need it only.
    fn state_if_asked(&self, kind: &str) -> Markup {
        let state = Field {
            kind: FieldKind::State,
            member: "payment_method_data.billing.address.state".to_owned(),
            is_required: false,
        };
        html! { div hidden data-if-asked="" { (self.field(kind, &state)) } }
    }

    fn field(&self, kind: &str, field: &Field<'_>) -> Markup {
        let look = field.kind.look(self.language);
        let shown = Shown {
            id: &format!("{kind}-{}", look.id),
            member: &field.member,
            is_required: field.is_required,
        };
        let is_plain = field.is_required || field.kind == FieldKind::State;
        let label = match is_plain {
            true => look.label.to_owned(),
            false => self.method_texts.optional.replace("{label}", look.label),
        };
        match &field.kind {
            FieldKind::Country(countries) => {
                let options = countries.iter().map(|code| (*code, *code)).collect();
                self.select(&look, &shown, &label, options)
            }
            FieldKind::Bank(banks) => self.select(&look, &shown, &label, banks.clone()),
            FieldKind::AccountType => {
                let texts = self.language.debit_texts();
                let kinds = vec![("checking", texts.checking), ("savings", texts.savings)];
                self.select(&look, &shown, &label, kinds)
            }
            FieldKind::Email
            | FieldKind::Phone
            | FieldKind::FirstName
            | FieldKind::LastName
            | FieldKind::Line1
            | FieldKind::City
            | FieldKind::Zip
            | FieldKind::State
            | FieldKind::BlikCode
            | FieldKind::UpiAddress
            | FieldKind::TaxNumber
            | FieldKind::CardNumber
            | FieldKind::CardExpiry
            | FieldKind::AccountHolder
            | FieldKind::Iban
            | FieldKind::AchAccount
            | FieldKind::BacsAccount
            | FieldKind::BecsAccount
            | FieldKind::RoutingNumber
            | FieldKind::SortCode
            | FieldKind::BsbNumber => input(&look, &shown, &label),
        }
    }

    fn select(
        &self,
        look: &FieldLook,
        shown: &Shown<'_>,
        label: &str,
        options: Vec<(&str, &str)>,
    ) -> Markup {
        let Shown {
            id,
            member,
            is_required,
        } = *shown;
        html! {
            label for=(id) { (label) }
            select id=(id) autocomplete=(look.autocomplete) required[is_required] data-member=(member)
                data-bad=(look.bad) data-countries=[(look.id == "country").then_some("")]
                aria-describedby={ (id) "-error" } {
                option value="" { (self.method_texts.please_choose) }
                @for (word, name) in options { option value=(word) { (name) } }
            }
            (error(id))
        }
    }

    /// Returns the place for an error of the whole form, and the button. `go_on` is the button's text before the payer
    /// has confirmed the fields.
    fn end(&self, id: &str, go_on: Option<&str>) -> Markup {
        html! {
            p.alert.trouble id=(id) role="alert" {}
            button type="submit" data-pay=(self.pay) data-go-on=[go_on] { (go_on.unwrap_or(&self.pay)) }
        }
    }
}

/// The place of a field.
struct Shown<'a> {
    id: &'a str,
    member: &'a str,
    is_required: bool,
}

fn is_country(field: &Field<'_>) -> bool {
    field.member.ends_with("billing.address.country")
}

fn is_state(field: &Field<'_>) -> bool {
    field.kind == FieldKind::State
}

fn radio(kind: &str, name: &str, is_open: bool) -> Markup {
    html! {
        label.option {
            input type="radio" name="method" value=(kind) autocomplete="off" checked[is_open];
            span { (name) }
        }
    }
}

fn input(look: &FieldLook, shown: &Shown<'_>, label: &str) -> Markup {
    let Shown {
        id,
        member,
        is_required,
    } = *shown;
    let described = match look.hint {
        Some(_) => format!("{id}-hint {id}-error"),
        None => format!("{id}-error"),
    };
    // The year is beside the month.
    let year = look
        .expired
        .and_then(|_| member.strip_suffix("_month"))
        .map(|start| format!("{start}_year"));
    html! {
        label for=(id) { (label) }
        input id=(id) type=(look.input) inputmode=(look.inputmode) autocomplete=(look.autocomplete)
            required[is_required] maxlength=(look.longest) pattern=[look.pattern] data-check=[look.check]
            data-member=(member) data-member-year=[year] data-expired=[look.expired] data-bad=(look.bad)
            aria-describedby=(described);
        @if let Some(hint) = look.hint { p.hint id={ (id) "-hint" } { (hint) } }
        (error(id))
    }
}

pub(super) fn error(id: &str) -> Markup {
    html! { p.error id={ (id) "-error" } aria-live="polite" {} }
}

fn holder(texts: &Texts) -> Markup {
    html! {
        label for="holder" { (texts.holder) }
        input #holder type="text" autocomplete="cc-name" maxlength="255"
            data-member="payment_method_data.card.card_holder_name";
    }
}
