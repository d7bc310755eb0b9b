//! Adyen's connector with Adyen's stand-in.

mod payer_methods;
mod stories;

use std::sync::Arc;

use multirail_connectors::adyen::Adyen as AdyenConnector;
use multirail_peers::adyen::Adyen;

use super::stand_in::StandInSubject;
use crate::suite::subject::Subject;

pub async fn start() -> Box<dyn Subject> {
    Box::new(subject().await)
}

pub async fn subject() -> StandInSubject<Adyen> {
    let connect = |client| Arc::new(AdyenConnector::new(client)) as _;
    StandInSubject::start("adyen", Adyen::new(), connect).await
}
