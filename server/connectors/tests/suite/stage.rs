//! The stories of the connectors' kit, played by the suite.

use async_trait::async_trait;
use multirail_connector_kit::stories::{Asked, Difference, Stage};
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::money::Money;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::card::Card;
use multirail_sdk::connector::{Access, Connector, Outcome};

use super::bench::{Bench, PRICE};
use super::subject::CardThat;

#[async_trait]
impl Stage for Bench {
    fn connector(&self) -> &dyn Connector {
        &*self.connector
    }

    fn access(&self) -> Access {
        self.subject.access()
    }

    fn card(&self, wanted: CardThat) -> Card {
        self.subject.card(wanted)
    }

    fn price(&self) -> Money {
        PRICE
    }

    fn key(&self) -> ProcessorKey {
        Bench::key(self)
    }

    fn now(&self) -> Timestamp {
        self.subject.now()
    }

    /// Stand-ins decide at once.
    async fn rest(&self) {}

    fn hears_notices(&self) -> bool {
        true
    }

    async fn outcome_by_notice(&self, asked: &Asked) -> Option<Outcome> {
        Bench::outcome_by_notice(self, asked).await
    }
}

/// Returns the result of a story; panics on a difference.
#[track_caller]
pub fn agrees<T>(told: Result<T, Difference>) -> T {
    match told {
        Ok(told) => told,
        Err(difference) => panic!("{difference}"),
    }
}
