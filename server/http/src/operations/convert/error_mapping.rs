//! Error mappings, wire to domain and back.

use multirail_domain::operations::error_mapping::{ErrorMapping, MappingKey, MappingUpdate, Said};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::DeclineCategory;
use multirail_sdk::connector::advice::{Decision, ErrorCategory};
use multirail_types as types;

use crate::platform::convert::words::{ToDomain, ToWire};

/// Converts a request to create an error mapping.
///
/// # Errors
///
/// A mapping that would need network tokens; a `feature` that contradicts the other members.
pub(crate) fn create(
    wire: types::ErrorMappingCreateRequest,
) -> Result<(MappingKey, Said), Refusal> {
    let types::ErrorMappingCreateRequest {
        connector,
        flow,
        sub_flow,
        code,
        message,
        status,
        router_error,
        decision,
        step_up_possible,
        clear_pan_possible,
        unified_code,
        unified_message,
        error_category,
        standardised_code,
        description,
        user_guidance_message,
        // The feature has only one word.
        feature: _,
        feature_data,
    } = wire;
    let decision = word(&decision)?;
    check_pan(Some(clear_pan_possible))?;
    check_feature(
        feature_data.as_ref(),
        Some(decision),
        Some(step_up_possible),
    )?;
    let key = key(types::ErrorMappingKey {
        connector,
        flow,
        sub_flow,
        code,
        message,
    });
    let said = Said {
        status,
        decision,
        step_up_possible,
        router_error,
        error_category: error_category.as_ref().map(category).transpose()?,
        unified_code,
        unified_message,
        standardised_code: standardised_code.as_ref().map(standard).transpose()?,
        description,
        user_guidance_message,
        unread: UnreadMembers::default(),
    };
    Ok((key, said))
}

/// Converts a request to update an error mapping.
///
/// # Errors
///
/// As for [`create`].
pub(crate) fn update(
    wire: types::ErrorMappingUpdateRequest,
) -> Result<(MappingKey, MappingUpdate), Refusal> {
    let types::ErrorMappingUpdateRequest {
        connector,
        flow,
        sub_flow,
        code,
        message,
        status,
        router_error,
        decision,
        step_up_possible,
        clear_pan_possible,
        unified_code,
        unified_message,
        error_category,
        standardised_code,
        description,
        user_guidance_message,
        // The feature has only one word.
        feature: _,
        feature_data,
    } = wire;
    let retry = feature_data.as_ref().map(|data| &data.retry);
    check_pan(clear_pan_possible)?;
    let decision = decision.as_ref().map(word).transpose()?;
    check_feature(feature_data.as_ref(), decision, step_up_possible)?;
    let of_feature = retry.map(|retry| word(&retry.decision)).transpose()?;
    let steps_up = step_up_possible;
    let update = MappingUpdate {
        status,
        decision: decision.or(of_feature),
        step_up_possible: steps_up.or(retry.map(|retry| retry.step_up_possible)),
        router_error,
        error_category: error_category.as_ref().map(category).transpose()?,
        unified_code,
        unified_message,
        standardised_code: standardised_code.as_ref().map(standard).transpose()?,
        description,
        user_guidance_message,
    };
    let key = key(types::ErrorMappingKey {
        connector,
        flow,
        sub_flow,
        code,
        message,
    });
    Ok((key, update))
}

/// Reads the key of a mapping.
pub(crate) fn key(wire: types::ErrorMappingKey) -> MappingKey {
    let types::ErrorMappingKey {
        connector,
        flow,
        sub_flow,
        code,
        message,
    } = wire;
    MappingKey {
        connector: connector.as_str().to_owned(),
        flow: flow.as_str().to_owned(),
        sub_flow: sub_flow.as_str().to_owned(),
        code,
        message,
    }
}

/// Returns the record.
pub(crate) fn answer(mapping: &ErrorMapping) -> types::ErrorMapping {
    let ErrorMapping { key, said, .. } = mapping;
    let decision = said.decision.to_wire();
    types::ErrorMapping {
        connector: types::ConnectorName::from(key.connector.as_str()),
        flow: types::ErrorMappingFlow::from(key.flow.as_str()),
        sub_flow: types::ErrorMappingSubFlow::from(key.sub_flow.as_str()),
        code: key.code.clone(),
        message: key.message.clone(),
        status: said.status.clone(),
        router_error: said.router_error.clone(),
        decision: decision.clone(),
        step_up_possible: said.step_up_possible,
        clear_pan_possible: false,
        unified_code: said.unified_code.clone(),
        unified_message: said.unified_message.clone(),
        error_category: said.error_category.map(|category| category.to_wire()),
        standardised_code: said.standardised_code.map(|code| code.to_wire()),
        description: said.description.clone(),
        user_guidance_message: said.user_guidance_message.clone(),
        feature: types::ErrorMappingFeature::Retry,
        feature_data: types::ErrorMappingFeatureData {
            retry: types::ErrorMappingRetry {
                step_up_possible: said.step_up_possible,
                clear_pan_possible: false,
                alternate_network_possible: false,
                decision,
            },
        },
    }
}

fn check_pan(clear_pan_possible: Option<bool>) -> Result<(), Refusal> {
    if clear_pan_possible == Some(true) {
        return Err(not_built("clear_pan_possible"));
    }
    Ok(())
}

/// Checks that the form of the feature agrees with the other members.
fn check_feature(
    data: Option<&types::ErrorMappingFeatureData>,
    decision: Option<Decision>,
    steps_up: Option<bool>,
) -> Result<(), Refusal> {
    let Some(types::ErrorMappingFeatureData { retry }) = data else {
        return Ok(());
    };
    let types::ErrorMappingRetry {
        step_up_possible,
        clear_pan_possible,
        alternate_network_possible,
        decision: of_feature,
    } = retry;
    if *clear_pan_possible {
        return Err(not_built("feature_data.retry.clear_pan_possible"));
    }
    if *alternate_network_possible {
        return Err(not_built("feature_data.retry.alternate_network_possible"));
    }
    let is_other = |member| {
        let message = format!("feature_data.retry.{member} is not what {member} says");
        Err(Refusal::invalid_value(message))
    };
    if decision.is_some_and(|decision| Some(decision) != of_feature.to_domain()) {
        return is_other("decision");
    }
    if steps_up.is_some_and(|steps_up| steps_up != *step_up_possible) {
        return is_other("step_up_possible");
    }
    Ok(())
}

fn not_built(member: &str) -> Refusal {
    let flow = format!("an error mapping with {member}");
    Refusal::FlowNotSupported { flow }
}

fn word(wire: &types::ErrorMappingDecision) -> Result<Decision, Refusal> {
    let read = wire.to_domain();
    read.ok_or_else(|| Refusal::invalid_format("decision", "retry or do_default"))
}

fn category(wire: &types::ErrorCategory) -> Result<ErrorCategory, Refusal> {
    let read = wire.to_domain();
    read.ok_or_else(|| {
        Refusal::invalid_format("error_category", "one of the words of the document")
    })
}

fn standard(wire: &types::StandardisedErrorCode) -> Result<DeclineCategory, Refusal> {
    let read = wire.to_domain();
    let expected = "one of the words of the document";
    read.ok_or_else(|| Refusal::invalid_format("standardised_code", expected))
}
