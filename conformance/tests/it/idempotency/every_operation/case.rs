//! The pair of requests by which the idempotency of an operation is tested.

use multirail_conformance::Call;

/// A request for an operation.
pub struct Case {
    pub call: Call,
    /// The same operation with a different request.
    pub other: Call,
    /// The member in which the two differ.
    pub member: &'static str,
    /// True if the merchant can read the effect of the call.
    pub is_seen: bool,
}

/// Builds a case from one operation's call and two values of one member.
pub fn differing<T>(member: &'static str, call: impl Fn(T) -> Call, values: [T; 2]) -> Case {
    let [value, other] = values.map(call);
    Case {
        call: value,
        other,
        member,
        is_seen: true,
    }
}
