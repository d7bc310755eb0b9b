//! The object of a delivery as lines. One rule fits all kinds, so no kind is left out.

use serde_json::{Map, Value};

/// The end of the word for the type of an object.
const DETAILS: &str = "_details";

/// Returns a line with the id and the status of the object, and one for each object in it that has both too, such as the
/// invoice of a subscription. A body of another form has none.
pub(super) fn object_lines(body: &[u8]) -> Vec<String> {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let content = &body["content"];
    let (Some(kind), Some(members)) = (content["type"].as_str(), content["object"].as_object())
    else {
        return Vec::new();
    };
    let kind = kind.strip_suffix(DETAILS).unwrap_or(kind);
    let mut lines = vec![Described { kind, members }.line()];
    for (kind, value) in members {
        if let Some(members) = value.as_object() {
            let inner = Described { kind, members };
            lines.extend(inner.is_complete().then(|| inner.line()));
        }
    }
    lines
}

/// An object, and the word for its kind, such as `dispute`.
struct Described<'a> {
    kind: &'a str,
    members: &'a Map<String, Value>,
}

impl Described<'_> {
    fn is_complete(&self) -> bool {
        self.own("id").is_some() && self.own("status").is_some()
    }

    /// Returns the id, the payment, the status, the stage and the amount, as far as the object has them.
    fn line(&self) -> String {
        let id = self.own("id").unwrap_or_default();
        let mut line = format!("{:<12} {id}", self.kind);
        let payment = self.text("payment_id").filter(|payment| *payment != id);
        let found = [
            (" of ", payment),
            (" is ", self.own("status")),
            (" in ", self.own("stage")),
            (", ", self.amount()),
        ];
        for (before, text) in found {
            if let Some(text) = text {
                line.push_str(before);
                line.push_str(&text);
            }
        }
        line
    }

    fn amount(&self) -> Option<String> {
        let (amount, currency) = (self.text("amount")?, self.text("currency")?);
        Some(format!("{amount} {currency}"))
    }

    /// Returns a member that has the kind in its name, such as `dispute_status`, or else the one without.
    fn own(&self, name: &str) -> Option<String> {
        let with_kind = self.text(&format!("{}_{name}", self.kind));
        with_kind.or_else(|| self.text(name))
    }

    fn text(&self, name: &str) -> Option<String> {
        match self.members.get(name)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use multirail_client::types::WebhookContentType;
    use serde_json::json;

    use super::*;

    fn lines(kind: &str, object: Value) -> Vec<String> {
        let body = json!({ "content": { "type": kind, "object": object } });
        object_lines(body.to_string().as_bytes())
    }

    #[test]
    fn every_kind_has_its_id_and_its_status() {
        for kind in WebhookContentType::ALL {
            let word = kind.as_str();
            let own = word.strip_suffix(DETAILS).expect("one of the words");
            let plain = lines(word, json!({ "id": "a_1", "status": "new" }));
            assert_eq!(plain, [format!("{own:<12} a_1 is new")]);
            let (id, status) = (format!("{own}_id"), format!("{own}_status"));
            let named = lines(word, json!({ id: "a_1", status: "new" }));
            assert_eq!(named, plain);
        }
    }

    #[test]
    fn objects_with_an_id_and_a_status_have_lines_of_their_own() {
        let printed = lines(
            "subscription_details",
            json!({
                "id": "sub_1", "status": "active", "plan": { "id": "reader" },
                "invoice": { "id": "inv_1", "status": "invoice_paid", "amount": 990, "currency": "EUR" },
            }),
        );
        insta::assert_snapshot!(printed.join("\n"), @r"
        subscription sub_1 is active
        invoice      inv_1 is invoice_paid, 990 EUR
        ");
    }

    #[test]
    fn an_object_of_another_form_is_named_at_least() {
        assert_eq!(lines("new_details", json!({})), ["new          "]);
        assert_eq!(lines("new_details", json!([])), [""; 0]);
        assert_eq!(object_lines(b"no JSON"), [""; 0]);
    }
}
