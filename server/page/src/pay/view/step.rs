//! The step of a payer who acts elsewhere.

use maud::{Markup, html};

use crate::pay::language::StepTexts;
use crate::pay::step::grouped;
use crate::pay::{OtherWay, QrCode, Step, StepForm, Transfer};

/// Returns the heading and the explanation.
pub(super) fn words(step: &Step<'_>, texts: &StepTexts) -> (&'static str, &'static str) {
    match step.form {
        StepForm::Scan { .. } => (texts.scan_title, texts.scan),
        StepForm::Wait => (texts.wait_title, texts.wait),
        StepForm::Voucher { .. } => (texts.voucher_title, texts.voucher),
        StepForm::Transfer(_) => (texts.transfer_title, texts.transfer),
    }
}

pub(super) fn body(step: &Step<'_>, texts: &StepTexts) -> Markup {
    let page = match step.form {
        StepForm::Voucher { .. } => texts.voucher_page,
        StepForm::Scan { .. } | StepForm::Wait | StepForm::Transfer(_) => texts.page,
    };
    html! {
        @match &step.form {
            StepForm::Scan { code, text } => {
                @if let Some(code) = code { (drawn(code, texts)) }
                dl.facts { (copied("code", texts.code_text, text, text, texts)) }
            }
            StepForm::Wait => {}
            StepForm::Voucher { number } => dl.facts { (copied("number", texts.voucher_number, number, number, texts)) }
            StepForm::Transfer(transfer) => (account(transfer, texts))
        }
        @if let Some(moment) = &step.ends_at { (ends(moment, texts)) }
        @if let Some(address) = step.page { a.button href=(address) { (page) } }
        @if matches!(step.form, StepForm::Voucher { .. } | StepForm::Transfer(_)) {
            button.plain.scripted type="button" data-print="" hidden { (texts.print) }
        }
    }
}

/// Returns the code as a drawing in the document, since the page's policy lets it load no image.
fn drawn(code: &QrCode, texts: &StepTexts) -> Markup {
    let size = code.size;
    html! {
        svg.code role="img" aria-label=(texts.code_image) viewBox={ "0 0 " (size) " " (size) }
            shape-rendering="crispEdges" {
            path.light d={ "M0 0h" (size) "v" (size) "H0z" } {}
            path.dark d=(code.path) {}
        }
    }
}

fn account(transfer: &Transfer<'_>, texts: &StepTexts) -> Markup {
    let Transfer {
        holder,
        iban,
        bic,
        entity,
        reference,
        received,
        remaining,
    } = transfer;
    html! {
        dl.facts {
            @if let Some(remaining) = remaining { (fact(texts.remaining, remaining)) }
            @if let Some(received) = received { (fact(texts.received, received)) }
            @if let Some(holder) = holder { (copied("holder", texts.holder, holder, holder, texts)) }
            @if let Some(iban) = iban { (copied("iban", "IBAN", &grouped(iban), iban, texts)) }
            @if let Some(bic) = bic { (copied("bic", "BIC", bic, bic, texts)) }
            @if let Some(entity) = entity { (copied("entity", texts.entity, entity, entity, texts)) }
            (copied("reference", texts.reference, reference, reference, texts))
        }
    }
}

fn fact(label: &str, value: &str) -> Markup {
    html! {
        dt { (label) }
        dd { (value) }
    }
}

/// Returns a fact that the payer can copy.
fn copied(id: &str, label: &str, shown: &str, value: &str, texts: &StepTexts) -> Markup {
    html! {
        dt { (label) }
        dd {
            span id={ "fact-" (id) } { (shown) }
            button.plain.scripted type="button" data-copy=(value) data-shown={ "fact-" (id) } hidden
                aria-label=(texts.copy.replace("{label}", label)) { (texts.copy_short) }
        }
    }
}

/// Returns the end of the payer's time. The script writes it in the payer's time zone.
fn ends(moment: &str, texts: &StepTexts) -> Markup {
    html! {
        p.quiet { (texts.ends) ": " time datetime=(moment) { (moment) } }
    }
}

/// Returns the place where the page says that it waits, and the button after it has stopped. Screen readers read the text
/// when the script writes it.
pub(super) fn watch(texts: &StepTexts) -> Markup {
    html! {
        p #watching.quiet role="status" data-watching=(texts.watching) data-paused=(texts.paused)
            data-copied=(texts.copied) data-not-copied=(texts.not_copied) {}
        button #look-again.plain type="button" hidden { (texts.look_again) }
    }
}

/// Returns the way to another method. The script writes its moment in the payer's time zone.
pub(super) fn other_way(way: &OtherWay, texts: &StepTexts) -> Markup {
    let later = texts.choose_later.split_once("{moment}");
    let (before, after) = later.unwrap_or((texts.choose_later, ""));
    html! {
        p #other-way.quiet.whole {
            @match way {
                OtherWay::Cancel => (texts.cancel_there)
                OtherWay::After(moment) => {
                    (before)
                    time datetime=(moment) { (moment) }
                    (after)
                }
                OtherWay::Merchant => (texts.ask_merchant)
            }
        }
    }
}
