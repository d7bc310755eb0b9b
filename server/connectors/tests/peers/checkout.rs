//! Checkout.com's connector with Checkout.com's stand-in behind it.

mod stories;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use multirail_app::ports::connector::Connector;
use multirail_connectors::checkout::{Checkout as CheckoutConnector, DESCRIPTION};
use multirail_domain::card::{Card, CardCode, CardNumber, Expiry, GivenCardDetails};
use multirail_domain::connector::{Access, Description, RawNotice};
use multirail_domain::connector_account::WebhookSecrets;
use multirail_domain::ids::ProcessorKey;
use multirail_domain::timestamp::Timestamp;
use multirail_peers::StandIn;
use multirail_peers::checkout::Checkout;

use crate::suite::peer::Peer;
use crate::suite::subject::{
    Books, CardThat, Subject, access_to, client_of, query_of, raw, secrets_of,
};

struct CheckoutSubject {
    checkout: Arc<Checkout>,
    peer: Peer,
}

pub async fn start() -> Box<dyn Subject> {
    Box::new(CheckoutSubject::start().await)
}

impl CheckoutSubject {
    async fn start() -> Self {
        let checkout = Arc::new(Checkout::new());
        let peer = Peer::start(checkout.clone()).await;
        CheckoutSubject { checkout, peer }
    }
}

#[async_trait]
impl Subject for CheckoutSubject {
    fn description(&self) -> &'static Description {
        &DESCRIPTION
    }

    fn connector(&self, deadline: Duration) -> Arc<dyn Connector> {
        Arc::new(CheckoutConnector::new(client_of(&self.peer, deadline)))
    }

    fn peer(&self) -> &Peer {
        &self.peer
    }

    fn access(&self) -> Access {
        access_to(&self.peer, &*self.checkout, self.checkout.credentials())
    }

    fn refused_access(&self) -> Access {
        access_to(
            &self.peer,
            &*self.checkout,
            self.checkout.refused_credentials(),
        )
    }

    fn card(&self, wanted: CardThat) -> Card {
        let card = self.checkout.card(wanted);
        let number = CardNumber::parse(card.number).expect("a number");
        let code = CardCode::parse(card.code, "card_cvc").expect("a code");
        let expiry = Expiry::parse("12", "2030", "card", Timestamp::EPOCH).expect("an expiry");
        let given = GivenCardDetails {
            holder_name: Some(card.holder.to_owned()),
            ..GivenCardDetails::default()
        };
        Card::new(number, Some(code), expiry, given)
    }

    async fn books(&self, authorization: &ProcessorKey) -> Books {
        self.checkout.books(authorization.as_str())
    }

    async fn decide(&self, url: &str, approves: bool) -> Option<String> {
        query_of(&self.checkout.decide(url, approves)?)
    }

    async fn notices(&self) -> Vec<RawNotice> {
        self.checkout.notices().into_iter().map(raw).collect()
    }

    fn secrets(&self) -> Option<WebhookSecrets> {
        Some(secrets_of(&*self.checkout))
    }
}
