//! What fuzzing looks at in here: whatever a processor tells or answers, each connector makes something of it that it may
//! say. Compiled for tests, which replay `conformance/fuzz/corpus`, and by cargo-fuzz.

mod answers;
mod canned;
mod notices;

use std::sync::Arc;
use std::time::Duration;

use multirail_app::ports::connector::Connector;
use multirail_domain::connector::{Access, DisputeNews, Outcome};
use multirail_domain::currency::Currency;
use multirail_domain::ids::ProcessorKey;
use multirail_domain::money::Money;
use multirail_domain::webhook::target::TargetRules;
use serde_json::json;

pub use answers::answers;
pub(crate) use canned::Canned;
pub use notices::notices;

use crate::client::{Client, ClientSettings};
use crate::{adyen, checkout, fixture, simulator, stripe};

/// The connectors by name, in the order of their folders; the simulated processors have one connector.
pub const CONNECTORS: [&str; 4] = ["adyen", "checkout", "simulator", "stripe"];

/// Our own key of the payment that everything is about.
const KEY: &str = "mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ";

fn connector(name: &str, canned: Canned) -> Box<dyn Connector> {
    let client = || {
        let client = Client::new(ClientSettings {
            targets: TargetRules::default(),
            deadline: Duration::from_secs(60),
            calls_per_account: 8,
            proxy: None,
            trusted: Vec::new(),
        });
        Arc::new(client.answering(canned.clone()))
    };
    match name {
        "adyen" => Box::new(adyen::Adyen::new(client())),
        "checkout" => Box::new(checkout::Checkout::new(client())),
        "stripe" => Box::new(stripe::Stripe::new(client())),
        "simulator" => Box::new(simulator::Simulator::new(
            &simulator::DESCRIPTIONS[0],
            Arc::new(canned),
            Duration::from_secs(60),
        )),
        other => panic!("{other} is no connector"),
    }
}

fn access() -> Access {
    fixture::access(
        r#"{"auth_type":"BodyKey","api_key":"sk_1","key1":"BookshopNL"}"#,
        true,
        &json!({ "endpoint_prefix": "abcdefgh" }),
    )
}

fn key() -> ProcessorKey {
    ProcessorKey::parse(KEY).expect("a key")
}

fn money() -> Money {
    Money::new(6540, Currency::USD)
}

fn judge_dispute(dispute: &DisputeNews) {
    assert!(dispute.money.amount_minor >= 0, "{dispute:?}");
}

/// What any outcome may say.
fn judge(outcome: &Outcome) {
    match outcome {
        Outcome::Done(approval) => {
            assert!(
                approval.amount_minor.is_none_or(|amount| amount >= 0),
                "{outcome:?}"
            );
        }
        Outcome::CustomerMustAct { url, .. } | Outcome::DeviceDataNeeded { url, .. } => {
            let url = url::Url::parse(url).ok();
            let is_page = url.is_some_and(|url| url.has_host() && url.scheme().starts_with("http"));
            assert!(is_page, "a payer is sent nowhere else: {outcome:?}");
        }
        Outcome::Declined(_)
        | Outcome::Pending { .. }
        | Outcome::NeverHappened { .. }
        | Outcome::Unknown(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use multirail_test_replay::replay;

    use super::*;

    const MUTATIONS: u64 = 700;

    #[test]
    fn adyens_answers() {
        replay("answers_adyen", MUTATIONS, |input| answers("adyen", input));
    }

    #[test]
    fn checkouts_answers() {
        replay("answers_checkout", MUTATIONS, |input| {
            answers("checkout", input)
        });
    }

    #[test]
    fn simulators_answers() {
        replay("answers_simulator", MUTATIONS, |input| {
            answers("simulator", input)
        });
    }

    #[test]
    fn stripes_answers() {
        replay("answers_stripe", MUTATIONS, |input| {
            answers("stripe", input)
        });
    }

    #[test]
    fn adyens_notices() {
        replay("notices_adyen", MUTATIONS, |input| notices("adyen", input));
    }

    #[test]
    fn checkouts_notices() {
        replay("notices_checkout", MUTATIONS, |input| {
            notices("checkout", input)
        });
    }

    #[test]
    fn simulators_notices() {
        replay("notices_simulator", MUTATIONS, |input| {
            notices("simulator", input)
        });
    }

    #[test]
    fn stripes_notices() {
        replay("notices_stripe", MUTATIONS, |input| {
            notices("stripe", input)
        });
    }

    #[test]
    fn every_connector_is_looked_at() {
        let real = crate::known(&Arc::new(Client::new(ClientSettings {
            targets: TargetRules::default(),
            deadline: Duration::from_secs(1),
            calls_per_account: 1,
            proxy: None,
            trusted: Vec::new(),
        })));
        for one in real.iter().filter(|one| !one.is_simulator) {
            assert!(CONNECTORS.contains(&one.name), "{}", one.name);
        }
    }
}
