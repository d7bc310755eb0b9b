//! Saved methods, wire to domain and back. (Specification 2.6; facts 7.7)

use multirail_api::saved_methods::{
    AccountPaymentMethodsListQuery, CustomerPaymentMethodsListQuery, PayerPaymentMethodsListQuery,
};
use multirail_app::customers::ports::checkouts::CheckoutSurcharge;
use multirail_app::customers::saved_methods::{
    EphemeralKey, InstrumentToSave, ListedMethod, ListedMethods, Reach, SaveMethod, ShownMethod,
};
use multirail_domain::customers::saved_method::{
    CardUpdate, MethodFilter, MethodParticulars, SavedMethod,
};
use multirail_kernel::country::CountryCode;
use multirail_kernel::ids::{CustomerId, MerchantId};
use multirail_kernel::money::Money;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::card::{CardNumber, Expiry, GivenCardDetails, Network};
use multirail_sdk::payment_method::{PaymentMethod, PaymentMethodType, check_belongs};
use multirail_types as types;

use super::bank_account;
use crate::platform::convert::address::{address_answer, maybe_address};
use crate::platform::convert::words::{ToDomain, ToWire, maybe_word, text_word};

/// Reads a card or an account to save.
///
/// # Errors
/// Members that the schema can't check: an invalid number or expiry, a method that can't be saved, an instrument that
/// is missing, repeated or for another method.
pub fn save(
    merchant_id: MerchantId,
    reach: Reach,
    request: types::SavedMethodCreateRequest,
    now: Timestamp,
) -> Result<SaveMethod, Refusal> {
    let types::SavedMethodCreateRequest {
        payment_method,
        payment_method_type,
        customer_id,
        card,
        payment_method_data,
        card_network,
        payment_method_issuer,
        payment_method_issuer_code,
        metadata,
        billing,
        // The frame has checked the client secret.
        client_secret: _,
        bank_transfer,
        // The frame refuses all values but null.
        wallet: _,
    } = request;
    let method: PaymentMethod = maybe_word(Some(payment_method), "payment_method")?
        .ok_or_else(|| Refusal::missing("payment_method"))?;
    let kind = maybe_word(payment_method_type, "payment_method_type")?;
    let (inside, debit) = match payment_method_data.map(|data| *data) {
        Some(types::SavedMethodData { card, bank_debit }) => (card, bank_debit),
        None => (None, None),
    };
    let cards = (card, inside);
    let has_card = cards.0.is_some() || cards.1.is_some();
    let strangers = [
        ("the card", method != PaymentMethod::Card && has_card),
        (
            "bank_transfer",
            method != PaymentMethod::BankTransfer && bank_transfer.is_some(),
        ),
        (
            "payment_method_data.bank_debit",
            method != PaymentMethod::BankDebit && debit.is_some(),
        ),
    ];
    if let Some((member, _)) = strangers.into_iter().find(|(_, is_there)| *is_there) {
        return Err(Refusal::invalid_value(format!(
            "{member} is not what payment_method {method} stands for"
        )));
    }
    let (instrument, kind) = match method {
        PaymentMethod::Card => {
            let network = maybe_word(card_network, "card_network")?;
            let card = card_to_save(cards, network, now)?;
            (card, judged(method, kind, None)?)
        }
        PaymentMethod::BankTransfer => {
            let account = bank_transfer.map(bank_account::transfer);
            let account = account.ok_or_else(|| Refusal::missing("bank_transfer"))??;
            let kind = judged(method, kind, Some(account.paid_out_as()))?;
            (InstrumentToSave::Account(method, account), kind)
        }
        PaymentMethod::BankDebit => {
            let account = debit.map(bank_account::debit);
            let missing = || Refusal::missing("payment_method_data.bank_debit");
            let account = account.ok_or_else(missing)??;
            let kind = judged(method, kind, Some(account.debited_as()))?;
            (InstrumentToSave::Account(method, account), kind)
        }
        PaymentMethod::CardRedirect
        | PaymentMethod::PayLater
        | PaymentMethod::Wallet
        | PaymentMethod::BankRedirect
        | PaymentMethod::Crypto
        | PaymentMethod::Reward
        | PaymentMethod::RealTimePayment
        | PaymentMethod::Upi
        | PaymentMethod::Voucher
        | PaymentMethod::GiftCard
        | PaymentMethod::OpenBanking
        | PaymentMethod::MobilePayment
        | PaymentMethod::NetworkToken => {
            return Err(Refusal::MethodNotSupported {
                message: format!(
                    "payment_method {method} can't be saved: only card, bank_transfer and bank_debit can"
                ),
            });
        }
    };
    let customer_id = customer_id
        .map(|id| CustomerId::parse(&id).map_err(|invalid| invalid.refusal("customer_id")));
    Ok(SaveMethod {
        merchant_id,
        reach,
        customer_id: customer_id.transpose()?,
        instrument,
        payment_method_type: kind,
        particulars: MethodParticulars {
            issuer: payment_method_issuer,
            issuer_code: payment_method_issuer_code,
            metadata,
            billing: maybe_address(billing, "billing")?,
            consent: None,
            bank_account: None,
            unread: UnreadMembers::default(),
        },
    })
}

