//! A processor's notice as operators see it: without personal data and payment method data.

use multirail_kernel::masking;

/// Returns a notice's body as JSON in which only the members that its connector allows have their values. `None` if it isn't
/// JSON.
pub fn masked(body: &[u8], shown: &[&str]) -> Option<String> {
    let body = serde_json::from_slice(body).ok()?;
    Some(masking::masked(body, shown).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_shown_notice_has_no_personal_data() {
        let body = json!({
            "id": "evt_1",
            "type": "charge.succeeded",
            "data": {"object": {"id": "ch_1", "amount": 6540, "billing_details": {"name": "Ada", "email": "a@b.c"},
                "payment_method_details": {"card": {"last4": "4242", "exp_year": 2030}}}},
            "items": ["secret"],
        });
        insta::assert_snapshot!(masked(body.to_string().as_bytes(), &["id", "type", "amount"]).expect("JSON"), @r#"{"id":"evt_1","type":"charge.succeeded","data":{"object":{"id":"ch_1","amount":6540,"billing_details":{"name":"***","email":"***"},"payment_method_details":{"card":{"last4":"***","exp_year":"***"}}}},"items":["***"]}"#);
    }
}
