//! Operations that wait for a processor's answer.

use dropshot::RequestContext;
use multirail_api::unresolved_operations::*;
use multirail_api::{Admin, ApiError, Caller, JsonAnswer, Query};
use multirail_app::operations::unresolved_operation::{Unresolved, UnresolvedKind};
use multirail_types as types;

use crate::platform::convert::words::ToWire;
use crate::platform::errors::api_error;
use crate::{Api, Context};

impl UnresolvedOperationsApi for Api {
    type Context = Context;

    async fn unresolved_operations_list(
        rqctx: RequestContext<Context>,
        _caller: Caller<Admin>,
        query: Query<UnresolvedOperationsListQuery>,
    ) -> Result<JsonAnswer<Vec<types::UnresolvedOperation>>, ApiError> {
        let UnresolvedOperationsListQuery { limit, offset } = query.into_inner();
        let (limit, offset) = (limit.map(i64::from), offset.map(i64::from));
        let found = rqctx
            .context()
            .services
            .unresolved_operations
            .list(limit, offset);
        let found = found.await.map_err(api_error)?;
        Ok(JsonAnswer::new(found.into_iter().map(answer).collect()))
    }
}

fn answer(unresolved: Unresolved) -> types::UnresolvedOperation {
    let Unresolved {
        merchant_id,
        payment_id,
        attempt_id,
        refund_id,
        dispute_id,
        connector,
        kind,
        currency,
        operation,
        waits_for,
        next_question_at,
    } = unresolved;
    types::UnresolvedOperation {
        merchant_id: merchant_id.to_string(),
        payment_id: payment_id.to_string(),
        attempt_id: attempt_id.to_string(),
        refund_id: refund_id.map(|id| id.to_string()),
        dispute_id: dispute_id.map(|id| id.to_string()),
        operation: match kind {
            UnresolvedKind::Operation(kind) => kind.to_wire(),
            UnresolvedKind::DisputeAction(kind) => kind.to_wire(),
        },
        progress: operation.progress.to_string(),
        amount: operation.amount,
        currency: currency.to_wire(),
        connector,
        processor_key: operation.key.to_string(),
        reason: operation.unknown.map(|reason| reason.to_string()),
        waits_for: waits_for.to_wire(),
        started_at: operation.started_at.to_datetime(),
        next_question_at: next_question_at.to_datetime(),
    }
}
