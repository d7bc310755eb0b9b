//! The demo merchant of a sandbox: created on the first start, found again on every later one.

use std::sync::Arc;
use std::time::Duration;

use multirail_app::accounts::connector_accounts::CreateConnectorAccount;
use multirail_app::accounts::merchant_accounts::CreateMerchantAccount;
use multirail_app::platform::ports::Actor;
use multirail_app::{AppError, Origin, Services};
use multirail_domain::accounts::api_key::{Expiration, NewApiKey};
use multirail_domain::accounts::connector_account::{
    ConnectorAccount, ConnectorAccountUpdate, CredentialsInput, NewConnectorAccount, SecretNotes,
    WALLETS_DETAILS, WebhookSecrets,
};
use multirail_domain::accounts::merchant::{MerchantAccount, MerchantAccountUpdate};
use multirail_identity::app::Identity;
use multirail_kernel::email::Email;
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_kernel::random::Random;
use multirail_kernel::secret::SecretText;
use multirail_sdk::connector::{ConnectorType, CredentialsKind};
use multirail_wallets::MerchantKey;
use serde_json::json;

use super::StartupError;
use crate::config::Config;
use crate::sandbox_keys::keep_instead;

const MERCHANT: &str = "demo";
/// The address of the demo merchant's owner, which gets no mail.
const OWNER: &str = "owner@demo.example";
const CONNECTOR: &str = "fauxpay";
const KEY_FILE: &str = "demo_merchant.key";

/// Everything that a person needs to make a payment.
#[derive(Clone, Debug)]
pub struct Demo {
    pub merchant_id: String,
    pub api_key: SecretText,
    pub publishable_key: String,
    /// A free id, for the commands that are printed.
    pub next_payment_id: String,
    /// The merchant's account at the simulated processor, unless that was deleted.
    pub connector_account: Option<ConnectorAccount>,
}

/// The number of attempts: if several servers start at once on a new database, one creates the merchant, and the others
/// find it.
const TRIES: u32 = 5;

/// The pause for another server to continue.
const PAUSE: Duration = Duration::from_millis(100);

/// Creates the demo merchant if it is missing, and a new key for it if the old one is lost.
pub(super) async fn ensure(services: &Services, config: &Config) -> Result<Demo, StartupError> {
    let mut tries = 1;
    loop {
        match make(services, config).await {
            Err(StartupError::Database(why)) if tries < TRIES => {
                tracing::debug!(why, tries, "another server makes the demo merchant as well");
                tries += 1;
                tokio::time::sleep(PAUSE).await;
            }
            made => return made,
        }
    }
}

async fn make(services: &Services, config: &Config) -> Result<Demo, StartupError> {
    let origin = Origin::of_service(Actor::Startup);
    let merchant_id = MerchantId::parse(MERCHANT).expect("the demo merchant's id is an id");
    let account = match services
        .store
        .merchant(&merchant_id)
        .await
        .map_err(broken)?
    {
        Some(account) => account,
        None => make_account(services, &origin)
            .await
            .map_err(broken)?
            .into(),
    };
    let connected = services.store.connector_accounts(&merchant_id, None).await;
    if connected.map_err(broken)?.is_empty() {
        make_connector_account(services, &origin, &merchant_id)
            .await
            .map_err(broken)?;
    }
    let accounts = services.store.connector_accounts(&merchant_id, None).await;
    let mut accounts = accounts.map_err(broken)?.into_iter();
    let connector_account = accounts.find(|account| account.connector_name == CONNECTOR);
    let path = config.data_directory.join(KEY_FILE);
    let api_key = match std::fs::read_to_string(&path) {
        Ok(text) if is_known(services, text.trim()).await? => SecretText::new(text.trim()),
        Ok(_) | Err(_) => {
            let key = issue(services, &origin, &merchant_id)
                .await
                .map_err(broken)?;
            keep_instead(&path, &key)?;
            key
        }
    };
    Ok(Demo {
        merchant_id: merchant_id.to_string(),
        api_key,
        publishable_key: account.publishable_key.clone(),
        next_payment_id: PaymentId::generate(
            services.base.clock.wall(),
            services.base.random.as_ref(),
        )
        .to_string(),
        connector_account: connector_account.map(Arc::unwrap_or_clone),
    })
}

