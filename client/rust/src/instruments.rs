//! Payment instruments, and the members of a request that name them.

use multirail_types::{
    ApplePayRequest, CardRequest, GooglePayRequest, NetworkTokenRequest, PaymentConfirmRequest,
    PaymentCreateRequest, PaymentMethod, PaymentMethodDataRequest, PaymentMethodType,
    PaymentUpdateRequest, RecurringDetails, RecurringDetailsKind, Secret, WalletRequest,
};
use serde_json::{Value, json};

use crate::payer_method::PayerMethod;
use crate::recurring::{KeptElsewhere, SeriesCard};

/// The instrument of a payment.
#[derive(Clone, Debug, PartialEq)]
pub enum Instrument {
    /// A card, made by [`requests::card_of`](crate::requests::card_of).
    Card(CardRequest),
    /// The result of Apple Pay: `token` of its `PKPayment`.
    ApplePay(ApplePayRequest),
    /// The result of Google Pay: `paymentMethodData` of its answer.
    GooglePay(GooglePayRequest),
    /// A debit, or a method that the payer finishes elsewhere.
    Payer(PayerMethod),
    /// A network token with its cryptogram.
    NetworkToken(NetworkTokenRequest),
    /// A saved card that the payer has chosen, by its `payment_token`, with the code that the payer entered.
    Saved { payment_token: String, cvc: Secret },
    /// A saved method that is charged without its payer, by its id.
    Recurring { payment_method_id: String },
    /// A mandate that is charged without its payer, by its id.
    Mandate { mandate_id: String },
    /// A method stored at a processor but not by this service, charged without its payer.
    KeptElsewhere(KeptElsewhere),
    /// A card that is charged without its payer, by the network's reference to its first payment.
    Series(SeriesCard),
}

impl From<CardRequest> for Instrument {
    fn from(card: CardRequest) -> Self {
        Self::Card(card)
    }
}

impl From<ApplePayRequest> for Instrument {
    fn from(handed_over: ApplePayRequest) -> Self {
        Self::ApplePay(handed_over)
    }
}

impl From<GooglePayRequest> for Instrument {
    fn from(handed_over: GooglePayRequest) -> Self {
        Self::GooglePay(handed_over)
    }
}

impl From<PayerMethod> for Instrument {
    fn from(method: PayerMethod) -> Self {
        Self::Payer(method)
    }
}

impl From<NetworkTokenRequest> for Instrument {
    fn from(token: NetworkTokenRequest) -> Self {
        Self::NetworkToken(token)
    }
}

impl From<KeptElsewhere> for Instrument {
    fn from(kept: KeptElsewhere) -> Self {
        Self::KeptElsewhere(kept)
    }
}

impl From<SeriesCard> for Instrument {
    fn from(card: SeriesCard) -> Self {
        Self::Series(card)
    }
}

/// The members of a request that an instrument sets.
#[derive(Default)]
struct Members {
    method: Option<(PaymentMethod, PaymentMethodType)>,
    data: Option<Box<PaymentMethodDataRequest>>,
    payment_token: Option<(String, Secret)>,
    recurring: Option<RecurringDetails>,
}

impl Instrument {
    fn members(self) -> Members {
        let data = PaymentMethodDataRequest::new();
        let with = |method, kind, data| Members {
            method: Some((method, kind)),
            data: Some(Box::new(data)),
            ..Members::default()
        };
        let charged = |kind, data: Value| Members {
            recurring: Some(RecurringDetails::new(kind, data)),
            ..Members::default()
        };
        match self {
            Instrument::Card(card) => with(
                PaymentMethod::Card,
                PaymentMethodType::Credit,
                data.card(card),
            ),
            Instrument::ApplePay(handed_over) => {
                let wallet = WalletRequest::new().apple_pay(handed_over);
                let kind = PaymentMethodType::ApplePay;
                with(PaymentMethod::Wallet, kind, data.wallet(wallet))
            }
            Instrument::GooglePay(handed_over) => {
                let wallet = WalletRequest::new().google_pay(handed_over);
                let kind = PaymentMethodType::GooglePay;
                with(PaymentMethod::Wallet, kind, data.wallet(wallet))
            }
            Instrument::Payer(method) => {
                let (method, kind, data) = method.members(data);
                with(method, kind, data)
            }
            Instrument::NetworkToken(token) => {
                let kind = PaymentMethodType::NetworkToken;
                with(PaymentMethod::NetworkToken, kind, data.network_token(token))
            }
            Instrument::Saved { payment_token, cvc } => Members {
                method: Some((PaymentMethod::Card, PaymentMethodType::Credit)),
                payment_token: Some((payment_token, cvc)),
                ..Members::default()
            },
            Instrument::Recurring { payment_method_id } => charged(
                RecurringDetailsKind::PaymentMethodId,
                json!(payment_method_id),
            ),
            Instrument::Mandate { mandate_id } => {
                charged(RecurringDetailsKind::MandateId, json!(mandate_id))
            }
            Instrument::KeptElsewhere(kept) => charged(
                RecurringDetailsKind::ProcessorPaymentToken,
                kept.into_data(),
            ),
            Instrument::Series(card) => charged(
                RecurringDetailsKind::NetworkTransactionIdAndCardDetails,
                card.into_data(),
            ),
        }
    }
}

/// A request that may name an instrument.
///
/// ```
/// use multirail_client::types::{Currency, PaymentCreateRequest};
/// use multirail_client::{PaysWith, requests};
///
/// let order = PaymentCreateRequest::new(6540, Currency::Usd)
///     .pays_with(requests::card_of("4111111111111111", "10", "2035", "123"))
///     .confirm(true);
/// assert!(order.payment_method_data.is_some());
/// ```
pub trait PaysWith: Sized {
    /// Sets the instrument and replaces any other. A card counts as a credit card unless `payment_method_type` is set
    /// afterwards. An instrument that is charged without its payer also sets `off_session`.
    #[must_use]
    fn pays_with(self, instrument: impl Into<Instrument>) -> Self;
}

macro_rules! pays_with {
    ($($request:ident),*) => { $(
        impl PaysWith for $request {
            fn pays_with(mut self, instrument: impl Into<Instrument>) -> Self {
                let members = instrument.into().members();
                let (method, kind) = members.method.unzip();
                self.payment_method = method;
                self.payment_method_type = kind;
                self.payment_method_data = members.data;
                let (payment_token, cvc) = members.payment_token.unzip();
                self.payment_token = payment_token;
                self.card_cvc = cvc;
                if members.recurring.is_some() {
                    self.off_session = Some(true);
                }
                self.recurring_details = members.recurring;
                self
            }
        }
    )* };
}

pays_with!(
    PaymentCreateRequest,
    PaymentUpdateRequest,
    PaymentConfirmRequest
);
