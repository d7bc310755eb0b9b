//! A connector with the other side of its processor behind it.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use multirail_connectors::client::{Client, ClientSettings};
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::secret::SecretText;
use multirail_kernel::target::{AllowedTargets, TargetRules};
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
pub use multirail_peers::{Books, CardThat};
use multirail_peers::{DisputeBooks, Notice, StandIn};
use multirail_sdk::card::Card;
use multirail_sdk::connector::Connector;
use multirail_sdk::connector::WebhookSecrets;
use multirail_sdk::connector::{Access, Description, RawNotice};
use serde_json::Value;

use super::bench::Authorization;
use super::peer::Peer;

/// What each connector gives to the suite.
#[async_trait]
pub trait Subject: Send + Sync {
    fn description(&self) -> &'static Description;

    /// A connector that waits so long for an answer, and calls the peer.
    fn connector(&self, deadline: Duration) -> Arc<dyn Connector>;

    fn peer(&self) -> &Peer;

    /// An account that the processor knows.
    fn access(&self) -> Access;

    /// The same with credentials of the right kind that the processor refuses.
    fn refused_access(&self) -> Access;

    fn card(&self, wanted: CardThat) -> Card;

    /// What the processor has done for this authorization, in our minor units. Nothing for one that it doesn't know.
    async fn books(&self, authorization: &ProcessorKey) -> Books;

    /// One of those whose payments can be disputed.
    fn disputable_card(&self) -> Card {
        self.card(CardThat::IsApproved)
    }

    /// One whose payments are held, where the processor holds any.
    fn held_card(&self) -> Card {
        panic!("it holds no payments")
    }

    /// The payer has his bank claim back what was sold with such a card: the processor's id of the dispute.
    async fn raises_dispute(&self, sold: &Authorization) -> String;

    /// The processor has a use for what is in files of evidence, and not only for how long they are.
    fn keeps_files(&self) -> bool {
        true
    }

    /// What was done about a dispute.
    async fn dispute_books(&self, dispute: &str) -> DisputeBooks;

    /// The payer at this address decides. The query with which the processor sends the payer back, if there is one.
    async fn decide(&self, url: &str, approves: bool) -> Option<String>;

    /// Everything that the processor has told so far, in its order.
    async fn notices(&self) -> Vec<RawNotice> {
        Vec::new()
    }

    /// What notices are verified by, where the processor sends any.
    fn secrets(&self) -> Option<WebhookSecrets> {
        None
    }

    /// Wall time at the processor's.
    fn now(&self) -> Timestamp {
        Timestamp::EPOCH
    }

    /// The cases that this connector leaves out, in their order, each with its reason.
    fn leaves_out(&self) -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }
}

/// An account with these credentials whose address is the stand-in's.
pub fn access_to(peer: &Peer, stand_in: &dyn StandIn, credentials: Value) -> Access {
    let metadata = stand_in.metadata(&peer.origin());
    Access {
        credentials: SecretText::new(credentials.to_string()),
        test_mode: true,
        metadata: metadata.as_object().expect("an object").clone(),
    }
}

/// A client that waits so long and may call the stand-in.
pub fn client_of(peer: &Peer, deadline: Duration) -> Arc<Client> {
    Arc::new(Client::new(ClientSettings {
        targets: TargetRules {
            allowed: AllowedTargets::read(["127.0.0.1"]).expect("a target"),
            ..TargetRules::default()
        },
        deadline,
        calls_per_account: 8,
        proxy: None,
        trusted: peer.certificates(),
    }))
}

pub fn raw(notice: Notice) -> RawNotice {
    let headers = notice.headers.into_iter();
    RawNotice {
        headers: headers
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
        body: notice.body,
    }
}

pub fn secrets_of(stand_in: &dyn StandIn) -> WebhookSecrets {
    WebhookSecrets {
        merchant_secret: SecretText::new(stand_in.notice_secret()),
        additional_secret: None,
        unread: UnreadMembers::default(),
    }
}

/// What the payer brings along to this address.
pub fn query_of(address: &str) -> Option<String> {
    let (_, query) = address.split_once('?')?;
    Some(query.to_owned())
}
