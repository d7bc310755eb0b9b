//! The audit log: the requests that are recorded, and the log as the operator sees it.

use dropshot::RequestContext;
use multirail_api::audit::*;
use multirail_api::{
    ActsBy, Admin, ApiError, Caller, JsonAnswer, PlainText, Principal, Query, RecordedRequest, User,
};
use multirail_app::platform::audit::{Recording, Verified};
use multirail_app::platform::ports::Actor;
use multirail_app::platform::ports::audit::{AuditNote, AuditSearch};
use multirail_kernel::audit::{BEGINNING, Chained, Named, stamp_text};
use multirail_types as types;

use super::convert::moments::{shown_from, shown_until};
use super::errors::api_error;
use super::origin;
use crate::{Api, ApiResult, Context, HttpState};
use recorded::{Recorded, recorded};

mod recorded;

/// Begins to record a request, if its operation is recorded.
///
/// # Errors
/// The entry has to be stored before the change, and can't be.
pub(crate) async fn record(
    state: &HttpState,
    rqctx: &RequestContext<Context>,
    request: RecordedRequest<'_>,
) -> Result<Option<Recording>, ApiError> {
    let operation = request.operation;
    let is_before = match recorded(operation) {
        Recorded::OfPlatforms(_) if is_platforms(request.principal) => false,
        Recorded::OfPlatforms(_) | Recorded::Not(_) => return Ok(None),
        Recorded::WithItsChange => false,
        Recorded::Before => true,
    };
    let services = &state.services;
    let from = &rqctx.request;
    let ip = state.traffic.client(from.remote_addr(), from.headers());
    let (request_id, now) = (rqctx.request_id.clone(), services.base.clock.wall());
    let mut note = AuditNote::new(request_id, now, operation.id, ip);
    note.actor = actor(request.principal);
    note.merchant_id = request.principal.merchant_id().map(str::to_owned);
    let values = operation.path_parameters().zip(request.variables);
    note.target = values.map(|(name, id)| Named::new(name, id)).collect();
    let recording = Recording::begin(&services.base, note);
    if is_before {
        done(state, &recording).await?;
    }
    Ok(Some(recording))
}

/// Records a finished request that changed nothing, or not by a change-set.
///
/// # Errors
/// The entry can't be stored.
pub(crate) async fn done(state: &HttpState, recording: &Recording) -> Result<(), ApiError> {
    let recorded = state.services.audit.record(&recording.note).await;
    recorded.map_err(api_error)
}

/// Returns whether a platform acts for a merchant.
fn is_platforms(principal: &Principal) -> bool {
    let Principal::Merchant(merchant) = principal else {
        return false;
    };
    matches!(merchant.by, ActsBy::Platform { .. })
}

/// Returns the caller for the audit entry; `None` without key and token.
fn actor(principal: &Principal) -> Option<Actor> {
    match principal {
        Principal::Anonymous => None,
        Principal::Admin(_) => Some(Actor::Admin),
        Principal::Merchant(merchant) => Some(origin::merchants_actor(merchant)),
        Principal::Client(_) | Principal::Customer(_) | Principal::Subscriber(_) => {
            Some(Actor::Client)
        }
        Principal::User(user) => Some(Actor::User(user.user_id.clone())),
    }
}

impl AuditApi for Api {
    type Context = Context;

    async fn audit_list(
        rqctx: RequestContext<Context>,
        _caller: Caller<Admin>,
        query: Query<AuditListQuery>,
    ) -> ApiResult<Vec<types::AuditEntry>> {
        let AuditListQuery {
            merchant_id,
            principal,
            principal_id,
            operation,
            request_id,
            recorded_at_gte,
            recorded_at_lte,
            before,
            limit,
        } = query.into_inner();
        let search = AuditSearch {
            merchant_id,
            principal: principal.map(|word| word.as_str().to_owned()),
            principal_id,
            operation,
            request_id,
            from: recorded_at_gte.map(shown_from),
            until: recorded_at_lte.map(shown_until),
            before,
            limit: 0,
        };
        let services = &rqctx.context().services;
        let found = services.audit.list(search, limit.map(i64::from));
        let found = found.await.map_err(api_error)?;
        Ok(JsonAnswer::new(found.into_iter().map(entry).collect()))
    }

