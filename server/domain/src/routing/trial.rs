//! A trial: a hypothetical payment that shows how routing would treat it.

use std::fmt;

use multirail_kernel::country::CountryCode;
use multirail_kernel::currency::Currency;
use multirail_kernel::open_json;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::bank_account::{BankAccountDetails, BankScheme};
use multirail_sdk::card::{CardDetails, Network};
use multirail_sdk::charge::{AuthenticationType, CaptureMethod, FutureUsage};
use multirail_sdk::instrument::{
    Instrument, InstrumentDetails, InstrumentHolder, PaymentMethodData, WalletDetails,
};
use multirail_sdk::payer_method::{PayerMethod, Variety};
use multirail_sdk::payment_method::{PaymentMethod, PaymentMethodType, check_type};
use multirail_sdk::wallet::Wallet;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::facts::Facts;
use super::record::RoutingRecord;
use super::straight_through::StraightThrough;
use super::strategy::RoutingStrategy;
use super::trace::ThreeDsDecided;

/// The routing view of a hypothetical payment. The payments module implements it, because it has the rules about a payment's
/// terms.
pub trait Trial: fmt::Debug + Send + Sync {
    /// Applies these rules for 3-D Secure, as for a payment.
    fn decide_three_ds(&mut self, rules: Option<&RoutingRecord>, routing: &dyn RoutingStrategy);

    /// Returns the decision about 3-D Secure.
    fn three_ds(&self) -> Option<&ThreeDsDecided>;

    /// Returns the payment method.
    fn instrument(&self) -> &Instrument;

    /// Returns the facts that rules evaluate.
    fn facts(&self) -> Facts<'_>;

    /// Returns the fixed random number of a split, if the caller sent one.
    fn draw(&self) -> Option<u32>;
}

/// Makes a trial from its request, or refuses it like a payment with these members.
pub type MakeTrial = fn(TrialRequest, Timestamp) -> Result<Box<dyn Trial>, Refusal>;

/// The members of a trial's request.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialRequest {
    pub amount: i64,
    pub currency: Currency,
    pub payment_method: Option<PaymentMethod>,
    pub payment_method_type: Option<PaymentMethodType>,
    pub card: TrialCard,
    pub billing_country: Option<CountryCode>,
    pub capture_method: Option<CaptureMethod>,
    pub authentication_type: Option<AuthenticationType>,
    pub setup_future_usage: Option<FutureUsage>,
    pub off_session: Option<bool>,
    pub business_country: Option<CountryCode>,
    pub business_label: Option<String>,
    pub metadata: Option<Map<String, Value>>,
    pub routing: Option<StraightThrough>,
    pub request_extended_authorization: Option<bool>,
    pub enable_overcapture: Option<bool>,
    /// A fixed random number for splits.
    pub draw: Option<u32>,
}

/// The known data of a card.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrialCard {
    pub bin: Option<String>,
    pub network: Option<Network>,
    pub card_type: Option<String>,
    pub issuer: Option<String>,
    pub issuing_country: Option<String>,
}

/// Members of a trial.
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

impl TrialRequest {
    /// Reads a request. Its members have the names of a payment's; `card` has only non-secret ones.
    ///
    /// # Errors
    /// A refusal that names the member that is missing or has another form.
    pub fn parse(value: &Value) -> Result<Self, Refusal> {
        let given = open_json::object(value, "payment", &MEMBERS)?;
        let given = Given(given);
        let routing = given.0.get("routing").filter(|routing| !routing.is_null());
        Ok(TrialRequest {
            payment_method: given.word("payment_method")?,
            payment_method_type: given.word("payment_method_type")?,
            card: given.card()?,
            metadata: given.member("metadata", "an object")?,
            setup_future_usage: given.word("setup_future_usage")?,
            amount: given.required("amount", "a whole number")?,
            currency: given.required("currency", "a currency")?,
            capture_method: given.word("capture_method")?,
            authentication_type: given.word("authentication_type")?,
            enable_overcapture: given.member("enable_overcapture", "true or false")?,
            routing: routing.map(StraightThrough::parse).transpose()?,
            business_country: given.word("business_country")?,
            business_label: given.member("business_label", "a text")?,
            off_session: given.member("off_session", "true or false")?,
            request_extended_authorization: given
                .member("request_extended_authorization", "true or false")?,
            billing_country: given.word("billing_country")?,
            draw: given.member("draw", "a whole number, not negative")?,
        })
    }

