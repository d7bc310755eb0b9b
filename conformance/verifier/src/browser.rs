//! A payer's browser: it opens pages, presses buttons, and follows redirects until they leave the server.

use std::net::Ipv4Addr;

use reqwest::{Method, Url};

use crate::lost;
use crate::wire::Wire;

/// A browser.
#[derive(Clone, Debug)]
pub struct Browser {
    wire: Wire,
    base_url: Url,
    http: reqwest::Client,
}

/// The page that the browser shows at the end.
#[derive(Clone, Debug)]
pub struct Page {
    pub url: Url,
    pub status: u16,
    pub html: String,
}

/// A form of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// The absolute address that the form is sent to.
    pub action: Url,
    /// The text on the form's button.
    pub button: String,
    /// The form's hidden inputs.
    pub inputs: Vec<(String, String)>,
}

/// More redirects than any real chain has.
const REDIRECTS: usize = 10;

impl Browser {
    /// Creates a browser for the wire's server. At other addresses it stops and shows only the address.
    ///
    /// # Panics
    /// Panics when the HTTP client can't be created or the wire's address is invalid.
    pub fn new(wire: &Wire) -> Self {
        let http = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .build()
            .expect("an HTTP client can be made");
        Self {
            wire: wire.clone(),
            base_url: Url::parse(wire.base_url()).expect("the wire leads to an address"),
            http,
        }
    }

    /// Opens an address.
    ///
    /// # Errors
    /// Fails with the reason when the page can't be loaded.
    pub async fn opens(&self, url: &str) -> Result<Page, String> {
        let url = Url::parse(url).map_err(|error| format!("{url} is no address: {error}"))?;
        self.follow(Method::GET, url, &[]).await
    }

    /// Opens an address of the server.
    ///
    /// # Errors
    /// Fails with the reason when the page is elsewhere or can't be loaded.
    pub async fn opens_here(&self, url: &str) -> Result<Page, String> {
        let page = self.opens(url).await?;
        self.is_here(&page).map(|()| page)
    }

    fn is_here(&self, page: &Page) -> Result<(), String> {
        let (base, url) = (&self.base_url, &page.url);
        let elsewhere = || format!("{url} was not opened, as it is elsewhere than {base}");
        is_at(base, url).then_some(()).ok_or_else(elsewhere)
    }

    /// Presses the button with this text.
    ///
    /// # Errors
    /// Fails when there is no such button or the page can't be loaded.
    pub async fn presses(&self, page: &Page, button: &str) -> Result<Page, String> {
        self.is_here(page)?;
        let forms = page.forms();
        let form = forms.iter().find(|form| form.button == button);
        let form = form
            .ok_or_else(|| format!("there is no button {button} on {}: {}", page.url, page.html))?;
        self.follow(Method::POST, form.action.clone(), &form.inputs)
            .await
    }

    async fn follow(
        &self,
        method: Method,
        url: Url,
        form: &[(String, String)],
    ) -> Result<Page, String> {
        let (mut method, mut url) = (method, url);
        for _ in 0..REDIRECTS {
            if !is_at(&self.base_url, &url) {
                return Ok(Page {
                    url,
                    status: 0,
                    html: String::new(),
                });
            }
            let patience = self.wire.patience()?;
            let request = self.http.request(method.clone(), url.clone());
            let mut request = request.timeout(patience);
            if method == Method::POST {
                let mut encoded = Url::parse("http://localhost/").expect("an address");
                encoded.query_pairs_mut().extend_pairs(form);
                request = request
                    .header("content-type", "application/x-www-form-urlencoded")
                    .body(encoded.query().unwrap_or_default().to_owned());
            }
            let unanswered = |error: reqwest::Error| match self.wire.unanswered() {
                Ok(()) => format!("{url}: {}", lost::in_words(&error, patience)),
                Err(ended) => ended,
            };
            let response = request.send().await.map_err(&unanswered)?;
            let status = response.status().as_u16();
            let location = response
                .headers()
                .get("location")
                .and_then(|value| value.to_str().ok());
            match (status, location) {
                (302 | 303, Some(location)) => {
                    self.wire.answered();
                    url = url
                        .join(location)
                        .map_err(|error| format!("{location}: {error}"))?;
                    method = Method::GET;
                }
                _ => {
                    let html = response.text().await.map_err(unanswered)?;
                    self.wire.answered();
                    return Ok(Page { url, status, html });
                }
            }
        }
        Err(format!("the redirects don't end: {url}"))
    }
}

