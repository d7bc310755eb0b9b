//! Settings of a connector account for fraud screening and payment method authentication. Only their outer shape is checked
//! here.

use serde_json::{Map, Value};

use multirail_kernel::refusal::Refusal;

/// Returns the stored form of `frm_configs`: one text that holds JSON. A caller sends that text, or the list itself.
/// (Specification 2.7)
pub fn frm_configs_text(given: &Value) -> Result<String, Refusal> {
    let text = match given {
        Value::String(text) => text.clone(),
        Value::Array(_) | Value::Object(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {
            given.to_string()
        }
    };
    match serde_json::from_str::<Vec<Map<String, Value>>>(&text) {
        Ok(_) => Ok(text),
        Err(_) => Err(Refusal::Malformed {
            member: "frm_configs".to_owned(),
            why: "has to be a list of objects, or a text that holds one as JSON".to_owned(),
        }),
    }
}

/// Returns whether a text from [`frm_configs_text`] holds an empty list.
pub fn is_no_frm_config(text: &str) -> bool {
    serde_json::from_str::<Vec<Value>>(text).is_ok_and(|configs| configs.is_empty())
}

/// One entry of `pm_auth_config`: the account that authenticates bank accounts of one method and type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PmAuthEntry {
    pub payment_method: String,
    pub payment_method_type: String,
    pub connector_name: String,
    /// A connector account of type `payment_method_auth` in the same profile. The caller of this crate looks it up.
    pub mca_id: String,
}

/// Reads `{enabled_payment_methods: [{payment_method, payment_method_type, connector_name, mca_id}]}`.
pub fn pm_auth_entries(config: &Map<String, Value>) -> Result<Vec<PmAuthEntry>, Refusal> {
    const PATH: &str = "pm_auth_config.enabled_payment_methods";
    let entries = match config.get("enabled_payment_methods") {
        None | Some(Value::Null) => return Err(Refusal::missing(PATH)),
        Some(Value::Array(entries)) => entries,
        Some(Value::String(_) | Value::Object(_) | Value::Bool(_) | Value::Number(_)) => {
            return Err(Refusal::invalid_format(PATH, "a list"));
        }
    };
    let read = |(place, entry): (usize, &Value)| {
        let member = |name: &str| match entry.get(name).and_then(Value::as_str) {
            Some(text) if !text.is_empty() => Ok(text.to_owned()),
            Some(_) | None => Err(Refusal::missing(format!("{PATH}[{place}].{name}"))),
        };
        Ok(PmAuthEntry {
            payment_method: member("payment_method")?,
            payment_method_type: member("payment_method_type")?,
            connector_name: member("connector_name")?,
            mca_id: member("mca_id")?,
        })
    };
    entries.iter().enumerate().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn fraud_screening_is_a_text_of_json() {
        let list = json!([{"gateway": "stripe", "payment_methods": []}]);
        let text = list.to_string();
        assert_eq!(frm_configs_text(&list), Ok(text.clone()));
        assert_eq!(frm_configs_text(&Value::from(text.clone())), Ok(text));
        let bad = [
            json!("no json"),
            json!("{}"),
            json!(""),
            json!(7),
            json!({}),
            json!(["cards"]),
        ];
        for bad in bad {
            assert!(frm_configs_text(&bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn bank_account_authentication_names_its_accounts() {
        let read = |value: Value| pm_auth_entries(value.as_object().expect("an object"));
        let entry = json!({
            "payment_method": "bank_debit",
            "payment_method_type": "ach",
            "connector_name": "plaid",
            "mca_id": "mca_1",
        });
        let entries = read(json!({"enabled_payment_methods": [entry]})).expect("entries");
        assert_eq!(entries[0].mca_id, "mca_1");
        assert_eq!(
            read(json!({})),
            Err(Refusal::missing("pm_auth_config.enabled_payment_methods"))
        );
        assert!(read(json!({"enabled_payment_methods": {}})).is_err());
        let incomplete = json!({"enabled_payment_methods": [{"payment_method": "bank_debit"}]});
        assert_eq!(
            read(incomplete),
            Err(Refusal::missing(
                "pm_auth_config.enabled_payment_methods[0].payment_method_type"
            ))
        );
    }
}
