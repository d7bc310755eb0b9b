//! Our keys at Checkout.com: in the reference of a request, and in its metadata.

use multirail_kernel::ids::ProcessorKey;
use multirail_sdk::connector::OperationKind;

/// The maximum length of a reference, set by American Express.
const LONGEST_REFERENCE: usize = 30;

/// Returns our key as `reference`: its last characters, which are random. The whole key is in
/// `metadata`.
pub fn reference_of(key: &ProcessorKey) -> &str {
    let key = key.as_str();
    let start = key.len().saturating_sub(LONGEST_REFERENCE);
    key.get(start..).unwrap_or(key)
}

/// Returns the `metadata` member with our key. Each kind of operation has its own, so that a change
/// of a payment can't be mistaken for the payment, whichever metadata an event contains.
pub fn key_member(kind: OperationKind) -> &'static str {
    match kind {
        OperationKind::Authorize => "multirail_key",
        OperationKind::Increment => "multirail_increment",
        OperationKind::Capture => "multirail_capture",
        OperationKind::Void => "multirail_void",
        OperationKind::Refund => "multirail_refund",
    }
}
