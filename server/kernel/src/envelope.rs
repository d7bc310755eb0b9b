//! The body of a webhook delivery.

use crate::event::EventType;
use crate::ids::{EventId, MerchantId, ProfileId, WebhookEndpointId};
use crate::timestamp::Timestamp;

/// `content.type` of events about payments.
pub const PAYMENT_DETAILS: &str = "payment_details";

/// `content.type` of events about refunds.
pub const REFUND_DETAILS: &str = "refund_details";

/// `content.type` of events about disputes.
pub const DISPUTE_DETAILS: &str = "dispute_details";
/// `content.type` of events about subscriptions.
pub const SUBSCRIPTION_DETAILS: &str = "subscription_details";

/// `content.type` of events about mandates.
pub const MANDATE_DETAILS: &str = "mandate_details";

/// The body sent to a merchant's endpoint. It is rendered once with the event and then stored byte for byte. (Facts
/// 5.3)
#[derive(Clone, Copy, Debug)]
pub struct Envelope<'a> {
    pub merchant_id: &'a MerchantId,
    pub event_id: &'a EventId,
    pub event_type: EventType,
    /// `payment_details` and the like.
    pub content_type: &'static str,
    /// The object as JSON, as the API answers it to the merchant.
    pub object: &'a str,
    pub timestamp: Timestamp,
}

impl Envelope<'_> {
    /// Renders the body: `merchant_id`, `event_id`, `event_type`, `content`, `timestamp`, in this order.
    pub fn to_body(&self) -> String {
        let Envelope {
            merchant_id,
            event_id,
            event_type,
            content_type,
            object,
            timestamp,
        } = self;
        // Ids, words and times contain no character that JSON would escape.
        format!(
            r#"{{"merchant_id":"{merchant_id}","event_id":"{event_id}","event_type":"{event_type}","content":{{"type":"{content_type}","object":{object}}},"timestamp":"{timestamp}"}}"#
        )
    }
}

/// Renders the body of a test event, which no store records. Its type is none of [`EventType`], so that no receiver takes it
/// for news about money.
pub fn test_body(
    merchant_id: &MerchantId,
    profile_id: &ProfileId,
    endpoint_id: &WebhookEndpointId,
    event_id: &EventId,
    timestamp: Timestamp,
) -> String {
    // Ids and times contain no character that JSON would escape.
    format!(
        r#"{{"merchant_id":"{merchant_id}","event_id":"{event_id}","event_type":"endpoint_test","content":{{"type":"endpoint_test_details","object":{{"profile_id":"{profile_id}","webhook_endpoint_id":"{endpoint_id}"}}}},"timestamp":"{timestamp}"}}"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_members_stand_in_the_contracts_order() {
        let body = Envelope {
            merchant_id: &MerchantId::parse("bookshop").expect("an id"),
            event_id: &EventId::parse("evt_1").expect("an id"),
            event_type: EventType::PaymentSucceeded,
            content_type: PAYMENT_DETAILS,
            object: r#"{"payment_id":"pay_1"}"#,
            timestamp: Timestamp::EPOCH,
        }
        .to_body();
        insta::assert_snapshot!(body, @r#"{"merchant_id":"bookshop","event_id":"evt_1","event_type":"payment_succeeded","content":{"type":"payment_details","object":{"payment_id":"pay_1"}},"timestamp":"1970-01-01T00:00:00.000Z"}"#);
        serde_json::from_str::<serde_json::Value>(&body).expect("JSON");
    }

    #[test]
    fn a_test_event_shows_that_it_is_one() {
        let body = test_body(
            &MerchantId::parse("bookshop").expect("an id"),
            &ProfileId::parse("pro_1").expect("an id"),
            &WebhookEndpointId::parse("whe_1").expect("an id"),
            &EventId::parse("evt_1").expect("an id"),
            Timestamp::EPOCH,
        );
        insta::assert_snapshot!(body, @r#"{"merchant_id":"bookshop","event_id":"evt_1","event_type":"endpoint_test","content":{"type":"endpoint_test_details","object":{"profile_id":"pro_1","webhook_endpoint_id":"whe_1"}},"timestamp":"1970-01-01T00:00:00.000Z"}"#);
        serde_json::from_str::<serde_json::Value>(&body).expect("JSON");
    }
}
