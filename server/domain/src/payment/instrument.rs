//! The payment instrument: what the caller gives, checked, and what is kept of it. (Specification 4.12)

use serde::{Deserialize, Serialize};

use crate::address::Address;
use crate::card::{Card, CardCode, CardDetails, CardNumber, Expiry, GivenCardDetails};
use crate::payment::recurring::{Recurring, RecurringInput};
use crate::payment::saved::{AttemptMethod, MethodRole, check_not_expired};
use crate::payment_method::{PaymentMethod, PaymentMethodType, check_type};
use crate::refusal::Refusal;
use crate::saved_method::TokenMethod;
use crate::secret::SecretText;
use crate::timestamp::Timestamp;
use crate::unread::UnreadMembers;

/// What is kept of an instrument: nothing that could pay again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Instrument {
    pub payment_method: PaymentMethod,
    pub payment_method_type: Option<PaymentMethodType>,
    /// Under its family's name, such as `card`.
    #[serde(flatten)]
    pub details: InstrumentDetails,
    /// Billing address given with the instrument.
    pub billing: Option<Box<Address>>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// What is kept and shown of an instrument, by family.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InstrumentDetails {
    Card(CardDetails),
}

/// An instrument with all that it takes to pay, as it goes to the processor. It doesn't print, and it rests sealed or not
/// at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PaymentMethodData {
    Card(Card),
}

impl InstrumentDetails {
    /// Those of a card, if it is one.
    pub fn card(&self) -> Option<&CardDetails> {
        match self {
            InstrumentDetails::Card(card) => Some(card),
        }
    }
}

impl PaymentMethodData {
    /// It is a card without its code.
    pub fn lacks_code(&self) -> bool {
        match self {
            PaymentMethodData::Card(card) => card.code.is_none(),
        }
    }

    /// What may be kept and shown of it.
    pub(super) fn details(&self) -> InstrumentDetails {
        match self {
            PaymentMethodData::Card(card) => InstrumentDetails::Card(card.details.clone()),
        }
    }
}

/// The instrument members of a create, update or confirm. Absent members are `None`.
#[derive(Clone, Debug, Default)]
pub struct InstrumentInput {
    pub payment_method: Option<PaymentMethod>,
    pub payment_method_type: Option<PaymentMethodType>,
    pub card: Option<CardInput>,
    /// Names of the other families given in `payment_method_data`, such as `wallet`.
    pub other_families: Vec<&'static str>,
    pub billing: Option<Box<Address>>,
    pub token: Option<TokenInput>,
    /// A `card_cvc` beside `payment_method_data`, as belongs to a token.
    pub token_code: Option<SecretText>,
    /// What else is said of the saved card behind a token.
    pub token_holder_name: Option<String>,
    /// What is charged without the payer (`recurring_details`).
    pub recurring: Option<RecurringInput>,
}

/// A `payment_token`.
#[derive(Clone, Debug)]
pub struct TokenInput {
    /// As the caller wrote it.
    pub text: SecretText,
    /// What it stands for, where it stands for anything that this payment's customer has saved.
    pub found: Option<Box<TokenMethod>>,
    /// It was given before, and with it the card's code, which may be gone by now.
    pub code_was_given: bool,
}

/// An instrument that was given, checked.
#[derive(Debug)]
pub struct GivenInstrument {
    pub instrument: Instrument,
    pub data: PaymentMethodData,
    /// The saved method, where one pays.
    pub method: Option<Box<AttemptMethod>>,
    /// By what it is charged without the payer, where it is.
    pub recurring: Option<Box<Recurring>>,
}

/// A card as the caller wrote it.
#[derive(Clone, Debug)]
pub struct CardInput {
    pub number: SecretText,
    pub exp_month: String,
    pub exp_year: String,
    pub code: SecretText,
    pub given: GivenCardDetails,
}

const CARD: &str = "payment_method_data.card";

impl InstrumentInput {
    /// Whether the caller named any instrument at all.
    pub fn is_empty(&self) -> bool {
        self.payment_method.is_none()
            && self.payment_method_type.is_none()
            && self.card.is_none()
            && self.other_families.is_empty()
            && self.billing.is_none()
            && self.token.is_none()
            && self.token_code.is_none()
            && self.token_holder_name.is_none()
            && self.recurring.is_none()
    }

    /// Whether it says what pays, and not only more of it.
    pub fn names_data(&self) -> bool {
        self.token.is_some()
            || self.card.is_some()
            || !self.other_families.is_empty()
            || self.recurring.is_some()
    }

