//! The simulated processor's pages, where a person plays the payer and approves or rejects.
//!
//! - `GET /dummy-connector/authorize/{token}` is [`show`].
//! - `GET` or `POST /dummy-connector/complete/{token}?confirm=true|false` is [`complete`]. The page's buttons are POST
//!   forms, so that nothing that merely follows links approves a payment; a GET is taken too, for scripts.
//!
//! Both read the path and the query only.

use multirail_domain::money::Money;

use super::processor::{LedgerError, Page, Processor};

/// Set with every page: no script, no outside resource, no frame around it, and the one style sheet that stands in
/// it. Where forms may lead is left open on purpose: browsers apply `form-action` to the redirects behind the form
/// too, and these lead to whatever address the merchant gave.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; \
    style-src 'sha256-PikYmAdajELykS8dupjkC8DJJxJ8hpiPzLDeegGPoKk='; base-uri 'none'; frame-ancestors 'none'";

const STYLE: &str = "
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #f3f4f6; color: #111827;
  font: 16px/1.5 system-ui, sans-serif }
main { box-sizing: border-box; width: min(26rem, 100vw); padding: 2rem; background: #fff; border-radius: .75rem;
  box-shadow: 0 1px 3px #0003; text-align: center }
h1 { margin: 0 0 .5rem; font-size: 1.25rem }
p { margin: 0 0 1rem; color: #4b5563 }
.amount { margin: 1.5rem 0; font-size: 2rem; font-weight: 600; color: #111827 }
.choice { display: flex; gap: .75rem }
form { flex: 1 }
button { width: 100%; padding: .75rem; border: 1px solid #d1d5db; border-radius: .5rem; background: #fff;
  color: inherit; font: inherit; cursor: pointer }
button.yes { border-color: #047857; background: #047857; color: #fff }
small { display: block; margin-top: 1.5rem; color: #6b7280 }
";

/// What a page answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageResponse {
    pub status: u16,
    /// Where the browser goes, with status 302.
    pub location: Option<String>,
    /// The document; empty with a redirect.
    pub html: String,
}

impl PageResponse {
    /// All headers, names in lower case.
    pub fn headers(&self) -> Vec<(&'static str, String)> {
        let mut headers = vec![
            ("content-type", "text/html; charset=utf-8".to_owned()),
            (
                "content-security-policy",
                CONTENT_SECURITY_POLICY.to_owned(),
            ),
            ("cache-control", "no-store".to_owned()),
            // The token in the address is nobody else's business.
            ("referrer-policy", "no-referrer".to_owned()),
            ("x-content-type-options", "nosniff".to_owned()),
        ];
        if let Some(location) = &self.location {
            headers.push(("location", location.clone()));
        }
        headers
    }
}

/// The page at this path, if there is one. `query` as it stands behind the question mark.
pub fn answer(
    processor: &Processor,
    method: &str,
    path: &str,
    query: &str,
) -> Option<PageResponse> {
    let (verb, token) = path.strip_prefix("/dummy-connector/")?.split_once('/')?;
    match (method, verb) {
        ("GET" | "HEAD", "authorize") => Some(show(processor, token)),
        ("GET" | "POST", "complete") => {
            let choice = url::form_urlencoded::parse(query.as_bytes())
                .find(|(name, _)| name == "confirm")
                .map(|(_, value)| value.into_owned());
            Some(complete(processor, token, choice.as_deref()))
        }
        _ => None,
    }
}

/// The page where the payer decides.
pub fn show(processor: &Processor, token: &str) -> PageResponse {
    match processor.page(token) {
        Ok(Page::Open { connector, money }) => document(200, &question(token, &connector, money)),
        Ok(Page::Closed { .. }) => notice(410, "This payment is already decided."),
        Ok(Page::Expired) => expired(),
        Ok(Page::Unknown) => unknown(),
        Err(error) => failed(&error),
    }
}

/// Takes the payer's decision, and sends the browser back to the merchant. `confirm` is the query parameter.
pub fn complete(processor: &Processor, token: &str, confirm: Option<&str>) -> PageResponse {
    let approve = match confirm {
        Some("true") => true,
        Some("false") => false,
        Some(_) | None => return notice(400, "The address needs confirm=true or confirm=false."),
    };
    match processor.decide(token, approve) {
        Ok(Page::Closed { return_url }) => PageResponse {
            status: 302,
            location: Some(return_url),
            html: String::new(),
        },
        // Still undecided: ask again.
        Ok(Page::Open { connector, money }) => document(200, &question(token, &connector, money)),
        Ok(Page::Expired) => expired(),
        Ok(Page::Unknown) => unknown(),
        Err(error) => failed(&error),
    }
}

fn question(token: &str, connector: &str, money: Money) -> String {
    let token = escape(token);
    let connector = escape(connector);
    let amount = escape(&money.to_string());
    // Relative addresses, so that the page works under whatever path it is served.
    let form = |confirm: bool, class: &str, label: &str| {
        format!(
            "<form method=\"post\" action=\"../complete/{token}?confirm={confirm}\">\
             <button class=\"{class}\">{label}</button></form>"
        )
    };
    let approve = form(true, "yes", "Approve");
    let reject = form(false, "no", "Reject");
    format!(
        "<h1>Is this payment yours?</h1>\n\
         <p>{connector} wants to be sure that it is you who pays.</p>\n\
         <p class=\"amount\">{amount}</p>\n\
         <div class=\"choice\">{approve}{reject}</div>\n\
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
    let html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"robots\" content=\"noindex\">\n\
         <title>Simulated processor</title>\n<style>{STYLE}</style>\n</head>\n\
         <body>\n<main>\n{main}\n</main>\n</body>\n</html>\n"
    );
    PageResponse {
        status,
        location: None,
        html,
    }
}

/// Text as HTML text or attribute value.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use sha2::Digest as _;

    use super::*;

    #[test]
    fn the_policy_names_the_style_sheet() {
        let digest = sha2::Sha256::digest(STYLE.as_bytes());
        let hash = base64::engine::general_purpose::STANDARD.encode(digest);
        assert!(
            CONTENT_SECURITY_POLICY.contains(&hash),
            "it should be {hash}"
        );
    }

    #[test]
    fn what_comes_from_outside_is_escaped() {
        assert_eq!(
            escape(r#"<a href="x" title='y'>&</a>"#),
            "&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;&lt;/a&gt;"
        );
    }

    #[test]
    fn the_page_shows_major_units_and_posts_the_decision() {
        let money = Money::new(6540, "USD".parse().expect("a currency"));
        let page = document(200, &question("tok<1>", "stripe_test", money));
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
