//! The program and the browser that sent a request, as its headers describe them.

use dropshot::RequestContext;
use http::{HeaderMap, HeaderName, header};
use multirail_api::{ApiError, MerchantOrClient};
use multirail_domain::payments::payment::Program;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::browser::Browser;

use crate::Context;

const SOURCE: &str = "X-Client-Source";
const VERSION: &str = "X-Client-Version";
/// The longest name or version of a program, in characters.
const LONGEST_NAME: usize = 64;
/// The longest header of a browser, in characters. The rest is cut off, because payers can't shorten it.
const LONGEST_HEADER: usize = 1_024;

/// Returns the program, as it names itself.
///
/// # Errors
/// 422 `IR_05` for an invalid name.
pub(crate) fn program(headers: &HeaderMap) -> Result<Program, ApiError> {
    let named = |name: &str| match headers.get(name) {
        None => Ok(None),
        Some(value) => value
            .to_str()
            .ok()
            .filter(|text| (1..=LONGEST_NAME).contains(&text.len()) && prints(text))
            .map(|text| Some(text.to_owned()))
            .ok_or_else(|| {
                ApiError::wrong_format(format!(
                    "`{name}` must be 1 to {LONGEST_NAME} characters that print."
                ))
            }),
    };
    Ok(Program {
        source: named(SOURCE)?,
        version: named(VERSION)?,
        unread: UnreadMembers::default(),
    })
}

/// Returns the browser of a payer who confirms; `None` for a merchant's server.
pub(crate) fn browser(
    rqctx: &RequestContext<Context>,
    caller: &MerchantOrClient,
) -> Option<Box<Browser>> {
    match caller {
        MerchantOrClient::Merchant(_) => return None,
        MerchantOrClient::Client(_) => {}
    }
    let headers = rqctx.request.headers();
    let peer = rqctx.request.remote_addr();
    let shown = |name: HeaderName| {
        let text = headers.get(name)?.to_str().ok()?;
        Some(text.chars().take(LONGEST_HEADER).collect())
    };
    Some(Box::new(Browser {
        ip_address: Some(rqctx.context().traffic.client(peer, headers).to_string()),
        user_agent: shown(header::USER_AGENT),
        accept_header: shown(header::ACCEPT),
        accept_language: shown(header::ACCEPT_LANGUAGE),
        ..Browser::default()
    }))
}

fn prints(text: &str) -> bool {
    text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}
