//! Adyen's connector with Adyen's stand-in behind it.

mod stories;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use multirail_app::ports::connector::Connector;
use multirail_connectors::adyen::{Adyen as AdyenConnector, DESCRIPTION};
use multirail_domain::card::{Card, CardCode, CardNumber, Expiry, GivenCardDetails};
use multirail_domain::connector::{Access, Description, RawNotice};
use multirail_domain::connector_account::WebhookSecrets;
use multirail_domain::ids::ProcessorKey;
use multirail_domain::timestamp::Timestamp;
use multirail_peers::StandIn;
use multirail_peers::adyen::Adyen;

use crate::suite::peer::Peer;
use crate::suite::subject::{
    Books, CardThat, Subject, access_to, client_of, query_of, raw, secrets_of,
};

struct AdyenSubject {
    adyen: Arc<Adyen>,
    peer: Peer,
}

pub async fn start() -> Box<dyn Subject> {
    let adyen = Arc::new(Adyen::new());
    let peer = Peer::start(adyen.clone()).await;
    Box::new(AdyenSubject { adyen, peer })
}

#[async_trait]
impl Subject for AdyenSubject {
    fn description(&self) -> &'static Description {
        &DESCRIPTION
    }

    fn connector(&self, deadline: Duration) -> Arc<dyn Connector> {
        Arc::new(AdyenConnector::new(client_of(&self.peer, deadline)))
    }

    fn peer(&self) -> &Peer {
        &self.peer
    }

    fn access(&self) -> Access {
        access_to(&self.peer, &*self.adyen, self.adyen.credentials())
    }

    fn refused_access(&self) -> Access {
        access_to(&self.peer, &*self.adyen, self.adyen.refused_credentials())
    }

    fn card(&self, wanted: CardThat) -> Card {
        let card = self.adyen.card(wanted);
        let number = CardNumber::parse(card.number).expect("a number");
        let code = CardCode::parse(card.code, "card_cvc").expect("a code");
        let expiry = Expiry::parse("3", "2030", "card", Timestamp::EPOCH).expect("an expiry");
        let given = GivenCardDetails {
            holder_name: Some(card.holder.to_owned()),
            ..GivenCardDetails::default()
        };
        Card::new(number, Some(code), expiry, given)
    }

    async fn books(&self, authorization: &ProcessorKey) -> Books {
        self.adyen.books(authorization.as_str())
    }

    async fn decide(&self, url: &str, approves: bool) -> Option<String> {
        query_of(&self.adyen.decide(url, approves)?)
    }

    async fn notices(&self) -> Vec<RawNotice> {
        self.adyen.notices().into_iter().map(raw).collect()
    }

    fn secrets(&self) -> Option<WebhookSecrets> {
        Some(secrets_of(&*self.adyen))
    }

    fn leaves_out(&self) -> Vec<(&'static str, &'static str)> {
        vec![
            ("taken_in_several_parts", "it captures once"),
            ("every_kind_is_found", "it can't be asked about anything"),
            (
                "what_never_was_is_not_found",
                "it can't be asked about anything",
            ),
            ("a_look_up_that_fails", "it can't be asked about anything"),
        ]
    }
}
