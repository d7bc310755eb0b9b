//! A stand-in of Stripe, written from its public reference: a ledger in memory for each account,
//! stored answers by idempotency key, a search that may lag, and signed events.

mod actions;
mod cards;
mod customers;
mod dispute;
mod ledger;
mod methods;
mod objects;
mod refunds;

use std::collections::{HashMap, VecDeque};
use std::sync::{LazyLock, Mutex, MutexGuard};

use async_trait::async_trait;
use hmac::{Hmac, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::stand_in::with_query;
use crate::{
    Booked, Bookkeeper, ByHand, Call, CardThat, DisputeBooks, Document, Notice, Processor, Reply,
    StandIn, TestCard,
};

pub use cards::ALL as CARDS;
pub use ledger::Ledger;
use ledger::{Said, invalid, missing};
use objects::Payment;

/// The API key of the stand-in's accounts.
const KEY: &str = "sk_test_51peerpeerpeerpeer";
/// The version of the API in which the endpoint gets its events.
const VERSION: &str = "2026-06-24.dahlia";
/// The signing secret of the endpoint.
const SECRET: &str = "whsec_peerpeerpeerpeer";

static DOCUMENT: LazyLock<Document> =
    LazyLock::new(|| Document::read(include_str!("../../../src/stripe/peer.yaml")));

/// A platform's account and its connected accounts.
pub struct Stripe(Mutex<Accounts>);

impl Stripe {
    /// Creates a stand-in. `now` is the time of its events and signatures.
    pub fn new(now: fn() -> i64) -> Self {
        Stripe(Mutex::new(Accounts {
            now,
            accounts: HashMap::new(),
            answered: HashMap::new(),
            search_lags: false,
            failures: VecDeque::new(),
            seen: Vec::new(),
        }))
    }

    pub fn accounts(&self) -> MutexGuard<'_, Accounts> {
        self.0.lock().expect("no test panics within")
    }
}

#[async_trait]
impl Processor for Stripe {
    fn document(&self) -> &'static Document {
        &DOCUMENT
    }

    async fn answer(&self, call: Call) -> Reply {
        self.accounts().answer(&call)
    }

    fn refuse(&self, message: &str) -> Reply {
        let (status, body) = invalid("parameter_unknown", message, "");
        Reply::new(status, body)
    }
}

fn credentials(api_key: &str) -> Value {
    json!({ "auth_type": "HeaderKey", "api_key": api_key })
}

impl StandIn for Stripe {
    fn credentials(&self) -> Value {
        credentials(KEY)
    }

    fn refused_credentials(&self) -> Value {
        credentials("sk_test_unknown")
    }

    fn metadata(&self, origin: &str) -> Value {
        json!({ "base_url": origin, "multicapture": true })
    }

    fn card(&self, wanted: CardThat) -> TestCard {
        TestCard {
            number: match wanted {
                CardThat::IsApproved => "4242424242424242",
                CardThat::IsDeclined => "4000000000000002",
                CardThat::AsksThePayer => "4000002760003184",
            },
            code: "123",
            holder: "A. Reader",
        }
    }

    fn keeper(&self) -> &Mutex<dyn Bookkeeper> {
        &self.0
    }

    fn notice_secret(&self) -> &str {
        SECRET
    }

    fn notices(&self) -> Vec<Notice> {
        let mut accounts = self.accounts();
        let now = (accounts.now)();
        accounts.ledger().settle_debits();
        let events = accounts.ledger().events.iter().enumerate();
        events
            .map(|(number, (kind, object))| signed(number, kind, object, now))
            .collect()
    }
}

/// Returns an event as Stripe sends it.
fn signed(number: usize, kind: &str, object: &Value, now: i64) -> Notice {
    let event = json!({"id": format!("evt_{number:08}"), "object": "event", "type": kind, "created": now,
        "api_version": VERSION, "livemode": false, "pending_webhooks": 1, "request": null,
        "data": {"object": object}});
    let body = event.to_string();
    let mut mac = Hmac::<Sha256>::new_from_slice(SECRET.as_bytes()).expect("any length");
    mac.update(format!("{now}.{body}").as_bytes());
    let signature = hex::encode(mac.finalize().into_bytes());
    let header = ("stripe-signature", format!("t={now},v1={signature}"));
    DOCUMENT.notice(vec![header], body.into_bytes())
}

