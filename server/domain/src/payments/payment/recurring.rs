//! Charges without the payer: the reference that a merchant-initiated payment charges, and its conditions. (Facts 2.12.1, 9)

use multirail_kernel::address::Address;
use multirail_kernel::ids::ConnectorAccountId;
use multirail_kernel::record_object::record_object;
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::secret::SecretText;
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::words::words;
use multirail_sdk::card::{Card, CardNumber, Expiry, GivenCardDetails};
use multirail_sdk::connector::{AccountMandate, ConnectorMandate};
use multirail_sdk::instrument::InstrumentDetails;
use multirail_sdk::payment_method::{PaymentMethod, PaymentMethodType};

use crate::customers::mandate::Mandate;
use crate::customers::saved_method::{ChargedMethod, NotChargeable};
use crate::payments::payment::instrument::{GivenInstrument, InstrumentInput};
use crate::payments::payment::payment_token::check_stands_for;
use crate::payments::payment::saved::{AttemptMethod, MethodRole};
use crate::payments::payment::{
    Attempt, AuthenticationType, ChargedUnder, Payment, PaymentMethodData,
};

words! {
    /// The kind of reference of a merchant-initiated payment (`recurring_details.type`).
    pub enum RecurringKind {
        MandateId = "mandate_id",
        PaymentMethodId = "payment_method_id",
        ProcessorToken = "processor_payment_token",
        NetworkTransaction = "network_transaction_id_and_card_details",
    }
}

record_object! {
    /// The reference that an attempt charges without its payer.
    #[derive(Eq)]
    pub struct Recurring {
        kind: RecurringKind,
    } and maybe {
        /// The network transaction id of the payment with which the payer agreed.
        network_transaction_id: String,
        /// The processors' references of the stored payment method, each with its account, because a retry may use another
        /// account.
        connector_mandates: Vec<AccountMandate>,
        /// The account of the payer's agreement, if known.
        agreed_through: ConnectorAccountId,
        /// True if only accounts that store the payment method, and the account of the payer's agreement, may charge it.
        is_bound: bool,
        /// The mandate with the payer's permission, if there is one.
        mandate: Box<ChargedUnder>,
    }
}

/// `recurring_details`, or `mandate_id`.
#[derive(Clone, Debug)]
pub enum RecurringInput {
    /// A mandate.
    Mandate {
        /// The id as the caller wrote it.
        id: String,
        found: FoundMandate,
        /// The mandate's payment method.
        method: FoundMethod,
    },
    /// A saved payment method.
    Method {
        /// The id as the caller wrote it.
        id: String,
        found: FoundMethod,
    },
    /// A card that the merchant stores, with the network transaction id of its first payment.
    Card(Box<CardOfSeries>),
    /// A card that a processor stores and this server didn't save.
    ProcessorToken(Box<AccountMandate>),
}

/// The payment method of a `payment_method_id`.
#[derive(Clone, Debug, Default)]
pub enum FoundMethod {
    /// The payment names no customer.
    #[default]
    NoCustomer,
    /// The payment's customer has no such method.
    Nothing,
    Method(Box<ChargedMethod>),
}

/// The mandate of a mandate id.
#[derive(Clone, Debug, Default)]
pub enum FoundMandate {
    /// The payment names no customer.
    #[default]
    NoCustomer,
    /// There is no such mandate.
    Nothing,
    /// The mandate; it may belong to another customer.
    Mandate(Box<Mandate>),
}

/// A card as the caller wrote it. It has no security code, because nobody may store one.
#[derive(Clone, Debug)]
pub struct CardOfSeries {
    pub number: SecretText,
    pub exp_month: String,
    pub exp_year: String,
    pub given: GivenCardDetails,
    pub network_transaction_id: String,
}

const MEMBER: &str = "recurring_details";
const DETAILS: &str = "recurring_details.data";

/// The longest network transaction id that is accepted, somewhat longer than the schemes' own.
const LONGEST_REFERENCE: usize = 255;

