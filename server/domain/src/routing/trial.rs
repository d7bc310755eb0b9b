//! A payment that nobody makes, to see where it would go.

use multirail_kernel::country::CountryCode;
use multirail_kernel::ids::{CustomerId, MerchantId, PaymentId, ProfileId};
use multirail_kernel::open_json;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::card::{CardDetails, Network};
use multirail_sdk::instrument::{Instrument, InstrumentDetails, WalletDetails};
use multirail_sdk::payment_method::{PaymentMethod, PaymentMethodType, check_type};
use multirail_sdk::wallet::Wallet;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::evaluate::Facts;
use super::straight_through::StraightThrough;
use crate::payment::create::Create;
use crate::payment::{Changes, Particulars, PayerDetails, Payment};

/// A payment as far as routing looks at it.
#[derive(Clone, Debug)]
pub struct Trial {
    /// With what would pay it.
    pub payment: Payment,
    /// The chance of a split, where it is to be a certain one.
    pub draw: Option<u32>,
}

/// What a trial may say.
const MEMBERS: [&str; 17] = [
    "amount",
    "currency",
    "payment_method",
    "payment_method_type",
    "card",
    "billing_country",
    "capture_method",
    "authentication_type",
    "setup_future_usage",
    "off_session",
    "business_country",
    "business_label",
    "metadata",
    "routing",
    "request_extended_authorization",
    "enable_overcapture",
    "draw",
];

const CARD_MEMBERS: [&str; 5] = [
    "card_bin",
    "card_network",
    "card_type",
    "card_issuer",
    "card_issuing_country",
];

impl Trial {
    /// Reads it. Members are called as those of a payment; of the card only what may be known of it.
    ///
    /// # Errors
    /// Naming the member that is missing, has another form or can't be.
    pub fn parse(value: &Value, now: Timestamp) -> Result<Self, Refusal> {
        let given = open_json::object(value, "payment", &MEMBERS)?;
        let given = Given(given);
        let instrument = instrument(&given)?;
        let notes = given.member::<Map<String, Value>>("metadata", "an object")?;
        let notes = notes.map(|metadata| ("metadata".to_owned(), Value::Object(metadata)));
        let setup_future_usage = given.word("setup_future_usage")?;
        let routing = given.0.get("routing").filter(|routing| !routing.is_null());
        let changes = Changes {
            amount: Some(given.required("amount", "a whole number")?),
            currency: Some(given.required("currency", "a currency")?),
            capture_method: given.word("capture_method")?,
            authentication_type: given.word("authentication_type")?,
            // An instrument is kept for somebody; here it is nobody.
            customer_id: setup_future_usage.map(|_| CustomerId::parse("nobody").expect("an id")),
            setup_future_usage,
            enable_overcapture: given.member("enable_overcapture", "true or false")?,
            routing: routing.map(StraightThrough::parse).transpose()?,
            particulars: Particulars {
                business_country: given.word("business_country")?,
                business_label: given.member("business_label", "a text")?,
                off_session: given.member("off_session", "true or false")?,
                request_extended_authorization: given
                    .member("request_extended_authorization", "true or false")?,
                notes: notes.into_iter().collect(),
                ..Particulars::default()
            },
            payer: PayerDetails {
                billing: billing(&given)?,
                ..PayerDetails::default()
            },
            ..Changes::default()
        };
        let created = Payment::create(
            Create {
                merchant_id: MerchantId::parse("nobody").expect("an id"),
                payment_id: PaymentId::parse("pay_trial").expect("an id"),
                profile_id: ProfileId::parse("pro_trial").expect("an id"),
                publishable_key: String::new(),
                initiator: None,
                owner: None,
                named_merchant_id: None,
                session_expiry_seconds: 900,
                confirm_at_once: false,
                changes,
            },
            now,
        )?;
        let mut payment = created.payment;
        payment.active_mut().instrument = Some(instrument);
        Ok(Trial {
            payment,
            draw: given.member("draw", "a whole number, not negative")?,
        })
    }

    /// The same as if it were made in this profile.
    #[must_use]
    pub fn of(mut self, merchant_id: MerchantId, profile_id: ProfileId) -> Self {
        self.payment.merchant_id = merchant_id;
        self.payment.profile_id = profile_id;
        self
    }

    /// What would pay it.
    ///
    /// # Panics
    /// Never: a trial that was read has one.
    pub fn instrument(&self) -> &Instrument {
        self.payment.instrument().expect("read with the trial")
    }

    /// As rules see it.
    pub fn facts(&self) -> Facts<'_> {
        self.payment.facts(self.payment.instrument())
    }
}

fn billing(given: &Given<'_>) -> Result<Option<Box<multirail_kernel::address::Address>>, Refusal> {
    let Some(country) = given.word::<CountryCode>("billing_country")? else {
        return Ok(None);
    };
    let address = serde_json::json!({ "address": { "country": country } });
    let address = serde_json::from_value(address);
    let address = address.map_err(|_| open_json::malformed("billing_country", "is none"))?;
    Ok(Some(Box::new(address)))
}

