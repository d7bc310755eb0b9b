//! Lists the payment methods that a payer can use. (`GET /account/payment_methods`)

use std::sync::Arc;

use multirail_domain::customers::saved_method::MethodFilter;
use multirail_domain::payments::offer::{Offer, offers};
use multirail_domain::payments::payment::{MethodRole, Payment};
use multirail_kernel::ids::{MerchantId, ProfileId};
use multirail_kernel::refusal::{Object, Refusal};

use super::super::AppError;
use super::Payments;
use super::link::{LinkStanding, LinkView};
use crate::accounts::ports::{MerchantStore, ProfileStore};
use crate::accounts::processor_accounts::ProcessorAccounts;
use crate::customers::ports::SavedMethodStore;
use crate::customers::saved_methods::{Reach, check_profile};
use crate::payments::card_codes::CardCodes;

/// The request, translated.
#[derive(Debug)]
pub struct OfferMethods {
    pub merchant_id: MerchantId,
    pub reach: Reach,
    /// The payment in checkout, whose client secret was checked.
    pub payment: Option<Box<Payment>>,
    /// The profile that the caller's key is narrowed to.
    pub profile_id: Option<ProfileId>,
    pub filter: MethodFilter,
}

/// The answer.
#[derive(Debug)]
pub struct OfferedMethods {
    pub offers: Vec<Offer>,
    pub payment: Option<Box<Payment>>,
    pub return_url: Option<String>,
    pub merchant_name: Option<String>,
    /// True if wallets ask for the shipping address.
    pub collects_shipping: bool,
    /// True if wallets ask for the billing address.
    pub collects_billing: bool,
}

impl OfferedMethods {
    /// Keeps at most `limit` varieties; all without a limit.
    pub fn keep_first(&mut self, limit: Option<i64>) {
        if let Some(limit) = limit {
            self.offers.truncate(usize::try_from(limit).unwrap_or(0));
        }
    }
}

/// Lists the payment methods that a payer can use.
pub struct MethodOffers {
    pub payments: Arc<Payments>,
    pub merchants: Arc<dyn MerchantStore>,
    pub profiles: Arc<dyn ProfileStore>,
    pub saved_methods: Arc<dyn SavedMethodStore>,
    pub accounts: Arc<ProcessorAccounts>,
    pub codes: Arc<CardCodes>,
}

impl MethodOffers {
    /// Lists the methods that accounts of a profile accept: the payment's profile, else the named one, else the
    /// merchant's default.
    ///
    /// # Errors
    /// A merchant account that is gone, a payment of another profile than the caller's key.
    pub async fn list(&self, request: OfferMethods) -> Result<OfferedMethods, AppError> {
        let OfferMethods {
            merchant_id,
            reach,
            payment,
            profile_id,
            filter,
        } = request;
        let merchant_id = &merchant_id;
        let payment = match reach {
            Reach::Merchant | Reach::Customer(_) => payment,
            Reach::PayerOf(payment_id) => Some(Box::new(
                self.payments.load(merchant_id, &payment_id).await?,
            )),
        };
        let merchant = self.merchants.merchant(merchant_id).await?;
        let merchant = merchant.ok_or_else(|| Refusal::not_found(Object::MerchantAccount))?;
        let of_payment = payment.as_deref().map(|payment| payment.profile_id.clone());
        check_profile(of_payment.as_ref(), profile_id.as_ref())?;
        let profile_id = of_payment
            .or(profile_id)
            .or_else(|| merchant.default_profile.clone());
        let profile = match &profile_id {
            Some(profile_id) => self.profiles.profile(merchant_id, profile_id).await?,
            None => None,
        };
        let candidates = self.accounts.able(merchant_id, profile_id.as_ref()).await?;
        let asked = payment.as_deref();
        let return_url = asked.and_then(|payment| payment.terms.return_url.clone());
        let wants = |switches: [&str; 2]| {
            let profile = profile.as_deref();
            profile.is_some_and(|profile| switches.iter().any(|name| profile.switch(name)))
        };
        let collects_shipping = wants([
            "collect_shipping_details_from_wallet_connector",
            "always_collect_shipping_details_from_wallet_connector",
        ]);
        let collects_billing = wants([
            "collect_billing_details_from_wallet_connector",
            "always_collect_billing_details_from_wallet_connector",
        ]);
        let needs_no_code = match asked {
            Some(payment) => self.needs_no_code(payment).await?,
            None => false,
        };
        Ok(OfferedMethods {
            offers: offers(
                &filter,
                asked,
                profile.as_deref(),
                needs_no_code,
                &candidates,
            ),
            return_url: return_url
                .or_else(|| profile.and_then(|profile| profile.return_url.clone())),
            merchant_name: merchant.merchant_name.clone(),
            collects_shipping,
            collects_billing,
            payment,
        })
    }

    /// Lists the methods for a payment's page, which asks for all data of a method anew. A page that takes no payment gets
    /// none.
    ///
    /// # Errors
    /// A merchant account that is gone, or a store that fails.
    pub async fn on_page(&self, view: &LinkView) -> Result<Vec<Offer>, AppError> {
        if matches!(view.standing, LinkStanding::Outcome(_)) {
            return Ok(Vec::new());
        }
        let request = OfferMethods {
            merchant_id: view.payment.merchant_id.clone(),
            reach: Reach::Merchant,
            payment: Some(Box::new(view.payment.without_method())),
            profile_id: None,
            filter: MethodFilter::default(),
        };
        Ok(self.list(request).await?.offers)
    }

    /// Returns whether the card needs no code any more: it was given, or isn't required.
    async fn needs_no_code(&self, payment: &Payment) -> Result<bool, AppError> {
        let (merchant_id, payment_id) = (&payment.merchant_id, &payment.payment_id);
        if self.codes.find(merchant_id, payment_id).is_some() {
            return Ok(true);
        }
        let method = payment.active().method.as_deref();
        let pays = method.filter(|method| method.role == MethodRole::Pays);
        let Some(pays) = pays.filter(|_| payment.spares_code()) else {
            return Ok(false);
        };
        let found = self
            .saved_methods
            .saved_method(merchant_id, &pays.payment_method_id);
        Ok(found
            .await?
            .is_some_and(|method| !method.requires_code(payment.spares_code())))
    }
}
