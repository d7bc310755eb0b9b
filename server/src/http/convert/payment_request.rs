//! Create, update and confirm share their members; here they become one [`Changes`].

use multirail_app::payments::{CallCredentials, GivenCredentials};
use multirail_domain::address::Address;
use multirail_domain::card::GivenCardDetails;
use multirail_domain::ids::{CustomerId, ProfileId};
use multirail_domain::payment::instrument::CardInput;
use multirail_domain::payment::particulars::DeviceDataCollected;
use multirail_domain::payment::{
    Changes, Flow, InstrumentInput, Particulars, RecurringInput, Surcharge, TokenInput,
};
use multirail_domain::refusal::Refusal;
use multirail_domain::routing::StraightThrough;
use multirail_domain::secret::SecretText;
use multirail_domain::web_address::app_scheme;
use multirail_types as types;
use serde_json::{Map, Value};

use super::particulars::{maybe_address, maybe_word, particulars};
use super::{connector_account, mandate, members, payment_link, recurring, take, wallet};

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

/// What may hold secrets and what rules and connectors read is taken out of the typed request first; the rest is read by
/// name.
macro_rules! taken_apart {
    ($request:ident) => {{
        let mut request = $request;
        let link = payment_link::input(request.payment_link_config.take())?;
        let mut particulars = Particulars {
            link_config: link.config,
            ..particulars!(request)
        };
        let asked = mandate::request(request.mandate_data.take(), &mut particulars.consent)?;
        particulars.mandate = asked;
        let typed = Typed {
            particulars,
            link_flows: link.flows,
            data: request.payment_method_data.take(),
            recurring: request
                .recurring_details
                .take()
                .map(recurring::recurring)
                .transpose()?,
            token_code: request.card_cvc.take(),
            connector_details: request.merchant_connector_details.take(),
        };
        typed.read(members(&*request))
    }};
}

/// Reads a create.
///
/// # Errors
/// Members that the schema can't judge, such as ids and routings.
pub fn create(mut request: Box<types::PaymentCreateRequest>) -> Result<Given, Refusal> {
    if request.client_secret.is_some() {
        return Err(Refusal::invalid_value(
            "client_secret isn't accepted here: the service makes it and answers it",
        ));
    }
    let country = request.business_country.take();
    let label = request.business_label.take();
    let mut given = taken_apart!(request)?;
    given.changes.particulars.business_country = maybe_word(country, "business_country")?;
    given.changes.particulars.business_label = label;
    Ok(given)
}

/// Reads an update.
///
/// # Errors
/// As [`create`], and a `payment_id` that is not the path's.
pub fn update(request: Box<types::PaymentUpdateRequest>, path_id: &str) -> Result<Given, Refusal> {
    of_path(taken_apart!(request)?, path_id)
}

/// Reads a confirm.
///
/// # Errors
/// As [`update`].
pub fn confirm(
    request: Box<types::PaymentConfirmRequest>,
    path_id: &str,
) -> Result<Given, Refusal> {
    of_path(taken_apart!(request)?, path_id)
}

