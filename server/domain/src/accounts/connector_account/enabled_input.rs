//! `payment_methods_enabled` as callers write it: flat, or nested with conditions for each type. Both are stored flat.

use multirail_kernel::country::CountryCode;
use multirail_kernel::currency::Currency;
use multirail_kernel::open_json::{malformed, member, object};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::card::Network;
use multirail_sdk::payment_method::{
    PaymentExperience, PaymentMethod, PaymentMethodType, check_belongs,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::accounts::connector_account::{Acceptance, PaymentMethodEnabled};

/// One item as a caller sends it. In the flat form the types are words, and the item holds the conditions. In the nested form
/// each type is an object with its own conditions; conditions that it lacks come from the item.
#[derive(Clone, Debug, PartialEq)]
pub struct PaymentMethodEnabledInput {
    pub payment_method: PaymentMethod,
    /// All words or all objects.
    pub payment_method_types: Vec<Value>,
    pub payment_method_issuers: Vec<String>,
    pub payment_schemes: Vec<Network>,
    pub accepted_countries: Option<Acceptance<CountryCode>>,
    pub accepted_currencies: Option<Acceptance<Currency>>,
    pub minimum_amount: Option<i64>,
    pub maximum_amount: Option<i64>,
    pub recurring_enabled: Option<bool>,
    pub installment_payment_enabled: Option<bool>,
    pub payment_experience: Option<PaymentExperience>,
}

/// Returns the flat form of all items, in order. Types of one item that share all conditions share a flat item.
///
/// # Errors
/// A refusal that names the member: a type that can't be read or belongs to another method, or limits that exclude everything.
pub fn flatten(
    items: Vec<PaymentMethodEnabledInput>,
) -> Result<Vec<PaymentMethodEnabled>, Refusal> {
    let mut flat = Vec::new();
    for (place, mut item) in items.into_iter().enumerate() {
        let path = format!("payment_methods_enabled[{place}]");
        let types = std::mem::take(&mut item.payment_method_types);
        let shared = item_conditions(item);
        for entry in entries(&types, shared, &path)? {
            flat.push(check_limits(entry, &path)?);
        }
    }
    Ok(flat)
}

/// Reads `{"type": .., "list": [..]}`.
///
/// # Errors
/// A refusal that names the member under `path`.
fn read_acceptance<T: DeserializeOwned>(
    value: &Value,
    path: &str,
) -> Result<Acceptance<T>, Refusal> {
    let object = object(value, path, &["type", "list"])?;
    let kind: Option<String> = member(object, "type", path, "a word")?;
    let list = || {
        member(object, "list", path, "a list of codes of the contract")?
            .ok_or_else(|| Refusal::missing(format!("{path}.list")))
    };
    match kind.as_deref() {
        Some("enable_only") => Ok(Acceptance::EnableOnly(list()?)),
        Some("disable_only") => Ok(Acceptance::DisableOnly(list()?)),
        Some("all_accepted") => Ok(Acceptance::AllAccepted),
        Some(_) => Err(malformed(
            &format!("{path}.type"),
            "has to be enable_only, disable_only or all_accepted",
        )),
        None => Err(Refusal::missing(format!("{path}.type"))),
    }
}

/// Returns the item's own conditions, without its types.
fn item_conditions(item: PaymentMethodEnabledInput) -> PaymentMethodEnabled {
    PaymentMethodEnabled {
        payment_method: item.payment_method,
        payment_method_types: Vec::new(),
        payment_method_issuers: item.payment_method_issuers,
        payment_schemes: item.payment_schemes,
        accepted_countries: item.accepted_countries,
        accepted_currencies: item.accepted_currencies,
        minimum_amount: item.minimum_amount,
        maximum_amount: item.maximum_amount,
        recurring_enabled: item.recurring_enabled,
        installment_payment_enabled: item.installment_payment_enabled,
        payment_experience: item.payment_experience,
        unread: UnreadMembers::default(),
    }
}

/// Returns one flat entry for each set of conditions.
fn entries(
    types: &[Value],
    shared: PaymentMethodEnabled,
    path: &str,
) -> Result<Vec<PaymentMethodEnabled>, Refusal> {
    if types.is_empty() {
        return Ok(vec![shared]);
    }
    let nested = types.iter().any(Value::is_object);
    let mut entries: Vec<PaymentMethodEnabled> = Vec::new();
    for (place, value) in types.iter().enumerate() {
        let path = format!("{path}.payment_method_types[{place}]");
        let (method_type, conditions) = match (value, nested) {
            (Value::String(word), false) => (read_type(word, &path)?, shared.clone()),
            (Value::Object(_), true) => {
                read_nested(object(value, &path, &CONDITIONS)?, &shared, &path)?
            }
            (Value::String(_) | Value::Object(_), _) => {
                return Err(malformed(
                    &path,
                    "has to be of the same form as its neighbours: all words or all objects",
                ));
            }
            (Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_), _) => {
                return Err(malformed(
                    &path,
                    "has to be a payment_method_type, or an object that names one",
                ));
            }
        };
        check_belongs(shared.payment_method, method_type)
            .map_err(|refusal| Refusal::invalid_value(format!("{path}: {refusal}")))?;
        match entries
            .iter_mut()
            .find(|entry| conditions_of(entry) == conditions)
        {
            Some(entry) => entry.payment_method_types.push(method_type),
            None => entries.push(PaymentMethodEnabled {
                payment_method_types: vec![method_type],
                ..conditions
            }),
        }
    }
    Ok(entries)
}

