//! Routing without rules.

use multirail_domain::accounts::connector_account::Candidate;
use multirail_domain::routing::program::{Decision, Program, ThreeDsDecision};
use multirail_domain::routing::{
    Considered, Dropped, Facts, Routed, RoutedBy, RoutingInput, RoutingStrategy, RoutingTrace,
};
use multirail_kernel::refusal::Refusal;
use multirail_sdk::instrument::Instrument;

/// Tries the enabled accounts in the profile's order. Rules for 3-D Secure decide by their default.
#[derive(Debug)]
pub struct InOrder;

impl RoutingStrategy for InOrder {
    fn choose<'a>(
        &self,
        facts: &Facts<'_>,
        instrument: &Instrument,
        input: RoutingInput<'a>,
    ) -> Result<Routed<'a>, Refusal> {
        let routed = self.consider(facts, instrument, input);
        match routed.eligible.is_empty() {
            true => Err(Refusal::NoEligibleConnector),
            false => Ok(routed),
        }
    }

    fn consider<'a>(&self, _: &Facts<'_>, _: &Instrument, input: RoutingInput<'a>) -> Routed<'a> {
        let is_off = |one: &Candidate| one.account.disabled;
        let considered = input.candidates.iter().map(|one| Considered {
            connector: one.account.connector_name.clone(),
            merchant_connector_id: one.account.merchant_connector_id.clone(),
            dropped: is_off(one).then_some(Dropped::Disabled),
            moved: None,
            success_rate: None,
            expected_cost: None,
        });
        Routed {
            eligible: input.candidates.iter().filter(|one| !is_off(one)).collect(),
            trace: RoutingTrace {
                by: RoutedBy::Default,
                routing_id: None,
                kind: None,
                rule: None,
                candidates: considered.collect(),
                dynamic: None,
            },
        }
    }

    fn arrange<'a>(&self, _: &Facts<'_>, input: RoutingInput<'a>) -> Vec<&'a Candidate> {
        input.candidates.iter().collect()
    }

    fn lacks(&self, _: &Facts<'_>, _: &Candidate) -> Option<Dropped> {
        None
    }

    fn three_ds<'p>(
        &self,
        rules: &'p Program<Decision>,
        _: &Facts<'_>,
    ) -> (ThreeDsDecision, Option<&'p str>) {
        (rules.default_selection.decision, None)
    }
}