/// Reads what the payer's side says of the data of his device, and where the goods go.
///
/// # Errors
/// An address with a member that has not its form.
pub fn complete(
    request: types::PaymentCompleteAuthorizeRequest,
) -> Result<(Option<DeviceDataCollected>, Option<Address>), Refusal> {
    let collected = maybe_word(request.threeds_method_comp_ind, "threeds_method_comp_ind")?;
    let shipping = maybe_address(request.shipping, "shipping")?;
    Ok((collected, shipping.map(|address| *address)))
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

/// Reads `merchant_connector_details` where settings may come without credentials: each takes the place of an account's.
///
/// # Errors
/// Credentials that can't be read.
pub fn brought(
    details: Option<types::MerchantConnectorDetails>,
) -> Result<(CallCredentials, Option<Map<String, Value>>), Refusal> {
    let Some(mut details) = details else {
        return Ok((CallCredentials(None), None));
    };
    let data = details.encoded_data.as_mut();
    let metadata = data.and_then(|data| data.metadata.take());
    let data = details.encoded_data.as_ref();
    let given = data.and_then(|data| data.connector_account_details.as_ref());
    if metadata.is_some() && given.is_none() {
        return Ok((CallCredentials(None), metadata));
    }
    Ok((credentials(Some(details))?, metadata))
}

/// What is wrong with credentials, by the full path of the member.
fn inside_encoded_data(mut refusal: Refusal) -> Refusal {
    if let Refusal::InvalidFormat { member, .. } | Refusal::Malformed { member, .. } = &mut refusal
    {
        member.insert_str(0, &format!("{ENCODED}."));
    }
    refusal
}

/// A payment that exists is named by the path, and its profile is its own.
fn of_path(mut given: Given, path_id: &str) -> Result<Given, Refusal> {
    if given
        .payment_id
        .as_deref()
        .is_some_and(|named| named != path_id)
    {
        return Err(Refusal::invalid_value(
            "payment_id of the body is not the payment of the path",
        ));
    }
    given.changes.profile_id = given.profile_id.take();
    Ok(given)
}

/// What is taken out of a request before its members are read by name.
struct Typed {
    particulars: Particulars,
    /// What the look of the hosted page asks for that isn't built.
    link_flows: Vec<Flow>,
    data: Option<Box<types::PaymentMethodDataRequest>>,
    recurring: Option<RecurringInput>,
    token_code: Option<types::Secret>,
    connector_details: Option<types::MerchantConnectorDetails>,
}

impl Typed {
    fn read(self, mut members: Map<String, Value>) -> Result<Given, Refusal> {
        let mut flows = flows(&members);
        flows.extend(self.link_flows);
        let credentials = credentials(self.connector_details)?;
        let changes = Changes {
            profile_id: None,
            amount: take(&mut members, "amount"),
            currency: take(&mut members, "currency"),
            shipping_cost: take(&mut members, "shipping_cost"),
            order_tax_amount: take(&mut members, "order_tax_amount"),
            surcharge: surcharge(&mut members),
            amount_to_capture: take(&mut members, "amount_to_capture"),
            capture_method: take(&mut members, "capture_method"),
            authentication_type: take(&mut members, "authentication_type"),
            customer_id: id(take(&mut members, "customer_id"), "customer_id")?,
            return_url: return_url(take(&mut members, "return_url"))?,
            setup_future_usage: take(&mut members, "setup_future_usage"),
            enable_partial_authorization: take(&mut members, "enable_partial_authorization"),
            enable_overcapture: take(&mut members, "enable_overcapture"),
            session_expiry_seconds: take(&mut members, "session_expiry"),
            routing: routing(&mut members)?,
            instrument: InstrumentInput {
                recurring: recurring::or_mandate(self.recurring, take(&mut members, "mandate_id"))?,
                ..instrument(self.data, self.token_code, &mut members)?
            },
            creds_identifier: credentials.0.as_ref().map(|given| given.identifier.clone()),
            flows,
            retries: take::<String>(&mut members, "retry_action").as_deref()
                == Some("manual_retry"),
            ..Changes::default()
        };
        let payment_id = take(&mut members, "payment_id");
        let merchant_id = take(&mut members, "merchant_id");
        let profile_id: Option<String> = take(&mut members, "profile_id");
        let confirm = take(&mut members, "confirm").unwrap_or(false);
        for spent in ["client_secret", "all_keys_required"] {
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
                particulars: Particulars {
                    notes: members,
                    ..self.particulars
                },
                ..changes
            },
            credentials,
        })
    }
}

/// Members that ask for what isn't built, whatever they say but no.
const NOT_BUILT: [(&str, Flow); 7] = [
    (
        "skip_external_tax_calculation",
        Flow::SkipExternalTaxCalculation,
    ),
    (ALL_KEYS_REQUIRED, Flow::AllKeysRequired),
    ("split_payments", Flow::SplitPayments),
    ("ctp_service_details", Flow::CtpServiceDetails),
    ("payment_link_config_id", Flow::PaymentLinkConfigId),
    ("is_iframe_redirection_enabled", Flow::IframeRedirection),
    (
        "request_external_three_ds_authentication",
        Flow::ExternalThreeDsAuthentication,
    ),
];

/// Members with words of which some ask for what isn't built.
const WORDS_NOT_BUILT: [(&str, &[&str], Flow); 1] =
    [("retry_action", &["requeue"], Flow::RetryRequeue)];

const ALL_KEYS_REQUIRED: &str = "all_keys_required";

