//! A stand-in of Adyen, written from its public reference.

mod bank_debits;
mod books;
mod changes;
mod dispute;
mod ledger;
mod notices;
mod payer_methods;

use std::sync::{LazyLock, Mutex, MutexGuard};

use async_trait::async_trait;
use serde_json::{Value, json};

use crate::{Bookkeeper, Call, CardThat, Document, Notice, Processor, Reply, StandIn, TestCard};
pub use ledger::{ENROLLED, Ledger};
pub use payer_methods::LATE;

static DOCUMENT: LazyLock<Document> =
    LazyLock::new(|| Document::read(include_str!("../../../src/adyen/peer.yaml")));

const API_KEY: &str = "AQEyhmfxK4vLaRdDw0m-test";
const MERCHANT_ACCOUNT: &str = "BookshopNL";
const HMAC_KEY: &str = "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056";

/// One company with one merchant account.
pub struct Adyen(Mutex<Ledger>);

impl Adyen {
    pub fn new() -> Self {
        Adyen(Mutex::new(Ledger::new(API_KEY, MERCHANT_ACCOUNT, HMAC_KEY)))
    }

    /// Returns a notice of this item, signed with the account's key.
    pub fn signs(&self, item: Value) -> Notice {
        Notice {
            headers: Vec::new(),
            body: self.ledger().signs(item),
        }
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.0.lock().expect("no test panics within")
    }
}

impl Default for Adyen {
    fn default() -> Self {
        Adyen::new()
    }
}

#[async_trait]
impl Processor for Adyen {
    fn document(&self) -> &'static Document {
        &DOCUMENT
    }

    async fn answer(&self, call: Call) -> Reply {
        let (status, body) = self.ledger().answer(&call);
        Reply::new(status, body)
    }

    fn refuse(&self, message: &str) -> Reply {
        let (status, body) = ledger::error(400, "702", message, "validation");
        Reply::new(status, body)
    }
}

fn credentials(api_key: &str) -> Value {
    json!({ "auth_type": "BodyKey", "api_key": api_key, "key1": MERCHANT_ACCOUNT })
}

impl StandIn for Adyen {
    fn credentials(&self) -> Value {
        credentials(API_KEY)
    }

    fn refused_credentials(&self) -> Value {
        credentials("another")
    }

    /// The connector appends the API version.
    fn metadata(&self, origin: &str) -> Value {
        json!({ "base_url": origin })
    }

    fn card(&self, wanted: CardThat) -> TestCard {
        let (number, holder) = match wanted {
            CardThat::IsApproved => ("4111111145551142", "A. Reader"),
            CardThat::IsDeclined => ("4111111145551142", "NOT_ENOUGH_BALANCE"),
            CardThat::AsksThePayer => (ENROLLED, "A. Reader"),
        };
        TestCard {
            number,
            code: "737",
            holder,
        }
    }

    fn keeper(&self) -> &Mutex<dyn Bookkeeper> {
        &self.0
    }

    fn notice_secret(&self) -> &str {
        HMAC_KEY
    }

    fn notices(&self) -> Vec<Notice> {
        let mut ledger = self.ledger();
        ledger.decide_debits();
        let bodies = ledger.notices().into_iter();
        let notices = bodies.map(|body| DOCUMENT.notice(Vec::new(), body));
        notices.collect()
    }
}
