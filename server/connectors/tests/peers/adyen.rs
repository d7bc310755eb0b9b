//! Adyen's side, in memory, as its public reference tells it: payments are answered at once, changes of payments are received
//! and their outcome is told by a notice, and an answer is given again to whoever asks again under the same key.
//!
//! The account is set to capture payments days after they were made and takes any number of captures of one: what is taken
//! when is the request's to say.

use std::collections::{BTreeMap, HashMap};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

/// Enrolled for 3-D Secure, as Adyen's own test card of this number is.
pub const ENROLLED: &str = "5454545454545454";
/// Holders' names by which Adyen's tests are steered, with code and words of the refusal.
const STEERED: [(&str, &str, &str); 4] = [
    ("DECLINED", "2", "Refused"),
    ("NOT_ENOUGH_BALANCE", "12", "Not enough balance"),
    ("CARD_EXPIRED", "6", "Expired Card"),
    ("BLOCK_CARD", "5", "Blocked Card"),
];

/// What is asked, after it was checked against the description.
pub struct Asked<'a> {
    pub operation: &'a str,
    /// The payment that the path names.
    pub payment: Option<&'a str>,
    pub api_key: Option<&'a str>,
    pub idempotency_key: Option<&'a str>,
    pub body: &'a Value,
}

pub type Said = (u16, Value);

/// One company with one merchant account.
pub struct Ledger {
    api_key: String,
    merchant_account: String,
    hmac_key: Vec<u8>,
    payments: BTreeMap<String, Payment>,
    /// What payers can come back with, and for which payment it stands; `true` where the payer authenticated.
    results: HashMap<String, (String, bool)>,
    answers: HashMap<String, Said>,
    notices: Vec<Value>,
    count: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Capture {
    AtOnce,
    ByRequest,
    InSomeDays,
}

#[derive(Clone, Debug)]
struct Payment {
    reference: String,
    amount: i64,
    currency: String,
    capture: Capture,
    /// Unset while the payer is away.
    authorised: Option<bool>,
    captured: i64,
    refunded: i64,
    is_cancelled: bool,
}

impl Payment {
    fn left(&self) -> i64 {
        if self.authorised == Some(true) && !self.is_cancelled {
            self.amount - self.captured
        } else {
            0
        }
    }

    fn authorise(&mut self) {
        self.authorised = Some(true);
        if self.capture == Capture::AtOnce {
            self.captured = self.amount;
        }
    }
}

impl Ledger {
    /// `hmac_key` is in hexadecimal digits.
    pub fn new(api_key: &str, merchant_account: &str, hmac_key: &str) -> Self {
        Ledger {
            api_key: api_key.to_owned(),
            merchant_account: merchant_account.to_owned(),
            hmac_key: hex::decode(hmac_key).expect("hexadecimal digits"),
            payments: BTreeMap::new(),
            results: HashMap::new(),
            answers: HashMap::new(),
            notices: Vec::new(),
            count: 0,
        }
    }

    /// The answer to a request; the stored one, if its key has one.
    pub fn answer(&mut self, asked: &Asked<'_>) -> Said {
        if asked.api_key != Some(&self.api_key) {
            let message = "HTTP Status Response - Unauthorized";
            return error(401, "000", message, "security");
        }
        let is_finish = asked.operation == "finish";
        if !is_finish && asked.body["merchantAccount"] != self.merchant_account.as_str() {
            return error(403, "901", "Invalid Merchant Account", "security");
        }
        let Some(key) = asked.idempotency_key else {
            return self.do_it(asked);
        };
        if key.len() > 64 {
            return error(400, "702", "The idempotency key is too long", "validation");
        }
        if let Some(stored) = self.answers.get(key) {
            return stored.clone();
        }
        let said = self.do_it(asked);
        self.answers.insert(key.to_owned(), said.clone());
        said
    }

    /// What was told since the last time, each as the body of one request.
    pub fn take_notices(&mut self) -> Vec<Vec<u8>> {
        let notices = std::mem::take(&mut self.notices);
        notices
            .into_iter()
            .map(|item| {
                let items = json!([{ "NotificationRequestItem": item }]);
                let body = json!({ "live": "false", "notificationItems": items });
                body.to_string().into_bytes()
            })
            .collect()
    }

    /// The payer does what the page wants, or gives up; with this query he is sent back.
    pub fn visit(&mut self, page: &str, authenticates: bool) -> Option<String> {
        let psp = page.rsplit_once("MD=")?.1.to_owned();
        self.payments.get(&psp)?;
        let result = format!("X{}!{authenticates}", self.next());
        self.results.insert(result.clone(), (psp, authenticates));
        let query = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("redirectResult", &result)
            .finish();
        Some(query)
    }

