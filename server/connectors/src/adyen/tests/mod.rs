//! Adyen's language, without Adyen.

mod accounts;
mod answers;
mod errors;
mod notices;
mod requests;

use http::{HeaderMap, HeaderName, HeaderValue};

use crate::client::Answer;
use crate::wire::WireAnswer;

/// Of the payment that most tests are about.
const KEY: &str = "mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ";
const PSP: &str = "NC6HT9CRT65ZGN82";

fn answer(status: u16, body: impl ToString) -> Answer {
    answer_with(status, &[], body)
}

fn answer_with(
    status: u16,
    headers: &[(&'static str, &'static str)],
    body: impl ToString,
) -> Answer {
    let headers = headers.iter().map(|(name, value)| {
        let name = HeaderName::from_static(name);
        (name, HeaderValue::from_static(value))
    });
    Ok(WireAnswer {
        status,
        headers: HeaderMap::from_iter(headers),
        body: body.to_string().into_bytes(),
    })
}