/// A failure of Stripe's own: it answers with 500 and stores the answer under the request's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Fails after creating the customer.
    AfterIt,
    /// Fails before creating the customer.
    BeforeIt,
}

/// All accounts.
pub struct Accounts {
    /// Seconds since 1970.
    now: fn() -> i64,
    /// Ledgers by connected account; the platform's own has the empty name.
    accounts: HashMap<String, Ledger>,
    answered: HashMap<(String, String), (Value, Said)>,
    /// True if the search misses recent objects.
    search_lags: bool,
    /// Failures of the next requests for a customer.
    failures: VecDeque<Failure>,
    /// A line for each request.
    seen: Vec<String>,
}

impl Bookkeeper for Accounts {
    fn all_books(&self) -> Vec<Booked> {
        let own = self.accounts.get("");
        let payments = own.into_iter().flat_map(|ledger| &ledger.payments);
        payments.map(Payment::booked).collect()
    }

    fn decide(&mut self, page: &str, approves: bool) -> Option<String> {
        let id = page.rsplit('/').next().expect("an id");
        let back = self.ledger().authenticate(id, approves)?;
        let status = if approves { "succeeded" } else { "failed" };
        with_query(
            &back,
            &[("payment_intent", id), ("redirect_status", status)],
        )
    }

    fn does_by_hand(&mut self, authorization: &str, what: ByHand) {
        let id = self.id_of(authorization).expect("a payment");
        let (status, said) = match what {
            ByHand::Captures(amount) => {
                let params = json!({ "amount_to_capture": amount });
                self.ledger().capture(&id, &params)
            }
            ByHand::Refunds(amount) => {
                let params = json!({ "payment_intent": id, "amount": amount });
                self.ledger().refund(&params)
            }
            ByHand::Cancels => self.ledger().cancel(&id, &json!({})),
            ByHand::Adjusts(amount) => self.ledger().raise(&id, &json!({ "amount": amount })),
        };
        assert_eq!(status, 200, "{said}");
    }

    fn lapse(&mut self, authorization: &str) -> bool {
        let id = self.id_of(authorization);
        id.is_some_and(|id| self.ledger().expire(&id))
    }

    fn raise_dispute(&mut self, authorization: &str) -> Option<String> {
        let now = (self.now)();
        let id = self.id_of(authorization)?;
        self.ledger().raise_dispute(&id, now)
    }

    fn dispute_books(&self, dispute: &str) -> DisputeBooks {
        let own = self.accounts.get("");
        let mut disputes = own.into_iter().flat_map(|ledger| &ledger.disputes);
        let found = disputes.find(|own| own.id == dispute);
        found.map_or_else(DisputeBooks::default, |own| own.books.clone())
    }

    fn stored_instruments(&self) -> usize {
        self.accounts.get("").map_or(0, Ledger::stored_cards)
    }

    fn customers(&self) -> Vec<(String, String)> {
        let own = self.accounts.get("").into_iter();
        let customers = own.flat_map(|ledger| &ledger.customers);
        let customers = customers.filter(|customer| !customer.is_deleted);
        customers
            .map(|customer| (customer.name.clone(), customer.email.clone()))
            .collect()
    }

    fn decide_dispute(&mut self, dispute: &str, is_won: bool) {
        self.ledger().decide_dispute(dispute, is_won);
    }
}

impl Accounts {
    /// Returns Stripe's id of the authorization with this key of ours.
    fn id_of(&self, authorization: &str) -> Option<String> {
        let mut booked = self.all_books().into_iter();
        let own = booked.find(|own| own.key == authorization)?;
        Some(own.reference)
    }

    pub fn set_search_lags(&mut self, lags: bool) {
        self.search_lags = lags;
    }

    /// Adds a failure for the next request for a customer.
    pub fn fails_to_make_customer(&mut self, failure: Failure) {
        self.failures.push_back(failure);
    }

