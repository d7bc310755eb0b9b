//! Data for the wallet buttons of a payer's checkout. (Specification 4.3)
//!
//! The payment stores the account of each offered wallet, because the wallet's token is made for that account. Nothing
//! else is stored.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use futures::future::join_all;
use multirail_domain::accounts::connector_account::Credentials;
use multirail_domain::accounts::merchant::MerchantAccount;
use multirail_domain::accounts::profile::Profile;
use multirail_domain::payments::payment::{Command, Input, OfferedThrough, Payment, transition};
use multirail_domain::payments::session::apple_pay::{AppleSession, MerchantValidation};
use multirail_domain::payments::session::{
    Answer, Ask, BroughtSettings, Checkout, Offer, SdkAuthorization, SessionToken, VaultDetails,
    check_open, offers, vault_connector_id, vault_details,
};
use multirail_kernel::context::Context;
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::secret::SecretText;
use multirail_kernel::target::TargetRules;
use multirail_sdk::connector::{Access, OpenSessionRequest, SessionOpening, UnknownReason};
use multirail_sdk::wallet::Wallet;

use super::super::{AppError, Origin};
use super::{CallCredentials, Payments};
use crate::accounts::ports::{ConnectorAccountStore, MerchantStore};
use crate::operations::driver::Driver;
use crate::operations::processors::Processors;
use crate::payments::ports::MerchantSessions;
use crate::platform::base::Base;
use crate::platform::ports::metric;
use crate::routing::Routes;

/// The request, translated.
#[derive(Debug)]
pub struct SessionTokensRequest {
    pub merchant_id: MerchantId,
    pub payment_id: PaymentId,
    /// The wallets that the checkout can show.
    pub wanted: Vec<Wallet>,
    /// Credentials that replace those of the accounts.
    pub credentials: CallCredentials,
    /// Settings that replace the accounts' `metadata`.
    pub settings: Option<BroughtSettings>,
}

/// The answer.
#[derive(Debug)]
pub struct SessionTokens {
    pub payment_id: PaymentId,
    pub client_secret: SecretText,
    pub tokens: Vec<SessionToken>,
    pub vault: VaultDetails,
}

/// Opens wallet sessions for payers.
pub struct WalletSessions {
    pub base: Arc<Base>,
    pub driver: Arc<Driver>,
    pub processors: Arc<Processors>,
    pub payments: Arc<Payments>,
    pub merchants: Arc<dyn MerchantStore>,
    pub connector_accounts: Arc<dyn ConnectorAccountStore>,
    pub merchant_sessions: Arc<dyn MerchantSessions>,
    /// The addresses that an account's own base URL may have.
    pub targets: TargetRules,
}

impl WalletSessions {
    /// Checks the client secret that a payer's client sends for a session.
    ///
    /// # Errors
    /// A wrong secret, or one of a payment that doesn't exist; a payment that has ended; an expired secret; in this
    /// order.
    pub async fn check_secret(
        &self,
        merchant_id: &MerchantId,
        payment_id: &str,
        presented: &str,
    ) -> Result<Payment, AppError> {
        let payment = self
            .payments
            .payment_of_secret(merchant_id, payment_id, presented)
            .await?;
        check_open(&payment)?;
        self.payments.check_not_lapsed(&payment)?;
        Ok(payment)
    }

