//! Create, update and confirm share their members; here they become one [`Changes`].

use multirail_domain::card::GivenCardDetails;
use multirail_domain::ids::{CustomerId, ProfileId};
use multirail_domain::payment::instrument::CardInput;
use multirail_domain::payment::{Changes, Flow, InstrumentInput};
use multirail_domain::refusal::Refusal;
use multirail_domain::routing::StraightThrough;
use multirail_domain::secret::SecretText;
use multirail_types as types;
use serde_json::{Map, Value};

use super::{connector_account, members, take};
use crate::app::payments::{CallCredentials, GivenCredentials};

/// Where credentials that are brought along stand in a request.
const ENCODED: &str = "merchant_connector_details.encoded_data";

/// A request, taken apart.
#[derive(Debug)]
pub struct Given {
    pub payment_id: Option<String>,
    pub merchant_id: Option<String>,
    pub profile_id: Option<ProfileId>,
    pub confirm: bool,
    pub changes: Changes,
    pub credentials: CallCredentials,
}

/// What may hold secrets is taken out of the typed request first; the rest is read by name.
macro_rules! taken_apart {
    ($request:ident) => {{
        let mut request = $request;
        let secrets = Secrets {
            data: request.payment_method_data.take(),
            has_recurring_details: request.recurring_details.take().is_some(),
            connector_details: request.merchant_connector_details.take(),
        };
        request.card_cvc = None;
        secrets.read(members(&request))
    }};
}

/// Reads a create.
///
/// # Errors
/// Members that the schema can't judge, such as ids and routings.
pub fn create(request: types::PaymentCreateRequest) -> Result<Given, Refusal> {
    taken_apart!(request)
}

/// Reads an update.
///
/// # Errors
/// As [`create`], and a `payment_id` that is not the path's.
pub fn update(request: types::PaymentUpdateRequest, path_id: &str) -> Result<Given, Refusal> {
    of_path(taken_apart!(request)?, path_id)
}

/// Reads a confirm.
///
/// # Errors
/// As [`update`].
pub fn confirm(request: types::PaymentConfirmRequest, path_id: &str) -> Result<Given, Refusal> {
    of_path(taken_apart!(request)?, path_id)
}

/// Reads `merchant_connector_details`.
///
/// # Errors
/// Details that bring no credentials: there is nothing stored under an identifier.
pub fn credentials(
    details: Option<types::MerchantConnectorDetails>,
) -> Result<CallCredentials, Refusal> {
    let Some(details) = details else {
        return Ok(CallCredentials(None));
    };
    let given = details
        .encoded_data
        .and_then(|data| data.connector_account_details)
        .filter(|given| !given.is_empty())
        .ok_or_else(|| {
            Refusal::invalid_value(format!(
                "{ENCODED}.connector_account_details is needed: none are stored under an identifier"
            ))
        })?;
    let credentials = serde_json::from_value(Value::Object(given))
        .map_err(|_| {
            Refusal::invalid_value(format!(
                "{ENCODED}.connector_account_details is not in the form of a connector account's"
            ))
        })
        .and_then(connector_account::brought_credentials)
        .map_err(inside_encoded_data)?;
    Ok(CallCredentials(Some(GivenCredentials {
        identifier: details.creds_identifier,
        credentials: credentials.to_json(),
    })))
}

/// What is wrong with credentials, by the full path of the member.
fn inside_encoded_data(mut refusal: Refusal) -> Refusal {
    if let Refusal::InvalidFormat { member, .. } | Refusal::Malformed { member, .. } = &mut refusal
    {
        member.insert_str(0, &format!("{ENCODED}."));
    }
    refusal
}

fn of_path(given: Given, path_id: &str) -> Result<Given, Refusal> {
    match &given.payment_id {
        Some(named) if named != path_id => Err(Refusal::invalid_value(
            "payment_id of the body is not the payment of the path",
        )),
        Some(_) | None => Ok(given),
    }
}

struct Secrets {
    data: Option<types::PaymentMethodDataRequest>,
    has_recurring_details: bool,
    connector_details: Option<types::MerchantConnectorDetails>,
}

impl Secrets {
    fn read(self, mut members: Map<String, Value>) -> Result<Given, Refusal> {
        let flows = flows(&mut members, self.has_recurring_details);
        let credentials = credentials(self.connector_details)?;
        let changes = Changes {
            amount: take(&mut members, "amount"),
            currency: take(&mut members, "currency"),
            shipping_cost: take(&mut members, "shipping_cost"),
            order_tax_amount: take(&mut members, "order_tax_amount"),
            amount_to_capture: take(&mut members, "amount_to_capture"),
            capture_method: take(&mut members, "capture_method"),
            authentication_type: take(&mut members, "authentication_type"),
            customer_id: id(take(&mut members, "customer_id"), "customer_id")?,
            customer_object_id: id(
                members
                    .get("customer")
                    .and_then(|customer| customer.get("id"))
                    .and_then(Value::as_str)
                    .map(str::to_owned),
                "customer.id",
            )?,
            return_url: return_url(take(&mut members, "return_url"))?,
            setup_future_usage: take(&mut members, "setup_future_usage"),
            enable_partial_authorization: take(&mut members, "enable_partial_authorization"),
            enable_overcapture: take(&mut members, "enable_overcapture"),
            session_expiry_seconds: take(&mut members, "session_expiry"),
            routing: routing(&mut members)?,
            instrument: instrument(self.data, &mut members),
            creds_identifier: credentials.0.as_ref().map(|given| given.identifier.clone()),
            flows,
            notes: Map::new(),
        };
        let payment_id = take(&mut members, "payment_id");
        let merchant_id = take(&mut members, "merchant_id");
        let profile_id: Option<String> = take(&mut members, "profile_id");
        let confirm = take(&mut members, "confirm").unwrap_or(false);
        for spent in ["client_secret", "retry_action", "all_keys_required"] {
            members.remove(spent);
        }
        Ok(Given {
            payment_id,
            merchant_id,
            profile_id: profile_id
                .map(|given| {
                    ProfileId::parse(&given).map_err(|_| {
                        Refusal::not_found(multirail_domain::refusal::Object::BusinessProfile)
                    })
                })
                .transpose()?,
            confirm,
            changes: Changes {
                notes: members,
                ..changes
            },
            credentials,
        })
    }
}

