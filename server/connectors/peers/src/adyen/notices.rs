//! Notices of the ledger, with their signatures.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use super::ledger::{Ledger, Payment};

impl Ledger {
    /// Returns every notice so far, each as the body of one request.
    pub fn notices(&self) -> Vec<Vec<u8>> {
        let bodies = self.notices.iter().map(|item| {
            let items = json!([{ "NotificationRequestItem": item }]);
            let body = json!({ "live": "false", "notificationItems": items });
            body.to_string().into_bytes()
        });
        bodies.collect()
    }

    /// Returns a signed notice of this item.
    pub(super) fn signs(&self, mut item: Value) -> Vec<u8> {
        item["merchantAccountCode"] = json!(self.merchant_account);
        let text = |value: &Value| value.as_str().map_or(value.to_string(), str::to_owned);
        let members = [
            &item["pspReference"],
            &json!(""),
            &item["merchantAccountCode"],
            &item["merchantReference"],
            &item["amount"]["value"],
            &item["amount"]["currency"],
            &item["eventCode"],
            &item["success"],
        ];
        let signed = members.map(text).join(":");
        item["additionalData"] = json!({ "hmacSignature": self.sign(&signed) });
        let items = json!([{ "NotificationRequestItem": item }]);
        let notice = json!({ "live": "false", "notificationItems": items });
        notice.to_string().into_bytes()
    }

    fn sign(&self, text: &str) -> String {
        let mac = Hmac::<Sha256>::new_from_slice(&self.hmac_key).expect("any length");
        STANDARD.encode(mac.chain_update(text).finalize().into_bytes())
    }

    /// Signs and files a notice.
    pub(super) fn tell(
        &mut self,
        event: &str,
        psp: &str,
        original: Option<&str>,
        about: &Payment,
        amount: i64,
        done: Result<(), &str>,
    ) {
        let success = if done.is_ok() { "true" } else { "false" };
        let Payment {
            reference,
            currency,
            method,
            ..
        } = about;
        // Adyen names the brand of a card.
        let method = match method.as_str() {
            "scheme" => "visa",
            other => other,
        };
        let signed = format!(
            "{psp}:{}:{}:{reference}:{amount}:{currency}:{event}:{success}",
            original.unwrap_or_default(),
            self.merchant_account
        );
        let signature = self.sign(&signed);
        let mut item = json!({
            "additionalData": { "hmacSignature": signature },
            "amount": { "currency": currency, "value": amount }, "eventCode": event,
            "eventDate": "2026-01-31T12:00:00+01:00", "merchantAccountCode": self.merchant_account,
            "merchantReference": reference, "paymentMethod": method, "pspReference": psp,
            "reason": done.err().unwrap_or_default(), "success": success,
        });
        if let Some(original) = original {
            item["originalReference"] = json!(original);
        }
        self.notices.push(item);
    }
}