    /// What all payments came to: captured and given back, in Adyen's units.
    pub fn taken(&self) -> (i64, i64) {
        let payments = self.payments.values();
        payments.fold((0, 0), |(captured, refunded), payment| {
            (captured + payment.captured, refunded + payment.refunded)
        })
    }

    fn do_it(&mut self, asked: &Asked<'_>) -> Said {
        match asked.operation {
            "pay" => self.pay(asked.body),
            "finish" => self.finish(asked.body),
            "capture" | "cancel" | "reverse" | "refund" => self.modify(asked),
            "cancelByReference" => self.cancel_by_reference(asked.body),
            "listPaymentMethods" => {
                let methods = json!([{ "name": "Cards", "type": "scheme" }]);
                (200, json!({ "paymentMethods": methods }))
            }
            other => panic!("the description has an operation that the ledger hasn't: {other}"),
        }
    }

    fn pay(&mut self, body: &Value) -> Said {
        let card = &body["paymentMethod"];
        let reference = text(&body["reference"]);
        let is_manual = body["additionalData"]["manualCapture"] == "true";
        let capture = match (is_manual, body["captureDelayHours"].as_i64()) {
            (true, _) => Capture::ByRequest,
            (false, Some(0)) => Capture::AtOnce,
            (false, _) => Capture::InSomeDays,
        };
        let psp = self.next();
        let mut payment = Payment {
            reference: reference.clone(),
            amount: body["amount"]["value"].as_i64().unwrap_or_default(),
            currency: text(&body["amount"]["currency"]),
            capture,
            authorised: None,
            captured: 0,
            refunded: 0,
            is_cancelled: false,
        };
        let mut answer = json!({ "pspReference": psp, "merchantReference": reference });
        let holder = card["holderName"].as_str().unwrap_or_default();
        let steered = STEERED.iter().find(|(name, ..)| *name == holder);
        if let Some((_, code, words)) = steered {
            payment.authorised = Some(false);
            answer["resultCode"] = json!("Refused");
            answer["refusalReason"] = json!(words);
            answer["refusalReasonCode"] = json!(code);
            answer["additionalData"] = json!({ "refusalReasonRaw": format!("05 : {words}") });
            self.tell(
                "AUTHORISATION",
                &psp,
                None,
                &payment,
                payment.amount,
                Err(words),
            );
        } else if card["number"] == ENROLLED {
            let page = format!("https://checkoutshopper-test.adyen.com/threeDS/redirect?MD={psp}");
            answer["resultCode"] = json!("RedirectShopper");
            answer["action"] = json!({
                "type": "redirect", "method": body["redirectToIssuerMethod"], "url": page,
                "paymentMethodType": "scheme",
            });
        } else {
            payment.authorise();
            authorised(&mut answer, &payment);
            self.tell(
                "AUTHORISATION",
                &psp,
                None,
                &payment,
                payment.amount,
                Ok(()),
            );
        }
        self.payments.insert(psp, payment);
        (200, answer)
    }

    fn finish(&mut self, body: &Value) -> Said {
        let result = text(&body["details"]["redirectResult"]);
        let Some((psp, authenticates)) = self.results.get(&result).cloned() else {
            return error(422, "101", "Invalid redirectResult", "validation");
        };
        let mut payment = self.payments[&psp].clone();
        let is_new = payment.authorised.is_none();
        let mut answer = json!({ "pspReference": psp, "merchantReference": payment.reference });
        if is_new && authenticates {
            payment.authorise();
            self.tell(
                "AUTHORISATION",
                &psp,
                None,
                &payment,
                payment.amount,
                Ok(()),
            );
        } else if is_new {
            payment.authorised = Some(false);
            let words = Err("3D Not Authenticated");
            self.tell("AUTHORISATION", &psp, None, &payment, payment.amount, words);
        }
        if payment.authorised == Some(true) {
            authorised(&mut answer, &payment);
        } else {
            answer["resultCode"] = json!("Refused");
            answer["refusalReason"] = json!("3D Not Authenticated");
            answer["refusalReasonCode"] = json!("11");
        }
        self.payments.insert(psp, payment);
        (200, answer)
    }

