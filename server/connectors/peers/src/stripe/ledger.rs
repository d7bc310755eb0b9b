//! The objects of one Stripe account, and their changes.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::cards::{Card, INSUFFICIENT, NEEDS_AUTHENTICATION, NOT_AUTHENTICATED, NOT_DECIDED};
use super::customers::Customer;
use super::dispute::Dispute;
use super::methods::Method;
use super::objects::{Capture, Check, Payment, Refund, refusal};

/// The maximum number of increments of one payment.
const MOST_RAISES: usize = 10;
/// The highest total that issuers approve in an increment.
pub const ISSUERS_LIMIT: i64 = 1_000_000;

/// A status and its body.
pub type Said = (u16, Value);

/// The objects of one account, the newest last.
#[derive(Default)]
pub struct Ledger {
    pub payments: Vec<Payment>,
    pub checks: Vec<Check>,
    pub refunds: Vec<Refund>,
    /// Customers for whom cards are stored.
    pub customers: Vec<Customer>,
    /// The ids of detached cards.
    pub detached: Vec<String>,
    pub disputes: Vec<Dispute>,
    /// Contents of files, by id.
    pub files: HashMap<String, String>,
    /// All events, the oldest first: type and object.
    pub events: Vec<(&'static str, Value)>,
    made: usize,
}

impl Ledger {
    pub fn id(&mut self, prefix: &str) -> String {
        self.made += 1;
        format!("{prefix}_{:08}", self.made)
    }

    /// Finds a payment by binary search, since ids rise and measurements create many.
    pub fn payment(&mut self, id: &str) -> Option<&mut Payment> {
        let index = self
            .payments
            .binary_search_by(|own| own.id.as_str().cmp(id));
        self.payments.get_mut(index.ok()?)
    }

    pub fn pay(&mut self, params: &Value, now: i64) -> Said {
        let (card, method) = match self.paid_with(params) {
            Ok(found) => found,
            Err(refused) => return refused,
        };
        let is_kept = method.is_some();
        let customer = params["customer"].as_str();
        if customer.is_some_and(|id| !self.knows(id)) {
            return invalid("resource_missing", "No such customer", "customer");
        }
        let amount = int(&params["amount"]);
        if amount < 50 && params["currency"] == "usd" {
            return invalid(
                "amount_too_small",
                "Amount must be at least $0.50 usd",
                "amount",
            );
        }
        let options = &params["payment_method_options"]["card"];
        let absent = truth(&params["off_session"]) || truth(&options["moto"]);
        let asked = ["any", "challenge"].contains(&text(&options["request_three_d_secure"]));
        let mut payment = Payment {
            id: self.id("pi"),
            created: now,
            amount,
            authorized: 0,
            capturable: 0,
            received: 0,
            refunded: 0,
            capture_method: text(&params["capture_method"]).to_owned(),
            currency: text(&params["currency"]).to_owned(),
            metadata: map(&params["metadata"]),
            status: "requires_confirmation",
            error: None,
            charge: None,
            return_url: params["return_url"].as_str().map(str::to_owned),
            cancellation_reason: None,
            captures: Vec::new(),
            stands_longer: options["request_extended_authorization"] == "if_available",
            may_be_exceeded: options["request_overcapture"] == "if_available",
            may_be_raised: options["request_incremental_authorization"] == "if_available"
                && card != Card::Unraisable,
            raises: 0,
            method: method.unwrap_or_else(|| self.id("pm")),
            customer: customer.map(str::to_owned),
            usage: params["setup_future_usage"].as_str().map(str::to_owned),
            several_captures: options["request_multicapture"] == "if_available",
            card,
        };
        // The payer has agreed before, and the card is stored.
        let agreed = truth(&params["off_session"]) && is_kept;
        let refused = if !agreed && card.asks_the_payer(asked && !absent) {
            if absent {
                payment.refuse(&NEEDS_AUTHENTICATION)
            } else {
                payment.status = "requires_action";
                None
            }
        } else {
            let charge = self.id("ch");
            payment.charge(charge)
        };
        self.tell_payment(&payment);
        let expanded = params["expand"][0] == "latest_charge";
        let reply = match refused {
            Some(error) => refusal(402, error, "payment_intent", payment.show(false)),
            None => (200, payment.show(expanded)),
        };
        self.payments.push(payment);
        reply
    }

