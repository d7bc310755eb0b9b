//! The look of hosted payment pages: of a profile's links, or of one payment's.

use multirail_kernel::record_object::record_object;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::web_address::check_web_address;
use multirail_kernel::words::words;

words! {
    /// The place of the order's details on wide screens.
    pub enum DetailsLayout {
        Beside = "layout1",
        Over = "layout2",
    }
}

words! {
    /// The visibility of the text under the card fields.
    pub enum CardTerms {
        Always = "always",
        Auto = "auto",
        Never = "never",
    }
}

words! {
    /// The place of the labels of fields.
    pub enum FormLabels {
        Above = "above",
    }
}

words! {
    /// Members of `payment_link_config` that ask for a page that isn't built. They are refused, never ignored.
    pub enum UnbuiltLook {
        SavedMethods = "payment_link_config.enabled_saved_payment_method",
        Mandate = "payment_link_config.is_setup_mandate_flow",
        BackgroundImage = "payment_link_config.background_image",
        FormRules = "payment_link_config.sdk_ui_rules",
        PageRules = "payment_link_config.payment_link_ui_rules",
        Layout = "payment_link_config.sdk_layout",
        HiddenForm = "payment_link_config.show_card_form_by_default `false`",
        Labels = "payment_link_config.payment_form_label_type other than `above`",
        IconColour = "payment_link_config.color_icon_card_cvc_error",
    }
}

record_object! {
    /// The look of one line of the order's details.
    #[derive(Default, Eq)]
    pub struct DetailLook {
    } and maybe {
        position: i32,
        is_key_bold: bool,
        is_value_bold: bool,
    }
}

record_object! {
    /// One line of the order's details.
    #[derive(Eq)]
    pub struct LinkDetail {
        key: String,
        value: String,
    } and maybe {
        ui_configuration: DetailLook,
    }
}

record_object! {
    /// The look of the page. Colours are `#RGB` or `#RRGGBB`.
    #[derive(Default, Eq)]
    pub struct LinkConfig {
    } and maybe {
        theme: String,
        /// An https address.
        logo: String,
        seller_name: String,
        /// Hides the order's details.
        display_sdk_only: bool,
        details_layout: DetailsLayout,
        transaction_details: Vec<LinkDetail>,
        payment_button_text: String,
        payment_button_colour: String,
        payment_button_text_colour: String,
        background_colour: String,
        payment_form_header_text: String,
        custom_message_for_card_terms: String,
        show_card_terms: CardTerms,
        /// Sends a payer who has paid to the return address at once.
        skip_status_screen: bool,
        enable_button_only_on_form_ready: bool,
        /// The page never asks for a nickname.
        hide_card_nickname_field: bool,
        /// The page always shows the form.
        show_card_form_by_default: bool,
        payment_form_label_type: FormLabels,
    }
}

/// Takes each member from `$over`, or from `$under` where `$over` has none.
macro_rules! laid_over {
    ($over:ident over $under:ident: $($member:ident)+) => {
        LinkConfig {
            $($member: $over.$member.or($under.$member),)+
            unread: $over.unread,
        }
    };
}

impl LinkConfig {
    /// Returns this look, completed with members of `under`.
    #[must_use]
    pub fn over(self, under: LinkConfig) -> LinkConfig {
        laid_over!(self over under:
            theme logo seller_name display_sdk_only details_layout transaction_details payment_button_text
            payment_button_colour payment_button_text_colour background_colour payment_form_header_text
            custom_message_for_card_terms show_card_terms skip_status_screen enable_button_only_on_form_ready
            hide_card_nickname_field show_card_form_by_default payment_form_label_type)
    }

    /// Checks the address of the logo.
    ///
    /// # Errors
    /// A refusal for a logo whose address can't be read.
    pub fn check(&self) -> Result<(), Refusal> {
        match &self.logo {
            Some(logo) => check_web_address("payment_link_config.logo", logo),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payments_look_wins_over_its_profiles() {
        let text = |text: &str| Some(text.to_owned());
        let profile = LinkConfig {
            theme: text("#111111"),
            seller_name: text("Books"),
            skip_status_screen: Some(true),
            ..LinkConfig::default()
        };
        let payment = LinkConfig {
            theme: text("#222222"),
            skip_status_screen: Some(false),
            ..LinkConfig::default()
        };
        let shown = payment.over(profile);
        assert_eq!(shown.theme.as_deref(), Some("#222222"));
        assert_eq!(shown.seller_name.as_deref(), Some("Books"));
        assert_eq!(shown.skip_status_screen, Some(false));
    }

    #[test]
    fn a_logo_has_an_address_that_can_be_read() {
        let logo = |address: &str| {
            let logo = Some(address.to_owned());
            LinkConfig {
                logo,
                ..LinkConfig::default()
            }
        };
        assert_eq!(logo("https://cdn.example/logo.png").check(), Ok(()));
        let refusal = logo("https://cdn.example;*/").check();
        let refusal = refusal.expect_err("a refusal").to_string();
        assert!(refusal.contains("payment_link_config.logo"), "{refusal}");
    }
}