fn conditions_of(entry: &PaymentMethodEnabled) -> PaymentMethodEnabled {
    PaymentMethodEnabled {
        payment_method_types: Vec::new(),
        ..entry.clone()
    }
}

fn read_type(word: &str, path: &str) -> Result<PaymentMethodType, Refusal> {
    word.parse()
        .map_err(|_| Refusal::invalid_value(format!("{path} is no payment_method_type")))
}

/// Members that a type of the nested form may have.
const CONDITIONS: [&str; 9] = [
    "payment_method_type",
    "payment_experience",
    "card_networks",
    "accepted_currencies",
    "accepted_countries",
    "minimum_amount",
    "maximum_amount",
    "recurring_enabled",
    "installment_payment_enabled",
];

/// Reads a type of the nested form, and its conditions on top of the item's own.
fn read_nested(
    object: &Map<String, Value>,
    shared: &PaymentMethodEnabled,
    path: &str,
) -> Result<(PaymentMethodType, PaymentMethodEnabled), Refusal> {
    const AMOUNT: &str = "a whole number of minor units";
    let word: Option<String> = member(object, "payment_method_type", path, "a word")?;
    let type_path = format!("{path}.payment_method_type");
    let word = word.ok_or_else(|| Refusal::missing(type_path.clone()))?;
    let text = |name, expected| member(object, name, path, expected);
    let amount = |name| member(object, name, path, AMOUNT);
    let truth = |name| member(object, name, path, "true or false");
    let networks = member(object, "card_networks", path, "a list of card networks")?;
    let shared = shared.clone();
    let conditions = PaymentMethodEnabled {
        payment_method: shared.payment_method,
        payment_method_types: Vec::new(),
        payment_method_issuers: shared.payment_method_issuers,
        payment_schemes: networks.unwrap_or(shared.payment_schemes),
        accepted_countries: acceptance(object, "accepted_countries", path)?
            .or(shared.accepted_countries),
        accepted_currencies: acceptance(object, "accepted_currencies", path)?
            .or(shared.accepted_currencies),
        minimum_amount: amount("minimum_amount")?.or(shared.minimum_amount),
        maximum_amount: amount("maximum_amount")?.or(shared.maximum_amount),
        recurring_enabled: truth("recurring_enabled")?.or(shared.recurring_enabled),
        installment_payment_enabled: truth("installment_payment_enabled")?
            .or(shared.installment_payment_enabled),
        payment_experience: text("payment_experience", "a payment experience of the contract")?
            .or(shared.payment_experience),
        unread: UnreadMembers::default(),
    };
    Ok((read_type(&word, &type_path)?, conditions))
}

fn acceptance<T: DeserializeOwned>(
    object: &Map<String, Value>,
    name: &str,
    path: &str,
) -> Result<Option<Acceptance<T>>, Refusal> {
    match object.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => read_acceptance(value, &format!("{path}.{name}")).map(Some),
    }
}

