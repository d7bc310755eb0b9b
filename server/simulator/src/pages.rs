//! The simulated processor's pages, where a person approves or rejects as the payer.
//!
//! - `GET /dummy-connector/authorize/{token}` is [`show`].
//! - `GET` or `POST /dummy-connector/complete/{token}?confirm=true|false` is [`complete`]; `half` and
//!   `double` transfer that part of the amount. The page's buttons are POST forms, so that crawlers
//!   of links approve nothing. GET is accepted for scripts.
//!
//! - `GET /dummy-connector/method/{token}` stands for the page that collects device data.
//!
//! The pages read only the path and the query.

use multirail_page::{self as page, HEADERS, escape};

use crate::processor::{Asked, LedgerError, Page, Processor};

/// The answer of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageResponse {
    pub status: u16,
    /// The target of a redirect, with status 302.
    pub location: Option<String>,
    /// The document; empty with a redirect.
    pub html: String,
}

impl PageResponse {
    /// Returns all headers, with names in lower case.
    pub fn headers(&self) -> Vec<(&'static str, String)> {
        let mut headers: Vec<(&'static str, String)> = HEADERS
            .iter()
            .map(|(name, value)| (*name, (*value).to_owned()))
            .collect();
        if let Some(location) = &self.location {
            headers.push(("location", location.clone()));
        }
        headers
    }
}

/// Returns the page at this path, if there is one. `query` is the text after the question mark.
pub fn answer(
    processor: &Processor,
    method: &str,
    path: &str,
    query: &str,
) -> Option<PageResponse> {
    let (verb, token) = path.strip_prefix("/dummy-connector/")?.split_once('/')?;
    match (method, verb) {
        ("GET" | "HEAD", "authorize") => Some(show(processor, token)),
        ("GET" | "HEAD", "method") => Some(notice(200, "The data of this device are collected.")),
        ("GET" | "POST", "complete") => {
            let choice = url::form_urlencoded::parse(query.as_bytes())
                .find(|(name, _)| name == "confirm")
                .map(|(_, value)| value.into_owned());
            Some(complete(processor, token, choice.as_deref()))
        }
        _ => None,
    }
}

/// Returns the page where the payer decides.
pub fn show(processor: &Processor, token: &str) -> PageResponse {
    match processor.page(token) {
        Ok(Page::Open(asked)) => document(200, &question(token, &asked)),
        Ok(Page::Closed { .. }) => notice(410, "This payment is already decided."),
        Ok(Page::Expired) => expired(),
        Ok(Page::Unknown) => unknown(),
        Err(error) => failed(&error),
    }
}

/// Records the payer's decision and redirects to the merchant. `confirm` is the query parameter.
pub fn complete(processor: &Processor, token: &str, confirm: Option<&str>) -> PageResponse {
    let decided = match confirm {
        Some("true") => processor.decide(token, true),
        Some("false") => processor.decide(token, false),
        Some("half") => transfer(processor, token, |amount| amount / 2),
        Some("double") => transfer(processor, token, |amount| amount.saturating_mul(2)),
        Some(_) | None => return notice(400, "The address needs confirm=true or confirm=false."),
    };
    match decided {
        Ok(Page::Closed { return_url }) => PageResponse {
            status: 302,
            location: Some(return_url),
            html: String::new(),
        },
        // No decision yet: show the page again.
        Ok(Page::Open(asked)) => document(200, &question(token, &asked)),
        Ok(Page::Expired) => expired(),
        Ok(Page::Unknown) => unknown(),
        Err(error) => failed(&error),
    }
}

/// Transfers a part of the amount that the page shows.
fn transfer(
    processor: &Processor,
    token: &str,
    part: impl Fn(i64) -> i64,
) -> Result<Page, LedgerError> {
    match processor.page(token)? {
        Page::Open(asked) if asked.is_transfer => {
            processor.transfer(token, part(asked.money.amount_minor))
        }
        page => Ok(page),
    }
}

fn question(token: &str, asked: &Asked) -> String {
    let token = escape(token);
    let connector = escape(&asked.connector);
    let amount = escape(&asked.money.to_string());
    // Relative addresses let the page work under any path.
    let form = |confirm: &str, class: &str, label: &str| {
        format!(
            "<form method=\"post\" action=\"../complete/{token}?confirm={confirm}\">\
             <button class=\"{class}\">{label}</button></form>"
        )
    };
    let (title, text, yes, no) = match asked.method {
        None => (
            "Is this payment yours?".to_owned(),
            format!("{connector} wants to be sure that it is you who pays."),
            "Approve",
            "Reject",
        ),
        Some(method) => {
            let at = asked.bank.as_deref().map(escape);
            let at = at.map_or_else(String::new, |bank| format!(" at {bank}"));
            (
                format!("Pay with {method}?"),
                format!("{connector} shows this page in place of {method}{at}."),
                "Pay",
                "Cancel",
            )
        }
    };
    let approve = form("true", "yes", yes);
    let reject = form("false", "no", no);
    let parts = match asked.is_transfer {
        true => form("half", "no", "Pay half") + &form("double", "no", "Pay double"),
        false => String::new(),
    };
    format!(
        "<h1>{title}</h1>\n\
         <p>{text}</p>\n\
         <p class=\"amount\">{amount}</p>\n\
         <div class=\"choice\">{approve}{reject}{parts}</div>\n\
         <small>This is a simulated processor. No money moves.</small>"
    )
}

fn expired() -> PageResponse {
    notice(410, "The time to decide about this payment is over.")
}

fn unknown() -> PageResponse {
    notice(404, "There is no payment here.")
}

fn failed(error: &LedgerError) -> PageResponse {
    tracing::error!(%error, "a page of the simulator failed");
    notice(
        500,
        "The simulated processor has trouble of its own. Please try again.",
    )
}

fn notice(status: u16, text: &str) -> PageResponse {
    let text = escape(text);
    document(
        status,
        &format!("<h1>Simulated processor</h1>\n<p>{text}</p>"),
    )
}

fn document(status: u16, main: &str) -> PageResponse {
    PageResponse {
        status,
        location: None,
        html: page::document("Simulated processor", main),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use multirail_kernel::money::Money;

    fn asked() -> Asked {
        Asked {
            connector: "stripe_test".to_owned(),
            money: Money::new(6540, "USD".parse().expect("a currency")),
            is_transfer: false,
            method: None,
            bank: None,
        }
    }

    #[test]
    fn the_page_of_a_method_names_it_and_the_bank() {
        let asked = Asked {
            method: Some("iDEAL"),
            bank: Some("ing<1>".to_owned()),
            ..asked()
        };
        let page = document(200, &question("token", &asked)).html;
        assert!(page.contains("<h1>Pay with iDEAL?</h1>"), "{page}");
        assert!(
            page.contains("in place of iDEAL at ing&lt;1&gt;."),
            "{page}"
        );
        assert!(
            page.contains(">Pay</button>") && page.contains(">Cancel</button>"),
            "{page}"
        );
    }

    #[test]
    fn the_page_shows_major_units_and_posts_the_decision() {
        let page = document(200, &question("tok<1>", &asked()));
        assert!(page.html.contains(">65.40 USD<"));
        assert!(
            page.html.contains(
                "<form method=\"post\" action=\"../complete/tok&lt;1&gt;?confirm=true\">"
            )
        );
        assert!(page.html.contains("?confirm=false"));
        assert!(!page.html.contains("tok<1>"));
    }
}
