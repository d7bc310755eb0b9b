//! The webhook address of a listener. It carries the settings of the merchant that it replaces: if the listener is killed,
//! the next one restores them.

use std::net::SocketAddr;

use multirail_client::types::{BusinessProfile, WebhookDetails, WebhookDetailsRequest};
use url::Url;

use crate::address::is_loopback;
use crate::raw_call::encoded;

/// The path of every listener.
const PATH: &str = "/multirail-listen";
/// The parameter that has the replaced settings as JSON.
const REPLACED: &str = "replaced";
/// The maximum length of a webhook address.
const LONGEST: usize = 2048;

/// Returns the address of a listener that replaces these settings. Settings that don't fit into an address are left out.
pub(super) fn listener_url(socket: SocketAddr, replaced: &WebhookDetailsRequest) -> String {
    let plain = format!("http://{socket}{PATH}");
    match serde_json::to_string(replaced) {
        Ok(json) if *replaced != WebhookDetailsRequest::default() => {
            let whole = format!("{plain}?{REPLACED}={}", encoded(&json));
            if whole.len() > LONGEST { plain } else { whole }
        }
        Ok(_) | Err(_) => plain,
    }
}

/// Returns the settings that the merchant made. If the profile has the address of a listener, they are those that it
/// replaced, or none if it doesn't say so.
pub(super) fn merchants_settings(profile: &BusinessProfile) -> WebhookDetailsRequest {
    let details = profile.webhook_details.clone().unwrap_or_default();
    let url = details.webhook_url.as_deref().and_then(read_listener_url);
    match url {
        Some(url) => replaced(&url).unwrap_or_default(),
        None => request(details),
    }
}

/// Returns whether an address is that of a listener.
pub(super) fn is_listener(url: &str) -> bool {
    read_listener_url(url).is_some()
}

fn read_listener_url(url: &str) -> Option<Url> {
    let url = Url::parse(url).ok()?;
    (is_loopback(&url) && url.path() == PATH).then_some(url)
}

fn replaced(url: &Url) -> Option<WebhookDetailsRequest> {
    let mut pairs = url.query_pairs();
    let (_, json) = pairs.find(|(name, _)| name == REPLACED)?;
    serde_json::from_str(&json).ok()
}

/// Returns the settings as a request has them. The password, which isn't shown, stays as it is.
fn request(details: WebhookDetails) -> WebhookDetailsRequest {
    WebhookDetailsRequest {
        webhook_version: details.webhook_version,
        webhook_username: details.webhook_username,
        webhook_password: None,
        webhook_url: details.webhook_url,
        payment_created_enabled: details.payment_created_enabled,
        payment_succeeded_enabled: details.payment_succeeded_enabled,
        payment_failed_enabled: details.payment_failed_enabled,
        payment_statuses_enabled: details.payment_statuses_enabled,
        refund_statuses_enabled: details.refund_statuses_enabled,
        payout_statuses_enabled: details.payout_statuses_enabled,
    }
}

#[cfg(test)]
mod tests {
    use multirail_client::types::PaymentStatus;

    use super::*;

    fn socket() -> SocketAddr {
        SocketAddr::from(([127, 0, 0, 1], 4711))
    }

    fn settings(url: &str) -> WebhookDetailsRequest {
        WebhookDetailsRequest {
            webhook_url: Some(url.to_owned()),
            payment_statuses_enabled: Some(vec![PaymentStatus::Succeeded]),
            ..WebhookDetailsRequest::default()
        }
    }

    fn read(url: &str) -> Option<WebhookDetailsRequest> {
        replaced(&read_listener_url(url).expect("a listener's address"))
    }

    #[test]
    fn an_address_carries_what_it_replaces() {
        let settings = settings("https://shop.example/hooks?key=a b&c=ü#d");
        let url = listener_url(socket(), &settings);
        assert!(
            url.starts_with("http://127.0.0.1:4711/multirail-listen?"),
            "{url}"
        );
        assert_eq!(Url::parse(&url).map(String::from), Ok(url.clone()));
        assert_eq!(read(&url), Some(settings));
    }

    #[test]
    fn an_address_without_settings_or_with_too_long_ones_is_plain() {
        let plain = "http://127.0.0.1:4711/multirail-listen";
        let long = settings(&format!("https://shop.example/{}", "a".repeat(LONGEST)));
        for settings in [WebhookDetailsRequest::default(), long] {
            assert_eq!(listener_url(socket(), &settings), plain);
        }
        assert_eq!(read(plain), None);
        assert_eq!(read(&format!("{plain}?replaced=a")), None);
    }

    #[test]
    fn only_a_listener_on_this_machine_has_its_path() {
        assert!(is_listener("http://127.0.0.1:4711/multirail-listen"));
        assert!(is_listener(
            "http://127.0.0.1:4711/multirail-listen?replaced=a"
        ));
        assert!(!is_listener("https://shop.example/multirail-listen"));
        assert!(!is_listener("http://127.0.0.1:4711/webhooks"));
    }
}