/// Returns the payment method type that is given or follows from the instrument, if any.
fn judged(
    method: PaymentMethod,
    said: Option<PaymentMethodType>,
    known: Option<Option<PaymentMethodType>>,
) -> Result<Option<PaymentMethodType>, Refusal> {
    if let Some(said) = said {
        check_belongs(method, said)?;
        if let Some(known) = known.filter(|known| *known != Some(said)) {
            let known = known.map_or("none", PaymentMethodType::as_str);
            return Err(Refusal::invalid_value(format!(
                "payment_method_type {said} is not that of the account, which is {known}"
            )));
        }
    }
    Ok(said.or(known.flatten()))
}

/// Reads a card, which may be in one of two members.
fn card_to_save(
    cards: (Option<types::CardToSave>, Option<types::CardToSave>),
    network: Option<Network>,
    now: Timestamp,
) -> Result<InstrumentToSave, Refusal> {
    let (path, card) = match cards {
        (Some(card), None) => ("card", card),
        (None, Some(card)) => ("payment_method_data.card", card),
        (Some(_), Some(_)) => {
            return Err(Refusal::invalid_value(
                "the card is given twice, as card and as payment_method_data.card",
            ));
        }
        (None, None) => return Err(Refusal::missing("card")),
    };
    let types::CardToSave {
        card_number,
        card_exp_month,
        card_exp_year,
        card_holder_name,
        nick_name,
        card_issuing_country,
        card_network,
        card_issuer,
        card_type,
    } = card;
    let number = CardNumber::parse(card_number.expose());
    let number = number.map_err(|why| Refusal::Malformed {
        member: format!("{path}.card_number"),
        why: why.to_string(),
    })?;
    let expiry = Expiry::parse(&card_exp_month, &card_exp_year, path, now)?;
    let own = maybe_word(card_network, "card_network")?;
    Ok(InstrumentToSave::Card {
        number,
        expiry,
        given: GivenCardDetails {
            holder_name: card_holder_name,
            network: own.or(network),
            issuer: card_issuer,
            issuing_country: card_issuing_country,
            card_type,
            bank_code: None,
            nick_name,
        },
    })
}

/// Converts a request to update a saved method.
pub fn update(request: types::SavedMethodUpdateRequest) -> Option<CardUpdate> {
    let types::SavedMethodUpdateRequest {
        card,
        // The frame has checked the client secret.
        client_secret: _,
    } = request;
    let types::SavedCardUpdate {
        card_exp_month: exp_month,
        card_exp_year: exp_year,
        card_holder_name: holder_name,
        nick_name,
    } = card?;
    Some(CardUpdate {
        exp_month,
        exp_year,
        holder_name,
        nick_name,
    })
}

/// Reads the filters and the limit of a list.
///
/// # Errors
/// A word that this service doesn't know.
pub fn filter(
    query: CustomerPaymentMethodsListQuery,
) -> Result<(MethodFilter, Option<i64>), Refusal> {
    let CustomerPaymentMethodsListQuery {
        // The frame has checked the client secret.
        client_secret: _,
        accepted_countries,
        accepted_currencies,
        amount,
        recurring_enabled,
        installment_payment_enabled,
        limit,
        card_networks,
        card_network,
    } = query;
    let mut networks = words("card_networks", card_networks, network)?;
    networks.extend(words("card_network", card_network, network)?);
    let filter = MethodFilter {
        networks,
        recurring_enabled,
        installment_payment_enabled,
        countries: words(
            "accepted_countries",
            accepted_countries,
            text_word::<types::CountryCode, _>,
        )?,
        currencies: words(
            "accepted_currencies",
            accepted_currencies,
            text_word::<types::Currency, _>,
        )?,
        amount,
    };
    Ok((filter, limit.map(i64::from)))
}

