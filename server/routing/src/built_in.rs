//! The rules of this crate, for the program that is built with them.

use multirail_domain::accounts::connector_account::Candidate;
use multirail_domain::routing::program::{Decision, Program, ThreeDsDecision};
use multirail_domain::routing::{Dropped, Facts, Routed, RoutingInput, RoutingStrategy};
use multirail_kernel::refusal::Refusal;
use multirail_sdk::instrument::Instrument;

use crate::could::naming;
use crate::{arrange, choose, consider, decide, lacks, learned};

/// Routing by the profile's stored configurations and by learned outcomes.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn;

impl RoutingStrategy for BuiltIn {
    fn choose<'a>(
        &self,
        facts: &Facts<'_>,
        instrument: &Instrument,
        input: RoutingInput<'a>,
    ) -> Result<Routed<'a>, Refusal> {
        let (candidates, active, draw) = (input.candidates, input.active, input.draw);
        let routed = choose(facts, instrument, candidates, active, draw).map_err(|refusal| {
            let considered = arrange(facts, candidates, active, draw).order;
            naming(refusal, facts, instrument, &considered, input.connectors)
        })?;
        Ok(learned(routed, facts, input.dynamic, draw))
    }

    fn consider<'a>(
        &self,
        facts: &Facts<'_>,
        instrument: &Instrument,
        input: RoutingInput<'a>,
    ) -> Routed<'a> {
        let (candidates, active, draw) = (input.candidates, input.active, input.draw);
        let routed = consider(facts, instrument, candidates, active, draw);
        learned(routed, facts, input.dynamic, draw)
    }

    fn arrange<'a>(&self, facts: &Facts<'_>, input: RoutingInput<'a>) -> Vec<&'a Candidate> {
        arrange(facts, input.candidates, input.active, input.draw).order
    }

    fn lacks(&self, facts: &Facts<'_>, candidate: &Candidate) -> Option<Dropped> {
        lacks(facts, candidate)
    }

    fn three_ds<'p>(
        &self,
        rules: &'p Program<Decision>,
        facts: &Facts<'_>,
    ) -> (ThreeDsDecision, Option<&'p str>) {
        let (selected, rule) = decide(rules, facts);
        (selected.decision, rule.map(|rule| rule.name.as_str()))
    }
}
