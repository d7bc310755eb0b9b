//! The statuses of a payment, of its attempts and of its captures, and how they follow from one another. (Specification 3)

use multirail_kernel::words::words;

pub use multirail_kernel::statuses::PaymentStatus;

words! {
    /// Status of one attempt.
    pub enum AttemptStatus {
        Started = "started",
        PaymentMethodAwaited = "payment_method_awaited",
        ConfirmationAwaited = "confirmation_awaited",
        DeviceDataCollectionPending = "device_data_collection_pending",
        AuthenticationPending = "authentication_pending",
        AuthenticationSuccessful = "authentication_successful",
        AuthenticationFailed = "authentication_failed",
        Authorizing = "authorizing",
        Authorized = "authorized",
        PartiallyAuthorized = "partially_authorized",
        AuthorizationFailed = "authorization_failed",
        RouterDeclined = "router_declined",
        CodInitiated = "cod_initiated",
        CaptureInitiated = "capture_initiated",
        CaptureFailed = "capture_failed",
        Charged = "charged",
        PartialCharged = "partial_charged",
        PartialChargedAndChargeable = "partial_charged_and_chargeable",
        VoidInitiated = "void_initiated",
        Voided = "voided",
        VoidedPostCharge = "voided_post_charge",
        VoidFailed = "void_failed",
        AutoRefunded = "auto_refunded",
        Unresolved = "unresolved",
        Pending = "pending",
        Failure = "failure",
        IntegrityFailure = "integrity_failure",
        Expired = "expired",
    }
}

words! {
    /// Status of one capture.
    pub enum CaptureStatus {
        Started = "started",
        Charged = "charged",
        Pending = "pending",
        Failed = "failed",
    }
}

/// The phase of an attempt: the next decision about it, and the state of its money at the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// No processor was asked.
    NotSent,
    /// The answer to the authorization decides.
    Authorizing,
    /// Approved and held for review: the merchant decides.
    InReview,
    /// Authorized: captures and voids decide.
    Held,
    /// Ended: money was captured.
    Taken,
    /// Ended without a capture. The authorization expired at the processor, or is left there to expire.
    Standing,
    /// Ended without money, and none is wanted: a late approval is voided.
    Unwanted,
    /// The processor's answers contradict each other; the operator has to examine them.
    Conflicted,
}

impl AttemptStatus {
    pub(crate) fn phase(self) -> Phase {
        match self {
            AttemptStatus::PaymentMethodAwaited | AttemptStatus::ConfirmationAwaited => {
                Phase::NotSent
            }
            AttemptStatus::Started
            | AttemptStatus::DeviceDataCollectionPending
            | AttemptStatus::AuthenticationPending
            | AttemptStatus::AuthenticationSuccessful
            | AttemptStatus::Authorizing
            | AttemptStatus::CodInitiated
            | AttemptStatus::Pending => Phase::Authorizing,
            AttemptStatus::Unresolved => Phase::InReview,
            AttemptStatus::Authorized
            | AttemptStatus::PartiallyAuthorized
            | AttemptStatus::CaptureInitiated
            | AttemptStatus::PartialChargedAndChargeable
            | AttemptStatus::VoidInitiated => Phase::Held,
            AttemptStatus::Charged
            | AttemptStatus::PartialCharged
            | AttemptStatus::VoidedPostCharge
            | AttemptStatus::AutoRefunded => Phase::Taken,
            AttemptStatus::CaptureFailed | AttemptStatus::VoidFailed | AttemptStatus::Expired => {
                Phase::Standing
            }
            AttemptStatus::AuthenticationFailed
            | AttemptStatus::AuthorizationFailed
            | AttemptStatus::RouterDeclined
            | AttemptStatus::Voided
            | AttemptStatus::Failure => Phase::Unwanted,
            AttemptStatus::IntegrityFailure => Phase::Conflicted,
        }
    }

    /// Returns the payment status of an active attempt with this status, as far as the status alone decides
    /// ([`Attempt::payment_status`](crate::payments::payment::Attempt::payment_status)).
    pub fn payment_status(self) -> PaymentStatus {
        match self {
            AttemptStatus::PaymentMethodAwaited => PaymentStatus::RequiresPaymentMethod,
            AttemptStatus::ConfirmationAwaited => PaymentStatus::RequiresConfirmation,
            AttemptStatus::DeviceDataCollectionPending | AttemptStatus::AuthenticationPending => {
                PaymentStatus::RequiresCustomerAction
            }
            AttemptStatus::Started
            | AttemptStatus::AuthenticationSuccessful
            | AttemptStatus::Authorizing
            | AttemptStatus::CodInitiated
            | AttemptStatus::CaptureInitiated
            | AttemptStatus::VoidInitiated
            | AttemptStatus::Pending => PaymentStatus::Processing,
            AttemptStatus::Authorized => PaymentStatus::RequiresCapture,
            AttemptStatus::PartiallyAuthorized => {
                PaymentStatus::PartiallyAuthorizedAndRequiresCapture
            }
            AttemptStatus::Charged | AttemptStatus::AutoRefunded => PaymentStatus::Succeeded,
            AttemptStatus::PartialCharged => PaymentStatus::PartiallyCaptured,
            AttemptStatus::PartialChargedAndChargeable => {
                PaymentStatus::PartiallyCapturedAndCapturable
            }
            AttemptStatus::Voided => PaymentStatus::Cancelled,
            AttemptStatus::VoidedPostCharge => PaymentStatus::CancelledPostCapture,
            AttemptStatus::AuthenticationFailed
            | AttemptStatus::AuthorizationFailed
            | AttemptStatus::RouterDeclined
            | AttemptStatus::CaptureFailed
            | AttemptStatus::VoidFailed
            | AttemptStatus::Failure => PaymentStatus::Failed,
            AttemptStatus::Unresolved => PaymentStatus::RequiresMerchantAction,
            AttemptStatus::IntegrityFailure => PaymentStatus::Conflicted,
            AttemptStatus::Expired => PaymentStatus::Expired,
        }
    }
}
