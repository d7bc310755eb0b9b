//! A payment: a merchant's wish to be paid once, with all of its attempts. (Specification 2.10, 3)

use std::sync::Arc;

pub mod amounts;
mod another_customer;
pub mod attempt;
mod auto_retry;
pub mod bank_debit;
pub mod cancel;
pub mod capture;
pub mod changes;
pub mod complete;
pub mod confirm;
pub mod create;
pub mod credentials;
pub mod customer;
pub mod disputes;
pub mod effect;
pub mod excess;
pub mod expiry;
pub mod fact;
mod hear;
pub mod increment;
pub mod instrument;
mod known;
mod lapse;
pub mod link;
pub mod mandate;
pub mod metadata;
mod news;
pub mod notice;
pub mod observed;
mod of_others;
pub(crate) mod offered;
pub mod overcapture;
pub mod owner;
pub mod particulars;
mod past;
pub mod payer;
pub mod payer_method;
mod payer_return;
mod payment_token;
pub mod personal;
pub mod post_capture_void;
mod processor_details;
pub mod program;
pub mod record;
pub mod recurring;
mod redact;
pub mod refunds;
pub mod release;
pub mod review;
mod routing_facts;
pub mod saved;
pub mod scheduled;
mod settle;
pub mod status;
pub mod sync;
pub mod terms;
mod three_ds;
mod transfer;
pub mod transition;
pub mod trial;
pub mod update;
pub mod wallet;
pub mod wishes;

use multirail_kernel::ids::{AttemptId, CaptureId, MerchantId, PaymentId, ProfileId};
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use serde::Deserialize;

use crate::accounts::acting::Initiator;

pub use crate::operations::operation::{Operation, Progress};
pub use amounts::Amounts;
pub use attempt::{Attempt, Capture};
pub use auto_retry::AutoRetry;
pub use changes::{Changes, Flow};
pub use credentials::{AtHand, BroughtCredentials};
pub use disputes::{DisputeShare, Held};
pub use effect::{Effect, ProcessorCall};
pub use increment::{Increment, IncrementStatus, RaiseAuthorization};
pub use instrument::{GivenInstrument, InstrumentInput};
pub use mandate::{ChargedUnder, MandateEffect, MandateRequest};
pub use multirail_kernel::announcement::{AnnouncedStatus, Announcement};
pub use multirail_kernel::context::Context;
pub use multirail_sdk::charge::{AuthenticationType, CaptureMethod, FutureUsage, MitCategory};
pub use multirail_sdk::connector::Fact;
pub use multirail_sdk::instrument::{
    Instrument, InstrumentDetails, NetworkToken, PaymentMethodData, SealedToken, WalletDetails,
};
pub use of_others::{DoneByOthers, What};
pub use offered::OfferedThrough;
pub use owner::{Owner, OwnerKind};
pub use particulars::Particulars;
pub use payer::PayerDetails;
pub use payment_token::TokenInput;
pub use personal::{AttemptInstrument, CardPersonal, PaymentPersonal, PersonalOf};
pub use post_capture_void::{PostCaptureVoid, PostCaptureVoidStatus};
pub use program::Program;
pub use record::{AttemptRecord, Notes, PaymentRecord};
pub use recurring::{Recurring, RecurringInput};
pub use refunds::RefundShare;
pub use release::ReleaseAction;
pub use review::MerchantDecision;
pub use saved::{AttemptMethod, CardDiscovery, MethodEffect, MethodRole};
pub use scheduled::ScheduledCapture;
pub use status::{AttemptStatus, CaptureStatus, PaymentStatus};
pub use terms::{Surcharge, Terms};
pub use transition::{Command, Input, Step, transition};
pub use wishes::ProfileWishes;

