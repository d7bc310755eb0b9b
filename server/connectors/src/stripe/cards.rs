//! Cards in Stripe's requests: the data that pays, and the options of a payment.

use multirail_sdk::charge::AuthenticationType;
use multirail_sdk::connector::AuthorizeRequest;
use multirail_sdk::connector::details::Details;
use multirail_sdk::instrument::{PaymentMethodData, SealedToken};
use multirail_sdk::wallet::Wallet;
use serde_json::Value;

use super::address::billing;
use super::generated::wire::{
    Card, CardOptions, CheckCardOptions, CheckOptions, InstallmentPlan, InstallmentPlanInterval,
    InstallmentPlanMust, Installments, MethodData, MethodDataMust, MethodOptions, MethodType,
    ThreeDSecure, Wish,
};
use crate::amounts::NotWritable;
use crate::text::{Secret, Text};

/// The prefix of token ids.
const TOKEN: &str = "tok_";
const LONGEST_TOKEN: usize = 255;

/// Returns the data of a card, or of a token that replaces it.
///
/// # Errors
/// [`NotWritable`] for every other instrument. Routing excludes them.
pub fn data(request: &AuthorizeRequest) -> Result<MethodData<'_>, NotWritable> {
    let (card, holder) = match &request.data {
        PaymentMethodData::Card(card) => {
            let given = Card {
                number: Some(Secret::new(card.number.expose())),
                exp_month: Some(card.expiry.month()),
                exp_year: Some(card.expiry.year()),
                cvc: card.code.as_ref().map(|code| Secret::new(code.expose())),
                ..Card::empty()
            };
            (given, card.holder.name.as_deref())
        }
        PaymentMethodData::NetworkToken(_) => return Err(NotWritable::NETWORK_TOKEN),
        PaymentMethodData::Payer(payer) => return Err(NotWritable::payer_method(payer)),
        PaymentMethodData::BankDebit(account) => return Err(NotWritable::debit(account)),
        PaymentMethodData::Kept(_) => return Err(NotWritable::KEPT_ELSEWHERE),
        PaymentMethodData::Sealed(sealed) => {
            let given = Card {
                token: Some(Text::from(token_of(sealed)?)),
                ..Card::empty()
            };
            (given, None)
        }
    };
    let kind = MethodType::Card;
    Ok(MethodData {
        card: Some(card),
        billing_details: billing(holder, &request.details),
        ..MethodData::with(MethodDataMust { kind })
    })
}

/// Returns the id of the token in Google Pay's data. Google Pay encrypts for the gateway `stripe`,
/// which returns a JSON token of Stripe's own.
fn token_of(sealed: &SealedToken) -> Result<String, NotWritable> {
    let unknown = || NotWritable::instrument_of(sealed.wallet);
    if sealed.wallet != Wallet::GooglePay {
        return Err(unknown());
    }
    let read: Option<Value> = serde_json::from_str(sealed.text.expose()).ok();
    let id = read.as_ref().and_then(|token| token["id"].as_str());
    let is_id = |id: &&str| {
        id.starts_with(TOKEN)
            && id.len() <= LONGEST_TOKEN
            && id
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    id.filter(is_id).map(str::to_owned).ok_or_else(unknown)
}

/// Returns the options of a payment, if one is set. `in_parts`: it may be captured in several parts.
pub fn options(details: &Details, in_parts: bool) -> Option<MethodOptions<'static>> {
    let card = CardOptions {
        request_three_d_secure: three_d_secure(details),
        moto: moto(details),
        installments: installments(details),
        request_multicapture: wish(in_parts),
        request_incremental_authorization: wish(details.may_be_raised),
        request_extended_authorization: wish(details.stands_longer),
        request_overcapture: wish(details.may_be_exceeded),
    };
    Some(MethodOptions {
        card: Some(card.unless_empty()?),
        ..MethodOptions::empty()
    })
}

/// Returns the options of a card check, if one is set.
pub fn check_options(details: &Details) -> Option<CheckOptions> {
    let card = CheckCardOptions {
        request_three_d_secure: three_d_secure(details),
        moto: moto(details),
    };
    let card = Some(card.unless_empty()?);
    Some(CheckOptions { card })
}

fn wish(is_wanted: bool) -> Option<Wish> {
    is_wanted.then_some(Wish::IfAvailable)
}

/// Returns true if the payer ordered by mail or telephone.
fn moto(details: &Details) -> Option<bool> {
    let channel = details.initiation.channel.as_deref();
    matches!(channel, Some("mail_order" | "telephone_order")).then_some(true)
}

/// Returns the merchant's wish for authentication. Absent payers aren't asked.
fn three_d_secure(details: &Details) -> Option<ThreeDSecure> {
    let authentication = &details.authentication;
    let is_present = moto(details).is_none() && details.initiation.off_session != Some(true);
    // A forced challenge overrides the other wishes.
    let wanted = if authentication.force_challenge == Some(true) {
        Some(ThreeDSecure::Challenge)
    } else {
        match authentication.wanted {
            Some(AuthenticationType::ThreeDs) => Some(ThreeDSecure::Any),
            // Stripe then requires authentication only where the law does.
            Some(AuthenticationType::NoThreeDs) | None => None,
        }
    };
    wanted.filter(|_| is_present)
}

/// Returns the monthly plan that the payer chose.
fn installments(details: &Details) -> Option<Installments> {
    let count = details.installments.as_ref()?.number_of_installments?;
    let count = i64::from(count);
    let plan = InstallmentPlan {
        interval: Some(InstallmentPlanInterval::Month),
        ..InstallmentPlan::with(InstallmentPlanMust { count })
    };
    Some(Installments { plan: Some(plan) })
}
