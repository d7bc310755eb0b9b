//! Operations that clients of other systems may call and this version hasn't. Each is refused by its name: 404 would say that
//! the address has a slip in it. openapi/README.md lists them.

use multirail_kernel::refusal::Refusal;

/// Why what stands at a path isn't done, where it is known.
pub(crate) fn refusal(path: &str) -> Option<Refusal> {
    let segments: Vec<&str> = path.strip_prefix('/')?.split('/').collect();
    let flow = match segments.as_slice() {
        [
            "account",
            _,
            "business_profile",
            _,
            "dynamic_routing",
            "contracts",
            _,
            ..,
        ] => "ordering by contracts",
        _ => return None,
    };
    Some(Refusal::FlowNotSupported {
        flow: flow.to_owned(),
    })
}
