//! What a mapping makes of one refusal, kept with it.

use super::{Decision, ErrorCategory, ErrorMapping, of_category};
use crate::connector::{Decline, DeclineCategory};
use crate::record_object::record_object;
use crate::unread::UnreadMembers;

record_object! {
    /// What a refusal came to when it was heard of. Later changes of the mapping leave it as it is.
    #[derive(Eq)]
    pub struct Advice {
        decision: super::Decision,
    } and maybe {
        step_up_possible: bool,
        error_category: ErrorCategory,
        /// In the place of the group's own.
        unified_code: String,
        unified_message: String,
        description: String,
        user_guidance_message: String,
    }
}

impl Advice {
    /// What is known of a connector's code by its category alone.
    pub fn of(category: DeclineCategory) -> Self {
        let (error_category, decision, steps_up) = of_category(category);
        Advice {
            decision,
            step_up_possible: steps_up.then_some(true),
            error_category: Some(error_category),
            unified_code: None,
            unified_message: None,
            description: None,
            user_guidance_message: None,
            unread: UnreadMembers::default(),
        }
    }

    /// Nothing is known, so nothing is tried.
    fn none() -> Self {
        Advice {
            decision: Decision::DoDefault,
            step_up_possible: None,
            error_category: None,
            unified_code: None,
            unified_message: None,
            description: None,
            user_guidance_message: None,
            unread: UnreadMembers::default(),
        }
    }
}

impl Decline {
    /// Keeps what the refusal comes to: what the operator says of it, else what its category says.
    pub fn mapped(&mut self, stored: Option<&ErrorMapping>) {
        let advice = match stored {
            Some(mapping) if mapping.is_deleted => Advice::none(),
            Some(mapping) => {
                let said = &mapping.said;
                self.category = said.standardised_code.or(self.category);
                Advice {
                    decision: said.decision,
                    step_up_possible: said.step_up_possible.then_some(true),
                    error_category: said.error_category,
                    unified_code: said.unified_code.clone(),
                    unified_message: said.unified_message.clone(),
                    description: said.description.clone(),
                    user_guidance_message: said.user_guidance_message.clone(),
                    unread: UnreadMembers::default(),
                }
            }
            None => self.category.map_or_else(Advice::none, Advice::of),
        };
        self.advice = Some(Box::new(advice));
    }

    /// The scheme or the processor says not to try this card again, or not with these data; no mapping overrules it.
    pub fn forbids_another_try(&self) -> bool {
        // Mastercard's new data, and the same of Stripe's.
        let wants_others = |word: &str| matches!(word, "01" | "confirm_card_data");
        self.forbids_the_card() || self.is_advised(wants_others)
    }

    /// The scheme or the processor says not to try this card again, whoever does.
    pub fn forbids_the_card(&self) -> bool {
        // Mastercard's never again, and that the payer has stopped it. Stripe's, in words.
        self.is_advised(|word| matches!(word, "03" | "21" | "do_not_try_again"))
    }

    fn is_advised(&self, is_meant: impl Fn(&str) -> bool) -> bool {
        let issuer = self.issuer.as_deref();
        let code = issuer.and_then(|issuer| issuer.advice_code.as_deref());
        let words = issuer.and_then(|issuer| issuer.advice_message.as_deref());
        [code, words]
            .into_iter()
            .flatten()
            .any(|word| is_meant(word.trim()))
    }
}