/// Writes a function for a query with the same filters. It names every parameter that both have.
macro_rules! same_filters {
    ($name:ident, $query:ident: $($parameter:ident)+) => {
        /// Returns the client secret, and the filters as those of a customer's list.
        pub fn $name(query: $query) -> (Option<String>, CustomerPaymentMethodsListQuery) {
            let $query { client_secret, $($parameter),+ } = query;
            let filters = CustomerPaymentMethodsListQuery { client_secret: None, $($parameter),+ };
            (client_secret, filters)
        }
    };
}

same_filters! {
    of_payer, PayerPaymentMethodsListQuery:
    accepted_countries accepted_currencies amount recurring_enabled installment_payment_enabled limit card_networks
    card_network
}

same_filters! {
    of_account, AccountPaymentMethodsListQuery:
    accepted_countries accepted_currencies amount recurring_enabled installment_payment_enabled limit card_networks
    card_network
}

fn words<T>(
    member: &str,
    given: Option<String>,
    read: fn(&str) -> Option<T>,
) -> Result<Vec<T>, Refusal> {
    let given = given.unwrap_or_default();
    let words = given.split(',').filter(|word| !word.is_empty());
    words
        .map(|word| read(word).ok_or_else(|| Refusal::unknown_word(member, word)))
        .collect()
}

/// Reads a network's word in any case, as in requests.
fn network(word: &str) -> Option<Network> {
    let mut networks = types::CardNetwork::ALL.iter();
    let network = networks.find(|network| network.as_str().eq_ignore_ascii_case(word))?;
    network.to_domain()
}

/// The reader of an answer.
#[derive(Clone, Copy, Debug)]
pub enum AskedBy {
    Merchant,
    /// A payer's client or app. It gets no fingerprints: by saving one number after another it could find the numbers
    /// behind visible digits.
    Payer,
}

impl AskedBy {
    /// Returns the reader for this reach.
    pub fn from_reach(reach: &Reach) -> Self {
        match reach {
            Reach::Merchant => AskedBy::Merchant,
            Reach::Customer(_) | Reach::PayerOf(_) => AskedBy::Payer,
        }
    }
}

/// Returns the saved method's answer.
pub fn answer(shown: &ShownMethod, asked_by: AskedBy) -> types::SavedMethod {
    let ShownMethod { method, recurs } = shown;
    types::SavedMethod {
        merchant_id: method.merchant_id.to_string(),
        payment_method_id: method.payment_method_id.to_string(),
        customer_id: method.customer_id.to_string(),
        payment_method: method.payment_method.to_wire(),
        payment_method_type: kind(method),
        card: card(method, asked_by),
        recurring_enabled: Some(*recurs),
        installment_payment_enabled: Some(false),
        payment_experience: experience(method),
        metadata: method.particulars.metadata.clone(),
        created: Some(method.created_at.to_datetime()),
        last_used_at: Some(method.last_used_at.to_datetime()),
        bank_transfer: bank_account::paid_out_to(method, asked_by),
        bank: bank_account::debited(method),
        client_secret: None,
    }
}

/// Returns the answer to a list.
pub fn list(
    listed: &ListedMethods,
    surcharge: Option<&types::SavedMethodSurcharge>,
    asked_by: AskedBy,
) -> types::SavedMethodList {
    let methods = listed.methods.iter();
    types::SavedMethodList {
        customer_payment_methods: methods
            .map(|listed| types::CustomerPaymentMethod {
                surcharge_details: surcharge.cloned(),
                ..item(listed, asked_by)
            })
            .collect(),
        is_guest_customer: listed.is_guest,
    }
}

