//! The requests to a processor. Every request carries its key: random, stored before the call, and
//! the same in every repetition. The processor files the request under this key and executes it
//! once.

use multirail_kernel::currency::Currency;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::money::Money;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::words::words;

use crate::connector::access::Access;
use crate::connector::details::{Address, Descriptor, Details, DeviceDataCollected};
use crate::instrument::PaymentMethodData;

words! {
    /// The kinds of operation at a processor.
    pub enum OperationKind {
        Authorize = "authorize",
        /// Raise the authorized amount.
        Increment = "increment",
        Capture = "capture",
        Void = "void",
        Refund = "refund",
    }
}

/// A request to authorize, and with `capture` to capture in the same step.
#[derive(Debug)]
pub struct AuthorizeRequest {
    pub key: ProcessorKey,
    pub access: Access,
    pub money: Money,
    /// Capture in the same step (`capture_method` automatic).
    pub capture: bool,
    pub data: PaymentMethodData,
    /// The URL to which the processor sends the payer after an authentication.
    pub return_url: String,
    pub details: Details,
}

/// A request to complete an authorization that waited for device data. The processor executes it
/// once, however often it is sent.
#[derive(Debug)]
pub struct CompleteAuthorizationRequest {
    /// The key of the authorization.
    pub key: ProcessorKey,
    pub access: Access,
    pub reference: Option<String>,
    /// Unset if the page didn't report it.
    pub device_data_collected: Option<DeviceDataCollected>,
    /// The current shipping address.
    pub shipping: Option<Address>,
}

/// A request to raise an uncaptured authorization.
#[derive(Debug)]
pub struct IncrementRequest {
    pub key: ProcessorKey,
    pub access: Access,
    pub authorization_key: ProcessorKey,
    pub authorization_reference: Option<String>,
    /// The new total.
    pub money: Money,
    pub reason: Option<String>,
}

/// A request to capture all or part of an authorization.
#[derive(Debug)]
pub struct CaptureRequest {
    pub key: ProcessorKey,
    pub access: Access,
    /// The key of the captured authorization.
    pub authorization_key: ProcessorKey,
    /// The processor's reference of that authorization.
    pub authorization_reference: Option<String>,
    pub money: Money,
    /// No further capture will follow: the processor releases the rest.
    pub is_final: bool,
    pub descriptor: Descriptor,
}

/// A request to release an authorization.
#[derive(Debug)]
pub struct VoidRequest {
    pub key: ProcessorKey,
    pub access: Access,
    pub authorization_key: ProcessorKey,
    pub authorization_reference: Option<String>,
    /// The authorization captured in the same step, so there may be money to return.
    pub captured_at_once: bool,
    pub reason: Option<String>,
}

/// A request to refund all or part of the captured amount.
#[derive(Debug)]
pub struct RefundRequest {
    pub key: ProcessorKey,
    pub access: Access,
    /// The key of the refunded authorization.
    pub authorization_key: ProcessorKey,
    /// The processor's reference of that authorization.
    pub authorization_reference: Option<String>,
    pub money: Money,
    /// True if the money is [`Approval::excess`](super::Approval::excess), which wasn't captured.
    pub of_excess: bool,
    pub reason: Option<String>,
}

/// A payment to look up as a whole, including operations that others started.
pub struct PaymentAt {
    pub access: Access,
    /// The processor's reference of the authorization.
    pub authorization_reference: String,
    /// The keys of all operations that this server requested.
    pub own_keys: Vec<ProcessorKey>,
    pub currency: Currency,
}

/// A request to look up an earlier request.
#[derive(Debug)]
pub struct LookUpRequest {
    pub kind: OperationKind,
    pub key: ProcessorKey,
    pub access: Access,
    /// The key of the operation's authorization: its own for an authorization, the charge's for a
    /// refund.
    pub authorization_key: ProcessorKey,
    pub authorization_reference: Option<String>,
    /// The processor's reference of the operation, if known.
    pub reference: Option<String>,
    /// The requested amount.
    pub money: Money,
    /// The time of the request.
    pub started_at: Timestamp,
    /// The query with which the payer returned from the processor, unchanged. Payers control it and
    /// may bring another payment's, so the processor's answer has to name this operation.
    pub returned_with: Option<String>,
}
