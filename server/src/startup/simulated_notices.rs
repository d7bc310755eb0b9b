//! What the simulated processor of a sandbox tells unasked.

use std::sync::Arc;
use std::time::Duration;

use multirail_connectors::simulator::notice_endpoint;
use multirail_simulator::processor::Processor;
use multirail_simulator::send_notices;
use tokio::task::JoinHandle;

use super::connectors::to_simulators;
use super::demo::Demo;
use super::listen::Bound;
use crate::config::Config;

/// What the processor gets to answer at a start, which nobody should have to wait for.
const PATIENCE: Duration = Duration::from_secs(2);

/// The sending of notices by the processor in this process, which ends when this is dropped.
pub(super) struct Sending(JoinHandle<()>);

impl Drop for Sending {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Sending {
    pub(super) fn start(processor: &Arc<Processor>) -> Self {
        let processor = Arc::clone(processor);
        Sending(tokio::spawn(async move {
            match send_notices(processor).await {}
        }))
    }
}

/// Enters this server with the simulated processor, as the place where the notices of the demo merchant's account go. A server
/// that speaks TLS is not entered: the simulated processor speaks plain HTTP to this machine only.
pub(super) async fn reach_demo(config: &Config, bound: &Bound, demo: &Demo) {
    let account = demo.connector_account.as_ref();
    let told = account.and_then(|account| Some((account, account.secrets.webhook.as_ref()?)));
    let (Some((account, secrets)), Some(transport)) =
        (told, to_simulators(config, bound.processor.as_ref()))
    else {
        return;
    };
    let address = format!(
        "{}/webhooks/{}/{}",
        config.own_url(bound.address),
        account.merchant_id,
        account.merchant_connector_id
    );
    let access = account.access();
    let entered = notice_endpoint::enter(
        transport.as_ref(),
        &account.connector_name,
        &access,
        &address,
        &secrets.merchant_secret,
    );
    let entered = tokio::time::timeout(PATIENCE, entered).await;
    match entered.unwrap_or_else(|_| Err("the processor takes long to answer".to_owned())) {
        Ok(()) => {
            tracing::info!(
                address,
                "the simulated processor tells the demo merchant's account"
            );
        }
        Err(why) => tracing::warn!(
            why,
            address,
            "the simulated processor sends no notices here: what is pending ends when it is asked about"
        ),
    }
}
