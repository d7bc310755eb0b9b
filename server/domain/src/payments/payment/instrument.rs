//! The payment method as the caller sends it, and its checks. (Specification 4.12)

use multirail_kernel::address::Address;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::bank_account::BankScheme;
use multirail_sdk::card::{Card, CardCode, CardNumber, Expiry, GivenCardDetails};
use multirail_sdk::consent::Consent;
use multirail_sdk::instrument::{
    Instrument, InstrumentDetails, PaymentMethodData, SealedToken, WalletDetails,
};
use multirail_sdk::payer_method::Variety;
use multirail_sdk::payment_method::{PaymentMethod, PaymentMethodType, check_type};
use multirail_sdk::wallet::Wallet;

use crate::customers::mandate::Mandate;
use crate::payments::payment::bank_debit::BankDebitInput;
use crate::payments::payment::payer_method::PayerMethodInput;
use crate::payments::payment::payment_token::TokenInput;
use crate::payments::payment::recurring::{Recurring, RecurringInput};
use crate::payments::payment::saved::AttemptMethod;
use crate::payments::payment::wallet::{
    TokenInput as NetworkTokenInput, TokenMembers, WalletData, WalletInput,
};

/// The payment method members of a create, update or confirm. Absent members are `None`.
#[derive(Clone, Debug, Default)]
pub struct InstrumentInput {
    pub payment_method: Option<PaymentMethod>,
    pub payment_method_type: Option<PaymentMethodType>,
    pub card: Option<CardInput>,
    pub wallet: Option<Box<WalletInput>>,
    pub network_token: Option<Box<NetworkTokenInput>>,
    /// A method that the payer finishes elsewhere.
    pub payer: Option<Box<PayerMethodInput>>,
    /// A bank account to debit.
    pub debit: Option<Box<BankDebitInput>>,
    /// The other families in `payment_method_data`, such as `voucher`, and families with members that nothing accepts.
    pub other_families: Vec<&'static str>,
    /// A family with several methods, such as `wallet`, is present and has no member.
    pub family_is_empty: bool,
    pub billing: Option<Box<Address>>,
    pub token: Option<TokenInput>,
    /// A `card_cvc` outside `payment_method_data`, as it belongs to a token.
    pub token_code: Option<SecretText>,
    /// The holder's name for the saved card of a token.
    pub token_holder_name: Option<String>,
    /// The reference for a charge without the payer (`recurring_details`).
    pub recurring: Option<RecurringInput>,
}

/// A payment method from a request, after its checks.
#[derive(Debug)]
pub struct GivenInstrument {
    pub instrument: Instrument,
    pub data: PaymentMethodData,
    /// The saved method, if one pays.
    pub method: Option<Box<AttemptMethod>>,
    /// The reference for a charge without the payer, if it is one.
    pub recurring: Option<Box<Recurring>>,
    /// The mandate of the charge.
    pub mandate: Option<Box<Mandate>>,
    /// The payer's consent to debits of a saved bank account.
    pub consent: Option<Box<Consent>>,
    /// True if it is a saved method that a processor stores.
    pub is_kept: bool,
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
const NETWORK_TOKEN: TokenMembers = TokenMembers {
    number: "payment_method_data.network_token.network_token",
    exp_month: "payment_method_data.network_token.token_exp_month",
    exp_year: "payment_method_data.network_token.token_exp_year",
    cryptogram: "payment_method_data.network_token.token_cryptogram",
    eci: "payment_method_data.network_token.eci",
};

/// The only wallet whose tokens merchants decrypt themselves.
const OPEN_GOOGLE_PAY: TokenMembers = TokenMembers {
    number: "payment_method_data.wallet.google_pay.tokenization_data.application_primary_account_number",
    exp_month: "payment_method_data.wallet.google_pay.tokenization_data.card_exp_month",
    exp_year: "payment_method_data.wallet.google_pay.tokenization_data.card_exp_year",
    cryptogram: "payment_method_data.wallet.google_pay.tokenization_data.cryptogram",
    eci: "payment_method_data.wallet.google_pay.tokenization_data.eci_indicator",
};

impl InstrumentInput {
    /// Returns whether the request has no payment method members at all.
    pub fn is_empty(&self) -> bool {
        self.payment_method.is_none()
            && self.payment_method_type.is_none()
            && !self.gives_data()
            && self.billing.is_none()
            && self.token.is_none()
            && self.token_code.is_none()
            && self.token_holder_name.is_none()
            && self.recurring.is_none()
    }

    /// Returns whether the request has payment method data or a reference to some.
    pub fn names_data(&self) -> bool {
        self.token.is_some() || self.recurring.is_some() || self.gives_data()
    }

    /// Returns whether `payment_method_data` has data that can pay.
    pub(crate) fn gives_data(&self) -> bool {
        self.card.is_some()
            || self.wallet.is_some()
            || self.network_token.is_some()
            || self.payer.is_some()
            || self.debit.is_some()
            || !self.other_families.is_empty()
    }

