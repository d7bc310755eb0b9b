//! The console's own origin.

use url::Url;

use super::layers::Raw;
use super::values::{Value, text};
use super::{Config, Problem, Setting};

impl Config {
    /// Checks that the console has a host of its own. Scripts of one origin can use all of it, and a cookie of a host is
    /// sent to all of its ports. Beside it payers are answered at the host of `public_url` only, so it has to be known.
    pub(super) fn check_console(&self, problems: &mut Vec<Problem>) {
        let Some(origin) = &self.console_origin else {
            return;
        };
        let is_same = |public: &String| {
            let public = Url::parse(public);
            public.is_ok_and(|public| public.host() == origin.host())
        };
        let what = match &self.given_public_url {
            None => format!("needs {} beside it", Setting::PublicUrl),
            Some(public) if is_same(public) => {
                "has the host of public_url, where payers' pages are; give the console a host of its own".to_owned()
            }
            Some(_) => return,
        };
        let setting = Setting::ConsoleOrigin;
        problems.push(Problem::new(setting, self.source(setting), what));
    }
}

/// Reads the console's origin. Its cookie needs https.
pub(super) fn origin(raw: &Raw) -> Value<Url> {
    let text = text(raw)?;
    let is_origin = |url: &Url| {
        url.scheme() == "https"
            && url.path() == "/"
            && url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none()
    };
    let url = Url::parse(text).ok().filter(is_origin);
    url.ok_or_else(|| {
        format!(
            "must be an https origin such as https://console.example, without a path; not {text:?}"
        )
    })
}
