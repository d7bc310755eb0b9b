//! One attempt to carry a payment through one connector, with all of its operations at the processor.

use multirail_kernel::ids::{ConnectorAccountId, MandateId, ProcessorKey};
use multirail_kernel::record_object::{self, written_apart};
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::{
    CardChecks, ConnectorMandate, Decline, Hold, OperationKind, Remarks, Review, ShownStep,
};
use serde::{Deserialize, Serialize};

use crate::operations::operation::{Operation, Progress};
use crate::payments::payment::status::{AttemptStatus, CaptureStatus, PaymentStatus};
use crate::payments::payment::{
    AttemptMethod, BroughtCredentials, Context, Increment, Instrument, PostCaptureVoid,
    ProfileWishes, Program, Recurring, ScheduledCapture,
};
use crate::routing::{StoredTrace, ThreeDsDecided};

written_apart! {
    /// One attempt. Numbered from 1 within its payment.
    #[derive(Clone, Debug, PartialEq, Deserialize)]
    pub struct Attempt, written as WrittenAttempt {
        pub number: u32,
        pub status: AttemptStatus,
        /// The requested amount, in minor units of the payment's currency.
        pub amount: i64,
        /// The connector that routing chose, from the confirm on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub connector: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub merchant_connector_id: Option<ConnectorAccountId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub connector_label: Option<String>,
        /// The record of its routing; `None` in attempts that are older than such records.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub routing: Option<StoredTrace>,
        /// Credentials of the request, used instead of the account's own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub brought: Option<BroughtCredentials>,
        /// True if the security code of a card given earlier was gone when the processor was asked.
        #[serde(default, skip_serializing_if = "record_object::is_false")]
        pub card_code_missing: bool,
        /// The decision about 3-D Secure by the profile's rules, if they decided.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub three_ds: Option<Box<ThreeDsDecided>>,
        /// True if the payer has to authenticate only because the attempt before was refused without it.
        #[serde(default, skip_serializing_if = "record_object::is_false")]
        pub is_stepped_up: bool,
        /// The last program that identified itself, up to the confirm.
        #[serde(default, skip_serializing_if = "Program::is_unnamed")]
        pub program: Program,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub instrument: Option<Instrument>,
        /// The saved payment method that pays, or under which the card is saved.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub method: Option<Box<AttemptMethod>>,
        /// The reference for a charge without the payer that the merchant begins.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub recurring: Option<Box<Recurring>>,
        /// True if the authorization captures the money in the same step.
        pub captures_at_once: bool,
        /// The approved amount, in minor units; `None` until the processor approves.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub authorized_amount: Option<i64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub authorization: Option<Operation>,
        /// The reason for which the processor held the approved amount for review, if it did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub review: Option<Box<Review>>,
        /// True if its authorization can be raised; `None` if the request didn't ask for that.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub may_be_raised: Option<bool>,
        /// Requests with its authorization that come from the profile's settings.
        #[serde(default, skip_serializing_if = "ProfileWishes::is_empty")]
        pub wishes: ProfileWishes,
        /// Raises of the authorization, oldest first.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub increments: Vec<Increment>,
        /// The page that the payer has to visit, while that is open.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub redirect_url: Option<String>,
        /// The step that the merchant shows to the payer in place of a page, while that is open.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub shown_step: Option<Box<ShownStep>>,
        /// The end of the payer's time for either, where the processor states it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub step_expires_at: Option<Timestamp>,
        /// The query with which the payer came back, for a processor that needs it to answer. Kept until the outcome of the
        /// authorization is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub returned_with: Option<String>,
        /// The page that collects the data of the payer's device, while they are awaited.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub device_data_url: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub network_transaction_id: Option<String>,
        /// The processor's reference of the stored payment method.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub connector_mandate: Option<Box<ConnectorMandate>>,
        /// The mandate that it set up or changed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub mandate_id: Option<MandateId>,
        /// The issuer's checks of the card, from the approval.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub card_checks: Option<Box<CardChecks>>,
        /// The processor's further remarks in the approval.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub remarks: Option<Box<Remarks>>,
        /// Until when and how much captures may take, as far as the processor says.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub hold: Option<Box<Hold>>,
        /// Time of the processor's news that the authorization expired.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub lapsed_at: Option<Timestamp>,
        /// The part of a transfer above the amount so far, in minor units. Refunds of their own return it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub excess: Option<i64>,
        /// The refusal of the attempt's last operation.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub decline: Option<Decline>,
        /// Requested voids: after a cancel, or after an approval that came too late.
        pub voids: Vec<Operation>,
        /// The scheduled capture, which a worker makes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub scheduled_capture: Option<Box<ScheduledCapture>>,
        /// Voids after a capture.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub post_capture_voids: Vec<PostCaptureVoid>,
        /// Sorted by sequence. Stored in their own rows.
        #[serde(skip)]
        pub captures: Vec<Capture>,
        pub created_at: Timestamp,
        pub modified_at: Timestamp,
        #[serde(flatten)]
        pub unread: UnreadMembers,
    }
}

