//! Adyen in memory, written from its public reference. Payments are answered at once. Changes are
//! acknowledged, and a notice brings their outcome. An answer is repeated for a repeated key.
//!
//! The account captures days after the authorization by default, so that each request has to set
//! the time. An account allows one capture per payment, like Adyen's default: the capture releases
//! the rest.

use std::collections::{BTreeMap, HashMap};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use super::dispute::Dispute;
use super::payer_methods::{self, LATE, is_at_page, shown};
use crate::{ByHand, Call};

/// Adyen's test card that is enrolled for 3-D Secure.
pub const ENROLLED: &str = "5454545454545454";
/// Holder names that control Adyen's tests, with code and text of the refusal.
const STEERED: [(&str, &str, &str); 4] = [
    ("DECLINED", "2", "Refused"),
    ("NOT_ENOUGH_BALANCE", "12", "Not enough balance"),
    ("CARD_EXPIRED", "6", "Expired Card"),
    ("BLOCK_CARD", "5", "Blocked Card"),
];

/// The highest total that issuers approve in an increment.
const ISSUERS_LIMIT: i64 = 1_000_000;

const PAY: &str = "POST /payments";
const FINISH: &str = "POST /payments/details";
const CAPTURE: &str = "POST /payments/{paymentPspReference}/captures";
const UPDATE_AMOUNT: &str = "POST /payments/{paymentPspReference}/amountUpdates";
const CANCEL: &str = "POST /payments/{paymentPspReference}/cancels";
const REVERSE: &str = "POST /payments/{paymentPspReference}/reversals";
const REFUND: &str = "POST /payments/{paymentPspReference}/refunds";
const CANCEL_BY_REFERENCE: &str = "POST /cancels";
const DELETE_KEPT: &str = "DELETE /storedPaymentMethods/{storedPaymentMethodId}";
const LIST_PAYMENT_METHODS: &str = "POST /paymentMethods";

pub type Said = (u16, Value);

/// One company with one merchant account.
pub struct Ledger {
    api_key: String,
    merchant_account: String,
    hmac_key: Vec<u8>,
    pub(super) payments: BTreeMap<String, Payment>,
    /// Results with which payers may return, with their payment; `true` after a successful
    /// authentication.
    pub(super) results: HashMap<String, (String, bool)>,
    /// Requests and answers by idempotency key.
    answers: HashMap<String, (String, Value, Said)>,
    pub(super) disputes: Vec<Dispute>,
    pub(super) notices: Vec<Value>,
    /// Stored cards: the shopper's reference, and the card's id.
    pub(super) kept: Vec<(String, String)>,
    count: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Capture {
    AtOnce,
    ByRequest,
    InSomeDays,
}

#[derive(Clone, Debug)]
pub(super) struct Payment {
    pub reference: String,
    /// Adyen's type of the payment method.
    pub method: String,
    /// True if the payer's return brings no outcome.
    is_late: bool,
    /// The owner of the card to store after an approval.
    kept_for: Option<String>,
    pub amount: i64,
    currency: String,
    capture: Capture,
    /// True if the amount may change.
    is_preauthorised: bool,
    pub return_url: String,
    /// Unset while the payer is on the issuer's page.
    pub authorised: Option<bool>,
    pub captured: i64,
    pub released: i64,
    pub refunded: i64,
}

impl Payment {
    pub fn left(&self) -> i64 {
        if self.authorised == Some(true) {
            self.amount - self.captured - self.released
        } else {
            0
        }
    }

    pub fn authorise(&mut self) {
        self.authorised = Some(true);
        if self.capture == Capture::AtOnce {
            self.captured = self.amount;
        }
    }
}

impl Ledger {
    /// Creates a ledger. `hmac_key` is in hexadecimal digits.
    pub fn new(api_key: &str, merchant_account: &str, hmac_key: &str) -> Self {
        Ledger {
            api_key: api_key.to_owned(),
            merchant_account: merchant_account.to_owned(),
            hmac_key: hex::decode(hmac_key).expect("hexadecimal digits"),
            payments: BTreeMap::new(),
            results: HashMap::new(),
            answers: HashMap::new(),
            disputes: Vec::new(),
            notices: Vec::new(),
            kept: Vec::new(),
            count: 0,
        }
    }

