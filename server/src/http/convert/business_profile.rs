//! Business profiles, wire to domain and back. Members that no rule of ours reads become notes under their wire names;
//! what is typed is taken out first, so that nothing is lost when the document gains a member.

use std::collections::BTreeMap;

use multirail_app::ports::events::EndpointHealth;
use multirail_app::profile_view::ProfileView;
use multirail_domain::ids::ConnectorAccountId;
use multirail_domain::payment::link::LinkConfig;
use multirail_domain::profile::{ExternalVault, ExternalVaultInput, Profile, ProfileInput};
use multirail_domain::refusal::Refusal;
use multirail_domain::secret::SecretText;
use multirail_domain::timestamp::Timestamp;
use multirail_types as types;
use serde_json::{Map, Value};

use super::{members, note, payment_link, take, webhook_details};

/// # Errors
/// A word that this version doesn't know.
pub(crate) fn create(
    mut wire: types::BusinessProfileCreateRequest,
) -> Result<ProfileInput, Refusal> {
    let webhook = wire.webhook_details.take();
    let headers = wire.outgoing_webhook_custom_http_headers.take();
    let link = payment_link::looks(wire.payment_link_config.take())?;
    let vault = external_vault(
        wire.is_external_vault_enabled.take(),
        wire.external_vault_connector_details.take(),
    )?;
    input(members(&wire), webhook, headers, link, vault)
}

/// # Errors
/// As for [`create`].
pub(crate) fn update(
    mut wire: types::BusinessProfileUpdateRequest,
) -> Result<ProfileInput, Refusal> {
    let webhook = wire.webhook_details.take();
    let headers = wire.outgoing_webhook_custom_http_headers.take();
    let link = payment_link::looks(wire.payment_link_config.take())?;
    let vault = external_vault(
        wire.is_external_vault_enabled.take(),
        wire.external_vault_connector_details.take(),
    )?;
    input(members(&wire), webhook, headers, link, vault)
}

fn input(
    mut rest: Map<String, Value>,
    webhook: Option<types::WebhookDetailsRequest>,
    headers: Option<BTreeMap<String, types::Secret>>,
    payment_link_config: Option<Box<LinkConfig>>,
    external_vault: ExternalVaultInput,
) -> Result<ProfileInput, Refusal> {
    let key: Option<String> = take(&mut rest, "payment_response_hash_key");
    let billing: Option<String> = take(&mut rest, "billing_processor_id");
    let billing = billing.map(|id| {
        ConnectorAccountId::parse(&id).map_err(|invalid| invalid.refusal("billing_processor_id"))
    });
    Ok(ProfileInput {
        profile_name: take(&mut rest, "profile_name"),
        return_url: take(&mut rest, "return_url"),
        return_url_schemes: take(&mut rest, "return_url_schemes"),
        webhook: webhook.map(webhook_details::input).transpose()?,
        enable_payment_response_hash: take(&mut rest, "enable_payment_response_hash"),
        payment_response_hash_key: key.map(SecretText::new),
        redirect_to_merchant_with_http_post: take(&mut rest, "redirect_to_merchant_with_http_post"),
        session_expiry: take(&mut rest, "session_expiry"),
        intent_fulfillment_time: take(&mut rest, "intent_fulfillment_time"),
        is_manual_retry_enabled: take(&mut rest, "is_manual_retry_enabled"),
        is_auto_retries_enabled: take(&mut rest, "is_auto_retries_enabled"),
        max_auto_retries_enabled: take(&mut rest, "max_auto_retries_enabled"),
        payment_link_config,
        external_vault,
        billing_processor_id: billing.transpose()?,
        custom_headers: headers.map(custom_headers),
        notes: rest,
    })
}

