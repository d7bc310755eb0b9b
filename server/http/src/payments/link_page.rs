//! Builds the page of a payment link.

use multirail_app::payments::link::{LinkStanding, LinkView};
use multirail_app::payments::payer;
use multirail_app::payments::payer::PayerOutcome;
use multirail_domain::accounts::profile::link_look::{
    CardTerms, DetailLook, DetailsLayout, LinkConfig, LinkDetail,
};
use multirail_domain::payments::offer::Offer;
use multirail_domain::payments::payment::link;
use multirail_page::pay::{
    Amount, Client, Detail, Language, Look, OtherWay, PayPage, State, WayBack, Written, method_name,
};

use super::{link_choices, link_step};

/// Writes the page. `offers` are the methods of its forms.
pub(crate) fn write(view: &LinkView, offers: &[Offer], language: Language) -> Written {
    let LinkView {
        payment,
        config,
        seller,
        money,
        way_back: destination,
        nonce,
        ..
    } = view;
    let amount = |minor| amount(view, minor);
    PayPage {
        language,
        nonce,
        seller: seller.as_deref(),
        amount: amount(money.amount_minor),
        look: look(config),
        description: payment.particulars.description.as_deref(),
        details: details(view, |minor| amount(minor).written(language)),
        state: state(view, offers, language),
        other_way: view.other_way.map(other_way),
        way_back: destination.as_ref().and_then(way_back),
    }
    .write()
}

fn state<'a>(view: &'a LinkView, offers: &[Offer], language: Language) -> State<'a> {
    let client = Client {
        payment_id: view.payment.payment_id.as_str(),
        publishable_key: &view.publishable_key,
        client_secret: view.client_secret.expose(),
    };
    let outcome = match &view.standing {
        LinkStanding::Open { was_declined } => {
            return State::Form {
                client,
                was_declined: *was_declined,
                choices: link_choices::choices(view, offers),
            };
        }
        LinkStanding::Outcome(outcome) => outcome,
    };
    if let Some(acts) = acts(view, client, outcome, language) {
        return acts;
    }
    match outcome {
        PayerOutcome::Approved => State::Paid,
        PayerOutcome::Failed => State::Failed,
        PayerOutcome::Processing | PayerOutcome::Superseded | PayerOutcome::NotBegun => {
            State::Processing {
                client,
                status: view.payment.status.as_str(),
            }
        }
        PayerOutcome::Cancelled => State::Cancelled,
        PayerOutcome::Expired => State::Expired,
        PayerOutcome::WaitsForPayer { .. } if view.payment.active().awaits_device_data() => {
            State::WaitsForDevice { client }
        }
        PayerOutcome::WaitsForPayer { address } => State::WaitsForPayer {
            address,
            method: method(view, language),
        },
    }
}

/// Returns the state of a payer who acts elsewhere, with what the page shows.
fn acts<'a>(
    view: &'a LinkView,
    client: Client<'a>,
    outcome: &'a PayerOutcome,
    language: Language,
) -> Option<State<'a>> {
    let payment = &view.payment;
    let attempt = payment.active();
    let shown = attempt.shown_step.as_deref()?;
    if !payment.awaits_payer() {
        return None;
    }
    let address = match outcome {
        PayerOutcome::WaitsForPayer { address } => Some(address.as_str()),
        PayerOutcome::Approved
        | PayerOutcome::Failed
        | PayerOutcome::Processing
        | PayerOutcome::Cancelled
        | PayerOutcome::Expired
        | PayerOutcome::Superseded
        | PayerOutcome::NotBegun => None,
    };
    let written = |minor| amount(view, minor).written(language);
    Some(State::Acts {
        client,
        status: payment.status.as_str(),
        received: shown.amount_received.unwrap_or_default(),
        step: link_step::step(shown, attempt.step_expires_at, address, written),
    })
}

fn other_way(way: link::OtherWay) -> OtherWay {
    match way {
        link::OtherWay::Cancel => OtherWay::Cancel,
        link::OtherWay::After(moment) => OtherWay::After(moment.to_string()),
        link::OtherWay::Merchant => OtherWay::Merchant,
    }
}

/// Returns the name of the method that the payer approves, unless it is a card.
fn method(view: &LinkView, language: Language) -> Option<&'static str> {
    let kind = view.payment.instrument()?.payment_method_type?;
    method_name(kind.as_str(), language)
}

fn amount(view: &LinkView, minor: i64) -> Amount<'_> {
    let currency = view.money.currency;
    Amount {
        minor,
        decimals: currency.exponent(),
        currency: currency.as_str(),
    }
}

fn look(config: &LinkConfig) -> Look<'_> {
    let terms = config.custom_message_for_card_terms.as_deref();
    Look {
        theme: config.theme.as_deref(),
        logo: config.logo.as_deref(),
        background: config.background_colour.as_deref(),
        button: config.payment_button_colour.as_deref(),
        button_text_colour: config.payment_button_text_colour.as_deref(),
        button_text: config.payment_button_text.as_deref(),
        header: config.payment_form_header_text.as_deref(),
        terms: terms.filter(|_| config.show_card_terms != Some(CardTerms::Never)),
        form_only: config.display_sdk_only == Some(true),
        is_stacked: config.details_layout == Some(DetailsLayout::Over),
        button_when_ready: config.enable_button_only_on_form_ready == Some(true),
    }
}

/// Returns the items of the order, and the merchant's additions.
fn details(view: &LinkView, written: impl Fn(i64) -> String) -> Vec<Detail<'_>> {
    let items = view.payment.particulars.order_items.iter().flatten();
    let items = items.map(|item| {
        let each = written(item.amount);
        Detail {
            name: &item.product_name,
            value: match item.quantity {
                1 => each,
                quantity => format!("{quantity} × {each}"),
            },
            bold_name: false,
            bold_value: false,
        }
    });
    let added = added(view.config.transaction_details.as_deref());
    items.chain(added).collect()
}

fn added(details: Option<&[LinkDetail]>) -> impl Iterator<Item = Detail<'_>> {
    fn look(detail: &LinkDetail) -> DetailLook {
        detail.ui_configuration.clone().unwrap_or_default()
    }
    let mut details: Vec<&LinkDetail> = details.unwrap_or_default().iter().collect();
    details.sort_by_key(|detail| look(detail).position.unwrap_or(i32::MAX));
    details.into_iter().map(|detail| Detail {
        name: &detail.key,
        value: detail.value.clone(),
        bold_name: look(detail).is_key_bold == Some(true),
        bold_value: look(detail).is_value_bold == Some(true),
    })
}

fn way_back(destination: &payer::Destination) -> Option<WayBack<'_>> {
    match destination {
        payer::Destination::Redirect(address) => Some(WayBack::Link(address)),
        payer::Destination::Post { url, pairs } => Some(WayBack::Post {
            address: url,
            pairs,
        }),
        payer::Destination::Stay(_) => None,
    }
}
