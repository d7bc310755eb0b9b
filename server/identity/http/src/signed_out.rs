//! The answer to a user whose own session has ended.

use dropshot::RequestContext;
use multirail_api::{PlainText, is_console_call};
use multirail_http::Context;

/// Returns the empty answer, which ends the console's cookie where the call came with it.
pub(crate) fn answer(rqctx: &RequestContext<Context>) -> PlainText {
    let nothing = PlainText::new(String::new());
    let is_by_cookie = is_console_call(rqctx.request.uri().path());
    let ended = rqctx.context().console.ended_cookie();
    match ended.filter(|_| is_by_cookie) {
        Some(cookie) => nothing.with_cookie(cookie),
        None => nothing,
    }
}
