//! Adyen in memory, written from its public reference. Payments are answered at once. Changes are
//! acknowledged, and a notice brings their outcome. An answer is repeated for a repeated key.
//!
//! The account captures days after the authorization by default, so that each request has to set
//! the time. An account allows one capture per payment, like Adyen's default: the capture releases
//! the rest.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};

use super::bank_debits;
use super::dispute::Dispute;
use super::payer_methods::{self, LATE, is_at_page, shown};
use crate::Call;

/// Adyen's test card that is enrolled for 3-D Secure.
pub const ENROLLED: &str = "5454545454545454";
/// Holder names that control Adyen's tests, with code and text of the refusal.
const STEERED: [(&str, &str, &str); 4] = [
    ("DECLINED", "2", "Refused"),
    ("NOT_ENOUGH_BALANCE", "12", "Not enough balance"),
    ("CARD_EXPIRED", "6", "Expired Card"),
    ("BLOCK_CARD", "5", "Blocked Card"),
];

const PAY: &str = "POST /payments";
const FINISH: &str = "POST /payments/details";
pub(super) const CAPTURE: &str = "POST /payments/{paymentPspReference}/captures";
pub(super) const UPDATE_AMOUNT: &str = "POST /payments/{paymentPspReference}/amountUpdates";
pub(super) const CANCEL: &str = "POST /payments/{paymentPspReference}/cancels";
pub(super) const REVERSE: &str = "POST /payments/{paymentPspReference}/reversals";
pub(super) const REFUND: &str = "POST /payments/{paymentPspReference}/refunds";
const CANCEL_BY_REFERENCE: &str = "POST /cancels";
const DELETE_KEPT: &str = "DELETE /storedPaymentMethods/{storedPaymentMethodId}";
const LIST_PAYMENT_METHODS: &str = "POST /paymentMethods";

pub type Said = (u16, Value);

/// One company with one merchant account.
pub struct Ledger {
    api_key: String,
    pub(super) merchant_account: String,
    pub(super) hmac_key: Vec<u8>,
    pub(super) payments: BTreeMap<String, Payment>,
    /// Results with which payers may return, with their payment; `true` after a successful
    /// authentication.
    pub(super) results: HashMap<String, (String, bool)>,
    /// Requests and answers by idempotency key.
    answers: HashMap<String, (String, Value, Said)>,
    pub(super) disputes: Vec<Dispute>,
    pub(super) notices: Vec<Value>,
    /// Stored instruments: the shopper's reference, and the instrument's id.
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
    /// True if the payer's bank refuses the debit later.
    pub is_refused_later: bool,
    /// The owner of the instrument to store after an approval.
    kept_for: Option<String>,
    pub amount: i64,
    pub currency: String,
    capture: Capture,
    /// True if the amount may change.
    pub is_preauthorised: bool,
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
            is_refused_later: bank_debits::is_refused(card),
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
        let steered = steered.map(|(_, code, words)| (*code, *words));
        let received = bank_debits::received(&payment.method, &psp);
        let is_refused = payment.is_refused_later && received.is_none();
        if let Some((code, words)) = steered.or(is_refused.then_some(bank_debits::REFUSAL)) {
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
        } else if let Some((result, action)) = received.or_else(|| shown(&payment.method, &psp)) {
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

    /// Stores the instrument if the payment asks for it, and adds its id to the answer.
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

fn authorised(answer: &mut Value, payment: &Payment) {
    answer["resultCode"] = json!("Authorised");
    answer["amount"] = json!({ "currency": payment.currency, "value": payment.amount });
    let is_debit = bank_debits::code_of_return(&payment.method).is_some();
    if is_debit || is_at_page(&payment.method) {
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
