//! Asks the processor about all operations of an object that have no final answer.

use multirail_kernel::context::Context;
use multirail_kernel::ids::{MerchantId, ProcessorKey};
use multirail_sdk::connector::Fact;

use super::Driver;
use super::aggregate::{Aggregate, Due};
use super::commit::Stored;
use crate::{AppError, Origin};

impl Driver {
    /// Asks, and records the answers with the same transition as any other answer.
    ///
    /// # Errors
    /// An unknown object, or a store that fails. An outcome that stays unknown is no error.
    pub(crate) async fn sync<A: Aggregate>(
        &self,
        services: &A::Services,
        origin: &Origin,
        merchant_id: &MerchantId,
        id: &A::Id,
    ) -> Result<A, AppError> {
        self.sync_with(services, origin, merchant_id, id, A::Inputs::default())
            .await
    }

    /// As [`Driver::sync`], with inputs for the questions.
    pub(crate) async fn sync_with<A: Aggregate>(
        &self,
        services: &A::Services,
        origin: &Origin,
        merchant_id: &MerchantId,
        id: &A::Id,
        inputs: A::Inputs,
    ) -> Result<A, AppError> {
        let stored = self
            .begin_sync(services, origin, merchant_id, id, None)
            .await?;
        Ok(self
            .carry_out(services, origin, stored, inputs)
            .await?
            .object)
    }

    /// Asks only about the operation with this key.
    pub(crate) async fn sync_operation<A: Aggregate>(
        &self,
        services: &A::Services,
        origin: &Origin,
        merchant_id: &MerchantId,
        id: &A::Id,
        key: &ProcessorKey,
    ) -> Result<A, AppError> {
        let mut stored: Stored<A> = self
            .begin_sync(services, origin, merchant_id, id, Some(key))
            .await?;
        stored.calls.retain(|due: &Due<A::Call>| due.key() == key);
        let inputs = A::Inputs::default();
        Ok(self
            .carry_out(services, origin, stored, inputs)
            .await?
            .object)
    }

    /// Records an outcome that a processor reported in a notice, and makes the calls that follow.
    pub(crate) async fn apply_fact<A: Aggregate>(
        &self,
        services: &A::Services,
        origin: &Origin,
        merchant_id: &MerchantId,
        id: &A::Id,
        fact: Fact,
    ) -> Result<A, AppError> {
        let object = A::load(services, merchant_id, id).await?;
        let stored = self
            .record_fact(services, origin, object, fact, false, None)
            .await?;
        let inputs = A::Inputs::default();
        Ok(self
            .carry_out(services, origin, stored, inputs)
            .await?
            .object)
    }

    async fn begin_sync<A: Aggregate>(
        &self,
        services: &A::Services,
        origin: &Origin,
        merchant_id: &MerchantId,
        id: &A::Id,
        about: Option<&ProcessorKey>,
    ) -> Result<Stored<A>, AppError> {
        let decide = |object: &A, context: &Context| object.decide_to_ask(about, context);
        self.commit_decision(services, origin, merchant_id, id, decide)
            .await
    }
}
