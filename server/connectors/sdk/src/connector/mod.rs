//! Requests to a processor and its answers, in words that fit every processor.

mod ability;
pub mod access;
pub mod advice;
mod calls;
pub mod capability;
pub mod contact;
mod credentials;
pub mod description;
pub mod details;
pub mod dispute;
mod dispute_stage;
mod dispute_status;
pub mod error_map;
mod feature;
pub mod hold;
pub mod kind;
pub mod mandate;
pub mod notice;
pub mod outcome;
pub mod payer_step;
pub mod recovery;
pub mod request;
pub mod review;
pub mod session;
pub mod stored;
pub mod units;
mod wallet_abilities;
mod webhook_secrets;

pub use ability::{
    Ability, CapturedVoids, Customers, Deletions, DeviceData, DisputeAcceptance, DisputeChallenges,
    DisputeLists, DisputeLookUps, Increments, PaymentHistory, Provides, WalletSessions,
    provided_by,
};
pub use access::{Access, AccountCheck};
pub use calls::{Connector, ConnectorDirectory, Notices, Payments};
pub use capability::Capabilities;
pub use credentials::{Credentials, CredentialsInput};
pub use description::{AccountSetting, Description, Needed};
pub use details::{CaptureDescriptor, Descriptor, Details};
pub use dispute::{
    AcceptDisputeRequest, ChallengeDisputeRequest, DisputeAbilities, DisputeActionKind, DisputeAt,
    DisputeNews, DisputePage, EvidenceInFull, FileInFull, ListDisputesRequest, NoPlace,
};
pub use dispute_stage::DisputeStage;
pub use dispute_status::DisputeStatus;
pub use error_map::{DeclineCategory, DeclineGroup};
pub use feature::Feature;
pub use hold::Hold;
pub use kind::KEYS_BY_CURRENCY;
pub use kind::{ConnectorType, CredentialsKind};
pub use mandate::{AccountMandate, ConnectorMandate, KnownBy};
pub use notice::{About, News, Notice, NoticePart, RawNotice, Unreadable};
pub use outcome::{
    Approval, CONFLICT_CODE, CREDENTIALS_REFUSED_CODE, CardChecks, Decline, Fact, IssuerWords,
    Outcome, Remarks, UnknownReason,
};
pub use payer_step::{PayerStep, ShownStep, StepForm, StepKind};
pub use recovery::{Absence, Finding, FollowUp, KeptAnswers, Recoveries, Recovery, WaitsFor};
pub use request::{
    AuthorizeRequest, CaptureRequest, CompleteAuthorizationRequest, IncrementRequest,
    LookUpRequest, OperationKind, PaymentAt, RefundRequest, VoidRequest,
};
pub use review::Review;
pub use session::{OpenSessionRequest, SessionOpening};
pub use stored::{CUSTOMER_GONE, DeleteKeptRequest, KeepCustomerRequest, KeptAtProcessor};
pub use units::{NotCounted, Units};
pub use wallet_abilities::WalletAbilities;
pub use webhook_secrets::WebhookSecrets;