impl InstrumentInput {
    /// Checks the members like [`InstrumentInput::check`], for a merchant-initiated payment.
    pub(crate) fn check_recurring(
        self,
        recurring: RecurringInput,
    ) -> Result<GivenInstrument, Refusal> {
        if self.token.is_some() || self.gives_data() {
            return Err(Refusal::invalid_value(
                "recurring_details, or mandate_id, and payment_token or payment_method_data can't both say what pays",
            ));
        }
        if self.token_code.is_some() || self.token_holder_name.is_some() {
            return Err(Refusal::invalid_value(
                "recurring_details is charged without the payer, who alone knows card_cvc",
            ));
        }
        let mut mandate = None;
        let (data, method, kind, network_transaction_id) = match recurring {
            RecurringInput::Mandate {
                id: _,
                found,
                method,
            } => {
                let found = found.known()?;
                let method = match method {
                    FoundMethod::Method(method) => *method,
                    FoundMethod::NoCustomer | FoundMethod::Nothing => {
                        return Err(found.without_method());
                    }
                };
                mandate = Some(found);
                let reference = method.network_transaction_id.clone();
                let data = method.data.clone();
                (data, Some(method), RecurringKind::MandateId, reference)
            }
            RecurringInput::Method { id: _, found } => {
                let method = match found {
                    FoundMethod::NoCustomer => return Err(Refusal::missing("customer_id")),
                    FoundMethod::Nothing => {
                        return Err(Refusal::not_found(Object::PaymentMethod));
                    }
                    FoundMethod::Method(method) => *method,
                };
                method.check_chargeable().map_err(refused)?;
                let reference = method.network_transaction_id.clone();
                let data = method.data.clone();
                (
                    data,
                    Some(method),
                    RecurringKind::PaymentMethodId,
                    reference,
                )
            }
            RecurringInput::Card(card) => {
                let reference = card.reference()?;
                let kind = RecurringKind::NetworkTransaction;
                let data = PaymentMethodData::Card(card.check()?);
                (data, None, kind, Some(reference))
            }
            RecurringInput::ProcessorToken(token) => {
                let data = PaymentMethodData::Kept(token.merchant_connector_id.clone());
                check_stands_for(MEMBER, &data, self.payment_method, self.payment_method_type)?;
                return Ok(by_processor_token(
                    *token,
                    self.payment_method_type,
                    self.billing,
                ));
            }
        };
        let family =
            check_stands_for(MEMBER, &data, self.payment_method, self.payment_method_type)?;
        let billing_was_given = self.billing.is_some();
        let billing = method.as_ref().and_then(|method| method.billing.clone());
        let mandates = method
            .as_ref()
            .map(|method| method.connector_mandates.clone());
        let by_mandate = mandate
            .as_deref()
            .and_then(|mandate: &Mandate| mandate.merchant_connector_id.clone());
        let by_method = || method.as_ref().and_then(|one| one.agreed_through.clone());
        let agreed_through = by_mandate.or_else(by_method);
        let consent = method.as_ref().and_then(|method| method.consent.clone());
        let kind_of_card = method
            .as_ref()
            .and_then(|method| method.payment_method_type);
        Ok(GivenInstrument {
            instrument: data.instrument(
                family,
                self.payment_method_type.or(kind_of_card),
                self.billing.or(billing),
            ),
            data,
            method: method.map(|method| {
                Box::new(AttemptMethod {
                    payment_method_id: method.payment_method_id,
                    role: MethodRole::Pays,
                    token: None,
                    code_was_given: None,
                    holder_was_given: None,
                    billing_was_given: Some(billing_was_given),
                    consent_was_given: None,
                    consented_at: None,
                    unread: UnreadMembers::default(),
                })
            }),
            recurring: Some(Box::new(Recurring {
                kind,
                network_transaction_id,
                connector_mandates: mandates.filter(|mandates| !mandates.is_empty()),
                agreed_through,
                is_bound: None,
                mandate: mandate
                    .as_deref()
                    .map(|mandate| Box::new(ChargedUnder::from_mandate(mandate))),
                unread: UnreadMembers::default(),
            })),
            mandate,
            consent,
            is_kept: false,
        })
    }
}

/// Builds the payment's refusal of a saved method.
fn refused(why: NotChargeable) -> Refusal {
    match why {
        NotChargeable::NotAgreed => Refusal::NotAgreed {
            why: "its payer did not consent to charges in their absence: save it with setup_future_usage off_session"
                .to_owned(),
        },
    }
}

/// Builds the payment method that is charged by a processor's reference alone.
fn by_processor_token(
    token: AccountMandate,
    payment_method_type: Option<PaymentMethodType>,
    billing: Option<Box<Address>>,
) -> GivenInstrument {
    let data = PaymentMethodData::Kept(token.merchant_connector_id.clone());
    GivenInstrument {
        instrument: data.instrument(PaymentMethod::Card, payment_method_type, billing),
        data,
        method: None,
        recurring: Some(Box::new(Recurring {
            kind: RecurringKind::ProcessorToken,
            network_transaction_id: None,
            connector_mandates: Some(vec![token]),
            agreed_through: None,
            is_bound: None,
            mandate: None,
            unread: UnreadMembers::default(),
        })),
        mandate: None,
        consent: None,
        is_kept: false,
    }
}

impl CardOfSeries {
    fn reference(&self) -> Result<String, Refusal> {
        let reference = &self.network_transaction_id;
        let is_one = (1..=LONGEST_REFERENCE).contains(&reference.len())
            && reference.bytes().all(|byte| byte.is_ascii_graphic());
        if is_one {
            Ok(reference.clone())
        } else {
            Err(Refusal::Malformed {
                member: format!("{DETAILS}.network_transaction_id"),
                why: format!(
                    "has to be 1 to {LONGEST_REFERENCE} characters that print, without spaces"
                ),
            })
        }
    }

    fn check(self) -> Result<Card, Refusal> {
        let number = CardNumber::parse(self.number.expose()).map_err(|why| Refusal::Malformed {
            member: format!("{DETAILS}.card_number"),
            why: why.to_string(),
        })?;
        let expiry = Expiry::read_stored(&self.exp_month, &self.exp_year, DETAILS)?;
        Ok(Card::new(number, None, expiry, self.given))
    }
}