    /// Returns the wallets that can pay the payment, and the destination of card details. Leaves out a wallet where a
    /// service that it needs doesn't answer.
    ///
    /// # Errors
    /// An unknown payment, one that has ended, a forbidden address in the caller's settings.
    pub async fn open(
        &self,
        origin: &Origin,
        request: SessionTokensRequest,
    ) -> Result<SessionTokens, AppError> {
        let payment = self
            .payments
            .load(&request.merchant_id, &request.payment_id)
            .await?;
        check_open(&payment)?;
        let profile = self.payments.profile_of(&payment).await?;
        let merchant = self.merchant_of(&payment).await?;
        let Routes {
            candidates,
            active,
            three_ds: _,
            draw,
        } = self.payments.routes(&payment, &profile).await?;
        let checkout = Checkout {
            payment: &payment,
            profile: &profile,
            candidates: &candidates,
            active: active.as_deref(),
            routing: self.payments.routing.strategy,
            wanted: &request.wanted,
            brought: request.settings.as_ref(),
            draw,
        };
        let offers = offers(&checkout);
        check_one_processor(&offers, &request)?;
        let tokens = offers
            .iter()
            .map(|offer| self.session_token(&checkout, &request, offer));
        let tokens = join_all(tokens).await.into_iter();
        let tokens: Result<Vec<_>, AppError> = tokens.collect();
        let tokens = tokens?;
        let offered = offers.iter().zip(&tokens);
        let offered = offered.filter(|(_, token)| token.is_some());
        let offered: Vec<_> = offered.map(|(offer, _)| offer.through()).collect();
        self.note_offers(origin, &payment, offered).await?;
        let client_secret = self
            .payments
            .client_secret(&payment.merchant_id, &payment.payment_id);
        Ok(SessionTokens {
            tokens: tokens.into_iter().flatten().collect(),
            vault: self
                .vault_of(&payment, &profile, &merchant, client_secret.clone())
                .await?,
            payment_id: payment.payment_id,
            client_secret,
        })
    }

    /// Stores the account of each offered wallet, unless it is stored already.
    async fn note_offers(
        &self,
        origin: &Origin,
        payment: &Payment,
        offered: Vec<OfferedThrough>,
    ) -> Result<(), AppError> {
        if payment.knows_offers(&offered) {
            return Ok(());
        }
        let (merchant_id, payment_id) = (&payment.merchant_id, &payment.payment_id);
        let decide = |payment: &Payment, context: &Context| {
            let offers = offered.clone();
            transition(
                payment,
                Input::Command(Command::NoteOffers { offers }),
                context,
            )
        };
        let noted =
            self.driver
                .commit_decision(&*self.payments, origin, merchant_id, payment_id, decide);
        noted.await?;
        Ok(())
    }

    /// Returns the session of one wallet; `None` where a service that it needs gives no session.
    async fn session_token(
        &self,
        checkout: &Checkout<'_>,
        request: &SessionTokensRequest,
        offer: &Offer<'_>,
    ) -> Result<Option<SessionToken>, AppError> {
        let answer = match offer.ask() {
            Ask::Nobody => Some(Answer::Nothing),
            Ask::Apple(validation) => {
                let session = self.apple_session(offer, &validation).await;
                session.map(|session| Answer::Apple(Box::new(session)))
            }
            Ask::Processor => self.opened(checkout, request, offer).await?,
        };
        Ok(answer.and_then(|answer| offer.token(checkout, answer)))
    }

    async fn apple_session(
        &self,
        offer: &Offer<'_>,
        validation: &MerchantValidation,
    ) -> Option<AppleSession> {
        let connector = offer.account().connector_name.as_str();
        let started = Instant::now();
        let opened = self.merchant_sessions.open(validation).await;
        let (outcome, reason) = match &opened {
            Ok(_) => ("done", None),
            Err(error) => ("declined", Some(error.as_str())),
        };
        metric::processor_call(connector, VALIDATE, outcome, reason, started.elapsed());
        opened
            .inspect_err(|error| {
                let account = &offer.account().merchant_connector_id;
                tracing::info!(%account, %error, "Apple Pay is left out of a session");
            })
            .ok()
    }