    fn modify(&mut self, asked: &Asked<'_>) -> Said {
        let original = asked.payment.unwrap_or_default().to_owned();
        let Some(mut payment) = self.payments.get(&original).cloned() else {
            let message = "Original pspReference required for this operation";
            return error(422, "167", message, "validation");
        };
        let body = asked.body;
        let amount = body["amount"]["value"].as_i64().unwrap_or(payment.amount);
        let currency = body["amount"]["currency"]
            .as_str()
            .unwrap_or(&payment.currency);
        if currency != payment.currency || amount <= 0 {
            return error(422, "137", "Invalid amount specified", "validation");
        }
        let (event, done) = match asked.operation {
            "capture" if amount <= payment.left() => {
                payment.captured += amount;
                ("CAPTURE", Ok(()))
            }
            "capture" => ("CAPTURE", Err("Insufficient balance on payment")),
            "cancel" if payment.left() > 0 => {
                payment.is_cancelled = true;
                ("CANCELLATION", Ok(()))
            }
            "cancel" => (
                "CANCELLATION",
                Err("Transaction was already captured or cancelled"),
            ),
            "reverse" if payment.authorised == Some(true) && !payment.is_cancelled => {
                payment.is_cancelled = true;
                payment.refunded = payment.captured;
                ("CANCEL_OR_REFUND", Ok(()))
            }
            "reverse" => ("CANCEL_OR_REFUND", Err("Transaction is not authorised")),
            "refund" if payment.refunded + amount <= payment.captured => {
                payment.refunded += amount;
                ("REFUND", Ok(()))
            }
            _ => ("REFUND", Err("Insufficient balance on payment")),
        };
        let psp = self.next();
        let mut answer = json!({
            "merchantAccount": self.merchant_account, "paymentPspReference": original, "pspReference": psp,
            "reference": body["reference"], "status": "received",
        });
        if let Some(amount) = body.get("amount") {
            answer["amount"] = amount.clone();
        }
        let told = Payment {
            reference: text(&body["reference"]),
            ..payment.clone()
        };
        self.tell(event, &psp, Some(&original), &told, amount, done);
        self.payments.insert(original, payment);
        (201, answer)
    }

    fn cancel_by_reference(&mut self, body: &Value) -> Said {
        let reference = text(&body["paymentReference"]);
        let psp = self.next();
        let mut payments = self.payments.iter();
        let found = payments.find(|(_, payment)| payment.reference == reference);
        if let Some((original, payment)) =
            found.map(|(psp, payment)| (psp.clone(), payment.clone()))
        {
            let done = if payment.left() > 0 {
                Ok(())
            } else {
                Err("Transaction was already captured or cancelled")
            };
            let is_cancelled = payment.is_cancelled || done.is_ok();
            let payment = Payment {
                is_cancelled,
                ..payment
            };
            self.tell(
                "TECHNICAL_CANCEL",
                &psp,
                Some(&original),
                &payment,
                payment.amount,
                done,
            );
            self.payments.insert(original, payment);
        }
        let answer = json!({
            "merchantAccount": self.merchant_account, "paymentReference": reference, "pspReference": psp,
            "reference": body["reference"], "status": "received",
        });
        (201, answer)
    }

    /// Signs and files a notice.
    fn tell(
        &mut self,
        event: &str,
        psp: &str,
        original: Option<&str>,
        about: &Payment,
        amount: i64,
        done: Result<(), &str>,
    ) {
        let success = if done.is_ok() { "true" } else { "false" };
        let Payment {
            reference,
            currency,
            ..
        } = about;
        let signed = format!(
            "{psp}:{}:{}:{reference}:{amount}:{currency}:{event}:{success}",
            original.unwrap_or_default(),
            self.merchant_account
        );
        let mac = Hmac::<Sha256>::new_from_slice(&self.hmac_key).expect("any length");
        let signature = STANDARD.encode(mac.chain_update(signed).finalize().into_bytes());
        let mut item = json!({
            "additionalData": { "hmacSignature": signature },
            "amount": { "currency": currency, "value": amount }, "eventCode": event,
            "eventDate": "2026-01-31T12:00:00+01:00", "merchantAccountCode": self.merchant_account,
            "merchantReference": reference, "paymentMethod": "visa", "pspReference": psp,
            "reason": done.err().unwrap_or_default(), "success": success,
        });
        if let Some(original) = original {
            item["originalReference"] = json!(original);
        }
        self.notices.push(item);
    }

    /// Sixteen characters, as all references of Adyen's have.
    fn next(&mut self) -> String {
        self.count += 1;
        format!("PSP{:013}", self.count)
    }
}

fn authorised(answer: &mut Value, payment: &Payment) {
    answer["resultCode"] = json!("Authorised");
    answer["amount"] = json!({ "currency": payment.currency, "value": payment.amount });
    answer["additionalData"] = json!({
        "networkTxReference": "MCC123456789012", "avsResultRaw": "Y", "cvcResultRaw": "M",
        "refusalReasonRaw": "AUTHORISED",
    });
}

fn error(status: u16, code: &str, message: &str, kind: &str) -> Said {
    let body =
        json!({ "status": status, "errorCode": code, "message": message, "errorType": kind });
    (status, body)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
