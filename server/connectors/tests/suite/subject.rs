//! A connector with the other side of its processor behind it.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use multirail_app::ports::connector::Connector;
use multirail_domain::card::Card;
use multirail_domain::connector::{Access, Description, RawNotice};
use multirail_domain::connector_account::WebhookSecrets;
use multirail_domain::ids::ProcessorKey;
use multirail_domain::timestamp::Timestamp;

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

/// What a card does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardThat {
    IsApproved,
    IsDeclined,
    /// Approved or declined as the payer decides.
    AsksThePayer,
}

/// What was done for one authorization.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Books {
    /// Reserved, whatever became of it.
    pub authorized: i64,
    /// Ever taken.
    pub captured: i64,
    /// Let go without having been taken.
    pub released: i64,
    /// Given back, by whatever operation.
    pub given_back: i64,
}