    /// Returns the ledger of the platform's own account.
    pub fn ledger(&mut self) -> &mut Ledger {
        self.accounts.entry(String::new()).or_default()
    }

    /// Takes the list of requests since the last call: operation, key and connected account.
    pub fn seen(&mut self) -> String {
        std::mem::take(&mut self.seen).join("\n")
    }

    fn answer(&mut self, call: &Call) -> Reply {
        let now = (self.now)();
        let account = call.header("stripe-account").to_owned();
        let key = call.header("idempotency-key").to_owned();
        let line = format!("{} {key} {account}", call.operation);
        self.seen.push(line.trim_end().to_owned());
        if call.header("authorization") != format!("Bearer {KEY}") {
            return reply(refused(401, "Invalid API Key provided"));
        }
        if call.raw.method == http::Method::GET {
            return reply(self.look(&account, call));
        }
        if key.is_empty() {
            return reply(self.act(&account, call, now));
        }
        let asked = json!([call.raw.path, call.body]);
        if let Some((first, said)) = self.answered.get(&(account.clone(), key.clone())) {
            if first == &asked {
                let replayed = ("idempotent-replayed", "true".to_owned());
                return Reply {
                    headers: vec![replayed],
                    ..reply(said.clone())
                };
            }
            let error = json!({"type": "idempotency_error", "message": "The key was used for something else"});
            return reply((400, json!({ "error": error })));
        }
        let said = self.act_or_fail(&account, call, now);
        self.answered.insert((account, key), (asked, said.clone()));
        reply(said)
    }

    fn act_or_fail(&mut self, account: &str, call: &Call, now: i64) -> Said {
        let is_customer = call.operation == "POST /v1/customers";
        let failure = self.failures.pop_front_if(|_| is_customer);
        match failure {
            None => return self.act(account, call, now),
            Some(Failure::AfterIt) => {
                self.act(account, call, now);
            }
            Some(Failure::BeforeIt) => {}
        }
        let error = json!({"type": "api_error", "message": "Something went wrong on Stripe's end"});
        (500, json!({ "error": error }))
    }

    fn act(&mut self, account: &str, call: &Call, now: i64) -> Said {
        let ledger = self.accounts.entry(account.to_owned()).or_default();
        let params = &call.body;
        let id = call.path.values().next().map_or("", String::as_str);
        match call.operation.as_str() {
            "POST /v1/payment_intents" => ledger.pay(params, now),
            "POST /v1/payment_intents/{intent}/capture" => ledger.capture(id, params),
            "POST /v1/payment_intents/{intent}/increment_authorization" => ledger.raise(id, params),
            "POST /v1/payment_intents/{intent}/cancel" => ledger.cancel(id, params),
            "POST /v1/customers" => ledger.make_customer(params, now),
            "DELETE /v1/customers/{customer}" => ledger.delete_customer(id),
            "POST /v1/payment_methods/{payment_method}/detach" => ledger.detach(id),
            "POST /v1/setup_intents" => ledger.check(params, now),
            "POST /v1/setup_intents/{intent}/cancel" => ledger.cancel_check(id),
            "POST /v1/refunds" => ledger.refund(params),
            "POST /v1/disputes/{dispute}" => ledger.challenge_dispute(id, params),
            "POST /v1/disputes/{dispute}/close" => ledger.close_dispute(id),
            "POST /v1/files" => ledger.upload(params),
            other => panic!("{other}"),
        }
    }

