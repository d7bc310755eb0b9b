//! Routing configurations, wire to domain and back. (Specification 2.4, 4.13; facts 7.10)

pub mod dynamic_routing;
pub mod estimate;
pub mod evaluation;
pub(crate) mod words;

use multirail_api::routing::{RoutingActiveQuery, RoutingListQuery};
use multirail_app::routing::{
    ActiveRouting, CreateRouting, DefaultRouting, ListRouting, RoutingPage,
};
use multirail_domain::routing::{
    Algorithm, Choice, DynamicTrace, NewRouting, RoutingRecord, RoutingTrace, StraightThrough,
    ThreeDsDecided, TransactionType,
};
use multirail_kernel::ids::{ConnectorAccountId, MerchantId, ProfileId};
use multirail_kernel::refusal::Refusal;
use multirail_types as types;
use serde_json::Value;

use crate::platform::convert::id;
use crate::platform::convert::words::{ToDomain, ToWire, word};

/// Converts a request to create a routing configuration.
///
/// # Errors
/// An invalid member of the algorithm, named by its full path; an invalid id.
pub fn create(request: types::RoutingCreateRequest) -> Result<CreateRouting, Refusal> {
    let types::RoutingCreateRequest {
        name,
        description,
        algorithm,
        profile_id,
        transaction_type,
    } = request;
    Ok(CreateRouting {
        profile_id: profile(&profile_id)?,
        routing: NewRouting {
            name,
            description,
            algorithm: given_algorithm(algorithm)?,
            transaction_type: transaction_type.as_ref().and_then(known_type),
        },
    })
}

fn given_algorithm(given: types::RoutingAlgorithmRequest) -> Result<Algorithm, Refusal> {
    let types::RoutingAlgorithmRequest { type_, data } = given;
    Algorithm::read(word(&type_, "algorithm.type")?, &data)
}

/// Reads the query of the list.
///
/// # Errors
/// An invalid id.
pub fn list(query: RoutingListQuery) -> Result<ListRouting, Refusal> {
    let RoutingListQuery {
        limit,
        offset,
        profile_id,
        transaction_type,
    } = query;
    Ok(ListRouting {
        profile_id: id(profile_id, "profile_id", ProfileId::parse)?,
        transaction_type: read_transaction_type(transaction_type),
        limit: limit.map(i64::from),
        offset: offset.map(i64::from),
    })
}

/// Reads the transaction type that the caller expects of a configuration.
pub fn activate(request: types::RoutingActivateRequest) -> Option<TransactionType> {
    let types::RoutingActivateRequest { transaction_type } = request;
    transaction_type.as_ref().and_then(known_type)
}

/// Reads the profile and the transaction type.
///
/// # Errors
/// An invalid id.
pub fn deactivate(
    request: types::RoutingDeactivateRequest,
) -> Result<(ProfileId, TransactionType), Refusal> {
    let types::RoutingDeactivateRequest {
        profile_id,
        transaction_type: of,
    } = request;
    Ok((profile(&profile_id)?, read_transaction_type(of)))
}

/// Reads the profile, if one is named, and the transaction type.
///
/// # Errors
/// An invalid id.
pub fn active_query(
    query: RoutingActiveQuery,
) -> Result<(Option<ProfileId>, TransactionType), Refusal> {
    let RoutingActiveQuery {
        profile_id,
        transaction_type,
    } = query;
    let profile_id = id(profile_id, "profile_id", ProfileId::parse)?;
    Ok((profile_id, read_transaction_type(transaction_type)))
}

/// Reads the transaction type; payments by default.
pub fn read_transaction_type(given: Option<types::TransactionType>) -> TransactionType {
    let given = given.as_ref().and_then(known_type);
    given.unwrap_or(TransactionType::Payment)
}

/// Reads an order of accounts.
///
/// # Errors
/// An invalid id.
pub fn reorder(request: types::RoutingDefaultRequest) -> Result<Vec<Choice>, Refusal> {
    let types::RoutingDefaultRequest { connectors } = request;
    let connectors = connectors.into_iter().enumerate();
    connectors
        .map(|(place, one)| {
            let types::RoutableConnectorRequest {
                connector,
                merchant_connector_id,
            } = one;
            let member = format!("connectors[{place}].merchant_connector_id");
            Ok(Choice {
                connector: connector.as_str().to_owned(),
                merchant_connector_id: id(
                    merchant_connector_id,
                    &member,
                    ConnectorAccountId::parse,
                )?,
            })
        })
        .collect()
}

/// Reads the accounts that a payment itself names.
///
/// # Errors
/// An invalid member, named by its full path.
pub(crate) fn straight_through(given: types::RoutingRequest) -> Result<StraightThrough, Refusal> {
    let types::RoutingRequest { type_, data } = given;
    StraightThrough::read(word(&type_, "routing.type")?, &data)
}

