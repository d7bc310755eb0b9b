//! Lists the methods that a customer saved, and gives each a token to pay with. (Specification 4.7)

use multirail_domain::customers::customer::{Customer, CustomerStatus};
use multirail_domain::customers::saved_method::{
    MethodFilter, SavedMethod, TOKEN_SECONDS, TokenListing,
};
use multirail_kernel::ids::{CustomerId, MerchantId, PaymentToken, ProfileId};
use multirail_kernel::refusal::Refusal;

use super::{Reach, Reached, SavedMethods, check_profile, payer};
use crate::customers::ports::SavedMethodChange;
use crate::customers::ports::checkouts::Checkout;
use crate::platform::idempotency::ForKey;
use crate::{AppError, Origin};

/// The largest number of methods in one answer.
const AT_MOST: i64 = 10_000;

/// The request, translated.
#[derive(Debug)]
pub struct ListMethods {
    pub merchant_id: MerchantId,
    /// The customer, where the path names one; else the payment's.
    pub customer_id: Option<CustomerId>,
    pub reach: Reach,
    /// The payment in checkout, whose client secret was checked.
    pub checkout: Option<Checkout>,
    /// The profile whose accounts decide which methods can pay.
    pub profile_id: Option<ProfileId>,
    pub filter: MethodFilter,
    pub limit: Option<i64>,
}

/// The answer, last used first.
#[derive(Debug)]
pub struct ListedMethods {
    pub methods: Vec<ListedMethod>,
    /// True if the payment has no customer; absent without a payment.
    pub is_guest: Option<bool>,
    /// The payment in checkout.
    pub checkout: Option<Checkout>,
}

/// A method of a list.
#[derive(Debug)]
pub struct ListedMethod {
    pub method: SavedMethod,
    pub token: PaymentToken,
    /// True if a payment with the card needs its code.
    pub requires_code: bool,
    /// True if the merchant can charge it without the payer.
    pub recurs: bool,
}

impl SavedMethods {
    /// Lists a customer's methods.
    ///
    /// # Errors
    /// A customer who is unknown, redacted, not the caller's, or not the payment's; a payment of another profile than
    /// the key's.
    pub async fn list(
        &self,
        origin: &Origin,
        request: ListMethods,
    ) -> Result<ListedMethods, AppError> {
        let ListMethods {
            merchant_id,
            customer_id,
            reach,
            checkout,
            profile_id,
            filter,
            limit,
        } = request;
        let checkout = match (&reach, checkout) {
            (Reach::Merchant, checkout) => checkout,
            (Reach::Customer(own), checkout) => {
                if customer_id.as_ref().is_some_and(|named| named != own) {
                    return Err(Refusal::NotThisCustomersKey.into());
                }
                checkout
            }
            // A caller with an authorization sends no client secret: the payment of the authorization names the
            // customer.
            (Reach::PayerOf(payment_id), _) => Some(self.checkout(&merchant_id, payment_id).await?),
        };
        let of_payment = checkout.as_ref().map(|checkout| &checkout.profile_id);
        check_profile(of_payment, profile_id.as_ref())?;
        let payers = checkout.as_ref().map(payer);
        let customer_id = match (customer_id, payers) {
            (_, Some(Reached::Guest)) | (None, None | Some(Reached::Anybody)) => {
                return Ok(ListedMethods {
                    methods: Vec::new(),
                    is_guest: Some(true),
                    checkout: None,
                });
            }
            (Some(named), Some(Reached::Customer(own))) if named != own => {
                return Err(Refusal::precondition(
                    "client_secret is one of a payment that is not this customer's",
                )
                .into());
            }
            (Some(named), _) | (None, Some(Reached::Customer(named))) => named,
        };
        let limit = limit.unwrap_or(AT_MOST).min(AT_MOST);
        let leaves_out = checkout.is_some() || !filter.is_empty();
        // Methods that the filter leaves out don't count towards the limit.
        let read = if leaves_out { AT_MOST } else { limit };
        let found = self
            .store
            .saved_methods_of(&merchant_id, &customer_id, read);
        let profile_id = checkout
            .as_ref()
            .map(|checkout| checkout.profile_id.clone())
            .or(profile_id);
        let methods = match found.await? {
            Some((CustomerStatus::Active, methods)) => methods,
            Some((CustomerStatus::Redacted, _)) => return Err(Refusal::CustomerRedacted.into()),
            None => return Err(Customer::unknown().into()),
        };
        // The accounts are mostly in memory.
        let candidates = self.accounts.able(&merchant_id, profile_id.as_ref());
        let candidates = candidates.await?;
        let now = self.base.now();
        let mut methods: Vec<(SavedMethod, bool)> = methods
            .into_iter()
            .map(|method| {
                let recurs = method.recurs(&candidates);
                (method, recurs)
            })
            .collect();
        if leaves_out {
            methods.retain(|(method, recurs)| {
                (checkout.is_none() || method.is_payable())
                    && filter.lets_through(method, *recurs, &candidates)
            });
            methods.truncate(usize::try_from(limit).unwrap_or(0));
        }
        let listing = TokenListing::begin(self.base.random.as_ref());
        // One commit, whatever the number of methods; no commit without methods.
        if !methods.is_empty() {
            let seconds = self.token_seconds(&merchant_id, profile_id).await?;
            // The clock of another server may be ahead of ours.
            let newest = methods.iter().map(|(method, _)| method.created_at).max();
            let give = SavedMethodChange::GiveTokens {
                merchant_id: merchant_id.clone(),
                customer_id: customer_id.clone(),
                listing: listing.clone(),
                listed_at: newest.map_or(now, |newest| newest.max(now)),
                expires_at: now.plus_seconds(seconds).unwrap_or(now),
            };
            let changes = vec![self.store.change(give)];
            let change_set =
                self.base
                    .change_set(origin, Some(&merchant_id), ForKey::Nothing, changes);
            let committed = self.base.commit(change_set).await;
            committed.map_err(AppError::of_commit)?;
        }
        let listed = |(method, recurs): (SavedMethod, bool)| ListedMethod {
            token: listing.token(&method.payment_method_id),
            requires_code: method.requires_code(
                checkout
                    .as_ref()
                    .is_some_and(|checkout| checkout.spares_code),
            ),
            recurs,
            method,
        };
        Ok(ListedMethods {
            methods: methods.into_iter().map(listed).collect(),
            is_guest: checkout.as_ref().map(|_| false),
            checkout,
        })
    }

    /// Returns the lifetime of tokens: the longest checkout of the profile, or of the merchant's default profile where
    /// none is named.
    async fn token_seconds(
        &self,
        merchant_id: &MerchantId,
        profile_id: Option<ProfileId>,
    ) -> Result<i64, AppError> {
        let profile_id = match profile_id {
            Some(profile_id) => Some(profile_id),
            None => {
                let merchant = self.merchants.merchant(merchant_id).await?;
                merchant.and_then(|merchant| merchant.default_profile.clone())
            }
        };
        let profile = match &profile_id {
            Some(profile_id) => self.profiles.profile(merchant_id, profile_id).await?,
            None => None,
        };
        Ok(profile.map_or(TOKEN_SECONDS, |profile| profile.intent_fulfillment_seconds))
    }
}
