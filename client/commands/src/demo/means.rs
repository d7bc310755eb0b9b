//! The methods by which the customers of the demo pay.

use multirail_client::types::{
    BankName, BoletoRequest, CardRequest, CountryCode, IdealRequest, KlarnaRedirectRequest,
    PaymentCreateRequest, PaypalRedirectRequest, SepaBankTransferRequest,
};
use multirail_client::{PayerMethod, PaysWith, requests};

use super::people::{ELIN, GRACE, JAN, LENA, LUIS, MARIA, Person};
use crate::trigger::debits;
use crate::trigger::payers::RETURN_URL;

/// A method, with the number of its card or account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Means {
    Boleto,
    Card(&'static str),
    Ideal,
    Klarna,
    Oxxo,
    Paypal,
    Pix,
    SepaDebit(&'static str),
    SepaTransfer,
    Swish,
}

impl Means {
    /// Returns the customer of the country in which the method is used. Cards are used everywhere.
    pub(super) fn payer(self) -> Option<&'static Person> {
        match self {
            Means::Card(_) => None,
            Means::Boleto | Means::Pix => Some(&MARIA),
            Means::Ideal => Some(&JAN),
            Means::Klarna | Means::SepaDebit(_) | Means::SepaTransfer => Some(&LENA),
            Means::Oxxo => Some(&LUIS),
            Means::Paypal => Some(&GRACE),
            Means::Swish => Some(&ELIN),
        }
    }

    /// Returns an order of this amount that is confirmed at once.
    pub(super) fn order(self, person: &Person, amount: i64) -> PaymentCreateRequest {
        let order = PaymentCreateRequest::new(amount, person.currency.clone())
            .return_url(RETURN_URL)
            .confirm(true);
        match self {
            Means::Boleto => {
                order.pays_with(BoletoRequest::new().social_security_number("12345678909"))
            }
            Means::Card(number) => order.pays_with(card(number, person)),
            Means::Ideal => order.pays_with(IdealRequest::new().bank_name(BankName::Ing)),
            Means::Klarna => order.pays_with(KlarnaRedirectRequest::new()),
            Means::Oxxo => order.pays_with(PayerMethod::Oxxo),
            Means::Paypal => order.pays_with(PaypalRedirectRequest::new()),
            Means::Pix => order.pays_with(PayerMethod::Pix),
            Means::SepaDebit(iban) => debits::order(iban, &person.name(), amount),
            Means::SepaTransfer => {
                order.pays_with(SepaBankTransferRequest::new().country(CountryCode::De))
            }
            Means::Swish => order.pays_with(PayerMethod::Swish),
        }
    }
}

/// Returns a card with this number.
pub(super) fn card(number: &str, person: &Person) -> CardRequest {
    requests::card_of(number, "10", "2035", "123").card_holder_name(person.name())
}
