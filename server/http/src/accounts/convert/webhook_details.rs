//! `webhook_details`: the address and the events of a merchant's webhooks. Answers never contain the password.

use multirail_domain::accounts::webhook_settings::{WebhookSettings, WebhookSettingsInput};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_types as types;

use crate::platform::convert::words::{ToWire, words};

/// Reads the settings of a request.
pub(crate) fn input(wire: types::WebhookDetailsRequest) -> Result<WebhookSettingsInput, Refusal> {
    let types::WebhookDetailsRequest {
        webhook_version,
        webhook_username,
        webhook_password,
        webhook_url,
        payment_created_enabled,
        payment_succeeded_enabled,
        payment_failed_enabled,
        payment_statuses_enabled,
        refund_statuses_enabled,
        payout_statuses_enabled,
    } = wire;
    Ok(WebhookSettingsInput {
        webhook_version,
        webhook_username,
        webhook_password: webhook_password.as_ref().map(secret),
        webhook_url,
        payment_created_enabled,
        payment_succeeded_enabled,
        payment_failed_enabled,
        payment_statuses_enabled: payment_statuses_enabled
            .map(|list| words(&list, "webhook_details.payment_statuses_enabled"))
            .transpose()?,
        refund_statuses_enabled: refund_statuses_enabled.map(|list| texts(&list)),
        payout_statuses_enabled: payout_statuses_enabled.map(|list| texts(&list)),
    })
}

/// Returns the settings without unset members.
pub(crate) fn answer(settings: &WebhookSettings) -> types::WebhookDetails {
    let payment_statuses = settings
        .payment_statuses_enabled
        .iter()
        .map(|status| status.to_wire());
    let settings = settings.clone();
    types::WebhookDetails {
        webhook_version: settings.webhook_version,
        webhook_username: settings.webhook_username,
        webhook_url: settings.webhook_url,
        payment_created_enabled: settings.payment_created_enabled,
        payment_succeeded_enabled: settings.payment_succeeded_enabled,
        payment_failed_enabled: settings.payment_failed_enabled,
        payment_statuses_enabled: not_empty(payment_statuses.collect()),
        refund_statuses_enabled: not_empty(from_texts(settings.refund_statuses_enabled)),
        payout_statuses_enabled: not_empty(from_texts(settings.payout_statuses_enabled)),
    }
}

/// Converts a secret of the wire into one of the domain.
pub(crate) fn secret(wire: &types::Secret) -> SecretText {
    SecretText::new(wire.expose())
}

/// Returns `None` for an empty list, which restricts nothing and isn't answered.
pub(crate) fn not_empty<T>(list: Vec<T>) -> Option<Vec<T>> {
    (!list.is_empty()).then_some(list)
}

fn texts(list: &[impl AsRef<str>]) -> Vec<String> {
    list.iter().map(|word| word.as_ref().to_owned()).collect()
}

fn from_texts<T: From<String>>(list: Vec<String>) -> Vec<T> {
    list.into_iter().map(T::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn everything_but_the_password_comes_back() {
        let given = json!({
            "webhook_version": "1",
            "webhook_username": "multirail",
            "webhook_password": "sesame",
            "webhook_url": "https://shop.example/hooks",
            "payment_created_enabled": true,
            "payment_succeeded_enabled": false,
            "payment_failed_enabled": true,
            "payment_statuses_enabled": ["succeeded", "requires_capture"],
            "refund_statuses_enabled": ["success"],
        });
        let wire = serde_json::from_value(given.clone()).expect("a request");
        let input = input(wire).expect("an input");
        assert_eq!(input.webhook_password, Some(SecretText::new("sesame")));
        let settings = WebhookSettings::default().updated(input).expect("settings");
        let mut expected = given;
        expected
            .as_object_mut()
            .expect("an object")
            .remove("webhook_password");
        assert_eq!(
            serde_json::to_value(answer(&settings)).expect("plain JSON"),
            expected
        );
    }

    #[test]
    fn lists_of_the_default_are_left_out() {
        let answered = answer(&WebhookSettings::default());
        assert_eq!(answered, types::WebhookDetails::default());
    }
}