    /// Returns the payment method of the trial.
    ///
    /// # Errors
    /// A refusal for a type of another method, a method that no connector accepts, or invalid leading digits.
    pub fn instrument(&self) -> Result<Instrument, Refusal> {
        let method = self.payment_method.unwrap_or(PaymentMethod::Card);
        let kind = self.payment_method_type;
        check_type(method, kind)?;
        if let Some(variety) = kind.and_then(Variety::of_type) {
            let method = PaymentMethodData::Payer(Box::new(PayerMethod::new(variety.kind).into()));
            return Ok(method.instrument(variety.method, kind, None));
        }
        let debited = kind.filter(|_| method == PaymentMethod::BankDebit);
        let debited = debited.and_then(BankScheme::debited_by);
        let details = match (method, debited) {
            (PaymentMethod::BankDebit, Some(scheme)) => {
                InstrumentDetails::BankDebit(BankAccountDetails::new(scheme))
            }
            (PaymentMethod::Card, _) => InstrumentDetails::Card(self.card.details()?),
            (PaymentMethod::NetworkToken, _) => {
                InstrumentDetails::NetworkToken(self.card.details()?)
            }
            (PaymentMethod::Wallet, _) => InstrumentDetails::Wallet(self.card.in_wallet(kind)?),
            (
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
                | PaymentMethod::MobilePayment,
                _,
            ) => {
                return Err(Refusal::MethodNotSupported {
                    message: format!("no connector takes payment_method {method}"),
                });
            }
        };
        Ok(Instrument {
            payment_method: method,
            payment_method_type: kind,
            details,
            holder: InstrumentHolder::default(),
            unread: UnreadMembers::default(),
        })
    }
}

impl TrialCard {
    /// Returns the card details that a payment would have.
    fn details(&self) -> Result<CardDetails, Refusal> {
        let bin = self.bin.clone();
        let is_bin =
            |bin: &String| (6..=8).contains(&bin.len()) && bin.bytes().all(|b| b.is_ascii_digit());
        if bin.as_ref().is_some_and(|bin| !is_bin(bin)) {
            return Err(Refusal::invalid_format("card.card_bin", "6 to 8 digits"));
        }
        Ok(CardDetails {
            last4: String::new(),
            isin: bin.as_ref().map(|bin| bin[..6].to_owned()),
            network: self
                .network
                .or_else(|| Network::from_digits(bin.as_deref()?)),
            extended_bin: bin,
            exp_month: String::new(),
            exp_year: String::new(),
            issuer: self.issuer.clone(),
            issuing_country: self.issuing_country.clone(),
            card_type: self.card_type.clone(),
            bank_code: None,
            unread: UnreadMembers::default(),
        })
    }

    /// Returns a wallet with a sealed token, and the card data that it shows.
    fn in_wallet(&self, kind: Option<PaymentMethodType>) -> Result<WalletDetails, Refusal> {
        let kind = kind.ok_or_else(|| Refusal::missing("payment_method_type"))?;
        let mut wallets = Wallet::ALL.iter().copied();
        let wallet = wallets.find(|wallet| wallet.payment_method_types().contains(&kind));
        let wallet = wallet.ok_or_else(|| Refusal::MethodNotSupported {
            message: format!("no connector takes payment_method_type {kind}"),
        })?;
        Ok(WalletDetails {
            wallet,
            last4: None,
            card_network: self.network.map(|network| network.to_string()),
            kind: self.card_type.clone(),
            is_open: None,
            unread: UnreadMembers::default(),
        })
    }
}

/// An object whose members refusals call by their own names.
struct Given<'a>(&'a Map<String, Value>);

impl Given<'_> {
    /// Reads the members of `card`.
    fn card(&self) -> Result<TrialCard, Refusal> {
        let Some(card) = self.0.get("card").filter(|card| !card.is_null()) else {
            return Ok(TrialCard::default());
        };
        let card = Given(open_json::object(card, "card", &CARD_MEMBERS)?);
        Ok(TrialCard {
            bin: card.member("card_bin", "a text")?,
            network: card.word("card_network")?,
            card_type: card.member("card_type", "a text")?,
            issuer: card.member("card_issuer", "a text")?,
            issuing_country: card.member("card_issuing_country", "a text")?,
        })
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