/// One capture, numbered from 1 within its attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Capture {
    pub sequence: u32,
    pub operation: Operation,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl Capture {
    /// Returns the public status of the capture. An unknown outcome is shown as pending.
    pub fn status(&self) -> CaptureStatus {
        match self.operation.progress {
            Progress::Started => CaptureStatus::Started,
            Progress::AwaitingCustomer | Progress::Pending | Progress::Unknown => {
                CaptureStatus::Pending
            }
            Progress::Done => CaptureStatus::Charged,
            Progress::Declined | Progress::NeverHappened => CaptureStatus::Failed,
        }
    }
}

/// The position of an operation within an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperationIndex {
    Authorization,
    Increment(usize),
    Capture(usize),
    Void(usize),
    PostCaptureVoid(usize),
}

impl Attempt {
    /// Creates an attempt without operations.
    pub(crate) fn new(
        number: u32,
        amount: i64,
        instrument: Option<Instrument>,
        now: Timestamp,
    ) -> Self {
        let status = if instrument.is_some() {
            AttemptStatus::ConfirmationAwaited
        } else {
            AttemptStatus::PaymentMethodAwaited
        };
        Attempt {
            number,
            status,
            amount,
            connector: None,
            merchant_connector_id: None,
            connector_label: None,
            routing: None,
            brought: None,
            card_code_missing: false,
            three_ds: None,
            is_stepped_up: false,
            program: Program::default(),
            instrument,
            method: None,
            recurring: None,
            captures_at_once: false,
            authorized_amount: None,
            authorization: None,
            review: None,
            may_be_raised: None,
            wishes: ProfileWishes::default(),
            increments: Vec::new(),
            redirect_url: None,
            shown_step: None,
            step_expires_at: None,
            returned_with: None,
            device_data_url: None,
            network_transaction_id: None,
            connector_mandate: None,
            mandate_id: None,
            card_checks: None,
            remarks: None,
            hold: None,
            lapsed_at: None,
            excess: None,
            decline: None,
            voids: Vec::new(),
            scheduled_capture: None,
            post_capture_voids: Vec::new(),
            captures: Vec::new(),
            created_at: now,
            modified_at: now,
            unread: UnreadMembers::default(),
        }
    }

    /// Records the intention to capture.
    pub(crate) fn push_capture(&mut self, key: ProcessorKey, amount: i64, context: &Context) {
        let sequence = self.captures.len() as u32 + 1;
        self.captures.push(Capture {
            sequence,
            operation: Operation::start(key, amount, context.now),
            unread: UnreadMembers::default(),
        });
    }

    /// Returns the position of the operation with this key.
    pub fn index_of(&self, key: &ProcessorKey) -> Option<OperationIndex> {
        if self.authorization.as_ref().is_some_and(|a| a.key == *key) {
            return Some(OperationIndex::Authorization);
        }
        if let Some(i) = self.increments.iter().position(|i| i.operation.key == *key) {
            return Some(OperationIndex::Increment(i));
        }
        if let Some(i) = self.captures.iter().position(|c| c.operation.key == *key) {
            return Some(OperationIndex::Capture(i));
        }
        if let Some(i) = self.voids.iter().position(|v| v.key == *key) {
            return Some(OperationIndex::Void(i));
        }
        self.post_capture_voids
            .iter()
            .position(|void| void.operation.key == *key)
            .map(OperationIndex::PostCaptureVoid)
    }

