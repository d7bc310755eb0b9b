//! The sandbox that the examples run against, and their common steps.

// Each example uses a different part of this module.
#![allow(dead_code)]

use std::env::VarError;
use std::error::Error as Failure;
use std::process::ExitCode;

use multirail_client::types::{
    BusinessProfile, BusinessProfileCreateRequest, BusinessProfileUpdateRequest, ConnectorAccount,
    ConnectorAccountCreateRequest, ConnectorAccountDetailsRequest, ConnectorAuthType,
    ConnectorName, ConnectorType, CountryCode, Currency, PaymentCreateRequest,
};
use multirail_client::{Client, Connection, Error};

/// Runs an example with the key in `MULTIRAIL_API_KEY` against `MULTIRAIL_URL`, and prints the reason of a failure.
pub async fn run(example: impl AsyncFnOnce(&Client) -> Result<(), Error>) -> ExitCode {
    end(match merchant() {
        Ok(client) => example(&client).await.map_err(Box::from),
        Err(failure) => Err(failure),
    })
}

/// Runs an example with its own shop, or with the operator's client.
pub async fn run_in_shop(example: impl AsyncFnOnce(&Shop) -> Result<(), Error>) -> ExitCode {
    let ran = async {
        let shop = Shop::open(&merchant()?).await?;
        Ok(example(&shop).await?)
    };
    end(ran.await)
}

/// The merchant's client, limited to the example's own business profile. Its settings don't affect other profiles.
pub struct Shop {
    pub client: Client,
    pub merchant_id: String,
    pub profile_id: String,
}

impl Shop {
    async fn open(merchant: &Client) -> Result<Self, Box<dyn Failure>> {
        // Any payment contains the id of the key's merchant.
        let payment = PaymentCreateRequest::new(100, Currency::Usd);
        let payment = merchant.payments_create().body(payment).send().await;
        let merchant_id = payment.map_err(Error::from)?.merchant_id.clone();
        let settings = BusinessProfileCreateRequest::new()
            .profile_name(format!("example {}", uuid::Uuid::now_v7()))
            .merchant_business_country(CountryCode::Us);
        let profile = merchant.business_profiles_create();
        let profile = profile.account_id(&merchant_id).body(settings).send().await;
        let profile_id = profile.map_err(Error::from)?.profile_id.clone();
        let client = connection()?.profile(&*profile_id).build()?;
        Ok(Shop {
            client,
            merchant_id,
            profile_id,
        })
    }

    /// Connects the profile to a simulated processor, with further settings if given.
    pub async fn connects(
        &self,
        processor: ConnectorName,
        settings: impl FnOnce(ConnectorAccountCreateRequest) -> ConnectorAccountCreateRequest,
    ) -> Result<ConnectorAccount, Error> {
        let key = ConnectorAccountDetailsRequest::new(ConnectorAuthType::HeaderKey);
        let account =
            ConnectorAccountCreateRequest::new(ConnectorType::PaymentProcessor, processor)
                .connector_account_details(key.api_key("simulator"));
        self.adds(settings(account)).await
    }

    async fn adds(
        &self,
        account: ConnectorAccountCreateRequest,
    ) -> Result<ConnectorAccount, Error> {
        let account = account.profile_id(&*self.profile_id);
        let call = self.client.connector_accounts_create();
        let call = call.account_id(&self.merchant_id).body(account);
        Ok(call.send().await?.into_inner())
    }

    /// Changes settings of the profile.
    pub async fn sets_up(
        &self,
        settings: BusinessProfileUpdateRequest,
    ) -> Result<BusinessProfile, Error> {
        let call = self.client.business_profiles_update();
        let call = call.account_id(&self.merchant_id);
        let call = call.profile_id(&self.profile_id).body(settings);
        Ok(call.send().await?.into_inner())
    }

    /// Makes the service's own engine bill the profile's subscriptions.
    pub async fn bills(&self) -> Result<(), Error> {
        let account = ConnectorAccountCreateRequest::new(
            ConnectorType::BillingProcessor,
            ConnectorName::MultirailBilling,
        );
        let no_key = ConnectorAccountDetailsRequest::new(ConnectorAuthType::NoKey);
        let account = self.adds(account.connector_account_details(no_key)).await?;
        let by_it = BusinessProfileUpdateRequest::new();
        let by_it = by_it.billing_processor_id(account.merchant_connector_id);
        self.sets_up(by_it).await.map(drop)
    }

    /// Returns the operator's client, with the key in `MULTIRAIL_ADMIN_API_KEY`.
    ///
    /// # Panics
    /// If the key is missing.
    pub fn operator(&self) -> Client {
        let key = std::env::var("MULTIRAIL_ADMIN_API_KEY")
            .expect("set MULTIRAIL_ADMIN_API_KEY to the admin key that the sandbox printed");
        let connection = Connection::new(url()).admin_key(key);
        connection.build().expect("the key can be sent")
    }

    /// Returns the client of a payer's browser, which may access one payment.
    pub fn payer(&self, sdk_authorization: &str) -> Client {
        let connection = Connection::new(url()).sdk_authorization(sdk_authorization);
        connection.build().expect("the authorization can be sent")
    }
}

fn url() -> String {
    match std::env::var("MULTIRAIL_URL") {
        Err(VarError::NotPresent) => "http://127.0.0.1:8080".to_owned(),
        given => given.expect("MULTIRAIL_URL is a text"),
    }
}

fn connection() -> Result<Connection, Box<dyn Failure>> {
    let key = std::env::var("MULTIRAIL_API_KEY").map_err(
        |_| "set MULTIRAIL_API_KEY to the secret key that the sandbox printed when it started",
    )?;
    Ok(Connection::new(url()).secret_key(key))
}

fn merchant() -> Result<Client, Box<dyn Failure>> {
    Ok(connection()?.build()?)
}

fn end(ran: Result<(), Box<dyn Failure>>) -> ExitCode {
    let Err(error) = ran else {
        return ExitCode::SUCCESS;
    };
    eprintln!("{error}");
    let mut source = error.source();
    while let Some(cause) = source {
        eprintln!("because: {cause}");
        source = cause.source();
    }
    ExitCode::FAILURE
}
