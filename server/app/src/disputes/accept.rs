//! Give in to a dispute. (`POST /disputes/accept/{dispute_id}`)

use multirail_domain::context::Context;
use multirail_domain::dispute::{Command, DisputeAction, Input};
use multirail_domain::ids::{DisputeId, MerchantId, ProfileId};
use multirail_domain::operation::Progress;
use multirail_domain::refusal::Refusal;

use super::super::driver::Stored;
use super::super::{App, AppError, Origin};
use super::{DisputeOfPayment, DisputeView};

impl App {
    /// Has the processor accept the dispute. Where its answer isn't known, the dispute is answered as it stands, and the
    /// processor is asked until it is. `scope` is the profile that the call is narrowed to.
    ///
    /// # Errors
    /// Unknown dispute; one that can't be accepted as it stands, or not through this connector (nothing is stored then); a
    /// processor that refuses.
    pub async fn accept_dispute(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        dispute_id: &DisputeId,
    ) -> Result<DisputeView, AppError> {
        let dispute = self.load_dispute(merchant_id, scope, dispute_id).await?;
        let connector = self.connector(&dispute.charge.connector)?;
        let abilities = &connector.description().capabilities.disputes;
        let can_accept = abilities.accepts.is_some();
        let accept = |before: &DisputeOfPayment, context: &Context| {
            let step = before.decide(Input::Command(Command::Accept), context)?;
            if !can_accept {
                let name = &before.dispute.charge.connector;
                return Err(Refusal::FlowNotSupported {
                    flow: format!("accepting disputes through {name}"),
                });
            }
            Ok(step)
        };
        let stored: Stored<DisputeOfPayment> = self
            .commit_decision(origin, merchant_id, dispute_id, accept)
            .await?;
        let begun = stored.object.dispute.actions.last();
        let key = begun.map(|action| action.operation.key.clone());
        let object = self.carry_out(origin, stored, ()).await?.object;
        let action = key.and_then(|key| object.dispute.action(&key));
        action.map_or(Ok(()), check_done)?;
        Ok(object.view())
    }
}

/// Whether the processor did it, or may have.
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
