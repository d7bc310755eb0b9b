//! Evaluations of routing for a payment that doesn't exist, wire to domain and back.

use multirail_app::routing::{EvaluateBy, EvaluateRouting, Evaluation};
use multirail_domain::routing::{TrialCard, TrialRequest};
use multirail_kernel::ids::{ProfileId, RoutingId};
use multirail_kernel::refusal::Refusal;
use multirail_types as types;

use super::{accounts, given_algorithm, straight_through, trace};
use crate::platform::convert::id;
use crate::platform::convert::words::{maybe_word, word};

/// Reads a hypothetical payment, and the configuration to evaluate.
///
/// # Errors
/// An invalid member of the payment or the algorithm, named by its path; two configurations.
pub fn request(request: types::RoutingEvaluateRequest) -> Result<EvaluateRouting, Refusal> {
    let types::RoutingEvaluateRequest {
        profile_id,
        routing_id,
        algorithm,
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
    } = request;
    let profile_id = id(profile_id, "profile_id", ProfileId::parse)?;
    let by = evaluated_by(routing_id, algorithm)?;
    Ok(EvaluateRouting {
        profile_id,
        by,
        trial: TrialRequest {
            amount,
            currency: word(&currency, "currency")?,
            payment_method: maybe_word(payment_method, "payment_method")?,
            payment_method_type: maybe_word(payment_method_type, "payment_method_type")?,
            card: card.map(trial_card).transpose()?.unwrap_or_default(),
            billing_country: maybe_word(billing_country, "billing_country")?,
            capture_method: maybe_word(capture_method, "capture_method")?,
            authentication_type: maybe_word(authentication_type, "authentication_type")?,
            setup_future_usage: maybe_word(setup_future_usage, "setup_future_usage")?,
            off_session,
            business_country: maybe_word(business_country, "business_country")?,
            business_label,
            metadata,
            routing: routing.map(straight_through).transpose()?,
            request_extended_authorization,
            enable_overcapture,
            draw: draw.map(i32::cast_unsigned),
        },
    })
}

/// Reads the configuration to evaluate.
pub(super) fn evaluated_by(
    routing_id: Option<String>,
    algorithm: Option<types::RoutingAlgorithmRequest>,
) -> Result<EvaluateBy, Refusal> {
    let routing_id = id(routing_id, "routing_id", RoutingId::parse)?;
    match (routing_id, algorithm) {
        (None, None) => Ok(EvaluateBy::Active),
        (Some(routing_id), None) => Ok(EvaluateBy::Stored(routing_id)),
        (None, Some(algorithm)) => Ok(EvaluateBy::Given(given_algorithm(algorithm)?)),
        (Some(_), Some(_)) => Err(Refusal::precondition(
            "routing_id and algorithm can't both decide: give one of them",
        )),
    }
}

fn trial_card(card: types::RoutingTrialCard) -> Result<TrialCard, Refusal> {
    let types::RoutingTrialCard {
        card_bin,
        card_network,
        card_type,
        card_issuer,
        card_issuing_country,
    } = card;
    Ok(TrialCard {
        bin: card_bin,
        network: maybe_word(card_network, "card.card_network")?,
        card_type,
        issuer: card_issuer,
        issuing_country: card_issuing_country,
    })
}

/// Returns the account that a payment would go to, and the reason.
pub fn answer(of: &Evaluation) -> types::RoutingEvaluation {
    types::RoutingEvaluation {
        profile_id: of.profile_id.to_string(),
        connectors: accounts(&of.eligible),
        routing: trace(&of.trace, of.three_ds.as_ref()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A request and a line for `multirail routing simulate` with the same content are the same trial.
    #[test]
    fn a_trial_is_read_as_on_the_command_line() {
        let payment = json!({
            "amount": 1_000,
            "currency": "EUR",
            "payment_method": "card",
            "payment_method_type": "credit",
            "card": {
                "card_bin": "41111111",
                "card_network": "Visa",
                "card_type": "credit",
                "card_issuer": "Example Bank",
                "card_issuing_country": "DE",
            },
            "billing_country": "DE",
            "capture_method": "manual",
            "authentication_type": "three_ds",
            "setup_future_usage": "off_session",
            "off_session": true,
            "business_country": "US",
            "business_label": "books",
            "metadata": {"shelf": "a"},
            "routing": {
                "type": "single",
                "data": {"connector": "stripe_test", "merchant_connector_id": "mca_1"},
            },
            "request_extended_authorization": true,
            "enable_overcapture": true,
            "draw": 7,
        });
        let wire = serde_json::from_value(payment.clone()).expect("a request");
        let read = request(wire).expect("a trial").trial;
        assert_eq!(Ok(read), TrialRequest::parse(&payment));
        let least = json!({"amount": 0, "currency": "EUR"});
        let wire = serde_json::from_value(least.clone()).expect("a request");
        let read = request(wire).expect("a trial").trial;
        assert_eq!(Ok(read), TrialRequest::parse(&least));
    }
}
