//! Why a call got no answer, in words.

use std::error::Error;
use std::time::Duration;

/// What an error of the HTTP client means to who reads a report. So long was waited for the whole answer.
pub fn in_words(error: &reqwest::Error, waited: Duration) -> String {
    let cause = cause(error);
    let is_begun = error.is_body() || error.is_decode();
    match (error.is_timeout(), is_begun) {
        (true, false) => format!("no answer in {waited:?}"),
        (true, true) => format!("the answer began and did not end in {waited:?}"),
        (false, true) => format!("the answer broke off: {cause}"),
        (false, false) if error.is_connect() => format!("no connection: {cause}"),
        (false, false) if error.is_builder() => format!("no address: {cause}"),
        (false, false) => format!("no answer: {cause}"),
    }
}

/// The innermost cause: the layers around it say the same in other words, or only that there was an error.
fn cause(error: &reqwest::Error) -> String {
    let mut innermost: &dyn Error = error;
    while let Some(inner) = innermost.source() {
        innermost = inner;
    }
    innermost.to_string()
}
