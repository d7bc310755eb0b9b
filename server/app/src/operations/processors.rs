//! What every call to a processor needs, whatever object it is for: the connector, the account's credentials, the patience
//! that the processor gets, and what its answers are measured by.

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

/// The outcome where there is nobody to ask: it stays as unknown as it was.
pub(crate) const NOBODY_ASKED: Outcome = Outcome::Unknown(UnknownReason::Interrupted);

/// The result of a look-up.
pub(crate) struct Found {
    pub outcome: Outcome,
    /// The processor found nothing, whatever that proves.
    pub is_absent: bool,
}

/// The processors as every use case calls them: in time, measured, and within what their accounts allow.
pub struct Processors {
    pub base: Arc<Base>,
    pub connectors: Arc<dyn ConnectorDirectory>,
    pub accounts: Arc<ProcessorAccounts>,
    /// The number of questions that each processor account is asked at once. They leave places to payments.
    pub questions: AccountLimits,
}

impl Processors {
    /// The connector of this name.
    pub(crate) fn connector(&self, name: &str) -> Result<Arc<dyn Connector>, AppError> {
        self.connectors
            .find(name)
            .ok_or_else(|| AppError::Broken(format!("connector {name} is not registered here")))
    }

    /// A stored account, also where it was disabled or deleted since: what was begun with it is finished with it.
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

    /// The same account as seen with credentials that a caller brought: its other settings hold for them too.
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

    /// What is sent now about an operation of this kind that has no final answer.
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
        // Of a connector that this version doesn't have, nobody here can ask.
        let recoveries = description.map_or(Recoveries::all(Recovery::Notice), |description| {
            description.capabilities.recovery
        });
        operation.waits_for(kind, &recoveries, self.base.now())
    }

    /// Returns how long a request may take that repeats one which ended so, if repeating it within the same call is safe.
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

    /// Returns whether an operation that its processor doesn't find is sent once more. An authorization is not: what it was paid
    /// with is gone.
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

    /// Asks what became of an operation, which was asked for by business time.
    pub(crate) async fn find_out(
        &self,
        connector: &dyn Connector,
        request: LookUpRequest,
    ) -> Found {
        let Description {
            name, capabilities, ..
        } = connector.description();
        let recovery = capabilities.recovery.for_operation(request.kind);
        // Never more than has really passed: how far the business clock is ahead counts for no processor.
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

    /// A place for a question to the processor of an account. Nothing where none becomes free in time: some places of each
    /// account are kept for payments.
    pub(crate) async fn place_to_ask(&self, access: &Access) -> Option<Slot> {
        let account = access.credentials.expose();
        self.questions.slot(account).await
    }

    /// A processor that doesn't answer in time leaves us not knowing. `call` says what was asked of it.
    pub(crate) async fn in_time(
        &self,
        connector: &str,
        call: &'static str,
        answer: impl Future<Output = Outcome>,
    ) -> Outcome {
        let patience = self.base.leases.processor_deadline;
        self.within(patience, connector, call, answer).await
    }

    /// The same with so much patience.
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

/// What a question about an operation is called in the figures.
const LOOK_UP: &str = "look_up";

/// Why a call came to nothing, where the processor is to blame or the way to it.
fn failure(call: &str, outcome: &Outcome) -> Option<&'static str> {
    match outcome {
        Outcome::Unknown(reason) => Some(reason.as_str()),
        // Nothing was done: no connection, no room for one more request, or one that can't be written.
        Outcome::NeverHappened { .. } if call != LOOK_UP => Some("not_taken"),
        // The processor's own word.
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
