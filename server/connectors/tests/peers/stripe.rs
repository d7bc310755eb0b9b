//! Stripe's connector with Stripe's stand-in behind it.

use std::sync::{Arc, MutexGuard};
use std::time::Duration;

use async_trait::async_trait;
use multirail_app::ports::connector::Connector;
use multirail_connectors::stripe::Stripe as StripeConnector;
use multirail_domain::card::{Card, CardNumber, Expiry, GivenCardDetails};
use multirail_domain::connector::{Access, Description, RawNotice};
use multirail_domain::connector_account::WebhookSecrets;
use multirail_domain::ids::ProcessorKey;
use multirail_domain::timestamp::Timestamp;
use multirail_peers::StandIn;
use multirail_peers::stripe::{Accounts, Stripe};

use crate::suite::peer::Peer;
use crate::suite::subject::{
    Books, CardThat, Subject, access_to, client_of, query_of, raw, secrets_of,
};

/// When everything happens, in seconds since 1970.
const NOW: i64 = 1_767_268_800;

/// The stand-in, and how tests get at it.
pub struct StripeSubject {
    stripe: Arc<Stripe>,
    peer: Peer,
}

pub async fn start() -> Box<dyn Subject> {
    Box::new(StripeSubject::start().await)
}

impl StripeSubject {
    pub async fn start() -> Self {
        let stripe = Arc::new(Stripe::new(|| NOW));
        let peer = Peer::start(stripe.clone()).await;
        StripeSubject { stripe, peer }
    }

    pub fn stripe(&self) -> MutexGuard<'_, Accounts> {
        self.stripe.accounts()
    }
}

#[async_trait]
impl Subject for StripeSubject {
    fn description(&self) -> &'static Description {
        let connector = self.connector(Duration::from_secs(1));
        connector.description()
    }

    fn connector(&self, deadline: Duration) -> Arc<dyn Connector> {
        Arc::new(StripeConnector::new(client_of(&self.peer, deadline)))
    }

    fn peer(&self) -> &Peer {
        &self.peer
    }

    fn access(&self) -> Access {
        access_to(&self.peer, &*self.stripe, self.stripe.credentials())
    }

    fn refused_access(&self) -> Access {
        access_to(&self.peer, &*self.stripe, self.stripe.refused_credentials())
    }

    fn card(&self, wanted: CardThat) -> Card {
        card(self.stripe.card(wanted).number)
    }

    async fn books(&self, authorization: &ProcessorKey) -> Books {
        self.stripe.books(authorization.as_str())
    }

    async fn decide(&self, url: &str, approves: bool) -> Option<String> {
        let back = self.stripe.decide(url, approves);
        query_of(&back.expect("Stripe sends the payer back"))
    }

    async fn notices(&self) -> Vec<RawNotice> {
        self.stripe.notices().into_iter().map(raw).collect()
    }

    fn secrets(&self) -> Option<WebhookSecrets> {
        Some(secrets_of(&*self.stripe))
    }

    fn now(&self) -> Timestamp {
        Timestamp::EPOCH.plus_seconds(NOW).expect("in range")
    }
}

pub fn card(number: &str) -> Card {
    let expiry = Expiry::parse("10", "2035", "card", Timestamp::EPOCH).expect("an expiry");
    let number = CardNumber::parse(number).expect("a number");
    Card::new(number, None, expiry, GivenCardDetails::default())
}