/// Which capabilities were asked for that aren't built. What only describes them stays a note.
fn flows(members: &mut Map<String, Value>, has_recurring_details: bool) -> Vec<Flow> {
    let mut flows = Vec::new();
    let given = |name: &str, members: &mut Map<String, Value>| members.remove(name).is_some();
    let is_true = |name: &str, members: &Map<String, Value>| {
        members.get(name).and_then(Value::as_bool) == Some(true)
    };
    if given("surcharge_details", members) {
        flows.push(Flow::SurchargeDetails);
    }
    if given("split_payments", members) {
        flows.push(Flow::SplitPayments);
    }
    if given("mandate_data", members) {
        flows.push(Flow::MandateData);
    }
    if given("mandate_id", members) {
        flows.push(Flow::MandateId);
    }
    if has_recurring_details {
        flows.push(Flow::RecurringDetails);
    }
    if given("ctp_service_details", members) {
        flows.push(Flow::CtpServiceDetails);
    }
    if is_true("payment_link", members) {
        flows.push(Flow::PaymentLink);
    }
    if is_true("request_external_three_ds_authentication", members) {
        flows.push(Flow::ExternalThreeDsAuthentication);
    }
    let payment_type = members.get("payment_type").and_then(Value::as_str);
    if payment_type.is_some_and(|kind| kind != "normal") {
        flows.push(Flow::PaymentType);
    }
    flows
}

fn routing(members: &mut Map<String, Value>) -> Result<Option<StraightThrough>, Refusal> {
    let names: Vec<String> = take(members, "connector").unwrap_or_default();
    match members.remove("routing") {
        Some(routing) => StraightThrough::parse(&routing).map(Some),
        None => Ok(StraightThrough::from_names(names)),
    }
}

fn return_url(given: Option<String>) -> Result<Option<String>, Refusal> {
    let is_web_address = |text: &str| {
        url::Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
    };
    match given {
        Some(text) if !is_web_address(&text) => Err(Refusal::invalid_format(
            "return_url",
            "an absolute http or https address",
        )),
        given => Ok(given),
    }
}

fn id(given: Option<String>, member: &str) -> Result<Option<CustomerId>, Refusal> {
    given
        .map(|text| CustomerId::parse(&text).map_err(|invalid| invalid.refusal(member)))
        .transpose()
}

fn instrument(
    data: Option<types::PaymentMethodDataRequest>,
    members: &mut Map<String, Value>,
) -> InstrumentInput {
    let mut input = InstrumentInput {
        payment_method: take(members, "payment_method"),
        payment_method_type: take(members, "payment_method_type"),
        has_token: members.remove("payment_token").is_some(),
        ..InstrumentInput::default()
    };
    let Some(data) = data else {
        return input;
    };
    // The families besides cards, each by the payment_method word that it belongs to.
    let others = [
        ("card", data.card_token.is_some()),
        ("card_redirect", data.card_redirect.is_some()),
        ("wallet", data.wallet.is_some()),
        ("pay_later", data.pay_later.is_some()),
        ("bank_redirect", data.bank_redirect.is_some()),
        ("bank_debit", data.bank_debit.is_some()),
        ("bank_transfer", data.bank_transfer.is_some()),
        ("real_time_payment", data.real_time_payment.is_some()),
        ("crypto", data.crypto.is_some()),
        ("upi", data.upi.is_some()),
        ("voucher", data.voucher.is_some()),
        ("gift_card", data.gift_card.is_some()),
        ("open_banking", data.open_banking.is_some()),
        ("mobile_payment", data.mobile_payment.is_some()),
        ("mandate_payment", data.mandate_payment.is_some()),
        ("reward", data.reward.is_some()),
    ];
    let given = others.into_iter().filter(|(_, given)| *given);
    input.other_families = given.map(|(family, _)| family).collect();
    input.billing = data
        .billing
        .and_then(|billing| serde_json::to_value(billing).ok());
    input.card = data.card.map(card);
    input
}

fn card(card: types::CardRequest) -> CardInput {
    CardInput {
        number: SecretText::new(card.card_number.expose()),
        exp_month: card.card_exp_month,
        exp_year: card.card_exp_year,
        code: SecretText::new(card.card_cvc.expose()),
        given: GivenCardDetails {
            holder_name: card.card_holder_name,
            network: card
                .card_network
                .and_then(|word| word.as_str().parse().ok()),
            issuer: card.card_issuer,
            issuing_country: card.card_issuing_country,
            card_type: card.card_type,
            nick_name: card.nick_name,
            bank_code: card.bank_code,
        },
    }
}
