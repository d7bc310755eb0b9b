//! The parts of every call to a processor: the connector, the account's credentials, the deadline, and the metrics.

use std::sync::Arc;
use std::time::{Duration, Instant};

use multirail_domain::operations::operation::Operation;
use multirail_kernel::ids::{ConnectorAccountId, MerchantId};
use multirail_kernel::secret::SecretText;
use multirail_platform::account_limits::{AccountLimits, Slot};
use multirail_sdk::connector::Connector;
use multirail_sdk::connector::ConnectorDirectory;
use multirail_sdk::connector::{
    Access, Description, Finding, FollowUp, LookUpRequest, OperationKind, Outcome, Recoveries,
    Recovery, UnknownReason, WaitsFor,
};

use crate::AppError;
use crate::accounts::processor_accounts::ProcessorAccounts;
use crate::platform::base::Base;
use crate::platform::ports::metric;

/// The outcome where no processor can be asked: as unknown as before.
pub(crate) const NOBODY_ASKED: Outcome = Outcome::Unknown(UnknownReason::Interrupted);

/// Returns the outcome of a request that the connector has no code for: nothing was sent.
pub(crate) fn unable(what: &str) -> Outcome {
    Outcome::never_happened(format!("the connector can't {what}"))
}

/// The result of a look-up.
pub(crate) struct Found {
    pub outcome: Outcome,
    /// True if the processor found nothing, whatever that proves.
    pub is_absent: bool,
}

/// Calls to processors: with a deadline, measured, and within the limits of their accounts.
pub struct Processors {
    pub base: Arc<Base>,
    pub connectors: Arc<dyn ConnectorDirectory>,
    pub accounts: Arc<ProcessorAccounts>,
    /// The number of simultaneous questions for each processor account. It leaves places to payments.
    pub questions: AccountLimits,
}

impl Processors {
    /// Returns the connector with this name.
    pub(crate) fn connector(&self, name: &str) -> Result<Arc<dyn Connector>, AppError> {
        self.connectors
            .find(name)
            .ok_or_else(|| AppError::Broken(format!("connector {name} is not registered here")))
    }

    /// Returns a stored account, even a disabled or deleted one: operations are finished with the account that began
    /// them.
    pub(crate) async fn access(
        &self,
        merchant_id: &MerchantId,
        account_id: Option<&ConnectorAccountId>,
    ) -> Result<Access, AppError> {
        let account_id = account_id.ok_or_else(|| {
            AppError::Broken("an operation was sent without a connector account".to_owned())
        })?;
        let account = self.accounts.ever(merchant_id, account_id).await?;
        Ok(account.access())
    }

    /// Returns the same account with credentials that a caller sent. The account's other settings still apply.
    pub(crate) async fn access_with(
        &self,
        credentials: SecretText,
        merchant_id: &MerchantId,
        account_id: Option<&ConnectorAccountId>,
    ) -> Result<Access, AppError> {
        let account = self.access(merchant_id, account_id).await?;
        Ok(Access {
            credentials,
            ..account
        })
    }

    /// Returns the next step for an operation of this kind without a final answer.
    pub(crate) fn follow_up(
        &self,
        connector: &dyn Connector,
        kind: OperationKind,
        operation: &Operation,
    ) -> FollowUp {
        let recoveries = &connector.description().capabilities.recovery;
        operation.follow_up_of(kind, recoveries, self.base.now())
    }

    /// Returns the event that an operation without a final answer waits for.
    pub(crate) fn waits_for(
        &self,
        connector: &str,
        kind: OperationKind,
        operation: &Operation,
    ) -> WaitsFor {
        let description = self.connectors.describe(connector);
        // This server can't ask about an operation of a connector that it lacks.
        let recoveries = description.map_or(Recoveries::all(Recovery::Notice), |description| {
            description.capabilities.recovery
        });
        operation.waits_for(kind, &recoveries, self.base.now())
    }

    /// Returns the time that is left for a repeat of a request that ended with this outcome, if a repeat within the
    /// same call is safe.
    pub(crate) fn time_to_repeat(
        &self,
        connector: &dyn Connector,
        first: &Outcome,
        began: Instant,
    ) -> Option<Duration> {
        let Outcome::Unknown(reason) = first else {
            return None;
        };
        let kept = connector.description().capabilities.kept_answers?;
        let left = self
            .base
            .leases
            .processor_deadline
            .saturating_sub(began.elapsed());
        Some(left).filter(|left| kept.cover(*reason) && !left.is_zero())
    }

