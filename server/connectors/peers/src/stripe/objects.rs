//! Stripe's objects: states, transitions by card, and JSON.

use serde_json::{Map, Value, json};

use super::actions::next_action;
use super::cards::{Account, Card, INSUFFICIENT, NOT_AUTHENTICATED, Refusal};
use super::ledger::Said;
use crate::{Booked, Books};

/// Seconds until an authorization expires: seven days.
const HELD_SECONDS: i64 = 604_800;
/// Seconds until an extended authorization expires: thirty days.
const HELD_LONGER_SECONDS: i64 = 2_592_000;

pub struct Payment {
    pub id: String,
    pub created: i64,
    pub amount: i64,
    /// The authorized or captured amount.
    pub authorized: i64,
    pub capturable: i64,
    pub received: i64,
    pub refunded: i64,
    pub capture_method: String,
    pub currency: String,
    pub metadata: Map<String, Value>,
    pub status: &'static str,
    pub error: Option<Value>,
    pub charge: Option<String>,
    pub return_url: Option<String>,
    pub cancellation_reason: Option<Value>,
    pub several_captures: bool,
    pub stands_longer: bool,
    pub may_be_exceeded: bool,
    pub may_be_raised: bool,
    /// The number of requested increments.
    pub raises: usize,
    pub captures: Vec<Capture>,
    pub card: Card,
    /// The id of the instrument, its owner, and the purpose of storing it.
    pub method: String,
    pub customer: Option<String>,
    pub usage: Option<String>,
}

/// One capture.
pub struct Capture {
    /// The request's additions to the payment's metadata, under our keys.
    pub metadata: Map<String, Value>,
    pub amount: i64,
    /// True if the rest is released.
    pub is_final: bool,
}

pub struct Check {
    pub id: String,
    pub created: i64,
    pub metadata: Map<String, Value>,
    pub status: &'static str,
    pub error: Option<Value>,
    pub return_url: Option<String>,
    pub card: Card,
    /// The id of the checked instrument, its owner, and the purpose of storing it.
    pub method: String,
    pub customer: Option<String>,
    pub usage: String,
}

pub struct Refund {
    pub id: String,
    pub payment: String,
    pub amount: i64,
    pub currency: String,
    pub metadata: Map<String, Value>,
    pub status: &'static str,
    pub failure_reason: Option<&'static str>,
    pub fails_later: bool,
    /// It is done when somebody asks again.
    pub is_done_soon: bool,
}

impl Payment {
    /// Charges the card; returns the error of a decline.
    pub fn charge(&mut self, charge: String) -> Option<Value> {
        self.charge = Some(charge);
        if let Some(refusal) = self.card.refusal() {
            return self.refuse(refusal);
        }
        if self.card.account().is_some() {
            self.status = "processing";
            return None;
        }
        self.authorized = self.amount;
        if self.capture_method == "manual" {
            self.capturable = self.amount;
            self.status = "requires_capture";
        } else {
            self.received = self.amount;
            self.status = "succeeded";
        }
        None
    }

    /// Ends a debit. Returns false if none is under way.
    pub fn settle(&mut self) -> bool {
        let Some(account) = self.card.account().filter(|_| self.status == "processing") else {
            return false;
        };
        match account {
            Account::LacksFunds => {
                let _ = self.refuse(&INSUFFICIENT);
            }
            Account::Pays => {
                self.authorized = self.amount;
                self.received = self.amount;
                self.status = "succeeded";
            }
        }
        true
    }

    pub fn refuse(&mut self, refusal: &Refusal) -> Option<Value> {
        let mut error = refusal.error();
        if self.card.method().is_some() && self.card.account().is_none() {
            error["type"] = "invalid_request_error".into();
            error["message"] = format!("The payer did not pay: {}.", refusal.code).into();
        }
        self.status = "requires_payment_method";
        self.error = Some(error);
        self.error.clone()
    }

    pub fn unexpected_state(&self) -> Said {
        let error = json!({"type": "invalid_request_error", "code": "payment_intent_unexpected_state",
            "message": format!("The payment is {}", self.status)});
        refusal(400, error, "payment_intent", self.show(false))
    }

    pub fn booked(&self) -> Booked {
        let key = self.metadata.get("multirail_key").and_then(Value::as_str);
        Booked {
            key: key.unwrap_or_default().to_owned(),
            reference: self.id.clone(),
            books: Books {
                authorized: self.authorized,
                captured: self.received,
                released: (self.authorized - self.received - self.capturable).max(0),
                given_back: self.refunded,
            },
        }
    }

    pub fn event(&self) -> (&'static str, Value) {
        let kind = match self.status {
            "succeeded" => "payment_intent.succeeded",
            "requires_capture" => "payment_intent.amount_capturable_updated",
            "requires_action" => "payment_intent.requires_action",
            "processing" => "payment_intent.processing",
            "canceled" => "payment_intent.canceled",
            _ => "payment_intent.payment_failed",
        };
        (kind, self.show(false))
    }