impl Recurring {
    /// Returns the processor's reference, if the request named nothing else to charge.
    fn processor_token(&self) -> Option<&AccountMandate> {
        match self.kind {
            RecurringKind::ProcessorToken => self.connector_mandates.iter().flatten().next(),
            RecurringKind::MandateId
            | RecurringKind::PaymentMethodId
            | RecurringKind::NetworkTransaction => None,
        }
    }

    /// Returns the mandate under which it is charged.
    pub fn charged_under(&self) -> Option<&ChargedUnder> {
        self.mandate.as_deref()
    }
}

impl Attempt {
    /// Returns the reference that a later request has to repeat, because the server doesn't hold it.
    pub fn named_token(&self) -> Option<RecurringInput> {
        let token = self.recurring.as_deref()?.processor_token()?;
        Some(RecurringInput::ProcessorToken(Box::new(token.clone())))
    }

    /// Returns the chosen account's reference of the stored payment method, if it is charged by that. Credentials of the
    /// request belong to another account, which doesn't store it.
    pub fn charged_mandate(&self) -> Option<&ConnectorMandate> {
        if self.brought.is_some() {
            return None;
        }
        let chosen = self.merchant_connector_id.as_ref()?;
        let mut mandates = self
            .recurring
            .as_deref()?
            .connector_mandates
            .iter()
            .flatten();
        let own = mandates.find(|one| one.merchant_connector_id == *chosen)?;
        Some(&own.mandate)
    }

    /// Returns the processor's new reference of the payment method, with its account. `None` if the request had credentials of
    /// another account.
    pub(crate) fn stored_mandate(&self) -> Option<Box<AccountMandate>> {
        let merchant_connector_id = self.merchant_connector_id.clone()?;
        let mandate = self.connector_mandate.as_deref().cloned()?;
        self.brought.is_none().then(|| {
            Box::new(AccountMandate {
                merchant_connector_id,
                mandate,
                unread: UnreadMembers::default(),
            })
        })
    }
}

impl Payment {
    /// Binds a charge without the payer to the accounts of the payer's agreement, or releases it. An account that the payment
    /// names, or whose credentials it has, is the merchant's choice; a mandate binds nevertheless.
    pub(crate) fn bind_charge(&mut self, binds: bool) {
        let is_named = self.terms.routing.is_some();
        let attempt = self.active_mut();
        let is_brought = attempt.brought.is_some();
        if let Some(recurring) = attempt.recurring.as_deref_mut() {
            let is_chosen = is_brought || (is_named && recurring.mandate.is_none());
            recurring.is_bound = (binds && !is_chosen).then_some(true);
        }
    }

    /// Returns whether the payment is merchant-initiated.
    pub fn is_merchant_initiated(&self) -> bool {
        self.active().recurring.is_some()
    }

    /// Refuses members that contradict a merchant-initiated payment.
    pub(crate) fn check_initiation(&self) -> Result<(), Refusal> {
        let said = &self.particulars;
        let is_away = said.off_session == Some(true);
        if let Some(recurring) = self.active().recurring.as_deref() {
            let named = match recurring.charged_under() {
                Some(_) => "mandate_id",
                None => "recurring_details",
            };
            if !is_away {
                return Err(Refusal::precondition(format!(
                    "{named} is for charges without the payer: off_session has to be true"
                )));
            }
            if self.terms.authentication_type == AuthenticationType::ThreeDs {
                return Err(Refusal::precondition(format!(
                    "{named} charges without the payer, who can't authenticate: authentication_type can't be three_ds"
                )));
            }
            self.check_processor_token()?;
            if self.terms.setup_future_usage.is_some() {
                return Err(Refusal::precondition(format!(
                    "{named} charges without the payer, who can't agree to setup_future_usage"
                )));
            }
        }
        if is_away
            && let Some(instrument) = self.instrument()
            && let InstrumentDetails::Payer(method) = &instrument.details
        {
            return Err(Refusal::precondition(format!(
                "payment_method_type {} needs the payer: off_session can't be true",
                method.kind
            )));
        }
        if said.mit_category.is_some() && !is_away {
            return Err(Refusal::precondition(
                "mit_category is for charges without the payer: off_session has to be true",
            ));
        }
        Ok(())
    }

    fn check_processor_token(&self) -> Result<(), Refusal> {
        let attempt = self.active();
        let recurring = attempt.recurring.as_deref();
        if recurring.and_then(Recurring::processor_token).is_none() {
            return Ok(());
        }
        if attempt.brought.is_some() {
            return Err(Refusal::precondition(
                "a processor_payment_token is one of a stored account, and merchant_connector_details open another",
            ));
        }
        if self.terms.only_verifies() {
            return Err(Refusal::precondition(
                "with a processor_payment_token there is no card to check: amount can't be 0",
            ));
        }
        Ok(())
    }
}