    /// Returns whether to send an operation again that its processor doesn't find. An authorization is never sent
    /// again: its payment data is gone.
    pub(crate) fn repeats_absent(
        &self,
        connector: &dyn Connector,
        kind: OperationKind,
        operation: &Operation,
    ) -> bool {
        let capabilities = &connector.description().capabilities;
        let recovery = capabilities.recovery.for_operation(kind);
        let kept = capabilities.kept_answers;
        kind != OperationKind::Authorize
            && kept.as_ref().is_some_and(|kept| {
                operation.repeats_absent(kept, recovery, self.base.clock.wall())
            })
    }

    /// Asks for the outcome of an operation. Its `started_at` is business time.
    pub(crate) async fn find_out(
        &self,
        connector: &dyn Connector,
        request: LookUpRequest,
    ) -> Found {
        let Description {
            name, capabilities, ..
        } = connector.description();
        let recovery = capabilities.recovery.for_operation(request.kind);
        // The age is at most the time that really passed: processors don't know the offset of the business clock.
        let age_seconds = self.base.clock.wall().seconds_since(request.started_at);
        let mut is_absent = false;
        let answer = async {
            let Some(_place) = self.place_to_ask(&request.access).await else {
                return NOBODY_ASKED;
            };
            let finding = connector.look_up(request).await;
            is_absent = matches!(finding, Finding::Absent { .. });
            finding.judge(recovery, age_seconds)
        };
        let outcome = self.in_time(name, LOOK_UP, answer).await;
        Found { outcome, is_absent }
    }

    /// Returns a place for a question to the processor of an account, or `None` where none becomes free in time. Some
    /// places of each account are reserved for payments.
    pub(crate) async fn place_to_ask(&self, access: &Access) -> Option<Slot> {
        let account = access.credentials.expose();
        self.questions.slot(account).await
    }

    /// Waits for an answer until the deadline; after it, the outcome is unknown. `call` is the kind of call, for
    /// metrics.
    pub(crate) async fn in_time(
        &self,
        connector: &str,
        call: &'static str,
        answer: impl Future<Output = Outcome>,
    ) -> Outcome {
        let patience = self.base.leases.processor_deadline;
        self.within(patience, connector, call, answer).await
    }

    /// As [`Processors::in_time`], with the given deadline.
    pub(crate) async fn within(
        &self,
        patience: Duration,
        connector: &str,
        call: &'static str,
        answer: impl Future<Output = Outcome>,
    ) -> Outcome {
        let started = Instant::now();
        let outcome = tokio::time::timeout(patience, answer)
            .await
            .unwrap_or(Outcome::Unknown(UnknownReason::Timeout));
        let reason = failure(call, &outcome);
        metric::processor_call(connector, call, word(&outcome), reason, started.elapsed());
        outcome
    }
}

/// The name of a question about an operation in the metrics.
const LOOK_UP: &str = "look_up";

/// Returns why a call failed, where the processor or the connection is to blame.
fn failure(call: &str, outcome: &Outcome) -> Option<&'static str> {
    match outcome {
        Outcome::Unknown(reason) => Some(reason.as_str()),
        // The processor did nothing: no connection, no room for one more request, or a request that can't be written.
        Outcome::NeverHappened { .. } if call != LOOK_UP => Some("not_taken"),
        // The processor's own answer.
        Outcome::NeverHappened { .. }
        | Outcome::Done(_)
        | Outcome::CustomerMustAct { .. }
        | Outcome::DeviceDataNeeded { .. }
        | Outcome::Declined(_)
        | Outcome::Pending { .. } => None,
    }
}

fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Done(_) => "done",
        Outcome::CustomerMustAct { .. } | Outcome::DeviceDataNeeded { .. } => "customer_must_act",
        Outcome::Declined(_) => "declined",
        Outcome::Pending { .. } => "pending",
        Outcome::NeverHappened { .. } => "never_happened",
        Outcome::Unknown(_) => "unknown",
    }
}
