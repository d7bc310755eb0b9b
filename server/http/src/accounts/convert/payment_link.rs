//! The look of hosted payment pages, wire to domain and back.

use multirail_domain::accounts::profile::link_look::{
    DetailLook, FormLabels, LinkConfig, LinkDetail, UnbuiltLook,
};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::unread::UnreadMembers;
use multirail_types as types;

use crate::platform::convert::asks;
use crate::platform::convert::words::{ToWire, maybe_word};

/// The look, and the first requested member that isn't built.
#[derive(Default)]
pub struct LinkInput {
    pub config: Option<Box<LinkConfig>>,
    pub unbuilt: Option<UnbuiltLook>,
}

/// Reads a look.
///
/// # Errors
///
/// A word that this version doesn't know.
pub fn input(wire: Option<Box<types::PaymentLinkConfig>>) -> Result<LinkInput, Refusal> {
    let Some(wire) = wire else {
        return Ok(LinkInput::default());
    };
    let types::PaymentLinkConfig {
        theme,
        logo,
        seller_name,
        display_sdk_only,
        details_layout,
        transaction_details,
        payment_button_text,
        payment_button_colour,
        payment_button_text_colour,
        background_colour,
        payment_form_header_text,
        custom_message_for_card_terms,
        show_card_terms,
        skip_status_screen,
        enable_button_only_on_form_ready,
        sdk_layout,
        hide_card_nickname_field,
        show_card_form_by_default,
        payment_form_label_type,
        color_icon_card_cvc_error,
        enabled_saved_payment_method,
        is_setup_mandate_flow,
        background_image,
        sdk_ui_rules,
        payment_link_ui_rules,
    } = *wire;
    let says = |text: Option<String>| text.is_some_and(|text| !text.is_empty());
    let labels = payment_form_label_type.map(form_labels);
    let asked = [
        (
            enabled_saved_payment_method == Some(true),
            UnbuiltLook::SavedMethods,
        ),
        (is_setup_mandate_flow == Some(true), UnbuiltLook::Mandate),
        (
            asks(background_image.as_ref()),
            UnbuiltLook::BackgroundImage,
        ),
        (asks(sdk_ui_rules.as_ref()), UnbuiltLook::FormRules),
        (asks(payment_link_ui_rules.as_ref()), UnbuiltLook::PageRules),
        (says(sdk_layout), UnbuiltLook::Layout),
        (
            show_card_form_by_default == Some(false),
            UnbuiltLook::HiddenForm,
        ),
        (labels == Some(None), UnbuiltLook::Labels),
        (says(color_icon_card_cvc_error), UnbuiltLook::IconColour),
    ];
    let unbuilt = asked.into_iter().find(|(asked, _)| *asked);
    let config = LinkConfig {
        theme,
        logo,
        seller_name,
        display_sdk_only,
        details_layout: maybe_word(details_layout, "payment_link_config.details_layout")?,
        transaction_details: transaction_details
            .map(|details| details.into_iter().map(detail).collect()),
        payment_button_text,
        payment_button_colour,
        payment_button_text_colour,
        background_colour,
        payment_form_header_text,
        custom_message_for_card_terms,
        show_card_terms: maybe_word(show_card_terms, "payment_link_config.show_card_terms")?,
        skip_status_screen,
        enable_button_only_on_form_ready,
        hide_card_nickname_field,
        show_card_form_by_default,
        payment_form_label_type: labels.flatten(),
        unread: UnreadMembers::default(),
    };
    Ok(LinkInput {
        config: Some(Box::new(config)),
        unbuilt: unbuilt.map(|(_, member)| member),
    })
}

/// Reads the look that a profile gives its payments.
///
/// # Errors
/// As [`input`], and a member that isn't built.
pub fn looks(
    wire: Option<Box<types::PaymentLinkConfig>>,
) -> Result<Option<Box<LinkConfig>>, Refusal> {
    let LinkInput { config, unbuilt } = input(wire)?;
    match unbuilt {
        Some(member) => Err(Refusal::FlowNotSupported {
            flow: member.to_string(),
        }),
        None => Ok(config),
    }
}

/// Returns a profile's look.
pub fn answer(config: &LinkConfig) -> Box<types::PaymentLinkConfig> {
    let config = config.clone();
    Box::new(types::PaymentLinkConfig {
        theme: config.theme,
        logo: config.logo,
        seller_name: config.seller_name,
        display_sdk_only: config.display_sdk_only,
        details_layout: config.details_layout.map(|word| word.to_wire()),
        transaction_details: config
            .transaction_details
            .map(|details| details.into_iter().map(detail_answer).collect()),
        payment_button_text: config.payment_button_text,
        payment_button_colour: config.payment_button_colour,
        payment_button_text_colour: config.payment_button_text_colour,
        background_colour: config.background_colour,
        payment_form_header_text: config.payment_form_header_text,
        custom_message_for_card_terms: config.custom_message_for_card_terms,
        show_card_terms: config.show_card_terms.map(|word| word.to_wire()),
        skip_status_screen: config.skip_status_screen,
        enable_button_only_on_form_ready: config.enable_button_only_on_form_ready,
        sdk_layout: None,
        hide_card_nickname_field: config.hide_card_nickname_field,
        show_card_form_by_default: config.show_card_form_by_default,
        payment_form_label_type: config.payment_form_label_type.map(|word| word.to_wire()),
        color_icon_card_cvc_error: None,
        enabled_saved_payment_method: None,
        is_setup_mandate_flow: None,
        background_image: None,
        sdk_ui_rules: None,
        payment_link_ui_rules: None,
    })
}

fn detail(detail: types::PaymentLinkTransactionDetails) -> LinkDetail {
    let types::PaymentLinkTransactionDetails {
        key,
        value,
        ui_configuration,
    } = detail;
    LinkDetail {
        key,
        value,
        ui_configuration: ui_configuration.map(detail_look),
        unread: UnreadMembers::default(),
    }
}

fn detail_look(look: types::PaymentLinkTransactionDetailsLook) -> DetailLook {
    let types::PaymentLinkTransactionDetailsLook {
        position,
        is_key_bold,
        is_value_bold,
    } = look;
    DetailLook {
        position,
        is_key_bold,
        is_value_bold,
        unread: UnreadMembers::default(),
    }
}

fn detail_answer(detail: LinkDetail) -> types::PaymentLinkTransactionDetails {
    types::PaymentLinkTransactionDetails {
        key: detail.key,
        value: detail.value,
        ui_configuration: detail.ui_configuration.map(|look| {
            types::PaymentLinkTransactionDetailsLook {
                position: look.position,
                is_key_bold: look.is_key_bold,
                is_value_bold: look.is_value_bold,
            }
        }),
    }
}

/// Returns the payment form's layout of labels; `None` for other layouts.
fn form_labels(labels: types::PaymentLinkLabels) -> Option<FormLabels> {
    match labels {
        types::PaymentLinkLabels::Above => Some(FormLabels::Above),
        types::PaymentLinkLabels::Floating
        | types::PaymentLinkLabels::Never
        | types::PaymentLinkLabels::Unknown(_) => None,
    }
}
