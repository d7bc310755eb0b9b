//! Requests on their way to the log. The request itself only hands its buffers over; the worker masks them.

use std::sync::Arc;

use dropshot::Body;
use http::Response;
use multirail_api::{Finished, LoggedCall, Op, OpInfo, Scheme, SharedAnswer, Tag};
use multirail_app::platform::ports::request_log::LoggedRequest;
use multirail_app::platform::request_log::WaitingRequest;
use multirail_kernel::timestamp::Timestamp;

use super::entry;
use super::mask::BODY_AT_MOST;
use crate::HttpState;

/// Returns whether the calls of an operation are logged. Merchants' keys have to open it, or users do with a payment or
/// a subscription what keys do. Other operations of users and the operator are about people and the service. Reads of
/// the log aren't logged, because a developer who watches it would fill it with them.
pub(crate) fn is_logged(operation: &OpInfo) -> bool {
    if matches!(operation.op, Op::RequestLogList | Op::RequestLogRetrieve) {
        return false;
    }
    if matches!(operation.tag, Tag::UserPayments | Tag::UserSubscriptions) {
        return true;
    }
    let is_merchants = |scheme: &Scheme| match scheme {
        Scheme::ApiKey
        | Scheme::PublishableKey
        | Scheme::SubscriptionClient
        | Scheme::SdkAuthorization
        | Scheme::EphemeralKey => true,
        Scheme::AdminApiKey | Scheme::Bearer => false,
    };
    operation.security.iter().any(is_merchants)
}

/// Lets a finished call wait for the log.
pub(crate) fn add(
    state: &HttpState,
    finished: &Finished<'_>,
    call: &Arc<LoggedCall>,
    response: &mut Response<Body>,
) {
    let log = &state.services.request_log;
    log.add(Box::new(Waiting {
        call: Arc::clone(call),
        request_id: finished.request_id.to_owned(),
        finished_at: log.base.now(),
        duration_micros: i64::try_from(finished.duration.as_micros()).unwrap_or(i64::MAX),
        status: finished.status.as_u16(),
        error_code: finished.error.map(|error| error.code),
        answer: SharedAnswer::read(response, BODY_AT_MOST as u64),
    }));
}

/// A finished call with its buffers.
pub(super) struct Waiting {
    pub call: Arc<LoggedCall>,
    pub request_id: String,
    pub finished_at: Timestamp,
    pub duration_micros: i64,
    pub status: u16,
    pub error_code: Option<&'static str>,
    pub answer: SharedAnswer,
}

impl WaitingRequest for Waiting {
    fn size(&self) -> usize {
        let answer = match &self.answer {
            SharedAnswer::Whole(bytes) => bytes.len(),
            SharedAnswer::TooLong | SharedAnswer::Nothing => 0,
        };
        size_of::<Self>() + self.request_id.len() + self.call.size() + answer
    }

    fn masked(self: Box<Self>) -> Option<LoggedRequest> {
        entry::logged(&self)
    }
}