/// Returns settings of wallets with keys of the demo merchant's own, so that a checkout shows the buttons.
fn wallets(random: &dyn Random) -> SecretNotes {
    let (Some(apple), Some(google)) =
        (MerchantKey::generate(random), MerchantKey::generate(random))
    else {
        return SecretNotes::default();
    };
    let details = json!({
        "apple_pay": {
            "payment_request_data": {
                "label": "Demo merchant",
                "merchant_capabilities": ["supports3DS"],
                "supported_networks": ["amex", "discover", "masterCard", "visa"],
            },
            // An app's session: Apple isn't called, and no certificate is read.
            "session_token_data": {
                "certificate": "-",
                "certificate_keys": "-",
                "display_name": "Demo merchant",
                "initiative": "ios",
                "merchant_identifier": "merchant.example.demo",
                "merchant_business_country": "US",
                "payment_processing_certificate_key": apple.private.as_str(),
            },
        },
        "google_pay": {
            "merchant_info": { "merchant_name": "Demo merchant" },
            "country_code": "US",
            "allowed_payment_methods": [{
                "type": "CARD",
                "parameters": {
                    "allowed_auth_methods": ["PAN_ONLY", "CRYPTOGRAM_3DS"],
                    "allowed_card_networks": ["AMEX", "DISCOVER", "MASTERCARD", "VISA"],
                },
                "tokenization_specification": {
                    "type": "DIRECT",
                    "parameters": { "protocolVersion": "ECv2", "publicKey": google.public.as_str() },
                },
            }],
            "payment_decryption": {
                "private_key": google.private.as_str(),
                "recipient_id": "merchant:demo",
                // Nothing is signed with it: tokens of the real Google Pay are not for the demo merchant.
                "root_signing_keys": [{ "keyValue": google.public.as_str(), "protocolVersion": "ECv2" }],
            },
        },
    });
    SecretNotes(
        [(WALLETS_DETAILS.to_owned(), details)]
            .into_iter()
            .collect(),
    )
}

async fn make_account(services: &Services, origin: &Origin) -> Result<MerchantAccount, AppError> {
    let request = CreateMerchantAccount {
        merchant_id: MERCHANT.to_owned(),
        organization_id: None,
        merchant_account_type: None,
        settings: MerchantAccountUpdate {
            merchant_name: Some("Demo merchant".to_owned()),
            ..MerchantAccountUpdate::default()
        },
    };
    services.merchants.create(origin, request).await
}

async fn make_connector_account(
    services: &Services,
    origin: &Origin,
    merchant_id: &MerchantId,
) -> Result<(), AppError> {
    let credentials = CredentialsInput {
        kind: CredentialsKind::HeaderKey,
        members: [("api_key".to_owned(), SecretText::new("simulator"))].into(),
    };
    let account = NewConnectorAccount {
        merchant_connector_id: None,
        connector_type: ConnectorType::PaymentProcessor,
        connector_name: CONNECTOR.to_owned(),
        business_country: None,
        business_label: None,
        business_sub_label: None,
        settings: ConnectorAccountUpdate {
            credentials: Some(credentials),
            test_mode: Some(true),
            webhook: Some(WebhookSecrets::generate(services.base.random.as_ref())),
            secret_notes: wallets(services.base.random.as_ref()),
            ..ConnectorAccountUpdate::default()
        },
    };
    let request = CreateConnectorAccount {
        merchant_connector_id: None,
        profile_id: None,
        checks_credentials: false,
        account,
    };
    services
        .connector_accounts
        .create(origin, merchant_id, None, request)
        .await?;
    Ok(())
}

async fn issue(
    services: &Services,
    origin: &Origin,
    merchant_id: &MerchantId,
) -> Result<SecretText, AppError> {
    let (_, key) = services
        .api_keys
        .create(
            origin,
            merchant_id,
            NewApiKey {
                name: "printed at start".to_owned(),
                description: None,
                expiration: Expiration::Never,
                restriction: None,
            },
        )
        .await?;
    Ok(key)
}

async fn is_known(services: &Services, key: &str) -> Result<bool, StartupError> {
    let hash = services.base.seal.hash_api_key(&SecretText::new(key));
    let found = services
        .store
        .api_key_by_hash(&hash)
        .await
        .map_err(broken)?;
    Ok(found.is_some_and(|stored| !stored.is_expired(services.base.now())))
}

/// Returns the token of the link that opens the console once, as the demo merchant's owner.
pub(super) async fn owner_link(
    identity: &Identity,
    demo: &Demo,
) -> Result<SecretText, StartupError> {
    let merchant_id = MerchantId::parse(&demo.merchant_id).map_err(broken)?;
    let email = Email::parse(OWNER).map_err(broken)?;
    let origin = Origin::of_service(Actor::Startup);
    let sign_ins = &identity.sign_ins;
    let link = sign_ins.link_for_owner(&origin, &merchant_id, &email);
    link.await.map_err(broken)
}

fn broken(error: impl std::fmt::Display) -> StartupError {
    StartupError::Database(error.to_string())
}