fn external_vault(
    enabled: Option<types::ExternalVaultEnabled>,
    details: Option<types::ExternalVaultConnectorDetails>,
) -> Result<ExternalVaultInput, Refusal> {
    let is_enabled = enabled.map(|word| word == types::ExternalVaultEnabled::Enable);
    let connector = details.map(|details| {
        let id = ConnectorAccountId::parse(&details.vault_connector_id).map_err(|invalid| {
            invalid.refusal("external_vault_connector_details.vault_connector_id")
        })?;
        let sdk = details.vault_sdk.map(|sdk| sdk.as_str().to_owned());
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

/// The profile as it is answered, custom headers masked.
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

fn webhook_delivery(health: EndpointHealth) -> types::WebhookDeliveryHealth {
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

/// Their ranges were checked: both fit.
fn seconds(seconds: i64) -> i32 {
    i32::try_from(seconds).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use multirail_domain::environment::Environment;
    use multirail_domain::ids::MerchantId;
    use multirail_domain::merchant::{MerchantAccount, MerchantAccountUpdate, NewMerchantAccount};
    use multirail_domain::organization::Organization;
    use multirail_domain::random::SeededRandom;

    use super::*;
    use serde_json::json;

    fn profile(input: ProfileInput) -> ProfileView {
        let random = SeededRandom::new(1);
        let new = NewMerchantAccount {
            merchant_id: MerchantId::parse("bookshop").expect("an id"),
            merchant_account_type: None,
            settings: MerchantAccountUpdate::default(),
        };
        let organization = Organization::standard(None, Timestamp::EPOCH, &random);
        let environment = Environment::Sandbox;
        let made = MerchantAccount::create(
            new,
            &organization,
            true,
            environment,
            Timestamp::EPOCH,
            &random,
        );
        let merchant = made.expect("an account").account;
        let made = Profile::create(input, &merchant, Timestamp::EPOCH, &random);
        ProfileView {
            profile: made.expect("a profile"),
            delivery: EndpointHealth::default(),
        }
    }

    fn look() -> Value {
        json!({"theme": "#1a73e8", "logo": "https://bookshop.example/logo.png",
                "seller_name": "The bookshop", "display_sdk_only": false, "details_layout": "layout2",
                "transaction_details": [{"key": "Table", "value": "17",
                    "ui_configuration": {"position": 1, "is_key_bold": true, "is_value_bold": false}}],
                "payment_button_text": "Pay the bill", "payment_button_colour": "#000",
                "payment_button_text_colour": "#fff", "background_colour": "#eeeeee",
                "payment_form_header_text": "Your card", "custom_message_for_card_terms": "We keep nothing.",
                "show_card_terms": "always", "skip_status_screen": true,
                "enable_button_only_on_form_ready": true})
    }

    fn everything() -> Value {
        json!({
            "profile_name": "outlet",
            "return_url": "https://outlet.bookshop.example/paid",
            "return_url_schemes": ["com.example.shop"],
            "enable_payment_response_hash": false,
            "payment_response_hash_key": "a key of the merchant",
            "redirect_to_merchant_with_http_post": true,
            "webhook_details": {"webhook_url": "https://bookshop.example/notifications"},
            "metadata": {"floor": 2},
            "session_expiry": 3600,
            "payment_link_config": look(),
            "intent_fulfillment_time": 600,
            "use_billing_as_payment_method_billing": false,
            "collect_shipping_details_from_wallet_connector": true,
            "collect_billing_details_from_wallet_connector": true,
            "always_collect_shipping_details_from_wallet_connector": true,
            "always_collect_billing_details_from_wallet_connector": true,
            "is_connector_agnostic_mit_enabled": true,
            "is_manual_retry_enabled": true,
            "is_auto_retries_enabled": true,
            "max_auto_retries_enabled": 3,
            "force_3ds_challenge": true,
            "always_request_extended_authorization": true,
            "always_enable_overcapture": false,
            "merchant_business_country": "DE",
            "merchant_category_code": "5942",
            "applepay_verified_domains": ["bookshop.example"],
        })
    }

    #[test]
    fn what_was_sent_comes_back_from_create_and_update() {
        let wire = serde_json::from_value(everything()).expect("a request");
        let created = create(wire).expect("an input");
        let wire = serde_json::from_value(everything()).expect("a request");
        assert_eq!(update(wire).expect("an input"), created);
        let answered = serde_json::to_value(answer(&profile(created))).expect("plain JSON");
        for (member, value) in everything().as_object().expect("an object") {
            assert_eq!(&answered[member], value, "{member}");
        }
    }

    #[test]
    fn headers_are_answered_masked() {
        let with = |headers: Value| {
            let wire = json!({"outgoing_webhook_custom_http_headers": headers});
            create(serde_json::from_value(wire).expect("a request"))
        };
        let input = with(json!({"x-shop": "outlet-7f3a91c2d4"})).expect("an input");
        let answered = answer(&profile(input)).outgoing_webhook_custom_http_headers;
        assert_eq!(
            json!(answered.expect("headers")),
            json!({"x-shop": "ou********d4"})
        );
        let bare = profile(ProfileInput::default());
        assert_eq!(answer(&bare).outgoing_webhook_custom_http_headers, None);
    }

    #[test]
    fn a_bare_profile_has_the_defaults_of_the_contract() {
        let bare = answer(&profile(ProfileInput::default()));
        assert!(bare.enable_payment_response_hash);
        assert!(bare.use_billing_as_payment_method_billing);
        assert!(!bare.is_connector_agnostic_mit_enabled && !bare.force_3ds_challenge);
        assert_eq!(
            (bare.session_expiry, bare.intent_fulfillment_time),
            (900, 900)
        );
        assert_eq!(bare.is_manual_retry_enabled, None);
    }

    #[test]
    fn how_deliveries_stand_is_said_in_a_word() {
        let at = |seconds| Timestamp::EPOCH.plus_seconds(seconds);
        let word = |failing_since, paused_at| {
            let failures = 12;
            let health = EndpointHealth {
                failing_since,
                failures,
                paused_at,
            };
            serde_json::to_value(webhook_delivery(health)).expect("plain JSON")
        };
        assert_eq!(
            serde_json::to_value(webhook_delivery(EndpointHealth::default())).expect("plain JSON"),
            json!({"state": "active", "failing_since": null, "failures": 0, "paused_at": null})
        );
        assert_eq!(word(at(1), None)["state"], "failing");
        assert_eq!(
            word(at(1), at(2)),
            json!({
                "state": "paused",
                "failing_since": "1970-01-01T00:00:01.000Z",
                "failures": 12,
                "paused_at": "1970-01-01T00:00:02.000Z",
            })
        );
    }
}
