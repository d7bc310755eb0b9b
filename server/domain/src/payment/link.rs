//! The hosted page where a payer can pay: how the merchant wants it, and whether it takes a payment now.

use crate::payment::{Payment, PaymentStatus};
use crate::record_object::record_object;
use crate::refusal::Refusal;
use crate::timestamp::Timestamp;
use crate::web_address::check_web_address;
use crate::words::words;

words! {
    /// Where what is paid for stands on wide screens.
    pub enum DetailsLayout {
        Beside = "layout1",
        Over = "layout2",
    }
}

words! {
    /// When the text under the card's fields is shown.
    pub enum CardTerms {
        Always = "always",
        Auto = "auto",
        Never = "never",
    }
}

words! {
    /// Where the labels of fields stand.
    pub enum FormLabels {
        Above = "above",
    }
}

record_object! {
    /// How a line of what is paid for is shown.
    #[derive(Default, Eq)]
    pub struct DetailLook {
    } and maybe {
        position: i32,
        is_key_bold: bool,
        is_value_bold: bool,
    }
}

record_object! {
    /// A line of what is paid for.
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
        /// Leaves out what is paid for.
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
        /// A payer who has paid goes straight on to the return address.
        skip_status_screen: bool,
        enable_button_only_on_form_ready: bool,
        /// The page never asks for a nickname.
        hide_card_nickname_field: bool,
        /// The page always shows the form.
        show_card_form_by_default: bool,
        payment_form_label_type: FormLabels,
    }
}

/// Puts every member that `$over` says in the place of the same member of `$under`.
macro_rules! laid_over {
    ($over:ident over $under:ident: $($member:ident)+) => {
        LinkConfig {
            $($member: $over.$member.or($under.$member),)+
            unread: $over.unread,
        }
    };
}

impl LinkConfig {
    /// This look, and the other one where this says nothing.
    #[must_use]
    pub fn over(self, under: LinkConfig) -> LinkConfig {
        laid_over!(self over under:
            theme logo seller_name display_sdk_only details_layout transaction_details payment_button_text
            payment_button_colour payment_button_text_colour background_colour payment_form_header_text
            custom_message_for_card_terms show_card_terms skip_status_screen enable_button_only_on_form_ready
            hide_card_nickname_field show_card_form_by_default payment_form_label_type)
    }

    /// # Errors
    /// A logo whose address can't be read.
    pub fn check(&self) -> Result<(), Refusal> {
        match &self.logo {
            Some(logo) => check_web_address("payment_link_config.logo", logo),
            None => Ok(()),
        }
    }
}

/// Whether the page takes a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkTurn {
    /// It does.
    First,
    /// It does, although a try has failed.
    Again,
    /// The payment waits for a payer, but no longer.
    Late,
    /// The payment doesn't wait for an instrument.
    No,
}

impl Payment {
    /// Whether the payment has a page.
    pub fn has_link(&self) -> bool {
        self.particulars.payment_link == Some(true)
    }

    /// Returns whether another card may be tried after a refusal. The profile's word counts; without one it may for a payment with a
    /// page, whose payer has no shop to go back to.
    pub fn is_manual_retry_enabled(&self, profile: Option<bool>) -> bool {
        profile.unwrap_or_else(|| self.has_link())
    }

    /// Whether a payer may give an instrument now: as a confirm by his client would be judged.
    pub fn link_turn(&self, manual_retry_enabled: bool, now: Timestamp) -> LinkTurn {
        let is_late = now > self.expires_at;
        match self.status {
            PaymentStatus::RequiresPaymentMethod | PaymentStatus::RequiresConfirmation => {
                if is_late {
                    LinkTurn::Late
                } else {
                    LinkTurn::First
                }
            }
            PaymentStatus::Failed => {
                if !is_late && self.check_retry(manual_retry_enabled, now).is_ok() {
                    LinkTurn::Again
                } else {
                    LinkTurn::No
                }
            }
            PaymentStatus::RequiresCustomerAction
            | PaymentStatus::RequiresMerchantAction
            | PaymentStatus::Processing
            | PaymentStatus::RequiresCapture
            | PaymentStatus::PartiallyAuthorizedAndRequiresCapture
            | PaymentStatus::PartiallyCapturedAndCapturable
            | PaymentStatus::PartiallyCapturedAndProcessing
            | PaymentStatus::Succeeded
            | PaymentStatus::PartiallyCaptured
            | PaymentStatus::Cancelled
            | PaymentStatus::CancelledPostCapture
            | PaymentStatus::Conflicted
            | PaymentStatus::Expired => LinkTurn::No,
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
