//! The page behind a payment link: where a payer pays by card, and reads how it went.
//!
//! It comes as one document that loads nothing but the merchant's logo. The card goes from the browser to the operation
//! that confirms a payment, and nowhere else: the policy that is sent with the page allows no other connection, and no
//! form.

mod amount;
mod colour;
mod language;
mod view;

pub use amount::Amount;
pub use colour::Colour;
pub use language::Language;

/// The page, still to be written.
#[derive(Clone, Debug)]
pub struct PayPage<'a> {
    pub language: Language,
    /// Drawn anew for every page: only what has it runs.
    pub nonce: &'a str,
    pub seller: Option<&'a str>,
    pub amount: Amount<'a>,
    pub look: Look<'a>,
    pub description: Option<&'a str>,
    pub details: Vec<Detail<'a>>,
    pub state: State<'a>,
    /// The way back to the shop.
    pub onward: Option<Onward<'a>>,
}

/// How the payment stands.
#[derive(Clone, Debug)]
pub enum State<'a> {
    /// The payer may pay; perhaps once more.
    Form {
        client: Client<'a>,
        was_declined: bool,
    },
    /// The payer still has to approve, from this address on.
    WaitsForPayer {
        address: &'a str,
    },
    /// The processor wants data of the payer's device first. The page says that it has none, and goes on as it is answered.
    WaitsForDevice {
        client: Client<'a>,
    },
    /// Not decided. The page looks until the status is another one.
    Processing {
        client: Client<'a>,
        status: &'a str,
    },
    Paid,
    Failed,
    Cancelled,
    Expired,
}

/// What the payer's browser calls with.
#[derive(Clone, Copy)]
pub struct Client<'a> {
    pub payment_id: &'a str,
    pub publishable_key: &'a str,
    pub client_secret: &'a str,
}

/// The secret doesn't print.
impl std::fmt::Debug for Client<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client")
            .field("payment_id", &self.payment_id)
            .finish_non_exhaustive()
    }
}

/// What the merchant chose.
#[derive(Clone, Debug, Default)]
pub struct Look<'a> {
    pub theme: Option<&'a str>,
    /// An https address.
    pub logo: Option<&'a str>,
    pub background: Option<&'a str>,
    pub button: Option<&'a str>,
    pub button_text_colour: Option<&'a str>,
    pub button_text: Option<&'a str>,
    /// Over the card's fields.
    pub header: Option<&'a str>,
    /// Under the card's fields.
    pub terms: Option<&'a str>,
    /// Leaves out what is paid for.
    pub form_only: bool,
    /// What is paid for stands over the form, also where there is room beside it.
    pub is_stacked: bool,
    /// The button can't be pressed before the fields are filled.
    pub button_when_ready: bool,
}

/// A line of what is paid for.
#[derive(Clone, Debug)]
pub struct Detail<'a> {
    pub name: &'a str,
    pub value: String,
    pub bold_name: bool,
    pub bold_value: bool,
}

/// How a payer goes back.
#[derive(Clone, Debug)]
pub enum Onward<'a> {
    Link(&'a str),
    /// By a form that carries the pairs.
    Post {
        address: &'a str,
        pairs: &'a [(String, String)],
    },
}

/// The page as it is sent.
#[derive(Clone, Debug)]
pub struct Written {
    pub html: String,
    /// Its `content-security-policy`.
    pub policy: String,
}

impl PayPage<'_> {
    /// The page as it is sent.
    pub fn write(&self) -> Written {
        Written {
            html: view::document(self).into_string(),
            policy: self.policy(),
        }
    }

    fn policy(&self) -> String {
        let nonce = self.nonce;
        let logo = self.look.logo.and_then(origin).unwrap_or("'none'");
        // Browsers apply `form-action` to the redirects behind a form too, and a merchant's may lead anywhere.
        let forms = match self.onward {
            Some(Onward::Post { .. }) => "",
            Some(Onward::Link(_)) | None => " form-action 'none';",
        };
        format!(
            "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; img-src {logo}; \
             connect-src 'self';{forms} base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
        )
    }
}

/// Scheme, host and port of an https address, where it has nothing in it that a policy would read as more than that.
fn origin(address: &str) -> Option<&str> {
    const SCHEME: &str = "https://";
    let rest = address.strip_prefix(SCHEME)?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:[]".contains(&byte);
    (end > 0 && rest[..end].bytes().all(is_plain)).then(|| &address[..SCHEME.len() + end])
}

#[cfg(test)]
mod tests;