    /// Answers a request. A repeated key gets the stored answer.
    pub fn answer(&mut self, call: &Call) -> Said {
        if call.header("x-api-key") != self.api_key {
            let message = "HTTP Status Response - Unauthorized";
            return error(401, "000", message, "security");
        }
        // The dispute API has another name for this member.
        let accounts = [
            &call.body["merchantAccount"],
            &call.body["merchantAccountCode"],
            &call.query["merchantAccount"],
        ];
        let is_own = accounts.contains(&&Value::from(self.merchant_account.as_str()));
        if !is_own && call.operation != FINISH {
            return error(403, "901", "Invalid Merchant Account", "security");
        }
        let key = call.header("idempotency-key");
        if key.len() > 64 {
            return error(400, "702", "The idempotency key is too long", "validation");
        }
        if let Some((operation, body, said)) = self.answers.get(key) {
            if *operation != call.operation || *body != call.body {
                let message = "request already processed or in progress";
                return error(422, "704", message, "validation");
            }
            return said.clone();
        }
        let said = self.do_it(call);
        if !key.is_empty() {
            let filed = (call.operation.clone(), call.body.clone(), said.clone());
            self.answers.insert(key.to_owned(), filed);
        }
        said
    }

    /// Returns every notice so far, each as the body of one request.
    pub fn notices(&self) -> Vec<Vec<u8>> {
        let bodies = self.notices.iter().map(|item| {
            let items = json!([{ "NotificationRequestItem": item }]);
            let body = json!({ "live": "false", "notificationItems": items });
            body.to_string().into_bytes()
        });
        bodies.collect()
    }

    fn do_it(&mut self, call: &Call) -> Said {
        match call.operation.as_str() {
            PAY => self.pay(&call.body),
            FINISH => self.finish(&call.body),
            UPDATE_AMOUNT | CAPTURE | CANCEL | REVERSE | REFUND => self.modify(call),
            CANCEL_BY_REFERENCE => self.cancel_by_reference(&call.body),
            DELETE_KEPT => {
                let kept = (
                    text(&call.query["shopperReference"]),
                    call.path["storedPaymentMethodId"].clone(),
                );
                if !self.kept.contains(&kept) {
                    return error(422, "800", "Contract not found", "validation");
                }
                self.kept.retain(|own| *own != kept);
                (204, Value::Null)
            }
            LIST_PAYMENT_METHODS => {
                let methods = json!([{ "name": "Cards", "type": "scheme" }]);
                (200, json!({ "paymentMethods": methods }))
            }
            other => self.answer_dispute(call).unwrap_or_else(|| {
                panic!("the description has an operation that the ledger hasn't: {other}")
            }),
        }
    }

