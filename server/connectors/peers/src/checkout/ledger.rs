//! Checkout.com in memory, written from its public reference. Payments are answered at once.
//! Changes are accepted and processed afterwards. Processed requests are answered again for a
//! repeated key.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};

use super::dispute::Dispute;
use super::payment::{Action, NOW, Payment, Standing};
use crate::{ByHand, Call};

/// The sandbox's card without funds.
pub const WITHOUT_FUNDS: &str = "4544249167673670";
/// Currencies with three decimals, of which the last is 0.
const THREE_DECIMALS: &[&str] = &["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"];

/// A status and a body.
pub type Said = (u16, Value);

/// One merchant with one processing channel.
pub struct Ledger {
    secret_key: String,
    channel: String,
    pub(super) payments: BTreeMap<String, Payment>,
    pub(super) disputes: Vec<Dispute>,
    /// Contents of uploaded files, by id.
    pub(super) files: HashMap<String, String>,
    /// Answers by idempotency key.
    answers: HashMap<String, Said>,
    pub(super) events: Vec<Value>,
    /// Accepted operations that aren't processed: the payment and its action.
    waiting: Vec<(String, Action)>,
    /// True if accepted operations wait for [`Ledger::process`].
    is_slow: bool,
    pub(super) count: u64,
}

impl Ledger {
    pub fn new(secret_key: &str, channel: &str) -> Self {
        Ledger {
            secret_key: secret_key.to_owned(),
            channel: channel.to_owned(),
            payments: BTreeMap::new(),
            disputes: Vec::new(),
            files: HashMap::new(),
            answers: HashMap::new(),
            events: Vec::new(),
            waiting: Vec::new(),
            is_slow: false,
            count: 0,
        }
    }

    /// Answers a request. A repeated key gets the stored answer.
    pub fn answer(&mut self, call: &Call) -> Said {
        if call.header("authorization") != format!("Bearer {}", self.secret_key) {
            return (401, Value::Null);
        }
        let key = call.header("cko-idempotency-key");
        if let Some(said) = self.answers.get(key) {
            return said.clone();
        }
        let said = self.do_it(call);
        if !key.is_empty() && said.0 < 300 {
            self.answers.insert(key.to_owned(), said.clone());
        }
        said
    }

    /// Makes accepted operations wait for [`Ledger::process`].
    pub fn slow_down(&mut self) {
        self.is_slow = true;
    }

    /// Processes all accepted operations.
    pub fn process(&mut self) {
        for (id, action) in std::mem::take(&mut self.waiting) {
            let payment = self.payments.get_mut(&id).expect("accepted");
            let event = match action.kind {
                "Capture" => "payment_captured",
                "Void" => "payment_voided",
                _ => "payment_refunded",
            };
            match action.kind {
                "Capture" => payment.captured += action.amount,
                "Void" => payment.voided += action.amount,
                _ => payment.refunded += action.amount,
            }
            payment.actions.insert(0, action.clone());
            let payment = payment.clone();
            self.tell(event, &payment, &action);
        }
    }

    /// Returns every event so far, each as the body of one request.
    pub fn events(&self) -> Vec<Vec<u8>> {
        let bodies = self.events.iter();
        bodies.map(|event| event.to_string().into_bytes()).collect()
    }

    fn do_it(&mut self, call: &Call) -> Said {
        match call.operation.as_str() {
            "POST /payments" => return self.pay(&call.body),
            "GET /payments" => return self.list(&call.query),
            _ => {}
        }
        if let Some(said) = self.answer_dispute(call) {
            return said;
        }
        let Some(payment) = self.payments.get(&call.path["id"]).cloned() else {
            return (404, Value::Null);
        };
        match call.operation.as_str() {
            "GET /payments/{id}" => {
                let mut details = payment.details();
                if payment.standing != Standing::Pending {
                    details["actions"] = payment.glance();
                }
                (200, details)
            }
            "GET /payments/{id}/actions" => (200, payment.listed()),
            "POST /payments/{id}/captures" => self.capture(&payment, &call.body),
            "POST /payments/{id}/voids" => match payment.left() {
                0 => not_allowed(),
                left => self.accept(&payment, &[("Void", left)], &call.body),
            },
            "POST /payments/{id}/reversals" => self.reverse(&payment, &call.body),
            "POST /payments/{id}/refunds" => self.refund(&payment, &call.body),
            other => panic!("the description has an operation that the ledger hasn't: {other}"),
        }
    }

