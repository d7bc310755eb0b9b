//! What is written: a value that is committed whole or not at all. See ARCHITECTURE.md, "A write".

use std::sync::Arc;

use multirail_domain::api_key::ApiKey;
use multirail_domain::card::Card;
use multirail_domain::connector_account::ConnectorAccount;
use multirail_domain::event::EventType;
use multirail_domain::idempotency::Fingerprint;
use multirail_domain::ids::{
    ApiKeyId, ChangeSetId, ConnectorAccountId, EventId, MerchantId, PaymentId, ProfileId,
};
use multirail_domain::merchant::MerchantAccount;
use multirail_domain::organization::Organization;
use multirail_domain::payment::Payment;
use multirail_domain::profile::Profile;
use multirail_domain::secret::SecretText;
use multirail_domain::timestamp::Timestamp;

use super::events::Endpoint;

/// Everything that is to change together, as a value. Committed whole or not at all.
#[derive(Debug)]
pub struct ChangeSet {
    /// Stored with the change: when the answer of a commit is lost, this tells whether it took place.
    pub id: ChangeSetId,
    pub merchant_id: Option<MerchantId>,
    pub actor: Actor,
    /// The request that caused it, `None` for a worker's.
    pub request_id: Option<String>,
    pub at: Timestamp,
    pub changes: Vec<Change>,
}

/// Who changes something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Actor {
    Admin,
    /// A merchant's secret key.
    ApiKey(String),
    /// A payer's client.
    Client,
    /// A payer who came back from the processor's page.
    Payer,
    /// A worker of ours, by name.
    Worker(&'static str),
    /// The start of the service.
    Startup,
}

/// One change. Updates carry the version that they were decided on; if it moved meanwhile, the commit is a conflict.
#[derive(Debug)]
pub enum Change {
    InsertPayment(Arc<Payment>),
    UpdatePayment {
        before: Arc<Payment>,
        after: Arc<Payment>,
    },
    HoldCard {
        merchant_id: MerchantId,
        payment_id: PaymentId,
        card: Card,
        expires_at: Timestamp,
    },
    ForgetCard {
        merchant_id: MerchantId,
        payment_id: PaymentId,
    },
    /// Keeps the credentials that were brought for an attempt, in place of those that were kept before.
    HoldCredentials {
        merchant_id: MerchantId,
        payment_id: PaymentId,
        attempt: u32,
        credentials: SecretText,
        /// When the client secret of a payment that wasn't sent lapses; `None` once it was.
        expires_at: Option<Timestamp>,
    },
    ForgetCredentials {
        merchant_id: MerchantId,
        payment_id: PaymentId,
        attempt: u32,
    },
    /// Deletes what waits for a confirm of this payment and has had its time, whatever the payment says.
    ForgetLapsed {
        merchant_id: MerchantId,
        payment_id: PaymentId,
    },
    /// What waits for a confirm of this payment may wait until then.
    PutOffLapse {
        merchant_id: MerchantId,
        payment_id: PaymentId,
        expires_at: Timestamp,
    },
    RecordEvent(EventRecord),
    InsertOrganization(Organization),
    InsertMerchant(MerchantAccount),
    UpdateMerchant(MerchantAccount),
    /// A conflict while payments of the merchant are held or open.
    DeleteMerchant {
        merchant_id: MerchantId,
        version: i64,
    },
    InsertProfile(Profile),
    UpdateProfile(Profile),
    InsertApiKey(ApiKey),
    UpdateApiKey(ApiKey),
    DeleteApiKey {
        merchant_id: MerchantId,
        key_id: ApiKeyId,
    },
    InsertConnectorAccount(ConnectorAccount),
    UpdateConnectorAccount(ConnectorAccount),
    DeleteConnectorAccount {
        merchant_id: MerchantId,
        merchant_connector_id: ConnectorAccountId,
    },
    /// The first commit of a request that came with an idempotency key.
    ClaimKey(KeyClaim),
    /// The last one: the answer, which rests sealed. A duplicate when there is one already, or the key is gone.
    StoreAnswer {
        merchant_id: MerchantId,
        operation: &'static str,
        key: String,
        answer: SecretText,
    },
    /// Frees a key whose request ended without an answer, if it is still claimed with this lease.
    ReleaseKey {
        merchant_id: MerchantId,
        operation: &'static str,
        key: String,
        lease_until: Timestamp,
    },
    /// Moves the business clock forward by this many seconds.
    AdvanceClock {
        seconds: i64,
    },
}

/// An event as it is recorded. Its body holds what an answer of the API holds, a client secret among it, and rests
/// sealed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRecord {
    pub event_id: EventId,
    pub merchant_id: MerchantId,
    pub profile_id: ProfileId,
    pub event_type: EventType,
    pub object_id: String,
    /// The attempt or capture that it is about: the same type about the same thing is recorded once.
    pub about_id: String,
    /// The order among the events of one object.
    pub object_sequence: i64,
    /// What is sent, byte for byte.
    pub body: SecretText,
    /// When the merchant is to be told; `None` where nobody listens.
    pub deliver_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

impl EventRecord {
    /// Where it goes.
    pub fn endpoint(&self) -> Endpoint {
        Endpoint {
            merchant_id: self.merchant_id.clone(),
            profile_id: self.profile_id.clone(),
        }
    }
}

/// A claim on an idempotency key.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyClaim {
    pub merchant_id: MerchantId,
    pub operation: &'static str,
    pub key: String,
    pub fingerprint: Fingerprint,
    /// What the request made or changed.
    pub object_id: String,
    /// Wall time until which the request counts as being worked on.
    pub lease_until: Timestamp,
    pub created_at: Timestamp,
}