    fn pay(&mut self, body: &Value) -> Said {
        let card = &body["paymentMethod"];
        let method = text(&card["type"]);
        if let Some(member) = payer_methods::missing(&method, body) {
            let message = format!("Required field '{member}' is not provided");
            return error(422, "14_030", &message, "validation");
        }
        let reference = text(&body["reference"]);
        let is_manual = body["additionalData"]["manualCapture"] == "true";
        let capture = match (is_manual, body["captureDelayHours"].as_i64()) {
            (true, _) => Capture::ByRequest,
            (false, Some(0)) => Capture::AtOnce,
            (false, _) => Capture::InSomeDays,
        };
        let shopper = text(&body["shopperReference"]);
        if let Some(stored) = card["storedPaymentMethodId"].as_str() {
            let is_kept = self.kept.contains(&(shopper.clone(), stored.to_owned()));
            if !is_kept || body["shopperInteraction"] != "ContAuth" {
                return error(422, "800", "Contract not found", "validation");
            }
        }
        let psp = self.next();
        let keeps = body["storePaymentMethod"] == true;
        if keeps && shopper.is_empty() {
            let message = "Required field 'shopperReference' is not provided";
            return error(422, "14_030", message, "validation");
        }
        let mut payment = Payment {
            kept_for: keeps.then(|| shopper.clone()),
            reference: reference.clone(),
            is_late: is_at_page(&method) && body["shopperEmail"] == LATE,
            method,
            amount: body["amount"]["value"].as_i64().unwrap_or_default(),
            currency: text(&body["amount"]["currency"]),
            capture,
            is_preauthorised: body["additionalData"]["authorisationType"] == "PreAuth",
            return_url: text(&body["returnUrl"]),
            authorised: None,
            captured: 0,
            released: 0,
            refunded: 0,
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
        } else if let Some((result, action)) = shown(&payment.method, &psp) {
            answer["resultCode"] = json!(result);
            answer["action"] = action;
        } else if let Some(page) = page_of(&payment.method, card) {
            let page = format!("https://checkoutshopper-test.adyen.com/{page}?MD={psp}");
            answer["resultCode"] = json!("RedirectShopper");
            answer["action"] = json!({
                "type": "redirect", "method": body["redirectToIssuerMethod"], "url": page,
                "paymentMethodType": card["type"],
            });
        } else {
            payment.authorise();
            authorised(&mut answer, &payment);
            self.keep(&mut answer, &psp, &payment);
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

    /// Stores the card if the payment asks for it, and adds its id to the answer.
    fn keep(&mut self, answer: &mut Value, psp: &str, payment: &Payment) {
        let Some(shopper) = &payment.kept_for else {
            return;
        };
        let id = format!("KEPT{psp}");
        answer["additionalData"]["recurring.recurringDetailReference"] = json!(id);
        answer["additionalData"]["recurring.shopperReference"] = json!(shopper);
        let kept = (shopper.clone(), id);
        if !self.kept.contains(&kept) {
            self.kept.push(kept);
        }
    }

    fn finish(&mut self, body: &Value) -> Said {
        let result = text(&body["details"]["redirectResult"]);
        let Some((psp, authenticates)) = self.results.get(&result).cloned() else {
            return error(422, "101", "Invalid redirectResult", "validation");
        };
        let mut payment = self.payments[&psp].clone();
        let is_new = payment.authorised.is_none();
        let mut answer = json!({ "pspReference": psp, "merchantReference": payment.reference });
        let (result, code, words) = match is_at_page(&payment.method) {
            true => ("Cancelled", "16", "Shopper Cancelled"),
            false => ("Refused", "11", "3D Not Authenticated"),
        };
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
            self.tell(
                "AUTHORISATION",
                &psp,
                None,
                &payment,
                payment.amount,
                Err(words),
            );
        }
        if is_new && payment.is_late {
            answer["resultCode"] = json!("Received");
        } else if payment.authorised == Some(true) {
            authorised(&mut answer, &payment);
            self.keep(&mut answer, &psp, &payment);
        } else {
            answer["resultCode"] = json!(result);
            answer["refusalReason"] = json!(words);
            answer["refusalReasonCode"] = json!(code);
        }
        self.payments.insert(psp, payment);
        (200, answer)
    }

    fn modify(&mut self, call: &Call) -> Said {
        let original = call.path["paymentPspReference"].clone();
        let Some(mut payment) = self.payments.get(&original).cloned() else {
            let message = "Original pspReference required for this operation";
            return error(422, "167", message, "validation");
        };
        let body = &call.body;
        let amount = body["amount"]["value"].as_i64().unwrap_or(payment.amount);
        let currency = body["amount"]["currency"]
            .as_str()
            .unwrap_or(&payment.currency);
        if currency != payment.currency || amount <= 0 {
            return error(422, "137", "Invalid amount specified", "validation");
        }
        let is_in_parts = matches!(call.operation.as_str(), CAPTURE | REFUND);
        if is_in_parts && payer_methods::lacks_lines(&payment.method, body, payment.amount) {
            let message = "Required field 'lineItems' is not provided";
            return error(422, "14_030", message, "validation");
        }
        let (event, done) = match call.operation.as_str() {
            UPDATE_AMOUNT if !payment.is_preauthorised || payment.left() < payment.amount => (
                "AUTHORISATION_ADJUSTMENT",
                Err("Transaction can't be adjusted"),
            ),
            UPDATE_AMOUNT if amount > ISSUERS_LIMIT => {
                ("AUTHORISATION_ADJUSTMENT", Err("Not enough balance"))
            }
            UPDATE_AMOUNT => {
                payment.amount = amount;
                ("AUTHORISATION_ADJUSTMENT", Ok(()))
            }
            CAPTURE if amount <= payment.left() => {
                payment.captured = amount;
                payment.released = payment.amount - amount;
                ("CAPTURE", Ok(()))
            }
            CAPTURE => ("CAPTURE", Err("Insufficient balance on payment")),
            CANCEL => ("CANCELLATION", cancel(&mut payment)),
            REVERSE if payment.captured > payment.refunded => {
                payment.refunded = payment.captured;
                ("CANCEL_OR_REFUND", Ok(()))
            }
            REVERSE => ("CANCEL_OR_REFUND", cancel(&mut payment)),
            REFUND if payer_methods::is_unreturnable(&payment.method) => {
                ("REFUND", Err("Refund not supported"))
            }
            REFUND if payment.refunded + amount <= payment.captured => {
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
        for name in ["amount", "industryUsage"] {
            if let Some(said) = body.get(name) {
                answer[name] = said.clone();
            }
        }
        let told = Payment {
            reference: text(&body["reference"]),
            ..payment.clone()
        };
        self.tell(event, &psp, Some(&original), &told, amount, done);
        self.payments.insert(original, payment);
        (201, answer)
    }

    /// Performs an operation that no request asked for. It has the payment's own reference.
    pub(super) fn do_by_hand(&mut self, authorization: &str, what: ByHand) {
        let mut payments = self.payments.iter();
        let found = payments.find(|(_, payment)| payment.reference == authorization);
        let (original, payment) = found.expect("a payment");
        let (original, mut payment) = (original.clone(), payment.clone());
        let (event, amount) = match what {
            ByHand::Captures(amount) => {
                payment.captured = amount;
                payment.released = payment.amount - amount;
                ("CAPTURE", amount)
            }
            ByHand::Refunds(amount) => {
                payment.refunded += amount;
                ("REFUND", amount)
            }
            ByHand::Cancels => {
                cancel(&mut payment).expect("something is reserved");
                ("CANCELLATION", payment.amount)
            }
            ByHand::Adjusts(amount) => {
                payment.amount = amount;
                ("AUTHORISATION_ADJUSTMENT", amount)
            }
        };
        let psp = self.next();
        self.tell(event, &psp, Some(&original), &payment, amount, Ok(()));
        self.payments.insert(original, payment);
    }

    fn cancel_by_reference(&mut self, body: &Value) -> Said {
        let reference = text(&body["paymentReference"]);
        let psp = self.next();
        let mut payments = self.payments.iter();
        let found = payments.find(|(_, payment)| payment.reference == reference);
        let found = found.map(|(psp, payment)| (psp.clone(), payment.clone()));
        if let Some((original, mut payment)) = found {
            let done = cancel(&mut payment);
            let amount = payment.amount;
            self.tell(
                "TECHNICAL_CANCEL",
                &psp,
                Some(&original),
                &payment,
                amount,
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

    /// Returns a signed notice of this item.
    pub(super) fn signs(&self, mut item: Value) -> Vec<u8> {
        item["merchantAccountCode"] = json!(self.merchant_account);
        let text = |value: &Value| value.as_str().map_or(value.to_string(), str::to_owned);
        let members = [
            &item["pspReference"],
            &json!(""),
            &item["merchantAccountCode"],
            &item["merchantReference"],
            &item["amount"]["value"],
            &item["amount"]["currency"],
            &item["eventCode"],
            &item["success"],
        ];
        let signed = members.map(text).join(":");
        item["additionalData"] = json!({ "hmacSignature": self.sign(&signed) });
        let items = json!([{ "NotificationRequestItem": item }]);
        let notice = json!({ "live": "false", "notificationItems": items });
        notice.to_string().into_bytes()
    }

    fn sign(&self, text: &str) -> String {
        let mac = Hmac::<Sha256>::new_from_slice(&self.hmac_key).expect("any length");
        STANDARD.encode(mac.chain_update(text).finalize().into_bytes())
    }

    /// Signs and files a notice.
    pub(super) fn tell(
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
        let signature = self.sign(&signed);
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

    /// Returns a new reference of sixteen characters, the length of all of Adyen's references.
    pub(super) fn next(&mut self) -> String {
        self.count += 1;
        format!("PSP{:013}", self.count)
    }
}

/// Returns the path of the page to which the payer of this method is sent, if any.
fn page_of(method: &str, card: &Value) -> Option<&'static str> {
    if is_at_page(method) {
        return Some("checkoutshopper/checkoutPaymentRedirect");
    }
    (method == "bcmc" || card["number"] == ENROLLED).then_some("threeDS/redirect")
}

/// Releases the uncaptured rest.
fn cancel(payment: &mut Payment) -> Result<(), &'static str> {
    if payment.left() == 0 {
        return Err("Transaction was already captured or cancelled");
    }
    payment.released += payment.left();
    Ok(())
}

fn authorised(answer: &mut Value, payment: &Payment) {
    answer["resultCode"] = json!("Authorised");
    answer["amount"] = json!({ "currency": payment.currency, "value": payment.amount });
    if is_at_page(&payment.method) {
        return;
    }
    answer["additionalData"] = json!({
        "networkTxReference": "MCC123456789012", "authCode": "065696", "avsResultRaw": "Y", "cvcResultRaw": "M",
        "refusalReasonRaw": "AUTHORISED",
    });
}

pub fn error(status: u16, code: &str, message: &str, kind: &str) -> Said {
    let body =
        json!({ "status": status, "errorCode": code, "message": message, "errorType": kind });
    (status, body)
}

pub(super) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
