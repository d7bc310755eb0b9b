//! The webhooks that the merchant asked for.

/// Statuses that the merchant asked to be told of, and the type that says so. What the load never leads to, such as an
/// authorization that expires, is left out.
pub const TOLD: &[(&str, &str)] = &[
    ("succeeded", "payment_succeeded"),
    ("failed", "payment_failed"),
    ("processing", "payment_processing"),
    ("cancelled", "payment_cancelled"),
    ("requires_capture", "payment_authorized"),
    ("partially_captured", "payment_captured"),
    ("partially_captured_and_capturable", "payment_captured"),
    ("partially_captured_and_processing", "payment_captured"),
    ("requires_customer_action", "action_required"),
];

/// The statuses alone.
pub fn statuses() -> Vec<&'static str> {
    TOLD.iter().map(|(status, _)| *status).collect()
}