fn item(listed: &ListedMethod, asked_by: AskedBy) -> types::CustomerPaymentMethod {
    let ListedMethod {
        method,
        token,
        requires_code,
        recurs,
    } = listed;
    types::CustomerPaymentMethod {
        payment_token: token.to_string(),
        payment_method_id: method.payment_method_id.to_string(),
        customer_id: method.customer_id.to_string(),
        payment_method: method.payment_method.to_wire(),
        payment_method_type: kind(method),
        payment_method_issuer: method.particulars.issuer.clone(),
        payment_method_issuer_code: method.particulars.issuer_code.clone(),
        requires_cvv: *requires_code,
        default_payment_method_set: method.is_default,
        recurring_enabled: Some(*recurs),
        installment_payment_enabled: Some(false),
        payment_experience: experience(method),
        card: card(method, asked_by),
        metadata: method.particulars.metadata.clone(),
        created: Some(method.created_at.to_datetime()),
        last_used_at: Some(method.last_used_at.to_datetime()),
        bank_transfer: bank_account::paid_out_to(method, asked_by),
        bank: bank_account::debited(method),
        surcharge_details: None,
        billing: method.particulars.billing.clone().map(address_answer),
    }
}

fn card(method: &SavedMethod, asked_by: AskedBy) -> Option<types::SavedCard> {
    let card = method.card.as_ref()?;
    let (details, holder) = (&card.details, &card.holder);
    let network = details.network;
    let country = details.issuing_country.as_deref();
    let country_code = country.and_then(|country| country.parse::<CountryCode>().ok());
    Some(types::SavedCard {
        saved_to_locker: true,
        scheme: network.map(|network| network.as_str().to_owned()),
        issuer_country: details.issuing_country.clone(),
        issuer_country_code: country_code.map(|code| code.to_string()),
        last4_digits: Some(details.last4.clone()),
        expiry_month: Some(details.exp_month.clone()),
        expiry_year: Some(details.exp_year.clone()),
        card_token: None,
        card_holder_name: holder.name.clone(),
        card_fingerprint: match asked_by {
            AskedBy::Merchant => Some(card.fingerprint.to_string()),
            AskedBy::Payer => None,
        },
        nick_name: holder.nick_name.clone(),
        card_network: network.map(ToWire::to_wire),
        card_isin: details.isin.clone(),
        card_issuer: details.issuer.clone(),
        card_type: details.card_type.clone(),
    })
}

fn kind(method: &SavedMethod) -> Option<types::PaymentMethodType> {
    let kind = method.payment_method_type;
    kind.map(|kind| kind.to_wire())
}

/// Returns the payment experiences of a method. Every card payment may lead the payer to a page; accounts have none.
fn experience(method: &SavedMethod) -> Option<Vec<types::PaymentExperience>> {
    let is_card = method.card.is_some();
    is_card.then(|| vec![types::PaymentExperience::RedirectToUrl])
}

/// Returns the answer to the choice of a default.
pub fn default(method: &SavedMethod) -> types::CustomerDefaultMethod {
    types::CustomerDefaultMethod {
        default_payment_method_id: Some(method.payment_method_id.to_string()),
        customer_id: method.customer_id.to_string(),
        payment_method: method.payment_method.to_wire(),
        payment_method_type: kind(method),
    }
}

/// Returns the answer to a new ephemeral key.
pub fn ephemeral_key(key: &EphemeralKey) -> types::EphemeralKey {
    types::EphemeralKey {
        customer_id: key.customer_id.to_string(),
        created_at: key.created_at.unix_seconds(),
        expires: key.expires_at.unix_seconds(),
        secret: key.secret.expose().to_owned(),
    }
}

/// Returns the surcharge of a payment, whatever method pays it.
pub fn surcharge(surcharge: &CheckoutSurcharge) -> types::SavedMethodSurcharge {
    let CheckoutSurcharge { amount, tax } = *surcharge;
    // A double represents every possible amount as closely as its text.
    let major = |minor| {
        let text = Money::new(minor, amount.currency).in_major_units();
        text.parse::<f64>().unwrap_or_default()
    };
    types::SavedMethodSurcharge {
        surcharge: types::SurchargeRate {
            type_: "fixed".to_owned(),
            value: amount.amount_minor as f64,
        },
        display_surcharge_amount: major(amount.amount_minor),
        display_tax_on_surcharge_amount: major(tax),
        display_total_surcharge_amount: major(amount.amount_minor + tax),
        tax_on_surcharge: None,
    }
}
