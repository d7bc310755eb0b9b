//! What the headers of a request tell of the program and the browser that sent it.

use dropshot::RequestContext;
use http::{HeaderMap, HeaderName, header};
use multirail_api::{ApiError, MerchantOrClient};
use multirail_domain::payments::payment::Program;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::browser::Browser;

use crate::Context;

const SOURCE: &str = "X-Client-Source";
const VERSION: &str = "X-Client-Version";
/// Of a program's name and version, in characters.
const LONGEST_NAME: usize = 64;
/// Of what a browser says by itself, in characters. The rest is cut off: no payer can do anything about it.
const LONGEST_HEADER: usize = 1_024;

/// The program, as it names itself.
///
/// # Errors
/// 422 `IR_05` for a name that is none.
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

/// The browser of a payer who confirms. Of a merchant's server nothing: it is none.
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
