//! Cards in Stripe's requests: the data that pays, and the options of a payment.

use std::collections::BTreeMap;

use multirail_sdk::charge::AuthenticationType;
use multirail_sdk::connector::AuthorizeRequest;
use multirail_sdk::connector::details::Details;
use multirail_sdk::instrument::{PaymentMethodData, SealedToken};
use multirail_sdk::wallet::Wallet;
use serde_json::Value;

use super::address::billing;
use super::wire;
use crate::amounts::NotWritable;

/// The type of cards.
pub const CARD: &str = "card";

/// The prefix of token ids.
const TOKEN: &str = "tok_";
const LONGEST_TOKEN: usize = 255;

/// Returns the data of a card or a wallet's token.
///
/// # Errors
/// [`NotWritable`] for every other instrument. Routing excludes them.
pub fn card_data(request: &AuthorizeRequest) -> Result<wire::MethodData<'_>, NotWritable> {
    let (card, holder) = match &request.data {
        PaymentMethodData::Card(card) => {
            let holder = card.holder.name.clone();
            let card = wire::Card {
                number: Some(card.number.expose()),
                exp_month: Some(card.expiry.month()),
                exp_year: Some(card.expiry.year()),
                cvc: card.code.as_ref().map(|code| code.expose()),
                token: None,
            };
            (card, holder)
        }
        PaymentMethodData::NetworkToken(_) => return Err(NotWritable::NETWORK_TOKEN),
        PaymentMethodData::Payer(payer) => return Err(NotWritable::payer_method(payer)),
        PaymentMethodData::BankDebit(account) => return Err(NotWritable::debit(account)),
        PaymentMethodData::Kept(_) => return Err(NotWritable::KEPT_ELSEWHERE),
        PaymentMethodData::Sealed(sealed) => {
            let card = wire::Card {
                token: Some(token_of(sealed)?),
                ..wire::Card::default()
            };
            (card, None)
        }
    };
    Ok(wire::MethodData {
        kind: CARD,
        card: Some(card),
        choices: BTreeMap::new(),
        billing_details: billing(holder, &request.details),
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

/// Returns the options that payments and card checks have.
pub fn card_options(details: &Details) -> wire::CardOptions {
    let authentication = &details.authentication;
    let by_post_or_phone = matches!(
        details.initiation.channel.as_deref(),
        Some("mail_order" | "telephone_order")
    );
    let present = !by_post_or_phone && details.initiation.off_session != Some(true);
    let wanted = match authentication.wanted {
        // A forced challenge overrides the other wishes.
        _ if authentication.force_challenge == Some(true) => Some("challenge"),
        Some(AuthenticationType::ThreeDs) => Some("any"),
        // Stripe then requires authentication only where the law does.
        Some(AuthenticationType::NoThreeDs) | None => None,
    };
    wire::CardOptions {
        request_three_d_secure: wanted.filter(|_| present),
        request_multicapture: None,
        request_incremental_authorization: None,
        request_extended_authorization: None,
        request_overcapture: None,
        moto: by_post_or_phone.then_some(true),
        installments: None,
    }
}

/// Returns `None` if no option is set.
pub fn options(card: wire::CardOptions) -> Option<wire::MethodOptions<'static>> {
    (card != wire::CardOptions::default()).then(|| wire::MethodOptions {
        card: Some(card),
        ..wire::MethodOptions::default()
    })
}

/// Returns the monthly plan that the payer chose.
pub fn installments(details: &Details) -> Option<wire::Installments> {
    let count = details.installments.as_ref()?.number_of_installments?;
    Some(wire::Installments {
        plan: wire::InstallmentPlan {
            kind: "fixed_count",
            interval: "month",
            count,
        },
    })
}
