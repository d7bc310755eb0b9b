//! A connector under test, with its processor's stand-in.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
pub use multirail_connector_kit::CardThat;
use multirail_connector_kit::ClientSettings;
use multirail_connectors::client::Client;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::secret::SecretText;
use multirail_kernel::target::{AllowedTargets, TargetRules};
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
pub use multirail_peers::Books;
use multirail_peers::{DisputeBooks, Notice, StandIn};
use multirail_sdk::bank_account::BankScheme;
use multirail_sdk::card::Card;
use multirail_sdk::connector::Connector;
use multirail_sdk::connector::WebhookSecrets;
use multirail_sdk::connector::{Access, Description, RawNotice};
use serde_json::Value;

use super::bench::Authorization;
use super::peer::Peer;

/// A test account by its behavior.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountThat {
    Pays,
    /// The debit fails, at once or after it was submitted.
    IsRefused,
    /// Pays, and its bank returns the money later.
    Returns,
}

/// The parts that each connector gives to the suite.
#[async_trait]
pub trait Subject: Send + Sync {
    fn description(&self) -> &'static Description;

    /// Returns a connector with this deadline that calls the peer.
    fn connector(&self, deadline: Duration) -> Arc<dyn Connector>;

    fn peer(&self) -> &Peer;

    /// Returns an account that the processor knows.
    fn access(&self) -> Access;

    /// Returns an account whose credentials the processor refuses.
    fn refused_access(&self) -> Access;

    fn card(&self, wanted: CardThat) -> Card;

    /// Returns the processor's books of this authorization, in our minor units. They are empty for
    /// an unknown one.
    async fn books(&self, authorization: &ProcessorKey) -> Books;

    /// Returns a card whose payments can be disputed.
    fn disputable_card(&self) -> Card {
        self.card(CardThat::IsApproved)
    }

    /// Returns a card whose payments are held, if the processor holds any.
    fn held_card(&self) -> Card {
        panic!("it holds no payments")
    }

    /// Returns number and bank code of a test account. The numbers by default are public ones that
    /// several processors share.
    fn account(&self, scheme: BankScheme, that: AccountThat) -> (&'static str, &'static str) {
        let is_refused = match that {
            AccountThat::Pays | AccountThat::Returns => false,
            AccountThat::IsRefused => true,
        };
        match (scheme, is_refused) {
            (BankScheme::Sepa, false) => ("DE89370400440532013000", ""),
            (BankScheme::Sepa, true) => ("DE62370400440532013001", ""),
            (BankScheme::Ach, false) => ("000123456789", "110000000"),
            (BankScheme::Ach, true) => ("000222222227", "110000000"),
            (BankScheme::Bacs, false) => ("00012345", "108800"),
            (BankScheme::Bacs, true) => ("22222227", "108800"),
            (BankScheme::Becs, false) => ("000123456", "000000"),
            (BankScheme::Becs, true) => ("222222227", "000000"),
            (BankScheme::Pix, false | true) => panic!("nobody debits such accounts"),
        }
    }

    /// Disputes a sale to such a card on the payer's behalf. Returns the processor's id of the
    /// dispute.
    async fn raises_dispute(&self, sold: &Authorization) -> String;

    /// Lets the time pass until the bank returns a paid debit. Returns the processor's id of the
    /// dispute.
    async fn returns_debit(&self, paid: &Authorization) -> String {
        self.raises_dispute(paid).await
    }

    /// Decides a dispute on behalf of the payer's bank, where the processor sends notices of disputes.
    async fn decides_dispute(&self, _dispute: &str, _is_won: bool) {
        panic!("it sends no notices of disputes")
    }

    /// Lets a minute pass, for processors whose clock a test moves.
    async fn passes_a_minute(&self) {}

    /// Returns whether the processor stores the contents of evidence files, and not only their
    /// sizes.
    fn keeps_files(&self) -> bool {
        true
    }

    /// Returns the merchant's actions on a dispute.
    async fn dispute_books(&self, dispute: &str) -> DisputeBooks;

    /// Approves or rejects on the payer's behalf: at this page, or by this text or reference of a
    /// step without one. Returns the query with which the payer returns, if any.
    async fn decide(&self, place: &str, approves: bool) -> Option<String>;

    /// Returns whether [`Subject::decide`] can decide for payers whose step has no page.
    fn presses_apps(&self) -> bool {
        true
    }

    /// Returns all notices so far, in their order.
    async fn notices(&self) -> Vec<RawNotice> {
        Vec::new()
    }

    /// Returns the secrets that verify notices, if the processor sends any.
    fn secrets(&self) -> Option<WebhookSecrets> {
        None
    }

    /// Returns the wall time of the processor.
    fn now(&self) -> Timestamp {
        Timestamp::EPOCH
    }
}

/// Returns an account with these credentials at the stand-in's address.
pub fn access_to(peer: &Peer, stand_in: &dyn StandIn, credentials: Value) -> Access {
    let metadata = stand_in.metadata(&peer.origin());
    Access {
        credentials: SecretText::new(credentials.to_string()),
        test_mode: true,
        metadata: metadata.as_object().expect("an object").clone(),
    }
}

/// Returns a client with this deadline that may call the stand-in.
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

/// Returns the query of an address, which the payer brings along.
pub fn query_of(address: &str) -> Option<String> {
    let (_, query) = address.split_once('?')?;
    Some(query.to_owned())
}
