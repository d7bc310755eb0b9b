//! Dynamic routing, wire to domain and back.

use multirail_app::routing::{DynamicRouting, EliminationStanding, RoutingSplit};
use multirail_domain::routing::elimination::EliminationInput;
use multirail_domain::routing::success_based::SuccessBasedInput;
use multirail_domain::routing::{DynamicFeature, DynamicInput, DynamicParam};
use multirail_kernel::refusal::Refusal;
use multirail_types as types;

use crate::platform::convert::words::{ToDomain, ToWire};

/// Reads a new elimination.
///
/// # Errors
///
/// A word that the document lacks.
pub(crate) fn new_elimination(
    wire: types::EliminationRoutingConfig,
) -> Result<DynamicInput, Refusal> {
    let types::EliminationRoutingConfig {
        params,
        elimination_analyser_config,
        decision_engine_configs,
    } = wire;
    elimination(
        params,
        elimination_analyser_config,
        Some(decision_engine_configs),
    )
}

/// Reads a change of an elimination.
///
/// # Errors
///
/// As for [`new_elimination`].
pub(crate) fn elimination_update(
    wire: types::EliminationRoutingConfigUpdate,
) -> Result<DynamicInput, Refusal> {
    let types::EliminationRoutingConfigUpdate {
        params,
        elimination_analyser_config,
        decision_engine_configs,
    } = wire;
    elimination(params, elimination_analyser_config, decision_engine_configs)
}

fn elimination(
    params: Option<Vec<types::DynamicRoutingParam>>,
    analyser: Option<types::EliminationAnalyserConfig>,
    decision: Option<types::EliminationDecisionConfig>,
) -> Result<DynamicInput, Refusal> {
    let (size, leak) = match analyser {
        Some(types::EliminationAnalyserConfig {
            bucket_size,
            bucket_leak_interval_in_secs,
        }) => (bucket_size, bucket_leak_interval_in_secs),
        None => (None, None),
    };
    Ok(DynamicInput::Elimination(EliminationInput {
        threshold: decision.map(|types::EliminationDecisionConfig { threshold }| threshold),
        params: self::params(params)?,
        bucket_size: size.map(count),
        bucket_leak_interval_in_secs: leak.map(count),
    }))
}

/// Reads a success-based configuration.
///
/// # Errors
///
/// A word that the document lacks; a member that isn't built.
pub(crate) fn success_based(
    wire: types::SuccessBasedRoutingConfig,
) -> Result<DynamicInput, Refusal> {
    let types::SuccessBasedRoutingConfig {
        params,
        config,
        decision_engine_configs,
    } = wire;
    if decision_engine_configs.is_some() {
        return Err(not_built("decision_engine_configs"));
    }
    let mut input = SuccessBasedInput {
        params: self::params(params)?,
        ..SuccessBasedInput::default()
    };
    let Some(config) = config else {
        return Ok(DynamicInput::SuccessBased(input));
    };
    let types::SuccessBasedRoutingConfigBody {
        min_aggregates_size,
        default_success_rate,
        max_aggregates_size,
        current_block_threshold,
        specificity_level,
        exploration_percent,
    } = config;
    if specificity_level.is_some_and(|level| level != types::SuccessRateSpecificityLevel::Merchant)
    {
        return Err(not_built("config.specificity_level global"));
    }
    let (minutes, most) = match current_block_threshold {
        Some(types::CurrentBlockThreshold {
            duration_in_mins,
            max_total_count,
        }) => (duration_in_mins, max_total_count),
        None => (None, None),
    };
    if most.is_some() {
        return Err(not_built("config.current_block_threshold.max_total_count"));
    }
    input.min_aggregates_size = min_aggregates_size.map(count);
    input.default_success_rate = default_success_rate;
    input.max_aggregates_size = max_aggregates_size.map(count);
    input.block_minutes = minutes.map(count);
    input.exploration_percent = exploration_percent;
    Ok(DynamicInput::SuccessBased(input))
}

/// Reads the use of a kind.
///
/// # Errors
///
/// A word that the document lacks.
pub(crate) fn feature(wire: &types::DynamicRoutingFeature) -> Result<DynamicFeature, Refusal> {
    let expected = "metrics, dynamic_connector_selection or none";
    wire.to_domain()
        .ok_or_else(|| Refusal::invalid_format("enable", expected))
}

/// Reads a share. A negative number becomes one above 100, which the use case refuses.
pub(crate) fn share(wire: i64) -> u64 {
    u64::try_from(wire).unwrap_or(u64::MAX)
}

/// Returns the share of payments that dynamic routing decides.
pub(crate) fn split(of: &RoutingSplit) -> types::DynamicRoutingSplit {
    types::DynamicRoutingSplit {
        routing_type: types::RoutingAlgorithmKind::Dynamic,
        split: i64::from(of.split),
    }
}

/// Returns the dynamic routing of a profile, and its counts.
pub(crate) fn standing(found: &DynamicRouting) -> types::DynamicRouting {
    let success_based = found.success_based.as_ref();
    types::DynamicRouting {
        profile_id: found.split.profile_id.to_string(),
        split: i64::from(found.split.split),
        elimination: found.elimination.as_ref().map(elimination_standing),
        success_based: success_based.map(|known| types::SuccessBasedStanding {
            id: known.routing_id.to_string(),
            enable: known.feature.to_wire(),
        }),
    }
}

fn elimination_standing(found: &EliminationStanding) -> types::EliminationStanding {
    let EliminationStanding {
        known,
        config,
        standing,
        now,
    } = found;
    let buckets = standing.buckets.iter().map(|one| types::EliminationBucket {
        merchant_connector_id: one.account.to_string(),
        parameters: one.parameters.clone(),
        error_category: one.category.clone(),
        drops: wire_count(one.bucket.drops(*now, config)),
        is_full: one.bucket.is_full(*now, config),
    });
    let counts = standing.outcomes.iter().map(|one| types::EliminationCount {
        merchant_connector_id: one.account.to_string(),
        parameters: one.parameters.clone(),
        decided: one.decided,
        approved: one.approved,
    });
    let params = config.params.iter();
    types::EliminationStanding {
        id: known.routing_id.to_string(),
        enable: known.feature.to_wire(),
        params: params.map(|param| param.to_wire()).collect(),
        bucket_size: wire_count(config.bucket_size),
        bucket_leak_interval_in_secs: wire_count(config.bucket_leak_interval_in_secs),
        threshold: config.threshold,
        buckets: buckets.collect(),
        counts: counts.collect(),
    }
}

fn wire_count(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn params(
    params: Option<Vec<types::DynamicRoutingParam>>,
) -> Result<Option<Vec<DynamicParam>>, Refusal> {
    let read = |word: &types::DynamicRoutingParam| {
        let read = word.to_domain();
        read.ok_or_else(|| Refusal::invalid_format("params", "words of the document"))
    };
    let params = params.map(|words| words.iter().map(read).collect());
    params.transpose()
}

/// Reads a number. A negative one becomes 0, which the use case refuses by name.
fn count(given: i64) -> u64 {
    u64::try_from(given).unwrap_or(0)
}

fn not_built(member: &str) -> Refusal {
    Refusal::FlowNotSupported {
        flow: member.to_owned(),
    }
}