/// Returns why routing chose an attempt's account.
pub fn trace(of: &RoutingTrace, three_ds: Option<&ThreeDsDecided>) -> types::PaymentRouting {
    let candidates = of.candidates.iter();
    types::PaymentRouting {
        routed_by: of.by.to_wire(),
        routing_id: of.routing_id.as_ref().map(ToString::to_string),
        kind: of.kind.map(|kind| kind.to_wire()),
        rule: of.rule.clone(),
        expected_cost: of.chosen().and_then(|one| one.expected_cost),
        candidates: candidates
            .map(|one| types::RoutingCandidate {
                connector: types::ConnectorName::from(one.connector.as_str()),
                merchant_connector_id: one.merchant_connector_id.to_string(),
                dropped_because: one.dropped.map(|reason| reason.to_wire()),
                moved_because: one.moved.map(|reason| reason.to_wire()),
                expected_cost: one.expected_cost,
                success_rate_basis_points: one.success_rate.map(i64::from),
            })
            .collect(),
        dynamic: of.dynamic.as_ref().map(dynamic_trace),
        three_ds: three_ds.map(three_ds_decision),
    }
}

fn dynamic_trace(of: &DynamicTrace) -> types::PaymentDynamicRouting {
    types::PaymentDynamicRouting {
        applies: of.applies,
        success_based_routing_id: of.success_based.as_ref().map(ToString::to_string),
        explored_merchant_connector_id: of.explored.as_ref().map(ToString::to_string),
    }
}

fn three_ds_decision(of: &ThreeDsDecided) -> types::PaymentThreeDsDecision {
    types::PaymentThreeDsDecision {
        routing_id: of.routing_id.to_string(),
        decision: of.decision.to_wire(),
        rule: of.rule.clone(),
    }
}

/// Returns the answer to a list.
pub fn dictionary(merchant_id: &MerchantId, page: &RoutingPage) -> types::RoutingDictionary {
    types::RoutingDictionary {
        merchant_id: merchant_id.to_string(),
        active_id: page.active_id.as_ref().map(ToString::to_string),
        records: page.records.iter().map(record).collect(),
    }
}

/// Returns a configuration without its algorithm.
pub fn record(of: &RoutingRecord) -> types::RoutingRecord {
    types::RoutingRecord {
        id: of.routing_id.to_string(),
        profile_id: of.profile_id.to_string(),
        name: of.name.clone(),
        kind: of.kind().to_wire(),
        description: of.description.clone(),
        created_at: of.created_at.unix_milliseconds(),
        modified_at: of.modified_at.unix_milliseconds(),
        algorithm_for: of.transaction_type.to_wire(),
        decision_engine_routing_id: None,
    }
}

/// Returns a configuration with its algorithm.
pub fn configuration(of: &RoutingRecord) -> types::RoutingConfiguration {
    types::RoutingConfiguration {
        id: of.routing_id.to_string(),
        profile_id: of.profile_id.to_string(),
        name: of.name.clone(),
        description: of.description.clone(),
        algorithm: algorithm(&of.algorithm),
        created_at: of.created_at.unix_milliseconds(),
        modified_at: of.modified_at.unix_milliseconds(),
        algorithm_for: of.transaction_type.to_wire(),
    }
}

/// Returns an algorithm, which is stored in its wire form.
fn algorithm(of: &Algorithm) -> types::RoutingAlgorithm {
    let mut stored = serde_json::to_value(of).unwrap_or_default();
    types::RoutingAlgorithm {
        type_: of.kind().to_wire(),
        data: stored.get_mut("data").map_or(Value::Null, Value::take),
    }
}

/// Returns the active configurations.
pub fn active(of: &ActiveRouting) -> types::RoutingActive {
    types::RoutingActive {
        algorithm: of.of_profile.as_deref().map(configuration),
        records: of.records.iter().map(|one| record(one)).collect(),
    }
}

/// Returns accounts in order.
pub fn connectors(of: &DefaultRouting) -> Vec<types::RoutableConnector> {
    accounts(&of.accounts)
}

fn accounts(of: &[(String, ConnectorAccountId)]) -> Vec<types::RoutableConnector> {
    of.iter()
        .map(|(connector, id)| types::RoutableConnector {
            connector: types::ConnectorName::from(connector.as_str()),
            merchant_connector_id: id.to_string(),
        })
        .collect()
}

/// Returns a profile with its accounts in order.
pub fn default_of_profile(of: &DefaultRouting) -> types::ProfileDefaultRouting {
    types::ProfileDefaultRouting {
        profile_id: of.profile_id.to_string(),
        connectors: connectors(of),
    }
}

fn profile(text: &str) -> Result<ProfileId, Refusal> {
    ProfileId::parse(text).map_err(|invalid| invalid.refusal("profile_id"))
}

/// Reads a word that the schema has checked.
fn known_type(given: &types::TransactionType) -> Option<TransactionType> {
    given.to_domain()
}
