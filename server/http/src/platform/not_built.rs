//! Operations that clients of other systems may call and that this version lacks. Each is refused by its name, because
//! 404 would suggest a typing error in the address. openapi/README.md lists them.

use multirail_kernel::refusal::Refusal;

/// Returns why the operation at a path isn't built, where that is known.
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