    pub(crate) fn operation_mut(&mut self, of: OperationIndex) -> &mut Operation {
        match of {
            OperationIndex::Authorization => self
                .authorization
                .as_mut()
                .expect("index_of found the authorization"),
            OperationIndex::Increment(i) => &mut self.increments[i].operation,
            OperationIndex::Capture(i) => &mut self.captures[i].operation,
            OperationIndex::Void(i) => &mut self.voids[i],
            OperationIndex::PostCaptureVoid(i) => &mut self.post_capture_voids[i].operation,
        }
    }

    /// Returns every operation with its kind, oldest first within a kind.
    pub fn operations(&self) -> impl Iterator<Item = (OperationKind, &Operation)> {
        let authorization = self
            .authorization
            .iter()
            .map(|operation| (OperationKind::Authorize, operation));
        let increments = self
            .increments
            .iter()
            .map(|increment| (OperationKind::Increment, &increment.operation));
        let captures = self
            .captures
            .iter()
            .map(|capture| (OperationKind::Capture, &capture.operation));
        let voids = self
            .voids
            .iter()
            .map(|operation| (OperationKind::Void, operation));
        let post_capture_voids = self
            .post_capture_voids
            .iter()
            .map(|void| (OperationKind::Void, &void.operation));
        authorization
            .chain(increments)
            .chain(captures)
            .chain(voids)
            .chain(post_capture_voids)
    }

    /// Returns the payment status of this attempt while it is active. It differs from the attempt's status in one
    /// case: some captures are charged, and pending captures leave nothing to capture.
    pub fn payment_status(&self) -> PaymentStatus {
        let status = self.status.payment_status();
        let is_spoken_for = self.uncaptured_amount() == 0;
        if status == PaymentStatus::PartiallyCapturedAndCapturable && is_spoken_for {
            PaymentStatus::PartiallyCapturedAndProcessing
        } else {
            status
        }
    }

    /// Returns the issuer's checks of the card, from an approval or a refusal.
    pub fn issuer_checks(&self) -> Option<&CardChecks> {
        let declined = self
            .authorization
            .as_ref()
            .and_then(|one| one.decline.as_ref());
        let of_decline = declined.and_then(|decline| decline.checks.as_deref());
        self.card_checks.as_deref().or(of_decline)
    }

    /// Returns the processor's reference of the authorization (`connector_transaction_id`).
    pub fn connector_transaction_id(&self) -> Option<&str> {
        self.authorization.as_ref()?.reference.as_deref()
    }

    /// Returns whether the payer may retry after this attempt: it failed, and the processor holds nothing of it.
    pub fn may_be_retried(&self) -> bool {
        match self.status {
            AttemptStatus::AuthenticationFailed
            | AttemptStatus::AuthorizationFailed
            | AttemptStatus::Failure => true,
            AttemptStatus::Started
            | AttemptStatus::PaymentMethodAwaited
            | AttemptStatus::ConfirmationAwaited
            | AttemptStatus::DeviceDataCollectionPending
            | AttemptStatus::AuthenticationPending
            | AttemptStatus::AuthenticationSuccessful
            | AttemptStatus::Authorizing
            | AttemptStatus::Authorized
            | AttemptStatus::PartiallyAuthorized
            | AttemptStatus::RouterDeclined
            | AttemptStatus::CodInitiated
            | AttemptStatus::CaptureInitiated
            | AttemptStatus::CaptureFailed
            | AttemptStatus::Charged
            | AttemptStatus::PartialCharged
            | AttemptStatus::PartialChargedAndChargeable
            | AttemptStatus::VoidInitiated
            | AttemptStatus::Voided
            | AttemptStatus::VoidedPostCharge
            | AttemptStatus::VoidFailed
            | AttemptStatus::AutoRefunded
            | AttemptStatus::Unresolved
            | AttemptStatus::Pending
            | AttemptStatus::IntegrityFailure
            | AttemptStatus::Expired => false,
        }
    }
}