/// Refuses what an operation was asked to do and can't.
///
/// # Errors
/// [`Refusal::FlowNotSupported`] for the first member that is true.
pub fn refuse_asked(members: &[(&str, Option<bool>)]) -> Result<(), Refusal> {
    match members.iter().find(|(_, asked)| *asked == Some(true)) {
        Some((member, _)) => Err(Refusal::FlowNotSupported {
            flow: (*member).to_owned(),
        }),
        None => Ok(()),
    }
}

/// Which capabilities were asked for that aren't built.
fn flows(members: &Map<String, Value>) -> Vec<Flow> {
    let asked = NOT_BUILT
        .into_iter()
        .filter(|(member, _)| members.get(*member).is_some_and(asks))
        .map(|(_, flow)| flow);
    let worded = WORDS_NOT_BUILT
        .into_iter()
        .filter(|(member, words, _)| {
            let word = members.get(*member).and_then(Value::as_str);
            word.is_some_and(|word| words.contains(&word))
        })
        .map(|(_, _, flow)| flow);
    asked.chain(worded).collect()
}

/// Many programs send every member that they know: false and what is empty ask for nothing.
pub(super) fn asks(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(given) => *given,
        Value::Number(_) => true,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => members.values().any(|value| !value.is_null()),
    }
}

/// `surcharge_details`.
fn surcharge(members: &mut Map<String, Value>) -> Option<Surcharge> {
    let details = members.remove("surcharge_details")?;
    let amount = |member: &str| details.get(member).and_then(Value::as_i64);
    Some(Surcharge {
        amount: amount("surcharge_amount")?,
        tax_amount: amount("tax_amount"),
    })
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
        Some(text) if !is_web_address(&text) && app_scheme(&text).is_none() => {
            Err(Refusal::invalid_format(
                "return_url",
                "an absolute http or https address, or one with a scheme of the profile's return_url_schemes",
            ))
        }
        given => Ok(given),
    }
}

fn id(given: Option<String>, member: &str) -> Result<Option<CustomerId>, Refusal> {
    given
        .map(|text| CustomerId::parse(&text).map_err(|invalid| invalid.refusal(member)))
        .transpose()
}

fn instrument(
    data: Option<Box<types::PaymentMethodDataRequest>>,
    token_code: Option<types::Secret>,
    members: &mut Map<String, Value>,
) -> Result<InstrumentInput, Refusal> {
    let token: Option<String> = take(members, "payment_token");
    let mut input = InstrumentInput {
        payment_method: take(members, "payment_method"),
        payment_method_type: take(members, "payment_method_type"),
        token: token.map(|token| TokenInput {
            text: SecretText::new(token),
            found: None,
            code_was_given: false,
        }),
        token_code: token_code.map(|code| SecretText::new(code.expose())),
        ..InstrumentInput::default()
    };
    let Some(data) = data else {
        return Ok(input);
    };
    if let Some(more) = data.card_token {
        let code = more.card_cvc.map(|code| SecretText::new(code.expose()));
        if code.is_some() && input.token_code.is_some() && code != input.token_code {
            return Err(Refusal::invalid_value(
                "card_cvc and payment_method_data.card_token.card_cvc differ",
            ));
        }
        input.token_code = input.token_code.or(code);
        // What it says belongs to a token, also where it says nothing.
        input.token_holder_name = Some(more.card_holder_name.unwrap_or_default());
    }
    // The families besides cards, each by the payment_method word that it belongs to.
    let others = [
        ("card_redirect", data.card_redirect.is_some()),
        (
            "wallet",
            data.wallet.as_deref().is_some_and(wallet::is_another),
        ),
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
    input.wallet_is_empty = data.wallet.as_deref().is_some_and(wallet::is_nothing);
    let given = others.into_iter().filter(|(_, given)| *given);
    input.other_families = given.map(|(family, _)| family).collect();
    input.billing = maybe_address(data.billing, "payment_method_data.billing")?;
    input.card = data.card.map(card);
    input.wallet = data
        .wallet
        .map(|wallet| wallet::input(*wallet))
        .transpose()?
        .flatten()
        .map(Box::new);
    input.network_token = data.network_token.map(wallet::network_token).map(Box::new);
    Ok(input)
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
