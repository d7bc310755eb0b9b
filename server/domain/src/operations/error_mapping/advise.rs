//! The mapping of one refusal to advice.

use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::Decline;
use multirail_sdk::connector::advice::Advice;

use super::ErrorMapping;

/// Adds the advice to a refusal: from the operator's mapping, or else from the refusal's category.
pub fn advise(decline: &mut Decline, stored: Option<&ErrorMapping>) {
    let advice = match stored {
        Some(mapping) if mapping.is_deleted => Advice::none(),
        Some(mapping) => {
            let said = &mapping.said;
            decline.category = said.standardised_code.or(decline.category);
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
        None => decline
            .category
            .map_or_else(Advice::none, Advice::from_category),
    };
    decline.advice = Some(Box::new(advice));
}
