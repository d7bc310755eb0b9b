//! A connector with its processor's stand-in, for any processor.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use multirail_connector_kit::TestMode;
use multirail_connectors::client::Client;
use multirail_connectors::test_mode;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::timestamp::Timestamp;
use multirail_peers::{DisputeBooks, StandIn, TestCard};
use multirail_sdk::card::{Card, CardCode, CardNumber, Expiry, GivenCardDetails};
use multirail_sdk::connector::Connector;
use multirail_sdk::connector::WebhookSecrets;
use multirail_sdk::connector::{Access, Description, RawNotice};

use super::recorded::{Exchanges, Recorded};
use crate::suite::bench::Authorization;
use crate::suite::peer::Peer;
use crate::suite::subject::{
    Books, CardThat, Subject, access_to, client_of, query_of, raw, secrets_of,
};

pub struct StandInSubject<S: StandIn> {
    pub stand_in: Arc<S>,
    recorded: Arc<Recorded<S>>,
    peer: Peer,
    connect: fn(Arc<Client>) -> Arc<dyn Connector>,
    /// The test mode that the connector's page describes.
    mode: &'static TestMode,
    /// Seconds since 1970.
    now: i64,
}

impl<S: StandIn> StandInSubject<S> {
    pub async fn start(
        connector: &str,
        stand_in: S,
        connect: fn(Arc<Client>) -> Arc<dyn Connector>,
    ) -> Self {
        let stand_in = Arc::new(stand_in);
        let recorded = Arc::new(Recorded::new(connector, stand_in.clone()));
        let peer = Peer::start(recorded.clone()).await;
        StandInSubject {
            stand_in,
            recorded,
            peer,
            connect,
            mode: test_mode(connector).expect("a test mode"),
            now: 0,
        }
    }

    /// Returns the exchanges between the connector and the stand-in.
    pub fn exchanges(&self) -> Arc<Exchanges> {
        self.recorded.exchanges()
    }

    /// Sets the processor's clock, in seconds since 1970.
    pub fn at(mut self, now: i64) -> Self {
        self.now = now;
        self
    }
}

impl<S: StandIn> Drop for StandInSubject<S> {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.recorded.record_notices();
        }
    }
}

#[async_trait]
impl<S: StandIn> Subject for StandInSubject<S> {
    fn description(&self) -> &'static Description {
        self.connector(Duration::from_secs(1)).description()
    }

    fn connector(&self, deadline: Duration) -> Arc<dyn Connector> {
        (self.connect)(client_of(&self.peer, deadline))
    }

    fn peer(&self) -> &Peer {
        &self.peer
    }

    fn access(&self) -> Access {
        access_to(&self.peer, &*self.stand_in, self.stand_in.credentials())
    }

    fn refused_access(&self) -> Access {
        let refused = self.stand_in.refused_credentials();
        access_to(&self.peer, &*self.stand_in, refused)
    }

    fn card(&self, wanted: CardThat) -> Card {
        self.mode.card(wanted).entered().expect("a test card")
    }

    async fn books(&self, authorization: &ProcessorKey) -> Books {
        self.stand_in.books(authorization.as_str())
    }

    async fn decide(&self, url: &str, approves: bool) -> Option<String> {
        query_of(&self.stand_in.decide(url, approves)?)
    }

    async fn notices(&self) -> Vec<RawNotice> {
        self.stand_in.notices().into_iter().map(raw).collect()
    }

    fn secrets(&self) -> Option<WebhookSecrets> {
        Some(secrets_of(&*self.stand_in))
    }

    async fn raises_dispute(&self, sold: &Authorization) -> String {
        let raised = self.stand_in.dispute(sold.key.as_str());
        raised.expect("money was taken")
    }

    async fn decides_dispute(&self, dispute: &str, is_won: bool) {
        self.stand_in.decide_dispute(dispute, is_won);
    }

    async fn dispute_books(&self, dispute: &str) -> DisputeBooks {
        self.stand_in.dispute_books(dispute)
    }

    fn now(&self) -> Timestamp {
        Timestamp::EPOCH.plus_seconds(self.now).expect("in range")
    }
}

/// Returns a test card as a payer enters it.
pub fn card(card: TestCard) -> Card {
    let number = CardNumber::parse(card.number).expect("a number");
    let code = CardCode::parse(card.code, "card_cvc").expect("a code");
    let expiry = Expiry::parse("3", "2030", "card", Timestamp::EPOCH).expect("an expiry");
    let given = GivenCardDetails {
        holder_name: Some(card.holder.to_owned()),
        ..GivenCardDetails::default()
    };
    Card::new(number, Some(code), expiry, given)
}
