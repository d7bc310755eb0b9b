//! What we ask of a processor. Every request carries the key under which the processor files it: random, stored
//! before the call, the same in every repetition, so that asking twice does once.

use multirail_kernel::currency::Currency;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::money::Money;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::words::words;

use crate::connector::access::Access;
use crate::connector::details::{Address, Descriptor, Details, DeviceDataCollected};
use crate::instrument::PaymentMethodData;

words! {
    /// The kinds of operation that a processor does.
    pub enum OperationKind {
        Authorize = "authorize",
        /// Raise what was authorized.
        Increment = "increment",
        Capture = "capture",
        Void = "void",
        Refund = "refund",
    }
}

/// Approve and reserve, and with `capture` take at once.
#[derive(Debug)]
pub struct AuthorizeRequest {
    pub key: ProcessorKey,
    pub access: Access,
    pub money: Money,
    /// Take the money in the same step (`capture_method` automatic).
    pub capture: bool,
    pub data: PaymentMethodData,
    /// Where the processor sends the payer back to after an authentication.
    pub return_url: String,
    pub details: Details,
}

/// Go on with an authorization that waited for the data of the payer's device. The processor does it once, whoever asks and how
/// often.
#[derive(Debug)]
pub struct CompleteAuthorizationRequest {
    /// The authorization's.
    pub key: ProcessorKey,
    pub access: Access,
    pub reference: Option<String>,
    /// Unset where nobody said.
    pub device_data_collected: Option<DeviceDataCollected>,
    /// Where the goods go, as it stands now.
    pub shipping: Option<Address>,
}

/// Raise what was authorized and not captured.
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

/// Take all or part of what was authorized.
#[derive(Debug)]
pub struct CaptureRequest {
    pub key: ProcessorKey,
    pub access: Access,
    /// The key of the authorization that is captured.
    pub authorization_key: ProcessorKey,
    /// The processor's reference of that authorization.
    pub authorization_reference: Option<String>,
    pub money: Money,
    /// No further capture will follow: the processor releases the rest.
    pub is_final: bool,
    pub descriptor: Descriptor,
}

/// Release what was authorized.
#[derive(Debug)]
pub struct VoidRequest {
    pub key: ProcessorKey,
    pub access: Access,
    pub authorization_key: ProcessorKey,
    pub authorization_reference: Option<String>,
    /// The authorization takes the money in the same step, so that there may be money to give back.
    pub captured_at_once: bool,
    pub reason: Option<String>,
}

/// Give back all or part of what was captured of an authorization, with it or after it.
#[derive(Debug)]
pub struct RefundRequest {
    pub key: ProcessorKey,
    pub access: Access,
    /// The key of the authorization whose money is given back.
    pub authorization_key: ProcessorKey,
    /// The processor's reference of that authorization.
    pub authorization_reference: Option<String>,
    pub money: Money,
    pub reason: Option<String>,
}

/// A payment that a processor is asked about as a whole: what was done to it, by whomever.
pub struct PaymentAt {
    pub access: Access,
    /// The processor's name of the authorization.
    pub authorization_reference: String,
    /// The keys of everything that was asked for here.
    pub own_keys: Vec<ProcessorKey>,
    pub currency: Currency,
}

/// Ask what became of an earlier request.
#[derive(Debug)]
pub struct LookUpRequest {
    pub kind: OperationKind,
    pub key: ProcessorKey,
    pub access: Access,
    /// The key of the authorization that the operation belongs to (its own for an authorization, the charge's for a
    /// refund).
    pub authorization_key: ProcessorKey,
    pub authorization_reference: Option<String>,
    /// The processor's own reference of the operation, where it has told one.
    pub reference: Option<String>,
    /// What was asked for.
    pub money: Money,
    /// When it was asked for.
    pub started_at: Timestamp,
    /// The query with which the processor sent the payer back to us, as it came. It is what a payer brings, and may be that of
    /// another payment: what the processor answers to it has to name this operation.
    pub returned_with: Option<String>,
}