/// Returns whether an address belongs to the server at the base address. All names of the loopback count as the same
/// server, because the server doesn't know under which name it was called.
fn is_at(base: &Url, url: &Url) -> bool {
    let has_same_host = base.host() == url.host() || (is_loopback(base) && is_loopback(url));
    let is_same_server = base.scheme() == url.scheme()
        && has_same_host
        && base.port_or_known_default() == url.port_or_known_default();
    let folder = base.path().trim_end_matches('/');
    let rest = url.path().strip_prefix(folder);
    is_same_server && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn is_loopback(url: &Url) -> bool {
    match url.host_str() {
        Some("localhost" | "[::1]") => true,
        Some(host) => host
            .parse::<Ipv4Addr>()
            .is_ok_and(|address| address.is_loopback()),
        None => false,
    }
}

impl Page {
    /// Returns the query parameters of the page's address.
    pub fn query(&self) -> Vec<(String, String)> {
        self.url.query_pairs().into_owned().collect()
    }

    /// Returns a query parameter.
    pub fn query_value(&self, name: &str) -> Option<String> {
        self.query()
            .into_iter()
            .find(|(named, _)| named == name)
            .map(|(_, value)| value)
    }

    /// Returns the page's forms.
    ///
    /// # Panics
    /// Panics when a form has an invalid address.
    pub fn forms(&self) -> Vec<Form> {
        let forms = self.html.split("<form ").skip(1);
        forms
            .map(|rest| {
                let form = rest.split("</form>").next().unwrap_or(rest);
                let action = attribute(form, "action").expect("a form has an action");
                Form {
                    action: self.url.join(&action).expect("a form leads to an address"),
                    button: form
                        .split_once("<button")
                        .and_then(|(_, rest)| rest.split_once('>'))
                        .and_then(|(_, rest)| rest.split_once("</button>"))
                        .map(|(text, _)| text.to_owned())
                        .unwrap_or_default(),
                    inputs: form
                        .split("<input ")
                        .skip(1)
                        .filter_map(|input| {
                            Some((attribute(input, "name")?, attribute(input, "value")?))
                        })
                        .collect(),
                }
            })
            .collect()
    }
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!("{name}=\""))?;
    let (value, _) = rest.split_once('"')?;
    Some(
        value
            .replace("&quot;", "\"")
            .replace("&#39;", "'")
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&amp;", "&"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_page_elsewhere_is_not_opened_and_said_to_be_elsewhere() {
        let browser = Browser::new(&Wire::new("http://127.0.0.1:8080"));
        let page = "http://127.0.0.1:8081/page";
        let why = "http://127.0.0.1:8081/page was not opened, as it is elsewhere than http://127.0.0.1:8080/";
        let opened = browser.opens_here(page).await;
        assert_eq!(opened.map(|page| page.url).as_ref(), Err(&why.to_owned()));
        let left = browser.opens(page).await.expect("its address is shown");
        let pressed = browser.presses(&left, "Approve").await;
        assert_eq!(pressed.map(|page| page.url), Err(why.to_owned()));
    }

    #[test]
    fn a_server_is_known_by_its_origin_and_on_this_machine_by_each_name_of_it() {
        let is_at = |base: &str, url: &str| {
            let parsed = |text: &str| Url::parse(text).expect("an address");
            is_at(&parsed(base), &parsed(url))
        };
        for (base, url) in [
            ("http://localhost:8080", "http://127.0.0.1:8080/page"),
            ("http://127.0.0.1:8080", "http://[::1]:8080/page"),
            ("https://pay.example", "https://pay.example:443/page?a=1"),
            ("https://pay.example/api", "https://pay.example/api/page"),
        ] {
            assert!(is_at(base, url), "{base} has {url}");
        }
        for (base, url) in [
            ("http://localhost:8080", "http://127.0.0.1:8081/page"),
            ("http://localhost:808", "http://localhost:8080/page"),
            ("http://localhost:8080", "https://shop.example/thanks"),
            ("https://pay.example", "https://pay.example.evil/page"),
            ("https://pay.example", "http://pay.example/page"),
            ("https://pay.example/api", "https://pay.example/apis"),
        ] {
            assert!(!is_at(base, url), "{base} doesn't have {url}");
        }
    }
}
