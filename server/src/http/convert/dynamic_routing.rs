//! What elimination goes by, wire to domain.

use multirail_domain::refusal::Refusal;
use multirail_domain::routing::elimination::{
    EliminationFeature, EliminationInput, EliminationParam,
};
use multirail_types as types;

/// # Errors
/// A number below 0, a word that the document doesn't have.
pub(crate) fn create(wire: types::EliminationRoutingConfig) -> Result<EliminationInput, Refusal> {
    let types::EliminationRoutingConfig {
        params,
        elimination_analyser_config,
        decision_engine_configs,
    } = wire;
    input(
        params,
        elimination_analyser_config,
        Some(decision_engine_configs),
    )
}

/// # Errors
/// As for [`create`].
pub(crate) fn update(
    wire: types::EliminationRoutingConfigUpdate,
) -> Result<EliminationInput, Refusal> {
    let types::EliminationRoutingConfigUpdate {
        params,
        elimination_analyser_config,
        decision_engine_configs,
    } = wire;
    input(params, elimination_analyser_config, decision_engine_configs)
}

/// # Errors
/// A word that the document doesn't have.
pub(crate) fn feature(wire: &types::EliminationFeature) -> Result<EliminationFeature, Refusal> {
    let expected = "metrics, dynamic_connector_selection or none";
    let read = wire.as_str().parse();
    read.map_err(|_| Refusal::invalid_format("enable", expected))
}

fn input(
    params: Option<Vec<types::EliminationParam>>,
    analyser: Option<types::EliminationAnalyserConfig>,
    decision: Option<types::EliminationDecisionConfig>,
) -> Result<EliminationInput, Refusal> {
    let read = |word: &types::EliminationParam| {
        let read = word.as_str().parse::<EliminationParam>();
        read.map_err(|_| Refusal::invalid_format("params", "words of the document"))
    };
    let params = params.map(|words| words.iter().map(read).collect::<Result<Vec<_>, _>>());
    let (size, leak) = match analyser {
        Some(given) => (given.bucket_size, given.bucket_leak_interval_in_secs),
        None => (None, None),
    };
    // What is below 0 is out of bounds like 0, and is named there.
    let count = |given: i64| u64::try_from(given).unwrap_or(0);
    Ok(EliminationInput {
        threshold: decision.map(|given| given.threshold),
        params: params.transpose()?,
        bucket_size: size.map(count),
        bucket_leak_interval_in_secs: leak.map(count),
    })
}