fn check_limits(item: PaymentMethodEnabled, path: &str) -> Result<PaymentMethodEnabled, Refusal> {
    let limits = [
        ("minimum_amount", item.minimum_amount),
        ("maximum_amount", item.maximum_amount),
    ];
    for (member, limit) in limits {
        if limit.is_some_and(|limit| limit < 0) {
            return Err(Refusal::invalid_format(
                format!("{path}.{member}"),
                "a whole number of minor units, not negative",
            ));
        }
    }
    if item
        .minimum_amount
        .zip(item.maximum_amount)
        .is_some_and(|(least, most)| least > most)
    {
        return Err(Refusal::invalid_value(format!(
            "{path}: minimum_amount is larger than maximum_amount"
        )));
    }
    Ok(item)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn item(payment_method: PaymentMethod, types: Value) -> PaymentMethodEnabledInput {
        PaymentMethodEnabledInput {
            payment_method,
            payment_method_types: types.as_array().cloned().unwrap_or_default(),
            payment_method_issuers: Vec::new(),
            payment_schemes: vec![Network::Visa],
            accepted_countries: None,
            accepted_currencies: None,
            minimum_amount: Some(1),
            maximum_amount: Some(68_607_706),
            recurring_enabled: Some(true),
            installment_payment_enabled: None,
            payment_experience: None,
        }
    }

    #[test]
    fn flat_stays_flat_and_nested_becomes_flat() {
        let flat = flatten(vec![
            item(PaymentMethod::Card, json!(["credit", "debit"])),
            item(
                PaymentMethod::Card,
                json!([
                    {"payment_method_type": "credit", "card_networks": ["Mastercard"], "minimum_amount": 100,
                     "accepted_currencies": {"type": "enable_only", "list": ["EUR"]}},
                    {"payment_method_type": "debit", "payment_experience": null, "accepted_countries": {"type": "all_accepted"}},
                ]),
            ),
            item(PaymentMethod::Card, json!([])),
        ]);
        insta::assert_json_snapshot!(flat.expect("flat items"));
    }

    #[test]
    fn types_with_the_same_conditions_are_gathered() {
        let flat = flatten(vec![item(
            PaymentMethod::Wallet,
            json!([
                {"payment_method_type": "google_pay", "payment_experience": "invoke_sdk_client"},
                {"payment_method_type": "paypal", "payment_experience": "redirect_to_url"},
                {"payment_method_type": "apple_pay", "payment_experience": "invoke_sdk_client"},
            ]),
        )])
        .expect("flat items");
        let gathered: Vec<_> = flat
            .iter()
            .map(|entry| (entry.payment_method_types.clone(), entry.payment_experience))
            .collect();
        assert_eq!(
            gathered,
            [
                (
                    vec![PaymentMethodType::GooglePay, PaymentMethodType::ApplePay],
                    Some(PaymentExperience::InvokeSdkClient)
                ),
                (
                    vec![PaymentMethodType::Paypal],
                    Some(PaymentExperience::RedirectToUrl)
                ),
            ]
        );
    }

    #[test]
    fn what_can_not_be_read_is_named() {
        let nested = |member: &str, value: Value| {
            let mut object = json!({"payment_method_type": "credit"});
            object[member] = value;
            json!([object])
        };
        let table = [
            json!(["klarna"]),
            json!(["credits"]),
            json!([7]),
            json!(["credit", {}]),
            json!([{}]),
            json!([{"payment_method_type": "klarna"}]),
            json!([{"payment_method_type": 7}]),
            nested("card_networks", json!(["Bank"])),
            nested("payment_experience", json!("by_carrier_pigeon")),
            nested("accepted_currencies", json!({"type": "enable_only"})),
            nested(
                "accepted_countries",
                json!({"type": "some_of", "list": ["US"]}),
            ),
            nested(
                "accepted_countries",
                json!({"type": "enable_only", "list": ["XX"]}),
            ),
            nested("maximum_amont", json!(100)),
            nested(
                "accepted_currencies",
                json!({"type": "enable_only", "lists": ["EUR"]}),
            ),
            nested("maximum_amount", json!("100")),
            nested("maximum_amount", json!(0)),
            nested("minimum_amount", json!(-1)),
        ];
        let seen: Vec<String> = table
            .into_iter()
            .map(|types| {
                let shown = types.to_string();
                let refusal = flatten(vec![item(PaymentMethod::Card, types)]).expect_err(&shown);
                format!("{shown}\n  -> {refusal}")
            })
            .collect();
        insta::assert_snapshot!(seen.join("\n"));
    }
}
