//! Stripe as its public reference describes it: a ledger in memory for each account, answers that are stored by their
//! idempotency key, a search that may lag behind, and events that are signed.

mod cards;
mod ledger;
mod objects;

pub use cards::ALL as CARDS;

use std::collections::HashMap;

use serde_json::{Value, json};

use ledger::{Ledger, Reply, invalid, missing};

/// The key that opens the peer's accounts.
pub const KEY: &str = "sk_test_51peerpeerpeerpeer";

/// A request that peer.yaml describes.
pub struct Request<'a> {
    pub method: &'a str,
    /// Behind `/v1/`, decoded.
    pub path: &'a [&'a str],
    /// Names in lower case.
    pub headers: &'a HashMap<String, String>,
    /// Of the query or the body, nested as their names say.
    pub params: &'a Value,
    /// Seconds since 1970.
    pub now: i64,
}

/// Everything that Stripe keeps.
#[derive(Default)]
pub struct Stripe {
    /// By the connected account; the platform's own under nothing.
    accounts: HashMap<String, Ledger>,
    answered: HashMap<(String, String), (Value, Reply)>,
    /// The search doesn't find what was made lately.
    search_lags: bool,
}

impl Stripe {
    pub fn set_search_lags(&mut self, lags: bool) {
        self.search_lags = lags;
    }

    /// The objects of the account that is no connected one.
    pub fn ledger(&mut self) -> &mut Ledger {
        self.accounts.entry(String::new()).or_default()
    }

    pub fn answer(&mut self, request: &Request<'_>) -> Reply {
        let header = |name: &str| request.headers.get(name).cloned();
        if header("authorization") != Some(format!("Bearer {KEY}")) {
            return refused(401, "Invalid API Key provided");
        }
        let account = header("stripe-account").unwrap_or_default();
        let Some(key) = header("idempotency-key").filter(|_| request.method == "POST") else {
            return self.look(&account, request);
        };
        let asked = json!([request.path, request.params]);
        if let Some((first, reply)) = self.answered.get(&(account.clone(), key.clone())) {
            if first == &asked {
                return reply.clone();
            }
            let error = json!({"type": "idempotency_error", "message": "The key was used for something else"});
            return (400, json!({ "error": error }));
        }
        let reply = self.act(&account, request);
        self.answered.insert((account, key), (asked, reply.clone()));
        reply
    }

    fn act(&mut self, account: &str, request: &Request<'_>) -> Reply {
        let ledger = self.accounts.entry(account.to_owned()).or_default();
        let params = request.params;
        match request.path {
            ["payment_intents"] => ledger.pay(params),
            ["payment_intents", id, "capture"] => ledger.capture(id, params),
            ["payment_intents", id, "cancel"] => ledger.cancel(id, params),
            ["setup_intents"] => ledger.check(params, request.now),
            ["setup_intents", id, "cancel"] => ledger.cancel_check(id),
            ["refunds"] => ledger.refund(params),
            _ => refused(404, "Unrecognized request URL"),
        }
    }

    fn look(&mut self, account: &str, request: &Request<'_>) -> Reply {
        let lags = self.search_lags;
        let ledger = self.accounts.entry(account.to_owned()).or_default();
        let params = request.params;
        match request.path {
            ["payment_intents"] => {
                let all = ledger.payments.iter().map(|payment| payment.show(false));
                page("list", all.rev().collect(), params)
            }
            ["payment_intents", "search"] => {
                let Some(key) = searched_key(params) else {
                    return invalid("parameter_invalid", "The query can't be read", "query");
                };
                let all = ledger.payments.iter().filter(|payment| {
                    !lags
                        && payment
                            .metadata
                            .get("multirail_key")
                            .is_some_and(|own| own == key)
                });
                let all = all.rev().map(|payment| payment.show(false)).collect();
                page("search_result", all, params)
            }
            ["payment_intents", id] => {
                let expanded = params["expand"][0] == "latest_charge";
                let found = ledger.payments.iter().find(|own| own.id == *id);
                found.map_or(missing(id), |payment| (200, payment.show(expanded)))
            }
            ["setup_intents"] => {
                let since = number(&params["created"]["gte"]).unwrap_or_default();
                let all = ledger.checks.iter().filter(|own| own.created >= since);
                let all = all.rev().map(|check| check.show()).collect();
                page("list", all, params)
            }
            ["setup_intents", id] => {
                let found = ledger.checks.iter().find(|own| own.id == *id);
                found.map_or(missing(id), |check| (200, check.show()))
            }
            ["refunds"] => {
                let of = &params["payment_intent"];
                let all = ledger.refunds.iter().filter(|own| of == &own.payment);
                let all = all.rev().map(|refund| refund.show()).collect();
                page("list", all, params)
            }
            ["refunds", id] => {
                let found = ledger.refunds.iter().find(|own| own.id == *id);
                found.map_or(missing(id), |refund| (200, refund.show()))
            }
            _ => refused(404, "Unrecognized request URL"),
        }
    }
}

/// One page of what there is, behind `starting_after`.
fn page(object: &str, all: Vec<Value>, params: &Value) -> Reply {
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
        json!({"object": object, "data": data, "has_more": has_more}),
    )
}

/// Of the one question that is asked: `metadata['multirail_key']:'...'`.
fn searched_key(params: &Value) -> Option<&str> {
    let query = params["query"].as_str()?;
    let key = query.strip_prefix("metadata['multirail_key']:'")?;
    key.strip_suffix('\'')
}

fn number(value: &Value) -> Option<i64> {
    let read = || value.as_str()?.parse().ok();
    value.as_i64().or_else(read)
}

fn refused(status: u16, message: &str) -> Reply {
    let error = json!({"type": "invalid_request_error", "message": message});
    (status, json!({ "error": error }))
}