    /// Returns the card or method that pays, with its id if it is stored.
    fn paid_with(&self, params: &Value) -> Result<(Card, Option<String>), Said> {
        let Some(kept) = params["payment_method"].as_str() else {
            return card_of(params).map(|card| (card, None));
        };
        let customer = text(&params["customer"]);
        let is_there = !self.detached.iter().any(|own| own == kept);
        let by_payment = self.payments.iter().filter(|_| is_there);
        let by_payment = by_payment.filter(|payment| payment.keeps(kept, customer));
        let by_check = self.checks.iter().filter(|_| is_there);
        let by_check = by_check.filter(|check| check.keeps(kept, customer));
        let mut cards = by_payment
            .map(|payment| payment.card)
            .chain(by_check.map(|check| check.card));
        match cards.next() {
            Some(card) => Ok((card, Some(kept.to_owned()))),
            None => Err(invalid(
                "resource_missing",
                "No such PaymentMethod",
                "payment_method",
            )),
        }
    }

    pub fn check(&mut self, params: &Value, now: i64) -> Said {
        let card = match card_of(params) {
            Ok(card) => card,
            Err(refused) => return refused,
        };
        let options = &params["payment_method_options"]["card"];
        let asked = ["any", "challenge"].contains(&text(&options["request_three_d_secure"]));
        let customer = params["customer"].as_str();
        if customer.is_some_and(|id| !self.knows(id)) {
            return invalid("resource_missing", "No such customer", "customer");
        }
        let mut check = Check {
            id: self.id("seti"),
            created: now,
            metadata: map(&params["metadata"]),
            status: "succeeded",
            error: None,
            return_url: params["return_url"].as_str().map(str::to_owned),
            card,
            method: self.id("pm"),
            customer: customer.map(str::to_owned),
            usage: text(&params["usage"]).to_owned(),
        };
        let mut refused = None;
        if card.asks_the_payer(asked && !truth(&options["moto"])) {
            check.status = "requires_action";
        } else {
            refused = check.finish();
        }
        let reply = match refused {
            Some(error) => refusal(402, error, "setup_intent", check.show()),
            None => (200, check.show()),
        };
        self.checks.push(check);
        reply
    }

    pub fn capture(&mut self, id: &str, params: &Value) -> Said {
        let Some(payment) = self.payment(id) else {
            return missing(id);
        };
        if payment.status != "requires_capture" {
            return payment.unexpected_state();
        }
        let amount = int(&params["amount_to_capture"]);
        let is_final = params["final_capture"].is_null() || truth(&params["final_capture"]);
        let beyond = if is_final {
            payment.most_capturable() - payment.amount
        } else {
            0
        };
        if amount > payment.capturable + beyond {
            return invalid(
                "amount_too_large",
                "More than is reserved",
                "amount_to_capture",
            );
        }
        if !is_final && !payment.several_captures {
            let message = "Several captures were not asked for";
            return invalid("parameter_unknown", message, "final_capture");
        }
        let metadata = map(&params["metadata"]);
        payment.captures.push(Capture {
            metadata: metadata.clone(),
            amount,
            is_final,
        });
        payment.received += amount;
        payment.capturable = (payment.capturable - amount).max(0);
        payment.metadata.extend(metadata);
        if is_final || payment.capturable == 0 {
            payment.capturable = 0;
            payment.status = "succeeded";
        }
        let shown = payment.show(false);
        self.tell_of(id);
        (200, shown)
    }

    /// Requests a higher total from the issuer.
    pub fn raise(&mut self, id: &str, params: &Value) -> Said {
        let Some(payment) = self.payment(id) else {
            return missing(id);
        };
        if payment.status != "requires_capture" || !payment.captures.is_empty() {
            return payment.unexpected_state();
        }
        let amount = int(&params["amount"]);
        let wrong = if !payment.may_be_raised {
            Some("This payment is not eligible for incremental authorizations")
        } else if payment.raises >= MOST_RAISES {
            Some("No further incremental authorization is possible")
        } else if amount <= payment.amount {
            Some("The amount has to be above what is authorized")
        } else {
            None
        };
        if let Some(message) = wrong {
            return invalid("parameter_invalid_integer", message, "amount");
        }
        payment.raises += 1;
        if amount > ISSUERS_LIMIT {
            // The payment and its charge stay unchanged.
            let error = INSUFFICIENT.error();
            return refusal(402, error, "payment_intent", payment.show(false));
        }
        payment.amount = amount;
        payment.authorized = amount;
        payment.capturable = amount;
        payment.metadata.extend(map(&params["metadata"]));
        let shown = payment.show(false);
        self.tell_of(id);
        (200, shown)
    }

