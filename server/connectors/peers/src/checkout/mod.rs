//! A stand-in of Checkout.com, written from its public reference.

mod books;
mod dispute;
mod ledger;
mod payment;

use std::sync::{LazyLock, Mutex, MutexGuard};

use async_trait::async_trait;
use hmac::{Hmac, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::{Bookkeeper, Call, CardThat, Document, Notice, Processor, Reply, StandIn, TestCard};
pub use ledger::{Ledger, WITHOUT_FUNDS};

use ledger::Said;

static DOCUMENT: LazyLock<Document> =
    LazyLock::new(|| Document::read(include_str!("../../../src/checkout/peer.yaml")));

const SECRET_KEY: &str = "sk_sbox_peerpeerpeerpeerpeerpeer2ab";
const CHANNEL: &str = "pc_peerpeerpeerpeerpeerpeer2b";
/// The merchant's key in the workflow that sends events.
const SIGNATURE_KEY: &str = "peer-signature-key";

/// One merchant with one processing channel.
pub struct Checkout(Mutex<Ledger>);

impl Checkout {
    pub fn new() -> Self {
        Checkout(Mutex::new(Ledger::new(SECRET_KEY, CHANNEL)))
    }

    pub fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.0.lock().expect("no test panics within")
    }
}

impl Default for Checkout {
    fn default() -> Self {
        Checkout::new()
    }
}

#[async_trait]
impl Processor for Checkout {
    fn document(&self) -> &'static Document {
        &DOCUMENT
    }

    async fn answer(&self, call: Call) -> Reply {
        let said = self.ledger().answer(&call);
        reply(said)
    }

    fn refuse(&self, message: &str) -> Reply {
        reply(ledger::invalid(message))
    }
}

/// Adds the request id that every answer has.
fn reply((status, body): Said) -> Reply {
    let mut reply = Reply::new(status, body);
    let number = "0HL80RJLS76I7:00000001".to_owned();
    reply.headers.push(("cko-request-id", number));
    reply
}

fn credentials(api_key: &str) -> Value {
    json!({ "auth_type": "HeaderKey", "api_key": api_key })
}

/// Returns the hash of the body, in hexadecimal digits.
fn signature(body: &[u8]) -> String {
    let mac = Hmac::<Sha256>::new_from_slice(SIGNATURE_KEY.as_bytes()).expect("any length");
    hex::encode(mac.chain_update(body).finalize().into_bytes())
}

impl StandIn for Checkout {
    fn credentials(&self) -> Value {
        credentials(SECRET_KEY)
    }

    fn refused_credentials(&self) -> Value {
        credentials("sk_sbox_anotheranotheranotheranothe")
    }

    fn metadata(&self, origin: &str) -> Value {
        json!({ "base_url": origin, "endpoint_prefix": "vkuhvk4v", "processing_channel_id": CHANNEL })
    }

    fn card(&self, wanted: CardThat) -> TestCard {
        let number = match wanted {
            // The merchant decides whether a payer is authenticated.
            CardThat::IsApproved | CardThat::AsksThePayer => "4242424242424242",
            CardThat::IsDeclined => WITHOUT_FUNDS,
        };
        TestCard {
            number,
            code: "100",
            holder: "A. Reader",
        }
    }

    fn keeper(&self) -> &Mutex<dyn Bookkeeper> {
        &self.0
    }

    fn notice_secret(&self) -> &str {
        SIGNATURE_KEY
    }

    fn notices(&self) -> Vec<Notice> {
        let bodies = self.ledger().events().into_iter();
        let notices = bodies.map(|body| {
            let signed = vec![("cko-signature", signature(&body))];
            DOCUMENT.notice(signed, body)
        });
        notices.collect()
    }
}
