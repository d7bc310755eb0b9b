//! Business profiles, wire to domain and back. Members that no rule of ours reads become notes under their wire names.
//! Requests are destructured, so that the compiler finds new members of the document.

use std::collections::BTreeMap;

use multirail_app::accounts::ports::profiles::EndpointHealth;
use multirail_app::accounts::profile_view::ProfileView;
use multirail_domain::accounts::profile::{
    ExternalVault, ExternalVaultInput, Profile, ProfileInput,
};
use multirail_kernel::ids::ConnectorAccountId;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_types as types;

use super::{payment_link, webhook_details};
use crate::platform::convert::{note, take_apart};

/// Declares the reader of a request. Create and update have the same members.
macro_rules! reads {
    ($name:ident: $request:ident) => {
        /// Reads the request.
        ///
        /// # Errors
        ///
        /// A word that this version doesn't know.
        pub(crate) fn $name(wire: types::$request) -> Result<ProfileInput, Refusal> {
            take_apart!(wire: types::$request {
                profile_name,
                return_url,
                return_url_schemes,
                checkout_origins,
                enable_payment_response_hash,
                payment_response_hash_key,
                redirect_to_merchant_with_http_post,
                webhook_details,
                outgoing_webhook_custom_http_headers,
                session_expiry,
                intent_fulfillment_time,
                is_auto_retries_enabled,
                max_auto_retries_enabled,
                is_manual_retry_enabled,
                payment_link_config,
                is_external_vault_enabled,
                external_vault_connector_details,
                billing_processor_id,
            } noting notes {
                metadata,
                use_billing_as_payment_method_billing,
                collect_shipping_details_from_wallet_connector,
                collect_billing_details_from_wallet_connector,
                always_collect_shipping_details_from_wallet_connector,
                always_collect_billing_details_from_wallet_connector,
                is_connector_agnostic_mit_enabled,
                force_3ds_challenge,
                always_request_extended_authorization,
                always_enable_overcapture,
                merchant_business_country,
                merchant_category_code,
                applepay_verified_domains,
                routing_algorithm,
                frm_routing_algorithm,
                payout_routing_algorithm,
                payout_link_config,
                authentication_connector_details,
                authentication_product_ids,
                tax_connector_id,
                is_tax_connector_enabled,
                is_network_tokenization_enabled,
                is_pre_network_tokenization_enabled,
                is_clear_pan_retries_enabled,
                is_debit_routing_enabled,
                is_click_to_pay_enabled,
                is_iframe_redirection_enabled,
                card_testing_guard_config,
                merchant_country_code,
                dispute_polling_interval,
            });
            let billing = billing_processor_id.map(|id| {
                ConnectorAccountId::parse(&id).map_err(|invalid| invalid.refusal("billing_processor_id"))
            });
            let external_vault =
                external_vault(is_external_vault_enabled, external_vault_connector_details)?;
            Ok(ProfileInput {
                profile_name,
                return_url,
                return_url_schemes,
                checkout_origins,
                webhook: webhook_details.map(webhook_details::input).transpose()?,
                enable_payment_response_hash,
                payment_response_hash_key: payment_response_hash_key.map(SecretText::new),
                redirect_to_merchant_with_http_post,
                session_expiry: session_expiry.map(i64::from),
                intent_fulfillment_time: intent_fulfillment_time.map(i64::from),
                is_manual_retry_enabled,
                is_auto_retries_enabled,
                max_auto_retries_enabled: max_auto_retries_enabled.and_then(|most| most.try_into().ok()),
                payment_link_config: payment_link::looks(payment_link_config)?,
                external_vault,
                billing_processor_id: billing.transpose()?,
                custom_headers: outgoing_webhook_custom_http_headers.map(custom_headers),
                notes,
            })
        }
    };
}

reads!(create: BusinessProfileCreateRequest);
reads!(update: BusinessProfileUpdateRequest);

fn external_vault(
    enabled: Option<types::ExternalVaultEnabled>,
    details: Option<types::ExternalVaultConnectorDetails>,
) -> Result<ExternalVaultInput, Refusal> {
    let is_enabled = enabled.map(|word| word == types::ExternalVaultEnabled::Enable);
    let connector = details.map(|details| {
        let types::ExternalVaultConnectorDetails {
            vault_connector_id,
            vault_sdk,
        } = details;
        let id = ConnectorAccountId::parse(&vault_connector_id).map_err(|invalid| {
            invalid.refusal("external_vault_connector_details.vault_connector_id")
        })?;
        let sdk = vault_sdk.map(|sdk| sdk.as_str().to_owned());
        Ok::<_, Refusal>((id, sdk))
    });
    Ok(ExternalVaultInput {
        is_enabled,
        connector: connector.transpose()?,
    })
}

fn external_vault_details(vault: &ExternalVault) -> Option<types::ExternalVaultConnectorDetails> {
    Some(types::ExternalVaultConnectorDetails {
        vault_connector_id: vault.connector_id.as_ref()?.to_string(),
        vault_sdk: vault.sdk.as_deref().map(Into::into),
    })
}

