//! A logged request for tests.

use multirail_client::types::{RequestCaller, RequestLogEntry, RequestMethod};

/// Returns a confirm that was refused.
pub(super) fn entry() -> RequestLogEntry {
    RequestLogEntry {
        request_id: "0199e2c4-51c8-7b1e-9d0a-4f7a6c1b2d3e".to_owned(),
        requested_at: "2026-11-29T10:16:31.050Z".parse().expect("a time"),
        duration_ms: 214,
        method: RequestMethod::Post,
        path: "/payments/pay_1/confirm".to_owned(),
        path_template: "/payments/{payment_id}/confirm".to_owned(),
        operation: "payments_confirm".to_owned(),
        status: 400,
        error_code: Some("IR_16".to_owned()),
        caller: RequestCaller::ApiKey,
        caller_id: None,
        profile_id: None,
        payment_id: Some("pay_1".to_owned()),
        object_id: None,
        idempotency_key: None,
        user_agent: None,
        request_body: None,
        request_body_cut: false,
        answer_body: None,
        answer_body_cut: false,
    }
}
