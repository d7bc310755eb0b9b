//! The statuses of a payment, of its attempts and of its captures, and how they follow from one another.
//! (Specification 3)

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

/// What an attempt waits for, and what stands at the processor because of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Nothing was asked of a processor.
    NotSent,
    /// The answer to the authorization decides.
    Authorizing,
    /// Approved, and held: the merchant decides.
    InReview,
    /// Authorized: captures and voids decide.
    Held,
    /// Over: money was taken.
    Taken,
    /// Over without money, though the authorization has lapsed at the processor, or was left there to lapse.
    Standing,
    /// Over without money, and none is wanted: an approval that still comes is undone.
    Unwanted,
    /// What the processor told can't be reconciled; somebody has to look at it.
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

    /// The payment status that an active attempt of this status produces, as far as the status alone can say it
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