    pub fn show(&self, expanded: bool) -> Value {
        let charge = self.charge.as_ref().map(|id| match expanded {
            false => json!(id),
            true => json!({
                "id": id,
                "object": "charge",
                "amount": self.amount,
                "created": self.created,
                "currency": self.currency,
                "customer": self.customer,
                "metadata": {},
                "outcome": {
                    "type": "authorized",
                    "network_status": "approved_by_network",
                    "risk_level": "normal",
                    "reason": null,
                    "seller_message": null,
                    "advice_code": null,
                    "network_advice_code": null,
                    "network_decline_code": null,
                },
                "payment_intent": self.id,
                "payment_method": self.method,
                "status": "succeeded",
                "payment_method_details": match self.card.method() {
                    Some(method) => json!({"type": method.word}),
                    None => json!({"type": "card", "card": self.card_facts(id)}),
                },
            }),
        });
        json!({
            "id": self.id,
            "object": "payment_intent",
            "created": self.created,
            "amount": self.amount,
            "amount_capturable": self.capturable,
            "amount_received": self.received,
            "cancellation_reason": self.cancellation_reason,
            "capture_method": self.capture_method,
            "currency": self.currency,
            "last_payment_error": self.error,
            "latest_charge": charge,
            "payment_method": self.method,
            "customer": self.customer,
            "setup_future_usage": self.usage,
            "metadata": self.metadata,
            "next_action": next_action(self.status, &self.id, self.return_url.as_deref(), self.card, self.created),
            "status": self.status,
        })
    }
}

impl Payment {
    /// Returns the id under which the card is stored.
    pub fn stored_id(&self) -> Option<&str> {
        let customer = self.customer.as_deref()?;
        self.keeps(&self.method, customer)
            .then_some(self.method.as_str())
    }

    /// Checks whether the card is stored under this id for this customer, for charges without the
    /// payer.
    pub fn keeps(&self, method: &str, customer: &str) -> bool {
        let went_well = ["succeeded", "requires_capture"].contains(&self.status);
        let is_kept = self.usage.as_deref() == Some("off_session") && went_well;
        is_kept && self.method == method && self.customer.as_deref() == Some(customer)
    }

    fn card_facts(&self, charge: &str) -> Value {
        let is_held = self.capture_method == "manual" && self.status == "requires_capture";
        let (seconds, extended) = if self.stands_longer {
            (HELD_LONGER_SECONDS, "enabled")
        } else {
            (HELD_SECONDS, "disabled")
        };
        let mut facts = json!({
            "network_transaction_id": format!("nti_{charge}"),
            "authorization_code": "123456",
            "checks": null,
            "three_d_secure": null,
            "extended_authorization": {"status": extended},
            "incremental_authorization": {"status": if self.may_be_raised { "available" } else { "unavailable" }},
            "overcapture": {
                "status": if self.may_be_exceeded { "available" } else { "unavailable" },
                "maximum_amount_capturable": self.most_capturable(),
            },
        });
        if is_held {
            facts["capture_before"] = (self.created + seconds).into();
        }
        facts
    }

    /// Returns the maximum of all captures: 15 percent more than authorized, if requested.
    pub fn most_capturable(&self) -> i64 {
        let beyond = if self.may_be_exceeded {
            self.amount * 15 / 100
        } else {
            0
        };
        self.amount + beyond
    }
}

impl Check {
    pub fn finish(&mut self) -> Option<Value> {
        if let Some(refusal) = self.card.refusal() {
            return self.refuse(refusal);
        }
        self.status = "succeeded";
        None
    }

    /// Returns the id under which the card is stored.
    pub fn stored_id(&self) -> Option<&str> {
        let customer = self.customer.as_deref()?;
        self.keeps(&self.method, customer)
            .then_some(self.method.as_str())
    }

    /// Returns whether this card check stored the method for the customer.
    pub fn keeps(&self, method: &str, customer: &str) -> bool {
        let is_kept = self.usage == "off_session" && self.status == "succeeded";
        is_kept && self.method == method && self.customer.as_deref() == Some(customer)
    }

    pub fn refuse(&mut self, refusal: &Refusal) -> Option<Value> {
        let mut error = refusal.error();
        if refusal == &NOT_AUTHENTICATED {
            error["code"] = "setup_intent_authentication_failure".into();
        }
        self.status = "requires_payment_method";
        self.error = Some(error.clone());
        Some(error)
    }

    pub fn show(&self) -> Value {
        json!({
            "id": self.id,
            "object": "setup_intent",
            "created": self.created,
            "cancellation_reason": null,
            "last_setup_error": self.error,
            "payment_method": self.method,
            "customer": self.customer,
            "usage": self.usage,
            "metadata": self.metadata,
            "next_action": next_action(self.status, &self.id, self.return_url.as_deref(), self.card, self.created),
            "status": self.status,
        })
    }
}

impl Refund {
    pub fn show(&self) -> Value {
        let mut shown = json!({
            "id": self.id,
            "object": "refund",
            "amount": self.amount,
            "currency": self.currency,
            "metadata": self.metadata,
            "payment_intent": self.payment,
            "reason": null,
            "status": self.status,
        });
        if let Some(reason) = self.failure_reason {
            shown["failure_reason"] = reason.into();
        }
        shown
    }
}

/// Returns an error that contains the object.
pub fn refusal(status: u16, mut error: Value, name: &str, of: Value) -> Said {
    error[name] = of;
    (status, json!({ "error": error }))
}