    fn pay(&mut self, body: &Value) -> Said {
        let amount = body["amount"].as_i64().unwrap_or_default();
        let currency = text(&body["currency"]);
        let step = match currency.as_str() {
            "CLP" => 100,
            currency if THREE_DECIMALS.contains(&currency) => 10,
            _ => 1,
        };
        if amount % step != 0 {
            return invalid("amount_invalid");
        }
        let channel = &body["processing_channel_id"];
        if !channel.is_null() && *channel != self.channel.as_str() {
            return invalid("processing_channel_id_invalid");
        }
        let payment = Payment {
            id: self.next("pay"),
            reference: text(&body["reference"]),
            metadata: body["metadata"].clone(),
            amount,
            currency,
            return_url: text(&body["success_url"]),
            captures_itself: amount > 0 && body["capture"] != false,
            standing: match number(&body["source"]) {
                Some(WITHOUT_FUNDS) => Standing::Declined("20051", "Insufficient funds"),
                _ if body["3ds"]["enabled"] == true => Standing::Pending,
                _ => Standing::Approved,
            },
            actions: Vec::new(),
            captured: 0,
            voided: 0,
            refunded: 0,
            is_expired: false,
        };
        if payment.standing == Standing::Pending {
            let answer = json!({
                "id": payment.id, "status": "Pending", "reference": payment.reference,
                "_links": { "redirect": { "href": payment.page() } },
            });
            self.payments.insert(payment.id.clone(), payment);
            return (202, answer);
        }
        let mut answer = payment.findings();
        let more = json!({
            "id": payment.id, "action_id": "act_0", "amount": payment.amount, "currency": payment.currency,
            "approved": payment.standing == Standing::Approved, "status": payment.status(),
            "processed_on": NOW, "reference": payment.reference, "_links": {},
        });
        merge(&mut answer, more);
        self.authorize(payment);
        (201, answer)
    }

    /// Files the authorization and its event, and captures a payment that includes its capture.
    pub(super) fn authorize(&mut self, mut payment: Payment) {
        let action = Action {
            id: self.next("act"),
            kind: payment.authorization(),
            amount: payment.amount,
            reference: payment.reference.clone(),
            metadata: payment.metadata.clone(),
        };
        payment.actions.insert(0, action.clone());
        self.payments.insert(payment.id.clone(), payment.clone());
        let event = match (payment.standing, payment.amount) {
            (Standing::Approved, 0) => "card_verified",
            (_, 0) => "card_verification_declined",
            (Standing::Approved, _) => "payment_approved",
            (Standing::Pending | Standing::Declined(..), _) => "payment_declined",
        };
        self.tell(event, &payment, &action);
        if payment.standing == Standing::Approved && payment.captures_itself {
            let capture = Action {
                id: self.next("act"),
                kind: "Capture",
                ..action
            };
            self.waiting.push((payment.id.clone(), capture));
            self.process();
        }
    }

    fn list(&self, query: &Value) -> Said {
        let payments = self.payments.values();
        let found = payments.filter(|payment| query["reference"] == payment.reference.as_str());
        let data: Vec<Value> = found.map(Payment::details).collect();
        let page =
            json!({ "limit": query["limit"], "skip": 0, "total_count": data.len(), "data": data });
        (200, page)
    }

    fn capture(&mut self, payment: &Payment, body: &Value) -> Said {
        let left = payment.left();
        if left == 0 {
            return not_allowed();
        }
        let amount = body["amount"].as_i64().unwrap_or(left);
        if amount > payment.amount {
            return invalid("capture_value_greater_than_authorized");
        }
        if amount > left {
            return invalid("capture_value_greater_than_remaining_authorized");
        }
        let said = self.accept(payment, &[("Capture", amount)], body);
        if body["capture_type"] != "NonFinal" {
            let own = self.payments.get_mut(&payment.id).expect("it is there");
            own.voided += left - amount;
        }
        said
    }

