//! The webhooks that the merchant subscribes to.

/// Payment statuses that the merchant subscribes to, each with its event type. Statuses that the load never reaches,
/// such as an expired authorization, are left out.
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
    ("conflicted", "action_required"),
];

/// Returns the statuses alone.
pub fn statuses() -> Vec<&'static str> {
    TOLD.iter().map(|(status, _)| *status).collect()
}