    pub fn cancel(&mut self, id: &str, params: &Value) -> Said {
        let Some(payment) = self.payment(id) else {
            return missing(id);
        };
        if ["succeeded", "canceled"].contains(&payment.status) {
            return payment.unexpected_state();
        }
        payment.status = "canceled";
        payment.capturable = 0;
        payment.cancellation_reason = Some(params["cancellation_reason"].clone());
        let shown = payment.show(false);
        self.tell_of(id);
        (200, shown)
    }

    /// Cancels an uncaptured payment on Stripe's behalf, or ends the wait for a payer who is away.
    pub fn expire(&mut self, id: &str) -> bool {
        let payment = self.payment(id).expect("a payment");
        if payment.status == "requires_action" && payment.card.method().is_some() {
            payment.refuse(&NOT_DECIDED);
            self.tell_of(id);
            return true;
        }
        if payment.status != "requires_capture" {
            return false;
        }
        payment.status = "canceled";
        payment.capturable = 0;
        payment.cancellation_reason = Some("automatic".into());
        self.tell_of(id);
        true
    }

    pub fn cancel_check(&mut self, id: &str) -> Said {
        let Some(check) = self.checks.iter_mut().find(|own| own.id == id) else {
            return missing(id);
        };
        if ["succeeded", "canceled"].contains(&check.status) {
            let error = json!({"type": "invalid_request_error", "code": "setup_intent_unexpected_state",
                "message": "It can't be cancelled any more"});
            return refusal(400, error, "setup_intent", check.show());
        }
        check.status = "canceled";
        (200, check.show())
    }

    /// Finishes the payer's visit. Returns the page to which the payer returns.
    pub fn authenticate(&mut self, id: &str, approves: bool) -> Option<String> {
        let charge = self.id("ch");
        if let Some(check) = self.checks.iter_mut().find(|own| own.id == id) {
            let _ = match approves {
                true => check.finish(),
                false => check.refuse(&NOT_AUTHENTICATED),
            };
            return check.return_url.clone();
        }
        let payment = self.payment(id)?;
        let back = payment.return_url.clone();
        if payment.status != "requires_action" {
            return back;
        }
        let _ = match approves {
            true => payment.charge(charge),
            false => payment.refuse(payment.card.unwanted()),
        };
        self.tell_of(id);
        back
    }

    /// Ends the debits that are under way, as after some days.
    pub fn settle_debits(&mut self) {
        let all = self.payments.iter();
        let ids: Vec<String> = all.map(|own| own.id.clone()).collect();
        for id in ids {
            self.settle_debit(&id);
        }
    }

    /// Ends a debit that is over by the time somebody asks again.
    pub fn settle_debit(&mut self, id: &str) {
        let is_settled = self.payment(id).is_some_and(Payment::settle);
        if is_settled {
            self.tell_of(id);
        }
    }

    fn tell_of(&mut self, id: &str) {
        let told = self.payment(id).map(|payment| payment.event());
        if let Some((kind, shown)) = told {
            self.events.push((kind, shown));
        }
    }

    fn tell_payment(&mut self, payment: &Payment) {
        self.events.push(payment.event());
    }
}

fn card_of(params: &Value) -> Result<Card, Said> {
    if params["payment_method_data"]["type"] != "card" {
        return Method::of_payment(params).map(|method| method.instrument(params));
    }
    let given = &params["payment_method_data"]["card"];
    if let Some(token) = given["token"].as_str() {
        let card = Card::of_token(token);
        return card.ok_or_else(|| {
            let param = "payment_method_data[card][token]";
            invalid("resource_missing", "No such token", param)
        });
    }
    let number = text(&given["number"]);
    Card::by_number(number).ok_or_else(|| {
        let param = "payment_method_data[card][number]";
        let error = json!({"type": "card_error", "code": "incorrect_number",
            "message": "Your card number is incorrect.", "param": param});
        (402, json!({ "error": error }))
    })
}

/// Returns the error for an invalid parameter.
pub fn invalid(code: &str, message: &str, param: &str) -> Said {
    let error =
        json!({"type": "invalid_request_error", "code": code, "message": message, "param": param});
    (400, json!({ "error": error }))
}

/// Returns the error for an unknown id.
pub fn missing(id: &str) -> Said {
    let error = json!({"type": "invalid_request_error", "code": "resource_missing",
        "message": format!("There is no {id}"), "param": "intent"});
    (404, json!({ "error": error }))
}

pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Forms contain texts only.
pub fn int(value: &Value) -> i64 {
    let read = || text(value).parse().ok();
    value.as_i64().or_else(read).unwrap_or_default()
}

fn truth(value: &Value) -> bool {
    value.as_bool() == Some(true) || value == "true"
}

pub fn map(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}