    /// Checks what was given. `None` when nothing was.
    ///
    /// # Errors
    /// The refusals of specification 7 that concern instruments; each names its member.
    pub fn check(mut self, now: Timestamp) -> Result<Option<GivenInstrument>, Refusal> {
        if self.is_empty() {
            return Ok(None);
        }
        if let Some(recurring) = self.recurring.take() {
            return self.check_recurring(recurring, now).map(Some);
        }
        if self.token.is_some() {
            return self.check_token(now).map(Some);
        }
        if self.token_holder_name.is_some() {
            return Err(Refusal::invalid_value(
                "payment_method_data.card_token belongs to payment_token",
            ));
        }
        if self.token_code.is_some() {
            return Err(Refusal::invalid_value(
                "card_cvc belongs to payment_token: the code of a card is payment_method_data.card.card_cvc",
            ));
        }
        let Some(method) = self.payment_method else {
            return Err(Refusal::missing("payment_method"));
        };
        check_type(method, self.payment_method_type)?;
        if let Some(family) = self.other_families.first() {
            if self.card.is_some() || self.other_families.len() > 1 {
                return Err(Refusal::invalid_value(
                    "payment_method_data takes exactly one instrument",
                ));
            }
            if *family != method.as_str() {
                return Err(mismatch(method));
            }
            return Err(not_taken(method));
        }
        let Some(card) = self.card else {
            return Err(Refusal::missing("payment_method_data"));
        };
        if method != PaymentMethod::Card {
            return Err(mismatch(method));
        }
        let data = PaymentMethodData::Card(card.check(now)?);
        let instrument = Instrument {
            payment_method: method,
            payment_method_type: self.payment_method_type,
            details: data.details(),
            billing: self.billing,
            unread: UnreadMembers::default(),
        };
        Ok(Some(GivenInstrument {
            instrument,
            data,
            method: None,
            recurring: None,
        }))
    }

    fn check_token(self, now: Timestamp) -> Result<GivenInstrument, Refusal> {
        let token = self.token.ok_or(Refusal::TokenInvalid)?;
        let found = token.found.ok_or(Refusal::TokenInvalid)?;
        if self.card.is_some() || !self.other_families.is_empty() {
            return Err(Refusal::invalid_value(
                "payment_token and payment_method_data can't both say what pays",
            ));
        }
        if let Some(method) = self.payment_method {
            if method != PaymentMethod::Card {
                return Err(Refusal::invalid_value(format!(
                    "payment_token stands for a card, and not for payment_method {method}"
                )));
            }
            check_type(method, self.payment_method_type)?;
        }
        let TokenMethod {
            token: stood,
            payment_method_id,
            customer_id: _,
            mut card,
            payment_method_type,
            billing,
        } = *found;
        check_not_expired(card.expiry, now)?;
        let code = self.token_code;
        card.code = code
            .map(|code| CardCode::parse(code.expose(), "card_cvc"))
            .transpose()?;
        if let Some(name) = self.token_holder_name.filter(|name| !name.is_empty()) {
            card.details.holder_name.get_or_insert(name);
        }
        let code_was_given = token.code_was_given || card.code.is_some();
        let data = PaymentMethodData::Card(card);
        Ok(GivenInstrument {
            instrument: Instrument {
                payment_method: PaymentMethod::Card,
                payment_method_type: self.payment_method_type.or(payment_method_type),
                details: data.details(),
                billing: self.billing.or(billing),
                unread: UnreadMembers::default(),
            },
            data,
            method: Some(Box::new(AttemptMethod {
                payment_method_id,
                role: MethodRole::Pays,
                token: Some(stood),
                code_was_given: Some(code_was_given),
                unread: UnreadMembers::default(),
            })),
            recurring: None,
        })
    }
}

impl CardInput {
    fn check(self, now: Timestamp) -> Result<Card, Refusal> {
        let number = CardNumber::parse(self.number.expose()).map_err(|why| Refusal::Malformed {
            member: format!("{CARD}.card_number"),
            why: why.to_string(),
        })?;
        let code = CardCode::parse(self.code.expose(), &format!("{CARD}.card_cvc"))?;
        let expiry = Expiry::parse(&self.exp_month, &self.exp_year, CARD, now)?;
        Ok(Card::new(number, Some(code), expiry, self.given))
    }
}

fn mismatch(method: PaymentMethod) -> Refusal {
    Refusal::invalid_value(format!(
        "payment_method_data is not the data of payment_method {method}"
    ))
}

fn not_taken(method: PaymentMethod) -> Refusal {
    Refusal::MethodNotSupported {
        message: format!("no connector that is built takes payment_method {method} yet"),
    }
}