    fn reverse(&mut self, payment: &Payment, body: &Value) -> Said {
        if payment.standing != Standing::Approved || payment.amount == 0 {
            return not_allowed();
        }
        let parts = [
            ("Void", payment.left()),
            ("Refund", payment.captured - payment.refunded),
        ];
        let parts = parts.into_iter().filter(|(_, amount)| *amount > 0);
        match parts.collect::<Vec<_>>().as_slice() {
            [] => (204, Value::Null),
            parts => self.accept(payment, parts, body),
        }
    }

    fn refund(&mut self, payment: &Payment, body: &Value) -> Said {
        let left = payment.captured - payment.refunded;
        if left == 0 {
            return not_allowed();
        }
        let amount = body["amount"].as_i64().unwrap_or(left);
        if amount > left {
            return invalid("refund_amount_exceeds_balance");
        }
        self.accept(payment, &[("Refund", amount)], body)
    }

    fn accept(&mut self, payment: &Payment, parts: &[(&'static str, i64)], body: &Value) -> Said {
        let mut first = None;
        for (kind, amount) in parts {
            let action = Action {
                id: self.next("act"),
                kind,
                amount: *amount,
                reference: text(&body["reference"]),
                metadata: body["metadata"].clone(),
            };
            first = first.or(Some(action.id.clone()));
            self.waiting.push((payment.id.clone(), action));
        }
        if !self.is_slow {
            self.process();
        }
        (
            202,
            json!({ "action_id": first, "reference": body["reference"] }),
        )
    }

    pub(super) fn do_by_hand(&mut self, payment: &Payment, what: ByHand) -> Said {
        let body = |amount: Option<i64>| json!({ "amount": amount, "metadata": {} });
        match what {
            ByHand::Captures(amount) => self.capture(payment, &body(Some(amount))),
            ByHand::Refunds(amount) => self.refund(payment, &body(Some(amount))),
            ByHand::Cancels => self.accept(payment, &[("Void", payment.left())], &body(None)),
            // These books have no adjustments.
            ByHand::Adjusts(_) => (403, json!({})),
        }
    }

    /// Releases an uncaptured authorization.
    pub(super) fn expire(&mut self, id: &str) -> bool {
        let payment = self.payments.get_mut(id).expect("a payment");
        if payment.left() == 0 {
            return false;
        }
        payment.voided += payment.left();
        payment.is_expired = true;
        let payment = payment.clone();
        let first = payment.actions.last().expect("it was authorized").clone();
        self.tell("payment_expired", &payment, &first);
        true
    }

    fn tell(&mut self, event: &str, payment: &Payment, action: &Action) {
        let mut data = json!({
            "id": payment.id, "action_id": action.id, "reference": action.reference, "amount": action.amount,
            "currency": payment.currency, "metadata": action.metadata, "processed_on": NOW,
        });
        let findings = match action.kind {
            "Authorization" | "Card Verification" => payment.findings(),
            _ => json!({ "response_code": "10000", "response_summary": "Approved" }),
        };
        merge(&mut data, findings);
        let event = json!({
            "id": self.next("evt"), "type": event, "version": "1.0.29", "created_on": NOW, "data": data,
        });
        self.events.push(event);
    }

    /// Returns a new id: the word, and twenty-six letters and digits like all of Checkout.com's
    /// ids.
    pub(super) fn next(&mut self, word: &str) -> String {
        self.count += 1;
        format!("{word}_{:026}", self.count)
    }
}

fn merge(value: &mut Value, more: Value) {
    let members = value.as_object_mut().expect("an object");
    let Value::Object(more) = more else {
        panic!("an object")
    };
    members.extend(more);
}

/// Returns the number of a card or of a network token.
fn number(source: &Value) -> Option<&str> {
    source["number"].as_str().or(source["token"].as_str())
}

fn not_allowed() -> Said {
    (403, Value::Null)
}

pub fn invalid(code: &str) -> Said {
    let body = json!({ "request_id": "0HL80RJLS76I7", "error_type": "request_invalid", "error_codes": [code] });
    (422, body)
}

pub(super) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
