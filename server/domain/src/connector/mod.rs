//! What we ask of a processor and what it can answer, in words that fit every processor.

pub mod capability;
pub mod details;
pub mod outcome;
pub mod request;

pub use capability::Capabilities;
pub use details::{CaptureDescriptor, Descriptor, Details};
pub use outcome::{Approval, CONFLICT_CODE, Decline, Fact, IssuerWords, Outcome, UnknownReason};
pub use request::{
    AuthorizeRequest, CaptureRequest, LookUpRequest, OperationKind, RefundRequest, VoidRequest,
};
