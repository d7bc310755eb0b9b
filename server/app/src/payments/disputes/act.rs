//! Actions on a dispute that a merchant asks of the processor.

use multirail_domain::operations::operation::Progress;
use multirail_domain::payments::dispute::{
    Command, Dispute, DisputeAction, DisputeActionKind, Input,
};
use multirail_kernel::context::Context;
use multirail_kernel::ids::{DisputeId, MerchantId, ProfileId};
use multirail_kernel::refusal::Refusal;
use multirail_sdk::connector::Connector;

use super::aggregate::KeptFile;
use super::{DisputeOfPayment, DisputeView, Disputes};
use crate::operations::driver::Stored;
use crate::{AppError, Origin};

impl Disputes {
    /// Asks the processor to do what this command says. Where the outcome is unknown, returns the dispute as it is; a
    /// worker then syncs with the processor. `scope` is the profile that the call is narrowed to.
    pub(crate) async fn act(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        dispute_id: &DisputeId,
        kind: DisputeActionKind,
        command: impl Fn() -> Command,
    ) -> Result<DisputeView, AppError> {
        let dispute = self.find(merchant_id, scope, dispute_id).await?;
        let connector = self.processors.connector(&dispute.charge.connector)?;
        let abilities = &connector.description().capabilities.disputes;
        let is_able = abilities.recovery(kind).is_some();
        let act = |before: &DisputeOfPayment, context: &Context| {
            let step = before.decide(Input::Command(command()), context)?;
            if !is_able {
                let name = &before.dispute.charge.connector;
                let done = match kind {
                    DisputeActionKind::Accept => "accepting",
                    DisputeActionKind::Challenge => "challenging",
                };
                return Err(Refusal::FlowNotSupported {
                    flow: format!("{done} disputes through {name}"),
                });
            }
            match kind {
                DisputeActionKind::Accept => {}
                DisputeActionKind::Challenge => check_places(&*connector, &step.decided.dispute)?,
            }
            Ok(step)
        };
        let stored: Stored<DisputeOfPayment> = self
            .driver
            .commit_decision(self, origin, merchant_id, dispute_id, act)
            .await?;
        let begun = stored.object.dispute.actions.last();
        let key = begun.map(|action| action.operation.key.clone());
        let none = KeptFile::default();
        let object = self
            .driver
            .carry_out(self, origin, stored, none)
            .await?
            .object;
        let action = key.and_then(|key| object.dispute.action(&key));
        action.map_or(Ok(()), check_done)?;
        Ok(object.view())
    }
}

/// Checks that the dispute's processor accepts every item of the evidence.
pub(crate) fn check_places(connector: &dyn Connector, dispute: &Dispute) -> Result<(), Refusal> {
    let challenges = connector.able(|able| able.disputes.challenges.map(|(by, _)| by));
    let placed = challenges.map(|challenges| challenges.has_places(&dispute.evidence));
    placed
        .unwrap_or(Ok(()))
        .map_err(|no_place| Refusal::FlowNotSupported {
            flow: format!(
                "{no_place} as evidence through {}",
                dispute.charge.connector
            ),
        })
}

/// Fails unless the processor did it, or may have done it.
fn check_done(action: &DisputeAction) -> Result<(), Refusal> {
    let operation = &action.operation;
    match operation.progress {
        Progress::Declined | Progress::NeverHappened => {
            let said = operation.decline.as_ref();
            let why = said.map(|said| format!("{}: {}", said.code, said.message));
            Err(Refusal::DisputeRefused {
                why: why.unwrap_or_else(|| "it gives no reason".to_owned()),
            })
        }
        Progress::Started
        | Progress::AwaitingCustomer
        | Progress::Pending
        | Progress::Unknown
        | Progress::Done => Ok(()),
    }
}
