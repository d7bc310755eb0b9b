//! What a payer pays with, and the members of a request that say so.

use multirail_types::{
    ApplePayRequest, CardRequest, GooglePayRequest, NetworkTokenRequest, PaymentConfirmRequest,
    PaymentCreateRequest, PaymentMethod, PaymentMethodDataRequest, PaymentMethodType,
    PaymentUpdateRequest, RecurringDetails, RecurringDetailsKind, Secret, WalletRequest,
};
use serde_json::json;

/// What a payment is paid with.
#[derive(Clone, Debug, PartialEq)]
pub enum Instrument {
    /// A card, as [`requests::card`](crate::requests::card) and its like make it.
    Card(CardRequest),
    /// What Apple Pay handed over: `token` of its `PKPayment`.
    ApplePay(ApplePayRequest),
    /// What Google Pay handed over: `paymentMethodData` of its answer.
    GooglePay(GooglePayRequest),
    /// A number of a card's network, with its cryptogram.
    NetworkToken(NetworkTokenRequest),
    /// A saved card that the payer has picked, by its `payment_token`, with the code that the payer entered.
    Saved { payment_token: String, cvc: Secret },
    /// A saved method that is charged without its payer, by its id.
    Recurring { payment_method_id: String },
    /// A mandate that is charged without its payer, by its id.
    Mandate { mandate_id: String },
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

impl From<NetworkTokenRequest> for Instrument {
    fn from(token: NetworkTokenRequest) -> Self {
        Self::NetworkToken(token)
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
        let charged = |kind, id: String| RecurringDetails::new(kind, json!(id));
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
            Instrument::NetworkToken(token) => {
                let kind = PaymentMethodType::NetworkToken;
                with(PaymentMethod::NetworkToken, kind, data.network_token(token))
            }
            Instrument::Saved { payment_token, cvc } => Members {
                method: Some((PaymentMethod::Card, PaymentMethodType::Credit)),
                payment_token: Some((payment_token, cvc)),
                ..Members::default()
            },
            Instrument::Recurring { payment_method_id } => Members {
                recurring: Some(charged(
                    RecurringDetailsKind::PaymentMethodId,
                    payment_method_id,
                )),
                ..Members::default()
            },
            Instrument::Mandate { mandate_id } => Members {
                recurring: Some(charged(RecurringDetailsKind::MandateId, mandate_id)),
                ..Members::default()
            },
        }
    }
}

/// Requests that may name an instrument.
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
    /// Names the instrument, in place of any other. A card counts as a credit card unless `payment_method_type` is set
    /// afterwards. What is charged without its payer also sets `off_session`.
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

#[cfg(test)]
mod tests {
    use multirail_types::{ApplePayMethod, Currency, GooglePayInfo, GooglePayTokenData};
    use serde_json::Value;

    use super::*;
    use crate::requests::card_of;

    fn sent(instrument: impl Into<Instrument>) -> Value {
        let order = PaymentCreateRequest::new(6540, Currency::Usd).pays_with(instrument);
        serde_json::to_value(order).expect("a request is JSON")
    }

    #[test]
    fn each_instrument_sets_its_own_members() {
        let card = sent(card_of("4111111111111111", "10", "2035", "123"));
        assert_eq!(
            card,
            json!({
                "amount": 6540, "currency": "USD", "payment_method": "card", "payment_method_type": "credit",
                "payment_method_data": { "card": {
                    "card_number": "4111111111111111", "card_exp_month": "10", "card_exp_year": "2035", "card_cvc": "123",
                } },
            })
        );
        let apple = ApplePayRequest::new(
            "sealed",
            ApplePayMethod::new("Visa 1111", "Visa", "credit"),
            "transaction",
        );
        let apple = sent(apple);
        assert_eq!(apple["payment_method_type"], "apple_pay");
        assert_eq!(
            apple["payment_method_data"]["wallet"]["apple_pay"]["payment_data"],
            "sealed"
        );
        let google = GooglePayRequest::new(
            "CARD",
            "Visa 1111",
            GooglePayInfo::new("VISA", "1111"),
            GooglePayTokenData::new().token("sealed"),
        );
        let google = sent(google);
        assert_eq!(google["payment_method"], "wallet");
        let wallet = &google["payment_method_data"]["wallet"]["google_pay"];
        assert_eq!(wallet["tokenization_data"]["token"], "sealed");
        let token = NetworkTokenRequest::new("4895370012003478", "10", "2035", "AgAAAA");
        assert_eq!(sent(token)["payment_method"], "network_token");
        let saved = Instrument::Saved {
            payment_token: "token_1".to_owned(),
            cvc: "123".into(),
        };
        let saved = sent(saved);
        assert_eq!(
            (&saved["payment_token"], &saved["card_cvc"]),
            (&json!("token_1"), &json!("123"))
        );
        let mandate = Instrument::Mandate {
            mandate_id: "man_1".to_owned(),
        };
        let mandate = sent(mandate);
        assert_eq!(
            mandate["recurring_details"],
            json!({ "type": "mandate_id", "data": "man_1" })
        );
        assert_eq!(mandate["off_session"], true);
        let recurring = Instrument::Recurring {
            payment_method_id: "pm_1".to_owned(),
        };
        let kind = &sent(recurring)["recurring_details"]["type"];
        assert_eq!(kind, "payment_method_id");
    }

    #[test]
    fn another_instrument_leaves_nothing_of_the_one_before() {
        let order = PaymentConfirmRequest::new()
            .pays_with(card_of("4111111111111111", "10", "2035", "123"))
            .pays_with(Instrument::Saved {
                payment_token: "token_1".to_owned(),
                cvc: "123".into(),
            });
        assert_eq!(order.payment_method_data, None);
    }
}
