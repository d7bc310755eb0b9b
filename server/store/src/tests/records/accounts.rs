//! Examples of accounts and of their sealed columns.

use multirail_domain::accounts::api_key::{ApiKey, Expiration, KeyRestriction, OperationGroup};
use multirail_domain::accounts::connector_account::{
    Acceptance, ConnectorAccount, ConnectorSecrets, ConnectorStatus, Credentials, Fee,
    PaymentMethodEnabled, SecretNotes, WebhookSecrets,
};
use multirail_domain::accounts::merchant::{
    BusinessDetail, MerchantAccount, MerchantAccountType, MerchantSecrets,
};
use multirail_domain::accounts::organization::{Organization, OrganizationType};
use multirail_domain::accounts::profile::{
    EndpointSecret, ExternalVault, Profile, ProfileSecrets, WebhookEndpoint, WebhookSecret,
};
use multirail_domain::accounts::webhook_settings::{CustomHeader, WebhookSettings};
use multirail_domain::operations::error_mapping::{ErrorMapping, MappingKey, Said};
use multirail_domain::payments::payment::PaymentStatus;
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{ApiKeyId, ConnectorAccountId, OrganizationId, WebhookEndpointId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::card::Network;
use multirail_sdk::connector::advice::{Decision, ErrorCategory};
use multirail_sdk::connector::{ConnectorType, DeclineCategory};
use multirail_sdk::payment_method::{PaymentExperience, PaymentMethod, PaymentMethodType};
use serde_json::json;

use super::particulars::link_config;
use super::payment::{account_id, merchant_id, moment, object, profile_id};

fn organization_id() -> OrganizationId {
    OrganizationId::parse("org_example").expect("an id")
}

pub(super) fn organizations() -> Vec<Organization> {
    let named = |name: Option<String>| Organization {
        organization_id: organization_id(),
        organization_type: match name {
            Some(_) => OrganizationType::Platform,
            None => OrganizationType::Standard,
        },
        platform_merchant_id: name.is_some().then(merchant_id),
        notes: match name {
            Some(_) => object(json!({"metadata": {"floor": 2}})),
            None => serde_json::Map::new(),
        },
        organization_name: name,
        version: 2,
        created_at: moment(0),
        modified_at: moment(1),
        unread: UnreadMembers::default(),
    };
    vec![named(None), named(Some("Books Inc.".to_owned()))]
}

pub(super) fn error_mappings() -> Vec<ErrorMapping> {
    let mapping = |is_full: bool| {
        let said = Said {
            status: "failure".to_owned(),
            decision: Decision::Retry,
            step_up_possible: is_full,
            router_error: is_full.then(|| "E1".to_owned()),
            error_category: is_full.then_some(ErrorCategory::ProcessorDowntime),
            unified_code: is_full.then(|| "UE_4000".to_owned()),
            unified_message: is_full.then(|| "A technical problem".to_owned()),
            standardised_code: is_full.then_some(DeclineCategory::DownstreamTechnicalIssue),
            description: is_full.then(|| "the processor is away".to_owned()),
            user_guidance_message: is_full.then(|| "Try again later".to_owned()),
            unread: UnreadMembers::default(),
        };
        let key = MappingKey::for_authorization("fauxpay", "DC_08", "Payment declined");
        ErrorMapping {
            is_deleted: is_full,
            ..ErrorMapping::create(key, said, moment(0))
        }
    };
    vec![mapping(false), mapping(true)]
}

pub(super) fn merchant_accounts() -> Vec<MerchantAccount> {
    let account = |is_full: bool| MerchantAccount {
        merchant_id: merchant_id(),
        organization_id: organization_id(),
        merchant_account_type: MerchantAccountType::Standard,
        merchant_name: is_full.then(|| "Bookshop".to_owned()),
        publishable_key: "pk_snd_example".to_owned(),
        default_profile: is_full.then(profile_id),
        return_url: is_full.then(|| "https://shop.example/back".to_owned()),
        webhook: is_full.then(webhook_settings),
        enable_payment_response_hash: is_full,
        redirect_to_merchant_with_http_post: is_full,
        primary_business_details: if is_full {
            vec![BusinessDetail {
                country: "DE".parse().expect("a country"),
                business: "books".to_owned(),
                unread: UnreadMembers::default(),
            }]
        } else {
            Vec::new()
        },
        notes: object(json!({"metadata": {"city": "Berlin"}})),
        deleted_at: is_full.then(|| moment(2)),
        secrets: MerchantSecrets::default(),
        version: 2,
        created_at: moment(0),
        modified_at: moment(1),
        unread: UnreadMembers::default(),
    };
    vec![account(false), account(true)]
}

pub(super) fn merchant_secrets() -> Vec<MerchantSecrets> {
    let full = MerchantSecrets {
        payment_response_hash_key: Some(SecretText::new("example-hash-key")),
        webhook_password: Some(SecretText::new("example-password")),
        unread: UnreadMembers::default(),
    };
    vec![MerchantSecrets::default(), full]
}

pub(super) fn profiles() -> Vec<Profile> {
    let profile = |is_full: bool| Profile {
        merchant_id: merchant_id(),
        profile_id: profile_id(),
        profile_name: "default".to_owned(),
        return_url: is_full.then(|| "https://shop.example/back".to_owned()),
        return_url_schemes: if is_full {
            vec!["com.example.shop".to_owned()]
        } else {
            Vec::new()
        },
        checkout_origins: if is_full {
            vec!["https://shop.example".to_owned()]
        } else {
            Vec::new()
        },
        webhook: is_full.then(webhook_settings),
        enable_payment_response_hash: true,
        redirect_to_merchant_with_http_post: is_full,
        session_expiry_seconds: 900,
        intent_fulfillment_seconds: 900,
        is_manual_retry_enabled: is_full.then_some(true),
        is_auto_retries_enabled: is_full,
        max_auto_retries_enabled: is_full.then_some(3),
        payment_link_config: is_full.then(|| Box::new(link_config())),
        external_vault: is_full.then(|| {
            Box::new(ExternalVault {
                is_enabled: true,
                connector_id: Some(ConnectorAccountId::parse("mca_vault").expect("an id")),
                sdk: Some("vgs_sdk".to_owned()),
                unread: UnreadMembers::default(),
            })
        }),
        billing_processor_id: is_full
            .then(|| ConnectorAccountId::parse("mca_billing").expect("an id")),
        routing: is_full.then(|| Box::new(super::routing::of_profile())),
        webhook_endpoints: if is_full {
            vec![webhook_endpoint(true), webhook_endpoint(false)]
        } else {
            Vec::new()
        },
        notes: object(json!({"metadata": {"shelf": "B"}, "force_3ds_challenge": false})),
        secrets: ProfileSecrets::default(),
        version: 2,
        created_at: moment(0),
        modified_at: moment(1),
        unread: UnreadMembers::default(),
    };
    vec![profile(false), profile(true)]
}

fn webhook_endpoint(is_full: bool) -> WebhookEndpoint {
    WebhookEndpoint {
        endpoint_id: WebhookEndpointId::parse("whe_1").expect("an id"),
        url: "https://books.example/hooks".to_owned(),
        description: is_full.then(|| "Accounting".to_owned()),
        event_types: if is_full {
            vec!["payment_succeeded".to_owned()]
        } else {
            Vec::new()
        },
        is_disabled: is_full,
        created_at: moment(0),
        modified_at: moment(1),
        unread: UnreadMembers::default(),
    }
}

fn endpoint_secret(secret: WebhookSecret) -> EndpointSecret {
    EndpointSecret {
        endpoint_id: WebhookEndpointId::parse("whe_1").expect("an id"),
        secret,
        unread: UnreadMembers::default(),
    }
}

pub(super) fn profile_secrets() -> Vec<ProfileSecrets> {
    let secret = |expires_at| WebhookSecret {
        secret: SecretText::new("whsec_ZXhhbXBsZQ=="),
        created_at: moment(0),
        expires_at,
        unread: UnreadMembers::default(),
    };
    let full = ProfileSecrets {
        payment_response_hash_key: Some(SecretText::new("example-hash-key")),
        webhook_password: Some(SecretText::new("example-password")),
        webhook_secrets: vec![secret(None), secret(Some(moment(60)))],
        custom_headers: vec![CustomHeader {
            name: "x-shop".to_owned(),
            value: SecretText::new("example-header"),
            unread: UnreadMembers::default(),
        }],
        endpoint_secrets: vec![
            endpoint_secret(secret(None)),
            endpoint_secret(secret(Some(moment(60)))),
        ],
        unread: UnreadMembers::default(),
    };
    vec![ProfileSecrets::default(), full]
}

fn webhook_settings() -> WebhookSettings {
    WebhookSettings {
        webhook_version: Some("1.0.1".to_owned()),
        webhook_username: Some("multirail".to_owned()),
        webhook_url: Some("https://shop.example/hooks".to_owned()),
        payment_created_enabled: Some(true),
        payment_succeeded_enabled: Some(true),
        payment_failed_enabled: Some(false),
        payment_statuses_enabled: vec![PaymentStatus::Succeeded, PaymentStatus::Failed],
        refund_statuses_enabled: vec!["success".to_owned()],
        payout_statuses_enabled: vec!["success".to_owned()],
        unread: UnreadMembers::default(),
    }
}

pub(super) fn api_keys() -> Vec<ApiKey> {
    let key = |(description, expiration): (Option<String>, _)| ApiKey {
        restriction: KeyRestriction::new(description.is_some(), vec![OperationGroup::Refunds])
            .filter(|one| one.read_only),
        merchant_id: merchant_id(),
        key_id: ApiKeyId::parse("snd_example").expect("an id"),
        name: "shop server".to_owned(),
        description,
        prefix: "snd_01234567".to_owned(),
        hash: "0123456789abcdef".to_owned(),
        expiration,
        version: 2,
        created_at: moment(0),
        modified_at: moment(1),
        unread: UnreadMembers::default(),
    };
    let ends = Expiration::At(moment(3600));
    let described = Some("of the web shop".to_owned());
    [(None, Expiration::Never), (described, ends)]
        .map(key)
        .into()
}

pub(super) fn connector_accounts() -> Vec<ConnectorAccount> {
    let account = |is_full: bool| ConnectorAccount {
        merchant_id: merchant_id(),
        merchant_connector_id: account_id(),
        profile_id: profile_id(),
        connector_type: ConnectorType::PaymentProcessor,
        connector_name: "stripe_test".to_owned(),
        connector_label: "euro cards".to_owned(),
        status: ConnectorStatus::Active,
        disabled: !is_full,
        test_mode: is_full.then_some(true),
        payment_methods_enabled: is_full.then(|| {
            vec![
                payment_method_enabled(Acceptance::EnableOnly(vec![Currency::EUR])),
                payment_method_enabled(Acceptance::AllAccepted),
                PaymentMethodEnabled::unrestricted(PaymentMethod::Wallet),
            ]
        }),
        fee_table: is_full.then(|| {
            vec![Fee {
                percentage_basis_points: 140,
                fixed_amount: 25,
                currency: Some(Currency::EUR),
                payment_method: Some(PaymentMethod::Card),
                card_network: Some(Network::Visa),
                country: Some("DE".parse().expect("a country")),
            }]
        }),
        frm_configs: is_full.then(|| "[]".to_owned()),
        pm_auth_config: is_full
            .then(|| object(json!({"enabled_payment_methods": [{"mca_id": "mca_other"}]}))),
        business_country: is_full.then(|| "DE".parse().expect("a country")),
        business_label: is_full.then(|| "books".to_owned()),
        business_sub_label: is_full.then(|| "used".to_owned()),
        applepay_verified_domains: is_full.then(|| vec!["shop.example".to_owned()]),
        enabled_at: is_full.then(|| moment(1)),
        notes: object(json!({"metadata": {"desk": 7}})),
        secrets: ConnectorSecrets::default(),
        version: 2,
        created_at: moment(0),
        modified_at: moment(1),
        unread: UnreadMembers::default(),
    };
    vec![account(false), account(true)]
}

fn payment_method_enabled(currencies: Acceptance<Currency>) -> PaymentMethodEnabled {
    let country = |code: &str| code.parse().expect("a country");
    PaymentMethodEnabled {
        payment_method: PaymentMethod::Card,
        payment_method_types: vec![PaymentMethodType::Credit],
        payment_method_issuers: vec!["Example Bank".to_owned()],
        payment_schemes: vec![Network::Visa],
        accepted_countries: Some(Acceptance::DisableOnly(vec![country("AQ")])),
        accepted_currencies: Some(currencies),
        minimum_amount: Some(1),
        maximum_amount: Some(100_000),
        recurring_enabled: Some(true),
        installment_payment_enabled: Some(false),
        payment_experience: Some(PaymentExperience::RedirectToUrl),
        unread: UnreadMembers::default(),
    }
}

/// Examples with credentials of either form.
pub(super) fn connector_secrets() -> Vec<ConnectorSecrets> {
    let webhook = WebhookSecrets {
        merchant_secret: SecretText::new("example-secret"),
        additional_secret: Some(SecretText::new("example-second-secret")),
        unread: UnreadMembers::default(),
    };
    let mut all: Vec<ConnectorSecrets> = credentials()
        .into_iter()
        .map(|credentials| ConnectorSecrets {
            credentials,
            webhook: Some(webhook.clone()),
            notes: SecretNotes(object(
                json!({"additional_merchant_data": {"iban": "example"}}),
            )),
            unread: UnreadMembers::default(),
        })
        .collect();
    all.push(ConnectorSecrets::default());
    all
}

/// Credentials of an account, and credentials that a payment brings along.
pub(super) fn credentials() -> Vec<Credentials> {
    let forms = [
        json!({"auth_type": "SignatureKey", "api_key": "example-1", "key1": "example-2", "api_secret": "example-3"}),
        json!({"auth_type": "CurrencyAuthKey", "auth_key_map": {"EUR": {"api_key": "example-4"}}}),
    ];
    let read = |form: serde_json::Value| {
        Credentials::from_json(&SecretText::new(form.to_string())).expect("credentials")
    };
    forms.map(read).into()
}