fn custom_headers(headers: BTreeMap<String, types::Secret>) -> Vec<(String, SecretText)> {
    headers
        .into_iter()
        .map(|(name, value)| (name, SecretText::new(value.expose())))
        .collect()
}

/// Returns the profile's answer, with masked custom headers.
pub(crate) fn answer(view: &ProfileView) -> types::BusinessProfile {
    let profile = &view.profile;
    let notes = &profile.notes;
    let switch = |member| note(notes, member).unwrap_or(false);
    types::BusinessProfile {
        merchant_id: profile.merchant_id.to_string(),
        profile_id: profile.profile_id.to_string(),
        profile_name: profile.profile_name.clone(),
        return_url: profile.return_url.clone(),
        return_url_schemes: Some(profile.return_url_schemes.clone()),
        checkout_origins: Some(profile.checkout_origins.clone()),
        enable_payment_response_hash: profile.enable_payment_response_hash,
        payment_response_hash_key: profile.payment_response_hash_key().expose().to_owned(),
        redirect_to_merchant_with_http_post: profile.redirect_to_merchant_with_http_post,
        webhook_details: profile.webhook.as_ref().map(webhook_details::answer),
        outgoing_webhook_custom_http_headers: masked_headers(profile),
        metadata: note(notes, "metadata"),
        payment_link_config: profile
            .payment_link_config
            .as_deref()
            .map(payment_link::answer),
        session_expiry: seconds(profile.session_expiry_seconds),
        intent_fulfillment_time: seconds(profile.intent_fulfillment_seconds),
        use_billing_as_payment_method_billing: switch("use_billing_as_payment_method_billing"),
        collect_shipping_details_from_wallet_connector: switch(
            "collect_shipping_details_from_wallet_connector",
        ),
        collect_billing_details_from_wallet_connector: switch(
            "collect_billing_details_from_wallet_connector",
        ),
        always_collect_shipping_details_from_wallet_connector: switch(
            "always_collect_shipping_details_from_wallet_connector",
        ),
        always_collect_billing_details_from_wallet_connector: switch(
            "always_collect_billing_details_from_wallet_connector",
        ),
        is_connector_agnostic_mit_enabled: switch("is_connector_agnostic_mit_enabled"),
        is_manual_retry_enabled: profile.is_manual_retry_enabled,
        is_auto_retries_enabled: profile.is_auto_retries_enabled,
        max_auto_retries_enabled: profile.max_auto_retries_enabled.map(|times| times as i32),
        is_click_to_pay_enabled: switch("is_click_to_pay_enabled"),
        is_external_vault_enabled: profile.external_vault.as_ref().map(|vault| {
            if vault.is_enabled {
                types::ExternalVaultEnabled::Enable
            } else {
                types::ExternalVaultEnabled::Skip
            }
        }),
        billing_processor_id: profile
            .billing_processor_id
            .as_ref()
            .map(ToString::to_string),
        external_vault_connector_details: profile
            .external_vault
            .as_deref()
            .and_then(external_vault_details),
        force_3ds_challenge: switch("force_3ds_challenge"),
        always_request_extended_authorization: note(notes, "always_request_extended_authorization"),
        always_enable_overcapture: note(notes, "always_enable_overcapture"),
        merchant_business_country: note(notes, "merchant_business_country"),
        merchant_category_code: note(notes, "merchant_category_code"),
        applepay_verified_domains: note(notes, "applepay_verified_domains"),
        webhook_secrets: webhook_secrets(profile),
        webhook_delivery: webhook_delivery(view.delivery),
    }
}

fn webhook_secrets(profile: &Profile) -> Vec<types::WebhookSecret> {
    let secrets = profile.secrets.webhook_secrets.iter();
    let answers = secrets.map(|secret| types::WebhookSecret {
        secret: secret.secret.expose().to_owned(),
        created: secret.created_at.to_datetime(),
        expires: secret.expires_at.map(Timestamp::to_datetime),
    });
    answers.collect()
}

/// Returns the health of an endpoint.
pub(crate) fn webhook_delivery(health: EndpointHealth) -> types::WebhookDeliveryHealth {
    let state = match (health.paused_at, health.failing_since) {
        (Some(_), _) => types::WebhookDeliveryState::Paused,
        (None, Some(_)) => types::WebhookDeliveryState::Failing,
        (None, None) => types::WebhookDeliveryState::Active,
    };
    types::WebhookDeliveryHealth {
        state,
        failing_since: health.failing_since.map(Timestamp::to_datetime),
        failures: health.failures,
        paused_at: health.paused_at.map(Timestamp::to_datetime),
    }
}

fn masked_headers(profile: &Profile) -> Option<BTreeMap<String, String>> {
    let headers = &profile.secrets.custom_headers;
    let masked = headers
        .iter()
        .map(|header| (header.name.clone(), header.value.masked()));
    (!headers.is_empty()).then(|| masked.collect())
}

/// Converts seconds. Their ranges were checked, so they fit.
fn seconds(seconds: i64) -> i32 {
    i32::try_from(seconds).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests;
