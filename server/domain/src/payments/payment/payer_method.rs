//! A method that the payer finishes elsewhere, as the caller sends it.

use multirail_kernel::address::{Address, Place};
use multirail_kernel::country::CountryCode;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::bank_name::BankName;
use multirail_sdk::card::{Card, CardNumber, Expiry, GivenCardDetails};
use multirail_sdk::payer_method::{PayerData, PayerMethod, PayerSecret, Variety};
use multirail_sdk::payment_method::PaymentMethodType;

/// A payer's method, with the data of one member of `payment_method_data`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayerMethodInput {
    pub kind: PaymentMethodType,
    pub bank_name: Option<BankName>,
    /// The country of the bank.
    pub country: Option<CountryCode>,
    pub card: Option<PayerCardInput>,
    /// A code, a UPI address or a tax number, which serves one payment.
    pub text: Option<SecretText>,
    pub payer: PayerInput,
}

/// The card behind a bank's method, as the caller wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayerCardInput {
    pub number: Option<SecretText>,
    pub exp_month: Option<String>,
    pub exp_year: Option<String>,
    pub holder_name: Option<String>,
}

/// The members that describe the payer. They complete `payment_method_data.billing`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PayerInput {
    /// First and last name.
    pub name: Option<String>,
    pub email: Option<String>,
    pub country: Option<CountryCode>,
}

impl PayerMethodInput {
    /// Returns an input without choices of the payer.
    pub fn new(kind: PaymentMethodType) -> Self {
        PayerMethodInput {
            kind,
            bank_name: None,
            country: None,
            card: None,
            text: None,
            payer: PayerInput::default(),
        }
    }

    /// Returns the method, and the billing address with the payer's data.
    ///
    /// # Errors
    /// A member that contradicts the billing address, or a card that isn't complete or valid.
    pub(crate) fn check(
        self,
        variety: &Variety,
        billing: Option<Box<Address>>,
        now: Timestamp,
    ) -> Result<(PayerData, Option<Box<Address>>), Refusal> {
        let billing = self.payer.complete(variety.member, billing)?;
        let text = self.text.filter(|text| !text.expose().trim().is_empty());
        let card = self.card.map(|card| card.check(variety, now));
        let card = card.transpose()?;
        let method = PayerMethod {
            kind: self.kind,
            bank_name: self.bank_name,
            country: self.country,
            last4: card.as_ref().map(|card| card.details.last4.clone()),
            text_was_given: text.as_ref().map(|_| true),
            unread: UnreadMembers::default(),
        };
        let secret = card.map(Box::new).map(PayerSecret::Card);
        let secret = secret.or(text.map(PayerSecret::Text));
        Ok((PayerData { method, secret }, billing))
    }
}

impl PayerCardInput {
    fn check(self, variety: &Variety, now: Timestamp) -> Result<Card, Refusal> {
        let path = format!("payment_method_data.{}", variety.member);
        let missing = |member: &str| Refusal::missing(format!("{path}.{member}"));
        let number = self.number.ok_or_else(|| missing("card_number"))?;
        let number = CardNumber::parse(number.expose()).map_err(|why| Refusal::Malformed {
            member: format!("{path}.card_number"),
            why: why.to_string(),
        })?;
        let month = self.exp_month.ok_or_else(|| missing("card_exp_month"))?;
        let year = self.exp_year.ok_or_else(|| missing("card_exp_year"))?;
        let expiry = Expiry::parse(&month, &year, &path, now)?;
        let given = GivenCardDetails {
            holder_name: self.holder_name,
            ..GivenCardDetails::default()
        };
        Ok(Card::new(number, None, expiry, given))
    }
}

impl PayerInput {
    /// Returns the billing address with the payer's data.
    ///
    /// # Errors
    /// A member of the method that contradicts the billing address.
    pub(crate) fn complete(
        self,
        member: &str,
        billing: Option<Box<Address>>,
    ) -> Result<Option<Box<Address>>, Refusal> {
        if self == PayerInput::default() {
            return Ok(billing);
        }
        let mut billing = billing.unwrap_or_default();
        agree(&mut billing.email, self.email, || differs(member, "email"))?;
        if self.country.is_some() || self.name.is_some() {
            let place = billing.address.get_or_insert_with(Place::default);
            agree(&mut place.country, self.country, || {
                differs(member, "country")
            })?;
            let (first, last) = parted(self.name);
            agree(&mut place.first_name, first, || {
                differs(member, "first_name")
            })?;
            agree(&mut place.last_name, last, || differs(member, "last_name"))?;
        }
        Ok(Some(billing))
    }
}

/// Builds the refusal of a method whose data contradicts the billing address.
pub(crate) fn differs(member: &str, of_payer: &str) -> Refusal {
    Refusal::invalid_value(format!(
        "payment_method_data.{member} and payment_method_data.billing have different values for {of_payer}"
    ))
}

/// Sets `known` to the given value, unless the two differ.
pub(crate) fn agree<T: PartialEq>(
    known: &mut Option<T>,
    given: Option<T>,
    differs: impl FnOnce() -> Refusal,
) -> Result<(), Refusal> {
    match (&known, given) {
        (_, None) => Ok(()),
        (None, given) => {
            *known = given;
            Ok(())
        }
        (Some(one), Some(other)) if *one == other => Ok(()),
        (Some(_), Some(_)) => Err(differs()),
    }
}

/// Splits a name before its last word. A single word is a last name.
fn parted(name: Option<String>) -> (Option<String>, Option<String>) {
    let Some(name) = name else {
        return (None, None);
    };
    match name.trim().rsplit_once(' ') {
        Some((first, last)) => (Some(first.trim_end().to_owned()), Some(last.to_owned())),
        None => (None, Some(name.trim().to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ideal() -> &'static Variety {
        Variety::of_type(PaymentMethodType::Ideal).expect("a variety")
    }

    fn payer() -> PayerInput {
        PayerInput {
            name: Some("Ada Ngozi Okafor".to_owned()),
            email: Some("ada@example.com".to_owned()),
            country: "NL".parse().ok(),
        }
    }

    #[test]
    fn the_payers_data_complete_the_billing_address() {
        let given = Box::new(Address {
            email: Some("ada@example.com".to_owned()),
            ..Address::default()
        });
        let address = payer().complete(ideal().member, Some(given));
        let address = address.expect("no contradiction").expect("an address");
        assert_eq!(address.email.as_deref(), Some("ada@example.com"));
        let place = address.address.expect("a place");
        assert_eq!(place.first_name.as_deref(), Some("Ada Ngozi"));
        assert_eq!(place.last_name.as_deref(), Some("Okafor"));
        assert_eq!(place.country.map(CountryCode::as_str), Some("NL"));
    }

    #[test]
    fn data_that_contradict_the_billing_address_are_refused() {
        let given = Box::new(Address {
            email: Some("eve@example.com".to_owned()),
            ..Address::default()
        });
        let refusal = payer()
            .complete(ideal().member, Some(given))
            .expect_err("a contradiction");
        assert_eq!(
            refusal.to_string(),
            "payment_method_data.bank_redirect.ideal and payment_method_data.billing have different values for email"
        );
    }

    #[test]
    fn a_payer_without_data_changes_nothing() {
        assert_eq!(
            PayerInput::default().complete(ideal().member, None),
            Ok(None)
        );
        assert_eq!(
            parted(Some("Okafor".to_owned())),
            (None, Some("Okafor".to_owned()))
        );
    }
}
