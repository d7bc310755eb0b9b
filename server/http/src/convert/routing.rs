//! Routing configurations, wire to domain and back. (Specification 2.4, 4.13; facts 7.10)

use multirail_api::routing::{RoutingActiveQuery, RoutingListQuery};
use multirail_app::routing::{
    ActiveRouting, CreateRouting, DefaultRouting, EvaluateBy, EvaluateRouting, Evaluation,
    ListRouting, RoutingPage,
};
use multirail_domain::routing::{
    Algorithm, Choice, DynamicTrace, NewRouting, RoutingRecord, RoutingTrace, ThreeDsDecided,
    TransactionType, Trial,
};
use multirail_kernel::ids::{ConnectorAccountId, MerchantId, ProfileId, RoutingId};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_types as types;
use serde_json::{Value, json};

use super::id;
use super::take_apart;
use super::words::{ToDomain, ToWire};

/// Reads a create.
///
/// # Errors
/// What is wrong with the algorithm, named by its full path; an id of another form.
pub fn create(request: types::RoutingCreateRequest) -> Result<CreateRouting, Refusal> {
    let types::RoutingCreateRequest {
        name,
        description,
        algorithm,
        profile_id,
        transaction_type,
    } = request;
    let types::RoutingAlgorithmRequest { type_, data } = algorithm;
    let algorithm = json!({ "type": type_.as_str(), "data": data });
    Ok(CreateRouting {
        profile_id: profile(&profile_id)?,
        routing: NewRouting {
            name,
            description,
            algorithm: Algorithm::parse(&algorithm)?,
            transaction_type: transaction_type.as_ref().and_then(word),
        },
    })
}

/// Reads the query of the list.
///
/// # Errors
/// An id of another form.
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

/// Reads what the caller believes that a configuration decides about.
pub fn activate(request: types::RoutingActivateRequest) -> Option<TransactionType> {
    let types::RoutingActivateRequest { transaction_type } = request;
    transaction_type.as_ref().and_then(word)
}

/// Reads of which profile, and for what.
///
/// # Errors
/// An id of another form.
pub fn deactivate(
    request: types::RoutingDeactivateRequest,
) -> Result<(ProfileId, TransactionType), Refusal> {
    let types::RoutingDeactivateRequest {
        profile_id,
        transaction_type: of,
    } = request;
    Ok((profile(&profile_id)?, read_transaction_type(of)))
}

/// Reads of which profile, if of one, and for what.
///
/// # Errors
/// An id of another form.
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

/// Payments, where nothing is said.
pub fn read_transaction_type(given: Option<types::TransactionType>) -> TransactionType {
    let given = given.as_ref().and_then(word);
    given.unwrap_or(TransactionType::Payment)
}

/// Reads an order of accounts.
///
/// # Errors
/// An id of another form.
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

/// Reads a payment that nobody makes, and what is to decide about it.
///
/// # Errors
/// What is wrong with it or with the algorithm, named by its path; two things that are to decide.
pub fn evaluate(
    request: types::RoutingEvaluateRequest,
    now: Timestamp,
) -> Result<EvaluateRouting, Refusal> {
    // The domain reads the payment as an operator writes it, on the command line, too.
    take_apart!(request: types::RoutingEvaluateRequest { profile_id, routing_id, algorithm } noting payment {
        draw,
        amount,
        currency,
        payment_method,
        payment_method_type,
        card,
        billing_country,
        capture_method,
        authentication_type,
        setup_future_usage,
        off_session,
        business_country,
        business_label,
        metadata,
        routing,
        request_extended_authorization,
        enable_overcapture,
    });
    let profile_id = id(profile_id, "profile_id", ProfileId::parse)?;
    let routing_id = id(routing_id, "routing_id", RoutingId::parse)?;
    let by = match (routing_id, algorithm) {
        (None, None) => EvaluateBy::Active,
        (Some(routing_id), None) => EvaluateBy::Stored(routing_id),
        (None, Some(types::RoutingAlgorithmRequest { type_, data })) => {
            let algorithm = json!({ "type": type_.as_str(), "data": data });
            EvaluateBy::Given(Algorithm::parse(&algorithm)?)
        }
        (Some(_), Some(_)) => {
            return Err(Refusal::precondition(
                "routing_id and algorithm can't both decide: give one of them",
            ));
        }
    };
    Ok(EvaluateRouting {
        profile_id,
        by,
        trial: Trial::parse(&Value::Object(payment), now)?,
    })
}

/// Where a payment would go, and why.
pub fn evaluation(of: &Evaluation) -> types::RoutingEvaluation {
    types::RoutingEvaluation {
        profile_id: of.profile_id.to_string(),
        connectors: accounts(&of.eligible),
        routing: trace(&of.trace, of.three_ds.as_deref()),
    }
}

/// Why an attempt goes where it goes.
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

/// The list, as it is answered.
pub fn dictionary(merchant_id: &MerchantId, page: &RoutingPage) -> types::RoutingDictionary {
    types::RoutingDictionary {
        merchant_id: merchant_id.to_string(),
        active_id: page.active_id.as_ref().map(ToString::to_string),
        records: page.records.iter().map(record).collect(),
    }
}

/// A configuration without its algorithm.
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

/// A configuration with its algorithm.
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

/// It is stored in the form in which it is sent.
fn algorithm(of: &Algorithm) -> types::RoutingAlgorithm {
    let mut stored = serde_json::to_value(of).unwrap_or_default();
    types::RoutingAlgorithm {
        type_: of.kind().to_wire(),
        data: stored.get_mut("data").map_or(Value::Null, Value::take),
    }
}

/// What decides.
pub fn active(of: &ActiveRouting) -> types::RoutingActive {
    types::RoutingActive {
        algorithm: of.of_profile.as_deref().map(configuration),
        records: of.records.iter().map(|one| record(one)).collect(),
    }
}

/// Accounts in order.
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

/// A profile with its accounts in order.
pub fn default_of_profile(of: &DefaultRouting) -> types::ProfileDefaultRouting {
    types::ProfileDefaultRouting {
        profile_id: of.profile_id.to_string(),
        connectors: connectors(of),
    }
}

fn profile(text: &str) -> Result<ProfileId, Refusal> {
    ProfileId::parse(text).map_err(|invalid| invalid.refusal("profile_id"))
}

/// The schema was checked before, so that every word is one.
fn word(given: &types::TransactionType) -> Option<TransactionType> {
    given.to_domain()
}