    async fn audit_export(
        rqctx: RequestContext<Context>,
        _caller: Caller<Admin>,
        query: Query<AuditExportQuery>,
    ) -> Result<PlainText, ApiError> {
        let AuditExportQuery { after, limit } = query.into_inner();
        let services = &rqctx.context().services;
        let found = services
            .audit
            .export(after.unwrap_or(0), limit.map(i64::from));
        let found = found.await;
        let mut lines = String::new();
        for one in found.map_err(api_error)? {
            let line = serde_json::to_string(&entry(one));
            lines.push_str(&line.map_err(|error| ApiError::internal(error.to_string()))?);
            lines.push('\n');
        }
        Ok(PlainText::new(lines))
    }

    async fn audit_verify(
        rqctx: RequestContext<Context>,
        _caller: Caller<Admin>,
        query: Query<AuditVerifyQuery>,
    ) -> ApiResult<types::AuditCheck> {
        let AuditVerifyQuery {
            after,
            limit,
            check_file,
        } = query.into_inner();
        let services = &rqctx.context().services;
        let verified = services
            .audit
            .verify(after.unwrap_or(0), limit.map(i64::from));
        let verified = verified.await.map_err(api_error)?;
        let file_faults = if check_file.unwrap_or(false) {
            Some(services.audit.database_faults().await.map_err(api_error)?)
        } else {
            None
        };
        Ok(JsonAnswer::new(check(verified, file_faults)))
    }

    async fn audit_list_own(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        query: Query<AuditListOwnQuery>,
    ) -> ApiResult<Vec<types::AuditOwnEntry>> {
        let AuditListOwnQuery {
            principal,
            principal_id,
            operation,
            request_id,
            recorded_at_gte,
            recorded_at_lte,
            before,
            limit,
        } = query.into_inner();
        let search = AuditSearch {
            merchant_id: Some(caller.merchant_id.clone()),
            principal: principal.map(|word| word.as_str().to_owned()),
            principal_id,
            operation,
            request_id,
            from: recorded_at_gte.map(shown_from),
            until: recorded_at_lte.map(shown_until),
            before,
            limit: 0,
        };
        let services = &rqctx.context().services;
        let found = services.audit.list(search, limit.map(i64::from));
        let found = found.await.map_err(api_error)?;
        Ok(JsonAnswer::new(found.into_iter().map(own_entry).collect()))
    }
}

fn entry(chained: Chained) -> types::AuditEntry {
    let Chained {
        sequence,
        entry,
        link,
        ..
    } = chained;
    types::AuditEntry {
        sequence,
        recorded_at: entry.recorded_at.to_datetime(),
        operation: entry.operation,
        principal: entry.principal.as_str().into(),
        principal_id: entry.principal_id,
        merchant_id: entry.merchant_id,
        target: named(entry.target),
        objects: named(entry.objects),
        ip_address: entry.ip,
        request_id: entry.request_id,
        hash: stamp_text(&link),
    }
}

/// Returns an entry as the merchant sees it: without the address of an operator or a platform, and without the hash over
/// all accounts.
fn own_entry(chained: Chained) -> types::AuditOwnEntry {
    let Chained {
        sequence, entry, ..
    } = chained;
    let is_merchants = !matches!(entry.principal.as_str(), "admin" | "service" | "platform");
    types::AuditOwnEntry {
        sequence,
        recorded_at: entry.recorded_at.to_datetime(),
        operation: entry.operation,
        principal: entry.principal.as_str().into(),
        principal_id: entry.principal_id,
        target: named(entry.target),
        objects: named(entry.objects),
        ip_address: is_merchants.then_some(entry.ip),
        request_id: entry.request_id,
    }
}

fn named(all: Vec<Named>) -> Vec<types::AuditNamed> {
    let all = all.into_iter();
    all.map(|Named { name, id }| types::AuditNamed { name, id })
        .collect()
}

fn check(verified: Verified, file_faults: Option<Vec<String>>) -> types::AuditCheck {
    let fault = verified.fault.map(|fault| types::AuditFault {
        sequence: fault.sequence,
        kind: fault.kind.as_str().to_owned(),
    });
    types::AuditCheck {
        entries: verified.entries,
        until: verified.until,
        hash: (verified.link != BEGINNING).then(|| stamp_text(&verified.link)),
        finished: verified.is_finished,
        fault,
        file_faults,
    }
}
