//! The page of a payment link, where a payer chooses a method, pays and reads the outcome.
//!
//! The page is one document that loads nothing but the merchant's logo. The browser sends the card to the operation
//! that confirms a payment, and nowhere else. The page's policy allows no other connection, and no form. Codes are drawn
//! in the document itself, so that no image is loaded for them.

mod amount;
mod colour;
mod language;
mod mandate;
mod method;
mod step;
mod view;

pub use amount::Amount;
pub use colour::Colour;
pub use language::Language;
pub use mandate::MandateScope;
pub use method::{Bank, Field, FieldKind, Method, banks, method_name};
pub use step::{QrCode, Step, StepForm, Transfer};

/// The data of the page.
#[derive(Clone, Debug)]
pub struct PayPage<'a> {
    pub language: Language,
    /// A random value for every page: the browser runs only elements that carry it.
    pub nonce: &'a str,
    pub seller: Option<&'a str>,
    pub amount: Amount<'a>,
    pub look: Look<'a>,
    pub description: Option<&'a str>,
    pub details: Vec<Detail<'a>>,
    pub state: State<'a>,
    /// The way to another method, in a state in which one waits for the payer.
    pub other_way: Option<OtherWay>,
    /// The way back to the shop.
    pub way_back: Option<WayBack<'a>>,
}

/// The state of the payment.
#[derive(Clone, Debug)]
pub enum State<'a> {
    /// The payer may pay, perhaps after a refused attempt.
    Form {
        client: Client<'a>,
        was_declined: bool,
        choices: Choices<'a>,
    },
    /// The payer still has to approve, starting at this address.
    WaitsForPayer {
        address: &'a str,
        /// The name of the method, unless it is a card.
        method: Option<&'a str>,
    },
    /// The payer acts elsewhere, with what the page shows. The page polls until the status changes.
    Acts {
        client: Client<'a>,
        status: &'a str,
        /// The transferred amount, in minor units. The page polls until it changes, too.
        received: i64,
        step: Step<'a>,
    },
    /// The processor first wants data of the payer's device. The page reports that it has none, and continues with the
    /// answer.
    WaitsForDevice {
        client: Client<'a>,
    },
    /// Undecided. The page polls until the status changes.
    Processing {
        client: Client<'a>,
        status: &'a str,
    },
    Paid,
    Failed,
    Cancelled,
    Expired,
}

/// The payer's way to another method while one waits for them: it can't be replaced before it has ended.
#[derive(Clone, Debug)]
pub enum OtherWay {
    /// The payer cancels at the processor's page.
    Cancel,
    /// This page takes another method after this moment, in RFC 3339.
    After(String),
    /// The payer asks the merchant.
    Merchant,
}

/// The methods among which the payer chooses.
#[derive(Clone, Debug, Default)]
pub struct Choices<'a> {
    pub card: bool,
    /// The methods beside cards.
    pub methods: Vec<Method<'a>>,
    /// The payer's address, as far as the payment knows it: JSON of `payment_method_data.billing`. The payer's answers
    /// complete it.
    pub billing: Option<String>,
}

/// The data with which the payer's browser calls the API.
#[derive(Clone, Copy)]
pub struct Client<'a> {
    pub payment_id: &'a str,
    pub publishable_key: &'a str,
    pub client_secret: &'a str,
}

/// `Debug` without the secret.
impl std::fmt::Debug for Client<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client")
            .field("payment_id", &self.payment_id)
            .finish_non_exhaustive()
    }
}

/// The merchant's choices for the page.
#[derive(Clone, Debug, Default)]
pub struct Look<'a> {
    pub theme: Option<&'a str>,
    /// The logo's https address.
    pub logo: Option<&'a str>,
    pub background: Option<&'a str>,
    pub button: Option<&'a str>,
    pub button_text_colour: Option<&'a str>,
    pub button_text: Option<&'a str>,
    /// A text above the card's fields.
    pub header: Option<&'a str>,
    /// A text below the card's fields.
    pub terms: Option<&'a str>,
    /// True if the page leaves out the order.
    pub form_only: bool,
    /// True if the order is above the form, even where there is room next to it.
    pub is_stacked: bool,
    /// True if the button is disabled until the fields are filled.
    pub button_when_ready: bool,
}

/// A line of the order.
#[derive(Clone, Debug)]
pub struct Detail<'a> {
    pub name: &'a str,
    pub value: String,
    pub bold_name: bool,
    pub bold_value: bool,
}

/// The way back to the shop.
#[derive(Clone, Debug)]
pub enum WayBack<'a> {
    Link(&'a str),
    /// A form that posts the pairs.
    Post {
        address: &'a str,
        pairs: &'a [(String, String)],
    },
}

/// The page with its policy.
#[derive(Clone, Debug)]
pub struct Written {
    pub html: String,
    /// The page's `content-security-policy`.
    pub policy: String,
}

impl PayPage<'_> {
    /// Writes the page.
    pub fn write(&self) -> Written {
        Written {
            html: view::document(self).into_string(),
            policy: self.policy(),
        }
    }

    fn policy(&self) -> String {
        let nonce = self.nonce;
        let logo = self.look.logo.and_then(origin).unwrap_or("'none'");
        // Browsers apply `form-action` to the redirects after a form too, and a merchant's may lead anywhere.
        let forms = match self.way_back {
            Some(WayBack::Post { .. }) => "",
            Some(WayBack::Link(_)) | None => " form-action 'none';",
        };
        format!(
            "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; img-src {logo}; \
             connect-src 'self';{forms} base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
        )
    }
}

/// Returns scheme, host and port of an https address, unless a policy could read more than that in it.
fn origin(address: &str) -> Option<&str> {
    const SCHEME: &str = "https://";
    let rest = address.strip_prefix(SCHEME)?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:[]".contains(&byte);
    (end > 0 && rest[..end].bytes().all(is_plain)).then(|| &address[..SCHEME.len() + end])
}

#[cfg(test)]
mod tests;