    fn look(&mut self, account: &str, call: &Call) -> Said {
        let lags = self.search_lags;
        let ledger = self.accounts.entry(account.to_owned()).or_default();
        let params = &call.query;
        let id = call.path.values().next().map_or("", String::as_str);
        match call.operation.as_str() {
            "GET /v1/payment_intents" => {
                let of = |bound: &str| number(&params["created"][bound]);
                let since = of("gte").unwrap_or(i64::MIN);
                let until = of("lte").unwrap_or(i64::MAX);
                let all = ledger.payments.iter();
                let all = all.filter(|own| (since..=until).contains(&own.created));
                let all = all.rev().map(|payment| payment.show(false)).collect();
                page("list", all, call)
            }
            "GET /v1/payment_intents/search" => {
                let Some(key) = searched_key(params) else {
                    return refused(400, "The query can't be read");
                };
                let all = ledger.payments.iter().filter(|payment| {
                    !lags
                        && payment
                            .metadata
                            .get("multirail_key")
                            .is_some_and(|own| own == key)
                });
                let all = all.rev().map(|payment| payment.show(false)).collect();
                page("search_result", all, call)
            }
            "GET /v1/payment_intents/{intent}" => {
                let expanded = params["expand"][0] == "latest_charge";
                ledger.settle_debit(id);
                let found = ledger.payment(id);
                found.map_or(missing(id), |payment| (200, payment.show(expanded)))
            }
            "GET /v1/customers" => {
                let since = number(&params["created"]["gte"]).unwrap_or(i64::MIN);
                let of = params["email"].as_str();
                let all = ledger.customers.iter().filter(|own| {
                    !own.is_deleted && own.created >= since && of.is_none_or(|of| own.email == of)
                });
                let all = all.rev().map(|customer| customer.show()).collect();
                page("list", all, call)
            }
            "GET /v1/setup_intents" => {
                let since = number(&params["created"]["gte"]).unwrap_or_default();
                let all = ledger.checks.iter().filter(|own| own.created >= since);
                let all = all.rev().map(|check| check.show()).collect();
                page("list", all, call)
            }
            "GET /v1/setup_intents/{intent}" => {
                let found = ledger.checks.iter().find(|own| own.id == id);
                found.map_or(missing(id), |check| (200, check.show()))
            }
            "GET /v1/refunds" => {
                let of = &params["payment_intent"];
                let all = ledger.refunds.iter().filter(|own| of == &own.payment);
                let all = all.rev().map(|refund| refund.show()).collect();
                page("list", all, call)
            }
            "GET /v1/refunds/{refund}" => {
                ledger.finish_refund(id);
                let found = ledger.refunds.iter().find(|own| own.id == id);
                found.map_or(missing(id), |refund| (200, refund.show()))
            }
            "GET /v1/disputes" => {
                let of = |bound: &str| number(&params["created"][bound]);
                let since = of("gte").unwrap_or(i64::MIN);
                let until = of("lte").unwrap_or(i64::MAX);
                let all = ledger.disputes.iter();
                let all = all.filter(|own| (since..=until).contains(&own.created));
                let all = all.rev().map(|dispute| dispute.show()).collect();
                page("list", all, call)
            }
            "GET /v1/disputes/{dispute}" => ledger.look_at_dispute(id),
            other => panic!("{other}"),
        }
    }
}

fn reply((status, body): Said) -> Reply {
    Reply::new(status, body)
}

/// Returns one page of a list, after `starting_after`.
fn page(object: &str, all: Vec<Value>, call: &Call) -> Said {
    let params = &call.query;
    let limit = number(&params["limit"]).unwrap_or(10);
    let limit = usize::try_from(limit).expect("a limit");
    let after = &params["starting_after"];
    let first = match all.iter().position(|own| &own["id"] == after) {
        Some(last) => last + 1,
        None => 0,
    };
    let data: Vec<&Value> = all.iter().skip(first).take(limit).collect();
    let has_more = first + data.len() < all.len();
    (
        200,
        json!({"object": object, "data": data, "has_more": has_more, "url": call.raw.path}),
    )
}

/// Reads the key of the only supported query: `metadata['multirail_key']:'...'`.
fn searched_key(params: &Value) -> Option<&str> {
    let query = params["query"].as_str()?;
    let key = query.strip_prefix("metadata['multirail_key']:'")?;
    key.strip_suffix('\'')
}

fn number(value: &Value) -> Option<i64> {
    let read = || value.as_str()?.parse().ok();
    value.as_i64().or_else(read)
}

fn refused(status: u16, message: &str) -> Said {
    let error = json!({"type": "invalid_request_error", "message": message});
    (status, json!({ "error": error }))
}
