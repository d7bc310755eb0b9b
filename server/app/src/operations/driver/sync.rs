//! Asking the processor about everything of an object that has no final answer.

use multirail_kernel::context::Context;
use multirail_kernel::ids::{MerchantId, ProcessorKey};
use multirail_sdk::connector::Fact;

use super::Driver;
use super::aggregate::{Aggregate, Due};
use super::commit::Stored;
use crate::{AppError, Origin};

impl Driver {
    /// Asks, and records what it is told through the same transition as any answer.
    ///
    /// # Errors
    /// Unknown object, or a store that fails. A processor that doesn't know either is no error.
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

    /// The same with what somebody brings for the questions.
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

    /// Asks only about the operation of this key.
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

    /// Records what was told of an operation unasked, and does what follows from it.
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