    /// Checks the members. `None` if there are none.
    ///
    /// # Errors
    /// The refusals of specification 7 for payment methods; each names its member.
    pub fn check(mut self, now: Timestamp) -> Result<Option<GivenInstrument>, Refusal> {
        if self.is_empty() {
            return Ok(None);
        }
        if let Some(recurring) = self.recurring.take() {
            return self.check_recurring(recurring).map(Some);
        }
        if self.token.is_some() {
            return self.check_token().map(Some);
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
        let given = usize::from(self.card.is_some())
            + usize::from(self.wallet.is_some())
            + usize::from(self.network_token.is_some())
            + usize::from(self.payer.is_some())
            + usize::from(self.debit.is_some())
            + self.other_families.len();
        if given > 1 {
            return Err(Refusal::invalid_value(
                "payment_method_data takes exactly one instrument",
            ));
        }
        if let Some(family) = self.other_families.first() {
            if *family != method.as_str() {
                return Err(mismatch(method));
            }
            let kind = self.payment_method_type.filter(|_| self.family_is_empty);
            if let Some(variety) = kind.and_then(Variety::of_type) {
                let member = variety.member;
                return Err(Refusal::missing(format!("payment_method_data.{member}")));
            }
            let scheme = kind.and_then(BankScheme::debited_by);
            let scheme = scheme.filter(|_| method == PaymentMethod::BankDebit);
            if let Some(member) = scheme.and_then(BankScheme::debit_member) {
                return Err(Refusal::missing(format!("payment_method_data.{member}")));
            }
            if let Some(wallet) = kind.and_then(Wallet::handed_over_as) {
                return Err(Refusal::missing(format!(
                    "payment_method_data.wallet.{wallet}"
                )));
            }
            return Err(match self.payment_method_type {
                Some(kind) => not_taken_data(method, kind, family),
                None => not_taken(method, None),
            });
        }
        let (of_family, data, details) = if let Some(card) = self.card {
            (
                PaymentMethod::Card,
                PaymentMethodData::Card(card.check(now)?),
                None,
            )
        } else if let Some(token) = self.network_token {
            let token = token.check(None, &NETWORK_TOKEN, now)?;
            let data = PaymentMethodData::NetworkToken(token);
            (PaymentMethod::NetworkToken, data, None)
        } else if let Some(input) = self.wallet {
            let kinds = input.details.wallet.payment_method_types();
            if self
                .payment_method_type
                .is_some_and(|kind| !kinds.contains(&kind))
            {
                return Err(Refusal::invalid_value(format!(
                    "payment_method_data.wallet.{} is not the data of payment_method_type",
                    input.details.wallet
                )));
            }
            let (data, details) = input.check(now)?;
            let details = InstrumentDetails::Wallet(details);
            (PaymentMethod::Wallet, data, Some(details))
        } else if let Some(payer) = self.payer {
            let variety =
                Variety::of_type(payer.kind).ok_or_else(|| not_taken(method, Some(payer.kind)))?;
            if method == variety.method && self.payment_method_type != Some(variety.kind) {
                return Err(Refusal::invalid_value(format!(
                    "payment_method_data.{} is not the data of payment_method_type",
                    variety.member
                )));
            }
            let (payer, billing) = payer.check(variety, self.billing.take(), now)?;
            self.billing = billing;
            (
                variety.method,
                PaymentMethodData::Payer(Box::new(payer)),
                None,
            )
        } else if let Some(debit) = self.debit {
            let scheme = debit.account.scheme;
            let member = scheme.debit_member();
            let member = member.ok_or_else(|| not_taken(method, self.payment_method_type))?;
            let kind = scheme.debited_as();
            if method == PaymentMethod::BankDebit && self.payment_method_type != kind {
                return Err(Refusal::invalid_value(format!(
                    "payment_method_data.{member} is not the data of payment_method_type"
                )));
            }
            let (account, billing) = debit.check(member, self.billing.take())?;
            self.billing = billing;
            let data = PaymentMethodData::BankDebit(Box::new(account));
            (PaymentMethod::BankDebit, data, None)
        } else {
            return Err(Refusal::missing("payment_method_data"));
        };
        if method != of_family {
            return Err(mismatch(method));
        }
        let mut instrument = data.instrument(method, self.payment_method_type, self.billing);
        if let Some(details) = details {
            instrument.details = details;
        }
        Ok(Some(GivenInstrument {
            instrument,
            data,
            method: None,
            recurring: None,
            mandate: None,
            consent: None,
            is_kept: false,
        }))
    }
}

impl WalletInput {
    fn check(self, now: Timestamp) -> Result<(PaymentMethodData, WalletDetails), Refusal> {
        let WalletInput { details, data } = self;
        let wallet = details.wallet;
        let data = match data {
            WalletData::Sealed(text) => PaymentMethodData::Sealed(SealedToken {
                wallet,
                text,
                details: details.clone(),
            }),
            WalletData::Open(token) => {
                let token = token.check(Some(wallet), &OPEN_GOOGLE_PAY, now)?;
                PaymentMethodData::NetworkToken(token)
            }
        };
        Ok((data, details))
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

/// Builds the refusal of a payment method that no connector charges. The type is the reason, where it is known.
fn not_taken(method: PaymentMethod, kind: Option<PaymentMethodType>) -> Refusal {
    let what = match kind {
        Some(kind) => format!("payment_method_type {kind}"),
        None => format!("payment_method {method}"),
    };
    Refusal::MethodNotSupported {
        message: format!("no connector that is built takes {what} yet"),
    }
}

/// Builds the refusal of data that no connector charges. A type that connectors do take was given the data of another one.
fn not_taken_data(method: PaymentMethod, kind: PaymentMethodType, family: &str) -> Refusal {
    let variety = Variety::of_type(kind).map(|variety| variety.member.to_owned());
    let wallet = || Wallet::handed_over_as(kind).map(|wallet| format!("wallet.{wallet}"));
    match variety.or_else(wallet) {
        Some(member) => Refusal::MethodNotSupported {
            message: format!(
                "no connector that is built takes this payment_method_data.{family}: payment_method_type {kind} is taken \
                 with payment_method_data.{member}"
            ),
        },
        None => not_taken(method, Some(kind)),
    }
}
