//! Requests that create, update and confirm payments. They share members, which become one [`Changes`].

use multirail_app::payments::{CallCredentials, GivenCredentials};
use multirail_domain::payments::payment::{Changes, Flow, InstrumentInput, Surcharge};
use multirail_domain::routing::StraightThrough;
use multirail_kernel::address::Address;
use multirail_kernel::ids::{CustomerId, ProfileId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::web_address::app_scheme;
use multirail_sdk::charge::DeviceDataCollected;
use multirail_types as types;
use serde_json::{Map, Value};

use super::particulars::particulars;
use super::payment_instrument::instrument;
use super::payment_members::{Asked, Notes, Own, Terms, of_confirm, of_create, of_update};
use super::{mandate_request, recurring};
use crate::accounts::convert::{connector_account, payment_link};
use crate::platform::convert::address::maybe_address;
use crate::platform::convert::words::maybe_word;
use crate::platform::convert::{asks, noted, take_apart};
use crate::routing::convert::straight_through;

/// The member of a caller's own credentials.
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

/// Converts a request to create a payment.
///
/// # Errors
/// Members that the schema can't check, such as ids and routings.
pub fn create(request: Box<types::PaymentCreateRequest>) -> Result<Given, Refusal> {
    let (asked, own) = of_create(*request);
    if asked.terms.client_secret.is_some() {
        return Err(Refusal::invalid_value(
            "client_secret isn't accepted here: the service makes it and answers it",
        ));
    }
    read(asked, own)
}

/// Converts the members with which a user creates a payment.
///
/// # Errors
/// As [`create`].
pub fn create_by_user(members: Box<types::PaymentUpdateRequest>) -> Result<Given, Refusal> {
    let (asked, own) = of_update(*members);
    read(asked, own)
}

/// Converts a request to update a payment.
///
/// # Errors
/// As [`create`], and a `payment_id` that is not the path's.
pub fn update(request: Box<types::PaymentUpdateRequest>, path_id: &str) -> Result<Given, Refusal> {
    let (asked, own) = of_update(*request);
    of_path(read(asked, own)?, path_id)
}

/// Converts a request to confirm a payment.
///
/// # Errors
/// As [`update`].
pub fn confirm(
    request: Box<types::PaymentConfirmRequest>,
    path_id: &str,
) -> Result<Given, Refusal> {
    let (asked, own) = of_confirm(*request);
    of_path(read(asked, own)?, path_id)
}

/// Reads the report on the payer's device data, and the shipping address.
///
/// # Errors
/// An address with an invalid member.
pub fn complete(
    request: types::PaymentCompleteAuthorizeRequest,
) -> Result<(Option<DeviceDataCollected>, Option<Address>), Refusal> {
    let types::PaymentCompleteAuthorizeRequest {
        // The frame has checked the client secret.
        client_secret: _,
        threeds_method_comp_ind,
        shipping,
    } = request;
    let collected = maybe_word(threeds_method_comp_ind, "threeds_method_comp_ind")?;
    let shipping = maybe_address(shipping, "shipping")?;
    Ok((collected, shipping.map(|address| *address)))
}

/// Reads `merchant_connector_details`.
///
/// # Errors
/// Details without credentials: no credentials are stored under an identifier.
pub fn credentials(
    details: Option<types::MerchantConnectorDetails>,
) -> Result<CallCredentials, Refusal> {
    let Some(types::MerchantConnectorDetails {
        creds_identifier,
        encoded_data,
    }) = details
    else {
        return Ok(CallCredentials(None));
    };
    let given = encoded_data
        .and_then(|data| {
            let types::MerchantConnectorCredentials {
                connector_account_details,
                // Only session tokens read it, in `brought`.
                metadata: _,
            } = data;
            connector_account_details
        })
        .filter(|given| !given.is_empty())
        .ok_or_else(|| {
            Refusal::invalid_value(format!(
                "{ENCODED}.connector_account_details is required: this server stores no credentials under an identifier"
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
        identifier: creds_identifier,
        credentials: credentials.to_json(),
    })))
}

/// Reads `merchant_connector_details` where settings may come without credentials. Both replace those of accounts.
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

/// Returns the refusal of credentials, with the full path of the member.
fn inside_encoded_data(mut refusal: Refusal) -> Refusal {
    if let Refusal::InvalidFormat { member, .. } | Refusal::Malformed { member, .. } = &mut refusal
    {
        member.insert_str(0, &format!("{ENCODED}."));
    }
    refusal
}

/// Checks an update or a confirm: the path names the payment, and the payment names its profile.
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

fn read(asked: Asked, own: Own) -> Result<Given, Refusal> {
    let Asked {
        terms,
        particulars: said,
        instrument: pays,
        notes,
    } = asked;
    let Terms {
        amount,
        currency,
        amount_to_capture,
        shipping_cost,
        order_tax_amount,
        surcharge_details,
        payment_id,
        profile_id,
        confirm,
        capture_method,
        authentication_type,
        return_url,
        session_expiry,
        retry_action,
        enable_partial_authorization,
        enable_overcapture,
        customer_id,
        setup_future_usage,
        recurring_details,
        routing,
        connector,
        merchant_connector_details,
        all_keys_required,
        mandate_data,
        payment_link_config,
        // Creates refuse it; for other requests authentication has read it.
        client_secret: _,
    } = terms;
    let Own {
        merchant_id,
        business_country,
        business_label,
        business_sub_label,
        mandate_id,
    } = own;
    let link = payment_link::input(payment_link_config)?;
    let (mut particulars, mut payer) = particulars(said)?;
    let has_consent = payer.consent.is_some();
    particulars.mandate = mandate_request::request(mandate_data, &mut payer.consent)?;
    particulars.link_config = link.config;
    let recurring = recurring_details.map(recurring::recurring).transpose()?;
    let flows = flows(&notes, all_keys_required, retry_action.as_ref());
    let credentials = credentials(merchant_connector_details)?;
    let changes = Changes {
        amount,
        currency: maybe_word(currency, "currency")?,
        shipping_cost,
        order_tax_amount,
        surcharge: surcharge_details.map(surcharge),
        amount_to_capture,
        capture_method: maybe_word(capture_method, "capture_method")?,
        authentication_type: maybe_word(authentication_type, "authentication_type")?,
        customer_id: id(customer_id, "customer_id")?,
        return_url: self::return_url(return_url)?,
        setup_future_usage: maybe_word(setup_future_usage, "setup_future_usage")?,
        enable_partial_authorization,
        enable_overcapture,
        session_expiry_seconds: session_expiry.map(i64::from),
        routing: self::routing(routing, connector)?,
        instrument: InstrumentInput {
            recurring: recurring::or_mandate(recurring, mandate_id)?,
            ..instrument(pays)?
        },
        creds_identifier: credentials.0.as_ref().map(|given| given.identifier.clone()),
        flows,
        unbuilt_look: link.unbuilt,
        retries: retry_action == Some(types::RetryAction::ManualRetry),
        ..Changes::default()
    };
    let profile_id = profile_id.as_deref().map(ProfileId::parse).transpose();
    let profile_id = profile_id.map_err(|_| Refusal::not_found(Object::BusinessProfile))?;
    particulars.business_country = maybe_word(business_country, "business_country")?;
    particulars.business_label = business_label;
    particulars.notes = self::notes(notes, business_sub_label);
    Ok(Given {
        payment_id,
        merchant_id,
        profile_id,
        confirm: confirm.unwrap_or(false),
        changes: Changes {
            consent_in_mandate_data: !has_consent && payer.consent.is_some(),
            particulars,
            payer,
            ..changes
        },
        credentials,
    })
}

/// Returns the members that no rule reads, by their names on the wire.
fn notes(notes: Notes, business_sub_label: Option<String>) -> Map<String, Value> {
    let mut all = noted!(business_sub_label);
    take_apart!(notes: Notes {} noting others {
        skip_external_tax_calculation,
        metadata,
        request_external_three_ds_authentication,
        is_iframe_redirection_enabled,
        payment_type,
        payment_experience,
        ctp_service_details,
        tokenization,
        installment_options,
        feature_metadata,
        frm_metadata,
        split_payments,
        payment_link_config_id,
        three_ds_data,
        external_surcharge_strategy,
        partner_merchant_identifier_details,
        profile_acquirer_id,
    });
    all.extend(others);
    all
}

/// Returns the requested capabilities that aren't built. Many programs send every member that they know: `false` and
/// empty members ask for nothing.
fn flows(
    notes: &Notes,
    all_keys_required: Option<bool>,
    retry_action: Option<&types::RetryAction>,
) -> Vec<Flow> {
    let is_yes = |said: Option<bool>| said == Some(true);
    let details = notes.ctp_service_details.as_ref();
    let link = notes.payment_link_config_id.as_deref();
    let asked = [
        (
            is_yes(notes.skip_external_tax_calculation),
            Flow::SkipExternalTaxCalculation,
        ),
        (is_yes(all_keys_required), Flow::AllKeysRequired),
        (asks(notes.split_payments.as_ref()), Flow::SplitPayments),
        (
            details.is_some_and(|details| *details != types::ClickToPayDetails::default()),
            Flow::CtpServiceDetails,
        ),
        (
            link.is_some_and(|id| !id.is_empty()),
            Flow::PaymentLinkConfigId,
        ),
        (
            is_yes(notes.is_iframe_redirection_enabled),
            Flow::IframeRedirection,
        ),
        (
            is_yes(notes.request_external_three_ds_authentication),
            Flow::ExternalThreeDsAuthentication,
        ),
        (
            retry_action == Some(&types::RetryAction::Requeue),
            Flow::RetryRequeue,
        ),
    ];
    let asked = asked.into_iter().filter(|(is_asked, _)| *is_asked);
    asked.map(|(_, flow)| flow).collect()
}

fn surcharge(details: types::SurchargeDetails) -> Surcharge {
    let types::SurchargeDetails {
        surcharge_amount,
        tax_amount,
    } = details;
    Surcharge {
        amount: surcharge_amount,
        tax_amount,
    }
}

fn routing(
    routing: Option<types::RoutingRequest>,
    connectors: Option<Vec<types::ConnectorName>>,
) -> Result<Option<StraightThrough>, Refusal> {
    if let Some(routing) = routing {
        return straight_through(routing).map(Some);
    }
    let names = connectors.unwrap_or_default().into_iter();
    let names = names.map(|name| name.as_str().to_owned()).collect();
    Ok(StraightThrough::from_names(names))
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
