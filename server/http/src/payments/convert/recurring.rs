//! The instrument that a merchant charges without the payer, as requests name it.

use multirail_domain::payments::payment::RecurringInput;
use multirail_domain::payments::payment::recurring::{CardOfSeries, FoundMandate, FoundMethod};
use multirail_kernel::ids::ConnectorAccountId;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::card::{GivenCardDetails, Network};
use multirail_sdk::connector::{AccountMandate, ConnectorMandate};
use multirail_types as types;
use serde::Deserialize;
use serde_json::Value;

const DATA: &str = "recurring_details.data";

/// Reads `recurring_details`, whose `data` has a form for each `type`.
///
/// # Errors
/// Data in another form, or a type that isn't built.
pub fn recurring(details: types::RecurringDetails) -> Result<RecurringInput, Refusal> {
    let types::RecurringDetails { type_, data } = details;
    let data = data.into_exposed();
    match type_ {
        types::RecurringDetailsKind::MandateId => match data {
            Value::String(id) => Ok(mandate(id)),
            _ => Err(malformed("has to be the id of a mandate")),
        },
        types::RecurringDetailsKind::PaymentMethodId => match data {
            Value::String(id) => Ok(RecurringInput::Method {
                id,
                found: FoundMethod::default(),
            }),
            _ => Err(malformed("has to be the id of a saved payment method")),
        },
        types::RecurringDetailsKind::NetworkTransactionIdAndCardDetails => card(data),
        types::RecurringDetailsKind::ProcessorPaymentToken => processor_token(data),
        types::RecurringDetailsKind::Unknown(kind) => Err(Refusal::FlowNotSupported {
            flow: format!("recurring_details of the type {kind}"),
        }),
    }
}

/// A processor's token, and the account for the charge.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProcessorToken {
    processor_payment_token: types::Secret,
    merchant_connector_id: String,
    connector_customer_id: Option<String>,
}

fn processor_token(data: Value) -> Result<RecurringInput, Refusal> {
    let said: Result<ProcessorToken, _> = serde_json::from_value(data);
    let said = said.map_err(|_| {
        malformed(
            "has to have processor_payment_token and merchant_connector_id, and beside them nothing but connector_customer_id, each \
             a text",
        )
    })?;
    let id = |member: &str, text: &str| {
        let is_one = (1..=LONGEST_TEXT).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_graphic());
        let refusal = || Refusal::Malformed {
            member: format!("{DATA}.{member}"),
            why: format!("has to be 1 to {LONGEST_TEXT} characters that print, without spaces"),
        };
        is_one.then(|| text.to_owned()).ok_or_else(refusal)
    };
    let account = ConnectorAccountId::parse(&said.merchant_connector_id);
    let account = account
        .map_err(|invalid| invalid.refusal("recurring_details.data.merchant_connector_id"))?;
    let customer = said.connector_customer_id.as_deref();
    Ok(RecurringInput::ProcessorToken(Box::new(AccountMandate {
        merchant_connector_id: account,
        mandate: ConnectorMandate {
            connector_mandate_id: id(
                "processor_payment_token",
                said.processor_payment_token.expose(),
            )?,
            connector_customer_id: customer
                .map(|text| id("connector_customer_id", text))
                .transpose()?,
            unread: UnreadMembers::default(),
        },
        unread: UnreadMembers::default(),
    })))
}

/// Returns the charged instrument of a request that may also have a `mandate_id`. An empty one counts as absent.
///
/// # Errors
/// Both members, with different mandates.
pub fn or_mandate(
    recurring: Option<RecurringInput>,
    mandate_id: Option<String>,
) -> Result<Option<RecurringInput>, Refusal> {
    let Some(id) = mandate_id.filter(|id| !id.is_empty()) else {
        return Ok(recurring);
    };
    match recurring {
        None => Ok(Some(mandate(id))),
        Some(RecurringInput::Mandate { id: same, .. }) if same == id => Ok(Some(mandate(id))),
        Some(_) => Err(Refusal::invalid_value(
            "mandate_id and recurring_details can't both say what is charged",
        )),
    }
}