    /// Opens a session at the account's processor.
    async fn opened(
        &self,
        checkout: &Checkout<'_>,
        request: &SessionTokensRequest,
        offer: &Offer<'_>,
    ) -> Result<Option<Answer>, AppError> {
        let account = offer.account();
        let name = account.connector_name.as_str();
        let connector = self.processors.connector(name)?;
        let mut access = account.access();
        self.bring(&mut access, request, name)?;
        let described = connector.description();
        described.check_base_url(&access, &self.targets)?;
        let payment = checkout.payment;
        let wanted = OpenSessionRequest {
            access,
            wallet: offer.wallet,
            payment_id: payment.payment_id.clone(),
            money: payment.terms.total_money(),
            country: checkout.facts().payer_country(),
        };
        let sessions = connector.able(|able| able.wallets.sessions.map(|(by, _)| by));
        let Some(sessions) = sessions else {
            return Ok(None);
        };
        let patience = self.base.leases.processor_deadline;
        let started = Instant::now();
        let opening = tokio::time::timeout(patience, sessions.open_session(wanted)).await;
        let opening = opening.unwrap_or(SessionOpening::NotKnown(UnknownReason::Timeout));
        let (outcome, reason) = match &opening {
            SessionOpening::Opened { .. } => ("done", None),
            SessionOpening::Refused { .. } => ("declined", None),
            SessionOpening::NotKnown(reason) => ("unknown", Some(reason.as_str())),
        };
        metric::processor_call(name, OPEN, outcome, reason, started.elapsed());
        let wallet = offer.wallet;
        Ok(match opening {
            SessionOpening::Opened { id, token } => Some(Answer::Processor { id, token }),
            SessionOpening::Refused { message } => {
                tracing::info!(connector = name, %wallet, message, "a wallet is left out of a session");
                None
            }
            SessionOpening::NotKnown(reason) => {
                tracing::info!(connector = name, %wallet, %reason, "a wallet is left out of a session");
                None
            }
        })
    }

    /// Replaces the account's own credentials and settings with the caller's.
    fn bring(
        &self,
        access: &mut Access,
        request: &SessionTokensRequest,
        connector: &str,
    ) -> Result<(), Refusal> {
        if let Some(settings) = &request.settings {
            access.metadata = settings.0.clone();
        }
        let Some(given) = &request.credentials.0 else {
            return Ok(());
        };
        let wanted = self
            .processors
            .connectors
            .describe(connector)
            .map(|one| one.credentials);
        let kind = Credentials::from_json(&given.credentials).map(|own| own.kind());
        if kind.ok() != wanted {
            let wanted = wanted.map_or("another one", |kind| kind.as_str());
            return Err(Refusal::invalid_value(format!(
                "merchant_connector_details.encoded_data.connector_account_details.auth_type has to be {wanted}, which \
                 {connector} takes"
            )));
        }
        access.credentials = given.credentials.clone();
        Ok(())
    }

    async fn merchant_of(&self, payment: &Payment) -> Result<Arc<MerchantAccount>, AppError> {
        let found = self.merchants.merchant(&payment.merchant_id).await?;
        found.ok_or_else(|| Refusal::not_found(Object::MerchantAccount).into())
    }

    async fn vault_of(
        &self,
        payment: &Payment,
        profile: &Profile,
        merchant: &MerchantAccount,
        client_secret: SecretText,
    ) -> Result<VaultDetails, AppError> {
        let account = match vault_connector_id(profile) {
            Some(id) => {
                self.connector_accounts
                    .connector_account(&payment.merchant_id, id)
                    .await?
            }
            None => None,
        };
        let own = SdkAuthorization {
            profile_id: payment.profile_id.clone(),
            publishable_key: merchant.publishable_key.clone(),
            client_secret,
            customer_id: payment.terms.customer_id.clone(),
        };
        Ok(vault_details(account.as_deref(), own))
    }
}

/// Refuses credentials for several processors: a processor never gets the credentials of another.
fn check_one_processor(
    offers: &[Offer<'_>],
    request: &SessionTokensRequest,
) -> Result<(), Refusal> {
    if request.credentials.0.is_none() {
        return Ok(());
    }
    let asked = offers
        .iter()
        .filter(|offer| matches!(offer.ask(), Ask::Processor));
    let names: BTreeSet<&str> = asked
        .map(|offer| offer.account().connector_name.as_str())
        .collect();
    if names.len() < 2 {
        return Ok(());
    }
    let names: Vec<&str> = names.into_iter().collect();
    Err(Refusal::invalid_value(format!(
        "merchant_connector_details brings credentials of one processor, and wallets asks for those of {}: name wallets of one",
        names.join(" and ")
    )))
}

/// The name of these calls in the metrics.
const OPEN: &str = "open_session";
const VALIDATE: &str = "validate_merchant";
