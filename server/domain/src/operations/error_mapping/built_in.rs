//! Built-in mappings of connectors' error categories, which operators can override.

use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::advice::of_category;
use multirail_sdk::connector::{Decline, Description};

use super::{ErrorMapping, MappingKey, Said};

/// Returns the connector's built-in mapping for a code of its processor, for any message. `None` if the code alone is not
/// enough.
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
    let key = MappingKey::for_authorization(description.name, code, "");
    Some(ErrorMapping::create(key, said, Timestamp::EPOCH))
}
