//! The decisions of routing, as the rest of the domain asks for them.

use std::fmt;

use multirail_kernel::refusal::Refusal;
use multirail_sdk::connector::Capabilities;
use multirail_sdk::instrument::Instrument;

use super::dynamic::Dynamic;
use super::facts::Facts;
use super::program::{Decision, Program, ThreeDsDecision};
use super::record::RoutingRecord;
use super::routed::Routed;
use super::trace::Dropped;
use crate::accounts::connector_account::Candidate;

/// A connector, whether the profile has an account or not.
#[derive(Clone, Copy, Debug)]
pub struct ConnectorAbilities {
    pub name: &'static str,
    /// True if it moves no money, and exists only in a sandbox.
    pub is_simulator: bool,
    pub capabilities: &'static Capabilities,
}

/// The accounts of a profile, and everything that orders them besides the facts of the payment.
#[derive(Clone, Copy, Debug)]
pub struct RoutingInput<'a> {
    /// The accounts, in the profile's fallback order.
    pub candidates: &'a [Candidate],
    /// The profile's active configuration.
    pub active: Option<&'a RoutingRecord>,
    /// The state of dynamic routing.
    pub dynamic: Option<&'a Dynamic>,
    /// The connectors of this server, with or without an account of the profile. Refusals name those that could take the payment.
    pub connectors: &'a [ConnectorAbilities],
    /// A random number for all random decisions.
    pub draw: u32,
}

/// The rules that choose accounts. The program brings them, so a changed rule compiles neither this crate nor its users.
///
/// Every method is pure: equal arguments give equal results.
pub trait RoutingStrategy: fmt::Debug + Send + Sync {
    /// Chooses accounts for a confirm. The result has at least one eligible account.
    ///
    /// # Errors
    /// A refusal that says why no account is eligible.
    fn choose<'a>(
        &self,
        facts: &Facts<'_>,
        instrument: &Instrument,
        input: RoutingInput<'a>,
    ) -> Result<Routed<'a>, Refusal>;

    /// Orders and checks every account. The result may have no eligible one.
    fn consider<'a>(
        &self,
        facts: &Facts<'_>,
        instrument: &Instrument,
        input: RoutingInput<'a>,
    ) -> Routed<'a>;

    /// Returns all accounts in the order in which a confirm tries them, before dynamic routing. It doesn't check whether they can
    /// accept the payment.
    fn arrange<'a>(&self, facts: &Facts<'_>, input: RoutingInput<'a>) -> Vec<&'a Candidate>;

    /// Returns the first requirement of the payment, apart from the payment method, that the account's connector can't meet.
    /// `None` if it meets all.
    fn lacks(&self, facts: &Facts<'_>, candidate: &Candidate) -> Option<Dropped>;

    /// Decides about 3-D Secure by these rules. Returns the name of the rule that matched too; `None` if the default decided.
    fn three_ds<'p>(
        &self,
        rules: &'p Program<Decision>,
        facts: &Facts<'_>,
    ) -> (ThreeDsDecision, Option<&'p str>);
}
