//! Fuzz targets for connectors: they check that every notice and answer leads to a permitted
//! outcome. Tests replay `conformance/fuzz/corpus`, and cargo-fuzz extends it.

mod answers;
mod notices;

use std::sync::Arc;
use std::time::Duration;

use multirail_connector_kit::ClientSettings;
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::money::Money;
use multirail_kernel::target::TargetRules;
use multirail_sdk::connector::{Access, Connector, ConnectorDirectory, DisputeNews, Outcome};
use serde_json::json;

pub use answers::answers;
pub use notices::notices;

use crate::canned::Canned;
use crate::client::Client;
use crate::simulator::{self, Simulator};
use crate::{Connectors, fixture};

/// Our key of the payment in all inputs.
pub(crate) const KEY: &str = "mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ";

/// The name for all simulated processors, which share one connector.
const SIMULATOR: &str = "simulator";

fn client() -> Client {
    Client::new(ClientSettings {
        targets: TargetRules::default(),
        deadline: Duration::from_secs(60),
        calls_per_account: 8,
        proxy: None,
        trusted: Vec::new(),
    })
}

pub(crate) fn connector(name: &str, canned: Canned) -> Arc<dyn Connector> {
    if name == SIMULATOR {
        let described = &simulator::DESCRIPTIONS[0];
        let deadline = Duration::from_secs(60);
        return Arc::new(Simulator::new(described, Arc::new(canned), deadline));
    }
    let client = Arc::new(client().answering(canned));
    let made = Connectors::production(&client).find(name);
    made.unwrap_or_else(|| panic!("{name} is no connector"))
}

pub(crate) fn access() -> Access {
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

/// Returns whether a browser may be sent to this address.
fn is_page(address: &str) -> bool {
    url::Url::parse(address)
        .is_ok_and(|url| url.has_host() && matches!(url.scheme(), "http" | "https"))
}

/// Checks the rules that hold for every outcome.
fn judge(outcome: &Outcome) {
    match outcome {
        Outcome::Done(approval) => {
            let hold = approval.hold.as_ref();
            let most = hold.and_then(|hold| hold.most_capturable);
            let mut amounts = approval.amount_minor.into_iter().chain(most);
            assert!(amounts.all(|amount| amount >= 0), "{outcome:?}");
        }
        Outcome::CustomerMustAct { step, .. } => {
            assert!(
                step.url().is_none_or(is_page),
                "a payer is sent nowhere else: {outcome:?}"
            );
        }
        Outcome::DeviceDataNeeded { url, .. } => {
            assert!(is_page(url), "a payer is sent nowhere else: {outcome:?}");
        }
        Outcome::Declined(_)
        | Outcome::Pending { .. }
        | Outcome::NeverHappened { .. }
        | Outcome::Unknown(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use multirail_test_replay::{corpus, replay};

    use super::*;

    const MUTATIONS: u64 = 700;

    fn names() -> Vec<&'static str> {
        let real = Connectors::production(&Arc::new(client()));
        [real.names(), vec![SIMULATOR]].concat()
    }

    #[test]
    fn fuzz_corpus_of_answers() {
        for name in names() {
            replay(&format!("answers_{name}"), MUTATIONS, |input| {
                answers(name, input)
            });
        }
    }

    #[test]
    fn fuzz_corpus_of_notices() {
        for name in names() {
            replay(&format!("notices_{name}"), MUTATIONS, |input| {
                notices(name, input);
            });
        }
    }

    #[test]
    fn the_corpus_is_signed() {
        for name in names() {
            let inputs = corpus(&format!("notices_{name}"));
            assert!(inputs.iter().any(|input| notices(name, input)), "{name}");
        }
    }
}
