//! The processor's ledger, and functions that read its records.

use serde_json::Value;

/// The records in the processor's books.
pub struct Ledger {
    pub authorizations: Vec<Value>,
    pub captures: Vec<Value>,
    pub voids: Vec<Value>,
    pub refunds: Vec<Value>,
    pub disputes: Vec<Value>,
    pub dispute_requests: Vec<Value>,
}

impl Ledger {
    /// Reads the ledger from the simulator.
    pub async fn read(simulator_url: &str) -> Self {
        let http = reqwest::Client::builder()
            .no_proxy()
            .build()
            .expect("a client");
        let book = async |name: &str| -> Vec<Value> {
            let url = format!("{simulator_url}/ledger/{name}");
            let answer = http.get(url).send().await.expect("the simulator answers");
            answer.json().await.expect("a list")
        };
        Ledger {
            authorizations: book("authorizations").await,
            captures: book("captures").await,
            voids: book("voids").await,
            refunds: book("refunds").await,
            disputes: book("disputes").await,
            dispute_requests: book("dispute_requests").await,
        }
    }
}

pub fn done<'a>(records: &'a [&'a Value]) -> impl Iterator<Item = &'a Value> {
    records
        .iter()
        .copied()
        .filter(|record| record["status"] == "done")
}

/// Returns the processor's authorizations of a payment.
pub fn authorizations_of<'a>(
    ledger: &'a Ledger,
    payment_id: &str,
) -> impl Iterator<Item = &'a Value> {
    let all = ledger.authorizations.iter();
    all.filter(move |authorization| payment_named_by(authorization) == payment_id)
}

/// Returns the payment that an authorization belongs to, read from its return URL.
pub fn payment_named_by(authorization: &Value) -> &str {
    let address = text(authorization, "return_url");
    let behind = address
        .split_once("/payments/")
        .map_or("", |(_, rest)| rest);
    behind.split('/').next().unwrap_or_default()
}

/// Returns whether a payment debits a bank account.
pub fn is_debit(payment: &Value) -> bool {
    payment["payment_method"] == "bank_debit"
}

/// Returns whether the payer pays in cash.
pub fn is_voucher(payment: &Value) -> bool {
    payment["payment_method"] == "voucher"
}

/// Returns whether the payer still has to act. A transfer of which a part has arrived is being processed, and keeps its
/// instructions.
pub fn awaits_payer(payment: &Value) -> bool {
    let status = text(payment, "status");
    status == "requires_customer_action"
        || (status == "processing" && !payment["next_action"].is_null())
}

pub fn text<'a>(record: &'a Value, member: &str) -> &'a str {
    record[member].as_str().unwrap_or_default()
}

pub fn number(record: &Value, member: &str) -> i64 {
    record[member].as_i64().unwrap_or(0)
}