fn instrument(given: &Given<'_>) -> Result<Instrument, Refusal> {
    let method = given.word("payment_method")?.unwrap_or(PaymentMethod::Card);
    let kind = given.word("payment_method_type")?;
    check_type(method, kind)?;
    let details = match method {
        PaymentMethod::Card => InstrumentDetails::Card(card(given)?),
        PaymentMethod::NetworkToken => InstrumentDetails::NetworkToken(card(given)?),
        PaymentMethod::Wallet => InstrumentDetails::Wallet(wallet(given, kind)?),
        PaymentMethod::CardRedirect
        | PaymentMethod::PayLater
        | PaymentMethod::BankRedirect
        | PaymentMethod::BankTransfer
        | PaymentMethod::Crypto
        | PaymentMethod::BankDebit
        | PaymentMethod::Reward
        | PaymentMethod::RealTimePayment
        | PaymentMethod::Upi
        | PaymentMethod::Voucher
        | PaymentMethod::GiftCard
        | PaymentMethod::OpenBanking
        | PaymentMethod::MobilePayment => {
            return Err(Refusal::MethodNotSupported {
                message: format!("no connector takes payment_method {method}"),
            });
        }
    };
    Ok(Instrument {
        payment_method: method,
        payment_method_type: kind,
        details,
        billing: None,
        unread: UnreadMembers::default(),
    })
}

/// What may be known of a card.
fn card(given: &Given<'_>) -> Result<CardDetails, Refusal> {
    let nothing = Map::new();
    let card = given.card(&nothing)?;
    let bin: Option<String> = card.member("card_bin", "a text")?;
    let is_bin =
        |bin: &String| (6..=8).contains(&bin.len()) && bin.bytes().all(|b| b.is_ascii_digit());
    if bin.as_ref().is_some_and(|bin| !is_bin(bin)) {
        return Err(Refusal::invalid_format("card.card_bin", "6 to 8 digits"));
    }
    let network: Option<Network> = card.word("card_network")?;
    Ok(CardDetails {
        last4: String::new(),
        isin: bin.as_ref().map(|bin| bin[..6].to_owned()),
        network: network.or_else(|| Network::of(bin.as_deref()?)),
        extended_bin: bin,
        exp_month: String::new(),
        exp_year: String::new(),
        holder_name: None,
        issuer: card.member("card_issuer", "a text")?,
        issuing_country: card.member("card_issuing_country", "a text")?,
        card_type: card.member("card_type", "a text")?,
        bank_code: None,
        nick_name: None,
        unread: UnreadMembers::default(),
    })
}

/// A wallet that sealed what pays, and what it says of the card in it.
fn wallet(given: &Given<'_>, kind: Option<PaymentMethodType>) -> Result<WalletDetails, Refusal> {
    let kind = kind.ok_or_else(|| Refusal::missing("payment_method_type"))?;
    let mut wallets = Wallet::ALL.iter().copied();
    let wallet = wallets.find(|wallet| wallet.payment_method_types().contains(&kind));
    let wallet = wallet.ok_or_else(|| Refusal::MethodNotSupported {
        message: format!("no connector takes payment_method_type {kind}"),
    })?;
    let nothing = Map::new();
    let card = given.card(&nothing)?;
    let network: Option<Network> = card.word("card_network")?;
    Ok(WalletDetails {
        wallet,
        last4: None,
        card_network: network.map(|network| network.to_string()),
        kind: card.member("card_type", "a text")?,
        is_open: None,
        unread: UnreadMembers::default(),
    })
}

/// The members of an object that are called by their own names.
struct Given<'a>(&'a Map<String, Value>);

impl<'a> Given<'a> {
    /// The members of `card`.
    fn card(&self, nothing: &'a Map<String, Value>) -> Result<Given<'a>, Refusal> {
        match self.0.get("card").filter(|card| !card.is_null()) {
            None => Ok(Given(nothing)),
            Some(card) => Ok(Given(open_json::object(card, "card", &CARD_MEMBERS)?)),
        }
    }

    fn member<T: DeserializeOwned>(
        &self,
        name: &str,
        expected: &str,
    ) -> Result<Option<T>, Refusal> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => T::deserialize(value)
                .map(Some)
                .map_err(|_| open_json::malformed(name, &format!("has to be {expected}"))),
        }
    }

    fn required<T: DeserializeOwned>(&self, name: &str, expected: &str) -> Result<T, Refusal> {
        let member = self.member(name, expected)?;
        member.ok_or_else(|| Refusal::missing(name))
    }

    fn word<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, Refusal> {
        self.member(name, "one of the words of the contract")
    }
}
