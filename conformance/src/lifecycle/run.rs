//! Making calls and keeping the score.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::report::{Report, Row};
use crate::wire::{Call, Wire};

/// The call that a chapter depends on failed; the report says how.
#[derive(Debug)]
pub(super) struct Stop;

/// The story so far.
pub(super) struct Run {
    pub wire: Wire,
    pub admin_key: String,
    pub report: Report,
}

/// The merchant of the story.
pub(super) struct Merchant {
    pub wire: Wire,
    pub id: String,
    pub profile_id: String,
    pub api_key: String,
    pub publishable_key: String,
    pub connector_account_id: String,
    pub key_id: String,
}

impl Run {
    pub fn new(wire: Wire, admin_key: &str) -> Self {
        Self {
            wire,
            admin_key: admin_key.to_owned(),
            report: Report::default(),
        }
    }

    /// A call of the operator.
    pub fn operator(&self, operation: &str, merchant_id: &str) -> Call {
        let call = self.wire.call(operation).key(&self.admin_key);
        call.at("account_id", merchant_id)
            .at("merchant_id", merchant_id)
    }

    /// Makes a call that has to work, with these values at these places of its answer.
    pub async fn works(
        &mut self,
        scenario: &str,
        call: Call,
        wanted: &[(&str, Value)],
    ) -> Result<Value, Stop> {
        let (operation, started) = (call.name(), Instant::now());
        let sent = call.send().await;
        let took = started.elapsed();
        let result = match sent {
            Err(wrong) => Err(wrong.reasons.join("; ")),
            Ok(answer) if answer.status != 200 => {
                Err(format!("answered {}: {}", answer.status, answer.body))
            }
            Ok(answer) => {
                let off = wanted
                    .iter()
                    .find(|(place, value)| answer.body.pointer(place) != Some(value));
                match off {
                    Some((place, value)) => {
                        let is = answer.body.pointer(place).unwrap_or(&Value::Null);
                        Err(format!("{place} is {is} instead of {value}"))
                    }
                    None => Ok(answer.body),
                }
            }
        };
        self.file(operation, scenario, took, result)
    }

    /// Makes a call that has to be refused with this status and code.
    pub async fn is_refused(
        &mut self,
        scenario: &str,
        call: Call,
        status: u16,
        code: &str,
    ) -> Result<(), Stop> {
        let (operation, started) = (call.name(), Instant::now());
        let sent = call.send().await;
        let took = started.elapsed();
        let result = match sent {
            Err(wrong) => Err(wrong.reasons.join("; ")),
            Ok(answer) if answer.is_refusal(status, code) => Ok(()),
            Ok(answer) => Err(format!(
                "answered {} instead of {status} {code}: {}",
                answer.status, answer.body
            )),
        };
        self.file(operation, scenario, took, result)
    }

    /// Files what was found out in another way.
    pub fn file<T>(
        &mut self,
        operation: String,
        scenario: &str,
        took: Duration,
        result: Result<T, String>,
    ) -> Result<T, Stop> {
        let (filed, result) = match result {
            Ok(value) => (Ok(()), Ok(value)),
            Err(why) => (Err(why), Err(Stop)),
        };
        self.report.rows.push(Row {
            operation,
            scenario: scenario.to_owned(),
            result: filed,
            took,
        });
        result
    }
}

impl Merchant {
    /// A call with the merchant's secret key.
    pub fn call(&self, operation: &str) -> Call {
        let call = self.wire.call(operation).key(&self.api_key);
        call.at("account_id", &self.id).at("merchant_id", &self.id)
    }

    /// A call about one payment.
    pub fn on(&self, operation: &str, payment: &Value) -> Call {
        self.call(operation)
            .at("payment_id", payment["payment_id"].as_str().unwrap_or("-"))
    }
}
