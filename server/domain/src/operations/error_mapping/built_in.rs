//! What connectors' own categories come to where no operator says otherwise.

use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::advice::of_category;
use multirail_sdk::connector::{Decline, Description};

use super::{ErrorMapping, MappingKey, Said};

/// The mapping that the connector brings along for a code of its processor, whatever the words beside it. `None` where the
/// code alone says nothing.
pub fn built_in(description: &Description, code: &str) -> Option<ErrorMapping> {
    let category = (description.category_of)(code)?;
    let (error_category, decision, steps_up) = of_category(category);
    let decline = Decline {
        category: Some(category),
        ..Decline::default()
    };
    let group = decline.group();
    let said = Said {
        status: "failure".to_owned(),
        decision,
        step_up_possible: steps_up,
        router_error: None,
        error_category: Some(error_category),
        unified_code: Some(group.code().to_owned()),
        unified_message: Some(group.payment_message().to_owned()),
        standardised_code: Some(category),
        description: None,
        user_guidance_message: category.guidance().map(str::to_owned),
        unread: UnreadMembers::default(),
    };
    let key = MappingKey::of(description.name, code, "");
    Some(ErrorMapping::create(key, said, Timestamp::EPOCH))
}