/// The aggregate: the data that has to change together, guarded by one version. `record.rs` has its stored form.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(from = "record::ReadPayment")]
pub struct Payment {
    pub merchant_id: MerchantId,
    pub payment_id: PaymentId,
    pub profile_id: ProfileId,
    /// Number of stored changes; 0 until the record is stored. It has its own column.
    pub version: i64,
    /// True if the payer's personal data was stored apart from the record when the payment was read. Not in the record.
    pub rests_apart: bool,
    pub status: PaymentStatus,
    pub terms: Terms,
    pub cancellation_reason: Option<String>,
    /// The merchant's decision after a review.
    pub merchant_decision: Option<MerchantDecision>,
    /// Shared: a step that doesn't change the particulars doesn't copy them.
    pub particulars: Arc<Particulars>,
    /// Shared in the same way.
    pub payer: Arc<PayerDetails>,
    pub created_at: Timestamp,
    pub modified_at: Timestamp,
    /// When the client secret expires.
    pub expires_at: Timestamp,
    /// True if a sealed card from create or update waits for the confirm.
    pub holds_card: bool,
    /// Refunds of the payment, the oldest first.
    pub refunds: Vec<RefundShare>,
    /// Disputes of the payment, in the order of their first news.
    pub disputes: Vec<DisputeShare>,
    /// The merchant's publishable key, which becomes part of the payment's `sdk_authorization`. `None` in older payments.
    pub publishable_key: Option<String>,
    /// The account that made it, if a platform acts for the merchant.
    pub initiator: Option<Initiator>,
    /// The object that made it, such as a subscription.
    pub owner: Option<Owner>,
    /// The accounts that offered wallets in its checkout.
    pub offered: Vec<OfferedThrough>,
    /// Oldest first, never empty; the last one is active. Stored in their own rows.
    pub attempts: Vec<Attempt>,
    pub unread: UnreadMembers,
}

impl Payment {
    /// Returns the attempt that decides the payment's status.
    pub fn active(&self) -> &Attempt {
        self.attempts
            .last()
            .expect("a payment is created with its first attempt")
    }

    pub(crate) fn active_mut(&mut self) -> &mut Attempt {
        self.attempts
            .last_mut()
            .expect("a payment is created with its first attempt")
    }

    /// Sets the active attempt's status and, with it, the payment's.
    pub(crate) fn follow(&mut self, status: AttemptStatus) {
        self.active_mut().status = status;
        self.status = self.active().payment_status();
    }

    /// Returns the public id of an attempt: `<payment_id>_<number>`.
    pub fn attempt_id(&self, number: u32) -> AttemptId {
        AttemptId::new(self.payment_id.clone(), number)
    }

    /// Returns the public id of a capture: `<attempt_id>_<sequence>`.
    pub fn capture_id(&self, number: u32, sequence: u32) -> CaptureId {
        CaptureId::new(self.attempt_id(number), sequence)
    }

    /// Returns whether a confirm may begin another attempt.
    pub fn has_attempts_left(&self) -> bool {
        self.attempts.len() < confirm::ATTEMPTS_AT_MOST
    }

    /// Returns whether the payer's client may retry; null while the payment is open. (Specification 2.10)
    pub fn manual_retry_allowed(&self) -> Option<bool> {
        match self.status {
            PaymentStatus::RequiresPaymentMethod
            | PaymentStatus::RequiresConfirmation
            | PaymentStatus::RequiresCustomerAction
            | PaymentStatus::Processing => None,
            PaymentStatus::Failed => {
                let may_be_tried = self.active().may_be_retried() && self.has_attempts_left();
                Some(self.owner.is_none() && may_be_tried)
            }
            PaymentStatus::RequiresMerchantAction
            | PaymentStatus::RequiresCapture
            | PaymentStatus::PartiallyAuthorizedAndRequiresCapture
            | PaymentStatus::PartiallyCapturedAndCapturable
            | PaymentStatus::PartiallyCapturedAndProcessing
            | PaymentStatus::Succeeded
            | PaymentStatus::PartiallyCaptured
            | PaymentStatus::Cancelled
            | PaymentStatus::CancelledPostCapture
            | PaymentStatus::Conflicted
            | PaymentStatus::Expired => Some(false),
        }
    }
}