fn mandate(id: String) -> RecurringInput {
    RecurringInput::Mandate {
        id,
        found: FoundMandate::default(),
        method: FoundMethod::default(),
    }
}

/// A card with the scheme's reference of its first payment.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Card {
    card_number: types::Secret,
    card_exp_month: String,
    card_exp_year: String,
    network_transaction_id: String,
    card_holder_name: Option<String>,
    card_issuer: Option<String>,
    card_network: Option<String>,
    card_type: Option<String>,
    card_issuing_country: Option<String>,
    bank_code: Option<String>,
    nick_name: Option<String>,
}

/// The longest text that is stored of such a card.
const LONGEST_TEXT: usize = 255;

fn card(data: Value) -> Result<RecurringInput, Refusal> {
    if !data.is_object() {
        return Err(malformed("has to be an object"));
    }
    // The error doesn't repeat the data: a card's number may stand in the wrong member.
    let card: Card = serde_json::from_value(data).map_err(|_| {
        malformed(
            "has to have card_number, card_exp_month, card_exp_year and network_transaction_id, and beside them nothing but \
             card_holder_name, card_issuer, card_network, card_type, card_issuing_country, bank_code and nick_name, each a text",
        )
    })?;
    let texts = [
        ("card_holder_name", &card.card_holder_name),
        ("card_issuer", &card.card_issuer),
        ("card_type", &card.card_type),
        ("card_issuing_country", &card.card_issuing_country),
        ("bank_code", &card.bank_code),
        ("nick_name", &card.nick_name),
    ];
    let is_too_long = |text: &str| text.chars().count() > LONGEST_TEXT;
    if let Some((member, _)) = texts
        .into_iter()
        .find(|(_, text)| text.as_deref().is_some_and(is_too_long))
    {
        return Err(Refusal::Malformed {
            member: format!("{DATA}.{member}"),
            why: format!("is longer than {LONGEST_TEXT} characters"),
        });
    }
    // The document gives `data` no type, so the frame doesn't fold the case of its words.
    let network = card.card_network.map(|word| {
        let mut all = Network::ALL.iter().copied();
        let named = all.find(|known| known.as_str().eq_ignore_ascii_case(&word));
        named.ok_or_else(|| Refusal::Malformed {
            member: format!("{DATA}.card_network"),
            why: "is not a card network of this service".to_owned(),
        })
    });
    Ok(RecurringInput::Card(Box::new(CardOfSeries {
        number: SecretText::new(card.card_number.expose()),
        exp_month: card.card_exp_month,
        exp_year: card.card_exp_year,
        given: GivenCardDetails {
            holder_name: card.card_holder_name,
            network: network.transpose()?,
            issuer: card.card_issuer,
            issuing_country: card.card_issuing_country,
            card_type: card.card_type,
            bank_code: card.bank_code,
            nick_name: card.nick_name,
        },
        network_transaction_id: card.network_transaction_id,
    })))
}

fn malformed(why: &str) -> Refusal {
    Refusal::Malformed {
        member: DATA.to_owned(),
        why: why.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn network(word: &str) -> Result<Option<Network>, Refusal> {
        let data = json!({
            "card_number": "4242424242424242", "card_exp_month": "10", "card_exp_year": "35",
            "network_transaction_id": "123456789012345", "card_network": word,
        });
        match card(data)? {
            RecurringInput::Card(card) => Ok(card.given.network),
            other => panic!("no card: {other:?}"),
        }
    }

    #[test]
    fn the_network_of_a_card_may_be_written_in_any_case() {
        for word in ["Visa", "VISA", "visa", "vIsA"] {
            assert_eq!(network(word), Ok(Some(Network::Visa)), "{word}");
        }
        let refused = network("visum").expect_err("no network");
        assert!(refused.to_string().contains("card_network"), "{refused}");
    }
}
